"""What one viewer may know (RULES 10)."""

from __future__ import annotations

from itertools import takewhile

import msgspec

from engine.core.cards import JOKER, Card, Suit
from engine.games.euchre.pack import arrange
from engine.games.euchre.scoring import winning_team
from engine.games.euchre.state import (
    SEATS,
    Cards,
    HandSummary,
    Phase,
    PlayedCard,
    State,
    Trick,
    Trump,
    UpcardState,
    first_defender,
    inactive_seats,
    left_of,
    partner_of,
    tricks_by_team,
)
from engine.games.euchre.tricks import led_suit


class Bid(msgspec.Struct, frozen=True, array_like=True):
    """A bid of the running hand; without trump it was a pass."""

    seat: int
    round: int
    trump: Trump | None = None
    alone: bool = False


class DefendAnswer(msgspec.Struct, frozen=True, array_like=True):
    """An answer to the question for a lone defence in the running hand."""

    seat: int
    alone: bool


class View(msgspec.Struct, frozen=True, array_like=True):
    """The table as ``seat`` (None: a spectator) may know it; the meaning of each field stands in the proto."""

    seat: int | None
    phase: Phase
    hand_number: int
    dealer: int
    turn: int | None
    upcard: Card
    upcard_state: UpcardState
    kitty_size: int
    bids: tuple[Bid, ...]
    trump: Trump | None
    maker: int | None
    alone: bool
    defend_answers: tuple[DefendAnswer, ...]
    lone_defender: int | None
    inactive: tuple[int, ...]
    hand_sizes: tuple[int, ...]
    hand: Cards
    hand_masked: bool
    discarded: bool
    discard: Card | None
    trick: tuple[PlayedCard, ...]
    led_suit: Suit | None
    finished_tricks: tuple[Trick, ...]
    tricks_by_seat: tuple[int, ...]
    tricks_by_team: tuple[int, ...]
    scores_by_team: tuple[int, ...]
    target_score: int
    last_hand: HandSummary | None
    winning_team: int | None


def view(state: State, seat: int | None) -> View:
    """Everything that ``seat`` may know, and nothing else (RULES 10.1 to 10.5)."""
    masked = state.phase is Phase.BENNY and seat == state.dealer
    winners = [trick.winner for trick in state.tricks]
    return View(
        seat=seat,
        phase=state.phase,
        hand_number=state.hand_number,
        dealer=state.dealer,
        turn=state.turn,
        upcard=state.upcard,
        upcard_state=state.upcard_state,
        kitty_size=len(state.kitty),
        bids=_bids(state),
        trump=state.trump,
        maker=state.maker,
        alone=state.alone,
        defend_answers=_defend_answers(state),
        lone_defender=state.lone_defender,
        inactive=inactive_seats(state),
        hand_sizes=tuple(map(len, state.hands)),
        hand=() if seat is None or masked else arrange(state.hands[seat], state.trump or 0),
        hand_masked=masked,
        discarded=state.discard is not None,
        discard=state.discard if seat == state.dealer else None,
        trick=state.trick,
        led_suit=_led_suit(state),
        finished_tricks=state.tricks,
        tricks_by_seat=tuple(map(winners.count, SEATS)),
        tricks_by_team=tricks_by_team(state.tricks),
        scores_by_team=state.scores,
        target_score=state.options.target_score,
        last_hand=state.last_hand,
        winning_team=winning_team(state) if state.phase is Phase.MATCH_OVER else None,
    )


def _led_suit(state: State) -> Suit | None:
    led = led_suit(state.trick, state.trump) if state.trick and state.trump is not None else 0
    return Suit(led) if led else None


def _bids(state: State) -> tuple[Bid, ...]:
    """The bidding, as it follows from who made trump and when: everybody asked before the maker passed."""
    # With the Benny turned up only the dealer is asked.
    first = state.dealer if state.upcard == JOKER else left_of(state.dealer)
    asked = [(first + i) % 4 for i in range(4)]
    second = state.upcard_state is UpcardState.TURNED_DOWN
    last = state.turn if state.maker is None else state.maker
    bids = [Bid(seat, 1) for seat in asked] if second else []
    bids += [Bid(seat, 2 if second else 1) for seat in takewhile(lambda seat: seat != last, asked)]
    if state.maker is not None:
        bids.append(Bid(state.maker, 2 if second else 1, state.trump, state.alone))
    return tuple(bids)


def _defend_answers(state: State) -> tuple[DefendAnswer, ...]:
    """The answers given, as they follow from the phase and the lone defender."""
    if not state.options.lone_defender or state.maker is None or state.phase is Phase.DISCARD:
        return ()
    first = first_defender(state)
    if state.lone_defender == first:
        return (DefendAnswer(first, alone=True),)
    if state.phase is Phase.DEFEND:
        return (DefendAnswer(first, alone=False),) if state.turn != first else ()
    second = partner_of(first)
    return (DefendAnswer(first, alone=False), DefendAnswer(second, alone=state.lone_defender == second))
