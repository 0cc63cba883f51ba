"""Records: every game has worked examples, playthroughs and stored states, and still agrees with them."""

from __future__ import annotations

import difflib
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.core import AnyGame, Registry, decode_state, write_position
from tests import blobs, playthrough
from tests.contract.cases import GAME_TESTS, games
from tests.vectors import run_file

# Lines of a difference that are shown.
SHOWN = 60


def _files(pattern: str) -> list[Path]:
    types = dict.fromkeys(game.game_type for game in games())
    return [path for game_type in types for path in sorted((GAME_TESTS / game_type).glob(pattern))]


def _id(path: Path) -> str:
    return str(path.relative_to(GAME_TESTS))


def test_a_game_has_worked_examples_playthroughs_and_stored_states(game: AnyGame) -> None:
    folder = GAME_TESTS / game.game_type
    assert (folder / "examples.md").exists(), "write worked examples: see tests/vectors.py"
    assert list(folder.glob("playthroughs/*.txt")), "record a playthrough: see tests/playthrough.py"
    for schema in range(1, game.state_schema + 1):
        stored = list(blobs.folder_of(game, schema).glob("*.bin"))
        assert stored, f"record states of schema {schema}: python -m tests.blobs {game.game_type}"


@pytest.mark.parametrize("path", _files("examples.md"), ids=_id)
def test_every_worked_example_holds(path: Path) -> None:
    assert [verdict for verdict in run_file(path) if verdict.faults] == []


@pytest.mark.parametrize("path", _files("playthroughs/*.txt"), ids=_id)
def test_a_playthrough_goes_as_recorded(path: Path) -> None:
    recorded = path.read_text(encoding="utf-8")
    replayed = playthrough.replay(recorded, Registry(games()))
    difference = difflib.unified_diff(recorded.splitlines(), replayed.splitlines(), "recorded", "now", lineterm="", n=1)
    shown = "\n".join(islice(difference, SHOWN))
    command = f"python -m tests.playthrough {playthrough.setting_of(recorded).command} > {path.relative_to(Path.cwd())}"
    assert not shown, f"{shown}\n\nIf the change is meant, name its clause and record again:\n{command}"


@pytest.mark.parametrize("path", _files("blobs/*/*.bin"), ids=_id)
def test_a_stored_state_can_be_read_and_played_on(path: Path) -> None:
    game = Registry(games()).get(path.parents[2].name)
    state = decode_state(game, path.read_bytes())
    game.check(state)
    assert all(game.legal_moves(state, prompt.seat) for prompt in game.prompts(state))
    _assert_within(msgspec.json.decode(path.with_suffix(".json").read_bytes()), write_position(game, state))


def _assert_within(recorded: Any, position: Any) -> None:
    """Everything recorded is still there; a later release may have added fields."""
    if isinstance(recorded, dict):
        assert recorded.keys() <= position.keys()
        for key, value in recorded.items():
            _assert_within(value, position[key])
    elif isinstance(recorded, list):
        assert len(recorded) == len(position)
        for one, other in zip(recorded, position, strict=True):
            _assert_within(one, other)
    else:
        assert recorded == position
