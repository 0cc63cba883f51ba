"""People at a table who repeat until they are answered and remember what they were told; and what the log says."""

from __future__ import annotations

import asyncio
import random
from typing import Any, NamedTuple, Self

import redis.asyncio

from engine.core import AnyGame
from engine.core.codec import decode_move
from service.records import Batch, decode
from service.redis_keys import Keys
from service.store import GameKey
from tests.service.client import Client, Refused, fresh_id, until_done
from tests.service.live import body
from tests.service.store.harness import PATIENCE


class Said(NamedTuple):
    """A move of the history: the version that it made, whose it was, the offers that it took."""

    version: int
    seat: int | None
    offers: tuple[str, ...]


class Table:
    """A game and the people at it, who all use one client.

    ``told`` is what the answers said; ``highest`` the highest version that anybody saw: nobody may see an older one,
    unless the store may lose writes, and then it must be possible to notice.
    """

    def __init__(self, client: Client, made: dict[str, Any], seed: str = "") -> None:
        self.client = client
        self.name: str = made["game"]["name"]
        self.game_type: str = made["game"]["gameType"]
        self.tokens: list[str] = [seat["token"] for seat in made["seatTokens"]]
        self.awaiting: list[int] = [seat["seat"] for seat in made["game"]["awaiting"]]
        self.highest = 1
        self.told: list[Said] = []
        self.may_lose = False
        self._rng = random.Random(seed)

    @classmethod
    async def deal(cls, client: Client, key: str, game_type: str = "euchre", seats: int = 4, seed: str = "") -> Self:
        """A new game."""
        made = await until_done(client, "CreateGame", key, requestId=fresh_id(), **body(seats, game_type))
        return cls(client, made, seed)

    async def view(self, seat: int) -> dict[str, Any]:
        """What a seat sees. It is never older than what anybody saw before."""
        seen = self.highest
        view = await until_done(self.client, "GetView", self.tokens[seat], name=self.name)
        if view["version"] < seen:
            assert self.may_lose
            await self._notice(seat, view["version"])
        self.highest = max(self.highest, view["version"])
        return view

    async def _notice(self, seat: int, version: int) -> None:
        """The store lost writes: whoever asks for newer than what was seen is told so."""
        try:
            await until_done(self.client, "GetView", self.tokens[seat], name=self.name, newerThan=self.highest)
        except Refused as refusal:
            assert refusal.reason == "VERSION_AHEAD"  # noqa: PT017 - several answers are right
        else:
            raise AssertionError("nobody was told that versions were lost")
        self.told = [said for said in self.told if said.version <= version]
        self.highest = version

    async def move(self) -> bool:
        """One move of whoever is asked, said until it is answered; False when the game is over."""
        if not self.awaiting:
            return False
        seat = self.awaiting[0]
        view = await self.view(seat)
        if "decision" not in view:
            # Back at an earlier version, where another seat is asked.
            self.awaiting = [asked["seat"] for asked in view["awaiting"]]
            return await self.move()
        offer = self._rng.choice(view["decision"]["offers"])["offerId"]
        answer = await self.submit(seat, view["decision"]["decisionId"], offer)
        self.awaiting = [seat["seat"] for seat in answer["view"]["awaiting"]]
        return True

    async def submit(self, seat: int, decision: str, offer: str) -> dict[str, Any]:
        """Say one thing until it is answered, always with the same request."""
        request: dict[str, Any] = {"name": self.name, "decisionId": decision, "offerId": offer, "requestId": fresh_id()}
        answer = await until_done(self.client, "SubmitMove", self.tokens[seat], **request)
        self.told.append(Said(answer["committedVersion"], seat, (offer,)))
        self.highest = max(self.highest, answer["view"]["version"])
        return answer


async def history(url: str, tenant: str, game: AnyGame, name: str) -> list[Said]:
    """The log of a game as the store has it, moves only; every version stands in it once, none is missing."""
    entries, newest = await _log(url, Keys(GameKey(tenant, name.removeprefix("games/"))).stem)
    assert [int(entry.partition(b"-")[0]) for entry, _ in entries] == list(range(1, int(newest) + 1))
    batches = [(version, decode(Batch, fields[b"b"])) for version, (_, fields) in enumerate(entries, 1)]
    return [
        Said(version, batch.seat, tuple(game.notation(decode_move(game, move)) for move in batch.moves))
        for version, batch in batches
        if batch.moves
    ]


async def _log(url: str, key: str) -> Any:
    """The log and the version, from a store that may just be starting again."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                async with redis.asyncio.Redis.from_url(url) as admin:
                    asking = admin.pipeline()
                    asking.xrange(f"{key}log")
                    asking.hget(f"{key}game", "v")
                    return await asking.execute()
            except redis.RedisError:
                await asyncio.sleep(0.01)


async def refused(client: Client, rpc: str, token: str | None, **request: Any) -> Refused:
    """The refusal of a call that must be refused."""
    try:
        answer = await client.call(rpc, token, **request)
    except Refused as refusal:
        return refusal
    raise AssertionError(f"{rpc} was not refused: {answer}")
