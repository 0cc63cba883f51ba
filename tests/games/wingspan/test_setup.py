"""Section 3 of the rules: the deal and the secret choice."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.core import IllegalMove, Rng, play
from engine.games.wingspan import GAME, moves
from engine.games.wingspan.events import FirstPlayerDrawn, SetupRevealed, ThingKept
from engine.games.wingspan.rows import BIRD_IDS, GOALS
from engine.games.wingspan.state import Options, State
from engine.games.wingspan.terms import Food
from tests.games.wingspan.table import Sitting, dealt, refused

DEALT = {"birds": ["mallard", "house_wren", "barn_owl", "bald_eagle", "bobolink"], "bonus": ["anatomist", "ecologist"]}


def opening(seats: int = 3) -> State:
    return GAME.setup(Options(), seats, Rng(b"opening", 0))


def keep(sitting: Sitting, seat: int, *things: str) -> None:
    for thing in things:
        sitting.do(seat, thing)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_everybody_is_dealt_five_birds_two_bonus_cards_and_a_token_of_each_food(seats: int) -> None:
    state = opening(seats)
    assert [len(player.hand) for player in state.players] == [5] * seats
    assert [len(player.bonus) for player in state.players] == [2] * seats
    assert [player.food for player in state.players] == [(1, 1, 1, 1, 1)] * seats
    assert len(state.deck) == 170 - 3 - 5 * seats
    assert len(state.bonus_deck) == 26 - 2 * seats
    assert None not in state.tray
    assert len(state.feeder) == 5


def test_goals_are_of_four_different_tiles() -> None:
    for seed in range(50):
        state = GAME.setup(Options(), 2, Rng(b"%d" % seed, 0))
        assert len({GOALS[goal].tile for goal in state.goals}) == 4


def test_every_goal_comes_up() -> None:
    seen = Counter(goal for seed in range(200) for goal in GAME.setup(Options(), 2, Rng(b"%d" % seed, 0)).goals)
    assert len(seen) == len(GOALS)
    # Each of 16 is drawn in a quarter of the games.
    assert all(25 < count < 80 for count in seen.values())


def test_everybody_is_asked_at_once() -> None:
    assert [(prompt.seat, prompt.kind) for prompt in GAME.prompts(opening())] == [
        (0, "setup_keep"),
        (1, "setup_keep"),
        (2, "setup_keep"),
    ]


def test_ten_things_then_two_bonus_cards() -> None:
    sitting = Sitting(dealt(DEALT, 2))
    assert len(sitting.offers(0)) == 10
    keep(sitting, 0, "keep_bird:mallard", "keep_food:seed")
    assert len(sitting.offers(0)) == 8
    keep(sitting, 0, "keep_food:fish", "keep_bird:bobolink", "keep_food:rodent")
    assert sitting.offers(0) == ["keep_bonus:anatomist", "keep_bonus:ecologist"]
    keep(sitting, 0, "keep_bonus:ecologist")
    assert sitting.offers(0) == []
    assert [prompt.seat for prompt in GAME.prompts(sitting.state)] == [1]


def test_the_order_of_choosing_leaves_no_trace() -> None:
    one, other = Sitting(dealt(DEALT, 2)), Sitting(dealt(DEALT, 2))
    keep(one, 0, "keep_bird:mallard", "keep_food:seed", "keep_bird:bobolink", "keep_food:fish")
    keep(other, 0, "keep_food:fish", "keep_bird:bobolink", "keep_food:seed", "keep_bird:mallard")
    assert one.state == other.state


def test_nobody_learns_anything_before_all_are_done() -> None:
    sitting = Sitting(dealt(DEALT, 2))
    before = GAME.view(sitting.state, 1)
    keep(sitting, 0, "keep_bird:mallard", "keep_food:seed", "keep_food:fish", "keep_bird:bobolink")
    assert GAME.view(sitting.state, 1) == before
    assert all(fact.seen_by(1) is None and fact.seen_by(None) is None for fact in sitting.facts)
    assert [fact.seen_by(0) for fact in sitting.facts[:2]] == [ThingKept(bird="mallard"), ThingKept(food=Food.SEED)]


def test_when_the_last_one_is_done_the_rest_is_given_up() -> None:
    sitting = Sitting(dealt(DEALT, 2))
    keep(sitting, 0, "keep_bird:mallard", "keep_food:seed", "keep_food:fish", "keep_bird:bobolink", "keep_food:fruit")
    keep(sitting, 0, "keep_bonus:anatomist")
    while legal := GAME.legal_moves(sitting.state, 1):
        sitting.move(1, legal[0])
        if not sitting.state.keeping:
            break
    assert sitting.hand(0) == ["mallard", "bobolink"]
    assert sitting.food(0) == {"seed": 1, "fish": 1, "fruit": 1}
    assert sitting.discard() == ["house_wren", "barn_owl", "bald_eagle"]
    # Seat 1 kept all five birds and no token.
    assert sitting.food(1) == {}
    assert len(sitting.state.bonus_discard) == 2
    public = [fact.public for fact in sitting.facts]
    revealed = SetupRevealed(2, (Food.SEED, Food.FISH, Food.FRUIT), ("house_wren", "barn_owl", "bald_eagle"))
    assert revealed in public
    assert FirstPlayerDrawn() in public


def test_the_first_player_is_drawn_after_all_choices() -> None:
    firsts = set()
    for seed in range(40):
        state = opening()
        assert state.first_player is None
        number = 0
        while state.keeping:
            number += 1
            seat = GAME.prompts(state)[0].seat
            state = play(GAME, state, seat, GAME.legal_moves(state, seat)[0], Rng(b"%d" % seed, number)).state
        firsts.add(state.first_player)
        assert state.active == state.first_player
    assert firsts == {0, 1, 2}


def test_a_hand_of_five_birds_and_a_purse_of_five_foods_are_both_possible() -> None:
    sitting = Sitting(dealt(DEALT, 2))
    keep(sitting, 0, *(f"keep_bird:{bird}" for bird in DEALT["birds"]))
    keep(sitting, 1, *(f"keep_food:{food.name.lower()}" for food in Food))
    assert [prompt.kind for prompt in GAME.prompts(sitting.state)] == ["setup_bonus", "setup_bonus"]


def test_what_was_not_dealt_cannot_be_kept() -> None:
    state = dealt(DEALT, 2)
    refusal = refused(state, 0, moves.KeepBird("osprey"))
    assert isinstance(refusal, IllegalMove)
    assert refusal.clause == "3.3"
    refusal = refused(state, 0, moves.KeepBonus("anatomist"))
    assert isinstance(refusal, IllegalMove)
    assert refusal.clause == "3.3"
    assert {BIRD_IDS[card] for card in state.players[0].hand} == set(DEALT["birds"])
