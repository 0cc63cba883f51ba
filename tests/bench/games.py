"""Many whole games at random, the section ``games`` of the bench.

Every game must end, without an exception and within ``ENDLESS`` decisions; what comes out is how long they are and how
they end. Seat counts and option values take turns, so that every one of them is played.
"""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from collections.abc import Iterable
from multiprocessing import Pool
from statistics import quantiles
from typing import Any, NamedTuple

from engine.core import AnyGame, InvalidOptions, Rng, installed, play
from tests.bench.report import Section, Table

GAMES = 10_000
ENDLESS = 20_000
# A game of Wingspan is as long as ten of another.
FEWER = {"wingspan": 2_000}
_SHARE = 50


class Played(NamedTuple):
    """How one game went."""

    seats: int
    decisions: int
    scores: tuple[int, ...]
    reason: str


class Endless(Exception):  # noqa: N818 - says what is the matter
    """A game that does not end; the message says which."""


def play_one(game: AnyGame, number: int, seats: int | None = None) -> Played:
    """Play game ``number`` of a game type at random; the same number is the same game."""
    chance = random.Random(f"{game.game_type} {number}")
    seats = seats or game.seat_counts[number % len(game.seat_counts)]
    seed = number.to_bytes(8, "big")
    state = _dealt(game, number, seats, chance)
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


def _dealt(game: AnyGame, number: int, seats: int, chance: random.Random) -> Any:
    """A deal with the defaults for every second game, any combination of option values that goes for the others."""
    deal = Rng(number.to_bytes(8, "big"), 0)
    if number % 2:
        values = {spec.name: chance.choice(spec.choices) for spec in game.option_specs() if spec.choices}
        with contextlib.suppress(InvalidOptions):
            return game.setup(game.options(**values), seats, deal)
    return game.setup(game.options(), seats, Rng(number.to_bytes(8, "big"), 0))


def _share(job: tuple[str, int | None, int, int]) -> list[Played]:
    game_type, seats, first, behind = job
    game = installed().get(game_type)
    return [play_one(game, number, seats) for number in range(first, behind)]


def run(count: int, games: Iterable[AnyGame], seats: int | None = None) -> Section:
    """Play ``count`` games of each type on every core. Raises whatever a game raises, and Endless."""
    rows, figures = [], {}
    with Pool() as pool:
        for game in games:
            name, most = game.game_type, min(count, FEWER.get(game.game_type, count))
            jobs = [(name, seats, first, min(first + _SHARE, most)) for first in range(0, most, _SHARE)]
            played = [one for share in pool.imap_unordered(_share, jobs) for one in share]
            figures[name] = _figures(played)
            rows.append(_row(name, played))
    columns = [*("game", "games", "decisions: least", "median", "99 %", "most")]
    columns += [*("score: least", "quartiles", "most", "ended")]
    note = "random play, every seat count, every second game with random options; no exception, no endless game"
    return Section([Table("games: whole ones, at random", columns, rows, (note,))], figures)


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
