"""How well the bots play, and how fast they decide: the section ``bots`` of the bench.

Each level meets the one below over the same deals from both sides: every second seat (so, in a game for teams, a whole
team) is of the one level, the others of the other, then they change places. What counts is the share of opponents
beaten, ties half: 0.5 is equal. A team against the game plays each deal once with each level, and what counts is by how
much the better level scores more: 0 is equal.

A match of two levels ends when an interval of ``SURE`` standard errors excludes "equal"; the interval that is printed
is narrower, so that having looked after every batch does not make it look better than it is.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from itertools import count
from multiprocessing import Pool
from statistics import NormalDist, fmean, stdev
from typing import Any, NamedTuple

from engine.core import AnyGame, Budget, Level, Result, Rng, decide, installed, next_seat, play, sight_of
from tests.bench.report import Section, Table

PROCESSES = 2
SURE = 3.0
INTERVAL = NormalDist().inv_cdf(0.975)

# (how well, against whom)
MATCHES = ((Level.BASIC, Level.RANDOM), (Level.STRONG, Level.BASIC))

# How long a level thought: decisions and seconds of CPU time, by level.
Thought = dict[Level, tuple[int, float]]


class Bounds(NamedTuple):
    """How many deals a match takes at least and at most, and after how many seconds of thought it takes no more.

    They are seconds of CPU time, so that a busy machine takes longer but deals as often.
    """

    least: int
    most: int
    seconds: float
    iterations: int


FULL = Bounds(20, 400, 200.0, 100)
QUICK = Bounds(2, 2, 0.1, 1)
# Deals between two looks at the clock and at what is decided.
_BATCH = 4


class Deal(NamedTuple):
    """One deal of a match, to be played from both sides."""

    game_type: str
    seats: int
    better: Level
    worse: Level
    number: int
    iterations: int


class Match(NamedTuple):
    """What two levels made of each other: by deal the share of opponents beaten, or the difference of scores."""

    better: Level
    worse: Level
    values: list[float]
    equal: float

    @property
    def mean(self) -> float:
        """How the better level did, on average."""
        return fmean(self.values)

    def margin(self, errors: float) -> float:
        """Half of the interval of so many standard errors; infinite where one deal says nothing about the spread."""
        if len(self.values) < 2:
            return math.inf
        return errors * stdev(self.values) / math.sqrt(len(self.values))

    def clear(self, errors: float) -> bool:
        """Whether the interval of so many standard errors excludes that the levels are equal."""
        return abs(self.mean - self.equal) > self.margin(errors)


def play_deal(deal: Deal) -> tuple[float, Thought]:
    """The value of the deal for the better level, and how long both thought."""
    game, thought = installed().get(deal.game_type), dict[Level, tuple[int, float]]()
    if _together(game, deal.seats):
        high, low = (
            _play(game, (level,) * deal.seats, deal, thought).placements[0].score for level in (deal.better, deal.worse)
        )
        return float(high - low), thought
    shares = []
    for side in range(2):
        levels = tuple(deal.better if seat % 2 == side else deal.worse for seat in range(deal.seats))
        shares.append(_beaten(_play(game, levels, deal, thought), levels, deal.better))
    return fmean(shares), thought


def _together(game: AnyGame, seats: int) -> bool:
    """Whether all seats are one team against the game."""
    return len(game.sides(game.setup(game.options(), seats, Rng(b"", 0)))) == 1


def _play(game: AnyGame, levels: tuple[Level, ...], deal: Deal, thought: Thought) -> Result:
    seed = b"bots %d" % deal.number
    state = game.setup(game.options(), deal.seats, Rng(seed, 0))
    for ply in count(1):
        prompts = game.prompts(state)
        if not prompts:
            break
        seat = next_seat(game, prompts)
        began = time.process_time()
        sight = sight_of(game, state, seat)
        move = decide(levels[seat], sight, Rng(seed + b"/bot", ply), Budget(deal.iterations))
        passed = time.process_time() - began
        if len(sight.moves) > 1:
            decisions, seconds = thought.get(levels[seat], (0, 0.0))
            thought[levels[seat]] = decisions + 1, seconds + passed
        state = play(game, state, seat, move, Rng(seed, ply)).state
    result = game.result(state)
    assert result is not None, "nothing is asked, so the game is over"
    return result


def _beaten(result: Result, levels: tuple[Level, ...], better: Level) -> float:
    """The share of meetings of a better and a worse seat that the better one has won, ties half."""
    ranks: dict[bool, list[int]] = {True: [], False: []}
    for placement in result.placements:
        ranks[levels[placement.seat] is better].append(placement.rank)
    return fmean((mine < yours) + (mine == yours) / 2 for mine in ranks[True] for yours in ranks[False])


def measure(games: Iterable[AnyGame], seats: int | None = None, bounds: Bounds = FULL) -> Section:
    """Let the levels of each game meet, with the fewest seats of which each level can have half."""
    matches, speeds, figures = [], [], {}
    with Pool(PROCESSES) as pool:
        for game in games:
            chosen = seats or next(n for n in game.seat_counts if n % 2 == 0)
            thought: Thought = {}
            name = f"{game.game_type}, {chosen} seats"
            played = [_match(pool, game, chosen, pair, bounds, thought) for pair in MATCHES]
            matches += [_row(name, match) for match in played]
            speeds.append([name, *(f"{_speed(thought, level):,.0f}" for level in Level)])
            figures[name] = _figures(played, thought)
    notes = (
        f"strong: {bounds.iterations} imagined courses for a decision; ?: equal lies within the interval (95 %)",
        "value: share of opponents beaten, 0.5 is equal; in a game of one team the gain in score, 0 is equal",
    )
    columns = ("game", "match", "deals", "value", "interval", "equal")
    return Section(
        [
            Table("bots: each level against the one below", columns, matches, notes),
            Table("bots: decisions per second of CPU time", ("game", *(level.name.lower() for level in Level)), speeds),
        ],
        figures,
    )


def _match(pool: Any, game: AnyGame, seats: int, pair: tuple[Level, Level], bounds: Bounds, thought: Thought) -> Match:
    """Deal until it is decided or the bounds are reached; what the levels thought is added to ``thought``."""
    match = Match(*pair, [], 0.0 if _together(game, seats) else 0.5)
    passed = 0.0
    while len(match.values) < bounds.most and passed < bounds.seconds:
        first = len(match.values)
        numbers = range(first, min(first + _BATCH, bounds.most))
        deals = [Deal(game.game_type, seats, *pair, number, bounds.iterations) for number in numbers]
        for value, spent in pool.imap(play_deal, deals):
            match.values.append(value)
            for level, (decisions, seconds) in spent.items():
                before = thought.get(level, (0, 0.0))
                thought[level] = before[0] + decisions, before[1] + seconds
                passed += seconds
        if len(match.values) >= bounds.least and match.clear(SURE):
            break
    return match


def _speed(thought: Thought, level: Level) -> float:
    decisions, seconds = thought[level]
    return decisions / seconds


def _row(name: str, match: Match) -> list[str]:
    margin = match.margin(INTERVAL)
    low, high = match.mean - margin, match.mean + margin
    return [
        name,
        f"{match.better.name.lower()} against {match.worse.name.lower()}",
        str(len(match.values)),
        f"{match.mean:.3f}",
        f"{low:.3f} to {high:.3f}",
        f"{match.equal:g}" + ("" if match.clear(INTERVAL) else " ?"),
    ]


def _figures(played: list[Match], thought: Thought) -> dict[str, Any]:
    return {
        "matches": [
            {
                "better": match.better.name.lower(),
                "worse": match.worse.name.lower(),
                "deals": len(match.values),
                "mean": match.mean,
                "margin": match.margin(INTERVAL),
                "equal": match.equal,
            }
            for match in played
        ],
        "decisions_per_second": {level.name.lower(): _speed(thought, level) for level in thought},
    }
