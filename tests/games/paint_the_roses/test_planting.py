"""The rules up to the planting, clause by clause: set-up, levels and cards, planting (sections 3 to 5)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.core import InvalidOptions, NotAsked
from engine.games.paint_the_roses import box
from engine.games.paint_the_roses.events import (
    DeckReshuffled,
    TilePlanted,
    TurnStarted,
    WhimDrawn,
    card,
)
from engine.games.paint_the_roses.state import Phase, Player
from engine.games.paint_the_roses.symbols import Level
from tests.games.paint_the_roses.table import (
    after,
    asked,
    clause,
    move,
    offers,
    opening,
    space_of,
    table,
    tile_of,
    told,
)

# Set-up (section 3).


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_table_is_laid(seats: int) -> None:
    state = opening(seats)
    assert state.garden == box.START
    assert None not in state.greenhouse
    assert (len(state.greenhouse), len(state.bag)) == (4, 20)
    assert [len(deck) for deck in state.decks] == [20, 40, 72]
    assert (state.gardeners, state.queen) == (0, -6)
    assert state.clue_tokens == (1 if seats == 2 else 0)
    assert asked(state) == [(0, "choose_level")]


@pytest.mark.parametrize("seats", [0, 1, 6])
def test_no_other_number_of_players(seats: int) -> None:
    with pytest.raises(InvalidOptions) as refused:
        opening(seats)
    assert refused.value.field == "seats"


def test_levels_are_chosen_in_seat_order_then_seat_0_plants() -> None:
    state = opening()
    for seat in range(3):
        assert asked(state) == [(seat, "choose_level")]
        state = move(state, seat, "level:hard").state
    assert asked(state) == [(0, "plant")]
    assert [player.serial for player in state.players] == [1, 2, 3]


# Levels and cards (section 4).


def test_the_top_card_of_the_deck_is_drawn_and_only_its_holder_sees_it() -> None:
    state = opening()
    top = state.decks[Level.MEDIUM - 1][0]
    step = move(state, 0, "level:medium")
    assert step.state.players[0] == Player(top, 1)
    assert step.state.decks[Level.MEDIUM - 1] == state.decks[Level.MEDIUM - 1][1:]
    assert told(step, 0) == [WhimDrawn(Level.MEDIUM, 1, card(top))]
    assert told(step, 1) == told(step, None) == [WhimDrawn(Level.MEDIUM, 1, None)]
    assert step.reveals


def test_the_last_card_drawn_begins_the_first_turn() -> None:
    step = move(after(opening(2), (0, "level:hard")), 1, "level:hard")
    assert told(step)[-1] == TurnStarted(1)
    assert step.facts[-1].seat == 0


def test_only_one_easy_card_is_out() -> None:
    state = after(opening(), (0, "level:easy"))
    assert offers(state, 1) == ["level:medium", "level:hard"]
    assert clause(state, 1, "level:easy") == "4.2"


def test_an_empty_deck_is_made_of_its_discards() -> None:
    state = opening()
    pile = state.decks[Level.EASY - 1][:3]
    state = replace(state, decks=((), *state.decks[1:]), discards=(pile, (), ()))
    step = move(state, 0, "level:easy")
    assert told(step)[0] == DeckReshuffled(Level.EASY, 3)
    drawn = step.state.players[0].whim
    assert drawn is not None
    assert sorted((drawn, *step.state.decks[Level.EASY - 1])) == sorted(pile)
    assert step.state.discards[Level.EASY - 1] == ()


def test_a_level_without_cards_cannot_be_chosen() -> None:
    state = replace(opening(), decks=(opening().decks[0], (), opening().decks[2]))
    assert offers(state, 0) == ["level:easy", "level:hard"]
    assert clause(state, 0, "level:medium") == "4.3"


# Planting (section 5).


def test_any_tile_goes_to_any_empty_space() -> None:
    state = table(phase=Phase.PLANT)
    empty = [box.space_name(space) for space in box.SPACES if box.START[space - 1] is None]
    assert offers(state, 0) == [f"plant:{slot}:{space}" for slot in range(4) for space in empty]
    assert asked(state) == [(0, "plant")]


def test_the_tile_leaves_the_greenhouse_and_everybody_gets_a_cube() -> None:
    whims = {0: "E-pink-yellow-1", 1: "M-heart-heart-1", 2: "H-club-spade-1"}
    state = table(phase=Phase.PLANT, greenhouse=["red-club", "yellow-heart"], whims=whims)
    step = move(state, 0, "plant:1:A2")
    assert told(step) == [TilePlanted(1, space_of("A2"), tile_of("yellow-heart"), (1, 2, 0))]
    assert step.state.greenhouse[1] is None
    assert step.state.garden[space_of("A2") - 1] == tile_of("yellow-heart")
    assert [cube.number for cube in step.state.plantings[0].cubes] == [1, 2, 0]
    assert [cube.serial for cube in step.state.plantings[0].cubes] == [1, 2, 3]
    assert step.reveals
    assert step.state.phase is Phase.GUESS


@pytest.mark.parametrize(
    ("text", "expected"), [("plant:4:A2", "5.1"), ("plant:-1:A2", "5.1"), ("plant:0:A1", "5.1"), ("stop", "1.4")]
)
def test_refused_while_planting(text: str, expected: str) -> None:
    assert clause(table(phase=Phase.PLANT), 0, text) == expected


def test_a_space_needs_a_neighbour_with_a_tile() -> None:
    bare = replace(table(phase=Phase.PLANT), garden=(box.START[0], *[None] * 23))
    assert {text.split(":")[2] for text in offers(bare, 0)} == {"A2", "B1", "B2"}
    assert clause(bare, 0, "plant:0:E4") == "5.2"


def test_only_the_active_player_plants() -> None:
    with pytest.raises(NotAsked):
        move(table(phase=Phase.PLANT), 1, "plant:0:A2")
