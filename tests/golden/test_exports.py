"""Every registered rules version has exports, and each still verifies: a game that began goes on as it began."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.core import AnyGame, Registry
from service.verify import verify
from tests.golden import FOLDER, files_of, registered
from tests.golden.__main__ import main, missing


def _id(path: Path) -> str:
    return path.stem


@pytest.mark.parametrize("game", registered(), ids=lambda game: f"{game.game_type}-{game.rules_version}")
def test_every_rules_version_has_exports(game: AnyGame) -> None:
    assert files_of(game), "record them, then never again: python -m tests.golden"


def test_nothing_is_left_to_record() -> None:
    assert [path.name for *_, path in missing()] == []


def test_what_is_recorded_is_left_alone(capsys: pytest.CaptureFixture[str]) -> None:
    before = {path: path.read_bytes() for path in FOLDER.iterdir()}
    main()
    assert capsys.readouterr().out == ""
    assert {path: path.read_bytes() for path in FOLDER.iterdir()} == before


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=_id)
def test_an_export_still_verifies(path: Path) -> None:
    record = json.loads(path.read_text(encoding="utf-8"))
    moves = verify(Registry(registered()), record)
    assert moves == sum(len(entry["moves"]) for entry in record["moves"]) > 0
