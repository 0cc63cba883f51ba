"""The service without sockets, for volume: the real adapters, use cases and store, called in the test's own process.

``Chance`` and ``Clock`` can be turned back, so that two services live through the very same ids and times.
"""

from __future__ import annotations

import asyncio
import hashlib
import io
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any, NamedTuple, NoReturn
from urllib.parse import unquote

import grpc
from google.protobuf.message import Message

from engine.core import AnyGame, Registry
from service import grpc_api, logs
from service.app import App
from service.callers import ALL_SCOPES
from service.create import CreateRules
from service.credentials import Credentials
from service.dispatch import KEPT, Dispatch
from service.errors import Reason, Refusal
from service.keys import Keys, SigningKey, add_platform
from service.metrics import Metrics
from service.redis_store import RedisStore
from service.rest_api import build_app
from service.wire import Wire

Headers = tuple[tuple[str, str], ...]
SIGNING = SigningKey("test", b"a secret that only tests know....", "2026-01-01")


class Chance:
    """Bytes that come again in the same order after ``turn`` to the same text; what was drawn is kept."""

    def __init__(self) -> None:
        self.turn("")

    def turn(self, text: str) -> None:
        """Begin another sequence."""
        self._text = text
        self.drawn: list[bytes] = []

    def __call__(self, size: int) -> bytes:
        made = hashlib.shake_256(f"{self._text}/{len(self.drawn)}".encode()).digest(size)
        self.drawn.append(made)
        return made


class Clock:
    """Goes on by a millisecond whenever it is asked; ``turn`` sets it back."""

    def __init__(self) -> None:
        self.turn()

    def turn(self, start_us: int = 1_700_000_000_000_000) -> None:
        """Begin again at this time."""
        self.now_us = start_us

    def __call__(self) -> int:
        self.now_us += 1000
        return self.now_us


class Reply(NamedTuple):
    """Every byte of an answer: ``head`` is the status with the headers or the metadata."""

    status: int
    head: tuple[tuple[str, str | bytes], ...]
    text: str
    body: bytes

    @property
    def ok(self) -> bool:
        """True unless it is a refusal: gRPC counts from 0, HTTP from 100."""
        return self.status == 0 or 100 <= self.status < 400


class Inner:
    """A service in this process; ``key`` is a platform key with every scope, ``log`` its log so far."""

    def __init__(self, store: RedisStore, games: Iterable[AnyGame]) -> None:
        registry = Registry(games)
        self.chance, self.clock = Chance(), Clock()
        self.keys, self.key = add_platform(Keys((SIGNING,)), "test", tuple(sorted(ALL_SCOPES)))
        self.credentials = Credentials(self.keys, clock=lambda: self.clock() / 1e6)
        self.app = App(
            registry,
            store,
            self.credentials,
            rules=CreateRules(allow_seed=True, allow_position=True),
            clock_us=self.clock,
            entropy=self.chance,
        )
        self._log = io.StringIO()
        logger, self._stream = logs.set_up("info", "json", self._log)
        wire = Wire(registry.games, KEPT)
        metrics = Metrics()
        dispatch = Dispatch(self.app, wire, self.credentials, metrics, logger)
        end_when_all_is_told(self.app)
        methods = grpc_api.SERVICE.methods
        self._unary = {m.name: grpc_api._rpc(m.name, dispatch) for m in methods if not m.server_streaming}
        self._streams = {m.name: grpc_api._stream(m.name, dispatch) for m in methods if m.server_streaming}
        self._asgi = build_app(dispatch, ready=_ready, metrics=metrics.page, authenticate=dispatch.authenticate)

    @property
    def log(self) -> str:
        """Everything logged."""
        self._stream.drain()
        return self._log.getvalue()

    async def rpc(self, name: str, request: Message | bytes, token: str | None = None) -> Reply:
        """A call as the gRPC adapter gets it from its transport."""
        payload = request if isinstance(request, bytes) else request.SerializeToString()
        context = _Context((("authorization", f"Bearer {self.key if token is None else token}"),))
        try:
            if name not in self._streams:
                return Reply(0, (), "", await self._unary[name](payload, context))
            await self._streams[name](payload, context)
            return Reply(0, (), "", framed(context.written))
        except _Aborted as aborted:
            return aborted.reply._replace(body=framed(context.written))

    async def http(
        self, verb: str, target: str, body: bytes = b"", token: str | None = None, headers: Headers = ()
    ) -> Reply:
        """A request as the REST adapter gets it from its server. ``target`` is percent-encoded already."""
        path, _, query = target.partition("?")
        fields = {"authorization": f"Bearer {self.key if token is None else token}", "content-type": "application/json"}
        raw = [(name.encode(), text.encode("latin-1")) for name, text in (fields | dict(headers)).items()]
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": verb,
            "path": unquote(path),
            "raw_path": path.encode("latin-1"),
            "query_string": query.encode("latin-1"),
            "headers": raw,
        }
        events = iter([{"type": "http.request", "body": body}])
        sent: list[Any] = []

        async def receive() -> Any:
            event = next(events, None)
            return event if event is not None else await asyncio.Event().wait()

        async def send(event: Any) -> None:
            sent.append(event)

        await self._asgi(scope, receive, send)
        start, *rest = sent
        answer = b"".join(part.get("body", b"") for part in rest)
        told = tuple((name.decode("latin-1"), text.decode("latin-1")) for name, text in start["headers"])
        return Reply(start["status"], told, "", answer)


def end_when_all_is_told(app: App) -> None:
    """Let streams end where they would wait for a commit, so that all they tell can be compared."""

    async def refuse(*_: object) -> None:
        raise Refusal(Reason.DRAINING, "that was all")

    app._watch._wait = refuse  # type: ignore[method-assign, assignment]


def framed(messages: list[bytes]) -> bytes:
    """The messages of a stream, each with its length."""
    return b"".join(len(message).to_bytes(4, "big") + message for message in messages)


class _Aborted(Exception):  # noqa: N818 - what a transport does with it
    def __init__(self, reply: Reply) -> None:
        super().__init__(reply.text)
        self.reply = reply


class _Context:
    """The part of a servicer context that the adapter uses."""

    def __init__(self, metadata: tuple[tuple[str, str], ...]) -> None:
        self._metadata = metadata
        self.written: list[bytes] = []

    async def write(self, message: bytes) -> None:
        self.written.append(message)

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return self._metadata

    async def abort(self, code: grpc.StatusCode, details: str, trailing_metadata: Any) -> NoReturn:
        metadata = tuple((str(key), value) for key, value in trailing_metadata)
        raise _Aborted(Reply(int(code.value[0]), metadata, details, b""))


async def _ready() -> bool | str:
    return True


@asynccontextmanager
async def inner(url: str, games: Iterable[AnyGame]) -> AsyncIterator[Inner]:
    """A service on the store at the URL, until the block ends."""
    store = await RedisStore.open(url)
    try:
        yield Inner(store, games)
    finally:
        await store.close()
