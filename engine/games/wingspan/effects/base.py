"""What a power is: whether it can be used, which question begins it, and what it does after that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from engine.games.wingspan import events, frames
from engine.games.wingspan.rows import BIRD_IDS, BIRDS
from engine.games.wingspan.table import Table

E = TypeVar("E")
O = TypeVar("O", bound="type[Op[Any]]")  # noqa: E741 - O for op


class Op(Generic[E]):
    """One op of the rows. A power that cannot be used is passed over without a question (10.2)."""

    def begin(self, table: Table, power: frames.Power, effect: E) -> None:
        """Plan the first question; declining there is declining the power.

        By default that is whether to use it at all, which choosing it for a repetition answers already (11.27). An op
        whose use begins with a choice plans the choice instead; it need not ask whether there is anything to choose
        from, since a question without offers is not asked.
        """
        if not self.usable(table, power.seat, power.bird, effect):
            return
        if power.chain:
            table.tell(power.seat, events.PowerUsed(BIRD_IDS[power.bird]))
            self.resolve(table, power.seat, power.bird, effect)
        else:
            table.push(frames.UsePower(power.seat, power.bird))

    def usable(self, table: Table, seat: int, bird: int, effect: E) -> bool:
        """Whether the power can be used."""
        del table, seat, bird, effect
        return True

    def resolve(self, table: Table, seat: int, bird: int, effect: E) -> None:
        """Do what the power does once its owner has begun it and paid what it costs."""


OPS: dict[type, Op[Any]] = {}


def handles(effect: type) -> Callable[[O], O]:
    """Register the op of an effect."""

    def register(op: O) -> O:
        OPS[effect] = op()
        return op

    return register


def begin(table: Table, power: frames.Power) -> None:
    """Plan the power of a bird."""
    effect = BIRDS[power.bird].effect
    OPS[type(effect)].begin(table, power, effect)


def resolve(table: Table, seat: int, bird: int) -> None:
    """Go on with the power of a bird that has been begun."""
    effect = BIRDS[bird].effect
    OPS[type(effect)].resolve(table, seat, bird, effect)


def clockwise(table: Table, start: int) -> list[int]:
    """All seats, beginning with one."""
    seats = len(table.players)
    return [(start + step) % seats for step in range(seats)]
