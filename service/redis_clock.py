"""The store's time, and the list of the games by when their clocks must act."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from service.redis_keys import SHARDS, Keys, due, game_of, member
from service.redis_talk import Script, Talk
from service.store import Due, GameKey

SAMPLES: Final = 5
"""So often the store is asked for its time at once: the quickest answer tells it best."""


class Clocks:
    """``service.store.Clocks``. It tells the time once ``measure`` has returned."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._offset_us = 0
        self.undue = Script.named("undue")

    def now_us(self) -> int:
        """The store's time, by our own monotonic clock and what that was behind the store's at the last measurement."""
        return time.monotonic_ns() // 1000 + self._offset_us

    async def measure(self) -> None:
        """Compare the clocks. A good measurement is off by less than half of the quickest round trip."""
        samples = []
        for _ in range(SAMPLES):
            sent = time.monotonic_ns() // 1000
            seconds, micros = await self._talk.ask("TIME")
            took = time.monotonic_ns() // 1000 - sent
            samples.append((took, int(seconds) * 1_000_000 + int(micros) - sent - took // 2))
        self._offset_us = min(samples)[1]

    async def first(self, limit: int) -> tuple[Due, ...]:
        """The games that are due first, ``limit`` of each shard, in the order of their times. One round trip."""
        asks = (self._talk.ask("ZRANGE", due(shard), 0, limit - 1, "WITHSCORES") for shard in SHARDS)
        rows = await asyncio.gather(*asks)
        return tuple(sorted(Due(int(at), game_of(name)) for shard in rows for name, at in shard))

    async def drop(self, key: GameKey) -> None:
        """Forget that the game is due, if there is no such game any more."""
        keys = Keys(key)
        await self._talk.run(self.undue, (keys.game, keys.due), member(key))
