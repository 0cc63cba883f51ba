"""How bots play: which cubes tell the team most, and which guess is safe enough.

All of it rests on what everybody sees, and on the own card: so the same rules serve for a view and for an imagined
world.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from engine.core.rng import Rng
from engine.games.paint_the_roses import box, cubes, track
from engine.games.paint_the_roses.state import (
    Move,
    Phase,
    Plant,
    Propose,
    State,
    Stop,
    UseClueToken,
    Vote,
)
from engine.games.paint_the_roses.symbols import Pair
from engine.games.paint_the_roses.view import View

# An imagined player looks at so many plantings; imagining stops so many turns later.
_PLANTINGS_TRIED = 6
_TURNS_AHEAD = 2
# The parts of the score that may still be expected: for each turn before the Queen comes, for each turn left, and of
# the values of the cards held, more when they are certain.
_AT_ONCE = -6.0
_BY_TURN_AHEAD = 1.0
_BY_TURN_LEFT = 0.8
_HELD = 0.3
_CERTAIN = 0.9
# More than teams reach.
_FARTHEST = 70.0

Candidates: TypeAlias = tuple[Pair, ...]


def rule_of_thumb(seat: int, view: View, moves: tuple[Move, ...]) -> Move:
    """Plant so that the own cube tells most, guess what is certain, and else what is least uncertain.

    Of the levels the first one, which is the easiest.
    """
    match moves[0]:
        case Plant():
            garden = tuple([plot.tile for plot in view.garden])
            greenhouse = tuple([slot.tile for slot in view.greenhouse])
            whim, left = view.players[seat].whim, _seen(view, seat)
            own = None if whim is None else whim.pair
            return min(moves, key=lambda move: _doubt(garden, greenhouse, move, own, left))
        case Vote() if view.proposal is not None:
            return _vote(moves, possible=view.proposal.pair in _seen(view, view.proposal.target))
        case Propose() | Stop() | UseClueToken():
            return _guess(moves, [_seen(view, target) for target in range(len(view.players))])
        case _:
            return moves[0]


def _seen(view: View, seat: int) -> Candidates:
    """The pairs that the card of the seat may show, as far as everybody can tell."""
    player = view.players[seat]
    if player.level is None:
        return ()
    return cubes.agreeing(view.plantings, seat, player.serial, player.level, player.refuted)


def _doubt(
    garden: cubes.Garden, greenhouse: Sequence[int | None], move: Move, own: Pair | None, left: Candidates
) -> int:
    """How many pairs the own card may still show for the others, after a planting."""
    tile = greenhouse[move.slot] if isinstance(move, Plant) else None
    if not isinstance(move, Plant) or tile is None or own is None:
        return len(left)
    numbers = cubes.cube_numbers(garden, move.space, tile)
    mine = cubes.number_of(own, numbers)
    return sum([cubes.number_of(pair, numbers) == mine for pair in left])


def _vote(moves: Sequence[Move], *, possible: bool) -> Move:
    """Yes to what is possible, as far as it is among the moves."""
    return next((move for move in moves if isinstance(move, Vote) and move.accept == possible), moves[0])


def _guess(moves: Sequence[Move], left: Sequence[Candidates]) -> Move:
    """A certain guess; else a way out, if there is one; else the first pair of the card with the fewest possible."""
    guesses = [move for move in moves if isinstance(move, Propose) and move.pair in left[move.target]]
    ways_out = [move for move in moves if not isinstance(move, Propose)]
    best = min(guesses, key=lambda move: len(left[move.target]), default=moves[0])
    uncertain = not isinstance(best, Propose) or len(left[best.target]) > 1
    return ways_out[0] if ways_out and uncertain else best


def imagined_move(state: State, seat: int, moves: tuple[Move, ...], rng: Rng) -> Move:
    """The rule of thumb over a few of the plantings, with any level, and with any of the pairs that are possible."""
    match moves[0]:
        case Plant():
            whim = state.players[seat].whim
            own = None if whim is None else box.pair_of(whim)
            left = cubes.candidates(state, seat)
            some = [rng.choice(moves) for _ in range(_PLANTINGS_TRIED)]
            return min(some, key=lambda move: _doubt(state.garden, state.greenhouse, move, own, left))
        case Vote() if state.proposal is not None:
            return _vote(moves, possible=state.proposal.pair in cubes.candidates(state, state.proposal.target))
        case Propose() | Stop() | UseClueToken():
            left_by_seat = [cubes.candidates(state, target) for target in range(len(state.players))]
            return _guess(rng.shuffle(moves), left_by_seat)
        case _:
            return rng.choice(moves)


def settled(began: State, state: State) -> bool:
    """At the beginning of a turn, some turns later."""
    if state.phase is not Phase.PLANT:
        return state.phase is Phase.GAME_OVER
    return len(state.plantings) >= len(began.plantings) + _TURNS_AHEAD


def standing(state: State) -> tuple[float, ...]:
    """How far the gardeners may come, the same for all."""
    return (min(1.0, _prospect(state) / _FARTHEST),) * len(state.players)


def _prospect(state: State) -> float:
    """The score that may be expected: a line fitted to games that were played by the rule of thumb."""
    if state.phase is Phase.GAME_OVER:
        return state.gardeners
    turns = state.garden.count(None)
    ahead = (state.gardeners - state.queen) / track.flowers(state.gardeners)
    more = _AT_ONCE + _BY_TURN_AHEAD * min(ahead, turns) + _BY_TURN_LEFT * turns
    for seat, player in enumerate(state.players):
        if player.whim is not None:
            value = box.value_of(player.whim)
            more += value * (_HELD + _CERTAIN / len(cubes.candidates(state, seat)))
    return state.gardeners + max(0.0, more)
