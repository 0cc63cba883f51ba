"""Chance as an argument: a counter-based generator that any language can reproduce.

Algorithm ``rookery-rng-1``. The stream of 32-bit words of (seed, step) is the concatenation, over block numbers
b = 0, 1, 2, …, of the eight big-endian words of::

    SHA-256( "rookery-rng-1" || seed (as given, any length) || step (u32, big-endian) || b (u32, big-endian) )

``below(n)`` takes words until one is smaller than ``2**32 - 2**32 % n`` and answers that word modulo n.
``shuffle(items)`` copies the items and, for i from the last index down to 1, swaps item i with item ``below(i + 1)``.
``step`` is 0 for the set-up and the number of the move (1, 2, …) for the moves, so that no move depends on how many
words an earlier one took.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")

_DOMAIN = b"rookery-rng-1"
_WORDS = 1 << 32
_BLOCK = struct.Struct(">8I")


class Rng:
    """The chance of one step. ``used`` says whether anything was drawn."""

    __slots__ = ("_block", "_prefix", "_words", "used")

    def __init__(self, seed: bytes, step: int) -> None:
        self._prefix = _DOMAIN + seed + step.to_bytes(4, "big")
        self._block = 0
        self._words: list[int] = []
        self.used = False

    def _more(self) -> list[int]:
        """The words of the next block, the last one first, so that ``pop`` takes them in order."""
        digest = hashlib.sha256(self._prefix + self._block.to_bytes(4, "big")).digest()
        self._block += 1
        self._words = words = list(_BLOCK.unpack(digest))
        words.reverse()
        return words

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1, each equally likely. Raises ValueError unless 1 <= n <= 2**32."""
        if not 1 <= n <= _WORDS:
            raise ValueError(f"below() takes 1 to 2**32, not {n}")
        self.used = True
        limit = _WORDS - _WORDS % n
        while (word := (self._words or self._more()).pop()) >= limit:
            pass
        return word % n

    def shuffle(self, items: Iterable[T]) -> tuple[T, ...]:
        """The items in random order, each order equally likely."""
        order = list(items)
        below = self.below
        for i in range(len(order) - 1, 0, -1):
            j = below(i + 1)
            order[i], order[j] = order[j], order[i]
        return tuple(order)

    def choice(self, items: tuple[T, ...]) -> T:
        """One of the items, each equally likely. Raises ValueError if there is none."""
        return items[self.below(len(items))]


class RecordingRng(Rng):
    """The same chance, which remembers what it drew: ``draws`` are pairs of n and the number that ``below(n)`` gave."""

    __slots__ = ("draws",)

    def __init__(self, seed: bytes, step: int) -> None:
        super().__init__(seed, step)
        self.draws: list[tuple[int, int]] = []

    def below(self, n: int) -> int:
        """What ``Rng.below`` gives."""
        drawn = super().below(n)
        self.draws.append((n, drawn))
        return drawn
