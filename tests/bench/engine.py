"""How fast the rules are: ``python -m tests.bench.engine [--seconds S]``.

For every registered game, with its default options and the fewest seats or any others, games are played at random on
one core: decisions per second for ``legal_moves`` and ``apply``, then with the mover's ``view`` as well. Every figure
comes with its ratio to a fixed loop of plain Python in the same run, so that figures of different machines compare.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator
from statistics import fmean, median
from typing import Any, NamedTuple

from engine.core import AnyGame, Rng, encode_state, installed

# Turns of the reference loop per reading of the clock.
_TURNS = 1000
_ROUNDS = 5
_SEED = b"bench"

Look = Callable[[Any, int], Any]


class Column(NamedTuple):
    """A column of the table: heading, key of the measurement, format."""

    heading: str
    key: str
    form: str


COLUMNS = (
    Column("decisions/s", "decisions_per_second", ",.0f"),
    Column("x reference", "ratio", ".3f"),
    Column("with view/s", "decisions_per_second_with_view", ",.0f"),
    Column("x reference", "ratio_with_view", ".3f"),
    Column("blob bytes", "blob_bytes", ",.0f"),
    Column("largest", "blob_bytes_largest", ",.0f"),
    Column("decisions/game", "decisions_per_game", ",.1f"),
    Column("games/s", "games_per_second", ",.1f"),
)


def reference(seconds: float) -> float:
    """Turns per second of a fixed loop: a tuple sorted, a dict filled, integers added."""
    started, turns = time.perf_counter(), 0
    while (passed := time.perf_counter() - started) < seconds:
        for turn in range(_TURNS):
            held = sorted((turn * prime) % 53 for prime in (7, 11, 13, 17, 19))
            counts: dict[int, int] = {}
            for card in held:
                counts[card % 4] = counts.get(card % 4, 0) + 1
        turns += _TURNS
    return turns / passed


def measure(game: AnyGame, seconds: float, seats: int | None = None) -> dict[str, float]:
    """Figures of a game with so many seats (None: the fewest), in about ``seconds``.

    The loops and their reference take turns, and the median round counts, so that a neighbour's load spoils little.
    """
    chance, lengths = random.Random(_SEED), list[int]()
    seats = seats or game.seat_counts[0]
    rounds: dict[str, list[float]] = {"reference": [], "plain": [], "view": [], "ratio": [], "view ratio": []}
    for _ in range(_ROUNDS):
        yardstick = reference(seconds / (3 * _ROUNDS))
        plain = _speed(game, seats, seconds / (3 * _ROUNDS), chance, _look_away, lengths)
        viewing = _speed(game, seats, seconds / (3 * _ROUNDS), chance, game.view, lengths)
        figures = (yardstick, plain, viewing, plain / yardstick, viewing / yardstick)
        for values, figure in zip(rounds.values(), figures, strict=True):
            values.append(figure)
    blobs = [len(encode_state(game, state)) for state in _states(game, seats)]
    return {
        "decisions_per_second": median(rounds["plain"]),
        "ratio": median(rounds["ratio"]),
        "decisions_per_second_with_view": median(rounds["view"]),
        "ratio_with_view": median(rounds["view ratio"]),
        "blob_bytes": median(blobs),
        "blob_bytes_largest": max(blobs),
        "decisions_per_game": fmean(lengths),
        "games_per_second": median(rounds["plain"]) / fmean(lengths),
        "reference_per_second": median(rounds["reference"]),
    }


def _look_away(_state: Any, _seat: int) -> None:
    """No view is made."""


def _speed(game: AnyGame, seats: int, seconds: float, chance: random.Random, look: Look, lengths: list[int]) -> float:
    """Decisions per second, set-ups included; whole games are played, and their ``lengths`` noted."""
    started, decisions = time.perf_counter(), 0
    while (passed := time.perf_counter() - started) < seconds or not decisions:
        lengths.append(_play(game, seats, b"%s%d" % (_SEED, len(lengths)), chance, look))
        decisions += lengths[-1]
    return decisions / passed


def _play(game: AnyGame, seats: int, seed: bytes, chance: random.Random, look: Look) -> int:
    """A game at random; answers how many decisions it took."""
    state = game.setup(game.options(), seats, Rng(seed, 0))
    number = 0
    while prompts := game.prompts(state):
        number += 1
        seat = prompts[0].seat
        legal = game.legal_moves(state, seat)
        look(state, seat)
        # Cheaper than chance.choice, so that less of the time is the bench's own.
        state = game.apply(state, seat, legal[int(chance.random() * len(legal))], Rng(seed, number)).state
    return number


def _states(game: AnyGame, seats: int) -> Iterator[Any]:
    """Every state of one game at random."""
    seen: list[Any] = []
    _play(game, seats, _SEED, random.Random(_SEED), lambda state, seat: seen.append(state))
    return iter(seen)


def table(seconds: float) -> str:
    """A line per registered game."""
    games = installed()
    lines = [["game", *(column.heading for column in COLUMNS)]]
    yardsticks = []
    for game_type in games.game_types:
        figures = measure(games.get(game_type), seconds)
        yardsticks.append(figures["reference_per_second"])
        lines.append([game_type, *(format(figures[column.key], column.form) for column in COLUMNS)])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    rows = ["  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)) for line in lines]
    return "\n".join([*rows, f"reference: {fmean(yardsticks):,.0f} turns/s", ""])


def main(arguments: list[str]) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.engine", description="Measure the rules.")
    parser.add_argument("--seconds", type=float, default=9.0, help="per game (default: 9)")
    sys.stdout.write(table(parser.parse_args(arguments).seconds))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
