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
from typing import Any

import redis

from service.embedded import choose_store

START_SECONDS = 60.0
STOP_SECONDS = 20.0


def cpu_seconds(pid: int) -> float:
    """CPU time of a process with all its threads, to the nanosecond; NaN where only Linux knows it."""
    if sys.platform != "linux":
        return float("nan")
    # The clock of another process, as clock_getcpuclockid(3) makes it: the kernel's CPUCLOCK_SCHED is 2.
    return time.clock_gettime((~pid << 3) | 2)


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
