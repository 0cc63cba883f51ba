"""Paying for birds (6.2 to 6.5): what can be paid, and how."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement

from engine.games.wingspan import frames, mats
from engine.games.wingspan.rows import BIRDS
from engine.games.wingspan.state import Player
from engine.games.wingspan.terms import Food, Habitat

# Two tokens in place of one (6.4).
PAIRS = tuple(combinations_with_replacement(Food, 2))


def habitats_for(player: Player, bird: int) -> list[Habitat]:
    """Where the player can play the bird now, all costs paid (6.1)."""
    cost = BIRDS[bird].food_cost
    if not can_pay(player.food, cost.foods, cost.wild, alternatives=cost.alternatives):
        return []
    return [habitat for habitat in BIRDS[bird].habitats if has_place(player, habitat)]


def playable(player: Player, habitat: Habitat | None = None) -> list[int]:
    """The hand cards that can be played, into the habitat if one is given (6.1)."""
    return [bird for bird in player.hand if (where := habitats_for(player, bird)) and habitat in (None, *where)]


def has_place(player: Player, habitat: Habitat) -> bool:
    """Whether there is a column free, and the eggs that it costs (6.2, 6.3): as everybody sees."""
    eggs = mats.egg_cost(player, habitat)
    return eggs is not None and mats.eggs_on(player) >= eggs


def can_pay(have: Sequence[int], foods: Sequence[int], wild: int, *, alternatives: bool) -> bool:
    """Whether the tokens pay the symbols (6.4, 6.5).

    Paying a symbol with its own food saves tokens, and a food that does not suffice is used up by its own symbols:
    so it is enough to count.
    """
    tokens = sum(have)
    if alternatives:
        return tokens > 1 or any(there and shown for there, shown in zip(have, foods, strict=True))
    spare = tokens - sum(foods) - wild
    if spare < 0:
        return False
    for there, shown in zip(have, foods, strict=True):
        if shown > there:
            spare -= shown - there
    return spare >= 0


def payments(player: Player, frame: frames.PayFood) -> list[tuple[Food, ...]]:
    """How the next part of the cost can be paid: all of it as printed, or one symbol; the rest stays payable."""
    if frame.alternatives:
        listed = [food for food in Food if frame.foods[food - 1]]
        return [*((food,) for food in listed if player.food[food - 1]), *_pairs(player.food, listed)]
    symbol = next_symbol(frame)
    single = [(food,) for food in ([symbol] if symbol else Food)]
    ways = [*single, *(_pairs(player.food, [symbol]) if symbol else [])]
    payable = [foods for foods in ways if _leaves_enough(player.food, frame, foods)]
    # A symbol that can be paid in one way only is no reason to ask.
    return [*_printed(player.food, frame), *payable] if len(payable) > 1 else payable


def next_symbol(frame: frames.PayFood) -> Food | None:
    """The food whose symbol is paid next; None: only symbols for any food are left."""
    return next((food for food in Food if frame.foods[food - 1]), None)


def rest(frame: frames.PayFood, paid: tuple[Food, ...]) -> frames.PayFood | None:
    """What is left of the cost after a payment; None: nothing."""
    if frame.alternatives or paid in _printed_of(frame):
        return None
    symbol = next_symbol(frame)
    a, b, c, d, e = (shown - (food == symbol) for food, shown in zip(Food, frame.foods, strict=True))
    left = frames.PayFood(frame.seat, (a, b, c, d, e), frame.wild - (symbol is None), alternatives=False)
    return left if sum(left.foods) + left.wild else None


def _printed_of(frame: frames.PayFood) -> list[tuple[Food, ...]]:
    """The rest of the cost at one go, if it has several symbols and none of them is for any food."""
    foods = tuple(food for food in Food for _ in range(frame.foods[food - 1]))
    return [foods] if len(foods) > 1 and not frame.wild else []


def _printed(have: Sequence[int], frame: frames.PayFood) -> list[tuple[Food, ...]]:
    return _printed_of(frame) if all(there >= shown for there, shown in zip(have, frame.foods, strict=True)) else []


def _pairs(have: Sequence[int], without: Sequence[Food]) -> list[tuple[Food, ...]]:
    """Two tokens of other foods than the one that they stand for."""
    return [
        (one, other)
        for one, other in PAIRS
        if one not in without and other not in without and have[one - 1] > (one == other) and have[other - 1]
    ]


def _leaves_enough(have: Sequence[int], frame: frames.PayFood, paid: tuple[Food, ...]) -> bool:
    left = [there - paid.count(food) for food, there in zip(Food, have, strict=True)]
    if min(left) < 0:
        return False
    after = rest(frame, paid)
    return after is None or can_pay(left, after.foods, after.wild, alternatives=False)
