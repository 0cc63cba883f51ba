"""One server process: put the parts together, serve, drain, go."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import socket
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import jwt
import msgspec
import uvicorn
from structlog.typing import FilteringBoundLogger

from engine.core import installed
from service import grpc_api, logs
from service.app import App
from service.bot_workers import BotWorkers
from service.create import CreateRules
from service.credentials import Credentials, JwksFile, JwksUrl, KeySource
from service.dispatch import KEPT, Dispatch
from service.embedded import choose_store
from service.errors import Refusal
from service.keys import Keys, KeysUnreadable, development_keys, read_keys
from service.metrics import Metrics
from service.process import WORKER, kept, stop_signals
from service.redis_store import RedisStore
from service.rest_api import build_app
from service.rest_protocol import Protocol
from service.settings import InvalidSetting, Settings, split_address
from service.store import GameKey
from service.sweep import SweepLog
from service.wire import Wire

_KEYS_SECONDS = 2.0
_COUNT_SECONDS = 5.0
_THREADS = 256
# After the grace: for the last answers to leave.
_LAST_WORDS = 0.5
_BOTS_LEAVE = 5.0


class Keyring(msgspec.Struct, frozen=True):
    """The keys in force and where they come from; ``key_file`` holds the development key in clear."""

    keys: Keys
    file: Path
    written: tuple[int, ...]
    key_file: Path | None
    fresh: bool


def load_keyring(settings: Settings) -> Keyring:
    """The keys of ``--keys-file``, or the development keys beside the data."""
    if settings.keys_file is not None:
        try:
            # Before the keys are read: what is written in between is noticed later.
            written = _written(settings.keys_file)
            keys = read_keys(settings.keys_file)
        except FileNotFoundError:
            text = f"--keys-file: there is no {settings.keys_file}; `rookery keys create` makes one"
            raise KeysUnreadable(text) from None
        return Keyring(keys, settings.keys_file, written, None, fresh=False)
    keys, key_file, fresh = development_keys(settings.data_dir)
    return Keyring(keys, settings.data_dir / "keys.json", (), key_file, fresh)


class Server:
    """A running server. ``grpc_port`` and ``http_port`` are the real ones."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.log, self._stream = logs.set_up(settings.log_level, settings.log_format)
        self._draining = False

    async def run(self) -> None:
        """Serve until SIGTERM or SIGINT, then drain; a second signal ends the process at once."""
        # The native transport waits in a thread for whoever does not read: nothing else must run out of them.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(_THREADS, "rookery"))
        stop = stop_signals()
        choice = choose_store(self.settings.redis_url or None, self.settings.data_dir, self.settings.store_fsync)
        url, lease = await asyncio.to_thread(choice.start)
        try:
            async with kept(lease, self.log):
                await self._serve_from(url, stop)
        finally:
            self._stream.drain()

    async def _serve_from(self, url: str, stop: asyncio.Event) -> None:
        metrics = Metrics()
        try:
            store = await RedisStore.open(url, observe=metrics.store_event)
        except ValueError as error:
            raise InvalidSetting(f"--redis-url: {error}") from None
        try:
            await self._serve(store, metrics, stop)
        finally:
            await store.close()

    async def _serve(self, store: RedisStore, metrics: Metrics, stop: asyncio.Event) -> None:
        settings, keyring = self.settings, load_keyring(self.settings)
        games = installed()
        now_us = store.clocks.now_us
        credentials = _credentials(settings, keyring.keys, lambda: now_us() / 1_000_000)
        app = App(
            games,
            store,
            credentials,
            rules=_rules(settings),
            token_ttl=settings.token_ttl,
            clock_grace=settings.clock_grace,
            meter=metrics,
        )
        wire = Wire(games.games, KEPT)
        dispatch = Dispatch(app, wire, credentials, metrics, self.log, settings.max_body)
        shared = WORKER in os.environ
        grpc_server = grpc_api.bind(settings.grpc_address, settings.transport, shared=shared)
        with listen(settings.http_address, shared=shared) as http_socket:
            http = _Http(dispatch, store, metrics, app, settings)
            serving = asyncio.create_task(http.serve(sockets=[http_socket]))
            await grpc_server.start(dispatch)
            await http.listening(serving)
            await grpc_server.serving(up=True)
            watching = asyncio.create_task(_watch_keys(keyring, credentials, self.log))
            counting = asyncio.create_task(_count_bots(store, metrics))
            sweeping = asyncio.create_task(app.sweeper.run(_Swept(self.log, settings.clock_grace)))
            # What lives as long as the server need not be looked at by every collection.
            gc.collect()
            gc.freeze()
            # A call leaves many objects that live on and hardly a cycle: looking for garbage is seldom worth its time.
            gc.set_threshold(20_000, 50, 100)
            self._announce(keyring, grpc_server.port, http_socket.getsockname()[1])
            async with _bot_workers(settings) as dismiss_bots:
                await _first(asyncio.create_task(stop.wait()), serving, sweeping)
                watching.cancel()
                counting.cancel()
                sweeping.cancel()
                dismiss_bots()
                await self._drain(app, dispatch, grpc_server, http, serving)

    async def _drain(
        self, app: App, dispatch: Dispatch, server: grpc_api.GrpcServer, http: _Http, serving: asyncio.Task[None]
    ) -> None:
        self.log.info("draining", grace=self.settings.grace)
        app.draining.set()
        await server.serving(up=False)
        # Until the last call is answered both sides still listen, so that new calls hear what is the matter.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self.settings.grace):
                await dispatch.idle()
        await dispatch.cut()
        http.leave()
        await asyncio.gather(server.stop(_LAST_WORDS), serving)
        self.log.info("stopped")

    def _announce(self, keyring: Keyring, grpc_port: int, http_port: int) -> None:
        grpc_host, _ = split_address("--grpc-address", self.settings.grpc_address)
        http_host, _ = split_address("--http-address", self.settings.http_address)
        ready = {"grpc": _at(grpc_host, grpc_port), "http": f"http://{_at(http_host, http_port)}"}
        if keyring.key_file is not None:
            ready["platform_key_file"] = str(keyring.key_file.resolve())
        if self.settings.ready_file is not None:
            write_ready(self.settings.ready_file, ready)
        self.log.info("ready", transport=self.settings.transport, **ready)
        if WORKER not in os.environ:
            tell_ready(ready, keyring)


