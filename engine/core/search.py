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
# A tree grows on at an edge that was tried so often: before, its replies would be more whim than wisdom.
RIPE = 24
# With so many times the root of its visits, an edge of the tree has one more reply.
WIDENING = 0.5
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

    @property
    def mean(self) -> float:
        """What it brought its mover on average."""
        return self.total / self.visits if self.visits else -math.inf


class _Pace:
    """How much of the budget is spent, from 0 to 1."""

    __slots__ = ("_began", "_budget", "_done", "spent")

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._began = budget.now()
        self._done = 0
        self.spent = 0.0

    @property
    def over(self) -> bool:
        return self.spent >= 1

    def step(self) -> bool:
        """An iteration was made: whether it was the last one."""
        self._done += 1
        passed = self._budget.now() - self._began
        in_time = passed / self._budget.seconds if self._budget.seconds else 1.0
        self.spent = max(self._done / max(1, self._budget.iterations), in_time)
        return self.over


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
    """The offer that came out best in imagined worlds; the rule of thumb wins ties.

    All offers still in the running are tried in the same worlds, so that their differences are the offers' own. The
    worse half leaves after an equal share of the budget each time.
    """
    game, first = sight.game, sight.game.rule_of_thumb(sight.seat, sight.view, sight.moves)
    rivals = [(move, Edge(sight.seat)) for move in (first, *(move for move in sight.moves if move != first))]
    halvings = (len(rivals) - 1).bit_length()
    halved, spread, pace = 0, _Spread(), _Pace(budget)
    while not pace.over:
        world = sight.world(rng)
        for move, edge in rivals:
            _iterate(game, world, move, edge, spread, rng)
            if pace.step():
                break
        while halved + 1 < halvings and pace.spent * halvings >= halved + 1:
            rivals = _better_half(rivals)
            halved += 1
    return max(rivals, key=lambda rival: rival[1].mean)[0]


def _better_half(rivals: list[tuple[M, Edge]]) -> list[tuple[M, Edge]]:
    """In the order that they had, so that the rule of thumb stays in front while it is among them."""
    kept = sorted(range(len(rivals)), key=lambda at: -rivals[at][1].mean)[: (len(rivals) + 1) // 2]
    return [rivals[at] for at in sorted(kept)]


def _iterate(game: Game[Any, S, M, Any, V], world: S, move: M, edge: Edge, spread: _Spread, rng: Rng) -> None:
    """Make the move in the world, walk the tree to its rim and one move beyond, imagine the rest and learn from it."""
    seat, state, path = edge.seat, world, [edge]
    while True:
        state = game.apply(state, seat, move, rng).state
        prompts = game.prompts(state)
        if edge.visits < RIPE or not prompts or game.settled(world, state):
            break
        seat = prompts[0].seat
        move = _choose(game, state, seat, edge, spread, rng)
        edge = edge.edges.setdefault((seat, move), Edge(seat))
        path.append(edge)
    standing = game.standing(_roll_out(game, world, state, rng))
    spread.meet(standing)
    for passed in path:
        passed.visits += 1
        passed.total += standing[passed.seat]


def _choose(game: Game[Any, S, M, Any, V], state: S, seat: int, at: Edge, spread: _Spread, rng: Rng) -> M:
    """The one that may be best of the moves tried here, or one more, the more visits there are.

    Replies that are not likely are not worth a visit each: ``imagined_move`` says which are tried first.
    """
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
    if untried and len(tried) <= WIDENING * math.sqrt(sum([edge.visits for _, edge in tried])):
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
