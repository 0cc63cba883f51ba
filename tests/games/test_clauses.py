"""Every clause that a game's code or protocol names is in its RULES.md."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from engine.core import AnyGame
from tests.contract.cases import clauses, games

ROOT = Path(__file__).parents[2]
# `clause 8.4`, `clauses 5.1 and 5.2`, `(6.1, 6.2)`, `(2.6, 2.7, section 9)`, `(4.1 to 4.3)`.
NAMED = re.compile(r"(?:[Cc]lauses? |\()(\d+\.\d+(?:(?:, | and | to |, and | or )\d+\.\d+)*)")


def named_in(path: Path) -> dict[str, int]:
    """Each clause that the file names, and a line where it does."""
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    found = [(match.group(1), line) for line, text in lines for match in NAMED.finditer(text)]
    return {clause: line for text, line in found for clause in re.findall(r"\d+\.\d+", text)}


@pytest.mark.parametrize("game", games(), ids=lambda game: game.game_type)
def test_a_clause_that_is_named_is_there(game: AnyGame) -> None:
    folder = Path(inspect.getfile(type(game))).parent
    protos = ROOT / "protos" / "rookery" / game.game_type
    files = [*folder.glob("*.py"), folder / "RULES.md", *protos.glob("v1/*.proto")]
    named = [(clause, path, line) for path in files for clause, line in named_in(path).items()]
    assert named
    missing = [f"{path}:{line}: {clause}" for clause, path, line in named if clause not in clauses(game)]
    assert missing == []
