"""Why a move is not legal: from what everybody sees, so that no refusal tells anything about a card (13.4)."""

from __future__ import annotations

from engine.core.model import IllegalMove
from engine.games.paint_the_roses import box, course, guessing, rules
from engine.games.paint_the_roses.state import (
    ChooseLevel,
    Move,
    Phase,
    Plant,
    Propose,
    State,
    Stop,
    UseClueToken,
    Vote,
    Withdraw,
)


def refusal(state: State, seat: int, move: Move) -> IllegalMove:
    """The first thing wrong with a move of ``seat``, to which another question or these answers were put."""
    asked = state.phase
    match move:
        case ChooseLevel() if asked in (Phase.CHOOSE_LEVEL, Phase.REDRAW):
            return _level(state, move)
        case Plant() if asked is Phase.PLANT:
            return _planting(state, move)
        case Propose() if asked is Phase.GUESS:
            return _proposal(state, seat, move)
        case Stop() if asked is Phase.GUESS:
            return _stop(state, seat)
        case UseClueToken() if asked is Phase.GUESS:
            return _clue_token(state, seat)
        case Vote() | Withdraw() if asked is Phase.GUESS:
            return _vote(state, seat)
    return IllegalMove("Something else is asked of you now.", "1.4")


def _level(state: State, move: ChooseLevel) -> IllegalMove:
    if not course.has_cards(state, move.level):
        return IllegalMove("There is no card of this level left.", "4.3")
    return IllegalMove("Somebody holds an easy card already.", "4.2")


def _planting(state: State, move: Plant) -> IllegalMove:
    if move.slot not in range(len(state.greenhouse)) or state.greenhouse[move.slot] is None:
        return IllegalMove("There is no tile in this slot of the greenhouse.", "5.1")
    if state.garden[move.space - 1] is not None:
        return IllegalMove(f"There is a tile on {box.space_name(move.space)} already.", "5.1")
    return IllegalMove(f"{box.space_name(move.space)} has no neighbour with a tile.", "5.2")


def _proposal(state: State, seat: int, move: Propose) -> IllegalMove:
    if state.proposal is not None:
        return IllegalMove("A proposal is open already.", "8.1")
    if move.target not in range(len(state.players)):
        return IllegalMove("There is no such player.", "7.1")
    if move.target == seat:
        return IllegalMove("Nobody guesses the own card.", "7.2")
    target = state.players[move.target]
    if target.whim is None:
        return IllegalMove("This player's card was guessed in this turn already.", "7.3")
    if guessing.has_captain(state) and seat != guessing.captain_for(state, move.target):
        return IllegalMove("Only the captain can guess this card now.", "8.5")
    if move.pair not in box.PAIRS_OF[box.level_of(target.whim)]:
        return IllegalMove("No card of this level shows this pair.", "7.4")
    return IllegalMove("This pair has been guessed wrong for this card.", "7.5")


def _stop(state: State, seat: int) -> IllegalMove:
    if state.proposal is not None:
        return IllegalMove("A proposal is open.", "8.7")
    if seat != state.active:
        return IllegalMove("Only the active player can stop the guessing.", "7.9")
    return IllegalMove("No guess of this turn was right yet.", "7.9")


def _clue_token(state: State, seat: int) -> IllegalMove:
    if len(state.players) != rules.SEAT_COUNTS[0]:
        return IllegalMove("Only two players have a clue token.", "3.4")
    if seat != state.active:
        return IllegalMove("Only the active player can use the clue token.", "11.1")
    if not state.clue_tokens:
        return IllegalMove("The clue token has been used.", "11.1")
    return IllegalMove("A guess was made in this turn already.", "11.1")


def _vote(state: State, seat: int) -> IllegalMove:
    if state.proposal is None:
        return IllegalMove("No proposal is open.", "8.1")
    if seat == state.proposal.seat:
        return IllegalMove("You made the proposal and have said yes to it.", "8.1")
    return IllegalMove("Only the proposer can withdraw the proposal.", "8.4")
