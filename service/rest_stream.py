"""Streams over HTTP, in two forms: lines of JSON, and Server-Sent Events for whoever asks for them.

A form turns each message of the stream into its bytes. What the messages mean, it reads from the descriptor: the arms
of the only ``oneof`` are the kinds of event, and an event's id is where a client resumes behind it.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any, Protocol
from urllib.parse import unquote_to_bytes

import msgspec
import structlog
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import DecodeError
from google.protobuf.message_factory import GetMessageClass

from service.errors import Reason, Refusal, malformed
from service.json_writer import message_writer
from service.recent import Recent
from service.rest_http import (
    EVENTS,
    NDJSON,
    NO_STORE,
    SECURITY,
    TICKET,
    Headers,
    Receive,
    Scope,
    Send,
    cancelled_on_disconnect,
    error_answer,
    header,
    joined_header,
    raw_headers,
)
from service.trace import place

LAST_EVENT_ID = b"last-event-id"
_HEADERS: Headers = (NO_STORE, ("x-accel-buffering", "no"), ("vary", "Accept, Authorization"))
_RESUME = ("after_version", "cursor")
_LONGEST_ID = 1024
# Behind the end nothing follows, but an event source that nobody closes comes back, unless it is told to wait: a day.
_LATE = b"retry: 86400000\n"

log = structlog.get_logger()


class Form(Protocol):
    """How messages are written."""

    content_type: str

    def message(self, payload: bytes) -> bytes:
        """A message of the stream. Equal ones are written once for all who read them at that time."""
        ...

    def error(self, body: bytes) -> bytes:
        """The end of a stream that was refused, ``body`` being the JSON of the refusal."""
        ...


class Lines:
    """Every message is a line of JSON."""

    content_type = NDJSON

    def __init__(self, response: Descriptor) -> None:
        self._parse: Callable[[bytes], Any] = GetMessageClass(response).FromString
        self._write = message_writer(response)
        self._written: Recent[bytes, bytes] = Recent()

    def message(self, payload: bytes) -> bytes:
        """The whole message."""
        return self._written.get(payload, lambda: msgspec.json.encode(self._write(self._parse(payload))) + b"\n")

    def error(self, body: bytes) -> bytes:
        """A line with the key ``error``."""
        return body + b"\n"


class ServerSentEvents:
    """Every message is an event, named after its arm."""

    content_type = EVENTS

    def __init__(self, response: Descriptor) -> None:
        self._parse: Callable[[bytes], Any] = GetMessageClass(response).FromString
        (self._kinds,) = response.oneofs
        self._written: Recent[bytes, bytes] = Recent()
        self._writers = {field.name: message_writer(_message_of(field)) for field in self._kinds.fields}

    def message(self, payload: bytes) -> bytes:
        """The arm alone: its name is the event's."""
        return self._written.get(payload, lambda: self._write(payload))

    def _write(self, payload: bytes) -> bytes:
        message = self._parse(payload)
        kind = message.WhichOneof(self._kinds.name)
        inner = getattr(message, kind)
        data = msgspec.json.encode(self._writers[kind](inner))
        pause = _LATE if kind == "ended" else b""
        return b"id: %b\nevent: %b\n%bdata: %b\n\n" % (_position(message, inner).encode(), kind.encode(), pause, data)

    def error(self, body: bytes) -> bytes:
        """An event without an id: a client resumes behind the last one that had one."""
        return b"event: error\ndata: %b\n\n" % body


class Forms:
    """The forms of the streaming methods of one service."""

    def __init__(self) -> None:
        self._made: dict[tuple[str, type[Lines | ServerSentEvents]], Form] = {}

    def of(self, response: Descriptor, scope: Scope) -> Form:
        """The form that the header ``Accept`` asks for."""
        kind = ServerSentEvents if wants_events(joined_header(scope, b"accept")) else Lines
        key = (response.full_name, kind)
        if key not in self._made:
            self._made[key] = kind(response)
        return self._made[key]


