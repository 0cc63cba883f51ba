"""Every clause that a game's code or protocol names is in its RULES.md."""

from __future__ import annotations

import inspect
import re
import tokenize
from pathlib import Path

import pytest

from engine.core import AnyGame
from tests.contract.cases import clauses, games

ROOT = Path(__file__).parents[2]
# `clause 8.4`, `clauses 5.1 and 5.2`, `(6.1, 6.2)`, `(2.6, 2.7, section 9)`, `(4.1 to 4.3)`.
NAMED = re.compile(r"(?:[Cc]lauses? |\()(\d+\.\d+(?:(?:, | and | to |, and | or )\d+\.\d+)*)")

# From Python 3.12 on the text of an f-string is a token of its own.
_FOR_PEOPLE = (tokenize.COMMENT, tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING))


def words_of(path: Path) -> list[tuple[int, str]]:
    """The lines of a file that are for people; of Python only comments and strings, since numbers stand in brackets."""
    if path.suffix != ".py":
        return list(enumerate(path.read_text(encoding="utf-8").splitlines(), 1))
    with tokenize.open(path) as source:
        said = [token for token in tokenize.generate_tokens(source.readline) if token.type in _FOR_PEOPLE]
    return [(token.start[0] + i, text) for token in said for i, text in enumerate(token.string.splitlines())]


def named_in(path: Path) -> dict[str, int]:
    """Each clause that the file names, and a line where it does."""
    found = [(match.group(1), line) for line, text in words_of(path) for match in NAMED.finditer(text)]
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