class _Swept(SweepLog):
    """What the clocks do, in the log."""

    def __init__(self, log: FilteringBoundLogger, grace: float) -> None:
        self.log = log
        self.grace = grace

    def set_aside(self, key: GameKey, why: str) -> None:
        """A game cannot be handled here."""
        self.log.warning("clock_cannot_act", tenant=key.tenant, game=key.game, why=why)

    def resumed(self) -> None:
        """Also when the first server of all is started."""
        self.log.info("clocks_resumed", grace=self.grace)


def write_ready(path: Path, ready: dict[str, str]) -> None:
    """Put the addresses into the file, in one step."""
    half = path.with_name(f".{path.name}.{os.getpid()}")
    half.write_bytes(msgspec.json.encode(ready) + b"\n")
    half.replace(path)


def tell_ready(ready: dict[str, str], keyring: Keyring) -> None:
    """Say on standard output where the server is and what to do next."""
    lines = ["", "Rookery is ready.", f"  gRPC  {ready['grpc']}", f"  REST  {ready['http']}"]
    if keyring.key_file is not None:
        if keyring.fresh:
            lines.append(f"  Platform key, made just now: {keyring.key_file.read_text().strip()}")
        lines += [
            f"  The platform key is kept in {keyring.key_file}",
            "",
            "Next, in another terminal, deal a game of Euchre:",
            f'  curl -s {ready["http"]}/v1/games -H "Authorization: Bearer $(cat {keyring.key_file})" \\',
            '    -H \'Content-Type: application/json\' -d \'{"gameType": "euchre", "seats": [{}, {}, {}, {}]}\'',
            "and go on as the README shows. Ctrl-C stops the server; the games are kept.",
        ]
    sys.stdout.write("\n".join([*lines, "", ""]))
    sys.stdout.flush()


