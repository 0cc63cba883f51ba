"""A service of one's own for the time of a block: its own process, its own store, gone afterwards without a trace."""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from service.embedded_lease import LOCK
from service.process import HELD

_START_SECONDS: Final = 60.0
_STOP_SECONDS: Final = 20.0
_LOOK_SECONDS: Final = 0.02


class NotStarted(Exception):  # noqa: N818 - what is the case
    """The service did not start; the message holds its last words."""


@contextlib.contextmanager
def throwaway() -> Iterator[tuple[str, str]]:
    """Serve until the block ends: the address of the gRPC side, and a platform key. Raises NotStarted."""
    with tempfile.TemporaryDirectory(prefix="rookery-play-", ignore_cleanup_errors=True) as folder:
        data, ready, said = (Path(folder) / name for name in ("data", "ready", "said"))
        process = _start(data, ready, said)
        try:
            _wait(process, ready, said)
            told: dict[str, str] = msgspec.json.decode(ready.read_bytes())
            yield told["grpc"], Path(told["platform_key_file"]).read_text().strip()
        finally:
            _stop(process)
            _wait_for_store(data)


def _start(data: Path, ready: Path, said: Path) -> subprocess.Popen[bytes]:
    command = [
        *(sys.executable, "-m", "service.main", "serve"),
        *("--grpc-address", "127.0.0.1:0", "--http-address", "127.0.0.1:0"),
        *("--data-dir", str(data), "--ready-file", str(ready), "--grace", "0", "--log-level", "error"),
    ]
    environment = {name: text for name, text in os.environ.items() if not name.startswith("ROOKERY_")}
    with said.open("wb") as log:
        # A group of its own: Ctrl-C ends the game, and the game ends the service.
        return subprocess.Popen(  # noqa: S603 - ours
            command,
            env={**environment, HELD: "1"},
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
            process_group=0,
        )


def _wait(process: subprocess.Popen[bytes], ready: Path, said: Path) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while not ready.exists():
        if process.poll() is not None or time.monotonic() > deadline:
            raise NotStarted(f"the service did not start: {said.read_text(errors='replace').strip()}")
        time.sleep(_LOOK_SECONDS)


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _wait_for_store(data: Path) -> None:
    """Return when the store writes into the folder no more: its supervisor holds the lock until then."""
    deadline = time.monotonic() + _STOP_SECONDS
    with contextlib.suppress(OSError), (data / LOCK).open("rb") as lock:
        while time.monotonic() < deadline:
            with contextlib.suppress(BlockingIOError):
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            time.sleep(_LOOK_SECONDS)
