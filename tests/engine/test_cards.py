"""Playing cards: numbers, names and the protocol's enum agree."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.core import cards

PROTO = Path(__file__).parents[2] / "protos/rookery/cards/v1/cards.proto"


@pytest.mark.parametrize(
    ("name", "number", "rank", "suit", "text"),
    [
        ("AC", 1, 1, cards.Suit.CLUBS, "A♣"),
        ("7D", 20, 7, cards.Suit.DIAMONDS, "7♦"),
        ("TH", 36, 10, cards.Suit.HEARTS, "10♥"),
        ("KS", 52, 13, cards.Suit.SPADES, "K♠"),
    ],
)
def test_a_card_by_name_number_rank_and_suit(name: str, number: int, rank: int, suit: int, text: str) -> None:
    assert cards.card_of(name) == number
    assert cards.card_name(number) == name
    assert (cards.rank_of(number), cards.suit_of(number)) == (rank, suit)
    assert cards.card_text(number) == text


def test_every_card_has_its_own_name() -> None:
    assert [cards.card_of(cards.card_name(card)) for card in range(1, 54)] == list(range(1, 54))


def test_an_unknown_name_is_no_card() -> None:
    with pytest.raises(KeyError):
        cards.card_of("1X")


def test_the_protocol_has_the_same_numbers() -> None:
    found = re.findall(r"CARD_(\w\w) = (\d+);", PROTO.read_text(encoding="utf-8"))
    assert {name: int(number) for name, number in found} == {
        name: cards.card_of(name) for name in cards.CARD_NAMES if name != "BN"
    }


def test_the_catalogue_entry_of_a_card() -> None:
    component = cards.card_component(20, copies=2)
    assert (component.id, component.kind, component.copies) == ("7D", "card", 2)
    assert component.attributes == {"rank": 7, "suit": 2}
    assert cards.card_component(cards.JOKER).attributes == {}
