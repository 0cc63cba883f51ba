"""Recorded games: told by one line, the same every time, and different when a move is."""

from __future__ import annotations

import pytest

from engine.core import Registry
from engine.games.sevens import GAME
from tests.playthrough import Setting, read_setting, record, replay, setting_of

GAMES = Registry([GAME])
SETTING = Setting("sevens", 3, "a", {"pass_limit": 0})
RECORDED = record(SETTING, GAMES)


def test_the_command_line_gives_the_setting_and_the_setting_the_command_line() -> None:
    assert read_setting(SETTING.command.split()) == SETTING
    assert setting_of(RECORDED) == SETTING


def test_a_text_that_does_not_tell_its_setting_cannot_be_replayed() -> None:
    with pytest.raises(ValueError, match="recorded"):
        setting_of("== version 1\n")


def test_replaying_gives_the_recorded_text() -> None:
    assert replay(RECORDED, GAMES) == RECORDED


def test_the_recorded_moves_are_made_not_new_ones() -> None:
    first = next(line for line in RECORDED.splitlines() if line.startswith("asked: "))
    offers = first.split(": ")[2].split()
    for offer in offers:
        text = replay(RECORDED.replace(_first_move(), f"move: {first.split()[1]} {offer}", 1), GAMES)
        assert f"move: {first.split()[1]} {offer}\n" in text


def _first_move() -> str:
    return next(line for line in RECORDED.splitlines() if line.startswith("move: "))


def test_a_replay_breaks_off_at_a_move_that_is_not_offered_any_more() -> None:
    text = replay(RECORDED.replace(_first_move(), "move: 0 play:7D", 1), GAMES)
    assert text.endswith("move: 0 play:7D\nnot among the offers\n")
