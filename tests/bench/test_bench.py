"""Every section of the bench runs and says something of everything; how fast anything is, no test asks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.core import installed
from tests.bench import calls
from tests.bench.__main__ import SECTIONS, main
from tests.bench.processes import cpu_seconds, machine

EXPECTED = {
    "engine": tuple(
        f"{game_type}, {seats} seats"
        for game_type in installed().game_types
        for seats in (installed().get(game_type).seat_counts[0], installed().get(game_type).seat_counts[-1])
    ),
    "games": installed().game_types,
    "bots": (*installed().game_types, "strong against basic", "basic against random"),
    "beside": tuple(
        f"{call} {who}" for call in ("GetView", "SubmitMove") for who in ("alone", "beside bots", "beside busy")
    ),
    "calls": tuple(f"{kind} {call}" for kind in calls.KINDS for call in ("GetView", "SubmitMove")),
    "store": tuple(f"{game_type} {stage}" for game_type in installed().game_types for stage in ("start", "end")),
    "start": ("rookery serve, empty folder", "rookery serve, again"),
    "watch": tuple(f"{way}, {of}" for way in ("native", "SSE") for of in ("1 of 1", "20 of 5", "20 of 1")),
    "past": tuple(
        f"{game_type} {at}" for game_type in installed().game_types for at in ("now", "0 behind", "8 behind")
    ),
}


@pytest.mark.parametrize("section", SECTIONS)
def test_a_section_says_something_of_everything(
    section: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([section, "--quick", "--json", str(tmp_path / "figures.json")]) == 0
    said = capsys.readouterr().out
    assert [row for row in EXPECTED[section] if row not in said] == []
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert set(figures) == {"machine", section, "load_after"}
    assert figures["machine"]["cores"] == machine()["cores"]


def test_the_clock_of_a_process_goes_on() -> None:
    import os

    before = cpu_seconds(os.getpid())
    sum(range(200_000))
    assert cpu_seconds(os.getpid()) > before


def test_one_game_with_so_many_seats(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["engine", "--quick", "--game", "wingspan", "--seats", "5"]) == 0
    said = capsys.readouterr().out
    assert "wingspan, 5 seats" in said
    assert "wingspan, 2 seats" not in said
    assert "sevens" not in said


@pytest.mark.parametrize("wrong", [["--seats", "5"], ["--game", "wingspan", "--seats", "6"]])
def test_seats_that_no_game_has(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["engine", *wrong])
    assert "--seats must be" in capsys.readouterr().err


def test_an_unknown_section_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["engines"])
    assert "no section engines" in capsys.readouterr().err
