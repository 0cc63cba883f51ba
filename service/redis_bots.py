"""The queue of the bots: a stream per shard, read by one group of workers; the scripts of the games write it.

A game has one entry at most. An entry says only which game: whoever takes it sees all that is asked by then, so a new
one replaces the one before, and a commit after which no bot owes anything takes it away.

Whoever takes an entry holds it while it shows signs of life. What a dead worker held is given to another one; an entry
is gone only when it is done.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from contextlib import AbstractContextManager
from typing import Any, Final

from service.redis_keys import BOTS_CHANNEL, SHARDS, bots, game_of, keys_of
from service.redis_talk import Script, Talk
from service.redis_wake import Wake
from service.store import Errand

GROUP: Final = "bots"
PATIENCE: Final = 5.0
"""Seconds without a sign of life after which an entry is given to another worker."""
FORGET: Final = 60.0
"""Seconds after which a silent worker that holds nothing is forgotten."""
TIDY: Final = 16
"""So many entries of each stream are looked at in one round of tidying."""
_LOOK: Final = 1.0
"""Seconds between looks at what others left lying."""


class BotQueue:
    """``service.store.BotQueue``: one worker of the group, under a name of its own."""

    def __init__(self, talk: Talk, wake: Wake, patience: float = PATIENCE) -> None:
        self._talk = talk
        self._wake = wake
        self._patience = patience
        self._take = Script.named("take")
        self._leave = Script.named("leave")
        self._streams = [bots(shard) for shard in SHARDS]
        self._looked = 0.0
        self._tidied = dict.fromkeys(self._streams, "-")
        self.name = secrets.token_hex(8)

    def attend(self) -> AbstractContextManager[Any]:
        """Listen until the block ends, so that ``take`` need not begin to every time."""
        return self._wake.listening(BOTS_CHANNEL)

    async def take(self, timeout: float) -> Errand | None:
        """The next game to look at, waited for at most ``timeout`` seconds. It is this worker's until it is silent."""
        found: Errand | None = None
        loop = asyncio.get_running_loop()
        end = loop.time() + timeout

        async def look() -> int:
            nonlocal found
            found = await self._look()
            return 0 if found is None else 1

        while found is None and (left := end - loop.time()) > 0:
            # Wakes come with new entries only; what is left lying must be looked for.
            await self._wake.wait(BOTS_CHANNEL, 0, min(left, _LOOK), look)
        return found

    async def _look(self) -> Errand | None:
        now = time.monotonic()
        looking = now - self._looked >= _LOOK
        if looking:
            self._looked = now
        patience = int(self._patience * 1000) if looking else b""
        # Another first one each time, so that no shard waits for the busy ones before it.
        first = random.randrange(len(self._streams))  # noqa: S311 - no secret
        streams = (*self._streams[first:], *self._streams[:first])
        found, _ = await self._talk.run(self._take, streams, GROUP, self.name, patience, int(FORGET * 1000))
        return Errand(game_of(found[2]), found[0].decode(), found[1].decode()) if found else None

    async def hold(self, errand: Errand) -> None:
        """Show a sign of life. Raises INTERNAL when the queue was emptied: there is nothing to hold any more."""
        await self._talk.ask("XCLAIM", errand.stream, GROUP, self.name, 0, errand.entry, "JUSTID")

    async def done(self, errand: Errand) -> None:
        """Take it off the queue."""
        # Deleted first: what is deleted but not acknowledged vanishes with the next look, the other way round it stays.
        await asyncio.gather(
            self._talk.ask("XDEL", errand.stream, errand.entry),
            self._talk.ask("XACK", errand.stream, GROUP, errand.entry),
        )

    async def leave(self) -> None:
        """Let other workers have at once whatever this one holds, and forget this one."""
        await self._talk.run(self._leave, tuple(self._streams), GROUP, self.name)

    async def length(self) -> int:
        """How many entries are not done."""
        return sum(await asyncio.gather(*(self._talk.ask("XLEN", stream) for stream in self._streams)))

    async def tidy(self) -> None:
        """Take off what is left of games that have expired, if no worker did: some entries of each stream in turn."""
        await asyncio.gather(*(self._tidy(stream) for stream in self._streams))

    async def _tidy(self, stream: str) -> None:
        entries = await self._talk.ask("XRANGE", stream, self._tidied[stream], "+", "COUNT", TIDY)
        self._tidied[stream] = f"({entries[-1][0].decode()}" if len(entries) == TIDY else "-"
        for entry, (_, name) in entries:
            key = game_of(name)
            if not await self._talk.ask("HEXISTS", keys_of(key).game, "v"):
                await self.done(Errand(key, stream, entry.decode()))
