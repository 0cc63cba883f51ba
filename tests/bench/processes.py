"""What the sections share: the CPU time of a process, bare servers beside ours, a look into the embedded store."""

from __future__ import annotations

import contextlib
import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import redis

from service.embedded import choose_store

START_SECONDS = 60.0
STOP_SECONDS = 20.0
LOAD_SECONDS = 600.0
T = TypeVar("T")


def cpu_seconds(pid: int) -> float:
    """CPU time of a process with all its threads, to the nanosecond; NaN where only Linux knows it."""
    if sys.platform != "linux":
        return float("nan")
    # The clock of another process, as clock_getcpuclockid(3) makes it: the kernel's CPUCLOCK_SCHED is 2.
    return time.clock_gettime((~pid << 3) | 2)


def resident(pid: int) -> int:
    """Resident memory of a process in bytes; 0 where only Linux knows it."""
    if sys.platform != "linux":
        return 0
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def load(module: str, job: msgspec.Struct, answers: type[T]) -> T:
    """Let a load generator do its job in a process of its own; what it found."""
    done = subprocess.run(
        [sys.executable, "-m", module],
        input=msgspec.json.encode(job),
        stdout=subprocess.PIPE,
        timeout=LOAD_SECONDS,
        check=True,
    )
    return msgspec.json.decode(done.stdout, type=answers)


def machine() -> dict[str, Any]:
    """What a figure depends on beside the code."""
    load = os.getloadavg()
    return {
        "cores": os.cpu_count(),
        "machine": platform.machine(),
        "system": f"{platform.system()} {platform.release()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "load": [round(value, 1) for value in load],
    }


@contextmanager
def echo(*arguments: str) -> Iterator[tuple[int, str]]:
    """A bare server of ``tests/bench/echo.py``: its process id and address."""
    command = [sys.executable, "-m", "tests.bench.echo", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.pid, process.stdout.readline().strip()
        finally:
            # It ends with its standard input, so that nothing is left when the bench is killed.
            process.kill()
            process.wait(STOP_SECONDS)


@contextmanager
def store_of(data_dir: Path) -> Iterator[redis.Redis]:
    """A client of the embedded store of a running server."""
    url, lease = choose_store(None, data_dir, "everysec").start()
    client = redis.Redis.from_url(url)
    try:
        yield client
    finally:
        client.close()
        if lease is not None:
            with contextlib.suppress(OSError):
                lease.close()
