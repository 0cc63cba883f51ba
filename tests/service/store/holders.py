"""Processes that hold a lease of the embedded store, and looks at what they left."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from service import embedded_supervisor
from service.embedded import Lease, take
from tests.service.store.harness import PATIENCE, server_binary

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")

HOLDER = """
import sys
from pathlib import Path
from service.embedded import take
lease = take(Path(sys.argv[1]), Path(sys.argv[2]))
print(lease.url, flush=True)
sys.stdin.read()
lease.close()
"""


class Holder:
    """Another process that holds a lease until it is told to let go, or killed."""

    def __init__(self, data: Path) -> None:
        command = [sys.executable, "-c", HOLDER, str(server_binary()), str(data)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def url(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE)

    def __enter__(self) -> Holder:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.communicate(timeout=PATIENCE)


def hold(data: Path) -> Lease:
    return take(server_binary(), data, timeout=PATIENCE)


def say(lease: Lease | str, *words: str) -> str:
    """One command to the server, in plain words."""
    url = lease if isinstance(lease, str) else lease.url
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(PATIENCE)
        client.connect(url.removeprefix("unix://"))
        client.sendall(" ".join(words).encode() + b"\r\n")
        return client.recv(1 << 16).decode()


def server_pid(lease: Lease | str) -> int:
    return int(say(lease, "INFO", "server").partition("process_id:")[2].split()[0])


def unlocked(folder: Path, name: str = "lock") -> bool:
    with (folder / name).open("rb") as lock:
        return embedded_supervisor._try_lock(lock.fileno())
