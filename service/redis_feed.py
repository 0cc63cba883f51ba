"""The feeds of a tenant: what every commit leaves behind for whoever follows all of its games."""

from __future__ import annotations

import asyncio
from contextlib import AbstractContextManager
from typing import Any, Final

from service.redis_keys import SHARDS, feed, feed_channel
from service.redis_talk import Talk
from service.redis_wake import Wake
from service.store import Position, Positions, Told

FEED_LENGTH: Final = 4096
"""Entries that a shard's feed keeps, at least."""
_NOTHING: Final[Position] = (0, 0)


class Feeds:
    """Reads feeds; the scripts write them. All shards are asked at once, which one primary allows."""

    def __init__(self, talk: Talk, wake: Wake) -> None:
        self._talk = talk
        self._wake = wake

    def attend(self, tenant: str) -> AbstractContextManager[Any]:
        """Listen until the block ends, so that ``read`` need not begin to every time."""
        return self._wake.listening(feed_channel(tenant))

    async def ends(self, tenant: str) -> Positions:
        """The newest entry of each shard that has any."""
        newest = await asyncio.gather(
            *(self._talk.ask("XREVRANGE", feed(tenant, shard), "+", "-", "COUNT", 1) for shard in SHARDS)
        )
        return {shard: _position(found[0][0]) for shard, found in zip(SHARDS, newest, strict=True) if found}

    async def read(self, tenant: str, after: Positions, limit: int, timeout: float) -> tuple[Told, ...]:
        """Entries behind the positions, at most ``limit`` of each shard; waited for if there are none."""
        names = [feed(tenant, shard) for shard in SHARDS]
        ids = [_id(after.get(shard, _NOTHING)) for shard in SHARDS]
        found: tuple[Told, ...] = ()

        async def look() -> int:
            nonlocal found
            answer = await self._talk.ask("XREAD", "COUNT", limit, "STREAMS", *names, *ids)
            found = tuple(
                Told(shard, _position(entry), fields[1])
                for shard, name in zip(SHARDS, names, strict=True)
                for entry, fields in (answer or {}).get(name.encode(), ())
            )
            return len(found)

        await self._wake.wait(feed_channel(tenant), 0, timeout, look)
        return found

    async def kept(self, tenant: str, after: Positions) -> bool:
        """Whether every entry behind the positions is still there."""
        return all(await asyncio.gather(*(self._kept(tenant, shard, after.get(shard, _NOTHING)) for shard in SHARDS)))

    async def _kept(self, tenant: str, shard: str, after: Position) -> bool:
        name = feed(tenant, shard)
        oldest = await self._talk.ask("XRANGE", name, "-", "+", "COUNT", 1)
        if not oldest or _position(oldest[0][0]) <= after:
            # Without entries: nothing was ever written there, or the store lost all, which the games will tell.
            return True
        facts = await self._talk.ask("XINFO", "STREAM", name)
        return bool(facts[b"entries-added"] == facts[b"length"])


def _position(entry: bytes) -> Position:
    time, _, number = entry.partition(b"-")
    return int(time), int(number)


def _id(position: Position) -> str:
    return f"{position[0]}-{position[1]}"
