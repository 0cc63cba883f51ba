"""What a soak does, drawn from its seed: the games, who plays them and how, when who is killed."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

from engine.core import installed

POLICIES = ("TIMEOUT_MOVE", "BOT_TAKES_OVER", "RESIGN")
LEVELS = ("RANDOM", "BASIC", "STRONG")
# A strong bot thinks as long as it may: a few of them show that it works, many would be all that happens.
_LEVEL_WEIGHTS = (10, 10, 1)
# Of the seat counts of a type, so many, the fewest first. Games of Nana Toridori are the longest by far.
_SEAT_COUNTS = {"nana_toridori": 1}
_MOST_SEAT_COUNTS = 2
# The games begin within this share of the time, so that the last ones meet killed processes too.
_BEGINNING = 0.5
# A kill every so many seconds, on the average.
KILL_SECONDS = 4.0
VICTIMS = ("server", "server", "bots", "store")


class Plan(NamedTuple):
    """How long, how much, and the seed of everything that is random."""

    seconds: float
    games: int
    seed: str

    @property
    def command(self) -> str:
        """How to run it."""
        return f"python -m tests.soak --seconds {self.seconds:g} --games {self.games} --seed {self.seed}"

    def chance(self, of: str) -> random.Random:
        """The chance of one actor."""
        return random.Random(f"{self.seed} {of}")


class Chair(NamedTuple):
    """A seat. ``level`` is None for a person, who lets a decision pass with the probability ``absent``."""

    level: str | None
    absent: float


class Table(NamedTuple):
    """A game to come, ``delay`` seconds after the beginning. ``seed`` is the soak's."""

    seed: str
    number: int
    delay: float
    game_type: str
    chairs: tuple[Chair, ...]
    clock_seconds: float
    on_timeout: str
    watchers: int

    def chance_of(self, who: str) -> random.Random:
        """The chance of one who takes part."""
        return random.Random(f"{self.seed} {self.number} {who}")

    @property
    def request(self) -> dict[str, Any]:
        """CreateGame as JSON."""
        return {
            "gameType": self.game_type,
            "seats": [_new_seat(chair) for chair in self.chairs],
            "clock": {"perDecision": f"{self.clock_seconds:.3f}s", "onTimeout": f"ON_TIMEOUT_{self.on_timeout}"},
            "revealPolicy": "REVEAL_POLICY_ON_FINISH",
        }


def _new_seat(chair: Chair) -> dict[str, Any]:
    if chair.level is None:
        return {"controller": "CONTROLLER_HUMAN"}
    return {"controller": "CONTROLLER_BOT", "botLevel": f"BOT_LEVEL_{chair.level}"}


def tables(plan: Plan) -> list[Table]:
    """Every game; the types take turns."""
    types = installed().game_types
    chance = plan.chance("tables")
    return [_table(plan, number, types[number % len(types)], chance) for number in range(plan.games)]


def _table(plan: Plan, number: int, game_type: str, chance: random.Random) -> Table:
    delay = chance.uniform(0, plan.seconds * _BEGINNING)
    few = _SEAT_COUNTS.get(game_type, _MOST_SEAT_COUNTS)
    seats = chance.choice(installed().get(game_type).seat_counts[:few])
    persons = chance.choice((0, 1, 1, 2))
    chairs = [
        Chair(None, chance.choice((0.0, 0.02, 0.2)))
        if seat < persons
        else Chair(chance.choices(LEVELS, _LEVEL_WEIGHTS)[0], 0.0)
        for seat in range(seats)
    ]
    chance.shuffle(chairs)
    return Table(
        seed=plan.seed,
        number=number,
        delay=delay,
        game_type=game_type,
        chairs=tuple(chairs),
        clock_seconds=chance.uniform(1.0, 2.0),
        on_timeout=chance.choice(POLICIES),
        watchers=chance.choice((1, 2, 3)),
    )
