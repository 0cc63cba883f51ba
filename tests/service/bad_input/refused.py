"""Requests that must be refused, for the same reason over gRPC and REST."""

from __future__ import annotations

from google.protobuf.message import Message

from rookery.v1 import game_service_pb2 as pb
from service.errors import Reason
from tests.service.bad_input.table import BadTable
from tests.service.secrecy.asks import Ask, rest_of

BIG = 1 << 20
LAST = 2**31 - 1


async def refused(table: BadTable, rpc: str, message: Message, token: str | None = None) -> Reason:
    """The reason, which must be the same both ways."""
    token = table.home.key if token is None else token
    by_rpc = await table.refuses(await table.home.rpc(rpc, message, token))
    verb, target, body, headers = rest_of(Ask("", rpc, message))
    by_http = await table.refuses(await table.home.http(verb, target, body, token, headers))
    assert by_rpc is by_http
    return by_rpc


def about_a_game(name: str) -> list[tuple[str, Message]]:
    """A request of each kind about a game."""
    return [
        ("GetGame", pb.GetGameRequest(name=name)),
        ("GetView", pb.GetViewRequest(name=name, seat=0)),
        ("SubmitMove", pb.SubmitMoveRequest(name=name, seat=0, decision_id="a", offer_id="a")),
        ("UndoMove", pb.UndoMoveRequest(name=name, seat=0, to_version=1)),
        ("IssueTokens", pb.IssueTokensRequest(name=name, seats=[0])),
        ("ForkGame", pb.ForkGameRequest(name=name, seat=0)),
        ("AbortGame", pb.AbortGameRequest(name=name)),
        ("DeleteGame", pb.DeleteGameRequest(name=name)),
    ]
