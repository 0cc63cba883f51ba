"""``python -m tests.bench [engine] [calls] [store] [start] [--quick] [--json FILE]``: measure, and print tables."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from engine.core import installed
from tests.bench import calls, engine, start, store
from tests.bench.processes import machine
from tests.bench.report import Section, Table


def engine_section(seconds: float) -> Section:
    """The rules alone: see ``tests/bench/engine.py``."""
    games = installed()
    figures = {game_type: engine.measure(games.get(game_type), seconds) for game_type in games.game_types}
    rows = [
        [game_type, *(format(found[column.key], column.form) for column in engine.COLUMNS)]
        for game_type, found in figures.items()
    ]
    columns = ("game", *(column.heading for column in engine.COLUMNS))
    notes = ("reference: a fixed loop of plain Python in the same run",)
    return Section([Table("engine: decisions on one core", columns, rows, notes)], figures)


def calls_section(flags: str, **job: Any) -> Section:
    """Calls over every transport; ``flags`` are of ``rookery serve``."""
    return calls.measure(flags=tuple(flags.split()), **job)


# In full, and as short as it can be.
SECTIONS: dict[str, tuple[Callable[[str], Section], Callable[[str], Section]]] = {
    "engine": (lambda _: engine_section(6.0), lambda _: engine_section(0.3)),
    "calls": (calls_section, lambda flags: calls_section(flags, rounds=1, phases=1, games=64)),
    "store": (lambda _: store.measure(), lambda _: store.measure(1)),
    "start": (lambda _: start.measure(), lambda _: start.measure(1)),
}


def main(arguments: list[str]) -> int:
    """Print the tables of the sections, in the order of ``SECTIONS``."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Measure, beside references.")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"some of {', '.join(SECTIONS)}; default: all")
    parser.add_argument("--quick", action="store_true", help="seconds instead of minutes, and rough")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    parser.add_argument("--serve", default="", metavar="FLAGS", help="flags of the servers of `calls`")
    said = parser.parse_args(arguments)
    if unknown := set(said.sections) - set(SECTIONS):
        parser.error(f"no section {', '.join(sorted(unknown))}; there are {', '.join(SECTIONS)}")
    made: dict[str, Any] = {"machine": machine()}
    _say(", ".join(f"{key} {value}" for key, value in made["machine"].items()))
    for name, (full, quick) in SECTIONS.items():
        if not said.sections or name in said.sections:
            section = (quick if said.quick else full)(said.serve)
            made[name] = section.figures
            for table in section.tables:
                _say(f"\n{table}")
    made["load_after"] = machine()["load"]
    _say(f"\nload at the end {made['load_after']}")
    if said.json is not None:
        said.json.write_bytes(msgspec.json.format(msgspec.json.encode(made), indent=2) + b"\n")
    return 0


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
