"""A service at which tests try credentials: with a clock to move, a client, and a game of three."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from engine.core import installed
from tests.service.client import Client, transport_of
from tests.service.house import House, house
from tests.service.players import Table, refused
from tests.service.pledge import GAME

START = 1_800_000_000
EUCHRE = installed().get("euchre")


class Clock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.seconds = float(START)

    def __call__(self) -> int:
        return int(self.seconds * 1_000_000)


class Desk:
    """A service with a clock to move, a client, and a game of three with its tokens."""

    def __init__(self, home: House, client: Client, clock: Clock, table: Table, watcher: str) -> None:
        self.home = home
        self.client = client
        self.clock = clock
        self.table = table
        self.watcher = watcher
        self.name = table.name

    async def view(self, token: str | None, **more: Any) -> dict[str, Any]:
        return await self.client.call("GetView", token, name=self.name, **more)

    async def reason(self, rpc: str, token: str | None, **request: Any) -> str:
        request.setdefault("name", self.name)
        return (await refused(self.client, rpc, token, **request)).reason

    async def issue(self, **request: Any) -> dict[str, Any]:
        return await self.client.call("IssueTokens", self.home.key, name=self.name, **request)


@asynccontextmanager
async def desk_at(store_url: str, way: str, **more: Any) -> AsyncIterator[Desk]:
    clock = Clock()
    async with (
        house(store_url, [GAME, EUCHRE], transport=transport_of(way), clock_us=clock, **more) as home,
        Client(way, home) as client,
    ):
        table = await Table.deal(client, home.key, "pledge", 3)
        watcher = await client.call("IssueTokens", home.key, name=table.name, spectator=True)
        yield Desk(home, client, clock, table, watcher["spectatorToken"]["token"])


@asynccontextmanager
async def branch(desk: Desk, store_url: str, way: str) -> AsyncIterator[Client]:
    """A client of another process of the same service, with a memory of its own."""
    async with house(store_url, [GAME], transport=transport_of(way), clock_us=desk.clock) as other:
        other.credentials.replace(desk.home.keys)
        async with Client(way, other) as client:
            yield client


def shown(secret: str, text: str) -> bool:
    """Whether a text holds the secret, or enough of it to matter."""
    parts = secret.split("_", 2)[2:] if secret.startswith("rk_") else secret.split(".")[1:]
    return any(piece in text for part in parts for piece in (part, part[:20], part[-20:]) if len(piece) >= 20)
