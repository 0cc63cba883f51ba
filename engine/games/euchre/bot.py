"""How bots play Euchre: three trumps or two tricks make trump, lead from strength, take cheaply, trust the partner."""

from __future__ import annotations

from typing import NamedTuple

from engine.core.cards import Card, suit_of
from engine.games.euchre.bidding import PASS
from engine.games.euchre.pack import HEIGHTS, POWERS, SUITS
from engine.games.euchre.state import (
    SEATS,
    Call,
    Cards,
    Defend,
    Discard,
    Move,
    Name,
    NoDefend,
    OrderUp,
    Phase,
    Play,
    PlayedCard,
    State,
    Trump,
    inactive_seats,
    partner_of,
    team_of,
)
from engine.games.euchre.tricks import led_suit, trick_winner
from engine.games.euchre.view import View

# What a card is worth in tenths of a trick, by its height: plain 9 to ace, trump 9 to Benny.
_WORTH = (0, 0, 0, 0, 0, 2, 6, 0, 0, 0, 0, 3, 3, 0, 4, 5, 7, 8, 10, 0, 10)
_VOID = 2
_MAKE, _ALONE, _DEFEND = 20, 34, 30
_ENOUGH = 3
_ACE, _LEFT_BOWER = 6, 17


class Held(NamedTuple):
    """What a seat goes by: all of it is in its view."""

    seat: int
    hand: Cards
    dealer: int
    upcard: Card
    trump: Trump | None
    maker: int | None
    trick: tuple[PlayedCard, ...]
    players: int


def rule_of_thumb(seat: int, view: View, moves: tuple[Move, ...]) -> Move:
    """A beginner makes trump with three of them and never goes alone; see ``_card`` for the play."""
    held = Held(
        seat,
        view.hand,
        view.dealer,
        view.upcard,
        view.trump,
        view.maker,
        view.trick,
        len(SEATS) - len(view.inactive),
    )
    return _count_trumps(held, moves) if view.phase < Phase.DISCARD else _answer(held, moves)


def imagined_move(state: State, seat: int, moves: tuple[Move, ...]) -> Move:
    """As the rule of thumb, but make trump with two tricks in hand and go alone with nearly all."""
    held = Held(
        seat,
        # The dealer with the Benny turned up has not seen the hand.
        () if state.phase is Phase.BENNY else state.hands[seat],
        state.dealer,
        state.upcard,
        state.trump,
        state.maker,
        state.trick,
        len(SEATS) - len(inactive_seats(state)),
    )
    return _bid(held, moves) if state.phase < Phase.DISCARD else _answer(held, moves)


def settled(began: State, state: State) -> bool:
    """A hand is finished."""
    return state.hand_number != began.hand_number or state.turn is None


def standing(state: State) -> tuple[float, ...]:
    """By the lead of the team over the other, a whole match at the end."""
    first, second = state.scores
    lead = (first - second) / state.options.target_score
    if state.turn is None:
        lead = 1.0 if first > second else -1.0
    value = 0.5 + lead / 2
    return value, 1 - value, value, 1 - value


def _count_trumps(held: Held, moves: tuple[Move, ...]) -> Move:
    """The bid with most trumps in hand, if they are enough."""

    def trumps(move: Move) -> tuple[int, int]:
        match move:
            case OrderUp(alone=False):
                trump = Trump(suit_of(held.upcard))
            case Call(trump=trump, alone=False) | Name(trump=trump, alone=False):
                pass
            case _:
                return -1, 0
        return sum(SUITS[trump][card] == trump for card in held.hand), _hand_worth(held.hand, trump)

    best = max(moves, key=trumps)
    return PASS if PASS in moves and trumps(best)[0] < _ENOUGH else best


def _bid(held: Held, moves: tuple[Move, ...]) -> Move:
    """The bid of most worth, if it is worth enough."""
    best = max(moves, key=lambda move: _bid_worth(held, move))
    if PASS in moves and _bid_worth(held, best) < _MAKE:
        return PASS
    return best


def _bid_worth(held: Held, bid: Move) -> int:
    """What the hand is worth with the trump bid; alone counts more exactly if it is worth enough for that."""
    match bid:
        case OrderUp(alone=alone):
            worth = _ordered(held)
        case Call(trump=trump, alone=alone) | Name(trump=trump, alone=alone):
            worth = _hand_worth(held.hand, trump)
        case _:
            return -1
    if not alone:
        return worth
    return worth + 1 if worth >= _ALONE else worth - 1


def _ordered(held: Held) -> int:
    """The worth if the upcard's suit is made trump and the dealer takes it."""
    trump = Trump(suit_of(held.upcard))
    upcard = _WORTH[HEIGHTS[trump][held.upcard]]
    if held.seat == held.dealer:
        six = (*held.hand, held.upcard)
        laid_away = _least(six, trump)
        return _hand_worth(tuple(card for card in six if card != laid_away), trump)
    helps = team_of(held.seat) == team_of(held.dealer)
    return _hand_worth(held.hand, trump) + (upcard if helps else -upcard)


def _hand_worth(hand: Cards, trump: Trump) -> int:
    suits = {SUITS[trump][card] for card in hand}
    worth = sum(_WORTH[HEIGHTS[trump][card]] for card in hand)
    # A suit that is not in the hand can be trumped.
    return worth + _VOID * (4 - len(suits)) if trump in suits else worth


def _least(cards: Cards, trump: Trump) -> Card:
    """The card that is missed least: lowest, rather the only one of its suit."""
    suits = [SUITS[trump][card] for card in cards]
    return min(cards, key=lambda card: (HEIGHTS[trump][card] + suits.count(SUITS[trump][card]) / 4, card))


def _answer(held: Held, moves: tuple[Move, ...]) -> Move:
    trump = held.trump
    if trump is None:
        raise ValueError("nothing is asked after the bidding before trump is made")
    if isinstance(moves[0], Defend | NoDefend):
        return moves[0] if _hand_worth(held.hand, trump) >= _DEFEND else moves[-1]
    cards = tuple(move.card for move in moves if isinstance(move, Discard | Play))
    card = _least(cards, trump) if isinstance(moves[0], Discard) else _card(held, cards, trump)
    return moves[cards.index(card)]


def _card(held: Held, cards: Cards, trump: Trump) -> Card:
    """The card to play of those allowed."""
    if not held.trick:
        return _lead(held, cards, trump)
    powers = POWERS[trump][led_suit(held.trick, trump)]
    best = max(powers[played.card] for played in held.trick)
    winners = [card for card in cards if powers[card] > best]
    last = len(held.trick) == held.players - 1
    partner_wins = trick_winner(held.trick, trump) == partner_of(held.seat)
    if not winners or (partner_wins and (last or best >= _ACE)):
        return min(cards, key=lambda card: (HEIGHTS[trump][card], card))
    # The last one takes it as cheaply as possible; so does whoever trumps.
    cheap = last or any(SUITS[trump][card] == trump for card in winners)
    return (min if cheap else max)(winners, key=powers.__getitem__)


def _lead(held: Held, cards: Cards, trump: Trump) -> Card:
    """A bower for the makers, an ace, trump to a partner who made it, else what is missed least."""
    heights = HEIGHTS[trump]
    high = max(cards, key=heights.__getitem__)
    makers = held.maker is not None and team_of(held.maker) == team_of(held.seat)
    if makers and heights[high] >= _LEFT_BOWER:
        return high
    aces = [card for card in cards if heights[card] == _ACE]
    if aces:
        return aces[0]
    if held.maker == partner_of(held.seat) and SUITS[trump][high] == trump:
        return high
    return min(cards, key=lambda card: (heights[card], card))
