"""One client for streams, whatever the way: messages as JSON, refusals as ``Refused``."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from typing import Any

import grpc
import httpx
from google.protobuf import json_format
from google.protobuf.message_factory import GetMessageClass

from rookery.v1 import game_service_pb2 as pb
from tests.service.client import Refused, Served, Unanswered, refused_call

WAYS = ("ndjson", "sse", "grpcio", "native")
EVENTS = "text/event-stream"
_SERVICE = pb.DESCRIPTOR.services_by_name["GameService"]
_PATHS = {"WatchGame": "/{name}:watch", "WatchUpdates": "/updates:watch"}
# A connection of its own, and no more read ahead than must be: a test that stalls wants the server to notice.
_SMALL_WINDOWS = [
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.http2.bdp_probe", 0),
    ("grpc.http2.lookahead_bytes", 16384),
]
Message = dict[str, Any]
Messages = AsyncGenerator[Message, None]


def transport_of(way: str) -> str:
    """The gRPC server that a way needs."""
    return way if way in ("grpcio", "native") else "grpcio"


@asynccontextmanager
async def stream(
    way: str, served: Served, token: str, rpc: str = "WatchGame", **request: Any
) -> AsyncIterator[Messages]:
    """Open a stream; leaving the block goes away without a word, as clients do."""
    opened = _rest(way, served, token, rpc, request) if way in ("ndjson", "sse") else _grpc(served, token, rpc, request)
    async with aclosing(opened) as messages:
        yield messages


async def take(messages: Messages, count: int) -> list[Message]:
    """The next messages, except bookmarks; each in a few seconds."""
    found: list[Message] = []
    async with asyncio.timeout(20):
        while len(found) < count:
            message = await anext(messages)
            if "bookmark" not in message:
                found.append(message)
    return found


async def ending(messages: Messages) -> Refused:
    """The refusal that ends the stream."""
    try:
        async with asyncio.timeout(20):
            async for _ in messages:
                pass
    except Refused as refused:
        return refused
    raise AssertionError("the stream ended without a refusal")


async def _grpc(served: Served, token: str, rpc: str, request: Message) -> Messages:
    method = _SERVICE.methods_by_name[rpc]
    message = json_format.ParseDict(request, GetMessageClass(method.input_type)())
    async with grpc.aio.insecure_channel(served.grpc, _SMALL_WINDOWS) as channel:
        call = channel.unary_stream(
            f"/{_SERVICE.full_name}/{rpc}",
            type(message).SerializeToString,
            GetMessageClass(method.output_type).FromString,
        )(message, metadata=[("authorization", f"Bearer {token}")] if token else [])
        try:
            async for found in call:
                yield json_format.MessageToDict(found, always_print_fields_with_no_presence=True)
        except grpc.aio.AioRpcError as error:
            raise refused_call(error) from error
        finally:
            call.cancel()


async def _rest(way: str, served: Served, token: str, rpc: str, request: Message) -> Messages:
    asked = dict(request)
    headers = {"authorization": f"Bearer {token}"} if token else {}
    headers |= {"accept": EVENTS} if way == "sse" else {}
    if "last_event_id" in asked:
        headers["last-event-id"] = str(asked.pop("last_event_id"))
    path = _PATHS[rpc].format(name=asked.pop("name", ""))
    asked = {key: str(value).lower() if isinstance(value, bool) else value for key, value in asked.items()}
    try:
        async with (
            httpx.AsyncClient(base_url=f"{served.http}/v1", timeout=40, transport=_small_buffers()) as client,
            client.stream("GET", path, params=asked, headers=headers) as answer,
        ):
            async for message in _messages(way, answer):
                yield message
    except httpx.TransportError as error:
        raise Unanswered(repr(error)) from error


async def _messages(way: str, answer: httpx.Response) -> Messages:
    """What a streamed answer says. Raises Refused."""
    if answer.status_code != 200:
        await answer.aread()
        raise _refused(answer.json()["error"], answer.status_code)
    assert answer.headers["content-type"] == (EVENTS if way == "sse" else "application/x-ndjson")
    assert (answer.headers["cache-control"], answer.headers["x-accel-buffering"]) == ("no-store", "no")
    lines = aiter(answer.aiter_lines())
    async for message in _events(lines) if way == "sse" else _lines(lines):
        yield message


def _small_buffers() -> httpx.AsyncHTTPTransport:
    # No certificates are read for what is not encrypted: that takes longer than everything else here.
    return httpx.AsyncHTTPTransport(verify=False, socket_options=[(socket.SOL_SOCKET, socket.SO_RCVBUF, 16384)])


async def _lines(lines: AsyncIterator[str]) -> AsyncIterator[Message]:
    async for line in lines:
        message = json.loads(line)
        if "error" in message:
            raise _refused(message["error"], None)
        yield message


async def _events(lines: AsyncIterator[str]) -> AsyncIterator[Message]:
    event: dict[str, str] = {}
    async for line in lines:
        if line:
            field, _, value = line.partition(": ")
            assert field not in event
            event[field] = value
            continue
        data = json.loads(event["data"])
        if event["event"] == "error":
            assert "id" not in event
            raise _refused(data["error"], None)
        if "cursor" not in event["id"] and event["id"].isdigit():
            assert int(event["id"]) == version_of({event["event"]: data})
        yield {event["event"]: data, "id": event["id"]}
        event = {}


def _refused(error: Message, http: int | None) -> Refused:
    return Refused(error["status"], http, error["message"], error["details"], json.dumps(error))


def kind_of(message: Message) -> str:
    """snapshot, change, bookmark or ended."""
    (kind,) = message.keys() - {"id", "cursor"}
    return str(kind)


def version_of(message: Message) -> int:
    """The version that a message tells of."""
    inner = message[kind_of(message)]
    return int(inner["view"]["version"] if "snapshot" in message else inner["version"])
