"""The processes of a soak, each of which may be killed and comes back: a store, servers, workers of bots."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Self

from service.keys import development_keys
from tests.service.client import Client, Refused, Unanswered
from tests.service.live import STOP_SECONDS, TRANSPORTS, Live
from tests.service.store.harness import Server as Store

BOT_WORKERS = 2
BOT_BUDGET = "0.02"
PATIENCE = 120.0
"""Seconds within which a service that is killed now and then answers at last."""


class Bots:
    """A process in which bots decide."""

    def __init__(self, folder: Path, url: str) -> None:
        self._folder = folder
        self._url = url
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> Self:
        """Start; nobody waits for it."""
        command = [sys.executable, "-m", "service.main", "bots", "--redis-url", self._url, "--bot-budget", BOT_BUDGET]
        environment = {key: value for key, value in os.environ.items() if not key.startswith("ROOKERY_")}
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
        return self

    def kill(self) -> None:
        """SIGKILL, and wait until it is gone."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(STOP_SECONDS)
            self._process = None


class Site:
    """A store that loses nothing it has confirmed, on it a server of each transport, and two workers of bots."""

    def __init__(self, folder: Path) -> None:
        self._stack = AsyncExitStack()
        self.store = Store("--appendfsync", "always")
        folder.mkdir(parents=True, exist_ok=True)
        _, key_file, _ = development_keys(folder)
        self.key = key_file.read_text().strip()
        # Both servers may be away for a while: what is due waits then, but not for the rest of the soak.
        own = ("--keys-file", str(folder / "keys.json"), "--bot-workers", "0", "--clock-grace", "1")
        flags = ("--redis-url", self.store.url, *own)
        self.servers = [Live(folder / transport, *flags, transport=transport) for transport in TRANSPORTS]
        self._bots = [Bots(folder, self.store.url) for _ in range(BOT_WORKERS)]
        self.killed: Counter[str] = Counter()
        self._clients: list[Client] = []
        self._killings: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        try:
            await self._start()
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    async def _start(self) -> None:
        await asyncio.to_thread(self._stack.enter_context, self.store)
        processes: tuple[Live | Bots, ...] = (*self.servers, *self._bots)
        for process in processes:
            self._stack.callback(process.kill)
            await asyncio.to_thread(process.start)
        for server in self.servers:
            for way in ("rest", server.transport):
                self._clients.append(await self._stack.enter_async_context(Client(way, server)))

    async def __aexit__(self, *error: object) -> None:
        # What is just being started must be there to be ended.
        await asyncio.gather(*self._killings, return_exceptions=True)
        await self._stack.aclose()

    async def kill(self, what: str, chance: random.Random) -> None:
        """SIGKILL one of a kind, and start it again after a moment."""
        self.killed[what] += 1
        killing = asyncio.create_task(self._kill(what, chance))
        self._killings.add(killing)
        killing.add_done_callback(self._killings.discard)
        await asyncio.shield(killing)

    async def _kill(self, what: str, chance: random.Random) -> None:
        pause = chance.uniform(0, 0.5)
        if what == "store":
            await asyncio.to_thread(self.store.end, signal.SIGKILL)
            await asyncio.sleep(pause)
            await asyncio.to_thread(self.store.start)
            return
        process: Live | Bots = chance.choice(self._bots) if what == "bots" else chance.choice(self.servers)
        await asyncio.to_thread(process.kill)
        await asyncio.sleep(pause)
        await asyncio.to_thread(process.start)

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
