"""What the REST adapter says and hears in HTTP itself: answers, errors, entity tags, bodies, disconnects."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, MutableMapping
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from google.protobuf import json_format

from service.errors import Code, Reason, Refusal, malformed
from service.status import retry_after_seconds, to_status

Scope = MutableMapping[str, Any]
Event = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]
Headers = tuple[tuple[str, str], ...]

JSON = "application/json"
NDJSON = "application/x-ndjson"
EVENTS = "text/event-stream"
TICKET = "ticket"
"""The parameter of a query that stands in for a credential."""
NO_STORE = ("cache-control", "no-store")
CLOSE: Headers = (("connection", "close"),)
"""For answers to a body that was not read to its end."""
SECURITY: Headers = (
    ("x-content-type-options", "nosniff"),
    ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
    ("referrer-policy", "no-referrer"),
)
_INVALID_TOKEN = {Reason.TOKEN_INVALID, Reason.TOKEN_EXPIRED, Reason.TOKEN_REVOKED}
_ENTITY_TAG = re.compile(r'(?:W/)?"([\x21\x23-\x7e\x80-\xff]*)"')
_TAG_TEXT = re.compile(r"[\x21\x23-\x7e]+")
_WATCH_AFTER = 0.05
"""Seconds until a call is watched for a disconnect: most are answered before, and then it costs nothing."""


class Disconnected(Exception):  # noqa: N818 - nobody's mistake
    """The client is gone; there is nobody to answer."""


class Answer(msgspec.Struct, frozen=True):
    """An HTTP answer."""

    status: int
    body: bytes
    headers: Headers = ()
    content_type: str = JSON

    async def send(self, send: Send, *, head: bool = False, extra: Headers = ()) -> None:
        """Send it; for HEAD without the body, and with the length that the body would have."""
        fields: list[tuple[str, str]] = [*self.headers, *SECURITY, *extra]
        if self.status not in (204, 304):
            fields += [("content-type", self.content_type), ("content-length", str(len(self.body)))]
        await send({"type": "http.response.start", "status": self.status, "headers": raw_headers(fields)})
        await send({"type": "http.response.body", "body": b"" if head else self.body})


def raw_headers(fields: Iterable[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    """Headers as ASGI wants them."""
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in fields]


class HttpRefusal(Refusal):
    """A refusal for which HTTP has a finer word than the table (405, 415), or headers of its own."""

    def __init__(self, reason: Reason, message: str, *, http: int | None = None, headers: Headers = ()) -> None:
        super().__init__(reason, message)
        self.http = http
        self.headers = headers


def error_answer(refusal: Refusal) -> Answer:
    """The AIP-193 body of a refusal."""
    code = refusal.status.http
    headers: Headers = (NO_STORE,)
    if isinstance(refusal, HttpRefusal):
        code, headers = refusal.http or code, (NO_STORE, *refusal.headers)
    retry = retry_after_seconds(refusal)
    if retry is not None:
        headers += (("retry-after", str(retry)),)
    if refusal.status.code is Code.UNAUTHENTICATED:
        invalid = ' error="invalid_token"' if refusal.reason in _INVALID_TOKEN else ""
        headers += (("www-authenticate", f"Bearer{invalid}"),)
    error = {
        "code": code,
        "message": refusal.message,
        "status": refusal.status.code.name,
        "details": json_format.MessageToDict(to_status(refusal))["details"],
    }
    return Answer(code, msgspec.json.encode({"error": error}), headers)


def entity_tag(text: str) -> str:
    """The header ``ETag`` of a message's ``etag`` field; empty if it cannot be one."""
    if _ENTITY_TAG.fullmatch(text):
        return text
    return f'"{text}"' if _TAG_TEXT.fullmatch(text) else ""


def tag_matches(condition: str, tag: str) -> bool:
    """True if ``If-None-Match`` names the tag, compared weakly (RFC 9110, 13.1.2)."""
    if condition.strip() == "*":
        return True
    opaque = tag.removeprefix("W/").strip('"')
    return opaque in _ENTITY_TAG.findall(condition)


def header(scope: Scope, name: bytes) -> str | None:
    """The value of a header that may stand there once. Raises MALFORMED_REQUEST if it stands there twice."""
    values: list[bytes] = [value for key, value in scope["headers"] if key == name]
    if len(values) > 1:
        raise malformed(name.decode(), "this header is given twice")
    return values[0].decode("latin-1") if values else None


def joined_header(scope: Scope, name: bytes) -> str:
    """The value of a header that is a list and may stand there more than once."""
    return ", ".join(value.decode("latin-1") for key, value in scope["headers"] if key == name)


async def read_body(scope: Scope, receive: Receive, limit: int, timeout: float) -> bytes:
    """The whole body. Raises PAYLOAD_TOO_LARGE as soon as it is too large, MALFORMED_REQUEST (408), Disconnected."""
    declared = joined_header(scope, b"content-length")
    if declared.isdigit() and int(declared[:20]) > limit:
        raise _too_large(limit)
    try:
        async with asyncio.timeout(timeout):
            return await _read_parts(receive, limit)
    except TimeoutError:
        text = f"the body did not come within {timeout:g} seconds"
        raise HttpRefusal(Reason.MALFORMED_REQUEST, text, http=408, headers=CLOSE) from None


async def _read_parts(receive: Receive, limit: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    while True:
        event = await receive()
        if event["type"] == "http.disconnect":
            raise Disconnected
        part: bytes = event.get("body", b"")
        size += len(part)
        if size > limit:
            raise _too_large(limit)
        parts.append(part)
        if not event.get("more_body", False):
            return b"".join(parts)


def _too_large(limit: int) -> Refusal:
    return HttpRefusal(Reason.PAYLOAD_TOO_LARGE, f"the body is larger than {limit} bytes", headers=CLOSE)


@asynccontextmanager
async def cancelled_on_disconnect(receive: Receive) -> AsyncIterator[None]:
    """Cancel what runs inside when the client goes away, and raise Disconnected then."""
    task = asyncio.current_task()
    assert task is not None  # noqa: S101 - for the type checker: a coroutine runs in a task
    gone = False

    async def watch() -> None:
        nonlocal gone
        while (await receive())["type"] != "http.disconnect":
            pass
        gone = True
        task.cancel()

    watcher: list[asyncio.Task[None]] = []
    timer = asyncio.get_running_loop().call_later(_WATCH_AFTER, lambda: watcher.append(asyncio.create_task(watch())))
    try:
        yield
    except asyncio.CancelledError:
        if gone and task.uncancel() == 0:
            raise Disconnected from None
        raise
    finally:
        timer.cancel()
        for running in watcher:
            running.cancel()