class StreamAnswer:
    """An HTTP answer whose body is a stream. The first message is there already: whatever refuses it is an error."""

    def __init__(self, form: Form, first: bytes, rest: AsyncGenerator[bytes, None], receive: Receive) -> None:
        self._form = form
        self._first = first
        self._rest = rest
        self._receive = receive

    async def send(self, send: Send, *, head: bool = False, extra: Headers = ()) -> None:
        """Send it to its end, or until the client goes away (Disconnected)."""
        async with aclosing(self._rest), cancelled_on_disconnect(self._receive):
            fields = (*_HEADERS, *SECURITY, *extra, ("content-type", self._form.content_type))
            await send({"type": "http.response.start", "status": 200, "headers": raw_headers(fields)})
            if not head:
                await self._send_body(send)
            await send({"type": "http.response.body", "body": b""})

    async def _send_body(self, send: Send) -> None:
        async def put(part: bytes) -> None:
            await send({"type": "http.response.body", "body": part, "more_body": True})

        try:
            await put(self._form.message(self._first))
            async for payload in self._rest:
                await put(self._form.message(payload))
        except Refusal as refusal:
            await put(self._form.error(error_answer(refusal).body))
        except DecodeError as error:
            log.error("rest_bug", bug=place(error))  # noqa: TRY400 - the text of an error may quote a state
            unreadable = Refusal(Reason.INTERNAL, "the answer could not be read")
            await put(self._form.error(error_answer(unreadable).body))


def wants_events(accept: str) -> bool:
    """Whether Server-Sent Events are asked for, and not less than lines of JSON."""
    weights = dict(map(_weighed, accept.lower().split(",")))
    return weights.get(EVENTS, 0.0) > 0 and weights[EVENTS] >= weights.get(NDJSON, 0.0)


def resume(scope: Scope, request: Any) -> None:
    """Let the header ``Last-Event-ID``, if it is there, say where to resume. Raises MALFORMED_REQUEST."""
    said = header(scope, LAST_EVENT_ID)
    field = next((name for name in _RESUME if name in request.DESCRIPTOR.fields_by_name), None)
    if not said or field is None:
        return
    if len(said) > _LONGEST_ID or not said.isascii():
        raise malformed(field, "is not what the header Last-Event-ID can say")
    if request.DESCRIPTOR.fields_by_name[field].type == FieldDescriptor.TYPE_STRING:
        setattr(request, field, said)
    elif said.isdigit() and int(said) < 1 << 31:
        setattr(request, field, int(said))
    else:
        raise malformed(field, "the header Last-Event-ID must be a version")


def take_ticket(query: bytes) -> tuple[str, bytes]:
    """The ticket of a query, and the query without it. Two tickets are none: together they are no good."""
    name = f"{TICKET}=".encode()
    parts = query.split(b"&")
    tickets = [unquote_to_bytes(part.removeprefix(name)).decode("latin-1") for part in parts if part.startswith(name)]
    return ",".join(tickets), b"&".join(part for part in parts if not part.startswith(name))


def _weighed(part: str) -> tuple[str, float]:
    media, *parameters = (word.strip() for word in part.split(";"))
    for parameter in parameters:
        if parameter.startswith("q="):
            try:
                return media, float(parameter[2:])
            except ValueError:
                return media, 0.0
    return media, 1.0


def _position(message: Any, inner: Any) -> str:
    """Where a client resumes behind this message."""
    if "cursor" in message.DESCRIPTOR.fields_by_name:
        return str(message.cursor)
    holder = inner if "version" in inner.DESCRIPTOR.fields_by_name else inner.view
    return str(holder.version)


def _message_of(field: FieldDescriptor) -> Descriptor:
    assert field.message_type is not None  # noqa: S101 - for the type checker: the arms of a stream are messages
    return field.message_type
