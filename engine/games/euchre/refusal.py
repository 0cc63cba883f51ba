"""Why a move is not legal, told from what everybody knows and from the seat's own cards (RULES 10.4)."""

from __future__ import annotations

from typing import cast

from engine.core import IllegalMove
from engine.core.cards import CARD_TEXTS, JOKER, card_text
from engine.games.euchre.state import (
    Call,
    Defend,
    Discard,
    Move,
    Name,
    NoDefend,
    OrderUp,
    Pass,
    Phase,
    Play,
    State,
    Trump,
)

# What each phase asks, and the clause that says so.
_QUESTIONS: dict[Phase, tuple[tuple[type, ...], str, str]] = {
    Phase.BID1: ((Pass, OrderUp), "the first round offers a pass or ordering up", "5.1"),
    Phase.BID2: ((Pass, Call), "the second round offers a pass or a call", "5.6"),
    Phase.BENNY: ((Name,), "the Benny is turned up: the dealer names a suit", "5.10"),
    Phase.DISCARD: ((Discard,), "the dealer lays one card away", "6.1"),
    Phase.DEFEND: ((Defend, NoDefend), "the question is whether to defend alone", "7.1"),
    Phase.PLAY: ((Play,), "a card must be played", "8.7"),
}


def refusal(state: State, seat: int, move: Move) -> IllegalMove:
    """The clause that ``move`` breaks; ``seat`` is on turn."""
    kinds, question, clause = _QUESTIONS[state.phase]
    if not isinstance(move, kinds):
        return IllegalMove(question, clause)
    if isinstance(move, Pass):
        return IllegalMove("a stuck dealer must call", "5.8")
    if isinstance(move, OrderUp):
        return IllegalMove("the dealer's partner orders up alone or not at all", "5.4")
    if isinstance(move, Call):
        return _refuse_call(move)
    if isinstance(move, Name):
        return IllegalMove("only one of the four suits can be named", "5.10")
    return _refuse_card(state, seat, cast("Discard | Play", move))


def _refuse_call(move: Call) -> IllegalMove:
    if move.trump == Trump.NO_TRUMP:
        return IllegalMove("no trump is not called at this table", "5.7")
    return IllegalMove("the suit must be one of the three that were not turned down", "5.6")


def _refuse_card(state: State, seat: int, move: Discard | Play) -> IllegalMove:
    if not 1 <= move.card <= len(CARD_TEXTS):
        return IllegalMove("there is no such card", "3.1")
    if move.card not in state.hands[seat]:
        clause = "6.1" if isinstance(move, Discard) else "8.8"
        return IllegalMove(f"{card_text(move.card)} is not in your hand", clause)
    if move.card == JOKER and state.trump is Trump.NO_TRUMP:
        return IllegalMove("the Benny follows no suit in no trump, and you can follow", "8.5")
    return IllegalMove(f"{card_text(move.card)} does not follow suit, and you can follow", "8.4")
