"""The registry: games by type and rules version."""

from __future__ import annotations

import pytest

from engine.core import Registry, UnknownGame
from tests.engine.nim import NIM, Nim


class LaterNim(Nim):
    rules_version = "1.10.0"


class Go(Nim):
    game_type = "go"


GAMES = Registry([LaterNim(), NIM, Go()])


def test_the_types_are_sorted() -> None:
    assert GAMES.game_types == ("go", "nim")


def test_versions_are_sorted_as_numbers() -> None:
    assert GAMES.rules_versions("nim") == ("1.2.0", "1.10.0")


def test_the_newest_version_is_the_default() -> None:
    assert GAMES.get("nim").rules_version == "1.10.0"


def test_a_version_can_be_named() -> None:
    assert GAMES.get("nim", "1.2.0") is NIM


@pytest.mark.parametrize(
    ("game_type", "version", "field", "value"),
    [
        ("chess", "", "game_type", "chess"),
        ("chess", "1.0.0", "game_type", "chess"),
        ("nim", "3.0.0", "rules_version", "3.0.0"),
    ],
)
def test_what_there_is_not_is_named(game_type: str, version: str, field: str, value: str) -> None:
    with pytest.raises(UnknownGame) as unknown:
        GAMES.get(game_type, version)
    assert (unknown.value.field, unknown.value.value) == (field, value)


def test_a_game_cannot_be_registered_twice() -> None:
    with pytest.raises(ValueError, match=r"nim 1\.2\.0"):
        Registry([NIM, NIM])
