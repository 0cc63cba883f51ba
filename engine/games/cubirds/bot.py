"""How bots play CuBirds: every bird in the hand is worth its part of a flock, and the more the nearer the flock is."""

from __future__ import annotations

import math
from typing import NamedTuple

from engine.games.cubirds.rules import BIG_BANKED, SMALL_BANKED, banked, enclosed
from engine.games.cubirds.scoring import GOAL_EACH, GOAL_PAIR, GOAL_SPECIES, reached_goal
from engine.games.cubirds.species import BIG_FLOCK, COPIES, SMALL_FLOCK, SPECIES, counts_of
from engine.games.cubirds.state import Birds, Draw, Flock, Lay, Move, Phase, State
from engine.games.cubirds.view import View

# Two drawn birds, before anybody knows which.
_DRAWN = 0.12
# A bird in the hand is less certain than one sent home.
_HELD = 0.8
# An imagined course stops when so many birds per seat have been sent home.
_HOMECOMINGS = 2
# What the first bird of a species brings, and each further one up to ``GOAL_EACH``.
_NEW, _MORE = 1.0, 0.6


class Held(NamedTuple):
    """What a seat goes by: all of it is in its view."""

    rows: tuple[Birds, ...]
    hand: Birds
    collection: Birds


def rule_of_thumb(seat: int, view: View, moves: tuple[Move, ...]) -> Move:
    """The move after which the own birds are nearest to flocks."""
    rows = tuple(row.birds for row in view.rows)
    return _best(Held(rows, view.hand, view.players[seat].collection), moves)


def imagined_move(state: State, seat: int, moves: tuple[Move, ...]) -> Move:
    """The rule of thumb, from the seat's own birds."""
    return _best(Held(state.rows, state.hands[seat], state.collections[seat]), moves)


def settled(began: State, state: State) -> bool:
    """Some birds were sent home, a round ended, or the game."""
    if state.turn is None or state.round != began.round:
        return True
    sent = sum(map(len, state.collections)) - sum(map(len, began.collections))
    return sent >= _HOMECOMINGS * len(state.collections)


def standing(state: State) -> tuple[float, ...]:
    """By how far a seat is ahead of the best of the others, in birds sent home and birds in the hand."""
    if state.phase is Phase.OVER:
        goals = [(reached_goal(birds), len(birds)) for birds in state.collections]
        return tuple(float(goal == max(goals)) for goal in goals)
    worths = [
        _progress(collection) + _worth(hand, collection) / 10
        for hand, collection in zip(state.hands, state.collections, strict=True)
    ]
    leads = [worth - max(worths[:seat] + worths[seat + 1 :]) for seat, worth in enumerate(worths)]
    return tuple(min(0.95, max(0.05, 0.5 + lead / 2)) for lead in leads)


def _progress(collection: Birds) -> float:
    """How near the goal is, 0 to 1: by the better of both ways, and a little by the other."""
    counts = sorted((min(count, GOAL_EACH) for count in counts_of(collection)), reverse=True)
    different = sum(count > 0 for count in counts) / GOAL_SPECIES
    alike = sum(counts[:GOAL_PAIR]) / (GOAL_PAIR * GOAL_EACH)
    return 0.8 * math.pow(max(different, alike), 1.5) + 0.2 * min(different, alike)


def _part(species: int, count: int) -> float:
    """How much of a flock so many birds are: a bit more than their share when it is nearly complete."""
    small, big = SMALL_FLOCK[species], BIG_FLOCK[species]
    if count < small:
        return math.pow(count / small, 1.5)
    extra = min(1.0, (count - small) / (big - small))
    return SMALL_BANKED + (BIG_BANKED - SMALL_BANKED) * 0.6 * math.pow(extra, 1.5)


_PARTS = ((), *(tuple(_part(species, count) for count in range(COPIES[species] + 1)) for species in SPECIES))


def _gain(species: int, collection: Birds) -> float:
    """What a bird of the species sent home brings."""
    have = collection.count(species)
    return _MORE if 0 < have < GOAL_EACH else _NEW if not have else _MORE / 3


def _worth(hand: Birds, collection: Birds) -> float:
    """What the hand may become."""
    return sum(_held(species, hand.count(species), collection) for species in set(hand))


def _held(species: int, count: int, collection: Birds) -> float:
    return _HELD * _PARTS[species][count] * _gain(species, collection)


def _best(held: Held, moves: tuple[Move, ...]) -> Move:
    if isinstance(moves[0], Lay):
        return _best_lay(held, moves)
    return max(moves, key=lambda move: _change(held, move))


def _change(held: Held, move: Move) -> float:
    """By how much a draw or a flock makes the own birds worth more."""
    match move:
        case Draw():
            # With an empty hand the round ends, and the others lose theirs.
            return _DRAWN if held.hand else -_DRAWN
        case Flock(species=species):
            count = held.hand.count(species)
            kept = banked(species, count)
            if reached_goal(held.collection + (species,) * kept):
                return math.inf
            return kept * _gain(species, held.collection) - _held(species, count, held.collection)
        case _:
            return 0.0


def _best_lay(held: Held, moves: tuple[Move, ...]) -> Move:
    """The birds enclosed against the birds laid; without a catch two are drawn."""
    counts = counts_of(held.hand)
    gains = (0.0, *(_HELD * _gain(species, held.collection) for species in SPECIES))
    best, most = moves[0], -math.inf
    for move in moves:
        if not isinstance(move, Lay):
            continue
        taken = enclosed(held.rows[move.row], move.species, move.side)
        worth = 0.0 if taken else _DRAWN
        worth -= gains[move.species] * _PARTS[move.species][counts[move.species]]
        for species in set(taken):
            parts, before = _PARTS[species], counts[species]
            worth += gains[species] * (parts[before + taken.count(species)] - parts[before])
        if worth > most:
            best, most = move, worth
    return best
