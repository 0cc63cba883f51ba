"""From the deal to the first lead: two rounds of bidding, the Benny, the discard, the lone defence (RULES 5 to 7)."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core import Fact, Rng, Step
from engine.core.cards import suit_of
from engine.games.euchre.events import (
    CardDiscarded,
    DefendAnswered,
    Event,
    Passed,
    PlayBegan,
    TrumpMade,
    UpcardTaken,
    UpcardTurnedDown,
)
from engine.games.euchre.pack import arrange
from engine.games.euchre.scoring import finish_hand
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
    State,
    Trump,
    UpcardState,
    first_defender,
    inactive_seats,
    left_of,
    next_active,
    partner_of,
)

Facts = tuple[Fact[Event], ...]

PASS = Pass()
SUITS = (Trump.CLUBS, Trump.DIAMONDS, Trump.HEARTS, Trump.SPADES)
_ORDERS: tuple[Move, ...] = (PASS, OrderUp(), OrderUp(alone=True))
_CANADIAN_ORDERS: tuple[Move, ...] = (PASS, OrderUp(alone=True))
_NAMES: tuple[Move, ...] = tuple(Name(suit, alone) for suit in SUITS for alone in (False, True))
_DEFENCES: tuple[Move, ...] = (Defend(), NoDefend())


def legal_bid1(state: State, seat: int) -> tuple[Move, ...]:
    """Pass or order up; under the Canadian rule the dealer's partner orders up alone or not at all (RULES 5.1, 5.4)."""
    canadian = state.options.canadian_loner and seat == partner_of(state.dealer)
    return _CANADIAN_ORDERS if canadian else _ORDERS


def apply_bid1(state: State, seat: int, move: Pass | OrderUp, _rng: Rng) -> Step[State, Event]:
    """First round: trump is made, or the question goes on and at last the upcard is turned down (RULES 5.1 to 5.5)."""
    if isinstance(move, OrderUp):
        return _take_up(state, seat, Trump(suit_of(state.upcard)), alone=move.alone)
    passed: Fact[Event] = Fact(seat, Passed(1))
    if seat != state.dealer:
        return Step(replace(state, turn=left_of(seat)), (passed,))
    second = replace(state, phase=Phase.BID2, turn=left_of(seat), upcard_state=UpcardState.TURNED_DOWN)
    return Step(second, (passed, Fact(seat, UpcardTurnedDown(state.upcard))))


def _calls(turned_down: int, *, no_trump: bool, stuck: bool) -> tuple[Move, ...]:
    trumps = [suit for suit in SUITS if suit != turned_down] + [Trump.NO_TRUMP] * no_trump
    calls: list[Move] = [Call(trump, alone) for trump in trumps for alone in (False, True)]
    return tuple(calls) if stuck else (PASS, *calls)


_CALLS = {
    (suit, no_trump, stuck): _calls(suit, no_trump=no_trump, stuck=stuck)
    for suit in map(int, SUITS)
    for no_trump in (False, True)
    for stuck in (False, True)
}


def legal_bid2(state: State, seat: int) -> tuple[Move, ...]:
    """Pass or call a suit that was not turned down; a stuck dealer has no pass (RULES 5.6 to 5.8)."""
    stuck = state.options.stick_the_dealer and seat == state.dealer
    return _CALLS[suit_of(state.upcard), state.options.no_trump_call, stuck]


def apply_bid2(state: State, seat: int, move: Pass | Call, rng: Rng) -> Step[State, Event]:
    """Second round: trump is made, or the question goes on; eight passes end the hand (RULES 5.6 to 5.9)."""
    if isinstance(move, Call):
        return _without_discard(state, seat, move)
    passed: Facts = (Fact(seat, Passed(2)),)
    if seat != state.dealer:
        return Step(replace(state, turn=left_of(seat)), passed)
    return finish_hand(state, passed, rng)


def _without_discard(state: State, seat: int, call: Call) -> Step[State, Event]:
    """Nobody takes the upcard in the second round (RULES 6.2)."""
    facts: Facts = (Fact(seat, TrumpMade(call.trump, call.alone, 2)),)
    return _after_trump(_make_trump(state, seat, call.trump, alone=call.alone), facts)


