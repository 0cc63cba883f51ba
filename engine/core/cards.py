"""Playing cards as small integers, equal to the numbers of ``rookery.cards.v1.Card``.

A card is ``13 * (suit - 1) + rank``: suits 1 to 4 (clubs, diamonds, hearts, spades), ranks 1 to 13 (ace to king).
The joker is 53. Names are rank and suit: ``AC``, ``TD``, ``KS``; the joker's is ``BN``, as Euchre calls it.
"""

from __future__ import annotations

import enum
from typing import Annotated

from engine.core.model import Component, Label
from engine.core.position import named

RANKS = "A23456789TJQK"
SUITS = "CDHS"
SYMBOLS = "♣♦♥♠"
JOKER = 53

CARD_NAMES = (*(rank + suit for suit in SUITS for rank in RANKS), "BN")
CARD_TEXTS = (*(rank.replace("T", "10") + symbol for symbol in SYMBOLS for rank in RANKS), "🃏")
_BY_NAME = {name: card for card, name in enumerate(CARD_NAMES, 1)}

Card = Annotated[int, named(CARD_NAMES, first=1)]


class Suit(enum.IntEnum):
    """The numbers of ``rookery.cards.v1.Suit``."""

    CLUBS = 1
    DIAMONDS = 2
    HEARTS = 3
    SPADES = 4


def card_name(card: int) -> str:
    """The short name: ``7D``."""
    return CARD_NAMES[card - 1]


def card_text(card: int) -> str:
    """How to show it in any language: ``7♦``."""
    return CARD_TEXTS[card - 1]


def card_of(name: str) -> int:
    """The card of a short name. Raises KeyError."""
    return _BY_NAME[name]


def rank_of(card: int) -> int:
    """1 (ace) to 13 (king); the joker has 1."""
    return (card - 1) % 13 + 1


def suit_of(card: int) -> int:
    """1 to 4; the joker has 5."""
    return (card - 1) // 13 + 1


def card_component(card: int, copies: int = 1) -> Component:
    """The catalogue entry of a card: its id is its name, ``attributes`` tell rank (1 to 13) and suit (1 to 4)."""
    attributes = {} if card == JOKER else {"rank": rank_of(card), "suit": suit_of(card)}
    return Component(card_name(card), "card", Label("card", (("card", card_text(card)),)), copies, attributes)
