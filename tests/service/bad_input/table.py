"""A game under fire: whatever is thrown at it must leave it as it was."""

from __future__ import annotations

from typing import Any

from rookery.v1 import game_service_pb2 as pb
from rookery.v1 import move_pb2, view_pb2
from service.errors import Reason
from tests.service.bad_input.checks import reason_of
from tests.service.secrecy.inner import Inner, Reply


class BadTable:
    """One game with its tokens. ``stands`` fails unless it is as it was; after a success it is looked at anew."""

    def __init__(self, home: Inner, made: Any) -> None:
        self.home = home
        self.name: str = made.game.name
        self.tokens: list[str] = [seat.token for seat in made.seat_tokens]
        self.seat = 0
        self.view = view_pb2.View()
        self._bytes: list[bytes] = []

    async def look(self) -> None:
        """Take the game as it is, and somebody who is asked."""
        self._bytes = await self._views()
        views = [view_pb2.View.FromString(blob) for blob in self._bytes]
        self.seat = views[0].awaiting[0].seat if views[0].awaiting else 0
        self.view = views[self.seat]

    async def _views(self) -> list[bytes]:
        parts = [view_pb2.PART_DETAIL, view_pb2.PART_OFFERS, view_pb2.PART_EVENTS]
        request = pb.GetViewRequest(name=self.name, parts=parts)
        replies = [await self.home.rpc("GetView", request, token) for token in self.tokens]
        assert all(reply.ok for reply in replies)
        return [reply.body for reply in replies]

    @property
    def token(self) -> str:
        """The token of a seat that is asked."""
        return self.tokens[self.seat]

    @property
    def decision(self) -> str:
        """The decision of that seat."""
        return self.view.decision.decision_id

    @property
    def moves(self) -> list[move_pb2.Move]:
        """The legal moves of that seat."""
        return [offer.move for offer in self.view.decision.offers]

    async def stands(self) -> None:
        """Fail unless every seat sees what it saw, to the byte."""
        assert await self._views() == self._bytes

    async def refuses(self, reply: Reply) -> Reason:
        """The reason of the refusal, which must have changed nothing."""
        assert not reply.ok, reply
        reason = reason_of(reply)
        await self.stands()
        return reason

    async def survives(self, reply: Reply) -> None:
        """The answer is a success or a typed refusal, which must have changed nothing."""
        if reply.ok:
            await self.look()
        else:
            await self.refuses(reply)

    def submit(self, **answer: Any) -> pb.SubmitMoveRequest:
        """A request to answer the open decision."""
        return pb.SubmitMoveRequest(**{"name": self.name, "decision_id": self.decision, **answer})


async def seated(home: Inner, game_type: str, seats: int) -> BadTable:
    """A new game."""
    request = pb.CreateGameRequest(game_type=game_type, seats=[pb.NewSeat() for _ in range(seats)])
    reply = await home.rpc("CreateGame", request)
    assert reply.ok, reply
    table = BadTable(home, pb.CreateGameResponse.FromString(reply.body))
    await table.look()
    return table
