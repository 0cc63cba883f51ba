"""From a call's bytes to the use case and back: authenticate, decode, run, encode, count, log; alike for every RPC."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, contextmanager
from functools import partial
from typing import Any

import msgspec
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from structlog.typing import FilteringBoundLogger

from rookery.v1 import game_service_pb2
from service import resources, resources_live, resources_types, trace
from service.app import App
from service.callers import Caller, Platform
from service.calls import OPEN, Call
from service.credentials import Credentials
from service.errors import Reason, Refusal, malformed
from service.metrics import Metrics
from service.recent import Recent
from service.wire import Codec, Malformed, Wire

SERVICE = game_service_pb2.DESCRIPTOR.services_by_name["GameService"]
# Their messages are made once per value: the same offers, seats and labels come again and again.
KEPT = (resources.Offer, resources.Seat, resources.Label)

STALLED_SECONDS = 60.0
"""A consumer of a stream that takes nothing for so long is let go."""


class Method(msgspec.Struct, frozen=True):
    """One RPC: its messages, their codecs, and the use case, which gives an awaitable or, streaming, a generator."""

    name: str
    request: type[Message]
    decode: Callable[[Any, str], Any]
    encode: Callable[[Any], bytes]
    run: Callable[[Any, Any], Any]
    open: bool


class Dispatch:
    """The ``Handler`` of both adapters."""

    def __init__(  # one object per process, made by main
        self,
        app: App,
        wire: Wire,
        credentials: Credentials,
        metrics: Metrics,
        log: FilteringBoundLogger,
        largest: int = 1 << 20,
    ) -> None:
        self._app = app
        self._credentials = credentials
        self._metrics = metrics
        self._log = log
        self._largest = largest
        self._methods = {method.name: _method(app, wire, method) for method in SERVICE.methods}
        self._sent: Recent[int, tuple[Any, bytes]] = Recent()
        self._running: set[asyncio.Task[Any] | None] = set()
        self._cut = False
        self._idle = asyncio.Event()
        self._idle.set()

    async def __call__(self, call: Call, payload: bytes) -> bytes:
        """Answer a call. Raises Refusal and nothing else, besides being cancelled."""
        began = time.perf_counter()
        notes = trace.begin()
        reason = "OK"
        task = self._enter()
        try:
            if self._app.draining.is_set():
                raise _draining()
            return await self._answer(call, payload, notes)
        except BaseException as error:
            reason, told = self._outcome(error, notes)
            raise told from None
        finally:
            self._leave(task)
            seconds = time.perf_counter() - began
            self._metrics.call(call.rpc, call.transport, reason, seconds)
            self._write(call, notes, reason, seconds)

    async def stream(self, call: Call, payload: bytes) -> AsyncGenerator[bytes, None]:
        """Answer a call with messages, each made when it is asked for. Raises Refusal, besides being cancelled.

        Whoever takes no message for ``STALLED_SECONDS`` is cancelled: it holds a place that others may need.
        """
        began = time.perf_counter()
        notes = trace.begin()
        reason = "OK"
        task = self._enter()
        self._metrics.stream(call.rpc, call.transport, 1)
        told = 0
        try:
            if self._app.draining.is_set():
                raise _draining()
            async with aclosing(self._messages(call, payload, notes)) as messages:
                async for message in messages:
                    told += 1
                    with _impatient(task):
                        yield message
        except BaseException as error:
            reason, said = self._outcome(error, notes)
            raise said from None
        finally:
            self._leave(task)
            seconds = time.perf_counter() - began
            self._metrics.stream(call.rpc, call.transport, -1)
            self._metrics.call(call.rpc, call.transport, reason, seconds)
            self._write(call, {**notes, "messages": told}, reason, seconds)

    def _outcome(self, error: BaseException, notes: dict[str, object]) -> tuple[str, BaseException]:
        """How a call ended, as the figures name it, and what the caller is told."""
        if isinstance(error, Refusal):
            return error.reason.value, error
        if isinstance(error, asyncio.CancelledError) and self._cut:
            return Reason.DRAINING.value, _draining()
        if not isinstance(error, Exception):
            return "CANCELLED", error
        # The kind and place of a bug are for our log; its text may quote a state, so it goes nowhere.
        notes["bug"] = trace.place(error)
        told = Refusal(Reason.INTERNAL, "something went wrong inside; the game is untouched")
        return Reason.INTERNAL.value, told

    async def authenticate(self, call: Call) -> None:
        """Return if the call may learn what is wrong with its form. Raises the refusals of a wrong credential."""
        method = self._methods.get(call.rpc)
        if call.ticket:
            self._credentials.read_ticket(call.ticket)
        elif method is None or not method.open:
            await self._credentials.authenticate(call.authorization)

    def refused(self, call: Call, refusal: Refusal) -> None:
        """Count and log a call that an adapter refused before it could be handed over."""
        self._metrics.call(call.rpc, call.transport, refusal.reason.value, 0.0)
        self._write(call, {}, refusal.reason.value, 0.0)

    async def _messages(self, call: Call, payload: bytes, notes: dict[str, object]) -> AsyncGenerator[bytes, None]:
        """The messages of a stream. It ends when the credential that began it does."""
        method = self._method(call)
        caller = await (self._redeem(call.ticket, notes) if call.ticket else self._authenticate(call, notes))
        async with aclosing(method.run(caller, self._read(method, call, payload))) as responses:
            async for response in responses:
                if call.ticket:
                    self._credentials.check(caller)
                else:
                    await self._credentials.authenticate(call.authorization)
                # By identity: the same message goes to all who watch the same.
                _, message = self._sent.get(id(response), partial(_encoded, method, response))
                yield message

    async def _redeem(self, ticket: str, notes: dict[str, object]) -> Caller:
        """The caller of a ticket, which is used up by it. Raises TOKEN_INVALID and TOKEN_EXPIRED."""
        read = self._credentials.read_ticket(ticket)
        await self._app.redeem(read.caller.tenant, read.name)
        notes["tenant"] = read.caller.tenant
        return read.caller

    async def _authenticate(self, call: Call, notes: dict[str, object]) -> Caller:
        caller = await self._credentials.authenticate(call.authorization)
        notes["tenant"] = caller.tenant
        if isinstance(caller, Platform):
            notes["key"] = caller.key_id
        return caller

    async def _answer(self, call: Call, payload: bytes, notes: dict[str, object]) -> bytes:
        method = self._method(call)
        caller = None
        if not method.open:
            caller = await self._authenticate(call, notes)
        request = self._read(method, call, payload)
        response = await method.run(caller, request)
        blob = method.encode(response)
        self._metrics.answer(response, len(blob))
        return blob

    def _method(self, call: Call) -> Method:
        method = self._methods.get(call.rpc)
        if method is None:
            raise Refusal(Reason.METHOD_NOT_FOUND, "there is no such method")
        return method

    def _read(self, method: Method, call: Call, payload: bytes) -> Any:
        if len(payload) > self._largest:
            raise Refusal(Reason.PAYLOAD_TOO_LARGE, f"a request has at most {self._largest} bytes")
        message = method.request()
        try:
            message.ParseFromString(payload)
        except DecodeError:
            raise malformed("request", f"is no {method.request.DESCRIPTOR.full_name}") from None
        try:
            request = method.decode(message, "")
        except Malformed as error:
            reason = Reason.MALFORMED_MOVE if error.field.startswith(("move.", "moves")) else Reason.MALFORMED_REQUEST
            reason = Reason.INVALID_OPTIONS if error.field.startswith("options.") else reason
            raise malformed(error.field, error.description, reason) from None
        return _with_key(request, call.request_id)

    def _write(self, call: Call, notes: dict[str, object], reason: str, seconds: float) -> None:
        write = self._log.error if reason == Reason.INTERNAL else self._log.info
        notes["request_id"] = call.trace or os.urandom(6).hex()
        write("call", rpc=call.rpc, via=call.transport, reason=reason, ms=round(seconds * 1000, 2), **notes)

    # Draining.

    def _enter(self) -> asyncio.Task[Any] | None:
        task = asyncio.current_task()
        self._running.add(task)
        self._idle.clear()
        return task

    def _leave(self, task: asyncio.Task[Any] | None) -> None:
        self._running.discard(task)
        if not self._running:
            self._idle.set()

    async def cut(self) -> None:
        """End every call that still runs with DRAINING: whoever repeats it elsewhere gets the outcome."""
        self._cut = True
        for task in self._running:
            if task is not None:
                task.cancel()
        await self._idle.wait()

    async def idle(self) -> None:
        """Return when no call is being answered."""
        await self._idle.wait()


def _method(app: App, wire: Wire, method: MethodDescriptor) -> Method:
    request, response = (struct_of(of.name) for of in (method.input_type, method.output_type))
    request_class, response_class = (GetMessageClass(of) for of in (method.input_type, method.output_type))
    reading: Codec = wire.codec(request, request_class)
    writing: Codec = wire.codec(response, response_class)
    run = getattr(app, _snake(method.name))
    return Method(method.name, request_class, reading.decode, writing.encode, run, method.name in OPEN)


@contextmanager
def _impatient(task: asyncio.Task[Any] | None) -> Iterator[None]:
    """Cancel the task if the block takes too long."""
    if task is None:
        yield
        return
    timer = asyncio.get_running_loop().call_later(STALLED_SECONDS, task.cancel)
    try:
        yield
    finally:
        timer.cancel()


def _encoded(method: Method, response: Any) -> tuple[Any, bytes]:
    """The bytes, and the message itself, so that its identity is not given to another one."""
    return response, method.encode(response)


def struct_of(name: str) -> Any:
    """The value that stands for a message."""
    return next(getattr(of, name) for of in (resources, resources_live, resources_types) if hasattr(of, name))


def _draining() -> Refusal:
    return Refusal(Reason.DRAINING, "this server is about to stop", retry_after=1)


def _snake(name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")


def _with_key(request: Any, key: str) -> Any:
    """The request with an ``Idempotency-Key`` as its request id. Raises MALFORMED_REQUEST if it has another one."""
    if not key or not hasattr(request, "request_id"):
        return request
    if request.request_id not in ("", key):
        raise malformed("request_id", "differs from the Idempotency-Key")
    return msgspec.structs.replace(request, request_id=key)
