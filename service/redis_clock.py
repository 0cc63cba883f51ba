"""The store's time, and the list of the games by when their clocks must act."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Final

from service.errors import Refusal
from service.redis_keys import SHARDS, SWEEPING, due, game_of, keys_of, member
from service.redis_talk import Script, Talk
from service.store import Due, GameKey, Outage, Stamp, Sweeping

SAMPLES: Final = 5
"""So often the store is asked for its time at once: the quickest answer tells it best."""
MEASURE_SECONDS: Final = 10.0
"""Between two measurements."""
GAP_MS: Final = 5000
"""So long without anybody who looks after the clocks is an outage."""
_SAID_MS: Final = 1000
"""So seldom it must be said that there is somebody."""


class Clocks:
    """``service.store.Clocks``. It tells the time from ``begin`` to ``close``."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._offset_us = 0
        self._outage: Outage = (0, 0)
        self._keeping: asyncio.Task[None] | None = None
        self._due = Script.named("due")
        self._sweeping = Script.named("sweeping")

    async def begin(self) -> None:
        """Learn the store's time, and keep it."""
        for script in (self._due, self._sweeping):
            await self._talk.load(script)
        await self.measure()
        await self._hear()
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
                await self._hear()

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

    async def sweeping(self) -> Sweeping:
        """Say that somebody looks after the clocks now; since when, and until when nobody need say it again."""
        (begun, since, until, resumed), _ = await self._talk.run(self._sweeping, (SWEEPING,), GAP_MS, _SAID_MS)
        self._outage = begun * 1000, since * 1000
        return Sweeping(begun, since, until, bool(resumed))

    async def _hear(self) -> None:
        """Hear of an outage without saying anything: a worker of the bots does not look after the clocks."""
        begun, since = await self._talk.ask("HMGET", SWEEPING, "from", "since")
        if since is not None:
            self._outage = int(begun) * 1000, int(since) * 1000

    def outage(self) -> Outage:
        """The last gap that this process has heard of."""
        return self._outage

    async def first(self, limit: int) -> tuple[Due, ...]:
        """The games that are due first, ``limit`` of each shard, in the order of their times. One round trip."""
        asks = (self._talk.ask("ZRANGE", due(shard), 0, limit - 1, "WITHSCORES") for shard in SHARDS)
        rows = await asyncio.gather(*asks)
        return tuple(sorted(Due(int(at), game_of(name)) for shard in rows for name, at in shard))

    async def put(self, key: GameKey, stamp: Stamp | None, at_ms: int) -> None:
        """Say when the game is due, if this is how it stands."""
        keys = keys_of(key)
        version, mark = ("", b"") if stamp is None else stamp
        await self._talk.run(self._due, (keys.game, keys.due), member(key), version, mark, at_ms)
