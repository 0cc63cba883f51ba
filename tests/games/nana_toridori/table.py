"""Boards of Nana Toridori in a line: hands as text, seats in order."""

from __future__ import annotations

from typing import Any

from engine.core import Rng, Step, play
from engine.games.nana_toridori import GAME
from engine.games.nana_toridori.state import DUEL, Event, Move, Options, State
from tests.games.nana_toridori.vectors import read_move, read_state


def cards(text: str) -> tuple[int, ...]:
    """``4416`` as four cards."""
    return tuple(map(int, text))


def board(*hands: str, table: str = "", deck: str = "", **fields: Any) -> State:
    """A position, perhaps of fewer cards than the pack has; ``fields`` are those of the worked examples."""
    if table:
        fields.setdefault("owner", 0)
        fields.setdefault("turn", (fields["owner"] + 1) % len(hands))
    fields.setdefault("turn", 0)
    fields.setdefault("finished", [seat for seat, hand in enumerate(hands) if not hand])
    return read_state(
        {"players": len(hands), "hands": map(cards, hands), "table": cards(table), "deck": cards(deck), **fields}
    )


def duel(*hands: str, front: tuple[str, str] = ("46", "41"), **fields: Any) -> State:
    """The same with two players and front cards."""
    return board(*hands, front=map(cards, front), two_player_mode=DUEL, **fields)


def move(state: State, text: str) -> Step[State, Event]:
    """The seat on turn makes the move."""
    assert state.turn is not None
    return play(GAME, state, state.turn, read_move(text), Rng(b"", 1))


def after(state: State, *texts: str) -> State:
    """The state after moves of the seats in turn."""
    for text in texts:
        state = move(state, text).state
    return state


def offers(state: State) -> list[Move]:
    """What the seat on turn may do."""
    assert state.turn is not None
    return list(GAME.legal_moves(state, state.turn))


def seen(step: Step[State, Event], viewer: int | None) -> list[Event]:
    """The events as the viewer sees them."""
    return [event for fact in step.facts if (event := fact.seen_by(viewer)) is not None]


def dealt(options: Options | None = None, seats: int = 4, seed: bytes = b"") -> State:
    """A game before its first move."""
    return GAME.setup(options or Options(), seats, Rng(seed, 0))
