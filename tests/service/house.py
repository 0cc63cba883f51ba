"""The whole service inside the test's own process: real store, real sockets, but games, time and chance are the test's.

For what a test must decide itself: another registry, a clock that stands still, ids that come again. Tests of the
process (signals, kills, flags) use ``live.py``.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import io
import itertools
import os
import socket
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Any

import httpx
import uvicorn

from engine.core import AnyGame, Registry
from service import grpc_api, logs
from service.app import App
from service.callers import ALL_SCOPES
from service.create import CreateRules
from service.credentials import Credentials
from service.dispatch import KEPT, Dispatch
from service.keys import Keys, SigningKey, add_platform
from service.metrics import Metrics
from service.redis_store import RedisStore
from service.rest_api import build_app
from service.store import Store
from service.wire import Wire
from tests.service.live import Rpc
from tests.service.store.harness import now_us

SIGNING = SigningKey("test", b"a secret that only tests know....", "2026-01-01")


def counted_entropy(seed: str) -> Callable[[int], bytes]:
    """Bytes that come again in the same order for the same seed."""
    numbers = itertools.count()

    def entropy(size: int) -> bytes:
        return hashlib.shake_256(f"{seed}{next(numbers)}".encode()).digest(size)

    return entropy


def standing_clock(start_us: int = 1_700_000_000_000_000) -> Callable[[], int]:
    """A clock that goes on by a millisecond whenever it is asked."""
    ticks = itertools.count()
    return lambda: start_us + next(ticks) * 1000


class House:
    """A service that runs here. ``key`` is a platform key of the tenant ``test`` with every scope."""

    def __init__(self, app: App, credentials: Credentials, keys: Keys, key: str, log: io.StringIO) -> None:
        self.app = app
        self.credentials = credentials
        self.keys = keys
        self.key = key
        self.log = log
        self.metrics = Metrics()
        self.grpc = ""
        self.http = ""

    def rest(self, token: str | None = None) -> httpx.AsyncClient:
        """A REST client with the token; without one, the platform's."""
        headers = {"authorization": f"Bearer {token or self.key}"}
        return httpx.AsyncClient(base_url=f"{self.http}/v1/", headers=headers, timeout=40)

    def rpc(self) -> Rpc:
        """A gRPC client."""
        return Rpc(self.grpc, self.key)

    def tenant(self, name: str, scopes: Iterable[str] = ALL_SCOPES) -> str:
        """A key of another tenant, or with fewer scopes."""
        self.keys, key = add_platform(self.keys, name, tuple(scopes))
        self.credentials.replace(self.keys)
        return key


@asynccontextmanager
async def house(
    store: Store | str,
    games: Iterable[AnyGame],
    *,
    transport: str = "grpcio",
    clock_us: Callable[[], int] = now_us,
    entropy: Callable[[int], bytes] | None = None,
    rules: CreateRules | None = None,
    clock_grace: float = 0.0,
    **more: Any,
) -> AsyncIterator[House]:
    """Serve until the block ends. ``store`` may be a URL."""
    registry = Registry(games)
    opened = await RedisStore.open(store) if isinstance(store, str) else None
    keys, key = add_platform(Keys((SIGNING,)), "test", tuple(sorted(ALL_SCOPES)))
    credentials = Credentials(keys, clock=lambda: clock_us() / 1e6, **more)
    metrics = Metrics()
    app = App(
        registry,
        opened or store,  # type: ignore[arg-type] # one of the two
        credentials,
        rules=rules or CreateRules(allow_seed=True, allow_position=True),
        meter=metrics,
        clock_grace=clock_grace,
        clock_us=clock_us,
        entropy=entropy or os.urandom,
    )
    log = io.StringIO()
    logger, stream = logs.set_up("info", "json", log)
    wire = Wire(registry.games, KEPT)
    dispatch = Dispatch(app, wire, credentials, metrics, logger)
    made = House(app, credentials, keys, key, log)
    made.metrics = metrics
    server = grpc_api.bind("127.0.0.1:0", transport, shared=False)
    await server.start(dispatch)
    made.grpc = f"127.0.0.1:{server.port}"
    # By its name: asyncio switches off Nagle's algorithm only where it reads TCP, and else each answer takes 40 ms.
    with socket.socket(proto=socket.IPPROTO_TCP) as listening:
        # Small, so that a client that stalls is noticed soon; connections inherit it.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 65536)
        listening.bind(("127.0.0.1", 0))
        made.http = f"http://127.0.0.1:{listening.getsockname()[1]}"
        async with _http(dispatch, listening, metrics):
            yield made
    await server.stop(0)
    stream.drain()
    if opened is not None:
        await opened.close()


@asynccontextmanager
async def _http(dispatch: Dispatch, listening: socket.socket, metrics: Metrics) -> AsyncIterator[None]:
    async def ready() -> bool | str:
        return True

    class Quiet(uvicorn.Server):
        capture_signals = contextlib.nullcontext  # type: ignore[assignment] # no handlers of its own

    asgi = build_app(
        dispatch, ready=ready, metrics=metrics.page, authenticate=dispatch.authenticate, refused=dispatch.refused
    )
    server = Quiet(uvicorn.Config(asgi, lifespan="off", log_config=None, access_log=False))
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started:  # noqa: ASYNC110 - uvicorn has a flag, no event
        await asyncio.sleep(0.005)
    yield
    server.should_exit = True
    await serving
