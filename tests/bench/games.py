"""Many whole games at random: ``python -m tests.bench.games [--games N] [--only a,b]``.

Every game must end, without an exception and within ``ENDLESS`` decisions; what comes out is how long they are and how
they end. Seat counts and option values take turns, so that every one of them is played.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from multiprocessing import Pool
from statistics import quantiles
from typing import Any, NamedTuple

import msgspec

from engine.core import AnyGame, Rng, installed, play
from tests.bench.report import Section, Table

GAMES = 10_000
ENDLESS = 20_000
_SHARE = 250


class Played(NamedTuple):
    """How one game went."""

    seats: int
    decisions: int
    scores: tuple[int, ...]
    reason: str


class Endless(Exception):  # noqa: N818 - says what is the matter
    """A game that does not end; the message says which."""


def play_one(game: AnyGame, number: int) -> Played:
    """Play game ``number`` of a game type at random; the same number is the same game."""
    chance = random.Random(f"{game.game_type} {number}")
    seats = game.seat_counts[number % len(game.seat_counts)]
    seed = number.to_bytes(8, "big")
    state = game.setup(options_of(game, number, chance), seats, Rng(seed, 0))
    for ply in range(1, ENDLESS + 1):
        prompts = game.prompts(state)
        if not prompts:
            break
        seat = chance.choice(prompts).seat
        state = play(game, state, seat, chance.choice(game.legal_moves(state, seat)), Rng(seed, ply)).state
    else:
        raise Endless(f"{game.game_type} number {number} with {seats} seats")
    result = game.result(state)
    if result is None:
        raise Endless(f"{game.game_type} number {number} ends without a result")
    return Played(seats, ply - 1, tuple(place.score for place in result.placements), result.reason)


def options_of(game: AnyGame, number: int, chance: random.Random) -> msgspec.Struct:
    """The defaults for every second game, any combination of values for the others."""
    if number % 2:
        return game.options()
    values = {spec.name: chance.choice(spec.choices) for spec in game.option_specs() if spec.choices}
    return game.options(**values)


def _share(job: tuple[str, int, int]) -> list[Played]:
    game = installed().get(job[0])
    return [play_one(game, number) for number in range(job[1], job[2])]


def run(games: int = GAMES, only: tuple[str, ...] = ()) -> Section:
    """Play ``games`` games of each type on every core. Raises whatever a game raises, and Endless."""
    rows, figures = [], {}
    with Pool() as pool:
        for game_type in only or installed().game_types:
            jobs = [(game_type, start, min(start + _SHARE, games)) for start in range(0, games, _SHARE)]
            played = [one for share in pool.imap_unordered(_share, jobs) for one in share]
            figures[game_type] = _figures(played)
            rows.append(_row(game_type, played))
    columns = (
        "game",
        "games",
        "decisions: least",
        "median",
        "99 %",
        "most",
        "score: least",
        "quartiles",
        "most",
        "ended",
    )
    note = "random play, every seat count and option; no exception, no endless game"
    return Section([Table("Whole games at random", columns, rows, (note,))], figures)


def _figures(played: list[Played]) -> dict[str, Any]:
    return {
        "games": len(played),
        "decisions": sorted(one.decisions for one in played),
        "scores": sorted(score for one in played for score in one.scores),
        "reasons": dict(Counter(one.reason for one in played)),
    }


def _row(game_type: str, played: list[Played]) -> list[str]:
    lengths = sorted(one.decisions for one in played)
    scores = sorted(score for one in played for score in one.scores)
    low, middle, high = (round(value) for value in quantiles(scores, n=4))
    reasons = Counter(one.reason for one in played).most_common()
    return [
        game_type,
        f"{len(played):,}",
        str(lengths[0]),
        str(lengths[len(lengths) // 2]),
        str(lengths[len(lengths) * 99 // 100]),
        str(lengths[-1]),
        str(scores[0]),
        f"{low} / {middle} / {high}",
        str(scores[-1]),
        ", ".join(f"{reason} {count * 100 / len(played):.0f} %" for reason, count in reasons),
    ]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--only", default="")
    said = parser.parse_args()
    only = tuple(name for name in said.only.split(",") if name)
    for table in run(said.games, only).tables:
        sys.stdout.write(f"{table}\n")


if __name__ == "__main__":
    main()
