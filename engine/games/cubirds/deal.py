"""Dealing: the set-up (section 2) and a new round (6.4)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.model import InvalidOptions
from engine.core.rng import Rng
from engine.games.cubirds.species import PACK
from engine.games.cubirds.state import Birds, BirdsDealt, Options, Phase, State
from engine.games.cubirds.supply import Supply

SEAT_COUNTS = (2, 3, 4, 5)
ROWS = range(4)
ROW_START = 3
HAND_SIZE = 8


def setup(options: Options, seats: int, rng: Rng) -> State:
    """The first state. Raises InvalidOptions."""
    if seats not in SEAT_COUNTS:
        raise InvalidOptions("seats", f"{seats} players cannot play, only {SEAT_COUNTS[0]} to {SEAT_COUNTS[-1]}")
    dealer = options.first_dealer
    if dealer is None:
        dealer = rng.below(seats)
    elif dealer not in range(seats):
        raise InvalidOptions("first_dealer", f"there is no seat {dealer}")
    rows, rest = lay_out(rng.shuffle(PACK))
    pile = rng.shuffle(rest)
    hands, pile = _dealt(pile, dealer, seats, HAND_SIZE)
    collections, pile = _dealt(pile, dealer, seats, 1)
    return State(options, Phase.LAY, dealer, dealer, 1, rows, hands, collections, pile, ())


def lay_out(pack: Birds) -> tuple[tuple[Birds, ...], Birds]:
    """Four rows of three different species from the top, and all other birds: first those set aside (2.2, 2.3)."""
    rows: list[Birds] = []
    aside: list[int] = []
    at = 0
    for _ in ROWS:
        row: list[int] = []
        while len(row) < ROW_START:
            bird = pack[at]
            (aside if bird in row else row).append(bird)
            at += 1
        rows.append(tuple(row))
    return tuple(rows), (*aside, *pack[at:])


def _dealt(pile: Birds, dealer: int, seats: int, each: int) -> tuple[tuple[Birds, ...], Birds]:
    """``each`` birds to every seat in one block (2.4), by seat, and the rest of the pile."""
    blocks = [pile[at * each : (at + 1) * each] for at in range(seats)]
    by_seat = tuple(tuple(sorted(blocks[(seat - dealer) % seats])) for seat in range(seats))
    return by_seat, pile[seats * each :]


def clockwise(first: int, seats: int) -> Iterator[int]:
    """Every seat, beginning with ``first``."""
    return ((first + step) % seats for step in range(seats))


def deal_round(supply: Supply, dealer: int, seats: int) -> tuple[Birds, ...]:
    """New hands by seat, told to everybody and shown to their owners (6.4). The supply must be large enough."""
    hands: dict[int, Birds] = {}
    for player in clockwise(dealer, seats):
        # In order, so that a hand says nothing about the order of the pile.
        hands[player] = hand = tuple(sorted(supply.take(HAND_SIZE)))
        supply.tell_owner(dealer, BirdsDealt(player, HAND_SIZE), player, BirdsDealt(player, HAND_SIZE, hand))
    return tuple(hands[seat] for seat in range(seats))
