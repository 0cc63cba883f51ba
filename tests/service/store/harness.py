"""Real servers, and a proxy between that loses exactly what a test tells it to lose."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, Final

import redis

from service.embedded import choose_store
from service.store import GameKey, Memo, Stamp, Store, Write

HOUR_MS: Final = 3_600_000
PATIENCE: Final = 60.0
"""Seconds after which something that must happen counts as never happening."""


def server_binary() -> Path:
    binary = choose_store(None, Path("unused"), "no").binary
    assert binary is not None
    return binary


def until(check: Callable[[], object], what: str) -> None:
    """Wait for something that must happen; only its absence takes time."""
    end = time.monotonic() + PATIENCE
    while not check():
        assert time.monotonic() < end, f"never: {what}"
        time.sleep(0.002)


async def until_async(check: Callable[[], object], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not check():
        assert time.monotonic() < end, f"never: {what}"
        await asyncio.sleep(0.002)


class Server:
    """One server process on a unix socket (and a TCP port on request), in a folder of its own."""

    def __init__(self, *options: str, tcp: bool = False) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="rk-"))
        self.socket = self.folder / "s"
        self.port = free_port() if tcp else 0
        self.url = f"unix://{self.socket}"
        self._options = options
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> Server:
        """Start (again), on the same data; returns when the server has loaded it."""
        fixed = f"--port {self.port} --bind 127.0.0.1 --unixsocket {self.socket} --dir {self.folder} --appendonly yes"
        command = [str(server_binary()), *fixed.split(), "--save", "", *self._options]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        until(self._answers, "the server answers")
        return self

    def _answers(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, (self.folder / "log").read_text()
        try:
            with socket.socket(socket.AF_UNIX) as client:
                client.connect(str(self.socket))
                client.sendall(b"PING\r\n")
                return client.recv(64)[:5] in {b"+PONG", b"-NOAU"}
        except OSError:
            return False

    def end(self, number: signal.Signals = signal.SIGTERM) -> None:
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._process.pid, number)
            self._process.wait(PATIENCE)
            self._process = None

    def admin(self, **options: Any) -> Any:
        """A plain client, to look from outside."""
        return redis.Redis(unix_socket_path=str(self.socket), **options)

    def __enter__(self) -> Server:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.end(signal.SIGKILL)
        shutil.rmtree(self.folder, ignore_errors=True)


def free_port() -> int:
    """A free port, and none of those that the kernel gives to clients: one of them could have it before its owner."""
    while True:
        port = random.randrange(10_000, 32_000)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


class Proxy:
    """Passes everything on between clients and one server, except where a test sets a trap.

    A trap closes the client's connection when its bytes hold ``needle``: ``before`` the server has seen them, or
    ``after`` it answered them, the answer being thrown away. ``late``: the client's connection goes first, and the
    bytes reach the server only with ``release()``.
    """

    def __init__(self, upstream: Path) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="rk-"))
        self.path = self.folder / "p"
        self.url = f"unix://{self.path}"
        self.sprung = 0
        self._upstream = upstream
        self._traps: list[tuple[str, bytes]] = []
        self._server: asyncio.Server | None = None
        self._clients: set[asyncio.StreamWriter] = set()
        self._held: list[tuple[asyncio.StreamReader, asyncio.StreamWriter, bytes]] = []

    def trap(self, when: str, needle: str | bytes, times: int = 1) -> None:
        raw = needle.encode() if isinstance(needle, str) else needle
        self._traps += [(when, raw)] * times

    async def up(self) -> None:
        self._server = await asyncio.start_unix_server(self._serve, self.path)

    async def down(self) -> None:
        """Close every connection and take no new ones."""
        if self._server is not None:
            self._server.close()
            self._server = None
        with contextlib.suppress(FileNotFoundError):
            self.path.unlink()
        self.cut()

    def cut(self) -> None:
        for client in tuple(self._clients):
            client.transport.abort()

    async def release(self) -> None:
        """Let the held bytes reach the server, and wait until it has worked them off."""
        for reader, writer, held in self._held:
            writer.write(held)
            await writer.drain()
            assert await reader.read(1 << 16)
            writer.close()
        self._held.clear()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._clients.add(writer)
        try:
            server_reader, server_writer = await asyncio.open_unix_connection(self._upstream)
        except OSError:
            writer.transport.abort()
            return
        swallow = asyncio.Event()
        back = asyncio.create_task(self._back(server_reader, writer, swallow))
        try:
            while data := await reader.read(1 << 16):
                when = self._sprung_by(data)
                if when == "late":
                    back.cancel()
                    self._held.append((server_reader, server_writer, data))
                    return
                if when == "before":
                    return
                if when == "after":
                    swallow.set()
                server_writer.write(data)
                await server_writer.drain()
                if when == "after":
                    await back
                    return
        except OSError:
            pass
        finally:
            self._clients.discard(writer)
            writer.transport.abort()
            if not any(server_writer is held for _, held, _ in self._held):
                back.cancel()
                server_writer.close()

    def _sprung_by(self, data: bytes) -> str:
        for trap in self._traps:
            if trap[1] in data:
                self._traps.remove(trap)
                self.sprung += 1
                return trap[0]
        return ""

    @staticmethod
    async def _back(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, swallow: asyncio.Event) -> None:
        while data := await reader.read(1 << 16):
            if swallow.is_set():
                return
            writer.write(data)

    async def __aenter__(self) -> Proxy:
        await self.up()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.down()
        for held in self._held:
            held[1].close()
        shutil.rmtree(self.folder, ignore_errors=True)


@contextlib.asynccontextmanager
async def stub(answers: dict[bytes, bytes]) -> AsyncIterator[str]:
    """A server that knows some answers by the first word(s) of a command; it gives the URL to reach it."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                count = int((await reader.readuntil(b"\r\n"))[1:])
                words = []
                for _ in range(count):
                    size = int((await reader.readuntil(b"\r\n"))[1:])
                    words.append((await reader.readexactly(size + 2))[:-2])
                found = (answers[name] for name in (b" ".join(words[:2]), words[0]) if name in answers)
                writer.write(next(found, b"+OK\r\n"))
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()


def bulk(text: str) -> bytes:
    return f"${len(text)}\r\n{text}\r\n".encode()


def write(
    key: GameKey,
    if_version: int,
    *memos: tuple[str, bytes],
    live: bytes = b"live",
    batch: bytes = b"batch",
    meta: bytes | None = None,
    ttl_ms: int = HOUR_MS,
) -> Write:
    named = tuple(Memo(*memo) for memo in memos) or (Memo(f"d{if_version}", b"digest"),)
    return Write(
        key=key,
        expected=at(if_version),
        stamp=at(if_version + 1),
        live=live,
        batch=batch,
        memos=named,
        ttl_ms=ttl_ms,
        meta=meta,
    )


def at(version: int) -> Stamp:
    """The stamp of a version whose writer marks nothing."""
    return Stamp(version, b"")


async def version_of(store: Store, key: GameKey) -> int | None:
    """The newest version; None if there is no such game."""
    stamp = await store.stamp(key)
    return None if stamp is None else stamp.version


def now_us() -> int:
    return time.time_ns() // 1000
