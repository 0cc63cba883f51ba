"""CORS for an exact list of origins. Never with credentials: a token stands in a header that the page itself sets."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

ANY = "*"
_EXPOSED = "ETag, Retry-After, WWW-Authenticate, X-Request-Id"
_METHODS = "DELETE, GET, HEAD, PATCH, POST, PUT"
_REQUEST_HEADERS = "Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, X-Request-Id"
_MAX_AGE = "600"


class Cors:
    """ASGI middleware that lets pages of the listed origins read answers; with ``*``, of every origin."""

    def __init__(self, app: ASGIApp, origins: tuple[str, ...]) -> None:
        self._app = app
        self._any = ANY in origins
        self._origins = frozenset(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a preflight, or add the headers to whatever the application answers."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        allowed = self._headers(headers.get(b"origin", b"").decode("latin-1"))
        if scope["method"] == "OPTIONS" and b"origin" in headers and b"access-control-request-method" in headers:
            await send({"type": "http.response.start", "status": 204, "headers": _preflight(allowed)})
            await send({"type": "http.response.body", "body": b""})
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message["headers"], *allowed]}
            await send(message)

        await self._app(scope, receive, send_with_headers)

    def _headers(self, origin: str) -> list[tuple[bytes, bytes]]:
        """What an answer says to a page of this origin; whoever is not listed learns nothing."""
        if self._any:
            return _raw({"access-control-allow-origin": ANY, "access-control-expose-headers": _EXPOSED})
        if origin in self._origins:
            named = {"access-control-allow-origin": origin, "access-control-expose-headers": _EXPOSED}
            return _raw({**named, "vary": "Origin"})
        return _raw({"vary": "Origin"})


def _preflight(allowed: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    if not any(name == b"access-control-allow-origin" for name, _ in allowed):
        return allowed
    return allowed + _raw(
        {
            "access-control-allow-methods": _METHODS,
            "access-control-allow-headers": _REQUEST_HEADERS,
            "access-control-max-age": _MAX_AGE,
        }
    )


def _raw(headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
