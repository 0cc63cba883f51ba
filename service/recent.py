"""The few things made last, for whoever wants the very same: all who watch a game, at the same moment."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Recent(Generic[K, V]):
    """Remembers what was made for the last ``limit`` keys."""

    def __init__(self, limit: int = 256) -> None:
        self._limit = limit
        self._made: OrderedDict[K, V] = OrderedDict()

    def get(self, key: K, make: Callable[[], V]) -> V:
        """What was made for the key, or else what ``make`` gives now."""
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = make()
            if len(self._made) > self._limit:
                self._made.popitem(last=False)
        return found
