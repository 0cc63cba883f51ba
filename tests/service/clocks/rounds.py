"""A house whose clocks are the test's: time stands in the past, so that every deadline has come by the store's time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from engine.core import installed
from service.store import GameKey
from service.sweep import SweepLog
from tests.service.client import Client
from tests.service.house import House, house, standing_clock
from tests.service.live import body
from tests.service.players import Table
from tests.service.pledge import GAME

SEVENS = installed().get("sevens")
ROSES = installed().get("paint_the_roses")
GAMES = (GAME, SEVENS, ROSES, installed().get("euchre"))
SECOND = {"perDecision": "1s"}
MOVE, BOT, RESIGN = "ON_TIMEOUT_TIMEOUT_MOVE", "ON_TIMEOUT_BOT_TAKES_OVER", "ON_TIMEOUT_RESIGN"


class Rounds(SweepLog):
    """A house with a client; ``look`` lets its clocks act once on each game that is due, ``told`` is what they told."""

    def __init__(self, home: House, client: Client) -> None:
        self.home = home
        self.client = client
        self.told: list[tuple[GameKey, str]] = []
        self.outages = 0

    async def look(self) -> float:
        return await self.home.app.sweeper.look(self)

    def set_aside(self, key: GameKey, why: str) -> None:
        self.told.append((key, why))

    def resumed(self) -> None:
        self.outages += 1

    async def deal(self, game_type: str = "pledge", seats: int = 3, **more: Any) -> Table:
        made = await self.client.call("CreateGame", self.home.key, **body(seats, game_type, **more))
        return Table(self.client, made)

    async def game(self, table: Table) -> dict[str, Any]:
        return await self.client.call("GetGame", self.home.key, name=table.name)

    async def view(self, table: Table, **more: Any) -> dict[str, Any]:
        return await self.client.call("GetView", self.home.key, name=table.name, **(more or {"spectator": True}))

    async def events(self, table: Table) -> list[dict[str, Any]]:
        answer = await self.client.call("ListEvents", self.home.key, name=table.name, spectator=True, pageSize=1000)
        events: list[dict[str, Any]] = answer["events"]
        return events

    async def seat(self, table: Table, seat: int, controller: str, token: str = "", **more: Any) -> dict[str, Any]:
        return await self.client.call(
            "SetSeatController",
            token or self.home.key,
            name=f"{table.name}/seats/{seat}",
            controller=f"CONTROLLER_{controller}",
            **more,
        )

    async def actions(self) -> dict[str, float]:
        """What the clocks of this house have done, by its metrics."""
        lines = self.home.metrics.page().decode().splitlines()
        counted = [line.split() for line in lines if line.startswith("rookery_clock_actions_total{")]
        return {name.split('"')[1]: float(number) for name, number in counted}


@asynccontextmanager
async def rounds(url: str, way: str = "rest", **more: Any) -> AsyncIterator[Rounds]:
    """A house on the store at the URL, until the block ends."""
    more.setdefault("clock_us", standing_clock())
    async with (
        house(url, GAMES, transport="grpcio" if way == "rest" else way, **more) as home,
        Client(way, home) as client,
    ):
        yield Rounds(home, client)


async def until_over(made: Rounds, table: Table) -> dict[str, Any]:
    """Let the clocks play until the game is over."""
    async with asyncio.timeout(60):
        while (game := await made.game(table))["state"] == "GAME_STATE_ACTIVE":
            await made.look()
    return game
