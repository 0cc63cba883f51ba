"""Monte-Carlo tree search over information sets: what would be best in many worlds that look the same.

Each iteration makes an offer in an imagined world and walks down a tree that all worlds share. Its edges are (whose
move, move); in each world only the legal ones count, so an edge also counts how often it was there to be chosen. Every
mover goes for its own part of ``standing``; partners have equal parts. The rest of the course is what ``imagined_move``
makes of it, until it is settled.
"""

from __future__ import annotations

import math
from statistics import fmean, stdev
from typing import Any, Generic, TypeVar

import msgspec

from engine.core.budget import Budget, Pace
from engine.core.game import Game
from engine.core.rng import Rng
from engine.core.sight import Sight, next_seat

S = TypeVar("S", bound=msgspec.Struct)
M = TypeVar("M", bound=msgspec.Struct)
V = TypeVar("V", bound=msgspec.Struct)

# How much an edge gains by not having been tried: values are spread over 0 to 1.
EXPLORE = 0.6
# A tree grows on at an edge that was tried so often: before, its replies would be more whim than wisdom.
RIPE = 24
# With so many times the root of its visits, an edge of the tree has one more reply.
WIDENING = 0.5
# An offer enters the race only if the budget has so many iterations for it.
EACH = 12
# What is better by so many standard errors, in at least so many worlds, is clearly better.
DOUBT = 1.0
WORLDS = 6
# No imagined course is longer; ``settled`` usually stops it much earlier.
LONGEST = 400


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


class _Rival(Generic[M]):
    """An offer in the running: its part of the tree, and what it brought in each world."""

    __slots__ = ("edge", "move", "values")

    def __init__(self, move: M, seat: int) -> None:
        self.move = move
        self.edge = Edge(seat)
        self.values: list[float] = []

    @property
    def mean(self) -> float:
        return self.edge.total / self.edge.visits if self.edge.visits else -math.inf

    def beats(self, other: _Rival[M]) -> bool:
        """Whether it did better in the worlds that both have seen, and not just by luck."""
        gains = [mine - yours for mine, yours in zip(self.values, other.values, strict=False)]
        return len(gains) >= WORLDS and fmean(gains) > DOUBT * stdev(gains) / math.sqrt(len(gains))


def search(sight: Sight[S, M, V], rng: Rng, budget: Budget) -> M:
    """The offer that came out best in imagined worlds, or a favourite unless another offer is clearly better.

    Favourites are the rule of thumb and what the seat would play in an imagined world. All offers in the running are
    tried in the same worlds, so that their differences are the offers' own. After equal shares of the budget the worse
    half of the others leaves.
    """
    favourites, others = _field(sight, rng, budget)
    halvings = len(others).bit_length()
    halved, spread, pace = 0, _Spread(), Pace(budget)
    while not pace.over:
        world = sight.world(rng)
        for rival in (*favourites, *others):
            rival.values.append(_iterate(sight.game, world, rival.move, rival.edge, spread, rng))
            if pace.step():
                break
        while halved + 1 < halvings and pace.spent * halvings >= halved + 1:
            others = sorted(others, key=lambda rival: -rival.mean)[: (len(others) + 1) // 2]
            halved += 1
    favourite = max(favourites, key=lambda rival: rival.mean)
    best = max((favourite, *others), key=lambda rival: rival.mean)
    return best.move if best.beats(favourite) else favourite.move


def _field(sight: Sight[S, M, V], rng: Rng, budget: Budget) -> tuple[list[_Rival[M]], list[_Rival[M]]]:
    """The favourites, and as many other offers as the budget can tell apart, likely ones first."""
    game, seat = sight.game, sight.seat
    thumb = game.rule_of_thumb(seat, sight.view, sight.moves)
    likely = game.imagined_move(sight.base, seat, sight.moves, rng)
    favourites = list(dict.fromkeys((thumb, likely)))
    left, others = [move for move in sight.moves if move not in favourites], list[M]()
    while left and (len(favourites) + len(others)) * EACH < budget.iterations:
        others.append(game.imagined_move(sight.base, seat, tuple(left), rng))
        left.remove(others[-1])
    return [_Rival(move, seat) for move in favourites], [_Rival(move, seat) for move in others]


def _iterate(game: Game[Any, S, M, Any, V], world: S, move: M, edge: Edge, spread: _Spread, rng: Rng) -> float:
    """Make the move in the world, walk the tree to its rim and one move beyond, imagine the rest and learn from it.

    Answers what came of it for the mover.
    """
    seat, state, path = edge.seat, world, [edge]
    while True:
        state = game.apply(state, seat, move, rng).state
        prompts = game.prompts(state)
        if edge.visits < RIPE or not prompts or game.settled(world, state):
            break
        seat = next_seat(game, prompts)
        move = _choose(game, state, seat, edge, spread, rng)
        edge = edge.edges.setdefault((seat, move), Edge(seat))
        path.append(edge)
    standing = game.standing(_roll_out(game, world, state, rng))
    spread.meet(standing)
    for passed in path:
        passed.visits += 1
        passed.total += standing[passed.seat]
    return standing[path[0].seat]


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
        seat = next_seat(game, prompts)
        moves = game.legal_moves(state, seat)
        move = moves[0] if len(moves) == 1 else game.imagined_move(state, seat, moves, rng)
        state = game.apply(state, seat, move, rng).state
    return state
