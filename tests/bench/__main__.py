"""``python -m tests.bench [SECTION …] [--game TYPE] [--seats N] [--quick] [--json FILE]``; see ``SECTIONS``.

Measure, and print tables; of one game if it is named.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from engine.core import AnyGame, installed
from tests.bench import beside, bots, calls, engine, games, past, start, store, watch
from tests.bench.processes import machine
from tests.bench.report import Section, Table


class Asked(NamedTuple):
    """What is to be measured: ``flags`` of ``rookery serve``, a game and its seats (None: as each section likes)."""

    flags: str = ""
    game: str | None = None
    seats: int | None = None

    @property
    def games(self) -> tuple[AnyGame, ...]:
        """The game, or all."""
        known = installed()
        return tuple(known.get(game_type) for game_type in ([self.game] if self.game else known.game_types))


def engine_section(asked: Asked, seconds: float) -> Section:
    """The rules alone, with the fewest and the most seats: see ``tests/bench/engine.py``."""
    rows, figures = [], {}
    for game in asked.games:
        for seats in [asked.seats] if asked.seats else dict.fromkeys((game.seat_counts[0], game.seat_counts[-1])):
            name = f"{game.game_type}, {seats} seats"
            figures[name] = found = engine.measure(game, seconds, seats)
            rows.append([name, *(format(found[column.key], column.form) for column in engine.COLUMNS)])
    columns = ("game", *(column.heading for column in engine.COLUMNS))
    notes = ("reference: a fixed loop of plain Python in the same run",)
    return Section([Table("engine: decisions on one core", columns, rows, notes)], figures)


def calls_section(asked: Asked, **job: Any) -> Section:
    """Calls over every transport."""
    if asked.game:
        (game,) = asked.games
        job |= {"game_type": game.game_type, "seats": asked.seats or game.seat_counts[0]}
    return calls.measure(flags=tuple(asked.flags.split()), **job)


# In full, and as short as it can be.
SECTIONS: dict[str, tuple[Callable[[Asked], Section], Callable[[Asked], Section]]] = {
    "engine": (lambda asked: engine_section(asked, 4.0), lambda asked: engine_section(asked, 0.15)),
    "games": (
        lambda asked: games.run(games.GAMES, asked.games, asked.seats),
        lambda asked: games.run(10, asked.games, asked.seats),
    ),
    "bots": (
        lambda asked: bots.measure(asked.games, asked.seats),
        lambda asked: bots.measure(asked.games, asked.seats, bots.QUICK),
    ),
    "beside": (lambda _: beside.measure(), lambda _: beside.measure(beside.QUICK)),
    "calls": (calls_section, lambda asked: calls_section(asked, rounds=1, phases=1, games=64)),
    "store": (
        lambda asked: store.measure(5, asked.games, asked.seats),
        lambda asked: store.measure(1, asked.games, asked.seats),
    ),
    "start": (lambda _: start.measure(), lambda _: start.measure(1)),
    "watch": (lambda _: watch.measure(), lambda _: watch.measure(watch.QUICK)),
    "past": (
        lambda asked: past.measure(asked.games, asked.seats),
        lambda asked: past.measure(asked.games, asked.seats, games=1, looks=8),
    ),
}


def main(arguments: list[str]) -> int:
    """Print the tables of the sections, in the order of ``SECTIONS``."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Measure, beside references.")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"some of {', '.join(SECTIONS)}; default: all")
    parser.add_argument("--quick", action="store_true", help="seconds instead of minutes, and rough")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    parser.add_argument("--serve", default="", metavar="FLAGS", help="flags of the servers of `calls`")
    parser.add_argument(
        "--game", choices=installed().game_types, help="only this one; default: all, for `calls` Sevens"
    )
    parser.add_argument("--seats", type=int, help="of --game; default: the fewest, `past` the most, `engine` both")
    said = parser.parse_args(arguments)
    asked = Asked(said.serve, said.game, said.seats)
    if asked.seats and (asked.game is None or asked.seats not in asked.games[0].seat_counts):
        parser.error("--seats must be a number of seats of --game")
    if unknown := set(said.sections) - set(SECTIONS):
        parser.error(f"no section {', '.join(sorted(unknown))}; there are {', '.join(SECTIONS)}")
    made: dict[str, Any] = {"machine": machine()}
    _say(", ".join(f"{key} {value}" for key, value in made["machine"].items()))
    for name, (full, quick) in SECTIONS.items():
        if not said.sections or name in said.sections:
            section = (quick if said.quick else full)(asked)
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
