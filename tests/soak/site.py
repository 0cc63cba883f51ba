"""The processes of a soak, each of which may be killed and comes back: a store, servers, workers of bots."""

from __future__ import annotations

import asyncio
import random
import signal
from collections import Counter
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Self

from service.keys import development_keys
from tests.service.client import Client, Refused, Unanswered
from tests.service.live import TRANSPORTS, Live
from tests.service.store.harness import Server as Store

PATIENCE = 60.0
"""Seconds within which a service that is killed now and then answers at last."""


class Site:
    """A store that loses nothing it has confirmed, and on it a server of each transport."""

    def __init__(self, folder: Path) -> None:
        self._stack = AsyncExitStack()
        self.store = Store("--appendfsync", "always")
        folder.mkdir(parents=True, exist_ok=True)
        _, key_file, _ = development_keys(folder)
        self.key = key_file.read_text().strip()
        flags = ("--redis-url", self.store.url, "--keys-file", str(folder / "keys.json"))
        self.servers = [Live(folder / transport, *flags, transport=transport) for transport in TRANSPORTS]
        self.killed: Counter[str] = Counter()
        self._clients: list[Client] = []

    async def __aenter__(self) -> Self:
        await asyncio.to_thread(self._stack.enter_context, self.store)
        for server in self.servers:
            await asyncio.to_thread(self._stack.enter_context, server)
        for server in self.servers:
            for way in ("rest", server.transport):
                self._clients.append(await self._stack.enter_async_context(Client(way, server)))
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._stack.aclose()

    async def kill(self, what: str, chance: random.Random) -> None:
        """SIGKILL one of a kind, and start it again after a moment."""
        end, start = self._victim(what, chance)
        self.killed[what] += 1
        await asyncio.to_thread(end)
        await asyncio.sleep(chance.uniform(0, 0.5))
        await asyncio.to_thread(start)

    def _victim(self, what: str, chance: random.Random) -> tuple[Callable[[], object], Callable[[], object]]:
        if what == "store":
            return lambda: self.store.end(signal.SIGKILL), self.store.start
        server = chance.choice(self.servers)
        return server.kill, server.start

    async def call(self, chance: random.Random, rpc: str, token: str, **request: Any) -> dict[str, Any]:
        """Ask any server by any way until one answers, always with the same request. Raises Refused."""
        async with asyncio.timeout(PATIENCE):
            while True:
                try:
                    return await chance.choice(self._clients).call(rpc, token, **request)
                except Unanswered:
                    pass
                except Refused as refused:
                    if refused.code != "UNAVAILABLE":
                        raise
                await asyncio.sleep(0.05)
