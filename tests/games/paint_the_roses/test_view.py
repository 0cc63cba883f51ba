"""What is seen: views, scenes, the catalogue, the protocol's numbers, the words, the data files."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from engine.core import Label, Ref, Zone
from engine.games.paint_the_roses import GAME, box, events
from engine.games.paint_the_roses.state import Phase, State
from engine.games.paint_the_roses.symbols import Level, Symbol
from engine.games.paint_the_roses.view import Deck, LiveCube, OpenProposal, Plot, RevealedWhim, Slot
from rookery.paint_the_roses.v1 import paint_the_roses_pb2, pieces_pb2
from tests.games.paint_the_roses.table import (
    after,
    agree,
    pair_of,
    read_move,
    right,
    space_of,
    table,
    tile_of,
    told,
    whim_of,
    wrong,
)
from tests.games.paint_the_roses.table import move as make


@pytest.fixture
def planted() -> State:
    whims = {0: "E-pink-yellow-1", 1: "M-heart-heart-1", 2: "H-club-spade-2"}
    state = table(phase=Phase.PLANT, greenhouse=["yellow-heart"], whims=whims)
    return after(state, (0, "plant:0:A2"))


def zones(state: State, seat: int | None) -> dict[str, Zone]:
    return {zone.id: zone for zone in GAME.scene(GAME.view(state, seat)).zones}


def pieces(zone: Zone) -> list[tuple[str, int]]:
    return [(piece.piece, piece.count) for piece in zone.pieces]


def test_a_seat_sees_its_own_card_and_the_levels_of_the_others(planted: State) -> None:
    view = GAME.view(planted, 1)
    assert [player.level for player in view.players] == [Level.EASY, Level.MEDIUM, Level.HARD]
    assert [player.whim for player in view.players] == [None, events.card(whim_of("M-heart-heart-1")), None]
    assert [player.whim for player in GAME.view(planted, None).players] == [None, None, None]


def test_all_see_the_cubes(planted: State) -> None:
    for viewer in (None, 0, 1, 2):
        plot = GAME.view(planted, viewer).garden[space_of("A2") - 1]
        assert plot == Plot(space_of("A2"), tile_of("yellow-heart"), (LiveCube(0, 1), LiveCube(1, 2), LiveCube(2, 0)))


def test_a_guessed_card_is_seen_by_all_and_its_cubes_are_gone(planted: State) -> None:
    view = GAME.view(agree(planted, 1, "heart/heart"), None)
    assert view.revealed == (RevealedWhim(1, 1, 2, events.card(whim_of("M-heart-heart-1"))),)
    assert view.garden[space_of("A2") - 1].cubes == (LiveCube(0, 1), LiveCube(2, 0))
    assert len(view.plantings[0].cubes) == 3
    assert (view.players[1].level, view.players[1].serial, view.players[1].whim) == (None, None, None)
    assert view.decks[Level.MEDIUM - 1] == Deck(Level.MEDIUM, 39, 1)


def test_the_track_and_the_supplies() -> None:
    view = GAME.view(table(gardeners=52, queen=45), None)
    assert (view.gardeners, view.gardeners_space, view.queen, view.queen_space) == (52, 2, 45, 45)
    assert (view.flowers, view.rabbit) == (5, None)
    assert GAME.view(table(gardeners=9), None).rabbit == 10
    assert GAME.view(table(gardeners=10), None).rabbit == 20
    assert GAME.view(table(), None).queen_space == 44
    assert GAME.view(table(phase=Phase.PLANT), None).bag == 20
    assert GAME.view(table(), None).greenhouse[0] == Slot(None)


def test_an_open_proposal_is_seen_with_its_votes() -> None:
    state = after(table(5), (3, "guess:1:red/pink"), (4, "yes"))
    for viewer in (None, *range(5)):
        assert GAME.view(state, viewer).proposal == OpenProposal(3, 1, pair_of("pink/red"), (4,), (0, 2))


def test_captains_are_announced() -> None:
    state = table()
    for _ in range(3):
        assert not GAME.view(state, None).captains_only
        state = after(state, (1, "guess:2:pink/heart"), (0, "no"))
    assert GAME.view(state, None).captains_only
    assert GAME.view(state, None).rejections == 3


def test_at_the_end_all_cards_lie_open() -> None:
    view = GAME.view(wrong(table(gardeners=3, queen=1), 2), None)
    assert view.won is False
    assert all(player.whim is not None for player in view.players)


def test_the_turns_are_numbered() -> None:
    assert GAME.view(table(phase=Phase.CHOOSE_LEVEL), None).turn == 0
    assert GAME.view(table(phase=Phase.PLANT), None).turn == 1
    assert GAME.view(after(table(phase=Phase.PLANT), (0, "plant:0:A2")), None).turn == 1


def test_the_scene_of_the_garden(planted: State) -> None:
    seen = zones(planted, 1)
    assert pieces(seen["garden/A2"]) == [("yellow-heart", 1), ("cube-0-1", 1), ("cube-1-2", 1), ("cube-2-0", 1)]
    assert pieces(seen["garden/A1"]) == [("pink-heart", 1)]
    assert pieces(seen["garden/B1"]) == []
    assert pieces(seen["greenhouse/0"]) == []
    assert len([zone for zone in seen if zone.startswith("garden/")]) == 24


def test_the_scene_shows_backs_except_of_the_own_card(planted: State) -> None:
    seen = zones(planted, 2)
    assert pieces(seen["whim/0"]) == [("back-easy", 1)]
    assert pieces(seen["whim/1"]) == [("back-medium", 1)]
    assert pieces(seen["whim/2"]) == [("H-club-spade-2", 1)]
    assert seen["whim/2"].seat == 2
    assert pieces(seen["deck/hard"]) == [("back-hard", 71)]
    assert pieces(seen["bag"]) == [("", 20)]


def test_the_scene_shows_the_discards_since_the_last_shuffle() -> None:
    state = right(table(), 2)
    assert pieces(zones(state, None)["discards/hard"]) == [("H-yellow-yellow-1", 1)]
    assert pieces(zones(state, None)["whim/2"]) == []
    reshuffled = msgspec.structs.replace(state, discards=((), (), ()))
    assert pieces(zones(reshuffled, None)["discards/hard"]) == []


def test_the_scene_of_the_track() -> None:
    seen = zones(table(2, gardeners=52, queen=45), None)
    assert seen["track/gardeners"].label == Label("zone.gardeners", (("position", "52"), ("space", "2")))
    assert pieces(seen["track/queen"]) == [("queen", 1)]
    assert "track/rabbit" not in seen
    assert pieces(seen["flowers"]) == [("flower", 5)]
    assert pieces(seen["clue"]) == [("clue-token", 1)]


def test_moves_are_about_pieces_and_zones() -> None:
    assert GAME.refs(read_move("level:easy")) == (Ref("back-easy", "deck/easy"),)
    assert GAME.refs(read_move("plant:2:B4")) == (Ref("", "greenhouse/2"), Ref("", "garden/B4"))
    assert GAME.refs(read_move("guess:1:pink/club")) == (Ref("", "whim/1"), Ref("pink"), Ref("club"))
    assert GAME.refs(read_move("stop")) == ()


@pytest.mark.parametrize(
    "text", ["level:hard", "plant:3:E2", "guess:4:red/spade", "yes", "no", "withdraw", "stop", "clue"]
)
def test_the_notation_of_a_move_reads_back(text: str) -> None:
    assert GAME.notation(read_move(text)) == text


def english(state: State, seat: int, text: str, viewer: int | None = None) -> list[str]:
    step = make(state, seat, text)
    templates = GAME.messages()["en"]

    def said(label: Label) -> Iterator[str]:
        args = {name: templates[value[1:]] if value.startswith("$") else value for name, value in label.args}
        yield templates[label.key].format(**args)

    seats = [fact.seat for fact in step.facts]
    return [
        line
        for who, event in zip(seats, told(step, viewer), strict=True)
        for line in said(GAME.event_label(event, who))
    ]


def test_events_are_told_in_words() -> None:
    state = after(table(whims={2: "H-pink-heart-2"}, gardeners=8, queen=0), (1, "guess:2:pink/heart"))
    assert english(state, 0, "yes") == [
        "Seat 0 agrees.",
        "Right! The whim of seat 2 is pink and heart, value 5.",
        "The gardeners move from 8 to 13.",
        "The gardeners pass a rabbit space: the Queen has 2 flowers.",
    ]
    state = table(phase=Phase.PLANT, greenhouse=["yellow-heart"])
    assert english(state, 0, "plant:0:A2") == ["Seat 0 plants the tile yellow heart on A2. Cubes by seat: 0 0 0."]


def test_a_drawn_card_is_told_to_its_holder_alone() -> None:
    state = table(phase=Phase.CHOOSE_LEVEL)
    assert english(state, 0, "level:easy", 1) == ["Seat 0 draws a whim card: easy."]
    assert english(state, 0, "level:easy", 0) == ["Seat 0 draws a whim card (easy): pink and pink, value 1."]


def test_the_numbers_of_the_protocol_are_those_of_the_data() -> None:
    assert pieces_pb2.Tile.keys()[1:] == [f"TILE_{name.upper().replace('-', '_')}" for name in box.TILE_NAMES]
    assert pieces_pb2.Space.keys()[1:] == [f"SPACE_{name}" for name in box.SPACE_NAMES]
    for enum, prefix, names in (
        (Symbol, "SYMBOL", pieces_pb2.Symbol.items()),
        (Level, "LEVEL", pieces_pb2.Level.items()),
        (Phase, "PHASE", paint_the_roses_pb2.Phase.items()),
    ):
        assert names[1:] == [(f"{prefix}_{member.name}", member.value) for member in enum]


@pytest.mark.parametrize(
    ("of", "row"),
    [
        (box.TileRow, {"id": "pink-club", "colour": "pink", "shape": "club", "copies": 2, "price": 1}),
        (box.TileRow, {"id": "pink-club", "colour": "club", "shape": "pink", "copies": 2}),
        (box.SpaceRow, {"id": "A1", "q": 2, "r": -2, "s": 0}),
        (box.WhimRow, {"id": "E", "level": "easy", "halves": ["pink"], "value": 1}),
        (box.WhimRow, {"id": "E", "level": "simple", "halves": ["pink", "red"], "value": 1}),
        (box.Track, {"spaces": 50, "gardeners_start": 0, "queen_start": -6, "flowers_start": 1}),
    ],
)
def test_a_row_that_is_not_understood_stops_the_start(of: type[msgspec.Struct], row: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(msgspec.json.encode(row), type=of)
