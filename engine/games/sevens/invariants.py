"""What holds in every position that the rules can reach, and what in a position nobody but one viewer can tell."""

from __future__ import annotations

from itertools import pairwise

from msgspec.structs import replace

from engine.core.cards import card_name
from engine.core.model import InvalidPosition
from engine.core.rng import Rng
from engine.games.sevens import rules
from engine.games.sevens.state import State


def check(state: State) -> None:
    """Raise InvalidPosition, naming the field, unless the rules can reach the position."""
    _check_options(state)
    _check_seats(state)
    _check_turn(state)
    _check_hands(state)
    _check_cards(state)
    _check_rows(state)


def _check_options(state: State) -> None:
    if state.options.pass_limit not in rules.PASS_LIMITS:
        raise InvalidPosition("options.pass_limit", "must be from 0 to 5 (1.3)")
    if state.options.decks not in rules.DECKS:
        raise InvalidPosition("options.decks", "must be 1 or 2 (1.4)")
    if len(state.hands) not in rules.SEAT_COUNTS:
        raise InvalidPosition("hands", "must be of 3 to 8 players (1.1)")


def _check_seats(state: State) -> None:
    seats = len(state.hands)
    seen: set[int] = set()
    for field, members in (("finished", state.finished), ("out", state.out)):
        for at, seat in enumerate(members):
            if not 0 <= seat < seats:
                raise InvalidPosition(f"{field}[{at}]", f"there is no seat {seat}")
            if seat in seen:
                raise InvalidPosition(f"{field}[{at}]", f"seat {seat} has a place already")
            seen.add(seat)
    if len(seen) == seats:
        raise InvalidPosition("out" if state.out else "finished", "somebody must be left over (6.1)")
    if len(state.passes) != seats:
        raise InvalidPosition("passes", "must be as many as hands")
    for seat, left in enumerate(state.passes):
        if not 0 <= left <= state.options.pass_limit:
            raise InvalidPosition(f"passes[{seat}]", f"must be from 0 to {state.options.pass_limit} (2.4)")
        if left and seat in state.out:
            raise InvalidPosition(f"passes[{seat}]", "a player goes out with no pass left (5.2)")


def _check_turn(state: State) -> None:
    gone = state.finished + state.out
    over = len(gone) == len(state.hands) - 1
    if over and state.turn is not None:
        raise InvalidPosition("turn", "must be null: one player is left (6.1)")
    if not over and (state.turn not in range(len(state.hands)) or state.turn in gone):
        raise InvalidPosition("turn", "must be a seat that is still playing (4.5)")


def _check_hands(state: State) -> None:
    cards = len(rules.PACK) * state.options.decks
    seats = len(state.hands)
    for seat, hand in enumerate(state.hands):
        field = f"hands[{seat}]"
        if any(later < earlier for earlier, later in pairwise(hand)):
            raise InvalidPosition(field, "must be ascending: clubs, diamonds, hearts, spades, each from ace to king")
        if not set(hand).isdisjoint(rules.SEVENS):
            raise InvalidPosition(field, "sevens lie on the table (2.2)")
        if hand and seat in state.finished + state.out:
            raise InvalidPosition(field, f"seat {seat} has no cards any more (5.1, 5.2)")
        if not hand and seat not in state.finished + state.out:
            raise InvalidPosition(field, f"seat {seat} is still playing and holds cards (5.1)")
        dealt = (cards - seat - 1) // seats + 1
        if len(hand) > dealt:
            raise InvalidPosition(field, f"seat {seat} was dealt {dealt} cards (2.1)")


def _check_cards(state: State) -> None:
    if any(later < earlier for earlier, later in pairwise(state.table)):
        raise InvalidPosition("table", "must be ascending: clubs, diamonds, hearts, spades, each from ace to king")
    for field, cards in (("table", state.table), *((f"hands[{i}]", hand) for i, hand in enumerate(state.hands))):
        for card in cards:
            if not rules.PACK[0] <= card <= rules.PACK[-1]:
                raise InvalidPosition(field, "holds a card that is not in the pack (1.4)")
    lying = rules.copies(state.table)
    held = rules.copies(card for hand in state.hands for card in hand)
    for card in rules.PACK:
        found = lying[card] + held[card]
        if found != state.options.decks:
            field = _surplus(state, card) if found > state.options.decks else _lack(card)
            raise InvalidPosition(field, f"there are {found} of {card_name(card)}, not {state.options.decks} (1.4)")


def _surplus(state: State, card: int) -> str:
    holders = [seat for seat, hand in enumerate(state.hands) if card in hand]
    return f"hands[{holders[-1]}]" if holders else "table"


def _lack(card: int) -> str:
    return "table" if card in rules.SEVENS else "hands"


def _check_rows(state: State) -> None:
    """Only players who went out leave cards behind gaps (3.3)."""
    if not state.out and rules.connected(state.table) != rules.copies(state.table):
        raise InvalidPosition("table", "nobody is out, so every card must be connected with its seven (3.3)")


def redeal(state: State, seat: int | None, rng: Rng) -> State:
    """The hands that ``seat`` (None: a spectator) cannot see, shuffled among their holders; sizes stay (7.1, 7.2)."""
    if state.turn is None:
        return state  # the one hand that is left lies open (7.4)
    hidden = [other for other in range(len(state.hands)) if other != seat]
    pool = list(rng.shuffle(sorted(card for other in hidden for card in state.hands[other])))
    hands = list(state.hands)
    for other in hidden:
        size = len(hands[other])
        hands[other] = tuple(sorted(pool[:size]))
        del pool[:size]
    return replace(state, hands=tuple(hands))
