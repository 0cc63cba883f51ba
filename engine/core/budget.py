"""How long a bot may think, by count and by a clock that the caller brings."""

from __future__ import annotations

import math
from collections.abc import Callable

import msgspec


def _stopped() -> float:
    return 0.0


class Budget(msgspec.Struct, frozen=True):
    """When to stop: after ``iterations``, or earlier when ``seconds`` have passed on the clock ``now``.

    At least one iteration is made. Without a clock the answer depends on nothing but sight and chance.
    """

    iterations: int
    seconds: float = math.inf
    now: Callable[[], float] = _stopped


class Pace:
    """How much of the budget is spent, from 0 to 1."""

    __slots__ = ("_began", "_budget", "_done", "spent")

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._began = budget.now()
        self._done = 0
        self.spent = 0.0

    @property
    def over(self) -> bool:
        """Whether nothing is left."""
        return self.spent >= 1

    def step(self) -> bool:
        """An iteration was made: whether it was the last one."""
        self._done += 1
        passed = self._budget.now() - self._began
        in_time = passed / self._budget.seconds if self._budget.seconds else 1.0
        self.spent = max(self._done / max(1, self._budget.iterations), in_time)
        return self.over
