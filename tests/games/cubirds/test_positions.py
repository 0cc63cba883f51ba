"""Positions that are refused, each by its field: section 10 of RULES.md."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.core import InvalidPosition, Rng, read_position, write_position
from engine.games.cubirds import GAME
from engine.games.cubirds.state import Options, Phase, State
from tests.games.cubirds.table import after, full, heap, table
from tests.games.cubirds.vectors import read_birds

GOOD = full(table("FFMWR RRDDO", discard="WWWW"))


def refused(state: State) -> str:
    with pytest.raises(InvalidPosition) as refusal:
        GAME.check(state)
    return refusal.value.field


def swapped(state: State, path: str, at: int, birds: str) -> State:
    """With other birds in one place, taken from the draw pile, where the old ones go."""
    places = list(getattr(state, path))
    new = read_birds(birds)
    pile = [*state.draw_pile, *places[at]]
    for bird in new:
        pile.remove(bird)
    places[at] = new
    return replace(state, draw_pile=tuple(pile), **{path: tuple(places)})


def test_a_good_position_is_accepted() -> None:
    GAME.check(GOOD)
    GAME.check(swapped(GOOD, "rows", 0, "PPPP"))
    GAME.check(swapped(GOOD, "rows", 0, "PP"))
    GAME.check(replace(swapped(GOOD, "hands", 0, ""), phase=Phase.DRAW))


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"hands": (heap("FFMWR"),)}, "hands"),
        ({"collections": (heap("O"),)}, "collections"),
        ({"options": Options(first_dealer=2)}, "options.first_dealer"),
        ({"dealer": 2}, "dealer"),
        ({"dealer": -1}, "dealer"),
        ({"round": 0}, "round"),
        ({"round": 2**31}, "round"),
        ({"turn": 2}, "turn"),
        ({"turn": None}, "turn"),
        ({"phase": Phase.OVER}, "turn"),
        ({"phase": Phase.OVER, "turn": None}, "hands[0]"),
        ({"rows": GOOD.rows[:3]}, "rows"),
        ({"discard_pile": heap("WWWWW")}, "discard_pile"),
        ({"discard_pile": heap("WWW")}, "draw_pile"),
        ({"discard_pile": read_birds("WOWW")}, "discard_pile"),
        ({"draw_pile": GOOD.draw_pile[1:]}, "draw_pile"),
        ({"draw_pile": (9, *GOOD.draw_pile[1:])}, "draw_pile"),
        ({"draw_pile": (0, *GOOD.draw_pile[1:])}, "draw_pile"),
    ],
)
def test_a_wrong_value_is_refused_by_its_field(changed: dict[str, Any], field: str) -> None:
    assert refused(replace(GOOD, **changed)) == field


@pytest.mark.parametrize(
    ("path", "at", "birds"),
    [
        ("rows", 1, "PMP"),
        ("rows", 1, "PM"),
        ("rows", 1, "P"),
        ("rows", 1, ""),
        ("hands", 0, "MF"),
        ("hands", 0, ""),
        ("hands", 1, ""),
        ("collections", 1, ""),
        ("collections", 1, "MMMDDD"),
        ("collections", 1, "DDDMMM"),
        ("collections", 0, "FOTDPMW"),
    ],
)
def test_birds_where_they_cannot_be_are_refused_by_their_place(path: str, at: int, birds: str) -> None:
    assert refused(swapped(GOOD, path, at, birds)) == f"{path}[{at}]"


def test_an_empty_hand_is_for_the_player_who_may_draw_only() -> None:
    assert refused(replace(swapped(GOOD, "hands", 1, ""), phase=Phase.DRAW)) == "hands[1]"
    assert refused(replace(swapped(GOOD, "hands", 0, ""), phase=Phase.FLOCK)) == "hands[0]"


def test_there_must_be_something_to_draw() -> None:
    held = tuple(sorted(GOOD.hands[0] + GOOD.draw_pile + GOOD.discard_pile))
    state = replace(GOOD, hands=(held, GOOD.hands[1]), draw_pile=(), discard_pile=(), phase=Phase.DRAW)
    assert refused(state) == "phase"
    GAME.check(replace(state, phase=Phase.FLOCK))


def test_a_game_that_is_over_has_one_winner_by_the_goal_or_no_deal() -> None:
    over = replace(GOOD, phase=Phase.OVER, turn=None)
    won = swapped(over, "collections", 0, "DDDPPP")
    GAME.check(won)
    GAME.check(swapped(won, "hands", 0, ""))
    assert refused(swapped(won, "hands", 1, "")) == "hands[1]"
    assert refused(swapped(won, "collections", 1, "MMMWWW")) == "collections[1]"
    nobody = swapped(swapped(over, "hands", 0, ""), "hands", 1, "")
    assert refused(nobody) == "phase"
    pile = nobody.draw_pile + nobody.discard_pile
    spent = replace(
        nobody, rows=(*nobody.rows[:3], tuple(sorted(nobody.rows[3] + pile[15:]))), draw_pile=pile[:15], discard_pile=()
    )
    GAME.check(spent)


def test_a_position_is_written_with_the_names_of_the_birds() -> None:
    state = after(full(table("OW RR", deck="DT")), "lay:O:0:left")
    document = write_position(GAME, state)
    assert document["phase"] == "draw"
    assert document["rows"][0] == ["owl", "owl", "flamingo", "parrot"]
    assert document["hands"] == [["reed_warbler"], ["robin", "robin"]]
    assert document["draw_pile"][:2] == ["duck", "toucan"]
    assert read_position(GAME, document) == state


def test_a_bird_of_no_species_is_refused_by_its_path() -> None:
    document = write_position(GAME, GOOD)
    document["hands"][1][0] = "pigeon"
    with pytest.raises(InvalidPosition) as refusal:
        read_position(GAME, document)
    assert refusal.value.field == "hands[1][0]"


def test_every_seat_count_makes_a_good_opening() -> None:
    for seats in GAME.seat_counts:
        for number in range(20):
            GAME.check(GAME.setup(Options(), seats, Rng(b"opening%d" % number, 0)))
