"""Exports of every released rules version, kept for good: ``python -m tests.golden`` adds those that are missing.

A stored game must go on as its rules version played on the day it began. So every registered version has exports here,
and each must still verify. One that does not says that the rules have changed under their number: give them a new one
(see ``docs/adding-a-game.md``). Files that are here are never written again.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, NamedTuple

from engine.core import AnyGame, InvalidOptions, Rng, from_json
from engine.core.registry import GROUP

FOLDER = Path(__file__).with_name("exports")
SOME_MOVES = 40
ALL_MOVES = 5000
MOST_MIXTURES = 4
CANDIDATES = 200


class Variant(NamedTuple):
    """A game to be recorded: how many seats, which options, how many moves at most.

    ``given``: from a position, which is that of another game after some moves. ``mixed``: the platform and every other
    seat give entropy.
    """

    name: str
    seats: int
    options: dict[str, Any]
    moves: int
    given: bool = False
    mixed: bool = False


def registered() -> list[AnyGame]:
    """Every rules version that an installed distribution registers."""
    games = [point.load() for point in entry_points(group=GROUP)]
    return sorted(games, key=lambda game: (game.game_type, game.rules_version))


def file_of(game: AnyGame, variant: Variant) -> Path:
    """Where the export is kept."""
    return FOLDER / f"{game.game_type}-{game.rules_version}-{variant.name}.json"


def files_of(game: AnyGame) -> list[Path]:
    """The exports of a rules version."""
    return sorted(FOLDER.glob(f"{game.game_type}-{game.rules_version}-*.json"))


def variants(game: AnyGame) -> Iterator[Variant]:
    """What is recorded of a game: the fewest seats to the end, the most seats, a given position, mixed options."""
    fewest, most = game.seat_counts[0], game.seat_counts[-1]
    yield Variant(f"{fewest}-seats-whole", fewest, {}, ALL_MOVES)
    if most != fewest:
        yield Variant(f"{most}-seats", most, {}, SOME_MOVES, mixed=True)
    yield Variant("from-a-position", fewest, {}, SOME_MOVES, given=True)
    candidates, seen = _mixtures(game), {(spec.name, spec.default) for spec in game.option_specs()}
    for number in range(1, MOST_MIXTURES + 1):
        seats, options = max(candidates, key=lambda each: len(each[1].items() - seen), default=(0, {}))
        if not options.items() - seen:
            break
        seen |= options.items()
        yield Variant(f"options-{number}", seats, options, SOME_MOVES, mixed=number % 2 == 1)


def _mixtures(game: AnyGame) -> list[tuple[int, dict[str, Any]]]:
    """Seats and options drawn at random, those that the game accepts."""
    chance = Rng(f"{game.game_type} {game.rules_version}".encode(), 0)
    drawn = (
        (chance.choice(game.seat_counts), {spec.name: chance.choice(spec.choices) for spec in game.option_specs()})
        for _ in range(CANDIDATES)
    )
    return [each for each in drawn if _accepted(game, *each)]


def _accepted(game: AnyGame, seats: int, options: dict[str, Any]) -> bool:
    try:
        game.setup(from_json(game.options, options), seats, Rng(b"", 0))
    except InvalidOptions:
        return False
    return True
