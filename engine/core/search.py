"""Monte-Carlo tree search over information sets: what would be best in many worlds that look the same.

Each iteration imagines a world and walks down one tree that all worlds share. Its edges are (whose move, move); in
each world only the legal ones count, so an edge also counts how often it was there to be chosen. Every mover goes for
its own part of ``standing``; partners have equal parts.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from engine.core.game import Game
from engine.core.rng import Rng
from engine.core.sight import Sight

S = TypeVar("S", bound=msgspec.Struct)
M = TypeVar("M", bound=msgspec.Struct)
V = TypeVar("V", bound=msgspec.Struct)

# How much an edge gains by not having been tried: values are spread over 0 to 1.
EXPLORE = 0.6
# No imagined course is longer; ``settled`` usually stops it much earlier.
LONGEST = 400


def _stopped() -> float:
    return 0.0


class Budget(msgspec.Struct, frozen=True):
    """When to stop: after ``iterations``, or earlier when ``seconds`` have passed on the clock ``now``.

    At least one iteration is made. Without a clock the answer depends on nothing but sight and chance.
    """

    iterations: int
    seconds: float = math.inf
    now: Callable[[], float] = _stopped


class Edge:
    """A move that ``seat`` made at some point of the tree, and what came after it."""

    __slots__ = ("available", "edges", "seat", "total", "visits")

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.visits = 0
        self.available = 1
        self.total = 0.0
        self.edges: dict[tuple[int, Any], Edge] = {}


class _Spread:
    """The lowest and the highest standing met so far, so that small differences count as well as large ones."""

    __slots__ = ("high", "low")

    def __init__(self) -> None:
        self.low = math.inf
        self.high = -math.inf

    def meet(self, standing: tuple[float, ...]) -> None:
        """Widen the spread by what one course came to."""
        self.low = min(self.low, *standing)
        self.high = max(self.high, *standing)

    def bound(self, edge: Edge) -> float:
        """How good the edge may be for its mover: what it brought, and more for what was seldom tried."""
        width = self.high - self.low or 1.0
        mean = (edge.total / edge.visits - self.low) / width
        return mean + EXPLORE * math.sqrt(math.log(edge.available) / edge.visits)


def search(sight: Sight[S, M, V], rng: Rng, budget: Budget) -> M:
    """The offer that was tried most in imagined worlds; the rule of thumb is the first one tried."""
    root = Edge(sight.seat)
    spread = _Spread()
    deadline = budget.now() + budget.seconds
    first: M | None = sight.game.rule_of_thumb(sight.seat, sight.view, sight.moves)
    for done in range(max(1, budget.iterations)):
        if done and budget.now() >= deadline:
            break
        world = sight.world(rng)
        state, path = _descend(sight.game, world, root, spread, rng, first)
        standing = sight.game.standing(_roll_out(sight.game, world, state, rng))
        spread.meet(standing)
        for edge in path:
            edge.visits += 1
            edge.total += standing[edge.seat]
        first = None
    return max(sight.moves, key=lambda move: _worth(root.edges.get((sight.seat, move))))


def _worth(edge: Edge | None) -> tuple[int, float]:
    return (edge.visits, edge.total) if edge else (0, 0.0)


def _descend(
    game: Game[Any, S, M, Any, V], world: S, root: Edge, spread: _Spread, rng: Rng, first: M | None
) -> tuple[S, list[Edge]]:
    """Walk the tree to its rim and one move beyond: the state there and the edges walked."""
    state, seat, at = world, root.seat, root
    path: list[Edge] = []
    while True:
        move = _choose(game, state, seat, at, spread, rng) if first is None or path else first
        edge = at.edges.setdefault((seat, move), Edge(seat))
        path.append(edge)
        state = game.apply(state, seat, move, rng).state
        prompts = game.prompts(state)
        if not edge.visits or not prompts or game.settled(world, state):
            return state, path
        seat, at = prompts[0].seat, edge


def _choose(game: Game[Any, S, M, Any, V], state: S, seat: int, at: Edge, spread: _Spread, rng: Rng) -> M:
    """A move that is legal here and was never tried, else the one that may be best."""
    moves = game.legal_moves(state, seat)
    tried: list[tuple[M, Edge]] = []
    untried: list[M] = []
    for move in moves:
        edge = at.edges.get((seat, move))
        if edge is None:
            untried.append(move)
        else:
            edge.available += 1
            tried.append((move, edge))
    if untried:
        return game.imagined_move(state, seat, tuple(untried), rng)
    return max(tried, key=lambda pair: spread.bound(pair[1]))[0]


def _roll_out(game: Game[Any, S, M, Any, V], world: S, state: S, rng: Rng) -> S:
    """The state in which an imagined course from ``state`` on stops."""
    for _ in range(LONGEST):
        prompts = game.prompts(state)
        if not prompts or game.settled(world, state):
            break
        seat = prompts[0].seat
        move = game.imagined_move(state, seat, game.legal_moves(state, seat), rng)
        state = game.apply(state, seat, move, rng).state
    return state
