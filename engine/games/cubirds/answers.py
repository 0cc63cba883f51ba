"""Why a move is refused, and what the clock plays: both from what the seat itself knows."""

from __future__ import annotations

from engine.core.model import IllegalMove
from engine.games.cubirds.deal import ROWS
from engine.games.cubirds.rules import banked, enclosed, legal_moves
from engine.games.cubirds.scoring import reached_goal
from engine.games.cubirds.species import SMALL_FLOCK
from engine.games.cubirds.state import Draw, Flock, Lay, Move, NoDraw, NoFlock, Phase, Side, State


def refusal(state: State, seat: int, move: Move) -> IllegalMove:
    """Why the player on turn may not make the move: from the open question and the own hand alone."""
    if state.phase is Phase.LAY:
        return _no_lay(move)
    if state.phase is Phase.DRAW:
        return IllegalMove("Say first whether you draw.", "4.1")
    if isinstance(move, Flock):
        held, needed = state.hands[seat].count(move.species), SMALL_FLOCK[move.species]
        return IllegalMove(f"You hold {held} of them; a small flock needs {needed}.", "5.1")
    if isinstance(move, Lay):
        return IllegalMove("You have laid birds in this turn already; say whether you complete a flock.", "5.1")
    return IllegalMove("You may not draw now; say whether you complete a flock.", "4.1")


def _no_lay(move: Move) -> IllegalMove:
    match move:
        case Lay(row=row) if row not in ROWS:
            return IllegalMove(f"There is no row {row}; the rows are 0 to {ROWS[-1]}.", "1.3")
        case Lay(side=side) if side not in tuple(Side):
            return IllegalMove("A row has a left and a right end.", "3.1")
        case Lay():
            return IllegalMove("You hold no bird of this species.", "3.1")
        case Draw() | NoDraw() | Flock() | NoFlock():
            return IllegalMove("A turn begins with laying birds.", "3.1")


def timeout_move(state: State, seat: int) -> Move:
    """The largest catch, two birds from the pile, the best flock (section 9)."""
    moves = legal_moves(state, seat)
    # Of equal moves the first one counts: they come in the order of 9.1 and 9.3.
    return max(moves, key=lambda move: _worth(state, seat, move))


def _worth(state: State, seat: int, move: Move) -> tuple[int, ...]:
    hand, collection = state.hands[seat], state.collections[seat]
    match move:
        case Lay(species=species, row=row, side=side):
            return (len(enclosed(state.rows[row], species, side)), -hand.count(species))
        case Draw():
            return (1,)
        case Flock(species=species):
            kept = banked(species, hand.count(species))
            wins = reached_goal(collection + (species,) * kept)
            return (1, wins, kept, species not in collection)
        case NoDraw() | NoFlock():
            return (0,)
