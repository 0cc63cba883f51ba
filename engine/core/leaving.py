"""Who has lost because somebody left, and the ranks that follow."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from engine.core.model import Placement

RESIGNED = "resigned"
"""The reason of a result that was not played for to the end."""


def losers(sides: tuple[tuple[int, ...], ...], resigned: frozenset[int]) -> frozenset[int]:
    """Everybody on a side that somebody has left."""
    return frozenset(seat for side in sides if not resigned.isdisjoint(side) for seat in side)


def ranked(placements: Iterable[Placement], lost: frozenset[int]) -> tuple[Placement, ...]:
    """The placements with the seats that have lost behind all others; otherwise in the order of their ranks."""
    given = tuple(placements)
    orders = [(one.seat in lost, one.rank) for one in given]
    return tuple(
        msgspec.structs.replace(one, rank=1 + sum(other < mine for other in orders))
        for one, mine in zip(given, orders, strict=True)
    )
