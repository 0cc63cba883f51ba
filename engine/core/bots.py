"""Bots: three ways to decide from what a seat sees."""

from __future__ import annotations

import enum
from typing import TypeVar

import msgspec

from engine.core.budget import Budget
from engine.core.rng import Rng
from engine.core.search import search
from engine.core.sight import Sight

S = TypeVar("S", bound=msgspec.Struct)
M = TypeVar("M", bound=msgspec.Struct)
V = TypeVar("V", bound=msgspec.Struct)


class Level(enum.IntEnum):
    """How well a bot plays."""

    RANDOM = 1
    BASIC = 2
    STRONG = 3


def decide(level: Level, sight: Sight[S, M, V], rng: Rng, budget: Budget) -> M:
    """One of ``sight.moves``. Only STRONG looks at the budget; a single offer is answered at once by every level.

    The same sight and chance give the same answer, unless the budget's seconds ran out. Works in the calling thread.
    """
    if len(sight.moves) == 1:
        return sight.moves[0]
    match level:
        case Level.RANDOM:
            return rng.choice(sight.moves)
        case Level.BASIC:
            return sight.game.rule_of_thumb(sight.seat, sight.view, sight.moves)
        case Level.STRONG:
            return search(sight, rng, budget)
