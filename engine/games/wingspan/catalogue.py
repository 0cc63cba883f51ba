"""Everything static that a client draws: cards, goals, mat, tokens, dice."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from engine.core.model import Component, Label
from engine.games.wingspan import labels, scoring
from engine.games.wingspan.labels import ICONS, english
from engine.games.wingspan.rows import BIRDS, BONUS_CARDS, GOALS, BirdCard, BonusCard
from engine.games.wingspan.scene import CUBE, DIE_ID, EGG, FOOD_ID, HABITAT_ID
from engine.games.wingspan.setup import SEAT_COUNTS
from engine.games.wingspan.terms import COLUMNS, CUBES, DICE, EGG_COST, GAINS, TRADES, Die, Food, Habitat, Symbol

# Supplies never run out (2.3): as many as a table may reasonably need at once.
TOKENS = 60
EGGS = 300


@cache
def catalogue() -> tuple[Component, ...]:
    """Birds, bonus cards, goals, then the things that are there in numbers."""
    return (
        *map(_bird, BIRDS),
        *map(_bonus, BONUS_CARDS),
        *(
            Component(goal.id, "goal", Label(f"goal.{goal.id}"), 1, {"tile": goal.tile, "points": _goal_points()})
            for goal in GOALS
        ),
        *(Component(HABITAT_ID[habitat], "habitat", _habitat(habitat), 1, _mat(habitat)) for habitat in Habitat),
        *(Component(FOOD_ID[food], "food", Label(f"food.{FOOD_ID[food]}"), TOKENS, _icon(food)) for food in Food),
        *(Component(DIE_ID[die], "die", _die(die), DICE) for die in Die),
        Component(EGG, "egg", Label("egg"), EGGS),
        Component(CUBE, "cube", Label("cube"), CUBES[0] * SEAT_COUNTS[-1]),
    )


def _bird(card: BirdCard) -> Component:
    attributes: dict[str, Any] = {
        "scientific_name": card.scientific_name,
        "points": card.points,
        "habitats": [HABITAT_ID[habitat] for habitat in card.habitats],
        "food_cost": {
            symbol.name.lower(): shown
            for symbol, shown in zip(Symbol, (*card.food_cost.foods, card.food_cost.wild), strict=True)
            if shown
        },
        "alternatives": card.food_cost.alternatives,
        "nest": card.nest.name.lower(),
        "egg_limit": card.egg_limit,
        "wingspan_cm": card.wingspan_cm,
        "tags": [tag.name.lower() for tag in card.tags],
        "power": {"trigger": card.trigger.name.lower(), **_said(labels.power_label(card.effect))},
    }
    return Component(card.id, "bird", Label("bird", (("name", card.name),)), 1, attributes)


def _bonus(card: BonusCard) -> Component:
    attributes: dict[str, Any] = {
        "counts": _said(Label(f"bonus.{card.id}")),
        "points_each": card.points_each,
        "tiers": [msgspec.to_builtins(tier) for tier in card.tiers],
    }
    return Component(card.id, "bonus", Label("bonus", (("name", card.name),)), 1, attributes)


def _said(label: Label) -> dict[str, Any]:
    """A text as the key and arguments of its template, and in English."""
    return {"key": label.key, "args": dict(label.args), "text": english(label)}


def _goal_points() -> dict[str, Any]:
    """What places are worth on the green side by round, and the most on the blue side (14.2, 14.3)."""
    return {"green": [list(places) for places in scoring.PLACES], "blue_most": scoring.MOST_ON_BLUE}


def _habitat(habitat: Habitat) -> Label:
    return Label(f"habitat.{HABITAT_ID[habitat]}")


def _mat(habitat: Habitat) -> dict[str, Any]:
    """The mat table of the row, by the number of birds in it (2.6)."""
    return {"columns": COLUMNS, "egg_cost": list(EGG_COST), "gains": list(GAINS[habitat]), "trades": list(TRADES)}


def _icon(food: Food) -> dict[str, Any]:
    return {"icon": ICONS[food]}


def _die(die: Die) -> Label:
    face = "die.double" if die is Die.INVERTEBRATE_OR_SEED else f"food.{die.name.lower()}"
    return Label("die", (("face", f"${face}"),))
