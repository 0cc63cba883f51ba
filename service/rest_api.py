"""The REST side: an ASGI application whose routes, requests and answers all come from the descriptors.

It parses nothing by hand and decides nothing: a request becomes the bytes that gRPC would have carried, the handler
answers them, and refusals go through the one table. Beside the API: ``/healthz``, ``/readyz``, ``/metrics`` and
``/v1/openapi.json``.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import structlog
from google.protobuf.descriptor import ServiceDescriptor
from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.middleware import Middleware

from rookery.v1 import game_service_pb2
from service.calls import TICKETS, Call, Handler
from service.errors import Reason, Refusal, malformed
from service.http_rules import Match, Route, RouteTable, routes_of
from service.json_codec import AnswerWriter
from service.rest_cors import Cors
from service.rest_http import (
    JSON,
    NO_STORE,
    Answer,
    Disconnected,
    Headers,
    HttpRefusal,
    Receive,
    Scope,
    Send,
    cancelled_on_disconnect,
    entity_tag,
    error_answer,
    header,
    joined_header,
    read_body,
    tag_matches,
)
from service.rest_probes import Metrics, Probe, Ready, probes
from service.rest_request import build_request
from service.rest_stream import Forms, StreamAnswer, resume, take_ticket
from service.trace import clean_id, place

Authenticate = Callable[[Call], Awaitable[None]]
"""Raises the refusal of a call without a good credential, and looks at nothing else."""

Refused = Callable[[Call, Refusal], None]
"""Told of every refusal of a call that the handler never saw, so that it can be counted."""

MAX_BODY = 1 << 20
_BODY_TIMEOUT = 30.0
_KEY = re.compile(r'"?([\x21\x23-\x5b\x5d-\x7e]{1,128})"?')
_CHARSETS = {"utf-8", "utf8", "us-ascii"}

log = structlog.get_logger()


def build_app(
    handler: Handler,
    *,
    ready: Ready,
    metrics: Metrics,
    cors_origins: tuple[str, ...] = (),
    max_body: int = MAX_BODY,
    authenticate: Authenticate | None = None,
    refused: Refused | None = None,
    service: ServiceDescriptor = game_service_pb2.DESCRIPTOR.services_by_name["GameService"],
) -> Starlette:
    """The ASGI application.

    ``authenticate`` is asked before a request is read, so that nobody without a credential costs much or learns what is
    wrong with it; ``refused`` is told of every refusal before the handler. ``service`` is the one whose annotations are
    served.
    """
    routes = routes_of(service)
    early = _Early(authenticate or _anybody, refused or _nobody_told)
    api = _Api(handler, RouteTable(routes), probes(routes, ready, metrics), max_body, early)
    middleware = [Middleware(Cors, origins=cors_origins)] if cors_origins else []
    app = Starlette(middleware=middleware)
    app.router.default = api  # not a Mount: its pattern knows no line breaks
    return app


class _Early(NamedTuple):
    """What happens with a refusal before the handler."""

    authenticate: Authenticate
    refused: Refused


async def _anybody(_call: Call) -> None:
    return


def _nobody_told(_call: Call, _refusal: Refusal) -> None:
    return


class _Api:
    """Everything under ``/``."""

    def __init__(
        self, handler: Handler, table: RouteTable, probes: dict[str, Probe], max_body: int, early: _Early
    ) -> None:
        self._handler = handler
        self._table = table
        self._probes = probes
        self._max_body = max_body
        self._early = early
        self._writers = {route.rpc: AnswerWriter(route.response) for route in table.routes if not route.streaming}
        self._forms = Forms()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an HTTP request; refuse a websocket."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1000})
            return
        trace = clean_id(joined_header(scope, b"x-request-id"))
        echo: Headers = (("x-request-id", trace),) if trace else ()
        try:
            answer = await self._answer(scope, receive, trace)
            await answer.send(send, head=scope["method"] == "HEAD", extra=echo)
        except Disconnected:
            return

    async def _answer(self, scope: Scope, receive: Receive, trace: str) -> Answer | StreamAnswer:
        path = scope["path"]
        try:
            if path in self._probes:
                return await self._probe(scope, self._probes[path])
            return await self._call(self._match(scope), scope, receive, trace)
        except Refusal as refusal:
            return error_answer(refusal)
        except Disconnected:
            raise
        except Exception as error:
            log.error("rest_bug", bug=place(error))  # noqa: TRY400 - the text of an error may quote a state
            return error_answer(Refusal(Reason.INTERNAL, "something went wrong on our side"))

    def _match(self, scope: Scope) -> Match:
        raw: bytes = scope["raw_path"]  # still percent-encoded; some servers add the query
        path = raw.split(b"?", 1)[0].decode("latin-1")
        match = self._table.find(scope["method"], path)
        if match is None:
            raise _no_route(self._table.allowed(path))
        return match

    @staticmethod
    async def _probe(scope: Scope, probe: Probe) -> Answer:
        if scope["method"] not in ("GET", "HEAD"):
            raise _no_route(("GET", "HEAD"))
        return await probe(scope)

    async def _call(self, match: Match, scope: Scope, receive: Receive, trace: str) -> Answer | StreamAnswer:
        route = match.route
        call, query, key = Call(route.rpc, None, "rest", trace=trace), scope["query_string"], ""
        try:
            call = replace(call, authorization=header(scope, b"authorization"))
            if route.rpc in TICKETS and call.authorization is None:
                ticket, query = take_ticket(query)
                call = replace(call, ticket=ticket)
            # First of all: to read and parse a body costs much more, and a stranger learns nothing from its mistakes.
            await self._early.authenticate(call)
            key = _idempotency_key(scope, route)
            request = await self._request(match, scope, receive, query, key)
            if route.streaming:
                resume(scope, request)
        except Refusal as refusal:
            self._early.refused(call, refusal)
            raise
        payload: bytes = request.SerializeToString()
        if route.streaming:
            return await self._stream(route, scope, receive, call, payload)
        if key:
            call = replace(call, request_id=key)
        async with cancelled_on_disconnect(receive):
            answer = await self._handler(call, payload)
        return self._success(route, scope, call, answer)

    async def _stream(self, route: Route, scope: Scope, receive: Receive, call: Call, payload: bytes) -> StreamAnswer:
        """A stream, once its first message is there."""
        form = self._forms.of(route.response, scope)
        messages = self._handler.stream(call, payload)
        try:
            async with cancelled_on_disconnect(receive):
                first = await anext(messages)
        except BaseException:
            await messages.aclose()
            raise
        return StreamAnswer(form, first, messages, receive)

    async def _request(self, match: Match, scope: Scope, receive: Receive, query: bytes, key: str) -> Any:
        """The request message."""
        body = await read_body(scope, receive, self._max_body, _BODY_TIMEOUT)
        if body and not _is_json(scope):
            text = f"the body must be {JSON} in UTF-8, without a content encoding"
            raise HttpRefusal(Reason.MALFORMED_REQUEST, text, http=415)
        message: Any = build_request(match.route, match.fields, query, body)
        if key and message.request_id not in ("", key):
            raise malformed("request_id", "is not what the header Idempotency-Key says")
        return message

    def _success(self, route: Route, scope: Scope, call: Call, payload: bytes) -> Answer:
        body, etag = self._writers[route.rpc](payload)
        store = NO_STORE if call.authorization is not None else ("cache-control", "no-cache")
        headers: Headers = (store, ("vary", "Authorization"))
        tag = entity_tag(etag) if route.verb == "GET" else ""
        if not tag:
            return Answer(200, body, headers)
        headers = (*headers, ("etag", tag))
        if tag_matches(joined_header(scope, b"if-none-match"), tag):
            return Answer(304, b"", headers)
        return Answer(200, body, headers)


def _no_route(allowed: tuple[str, ...]) -> Refusal:
    if not allowed:
        return Refusal(Reason.METHOD_NOT_FOUND, "there is no such path")
    names = ", ".join(allowed)
    return HttpRefusal(Reason.METHOD_NOT_FOUND, f"this path knows {names}", http=405, headers=(("allow", names),))


def _idempotency_key(scope: Scope, route: Route) -> str:
    """The header as a request id, for methods that know one; bare or, as its draft standard says, in quotes."""
    value = header(scope, b"idempotency-key")
    if value is None or "request_id" not in route.request.fields_by_name:
        return ""
    found = _KEY.fullmatch(value)
    if found is None:
        raise malformed("request_id", "the header Idempotency-Key must be 1 to 128 visible characters")
    return found[1]


def _is_json(scope: Scope) -> bool:
    media, _, parameters = joined_header(scope, b"content-type").lower().partition(";")
    if media.strip() != JSON or joined_header(scope, b"content-encoding").lower() not in ("", "identity"):
        return False
    named = (parameter.partition("=") for parameter in parameters.split(";"))
    return all(value.strip().strip('"') in _CHARSETS for name, _, value in named if name.strip() == "charset")
