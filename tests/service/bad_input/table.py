"""A game under fire: whatever is thrown at it must leave it as it was."""

from __future__ import annotations

from typing import Any

from rookery.v1 import game_service_pb2 as pb
from rookery.v1 import move_pb2, view_pb2
from service.errors import Reason
from tests.service.bad_input.checks import reason_of
from tests.service.secrecy.inner import Reply
from tests.service.secrecy.twins import Home


class BadTable:
    """One game with its tokens. ``stands`` fails unless it is as it was; after a success it is looked at anew."""

    def __init__(self, home: Home, opening: pb.CreateGameRequest) -> None:
        self.home = home
        self.opening = opening
        self.name = ""
        self.tokens: list[str] = []
        self.seat = 0
        self.view = view_pb2.View()
        self.valid: list[Any] = []
        self.valid_for = ""
        self._bytes: list[bytes] = []

    async def deal(self) -> None:
        """Begin a new game."""
        reply = await self.home.rpc("CreateGame", self.opening)
        assert reply.ok, reply
        made = pb.CreateGameResponse.FromString(reply.body)
        self.name = made.game.name
        self.tokens = [seat.token for seat in made.seat_tokens]
        await self.look()

    async def look(self) -> None:
        """Take the game as it is, and somebody who may answer; begin anew if nobody may, or the tokens are void."""
        replies = await self._looks()
        if not all(reply.ok for reply in replies):
            assert {reason_of(reply) for reply in replies if not reply.ok} == {Reason.TOKEN_REVOKED}
            await self.deal()
            return
        self._bytes = [reply.body for reply in replies]
        views = [view_pb2.View.FromString(blob) for blob in self._bytes]
        asked = [seat for seat, view in enumerate(views) if view.HasField("decision")]
        if not asked:
            await self.deal()
            return
        self.seat = asked[0]
        self.view = views[self.seat]

    async def _looks(self) -> list[Reply]:
        parts = [view_pb2.PART_DETAIL, view_pb2.PART_OFFERS, view_pb2.PART_EVENTS]
        request = pb.GetViewRequest(name=self.name, parts=parts)
        return [await self.home.rpc("GetView", request, token) for token in self.tokens]

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
        assert [reply.body for reply in await self._looks()] == self._bytes

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


async def seated(home: Home, game_type: str, seats: int) -> BadTable:
    """A new game."""
    request = pb.CreateGameRequest(game_type=game_type, seats=[pb.NewSeat() for _ in range(seats)])
    table = BadTable(home, request)
    await table.deal()
    return table
