"""Pairs of worlds: two states of one game that differ only in what a viewer may not know."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from engine.core import AnyGame, Rng, encode_state, read_position, write_position
from tests.contract.cases import Case, Playout, cases, games, playout
from tests.service.pledge import GAME as PLEDGE

# Redeals that are tried, to find one that leaves others a common move.
REDEALS = 8
# Random games whose moves together are taken for all the moves of a game.
SOURCES = 12
# So many random games are looked through for moments, and so many are taken of one.
MOST_GAMES = 64
MOST_OF_ONE_GAME = 6


class Pair(NamedTuple):
    """``state`` and ``other`` look the same to ``viewer`` (None: a spectator)."""

    game: AnyGame
    seats: int
    viewer: int | None
    state: Any
    other: Any
    name: str

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that owe an answer."""
        return tuple(prompt.seat for prompt in self.game.prompts(self.state))


def every_game() -> tuple[AnyGame, ...]:
    """The registered games, and one of another distribution."""
    return (*games(), PLEDGE)


@cache
def cases_of(game: AnyGame, seats: int) -> tuple[Case, ...]:
    """The random games of a seat count, with the default options first."""
    found = tuple(case for case in cases() if case.game is game and case.seats == seats)
    return found or (Case(game, seats, (), b"seed0"),)


@cache
def all_moves(game: AnyGame) -> tuple[Any, ...]:
    """The moves of many random games, each once: nearly every one that can ever be made."""
    sources = [case for seats in game.seat_counts if seats < 20 for case in cases_of(game, seats)[:SOURCES]]
    chosen = sources[:: max(1, len(sources) // SOURCES)]
    return tuple(dict.fromkeys(move for case in chosen for ply in playout(case).plies for move in ply.legal))


class Moment(NamedTuple):
    """An open question of a kind, and the part that a viewer has in it: its own, another's, or a spectator's."""

    kind: str
    part: str


PARTS = ("own", "other", "spectator")


def kinds(game: AnyGame) -> tuple[str, ...]:
    """Every kind of question that the game has words for."""
    return tuple(key.removeprefix("prompt.") for key in game.messages()["en"] if key.startswith("prompt."))


@cache
def moments(game: AnyGame) -> dict[Moment, Pair]:
    """A pair for every moment that random games lead to, some from each, so that every seat count has its turn."""
    found: dict[Moment, Pair] = {}
    counts = [seats for seats in game.seat_counts if seats < 20]
    for number in range(MOST_GAMES):
        cases = cases_of(game, counts[number % len(counts)])
        case = cases[number // len(counts) % len(cases)]._replace(seed=b"moments%d" % number)
        found |= dict(islice(_new_moments(case, found), MOST_OF_ONE_GAME))
        if len(found) == len(PARTS) * len(kinds(game)):
            break
    return found


def _new_moments(case: Case, found: Collection[Moment]) -> Iterator[tuple[Moment, Pair]]:
    met = set(found)
    for ply, state in enumerate(playout(case).states):
        for prompt in case.game.prompts(state):
            for part in PARTS:
                moment = Moment(prompt.kind, part)
                pair = None if moment in met else _in_part(case, state, ply, prompt.seat, part)
                if pair is not None:
                    met.add(moment)
                    yield moment, pair


def _in_part(case: Case, state: Any, ply: int, asked: int, part: str) -> Pair | None:
    viewer = {"own": asked, "other": (asked + 1 + ply % (case.seats - 1)) % case.seats}.get(part)
    return pair_at(case, state, viewer, f"{case}, moment {ply}")


def points(played: Playout, count: int, turn: int = 0) -> list[int]:
    """``count`` plies spread over a game, others for each ``turn``; the end is the last of them."""
    last = len(played.plies)
    if count == 1:
        return [turn * 7 % (last + 1)]
    spread = [(i * last // (count - 1) + turn * 3) % (last + 1) for i in range(count - 1)]
    return [*spread, last]


def pairs(case: Case, viewers: tuple[int | None, ...], count: int, turn: int = 0) -> Iterator[Pair]:
    """Pairs of the case for each viewer, at ``count`` points of its random game."""
    played = playout(case)
    for viewer in viewers:
        for ply in points(played, count, turn):
            pair = pair_at(case, played.states[ply], viewer, f"{case}, ply {ply}")
            if pair is not None:
                yield pair


def pair_at(case: Case, state: Any, viewer: int | None, name: str) -> Pair | None:
    """The pair at one state; None if there the viewer knows everything."""
    game, best = case.game, None
    rng = Rng(name.encode(), 0 if viewer is None else viewer + 1)
    for _ in range(REDEALS):
        other = game.redeal(state, viewer, rng)
        if encode_state(game, other) == encode_state(game, state):
            continue
        best = Pair(game, case.seats, viewer, state, other, f"{name}, viewer {viewer}")
        if any(common_moves(game, state, other, seat) for seat in best.asked if seat != viewer):
            break
    if best is not None:
        for world in (best.state, best.other):
            assert read_position(game, write_position(game, world)) == world, best.name
    return best


def common_moves(game: AnyGame, state: Any, other: Any, seat: int) -> tuple[Any, ...]:
    """What the seat may do in both worlds."""
    there = set(game.legal_moves(other, seat))
    return tuple(move for move in game.legal_moves(state, seat) if move in there)
