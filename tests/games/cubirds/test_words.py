"""The table as zones and pieces, and what is said of it."""

from __future__ import annotations

import string

import pytest

from engine.core import Label, Ref
from engine.games.cubirds import GAME
from engine.games.cubirds.state import Event, Phase, State
from tests.games.cubirds.table import after, step, table
from tests.games.cubirds.vectors import MOVES

STATE = table("OOW MMF", rows="OFP DMMR TWO FRW", collections="TT D", deck="RFW", discard="WW")


def say(label: Label, locale: str = "en") -> str:
    templates = GAME.messages()[locale]
    args = {name: templates[value[1:]] if value.startswith("$") else value for name, value in label.args}
    return string.Formatter().vformat(templates[label.key], (), args)


def told(state: State, move: str, viewer: int | None = None) -> list[str]:
    seen: list[tuple[int | None, Event | None]] = [
        (fact.seat, fact.seen_by(viewer)) for fact in step(state, move).facts
    ]
    return [say(GAME.event_label(event, seat)) for seat, event in seen if event is not None]


def test_a_scene_shows_the_own_hand_and_the_backs_of_the_others() -> None:
    zones = {
        zone.id: [(piece.piece, piece.count) for piece in zone.pieces] for zone in GAME.scene(GAME.view(STATE, 0)).zones
    }
    assert zones == {
        "row/0": [("owl", 1), ("flamingo", 1), ("parrot", 1)],
        "row/1": [("duck", 1), ("magpie", 2), ("robin", 1)],
        "row/2": [("toucan", 1), ("reed_warbler", 1), ("owl", 1)],
        "row/3": [("flamingo", 1), ("robin", 1), ("reed_warbler", 1)],
        "draw_pile": [("", 3)],
        "discard_pile": [("", 2)],
        "hand/0": [("owl", 2), ("reed_warbler", 1)],
        "collection/0": [("toucan", 2)],
        "hand/1": [("", 3)],
        "collection/1": [("duck", 1)],
    }


def test_an_empty_zone_has_no_pieces() -> None:
    state = after(table("W RRR", collections="O T"), "lay:W:0:left")
    zones = {zone.id: zone.pieces for zone in GAME.scene(GAME.view(state, None)).zones}
    assert zones["hand/0"] == zones["hand/1"] == zones["draw_pile"] == ()
    assert [(piece.piece, piece.count) for piece in zones["discard_pile"]] == [("", 3)]


@pytest.mark.parametrize(
    ("move", "button"),
    [
        ("lay:W:2:right", "Lay Reed warbler: row 2, right"),
        ("draw:yes", "Draw two birds"),
        ("draw:no", "Draw nothing"),
        ("flock:P", "Complete a flock: Parrot"),
        ("flock:none", "No flock"),
    ],
)
def test_every_kind_of_offer_has_a_button(move: str, button: str) -> None:
    assert say(GAME.label(MOVES[move])) == button


def test_an_offer_is_about_birds_rows_and_the_draw_pile() -> None:
    assert GAME.refs(MOVES["lay:W:2:right"]) == (Ref(piece="reed_warbler"), Ref(zone="row/2"))
    assert GAME.refs(MOVES["draw:yes"]) == GAME.refs(MOVES["draw:no"]) == (Ref(zone="draw_pile"),)
    assert GAME.refs(MOVES["flock:P"]) == (Ref(piece="parrot"),)
    assert GAME.refs(MOVES["flock:none"]) == ()


def test_a_turn_is_told_in_words() -> None:
    assert told(STATE, "lay:O:0:right") == [
        "Seat 0 lays Owl × 2: row 0, right.",
        "Seat 0 takes up from row 0: F P.",
        "Row 0 is refilled, right: R.",
    ]
    drawing = after(STATE, "lay:W:0:left")
    assert told(drawing, "draw:yes", viewer=0) == ["Seat 0 draws from the draw pile: F R."]
    assert told(drawing, "draw:yes", viewer=1) == ["Seat 0 draws from the draw pile. Birds: 2."]
    assert told(drawing, "draw:no") == ["Seat 0 draws nothing."]
    flock = table("OOOW MM", phase=Phase.FLOCK)
    assert told(flock, "flock:O") == ["Seat 0 completes a flock: Owl × 3. Into the collection: 1. Discarded: 2."]
    assert told(flock, "flock:none") == ["Seat 0 completes no flock."]


def test_a_new_round_is_told_in_words() -> None:
    ending = table("FF RRR", phase=Phase.FLOCK, deck="DDDDDDDD", discard="WWWW")
    assert told(ending, "flock:F", viewer=0)[1:] == [
        "Seat 0 has no birds left: round 1 is over.",
        "Round 2 begins. Seat 0 deals.",
        "Seat 0 is dealt: D D D D D D D D.",
        "The discard pile is shuffled and put under the draw pile. Birds: 8.",
        "Seat 1 is dealt new birds. Birds: 8.",
    ]


def test_the_end_is_told_in_words() -> None:
    assert told(table("FF RRR", phase=Phase.FLOCK, collections="O TT"), "flock:F")[-1] == (
        "The game is over: eight birds for each player cannot be dealt any more. Won by seat 0, 1."
    )
    assert told(table("FFF R", phase=Phase.FLOCK, collections="FOOO T"), "flock:F")[-1] == (
        "The game is over: the goal is reached. Won by seat 0."
    )


def test_the_birds_have_the_names_that_players_know() -> None:
    names = {
        locale: [say(part.label, locale) for part in GAME.catalogue()][:2] for locale in ("en", "zh-Hans", "ja", "es")
    }
    assert names == {
        "en": ["Flamingo (F)", "Owl (O)"],
        "zh-Hans": ["火烈鸟（F）", "猫头鹰（O）"],
        "ja": ["フラミンゴ（F）", "フクロウ（O）"],
        "es": ["Flamenco (F)", "Lechuza (O)"],
    }