class _Http(uvicorn.Server):
    """uvicorn on our socket and our loop, without signal handlers of its own."""

    def __init__(self, dispatch: Dispatch, store: RedisStore, metrics: Metrics, app: App, settings: Settings) -> None:
        async def ready() -> bool | str:
            if app.draining.is_set():
                return "draining"
            try:
                await store.ping()
            except Refusal as refusal:
                return refusal.message
            return True

        asgi = build_app(
            dispatch,
            ready=ready,
            metrics=metrics.page,
            cors_origins=tuple(o.strip() for o in settings.cors_origins.split(",") if o.strip()),
            max_body=settings.max_body,
            authenticate=dispatch.authenticate,
            refused=dispatch.refused,
        )
        super().__init__(
            uvicorn.Config(
                asgi,
                loop="none",
                http=Protocol,
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=1,
            )
        )

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals to us."""
        yield

    async def listening(self, serving: asyncio.Task[None]) -> None:
        """Return once it listens; raise what kept it from it."""
        while not self.started:
            if serving.done():
                serving.result()
                raise RuntimeError("the REST side did not start")
            await asyncio.sleep(0.005)

    def leave(self) -> None:
        """Stop accepting; what runs may finish."""
        self.should_exit = True


def _at(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _rules(settings: Settings) -> CreateRules:
    return CreateRules(settings.allow_seed, settings.allow_position, settings.keep)


def _credentials(settings: Settings, keys: Keys, clock: Callable[[], float]) -> Credentials:
    source: KeySource | None = None
    if settings.jwks:
        remote = settings.jwks.startswith(("https://", "http://"))
        try:
            source = JwksUrl(settings.jwks) if remote else JwksFile(Path(settings.jwks))
        except (OSError, ValueError, jwt.PyJWTError) as error:
            raise InvalidSetting(f"--jwks: {settings.jwks} is no set of public keys ({error})") from None
    issuer, audience = settings.jwt_issuer or None, settings.jwt_audience or None
    return Credentials(keys, jwks=source, issuer=issuer, audience=audience, clock=clock)


async def _watch_keys(keyring: Keyring, credentials: Credentials, log: FilteringBoundLogger) -> None:
    """Take over a changed keys file, so that keys come and go without a restart."""
    seen, keys = keyring.written, keyring.keys
    while True:
        await asyncio.sleep(_KEYS_SECONDS)
        try:
            now = _written(keyring.file)
            if now == seen:
                continue
            found, seen = read_keys(keyring.file), now
            if found != keys:
                keys = found
                credentials.replace(keys)
                log.info("keys_reloaded")
        except Exception as error:
            log.warning("keys_unreadable", error=type(error).__name__)


async def _count_bots(store: RedisStore, metrics: Metrics) -> None:
    """Tell the metrics how many games wait for bots, and forget those that wait no more."""
    while True:
        with contextlib.suppress(Refusal):
            metrics.bots_queue(await store.bots.length())
            await store.bots.tidy()
        await asyncio.sleep(_COUNT_SECONDS)


def _written(path: Path) -> tuple[int, ...]:
    """What changes when the file is written or replaced; the time alone may stand still for some milliseconds."""
    facts = path.stat()
    return facts.st_mtime_ns, facts.st_ino, facts.st_size


@contextlib.asynccontextmanager
async def _bot_workers(settings: Settings) -> AsyncIterator[Callable[[], None]]:
    """Keep the bot workers until they are dismissed. Those of several servers are the supervisor's business."""
    if WORKER in os.environ:
        yield lambda: None
        return
    workers = BotWorkers(settings)
    keeping = asyncio.create_task(workers.keep())
    try:
        yield workers.dismiss
    finally:
        keeping.cancel()
        workers.dismiss()
        await asyncio.to_thread(workers.wait, _BOTS_LEAVE)


@contextlib.contextmanager
def listen(address: str, *, shared: bool) -> Iterator[socket.socket]:
    """A socket bound to the address; ``shared`` with other workers. Raises RuntimeError if it is taken."""
    host, port = split_address("--http-address", address)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # TCP by its name: asyncio's own loop switches off Nagle's algorithm only where it reads it (uvloop does it always).
    with socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        try:
            listening.bind((host, port))
        except OSError as error:
            raise RuntimeError(f"cannot listen on {address}: {error.strerror}") from None
        yield listening


async def _first(*tasks: asyncio.Task[Any]) -> None:
    """Return when one of the tasks is done; raise what it raised."""
    done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()