def legal_benny(_state: State, _seat: int) -> tuple[Move, ...]:
    """The dealer names a suit, before looking at his cards (RULES 5.10)."""
    return _NAMES


def apply_benny(state: State, seat: int, move: Name, _rng: Rng) -> Step[State, Event]:
    """The dealer takes the Benny and now sees his hand, so that the step reveals (RULES 5.10)."""
    step = _take_up(state, seat, move.trump, alone=move.alone)
    return Step(step.state, step.facts, reveals=True)


def _make_trump(state: State, maker: int, trump: Trump, *, alone: bool) -> State:
    hands = tuple(arrange(hand, trump) for hand in state.hands)
    return replace(state, trump=trump, maker=maker, alone=alone, hands=hands)


def _take_up(state: State, maker: int, trump: Trump, *, alone: bool) -> Step[State, Event]:
    """Trump is made by the upcard: the dealer takes it and has six cards (RULES 5.1, 6.1)."""
    made = _make_trump(state, maker, trump, alone=alone)
    dealer = state.dealer
    six = arrange((*made.hands[dealer], state.upcard), trump)
    hands = (*made.hands[:dealer], six, *made.hands[dealer + 1 :])
    taken = replace(made, phase=Phase.DISCARD, turn=dealer, hands=hands, upcard_state=UpcardState.TAKEN)
    return Step(
        taken,
        (
            Fact(maker, TrumpMade(trump, alone, 1)),
            Fact(dealer, UpcardTaken(state.upcard), ((dealer, UpcardTaken(state.upcard, six)),)),
        ),
    )


def legal_discard(state: State, seat: int) -> tuple[Move, ...]:
    """Any of the six cards (RULES 6.1)."""
    return tuple([Discard(card) for card in state.hands[seat]])


def apply_discard(state: State, seat: int, move: Discard, _rng: Rng) -> Step[State, Event]:
    """The card lies face down; only the dealer knows which it is (RULES 6.1, 10.3)."""
    kept = tuple(card for card in state.hands[seat] if card != move.card)
    hands = (*state.hands[:seat], kept, *state.hands[seat + 1 :])
    laid_away: Fact[Event] = Fact(seat, CardDiscarded(), ((seat, CardDiscarded(move.card)),))
    return _after_trump(replace(state, hands=hands, discard=move.card), (laid_away,))


def _after_trump(state: State, facts: Facts) -> Step[State, Event]:
    """Ask the defenders if the table plays it (RULES 7.1), or begin the tricks."""
    if state.options.lone_defender:
        return Step(replace(state, phase=Phase.DEFEND, turn=first_defender(state)), facts)
    return _begin_play(state, facts)


def legal_defend(_state: State, _seat: int) -> tuple[Move, ...]:
    """Alone or not (RULES 7.1)."""
    return _DEFENCES


def apply_defend(state: State, seat: int, move: Defend | NoDefend, _rng: Rng) -> Step[State, Event]:
    """The first yes closes the question; after two times no both defenders play (RULES 7.3)."""
    alone = isinstance(move, Defend)
    facts: Facts = (Fact(seat, DefendAnswered(alone)),)
    if alone:
        return _begin_play(replace(state, lone_defender=seat), facts)
    if seat == first_defender(state):
        return Step(replace(state, turn=partner_of(seat)), facts)
    return _begin_play(state, facts)


def first_leader(state: State) -> int:
    """Who leads the first trick: left of the dealer, or of a loner who starts last (RULES 8.2, 8.3)."""
    last = state.dealer
    if state.options.loner_starts_last and state.alone and state.maker is not None:
        last = state.maker
    return next_active(left_of(last), inactive_seats(state))


def _begin_play(state: State, facts: Facts) -> Step[State, Event]:
    leader = first_leader(state)
    began: Fact[Event] = Fact(None, PlayBegan(leader, inactive_seats(state)))
    return Step(replace(state, phase=Phase.PLAY, turn=leader), (*facts, began))
