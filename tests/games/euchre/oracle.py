"""Euchre once more, written the long way from the rulebook, to compare the engine with. Cards are their names."""

from __future__ import annotations

from collections.abc import Sequence

SAME_COLOUR = {"C": "S", "S": "C", "D": "H", "H": "D"}
PLAIN = "9TJQKA"


def belongs_to(card: str, trump: str) -> str | None:
    """The suit that a card counts as; None for the Benny in no trump."""
    if card == "BN":
        return None if trump == "NT" else trump
    if trump != "NT" and card == "J" + SAME_COLOUR[trump]:
        return trump
    return card[1]


def may_play(hand: Sequence[str], led: str | None, trump: str) -> set[str]:
    """The cards that may be played to a trick that ``led`` opened."""
    suit = None if led is None else belongs_to(led, trump)
    following = {card for card in hand if suit is not None and belongs_to(card, trump) == suit}
    return following or set(hand)


def takes(trick: Sequence[tuple[int, str]], trump: str) -> int:
    """Who takes the trick: the list of all cards from the highest down is gone through."""
    led = belongs_to(trick[0][1], trump)
    ranking = ["BN"]
    if trump != "NT":
        ranking += ["J" + trump, "J" + SAME_COLOUR[trump]]
        ranking += [rank + trump for rank in "AKQT9"]
    if led is not None and led != trump:
        ranking += [rank + led for rank in "AKQJT9"]
    for card in ranking:
        for seat, played in trick:
            if played == card:
                return seat
    return trick[0][0]


def scores(makers_tricks: int, *, alone: bool, lone_defender: bool) -> tuple[int, int]:
    """Points of makers and defenders."""
    if makers_tricks == 5:
        return (4 if alone else 2), 0
    if makers_tricks in (3, 4):
        return 1, 0
    return 0, (4 if lone_defender else 2)


def sits_out(maker: int, *, alone: bool, lone_defender: int | None) -> set[int]:
    """The partners of whoever plays alone."""
    sleeping = {(maker + 2) % 4} if alone else set()
    return sleeping | ({(lone_defender + 2) % 4} if lone_defender is not None else set())
