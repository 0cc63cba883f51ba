"""A real server for tests: our own command, real sockets, the embedded store in a folder of its own.

Only loopback addresses, only processes that were started here; every wait is bounded.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import grpc
import httpx
import redis
from google.protobuf.message import Message

from rookery.v1 import game_service_pb2_grpc
from tests.service.store.harness import free_port
from tests.service.store.processes import parent_of

START_SECONDS = 60.0
STOP_SECONDS = 30.0
TRANSPORTS = ("grpcio", "native")


class Live:
    """A server process. ``folder`` keeps its data; ``start`` again after ``kill`` goes on where it was.

    The ports stay the same over restarts, as they would in a deployment.
    """

    def __init__(self, folder: Path, *flags: str, transport: str = "grpcio", bot_workers: int = 0) -> None:
        self.folder = folder
        self.bot_workers = bot_workers
        self.flags = flags
        self.transport = transport
        self.process: subprocess.Popen[bytes] | None = None
        self.grpc = f"127.0.0.1:{free_port()}"
        self.http = f"http://127.0.0.1:{free_port()}"
        self.log = folder / "log"

    def start(self, *, group: bool = False) -> Self:
        """Start and wait until it is ready; with ``group`` in a process group of its own, as in a terminal."""
        self.folder.mkdir(parents=True, exist_ok=True)
        ready = self.folder / "ready.json"
        ready.unlink(missing_ok=True)
        command = [
            *(sys.executable, "-m", "service.main", "serve"),
            *("--data-dir", str(self.folder / "data"), "--ready-file", str(ready)),
            *("--grpc-address", self.grpc, "--http-address", self.http.removeprefix("http://")),
            *("--grpc-transport", self.transport, "--log-format", "json", "--bot-workers", str(self.bot_workers)),
            *("--allow-seed", "--allow-position"),
            *self.flags,
        ]
        environment = {key: value for key, value in os.environ.items() if not key.startswith("ROOKERY_")}
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command, stdout=log, stderr=log, env=environment, process_group=0 if group else None
            )
        deadline = time.monotonic() + START_SECONDS
        while not ready.exists():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise AssertionError(f"the server did not start:\n{self.log.read_text()}")
            time.sleep(0.01)
        told = json.loads(ready.read_text())
        self.grpc, self.http = told["grpc"], told["http"]
        return self

    def kill(self) -> None:
        """SIGKILL, and wait until it is gone."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(STOP_SECONDS)
            self.process = None

    def stop(self) -> int:
        """SIGTERM; the exit code."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(STOP_SECONDS)
        self.process = None
        return code

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.kill()

    @property
    def platform_key(self) -> str:
        """The development key of the data folder."""
        return (self.folder / "data" / "platform.key").read_text().strip()

    @property
    def store_socket(self) -> str:
        """The socket of the embedded store, as its supervisor recorded it."""
        return str(Path((self.folder / "data" / "lock").read_text()) / "s.sock")

    @property
    def store_pid(self) -> int:
        """The process of the embedded store."""
        with redis.Redis(unix_socket_path=self.store_socket) as admin:
            return int(admin.info("server")["process_id"])

    @property
    def supervisor_pid(self) -> int:
        """The process that keeps the embedded store."""
        return parent_of(self.store_pid)

    def rest(self, token: str | None = None, timeout: float = 40) -> httpx.AsyncClient:
        """A REST client with a credential; without one, the platform's."""
        headers = {"authorization": f"Bearer {self.platform_key if token is None else token}"}
        return httpx.AsyncClient(base_url=f"{self.http}/v1/", headers=headers, timeout=timeout)

    def rpc(self) -> Rpc:
        """A gRPC client with the platform's credential unless a call names another one."""
        return Rpc(self.grpc, self.platform_key)


class Rpc:
    """A gRPC client: ``await rpc.SubmitMove(request, token)``."""

    def __init__(self, address: str, key: str) -> None:
        self.channel = grpc.aio.insecure_channel(address)
        self._stub = game_service_pb2_grpc.GameServiceStub(self.channel)
        self._key = key

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._stub, name)

        async def call(
            request: Message, token: str | None = None, timeout: float = 40, more: Iterable[tuple[str, str]] = ()
        ) -> Any:
            metadata = [("authorization", f"Bearer {self._key if token is None else token}"), *more]
            return await method(request, metadata=metadata, timeout=timeout)

        return call

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.channel.close()


def body(seats: int, game_type: str, **more: Any) -> dict[str, Any]:
    """A CreateGame request as JSON."""
    return {"gameType": game_type, "seats": [{} for _ in range(seats)], **more}
