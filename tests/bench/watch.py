"""What it costs to be watched: how late watchers hear of a commit, and the memory of those who wait.

Beside every figure stands that of a bare server, which writes as many bytes to as many streams and knows no games.
"""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path
from statistics import quantiles
from typing import Any

from tests.bench.processes import echo, load
from tests.bench.report import Section, Table
from tests.bench.watchers import GAME, SEATS, Figure, Job, Shape, Side
from tests.service.live import Live

WAYS = ("grpc", "rest")
SHAPES = (Shape(1, 1, 60), Shape(1000, 100, 300), Shape(1000, 1, 40))
"""The first one warms up too; the second one's memory is what many streams take when there were none before."""
QUICK = (Shape(1, 1, 5), Shape(20, 5, 10), Shape(20, 1, 5))


def measure(shapes: tuple[Shape, ...] = SHAPES) -> Section:
    """Start a server for each way of watching, run the load, and sum up."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="rk-")))
        job = Job([_side(stack, folder, way) for way in WAYS], list(shapes))
        figures = load("tests.bench.watchers", job, list[Figure])
    found = [_summary(figures, side.name, shape) for side in job.sides for shape in shapes]
    return Section([_delays(found), _memory(found)], found)


def _side(stack: ExitStack, folder: Path, way: str) -> Side:
    live = stack.enter_context(Live(folder / way, transport="native"))
    bare_pid, bare_address = stack.enter_context(echo("native" if way == "grpc" else "rest"))
    assert live.process is not None
    address = live.grpc if way == "grpc" else live.http.removeprefix("http://")
    return Side(
        name="native" if way == "grpc" else "SSE",
        kind=way,
        address=address,
        grpc=live.grpc,
        key=live.platform_key,
        pid=live.process.pid,
        bare_address=bare_address,
        bare_pid=bare_pid,
    )


def _summary(figures: list[Figure], side: str, shape: Shape) -> dict[str, Any]:
    ours, bare = (next(f for f in figures if (f.side, f.bare, f.shape) == (side, b, shape)) for b in (False, True))
    alone = next(f for f in figures if (f.side, f.bare, f.shape.watchers) == (side, False, 1))
    median, late = _percentiles(ours)
    bare_median, bare_late = _percentiles(bare)
    return {
        "name": f"{side}, {shape.watchers:,} of {shape.games}",
        "watchers": shape.watchers,
        "games": shape.games,
        "messages": len(ours.delays),
        "message_bytes": ours.message_bytes,
        "p50_ms": median * 1000,
        "p99_ms": late * 1000,
        "p50_of_one": median / _percentiles(alone)[0],
        "p99_of_one": late / _percentiles(alone)[1],
        "bare_p50_ms": bare_median * 1000,
        "bare_p99_ms": bare_late * 1000,
        "p50_of_bare": median / bare_median,
        "p99_of_bare": late / bare_late,
        "cpu_us": ours.cpu / len(ours.delays) * 1e6,
        "cpu_of_bare": ours.cpu / len(ours.delays) / (bare.cpu / len(bare.delays)),
        "resident": ours.resident / shape.watchers,
        "bare_resident": bare.resident / shape.watchers,
    }


def _percentiles(figure: Figure) -> tuple[float, float]:
    """The median and the 99th percentile."""
    cuts = quantiles(figure.delays, n=100)
    return cuts[49], cuts[98]


def _delays(found: list[dict[str, Any]]) -> Table:
    """From the move's sending to each watcher."""
    keys = ("p50_ms", "p99_ms", "p50_of_one", "p99_of_one", "bare_p50_ms", "bare_p99_ms", "p50_of_bare", "p99_of_bare")
    form = {**dict.fromkeys(keys, ".1f"), "cpu_us": ",.0f", "cpu_of_bare": ".1f", "message_bytes": ",.0f"}
    rows = [[one["name"], *(format(one[key], spec) for key, spec in form.items())] for one in found]
    columns = (
        *("watchers of games", "p50 ms", "p99 ms", "x one's p50", "x one's p99", "bare p50", "bare p99", "x bare p50"),
        *("x bare p99", "CPU us/message", "x bare", "bytes"),
    )
    notes = (
        "from sending a move to the last byte of the change at a watcher; one commit at a time, spectators",
        "bare: a server that writes as many bytes to as many streams when it is told to, and does nothing else",
    )
    return Table(f"watch: {GAME}, {SEATS} seats", columns, rows, notes)


def _memory(found: list[dict[str, Any]]) -> Table:
    """Of the shapes with many games: they come when there were no streams before."""
    rows = [
        [
            one["name"],
            f"{one['resident'] / 1024:.1f}",
            f"{one['bare_resident'] / 1024:.1f}",
            f"{one['resident'] / one['bare_resident']:.2f}",
        ]
        for one in found
        if one["games"] > 1
    ]
    columns = ("watchers of games", "KB per idle watcher", "bare", "x bare")
    return Table("watch: memory", columns, rows, ("resident memory of the server; a connection per watcher",))
