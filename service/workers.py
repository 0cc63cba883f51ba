"""Several server processes on the same addresses: start them, keep their number, pass signals on."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import FrameType

import msgspec

from service.bot_workers import BotWorkers
from service.metrics import MULTIPROCESS, forget
from service.process import HELD, WORKER
from service.server import Keyring, listen, load_keyring, tell_ready, write_ready
from service.settings import Settings, as_environment, split_address

_START_SECONDS = 60.0
_LOOK_SECONDS = 0.1
# A worker that dies is replaced, but not more often than this.
_PAUSE_SECONDS = 1.0
# Beyond the grace: what a worker needs to close the store and leave.
_LEAVE_SECONDS = 5.0


class Workers:
    """The processes of ``--workers N``. They share nothing but the store, the keys and the ports."""

    def __init__(self, settings: Settings, folder: Path) -> None:
        self._settings = settings
        self._folder = folder
        self._figures = folder / "figures"
        self._running: list[subprocess.Popen[bytes]] = []
        self._bots = BotWorkers(settings)
        self._asked = 0

    def run(self) -> int:
        """Serve until SIGTERM or SIGINT; the exit code is 0 when every worker left in time."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._signalled)
        settings = self._settings
        # Bound but never listening: the ports are ours from now on, and the workers share them.
        with (
            listen(settings.grpc_address, shared=True) as grpc_socket,
            listen(settings.http_address, shared=True) as http_socket,
        ):
            keyring = load_keyring(settings)
            environment = self._environment(grpc_socket.getsockname()[1], http_socket.getsockname()[1])
            try:
                self._running = [self._start(environment, i) for i in range(settings.workers)]
                if not self._wait_ready():
                    return self._failure()
                self._tell(keyring)
                self._keep_number(environment)
            finally:
                in_time = self._leave()
        return 0 if in_time else 1

    def _environment(self, grpc_port: int, http_port: int) -> dict[str, str]:
        grpc_host, _ = split_address("--grpc-address", self._settings.grpc_address)
        http_host, _ = split_address("--http-address", self._settings.http_address)
        self._figures.mkdir(exist_ok=True)
        own = {
            HELD: "1",
            WORKER: "1",
            MULTIPROCESS: str(self._figures),
            "ROOKERY_GRPC_ADDRESS": f"{grpc_host}:{grpc_port}",
            "ROOKERY_HTTP_ADDRESS": f"{http_host}:{http_port}",
        }
        other = {name: text for name, text in os.environ.items() if not name.startswith("ROOKERY_")}
        return {**other, **as_environment(self._settings), **own}

    def _start(self, environment: dict[str, str], i: int) -> subprocess.Popen[bytes]:
        ready = self._folder / f"ready-{i}"
        ready.unlink(missing_ok=True)
        command = [sys.executable, "-m", "service.main", "serve", f"--ready-file={ready}"]
        # A group of its own: Ctrl-C is ours to pass on, and a worker that hears it twice would leave at once. The pipe
        # tells a worker when we are gone without a word.
        return subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, process_group=0)  # noqa: S603 - ours

    def _wait_ready(self) -> bool:
        deadline = time.monotonic() + _START_SECONDS
        files = [self._folder / f"ready-{i}" for i in range(len(self._running))]
        while not all(file.exists() for file in files):
            if self._asked or time.monotonic() > deadline or any(p.poll() is not None for p in self._running):
                return False
            time.sleep(_LOOK_SECONDS)
        return True

    def _failure(self) -> int:
        """The exit code when not every worker became ready: what a worker said, 0 if we were asked to stop."""
        codes = [process.poll() for process in self._running]
        return 0 if self._asked else 2 if 2 in codes else 1

    def _tell(self, keyring: Keyring) -> None:
        ready: dict[str, str] = msgspec.json.decode((self._folder / "ready-0").read_bytes())
        if self._settings.ready_file is not None:
            write_ready(self._settings.ready_file, ready)
        tell_ready(ready, keyring)

    def _keep_number(self, environment: dict[str, str]) -> None:
        while not self._asked:
            self._bots.look()
            time.sleep(_LOOK_SECONDS)
            for i, process in enumerate(self._running):
                if process.poll() is not None:
                    forget(process.pid, self._figures)
                    self._pause()
                    if not self._asked:
                        self._running[i] = self._start(environment, i)

    def _pause(self) -> None:
        end = time.monotonic() + _PAUSE_SECONDS
        while not self._asked and time.monotonic() < end:
            time.sleep(_LOOK_SECONDS)

    def _leave(self) -> bool:
        """End the workers; whether all that ran left by themselves, in time."""
        asked_before = self._asked
        running = [process for process in self._running if process.poll() is None]
        self._send(signal.SIGTERM)
        self._bots.dismiss()
        deadline = time.monotonic() + self._settings.grace + _LEAVE_SECONDS
        while any(process.poll() is None for process in running):
            if time.monotonic() > deadline or self._asked > max(1, asked_before):
                self._send(signal.SIGKILL)
                break
            time.sleep(_LOOK_SECONDS)
        self._bots.wait(max(0.0, deadline - time.monotonic()))
        # One that was still starting knew no signals yet: it had nothing to finish.
        return all(process.wait() in (0, -signal.SIGTERM) for process in running)

    def _send(self, number: int) -> None:
        for process in self._running:
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(number)

    def _signalled(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        self._asked += 1


def serve_with_workers(settings: Settings) -> int:
    """Serve with ``settings.workers`` processes; the exit code."""
    with tempfile.TemporaryDirectory(prefix="rookery-") as folder:
        return Workers(settings, Path(folder)).run()
