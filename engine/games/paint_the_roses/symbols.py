"""The words of the game: symbols, levels, pairs. Numbers are those of ``paint_the_roses.proto``."""

from __future__ import annotations

import enum
from itertools import combinations_with_replacement

import msgspec
from msgspec.structs import force_setattr


class Symbol(enum.IntEnum):
    """The eight symbols in their fixed order (2.1): four colours, four shapes."""

    PINK = 1
    RED = 2
    YELLOW = 3
    PURPLE = 4
    CLUB = 5
    DIAMOND = 6
    HEART = 7
    SPADE = 8

    @property
    def text(self) -> str:
        """The name as ids and notations write it."""
        return self.name.lower()


class Level(enum.IntEnum):
    """The three levels of whim cards (2.5), which the backs of the cards show (13.1)."""

    EASY = 1
    MEDIUM = 2
    HARD = 3

    @property
    def text(self) -> str:
        """The name as ids and notations write it."""
        return self.name.lower()


class Pair(msgspec.Struct, frozen=True, array_like=True):
    """Two halves. They have no order (2.5), so they are sorted when made: equal pairs are equal values."""

    a: Symbol
    b: Symbol

    def __post_init__(self) -> None:
        if self.a > self.b:
            a, b = self.b, self.a
            force_setattr(self, "a", a)
            force_setattr(self, "b", b)

    @property
    def text(self) -> str:
        """``pink/red``."""
        return f"{self.a.text}/{self.b.text}"


PAIRS = tuple(Pair(a, b) for a, b in combinations_with_replacement(Symbol, 2))
