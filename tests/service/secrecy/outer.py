"""The service behind real sockets, asked for every byte that a client can get hold of."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

import grpc
import httpx
from google.protobuf.message import Message

from engine.core import AnyGame
from service import grpc_api
from tests.service.house import House, house
from tests.service.secrecy.inner import Chance, Clock, Headers, Reply, end_when_all_is_told, framed

SERVICE = "/rookery.v1.GameService/"
PATIENCE = 20


class Outer:
    """A house with the same calls as ``Inner``."""

    def __init__(self, home: House, chance: Chance, clock: Clock) -> None:
        self.chance, self.clock, self.key = chance, clock, home.key
        self._home = home
        self._channel = grpc.aio.insecure_channel(home.grpc)
        self._client = httpx.AsyncClient(base_url=home.http, timeout=PATIENCE)
        self._calls: dict[str, Any] = {}

    def share(self, other: Outer) -> None:
        """Take the other one's keys: the log names the platform key of a call."""
        self._home.keys, self.key = other._home.keys, other.key
        self._home.credentials.replace(self._home.keys)

    @property
    def log(self) -> str:
        """What is logged so far; the rest comes when the service ends."""
        return self._home.log.getvalue()

    async def rpc(self, name: str, request: Message | bytes, token: str | None = None) -> Reply:
        """A call with raw bytes; the head is the initial and the trailing metadata."""
        path = name if name.startswith("/") else SERVICE + name
        if name not in self._calls:
            kind = self._channel.unary_stream if _streams(name) else self._channel.unary_unary
            self._calls[name] = kind(path)
        payload = request if isinstance(request, bytes) else request.SerializeToString()
        metadata = (("authorization", f"Bearer {self.key if token is None else token}"),)
        call = self._calls[name](payload, metadata=metadata, timeout=PATIENCE)
        written: list[bytes] = []
        body = b""
        try:
            if _streams(name):
                # Not with extend: what came before a refusal counts.
                async for message in call:
                    written.append(message)  # noqa: PERF401
            else:
                body = await call
        except grpc.aio.AioRpcError:
            pass
        body = framed(written) if _streams(name) else body
        head = [*(await call.initial_metadata() or ()), *(await call.trailing_metadata() or ())]
        code: Any = await call.code()
        return Reply(code.value[0], tuple((str(key), value) for key, value in head), await call.details() or "", body)

    async def http(
        self, verb: str, target: str, body: bytes = b"", token: str | None = None, headers: Headers = ()
    ) -> Reply:
        """A request; the head is every header as sent, but for the date, which tells the time to all alike."""
        fields = {"authorization": f"Bearer {self.key if token is None else token}", "content-type": "application/json"}
        sent = [(name.encode(), text.encode("latin-1")) for name, text in (fields | dict(headers)).items()]
        answer = await self._client.request(verb, target, content=body, headers=sent)
        told = [(name.decode("latin-1"), text.decode("latin-1")) for name, text in answer.headers.raw]
        return Reply(answer.status_code, tuple(pair for pair in told if pair[0] != "date"), "", answer.content)

    async def close(self) -> None:
        """Give back the connections."""
        await self._channel.close()
        await self._client.aclose()


def _streams(name: str) -> bool:
    method = grpc_api.SERVICE.methods_by_name.get(name)
    return bool(method is not None and method.server_streaming)


@asynccontextmanager
async def outer(url: str, games: Iterable[AnyGame], transport: str) -> AsyncIterator[Outer]:
    """Serve until the block ends."""
    chance, clock = Chance(), Clock()
    async with house(url, games, transport=transport, clock_us=clock, entropy=chance) as home:
        end_when_all_is_told(home.app)
        made = Outer(home, chance, clock)
        try:
            yield made
        finally:
            await made.close()
