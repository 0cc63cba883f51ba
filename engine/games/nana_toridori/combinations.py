"""Which cards of a hand form a combination, and which combination beats which (section 3)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from engine.games.nana_toridori.state import Cards, Play

# The one choice of front cards for who has none: to add none.
_NONE: tuple[tuple[int, ...], ...] = ((),)


def strength(cards: Cards) -> tuple[int, int]:
    """More cards beat fewer; with equal numbers the higher value wins (3.3). No cards are weaker than any."""
    return len(cards), cards[0] if cards else 0


def plays(hand: Cards, front: Cards, table: Cards) -> Iterator[Play]:
    """Every play from the hand (with front cards, in a duel) that beats the table: by start, count, front cards."""
    lying, top = strength(table)
    for start, value in enumerate(hand):
        # With this value the table is beaten by so many cards (3.3).
        needed = lying if value > top else lying + 1
        added = _additions(front, value) if front else _NONE
        for end in range(start + 1, len(hand) + 1):
            if hand[end - 1] != value:
                break
            count = end - start
            for indices in added:
                if count + len(indices) >= needed:
                    yield Play(start, count, indices)


def _additions(front: Cards, value: int) -> list[tuple[int, ...]]:
    """The choices of front cards that may join hand cards of the value: none, each, several (10.3)."""
    equal = [index for index, card in enumerate(front) if card == value]
    return [indices for number in range(len(equal) + 1) for indices in combinations(equal, number)]
