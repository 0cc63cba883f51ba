"""The store's time, and the list of the games by when their clocks must act."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Final

from service.errors import Refusal
from service.redis_keys import SHARDS, due, game_of, keys_of, member
from service.redis_talk import Script, Talk
from service.store import Due, GameKey

SAMPLES: Final = 5
"""So often the store is asked for its time at once: the quickest answer tells it best."""
MEASURE_SECONDS: Final = 10.0
"""Between two measurements."""


class Clocks:
    """``service.store.Clocks``. It tells the time from ``begin`` to ``close``."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._offset_us = 0
        self._keeping: asyncio.Task[None] | None = None
        self._undue = Script.named("undue")

    async def begin(self) -> None:
        """Learn the store's time, and keep it."""
        await self._talk.load(self._undue)
        await self.measure()
        self._keeping = asyncio.create_task(self._keep())

    def close(self) -> None:
        """Measure no more."""
        if self._keeping is not None:
            self._keeping.cancel()

    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(MEASURE_SECONDS)
            # While the store is away our own clock goes on from where it was.
            with contextlib.suppress(Refusal):
                await self.measure()

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
        keys = keys_of(key)
        await self._talk.run(self._undue, (keys.game, keys.due), member(key))
