"""Where the store is: a Redis URL, taken apart once, and how to open a socket to it."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable, Mapping
from typing import Any, Final, Self, TypeVar

import msgspec
from redis.connection import parse_url

_Spoken = TypeVar("_Spoken", bound=asyncio.Protocol)

DEFAULT_PORT: Final = 6379
CONNECT_TIMEOUT: Final = 2.0
"""Seconds for one attempt: name look-up, connect and TLS handshake together."""

_PLAIN_OPTIONS: Final = frozenset({"connection_class", "host", "port", "path", "db", "username", "password"})
# What operators may carry over from a redis-py URL: our own limits take the place of the first group.
_IGNORED_OPTIONS: Final = frozenset(
    {"protocol", "socket_timeout", "socket_connect_timeout", "socket_keepalive", "health_check_interval"}
)
_TLS_OPTIONS: Final = frozenset(
    {
        "ssl_ca_certs",
        "ssl_ca_path",
        "ssl_cert_reqs",
        "ssl_certfile",
        "ssl_check_hostname",
        "ssl_keyfile",
        "ssl_min_version",
        "ssl_password",
    }
)
_CERT_REQS: Final[Mapping[str, ssl.VerifyMode]] = {
    "none": ssl.CERT_NONE,
    "optional": ssl.CERT_OPTIONAL,
    "required": ssl.CERT_REQUIRED,
}


class Endpoint(msgspec.Struct, frozen=True, kw_only=True):
    """One server: a unix socket when ``path`` is set, else TCP, with TLS when ``tls`` is set.

    Its ``str()`` is safe for logs: no user, no password.
    """

    host: str = "localhost"
    port: int = DEFAULT_PORT
    path: str | None = None
    username: str | None = None
    password: str | None = None
    db: int = 0
    tls: ssl.SSLContext | None = None

    @classmethod
    def parse(cls, url: str) -> Self:
        """Read ``redis://``, ``rediss://`` or ``unix://`` URLs; ValueError (without the URL) on anything else."""
        options: dict[str, Any] = dict(parse_url(url))  # type: ignore[no-untyped-call]
        strange = set(options) - _PLAIN_OPTIONS - _IGNORED_OPTIONS - _TLS_OPTIONS
        if strange:
            raise ValueError(f"the store's URL has an option that is not supported: {', '.join(sorted(strange))}")
        scheme = url.partition(":")[0].lower()
        if scheme == "unix" and not options.get("path"):
            raise ValueError("a unix:// store URL needs the path of a socket: unix:///path/to/socket")
        return cls(
            host=options.get("host", "localhost"),
            port=options.get("port", DEFAULT_PORT),
            path=options.get("path") if scheme == "unix" else None,
            username=options.get("username"),
            password=options.get("password"),
            db=options.get("db", 0),
            tls=_tls_context(options) if scheme == "rediss" else None,
        )

    def __str__(self) -> str:
        if self.path is not None:
            return f"unix socket {self.path}"
        return f"{self.host}:{self.port}{' with TLS' if self.tls else ''}"

    async def connect(self, factory: Callable[[], _Spoken]) -> _Spoken:
        """Open the socket and give it to a new protocol; OSError (TimeoutError included) when that fails."""
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(CONNECT_TIMEOUT):
            if self.path is not None:
                return (await loop.create_unix_connection(factory, self.path))[1]
            return (await loop.create_connection(factory, self.host, self.port, ssl=self.tls))[1]

    def greeting(self, client_name: str) -> tuple[tuple[str | bytes | int, ...], ...]:
        """The commands that make a fresh connection ours; the last one fails while the server loads its data."""
        hello: tuple[str | bytes | int, ...] = ("HELLO", 3)
        if self.password is not None:
            hello += ("AUTH", self.username or "default", self.password)
        hello += ("SETNAME", client_name)
        select: tuple[tuple[str | bytes | int, ...], ...] = (("SELECT", self.db),) if self.db else ()
        return (hello, *select, ("PING",))


def _tls_context(options: Mapping[str, Any]) -> ssl.SSLContext:
    """Verify the server and its name unless the URL says otherwise, as redis-py does."""
    context = ssl.create_default_context(
        cafile=options.get("ssl_ca_certs"),
        capath=options.get("ssl_ca_path"),
    )
    wanted = str(options.get("ssl_cert_reqs", "required")).lower()
    if wanted not in _CERT_REQS:
        raise ValueError("ssl_cert_reqs in the store's URL is none, optional or required")
    # The name must be given up before the certificate can be.
    context.check_hostname = wanted != "none" and bool(options.get("ssl_check_hostname", True))
    context.verify_mode = _CERT_REQS[wanted]
    if "ssl_min_version" in options:
        context.minimum_version = ssl.TLSVersion(options["ssl_min_version"])
    if "ssl_certfile" in options:
        context.load_cert_chain(options["ssl_certfile"], options.get("ssl_keyfile"), options.get("ssl_password"))
    return context
