"""Boards of Sevens in a line: cards as text, seats in order."""

from __future__ import annotations

from engine.core import Rng, Step, play
from engine.games.sevens import GAME
from engine.games.sevens.state import Event, Options, State
from tests.games.sevens.vectors import read_cards, read_move

SEVENS = "7C 7D 7H 7S"


def board(
    *hands: str,
    turn: int = 0,
    table: str = SEVENS,
    passes: tuple[int, ...] = (),
    options: Options | None = None,
    finished: tuple[int, ...] = (),
    out: tuple[int, ...] = (),
) -> State:
    """A position, perhaps of fewer cards than the pack has."""
    options = options or Options()
    return State(
        options=options,
        turn=turn,
        hands=tuple(map(read_cards, hands)),
        table=read_cards(table),
        passes=passes or (options.pass_limit,) * len(hands),
        finished=finished,
        out=out,
    )


def move(state: State, text: str) -> Step[State, Event]:
    """The seat on turn makes the move."""
    assert state.turn is not None
    return play(GAME, state, state.turn, read_move(text), Rng(b"", 1))


def after(state: State, *texts: str) -> State:
    """The state after moves of the seats in turn."""
    for text in texts:
        state = move(state, text).state
    return state


def offers(state: State) -> list[str]:
    """What the seat on turn may do."""
    assert state.turn is not None
    return [GAME.notation(legal) for legal in GAME.legal_moves(state, state.turn)]
