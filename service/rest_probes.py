"""What is served beside the API: whether the process is alive and ready, its figures, and its OpenAPI document."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from functools import cache

import msgspec

from service.http_rules import Route
from service.openapi import document
from service.rest_http import NO_STORE, Answer, Headers, Scope, entity_tag, joined_header, tag_matches

Ready = Callable[[], Awaitable[bool | str]]
"""True if calls can be served; False, or the reason as text, if not."""

Metrics = Callable[[], bytes]
"""The figures in Prometheus' text format."""

Probe = Callable[[Scope], Awaitable[Answer]]
"""Answers a GET."""

_METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"


def probes(routes: tuple[Route, ...], ready: Ready, metrics: Metrics) -> dict[str, Probe]:
    """What answers GET at which path."""

    @cache
    def openapi() -> tuple[bytes, str]:
        body = document(routes)
        return body, entity_tag(hashlib.sha256(body).hexdigest()[:32])

    async def healthz(_scope: Scope) -> Answer:
        return Answer(200, msgspec.json.encode({"status": "alive"}), (NO_STORE,))

    async def readyz(_scope: Scope) -> Answer:
        reason = await _why_not_ready(ready)
        if not reason:
            return Answer(200, msgspec.json.encode({"status": "ready"}), (NO_STORE,))
        return Answer(503, msgspec.json.encode({"status": "not ready", "reason": reason}), (NO_STORE,))

    async def figures(_scope: Scope) -> Answer:
        return Answer(200, metrics(), (NO_STORE,), _METRICS_TYPE)

    async def description(scope: Scope) -> Answer:
        body, tag = openapi()
        headers: Headers = (("etag", tag), ("cache-control", "no-cache"))
        unchanged = tag_matches(joined_header(scope, b"if-none-match"), tag)
        return Answer(304, b"", headers) if unchanged else Answer(200, body, headers)

    return {"/healthz": healthz, "/readyz": readyz, "/metrics": figures, "/v1/openapi.json": description}


async def _why_not_ready(ready: Ready) -> str:
    """Empty if ready. A check that breaks is a reason too."""
    try:
        state = await ready()
    except Exception as error:
        return f"the check failed: {type(error).__name__}"
    if isinstance(state, str):
        return state
    return "" if state else "not ready"
