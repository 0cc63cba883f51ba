"""The pack, and how its cards rank: tables made once, indexed by trump and card (RULES 3).

Trump index 0 stands for "not made yet" and ranks as no trump does.
"""

from __future__ import annotations

from functools import partial

from engine.core.cards import JOKER, rank_of, suit_of
from engine.games.euchre.state import Cards, Trump

_RANKS_LOW_TO_HIGH = (9, 10, 11, 12, 13, 1)
_JACK = 11
_NO_SUIT = 0
# Colour mates: the left bower is the jack of the mate of the trump suit.
_MATE = {1: 4, 4: 1, 2: 3, 3: 2}

PLAIN_PACK: Cards = tuple(13 * (suit - 1) + rank for suit in (1, 2, 3, 4) for rank in sorted(_RANKS_LOW_TO_HIGH))
BENNY_PACK: Cards = (*PLAIN_PACK, JOKER)


def pack(*, benny: bool) -> Cards:
    """24 cards, or 25 with the Benny (RULES 3.1), ascending."""
    return BENNY_PACK if benny else PLAIN_PACK


def _is_suit(trump: int) -> bool:
    return trump in _MATE


def _effective_suit(trump: int, card: int) -> int:
    if card == JOKER:
        return trump if _is_suit(trump) else _NO_SUIT
    if _is_suit(trump) and rank_of(card) == _JACK and suit_of(card) == _MATE[trump]:
        return trump
    return suit_of(card)


def _height(trump: int, card: int) -> int:
    """How high a card ranks: 1 to 6 in a plain suit, from 11 on in trump; the Benny is above all."""
    if card == JOKER:
        return 20
    plain = _RANKS_LOW_TO_HIGH.index(rank_of(card)) + 1
    if not _is_suit(trump) or _effective_suit(trump, card) != trump:
        return plain
    if rank_of(card) == _JACK:
        return 18 if suit_of(card) == trump else 17
    return 10 + plain


def _power(trump: int, led: int, card: int) -> int:
    suit = SUITS[trump][card]
    follows = card == JOKER or suit == led or (_is_suit(trump) and suit == trump)
    return HEIGHTS[trump][card] if follows else 0


def _place(trump: int, card: int) -> tuple[int, int]:
    suit = SUITS[trump][card]
    front = card == JOKER or suit == trump
    return (5 if front else suit, HEIGHTS[trump][card])


def _table(row: dict[int, int]) -> tuple[int, ...]:
    return tuple(row.get(card, 0) for card in range(JOKER + 1))


_TRUMPS = (0, *Trump)

# SUITS[trump][card]: the effective suit, 0 for the Benny in no trump (RULES 3.4).
SUITS = tuple(_table({card: _effective_suit(trump, card) for card in BENNY_PACK}) for trump in _TRUMPS)

# HEIGHTS[trump][card]: the order of cards, comparable within a suit and between trumps and others.
HEIGHTS = tuple(_table({card: _height(trump, card) for card in BENNY_PACK}) for trump in _TRUMPS)

# POWERS[trump][led][card]: the highest one wins; 0 is a card thrown off (RULES 8.6).
POWERS = tuple(
    tuple(_table({card: _power(trump, led, card) for card in BENNY_PACK}) for led in range(5)) for trump in _TRUMPS
)


def _held_order(trump: int) -> dict[int, int]:
    cards = sorted(BENNY_PACK, key=partial(_place, trump), reverse=True)
    return {card: place for place, card in enumerate(cards)}


# How a hand is held: trump first, then spades, hearts, diamonds, clubs, each from high to low.
_PLACES = tuple(_table(_held_order(trump)) for trump in _TRUMPS)


def arrange(hand: Cards, trump: int = 0) -> Cards:
    """The hand in the order in which its owner holds it."""
    return tuple(sorted(hand, key=_PLACES[trump].__getitem__))
