"""What bots make of Wingspan: cubes that bring something, and the small choices that go with them."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from engine.core import Budget, Level, Rng, decide, play, sight_of
from engine.games.wingspan import GAME
from engine.games.wingspan.state import Options, State
from engine.games.wingspan.terms import GOAL_BOARDS
from tests.games.wingspan.table import Sitting, board, dealt


def basic(table: Sitting, seat: int = 0) -> str:
    """What ``basic`` answers."""
    sight = sight_of(GAME, table.state, seat)
    return GAME.notation(decide(Level.BASIC, sight, Rng(b"", 1), Budget(1)))


def at(**seat0: Any) -> Sitting:
    return Sitting(board(seats={"0": seat0}))


def test_it_keeps_two_birds_and_the_foods_that_they_ask_for() -> None:
    birds = ["blue_winged_warbler", "american_woodcock", "mallard", "house_wren", "hooded_warbler"]
    table = Sitting(dealt({"birds": birds, "bonus": ["anatomist", "ecologist"]}, 2))
    kept = []
    while GAME.legal_moves(table.state, 0):
        kept.append(basic(table))
        table.do(0, kept[-1])
    assert sorted(kept[:2]) == ["keep_bird:american_woodcock", "keep_bird:blue_winged_warbler"]
    assert {"keep_food:invertebrate", "keep_food:seed"} <= set(kept[2:5])
    assert len(kept) == 6


@pytest.mark.parametrize(
    ("seat0", "move"),
    [
        # The better one of two birds that can be paid.
        (
            {"hand": ["mallard", "american_woodcock"], "food": {"invertebrate": 2, "seed": 2}},
            "play_bird:american_woodcock",
        ),
        # Nothing in hand.
        ({"food": {"fish": 5}}, "draw_cards"),
        # A bird waits for its food.
        ({"hand": ["american_woodcock"], "food": {"fish": 1}}, "gain_food"),
        # At the very end only points count.
        ({"wetland": ["mallard", "trumpeter_swan"], "cubes": 1, "hand": ["osprey"]}, "lay_eggs"),
    ],
)
def test_the_action_that_brings_most(seat0: dict[str, Any], move: str) -> None:
    late = seat0.get("cubes") == 1
    assert basic(Sitting(board(seats={"0": seat0}, round=4 if late else 1))) == move


def test_it_takes_the_food_that_the_hand_asks_for() -> None:
    table = at(hand=["american_woodcock"], food={"invertebrate": 2, "fish": 1}).do(0, "gain_food")
    assert basic(table) == "take_die:seed:seed"


def test_it_draws_a_good_card_from_the_tray() -> None:
    good = Sitting(board(tray=["mallard", "american_woodcock", "house_wren"])).do(0, "draw_cards")
    assert basic(good) == "draw_tray:american_woodcock"


def test_it_gives_away_what_is_worth_least() -> None:
    table = at(hand=["american_woodcock", "mallard"], wetland=["american_coot"]).do(0, "draw_cards").do(0, "pass")
    assert basic(table) == "tuck_card:mallard"


def test_it_takes_part_in_its_powers_but_keeps_its_eggs() -> None:
    table = at(forest=["northern_cardinal"], food={"fish": 1}).do(0, "gain_food").do(0, "pass")
    assert basic(table) == "use_power:northern_cardinal"
    egg = at(wetland=["killdeer e1"]).do(0, "draw_cards").do(0, "pass")
    assert basic(egg) == "decline"


def test_more_points_stand_better_and_so_do_more_birds_to_come() -> None:
    even = GAME.standing(board(players=3))
    assert even[0] == even[1] == even[2]
    first, second = GAME.standing(board(seats={"0": {"forest": ["hooded_warbler e2"]}, "1": {"forest": ["mallard"]}}))
    assert 1 > first > 0.5 > second > 0


def test_imagining_stops_when_turns_have_passed_and_at_the_end_of_a_round() -> None:
    began = board(seats={"0": {"cubes": 8}, "1": {"cubes": 8}})
    assert not GAME.settled(began, board(seats={"0": {"cubes": 7}, "1": {"cubes": 8}}))
    assert GAME.settled(began, board(seats={"0": {"cubes": 7}, "1": {"cubes": 7}}))
    assert GAME.settled(began, board(seats={"0": {"cubes": 7}, "1": {"cubes": 8}}, round=2))


@pytest.mark.parametrize("goal_board", GOAL_BOARDS)
@pytest.mark.parametrize("seats", [2, 5])
def test_basics_count_more_points_than_seats_at_random(seats: int, goal_board: str) -> None:
    points = {Level.BASIC: 0, Level.RANDOM: 0}
    for number in range(2):
        levels = [Level.BASIC if (seat + number) % 2 else Level.RANDOM for seat in range(seats)]
        result = GAME.result(_over(Options(goal_board), levels, b"bots %d" % number))
        assert result is not None
        for placement in result.placements:
            points[levels[placement.seat]] += placement.score
    assert points[Level.BASIC] > points[Level.RANDOM]


def _over(options: Options, levels: list[Level], seed: bytes) -> State:
    """The end of a game of bots."""
    state, ply = GAME.setup(options, len(levels), Rng(seed, 0)), 0
    while prompts := GAME.prompts(state):
        ply += 1
        seat = prompts[0].seat
        move = decide(levels[seat], sight_of(GAME, state, seat), Rng(seed + b"/bot", ply), Budget(1))
        state = play(GAME, state, seat, move, Rng(seed, ply)).state
    return state


def test_strong_takes_the_points_that_are_there() -> None:
    table = Sitting(board(seats={"0": {"wetland": ["mallard"], "cubes": 1}, "1": {"cubes": 0}}, round=4))
    move = decide(Level.STRONG, sight_of(GAME, table.state, 0), Rng(b"", 1), Budget(60))
    assert GAME.notation(move) == "lay_eggs"


def test_the_rule_is_told_nothing_but_seat_view_and_offers() -> None:
    assert list(inspect.signature(GAME.rule_of_thumb).parameters) == ["seat", "view", "moves"]
