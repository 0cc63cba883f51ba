"""A game at a table of its own, played over REST by whoever is asked first."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx

from tests.service.house import House


class Table:
    """A game with the tokens of its seats. ``version`` is the newest one that this table made, ``mover`` who did it."""

    def __init__(self, home: House, client: httpx.AsyncClient, made: dict[str, Any], chance: str) -> None:
        self.home = home
        self.name: str = made["game"]["name"]
        self.tokens = [seat["token"] for seat in made["seatTokens"]]
        self.awaiting = [entry["seat"] for entry in made["game"]["awaiting"]]
        self.version = 1
        self.mover = 0
        self._client = client
        self._chance = random.Random(chance)

    @property
    def over(self) -> bool:
        """Whether nobody is asked any more."""
        return not self.awaiting

    async def view(self, seat: int, **query: Any) -> dict[str, Any]:
        """A seat's view."""
        return await self.get(f"{self.name}/view", self.tokens[seat], **query)

    async def get(self, path: str, token: str | None = None, **query: Any) -> dict[str, Any]:
        """A GET that succeeds."""
        answer = await self._client.get(path, params=query, headers=_bearer(token or self.home.key))
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    async def post(self, path: str, token: str | None = None, **body: Any) -> dict[str, Any]:
        """A POST that succeeds."""
        answer = await self._client.post(path, json=body, headers=_bearer(token or self.home.key))
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    async def delete(self) -> None:
        """Delete the game."""
        answer = await self._client.delete(self.name, headers=_bearer(self.home.key))
        assert answer.status_code == 200, answer.text

    async def move(self, moves: int = 1) -> None:
        """So many random answers, or until the game is over."""
        for _ in range(moves):
            if self.over:
                return
            self.mover = seat = self._chance.choice(self.awaiting)
            decision = (await self.view(seat))["decision"]
            offer = self._chance.choice(decision["offers"])["offerId"]
            answer = {"decisionId": decision["decisionId"], "offerId": offer}
            done = await self.post(f"{self.name}:submitMove", self.tokens[seat], **answer)
            self.version = done["committedVersion"]
            self.awaiting = [entry["seat"] for entry in done["view"]["awaiting"]]

    async def spectator(self) -> str:
        """A spectator's token."""
        issued = await self.post(f"{self.name}:issueTokens", spectator=True)
        return str(issued["spectatorToken"]["token"])


@asynccontextmanager
async def deal(
    home: House,
    game_type: str = "pledge",
    seats: int = 3,
    chance: str = "a game",
    players: list[dict[str, str]] | None = None,
    **more: Any,
) -> AsyncIterator[Table]:
    """A new game; ``more`` is in the request. What is answered follows from ``chance``."""
    async with httpx.AsyncClient(base_url=f"{home.http}/v1/", timeout=40) as client:
        body = {"gameType": game_type, "seats": players or [{}] * seats, **more}
        answer = await client.post("games", json=body, headers=_bearer(home.key))
        assert answer.status_code == 200, answer.text
        yield Table(home, client, answer.json(), chance)


def rounds(count: int) -> dict[str, Any]:
    """Options for a game of Pledge of that many rounds."""
    return {"options": {"plugin": {"rounds": count}}}


def _bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}
