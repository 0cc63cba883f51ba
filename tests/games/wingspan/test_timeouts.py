"""Section 17 of the rules: what the clock plays."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core import Rng, play
from engine.games.wingspan import GAME
from engine.games.wingspan.state import Options
from tests.games.wingspan.table import Sitting, board, dealt


def clock(table: Sitting) -> str:
    return GAME.notation(GAME.timeout_move(table.state, 0))


def at(**seat0: Any) -> Sitting:
    return Sitting(board(seats={"0": seat0}))


def test_the_set_up_keeps_three_foods_two_birds_and_a_bonus_card() -> None:
    birds = ["mallard", "house_wren", "barn_owl", "bald_eagle", "bobolink"]
    table = Sitting(dealt({"birds": birds, "bonus": ["anatomist", "ecologist"]}, 2))
    kept = []
    while GAME.legal_moves(table.state, 0):
        kept.append(clock(table))
        table.do(0, kept[-1])
    # Asked for: invertebrate 3, seed 3, fish 2, rodent 3; worth most: eagle 9 and owl 5.
    assert kept == [
        "keep_food:invertebrate",
        "keep_food:seed",
        "keep_food:rodent",
        "keep_bird:bald_eagle",
        "keep_bird:barn_owl",
        "keep_bonus:anatomist",
    ]


@pytest.mark.parametrize(
    ("seat0", "move"),
    [
        ({"hand": ["mallard", "osprey"], "food": {"fish": 1, "seed": 1}}, "play_bird:osprey"),
        ({"food": {"fish": 5}}, "draw_cards"),
        ({"hand": ["barn_owl"], "food": {"fish": 2}}, "gain_food"),
        ({"hand": ["barn_owl"], "food": {"fish": 3}, "wetland": ["mallard"]}, "lay_eggs"),
        ({"hand": ["barn_owl"], "food": {"fish": 3}}, "gain_food"),
    ],
)
def test_the_action_that_is_needed(seat0: dict[str, Any], move: str) -> None:
    assert clock(at(**seat0)) == move


def test_nothing_is_paid_that_need_not_be() -> None:
    trade = at(hand=["osprey"], forest=["hooded_warbler"]).do(0, "gain_food").do(0, "pass")
    assert clock(trade) == "decline"
    egg = at(wetland=["killdeer e1"]).do(0, "draw_cards").do(0, "pass")
    assert clock(egg) == "decline"
    power = egg.do(0, "decline")
    assert power.question() == (0, "remove_egg", "killdeer")
    assert clock(power) == "decline"


def test_a_token_is_not_paid_for_tucking() -> None:
    goose = at(grassland=["gray_catbird", "canada_goose"], food={"seed": 3}).do(0, "lay_eggs").do(0, "pass")
    assert goose.question() == (0, "use_power", "canada_goose")
    assert clock(goose) == "decline"
    # To repeat the power would be to pay as well; another one is repeated if there is one.
    assert clock(goose.do(0, "decline")) == "decline"
    grassland = ["gray_catbird", "canada_goose", "mourning_dove"]
    dove = at(grassland=grassland, food={"seed": 3}).do(0, "lay_eggs").do(0, "pass")
    dove.do(0, "decline").do(0, "use_power:mourning_dove").do(0, "decline")
    assert clock(dove) == "repeat_power:mourning_dove"


def test_powers_are_used_and_the_scarcest_food_is_taken() -> None:
    table = at(forest=["northern_cardinal"], food={"fish": 1, "seed": 1, "invertebrate": 2}).do(0, "gain_food")
    assert clock(table) == "take_die:fruit:fruit"
    assert clock(table.do(0, "pass")) == "use_power:northern_cardinal"


def test_the_least_card_is_tucked_and_discarded() -> None:
    table = at(hand=["osprey", "mallard"], wetland=["american_coot"]).do(0, "draw_cards").do(0, "pass")
    assert clock(table) == "tuck_card:mallard"


@pytest.mark.parametrize("seats", GAME.seat_counts)
def test_the_clock_alone_plays_a_game_to_its_end(seats: int) -> None:
    state, number = GAME.setup(Options(), seats, Rng(b"clock", 0)), 0
    while prompts := GAME.prompts(state):
        number += 1
        seat = prompts[0].seat
        state = play(GAME, state, seat, GAME.timeout_move(state, seat), Rng(b"clock", number)).state
    result = GAME.result(state)
    assert result is not None
    # Better than a game of nothing but passes, whose score is 0.
    assert min(placement.score for placement in result.placements) > 20
