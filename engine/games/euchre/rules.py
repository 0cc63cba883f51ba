"""Which function answers in which phase: one pair per phase, one dispatch for each of the two."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.core import Prompt, Rng, Step
from engine.games.euchre import bidding, tricks
from engine.games.euchre.events import Event
from engine.games.euchre.state import SEATS, Move, Phase, State

_LEGAL: dict[Phase, Callable[[State, int], tuple[Move, ...]]] = {
    Phase.BID1: bidding.legal_bid1,
    Phase.BID2: bidding.legal_bid2,
    Phase.BENNY: bidding.legal_benny,
    Phase.DISCARD: bidding.legal_discard,
    Phase.DEFEND: bidding.legal_defend,
    Phase.PLAY: tricks.legal_play,
}
# Each takes the moves of its own phase only: `play` has checked that the move is legal.
_APPLY: dict[Phase, Callable[[State, int, Any, Rng], Step[State, Event]]] = {
    Phase.BID1: bidding.apply_bid1,
    Phase.BID2: bidding.apply_bid2,
    Phase.BENNY: bidding.apply_benny,
    Phase.DISCARD: bidding.apply_discard,
    Phase.DEFEND: bidding.apply_defend,
    Phase.PLAY: tricks.apply_play,
}
_PROMPTS = {(seat, phase): (Prompt(seat, phase.name.lower()),) for seat in SEATS for phase in _LEGAL}


def prompts(state: State) -> tuple[Prompt, ...]:
    """One question at a time, to the seat on turn; none when the match is over."""
    return () if state.turn is None else _PROMPTS[state.turn, state.phase]


def legal_moves(state: State, seat: int) -> tuple[Move, ...]:
    """Every answer of the seat on turn; nothing is asked of the others."""
    return _LEGAL[state.phase](state, seat) if seat == state.turn else ()


def apply(state: State, seat: int, move: Move, rng: Rng) -> Step[State, Event]:
    """What the legal ``move`` makes of the state."""
    return _APPLY[state.phase](state, seat, move, rng)
