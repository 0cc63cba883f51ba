"""What the contract is tested on: every registered game, every seat count, many options, random games.

Two environment variables: ``ROOKERY_GAMES`` limits the tests to some game types (``sevens,euchre``), ``ROOKERY_SEEDS``
says how many random games are played of each case (1 by default).
"""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Iterator
from functools import cache
from importlib.metadata import entry_points
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from engine.core import AnyGame, InvalidOptions, Rng, Step, from_json, play
from engine.core.registry import GROUP

LOCALES = ("en", "zh-Hans", "zh-Hant", "ja", "es")
GAME_TESTS = Path(__file__).parents[1] / "games"
SEEDS = int(os.environ.get("ROOKERY_SEEDS", "1"))

# Random combinations of options, beside each value alone, for each seat count.
COMBINATIONS = 3
# No random game needs more moves; one that does is taken to go on for ever.
BOUND = 20_000

_CLAUSE = re.compile(r"^[\s#*-]*(\d+(?:\.\d+)+)\b", re.MULTILINE)


class Case(NamedTuple):
    """A game to be played at random."""

    game: AnyGame
    seats: int
    options: tuple[tuple[str, Any], ...]
    seed: bytes

    def __str__(self) -> str:
        named = [f"{name}={value}" for name, value in self.options]
        return "-".join([*id_of(self.game), f"{self.seats}seats", *named, self.seed.decode()])


class Ply(NamedTuple):
    """One move of a random game; ``chance`` says whether the generator was used."""

    number: int
    state: Any
    seat: int
    legal: tuple[Any, ...]
    move: Any
    step: Step[Any, Any]
    chance: bool


class Playout(NamedTuple):
    """A random game from its set-up to its end."""

    case: Case
    opening: Any
    plies: tuple[Ply, ...]

    @property
    def states(self) -> list[Any]:
        """Every state, from the first to the last."""
        return [self.opening, *(ply.step.state for ply in self.plies)]


def id_of(game: AnyGame) -> tuple[str, str]:
    """Game type and rules version."""
    return game.game_type, game.rules_version


@cache
def games() -> tuple[AnyGame, ...]:
    """The registered games, or those of ``ROOKERY_GAMES``: others need not even load then."""
    wanted = os.environ.get("ROOKERY_GAMES", "")
    points = sorted(entry_points(group=GROUP), key=lambda point: point.name)
    # The line of an older rules version is named ``sevens-1.0.0``.
    return tuple(point.load() for point in points if not wanted or point.name.partition("-")[0] in wanted.split(","))


@cache
def clauses(game: AnyGame) -> frozenset[str]:
    """The numbers of the clauses in the game's RULES.md."""
    rules = Path(inspect.getfile(type(game))).with_name("RULES.md")
    return frozenset(_CLAUSE.findall(rules.read_text(encoding="utf-8")))


def cases() -> Iterator[Case]:
    """Every case of every game."""
    for game in games():
        for seats in game.seat_counts:
            for options in _options(game, seats):
                for number in range(SEEDS):
                    yield Case(game, seats, options, b"seed%d" % number)


def _options(game: AnyGame, seats: int) -> list[tuple[tuple[str, Any], ...]]:
    """The defaults, each other value alone, and some combinations; equal ones once.

    Not every value goes with every number of seats, nor with every other value: what the game refuses is left out.
    """
    specs = game.option_specs()
    alone = [((spec.name, choice),) for spec in specs for choice in spec.choices if choice != spec.default]
    chance = Rng(game.game_type.encode(), seats)
    mixed = [tuple((spec.name, chance.choice(spec.choices)) for spec in specs) for _ in range(COMBINATIONS)]
    every = dict.fromkeys([(), *alone, *(mixed if specs else ())])
    return [options for options in every if _accepted(game, seats, options)]


def _accepted(game: AnyGame, seats: int, options: tuple[tuple[str, Any], ...]) -> bool:
    try:
        game.setup(from_json(game.options, dict(options)), seats, Rng(b"", 0))
    except InvalidOptions as refused:
        # The defaults go with every number of seats; a refusal names one of the values given.
        if refused.field not in dict(options):
            raise
        return False
    return True


def options_of(case: Case) -> Any:
    """The options struct of the case."""
    return from_json(case.game.options, dict(case.options))


def absent(case: Case) -> int:
    """How many moves the clock makes until the game is over, for seats that never answer. Fails if it does not end.

    Of several seats that are asked any may be the next one to be due.
    """
    game = case.game
    state = game.setup(options_of(case), case.seats, Rng(case.seed, 0))
    for number in count(1):
        due = tuple(prompt.seat for prompt in game.prompts(state) if game.presses(prompt))
        if not due:
            assert not game.prompts(state), "what is asked presses nobody"
            return number - 1
        assert number <= BOUND, "absent players come to no end"
        seat = Rng(case.seed + b"/due", number).choice(due)
        state = play(game, state, seat, game.timeout_move(state, seat), Rng(case.seed, number)).state
    raise AssertionError


# All of them: the tests go through every case again and again, so a limit below their number would keep none.
@cache
def playout(case: Case) -> Playout:
    """The random game of the case, always the same. Fails if it does not end."""
    game = case.game
    state = opening = game.setup(options_of(case), case.seats, Rng(case.seed, 0))
    plies: list[Ply] = []
    for number in count(1):
        prompts = game.prompts(state)
        if not prompts:
            return Playout(case, opening, tuple(plies))
        assert number <= BOUND, "the game does not end"
        # Another stream than the game's own, so that moves and chance are independent.
        whim = Rng(case.seed + b"/moves", number)
        seat = whim.choice(prompts).seat
        legal = game.legal_moves(state, seat)
        assert legal, f"seat {seat} is asked and has no answer"
        move = whim.choice(legal)
        rng = Rng(case.seed, number)
        step = play(game, state, seat, move, rng)
        plies.append(Ply(number, state, seat, legal, move, step, rng.used))
        state = step.state
    raise AssertionError
