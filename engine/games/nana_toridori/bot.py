"""How bots play: what a sensible beginner does, and how good a position is.

Everything rests on one number, how hard a hand is to get rid of. It is known for the own hand, so the same rule serves
for a view and for an imagined world.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Protocol

from engine.core.rng import Rng
from engine.games.nana_toridori import rounds
from engine.games.nana_toridori.state import (
    BASIC,
    HIGHEST,
    Cards,
    Keep,
    KeepFront,
    Move,
    Options,
    Pass,
    Phase,
    Play,
    State,
    Take,
)
from engine.games.nana_toridori.view import View

# How many turns it takes to get rid of a run: by the number of its cards (the last entry: as many or more) for the
# lowest value, and how much less for each value above it. Fitted to rounds of imagined moves.
_TURNS = (1.8, 0.9, 0.2, 0.1)
_LESS_BY_VALUE = (0.13, 0.075, 0.03, 0.015)
_COST = tuple(
    tuple(_TURNS[min(n, len(_TURNS)) - 1] - _LESS_BY_VALUE[min(n, len(_TURNS)) - 1] * (value - 1) for n in range(10))
    for value in range(HIGHEST + 1)
)
# How much of what the best order would save does come about.
_ORDER = 0.7
# Passing costs the turn; the card that it draws is worth something.
_PASS = 0.1
# In a duel a pass uses up a front card (10.4), and without one it loses the round (10.5).
_FRONT_CARD = 0.3
_LAST_PASS = 30.0
# How often an imagined player does something else than what the rule says: one time in so many.
_WHIM = 40
# What it is worth to lead, in turns. How much a turn counts for losing the round, shared among those who hold cards:
# the more there are, the more likely somebody else is last. In a duel passes run out: the hand decides less.
_LEAD = 0.9
_A_TURN = 2.5
_IN_DUEL = 0.3
_NO_FRONT_CARD = 0.5
# How often a seat with one penguin loses the game for one time that a seat with two does.
_ONE_PENGUIN = 3.0


class _Table(Protocol):
    """What a view and a state have in common."""

    @property
    def options(self) -> Options: ...
    @property
    def phase(self) -> Phase: ...
    @property
    def beaten(self) -> Cards: ...
    @property
    def drawn(self) -> int | None: ...


@lru_cache(maxsize=1 << 16)
def burden(hand: Cards) -> float:
    """About how many turns it takes to get rid of the hand run by run: many cards and high values go fast."""
    return sum([_COST[value][count] for value, count in _runs(hand)])


@lru_cache(maxsize=1 << 16)
def foresight(hand: Cards) -> float:
    """The burden between run by run and the best order: what lies between two runs of one value goes first."""
    runs = _runs(hand)
    one_by_one = sum([_COST[value][count] for value, count in runs])
    if len({value for value, _ in runs}) == len(runs):
        return one_by_one
    return one_by_one + _ORDER * (_clearing(runs, 0, len(runs), 0, {}) - one_by_one)


def _runs(hand: Cards) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    last, count = 0, 0
    for value in hand:
        if value == last:
            count += 1
            continue
        if count:
            runs.append((last, count))
        last, count = value, 1
    return [*runs, (last, count)] if count else runs


def _clearing(
    runs: list[tuple[int, int]], start: int, end: int, joined: int, found: dict[tuple[int, int, int], float]
) -> float:
    """The least burden of the runs from ``start`` to ``end``; ``joined`` cards have become part of the first one."""
    if start == end:
        return 0.0
    if (start, end, joined) in found:
        return found[start, end, joined]
    value, count = runs[start]
    count += joined
    least = _COST[value][count] + _clearing(runs, start + 1, end, 0, found)
    for later in range(start + 2, end):
        if runs[later][0] == value:
            between = _clearing(runs, start + 1, later, 0, found)
            least = min(least, between + _clearing(runs, later, end, count, found))
    found[start, end, joined] = least
    return least


def rule_of_thumb(seat: int, view: View, moves: tuple[Move, ...]) -> Move:
    """The move that leaves the hand easiest to get rid of, among equal ones the first."""
    return _best(view, view.hand, view.players[seat].front, moves, burden)


def imagined_move(state: State, seat: int, moves: tuple[Move, ...], rng: Rng) -> Move:
    """Mostly what the rule says with some foresight, now and then anything."""
    if rng.below(_WHIM) == 0:
        return moves[rng.below(len(moves))]
    return _best(state, state.hands[seat], state.front[seat], moves, foresight)


def _best(table: _Table, hand: Cards, front: Cards, moves: tuple[Move, ...], measure: Callable[[Cards], float]) -> Move:
    least, best = math.inf, moves[0]
    for move in moves:
        left, cost = _after(table, hand, front, move)
        cost += measure(left)
        if cost < least:
            least, best = cost, move
    return best


def _after(table: _Table, hand: Cards, front: Cards, move: Move) -> tuple[Cards, float]:
    """The hand after the move, and what the move costs besides."""
    match move:
        case Play(start=start, count=count, front=added):
            left = hand[:start] + hand[start + count :]
            return left, _FRONT_CARD * len(added) if left else -1.0
        case Pass():
            return hand, _pass_cost(table, front)
        case Take(position=at):
            return hand[:at] + table.beaten + hand[at:], 0.0
        case Keep(position=at) if table.drawn is not None:
            return (*hand[:at], table.drawn, *hand[at:]), 0.0
        case KeepFront(index=index, position=at):
            return (*hand[:at], front[index], *hand[at:]), 0.0
        case _:
            return hand, 0.0


def _pass_cost(table: _Table, front: Cards) -> float:
    if not rounds.is_duel(table.options):
        return _PASS
    return _PASS + _FRONT_CARD if front else _LAST_PASS


def settled(began: State, state: State) -> bool:
    """At the end of the trick."""
    return not state.table or state.phase is Phase.OVER or state.round_number != began.round_number


def _is_fresh(state: State) -> bool:
    return not (state.table or state.discard_pile or state.passes or state.beaten)


def standing(state: State) -> tuple[float, ...]:
    """The chance of each seat to be among the winners: counted when the game is over, guessed before."""
    result = rounds.result(state)
    if result is not None:
        return tuple([float(placement.rank == 1) for placement in result.placements])
    return _penguins_standing(state) if state.options.mode == BASIC else _points_standing(state)


def _loses_round(state: State) -> tuple[float, ...]:
    """The chance of each seat to lose the round, from what is left in the hands."""
    if _is_fresh(state):
        return (1.0 / len(state.hands),) * len(state.hands)
    weights = [math.exp(_danger(state, seat)) if hand else 0.0 for seat, hand in enumerate(state.hands)]
    total = sum(weights)
    return tuple([weight / total for weight in weights])


def _danger(state: State, seat: int) -> float:
    """The logarithm of how likely the seat is to lose the round, which grows with each turn that it still needs."""
    turns = foresight(state.hands[seat])
    if seat == state.turn and not state.table:
        turns -= _LEAD
    if not rounds.is_duel(state.options):
        return _A_TURN / (len(state.hands) - len(state.finished)) * turns
    front = len(state.front[seat])
    return _IN_DUEL * turns - _FRONT_CARD * front + (0.0 if front else _NO_FRONT_CARD)


def _loses_game(penguins: tuple[int, ...]) -> tuple[float, ...]:
    """Between two rounds: whoever has one penguin only is in danger several times as much (8.2)."""
    weights = [_ONE_PENGUIN if left < rounds.PENGUINS else 1.0 for left in penguins]
    total = sum(weights)
    return tuple([weight / total for weight in weights])


def _penguins_standing(state: State) -> tuple[float, ...]:
    """Over whoever may lose this round: the game is over at once, or it goes on with a penguin less (8.1, 8.2)."""
    seats = range(len(state.hands))
    if _is_fresh(state):
        return tuple([1.0 - lost for lost in _loses_game(state.penguins)])
    safe = [1.0] * len(state.hands)
    for loser, chance in enumerate(_loses_round(state)):
        if state.penguins[loser] == 1:
            safe[loser] -= chance
            continue
        left = tuple([penguins - (seat == loser) for seat, penguins in enumerate(state.penguins)])
        for seat, lost in zip(seats, _loses_game(left), strict=True):
            safe[seat] -= chance * lost
    return tuple(safe)


def _points_standing(state: State) -> tuple[float, ...]:
    """By how much the points that a seat may have after this round are above the average (9.1)."""
    expected = [
        points + _expected(state, seat, lost)
        for seat, (points, lost) in enumerate(zip(state.points, _loses_round(state), strict=True))
    ]
    average = sum(expected) / len(expected)
    return tuple([min(0.95, max(0.05, 0.5 + (points - average) / rounds.TARGET)) for points in expected])


def _expected(state: State, seat: int, lost: float) -> float:
    if seat in state.finished:
        return rounds.FIRST_OUT if seat == state.finished[0] else rounds.IN_BETWEEN
    best = rounds.IN_BETWEEN if state.finished else (rounds.FIRST_OUT + rounds.IN_BETWEEN) / 2
    return (1.0 - lost) * best
