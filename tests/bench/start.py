"""How long ``rookery serve`` takes until it is ready: with an empty folder, and with its data."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from tests.bench.processes import cpu_seconds
from tests.bench.report import Section, Table
from tests.service.live import Live

# What any Python server of this kind has to load; the reference.
_BARE = "import asyncio, grpc.aio, uvicorn, starlette.applications, google.protobuf.message, prometheus_client"


def measure(rounds: int = 5) -> Section:
    """Start, stop and start again, in turns with the references."""
    found: dict[str, list[tuple[float, float]]] = {}
    for _ in range(rounds):
        found.setdefault("python alone", []).append(_run("pass"))
        found.setdefault("python with the libraries", []).append(_run(_BARE))
        with tempfile.TemporaryDirectory(prefix="rk-") as folder:
            live = Live(Path(folder))
            found.setdefault("rookery serve, empty folder", []).append(_start(live))
            live.stop()
            found.setdefault("rookery serve, again", []).append(_start(live))
            live.stop()
    return Section([_table(found)], [_figures(name, times) for name, times in found.items()])


def _run(code: str) -> tuple[float, float]:
    began = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-c", f"{code}\nimport time; print(time.process_time())"], stdout=subprocess.PIPE, text=True
    ) as process:
        said, _ = process.communicate(timeout=60)
    return time.perf_counter() - began, float(said)


def _start(live: Live) -> tuple[float, float]:
    began = time.perf_counter()
    live.start()
    wall = time.perf_counter() - began
    assert live.process is not None
    return wall, cpu_seconds(live.process.pid)


def _figures(name: str, times: list[tuple[float, float]]) -> dict[str, Any]:
    walls, cpus = zip(*times, strict=True)
    return {"what": name, "seconds": median(walls), "least_seconds": min(walls), "cpu_seconds": median(cpus)}


def _table(found: dict[str, list[tuple[float, float]]]) -> Table:
    rows = []
    figures = [_figures(name, times) for name, times in found.items()]
    bare = figures[1]["cpu_seconds"]
    for figure in figures:
        times = (figure["seconds"], figure["least_seconds"], figure["cpu_seconds"])
        rows.append([figure["what"], *(f"{value:.2f}" for value in times), f"{figure['cpu_seconds'] / bare:.2f}"])
    columns = ("", "seconds to ready", "least", "CPU seconds", "x libraries (CPU)")
    notes = ("medians; the store's own process is not in the CPU seconds",)
    return Table("start", columns, rows, notes)
