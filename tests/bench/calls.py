"""What a call costs: GetView and SubmitMove over both gRPC transports and REST, beside bare echoes of the same run."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any

from tests.bench.load import Figure, Job, Side
from tests.bench.processes import echo, load, store_of
from tests.bench.report import Section, Table
from tests.service.live import TRANSPORTS, Live

KINDS = (*TRANSPORTS, "rest")
_ECHO_OF = {"GetView": "echo of a view", "SubmitMove": "echo of a move"}


def measure(kinds: tuple[str, ...] = KINDS, flags: tuple[str, ...] = (), **job: Any) -> Section:
    """Start the servers, run the load, and sum up. ``flags`` are of ``rookery serve``, ``job`` changes ``load.Job``."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="rk-")))
        sides = [_side(stack, folder, kind, flags) for kind in kinds]
        work = Job(sides, **job)
        figures = load("tests.bench.load", work, list[Figure])
    return Section([_table(figures, work)], [_summary(figures, kind) for kind in kinds])


def _side(stack: ExitStack, folder: Path, kind: str, flags: tuple[str, ...]) -> Side:
    # REST is the same code over either transport; its server has the one that is the default.
    live = stack.enter_context(Live(folder / kind, *flags, transport="native" if kind == "rest" else kind))
    store = stack.enter_context(store_of(live.folder / "data"))
    echo_pid, echo_address = stack.enter_context(echo(kind))
    assert live.process is not None
    return Side(
        name=kind,
        kind="rest" if kind == "rest" else "grpc",
        address=live.http.removeprefix("http://") if kind == "rest" else live.grpc,
        grpc=live.grpc,
        key=live.platform_key,
        pid=live.process.pid,
        store_pid=store.info("server")["process_id"],
        echo_address=echo_address,
        echo_pid=echo_pid,
    )


def _summary(figures: list[Figure], side: str) -> dict[str, Any]:
    """Medians over the rounds; ratios are formed within a round, and their median taken."""
    of = {
        call: sorted((f for f in figures if (f.side, f.call) == (side, call)), key=lambda f: f.round)
        for call in (*_ECHO_OF, *_ECHO_OF.values())
    }
    summary: dict[str, Any] = {"side": side}
    for call, found in of.items():
        summary[call] = {
            "calls": sum(f.calls for f in found),
            "calls_per_second": median(f.calls / f.wall for f in found),
            "cpu_us": median(f.cpu / f.calls for f in found) * 1e6,
            "cpu_us_least": min(f.cpu / f.calls for f in found) * 1e6,
            "store_cpu_us": median(f.store_cpu / f.calls for f in found) * 1e6,
            "answer_bytes": median(f.answer_bytes for f in found),
        }
    for call, echo_of in _ECHO_OF.items():
        pairs = list(zip(of[call], of[echo_of], strict=True))
        summary[call]["of_echo_calls"] = median(e.wall / e.calls * f.calls / f.wall for f, e in pairs)
        summary[call]["of_echo_cpu"] = median(f.cpu / f.calls / (e.cpu / e.calls) for f, e in pairs)
    return summary


def _table(figures: list[Figure], job: Job) -> Table:
    rows = []
    for side in dict.fromkeys(figure.side for figure in figures):
        summary = _summary(figures, side)
        for call in ("echo of a view", "GetView", "echo of a move", "SubmitMove"):
            found = summary[call]
            ratios = ["1.00", "1.00"]
            if call in _ECHO_OF:
                ratios = [f"{found['of_echo_cpu']:.2f}", f"{found['of_echo_calls']:.2f}"]
            rows.append(
                [
                    f"{side} {call}",
                    f"{found['cpu_us']:.0f}",
                    ratios[0],
                    f"{found['store_cpu_us']:.0f}" if call in _ECHO_OF else "",
                    f"{found['calls_per_second']:,.0f}",
                    ratios[1],
                    f"{found['answer_bytes']:.0f}",
                ]
            )
    columns = ("call", "server CPU us", "x echo", "store CPU us", "calls/s", "x echo", "answer bytes")
    notes = ("medians over rounds; the load generator shares the cores, so calls/s are those of the whole machine",)
    return Table(f"calls: {job.game_type}, {job.seats} seats, {job.in_flight} in flight", columns, rows, notes)
