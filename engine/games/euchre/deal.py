"""Dealing a hand (RULES 4)."""

from __future__ import annotations

from engine.core import Fact, InvalidOptions, Rng
from engine.core.cards import JOKER
from engine.games.euchre.events import Event, HandDealt
from engine.games.euchre.pack import arrange, pack
from engine.games.euchre.state import (
    HAND_SIZE,
    SEATS,
    TARGET_SCORES,
    HandSummary,
    Options,
    Phase,
    State,
    Tally,
    UpcardState,
    left_of,
)


def setup(options: Options, seats: int, rng: Rng) -> State:
    """The first deal. Raises InvalidOptions."""
    if seats != len(SEATS):
        raise InvalidOptions("seats", "Euchre takes four seats")
    check_options(options)
    dealer = rng.below(len(SEATS)) if options.first_dealer is None else options.first_dealer
    return deal(options, 1, dealer, rng)


def check_options(options: Options) -> None:
    """Raise InvalidOptions unless the values are allowed (RULES 2.7, 2.8)."""
    if options.target_score not in TARGET_SCORES:
        raise InvalidOptions("target_score", f"must be one of {', '.join(map(str, TARGET_SCORES))}")
    if options.first_dealer is not None and options.first_dealer not in SEATS:
        raise InvalidOptions("first_dealer", "must be a seat from 0 to 3")


def deal(
    options: Options,
    hand_number: int,
    dealer: int,
    rng: Rng,
    scores: tuple[int, ...] = (0, 0),
    tallies: tuple[Tally, ...] = (Tally(), Tally()),
    last_hand: HandSummary | None = None,
) -> State:
    """A fresh hand: one card at a time from the dealer's left, the 21st is the upcard (RULES 4.1, 4.2)."""
    cards = rng.shuffle(pack(benny=options.benny))
    dealt = len(SEATS) * HAND_SIZE
    first = left_of(dealer)
    hands = tuple(arrange(cards[(seat - first) % 4 : dealt : 4]) for seat in SEATS)
    upcard = cards[dealt]
    blind = upcard == JOKER
    return State(
        options=options,
        phase=Phase.BENNY if blind else Phase.BID1,
        hand_number=hand_number,
        dealer=dealer,
        turn=dealer if blind else first,
        hands=hands,
        upcard=upcard,
        upcard_state=UpcardState.FACE_UP,
        kitty=cards[dealt + 1 :],
        scores=scores,
        tallies=tallies,
        last_hand=last_hand,
    )


def hand_dealt(state: State) -> Fact[Event]:
    """The deal as each seat sees it; a dealer who must name a suit for the Benny sees no card of his (RULES 5.10)."""

    def event(hand: tuple[int, ...] = ()) -> HandDealt:
        return HandDealt(state.hand_number, state.dealer, state.upcard, len(state.kitty), hand)

    seeing = (seat for seat in SEATS if state.phase is not Phase.BENNY or seat != state.dealer)
    return Fact(state.dealer, event(), tuple((seat, event(state.hands[seat])) for seat in seeing))
