"""The cards and goals of the game: rows of ``data``, decoded once. Whatever is not understood stops the start.

A bird, a bonus card, a goal is in a state the number of its row, from 0.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Annotated, Any, TypeAlias

import msgspec

from engine.core.model import InvalidPosition
from engine.core.position import from_json, named
from engine.games.wingspan.powers import Effect
from engine.games.wingspan.terms import Counted, Food, Habitat, NameShows, Nest, Symbol, Tag, Trigger


class FoodCost(msgspec.Struct, frozen=True):
    """The symbols of a food cost; with ``alternatives`` one of them is paid (6.4, 6.5)."""

    invertebrate: int = 0
    seed: int = 0
    fish: int = 0
    fruit: int = 0
    rodent: int = 0
    wild: int = 0
    alternatives: bool = False

    @property
    def foods(self) -> tuple[int, ...]:
        """The symbols of each food, in the order of ``Food``."""
        return (self.invertebrate, self.seed, self.fish, self.fruit, self.rodent)

    def shows(self, symbol: Symbol) -> bool:
        """Whether the symbol is among the cost or its alternatives."""
        return bool((*self.foods, self.wild)[symbol - 1])


class BirdCard(msgspec.Struct, frozen=True):
    """A bird (2.1)."""

    id: str
    name: str
    scientific_name: str
    points: int
    habitats: tuple[Habitat, ...]
    food_cost: FoodCost
    nest: Nest
    egg_limit: int
    wingspan_cm: int
    tags: tuple[Tag, ...]
    name_shows: tuple[NameShows, ...]
    trigger: Trigger
    effect: Effect

    def nests_in(self, nest: Nest) -> bool:
        """Whether its nest is of the kind; a star is of every kind (2.1)."""
        return self.nest in (nest, Nest.STAR)


class Condition(msgspec.Struct, frozen=True):
    """What is counted; of birds and eggs only where everything holds that is given."""

    count: Counted
    habitat: Habitat | None = None
    nest: Nest | None = None
    eggs_at_least: int = 0
    tag: Tag | None = None
    name_shows: NameShows | None = None
    cost_shows: Symbol | None = None
    cost_only: Food | None = None
    only_habitat: Habitat | None = None
    points_below: int | None = None
    wingspan_above: int | None = None
    wingspan_up_to: int | None = None

    def fits(self, card: BirdCard) -> bool:
        """Whether the card itself is one of those counted, wherever it stands and whatever it holds."""
        cost = card.food_cost
        return (
            (self.nest is None or card.nests_in(self.nest))
            and (self.tag is None or self.tag in card.tags)
            and (self.name_shows is None or self.name_shows in card.name_shows)
            and (self.cost_shows is None or cost.shows(self.cost_shows))
            and (self.cost_only is None or [s for s in Symbol if cost.shows(s)] == [Symbol(self.cost_only)])
            and (self.only_habitat is None or card.habitats == (self.only_habitat,))
            and (self.points_below is None or card.points < self.points_below)
            and (self.wingspan_above is None or card.wingspan_cm > self.wingspan_above)
            and (self.wingspan_up_to is None or card.wingspan_cm <= self.wingspan_up_to)
        )


class Tier(msgspec.Struct, frozen=True):
    """From ``least`` things on a bonus card is worth ``points``."""

    least: int
    points: int


class BonusCard(msgspec.Struct, frozen=True):
    """A bonus card: points for each thing counted, or by tiers, ascending (2.2, 15.3)."""

    id: str
    name: str
    condition: Condition
    points_each: int = 0
    tiers: tuple[Tier, ...] = ()

    def worth(self, count: int) -> int:
        """The points for ``count`` things."""
        reached = [tier.points for tier in self.tiers if count >= tier.least]
        return self.points_each * count + (reached[-1] if reached else 0)


class GoalSide(msgspec.Struct, frozen=True):
    """One side of a goal tile; the sides of a tile share its number (2.5)."""

    id: str
    tile: int
    condition: Condition


def decode(document: Any, of: Any) -> Any:
    """The rows of a JSON document. Raises ValueError naming the place of whatever is not understood."""
    try:
        return from_json(of, _tagged(document))
    except InvalidPosition as error:
        raise ValueError(f"data: {error}") from error


def _tagged(value: Any) -> Any:
    """Rows call the tag of an effect ``op``; the reader of positions calls every tag ``type``."""
    if isinstance(value, dict):
        return {"type" if key == "op" else key: _tagged(item) for key, item in value.items()}
    return [_tagged(item) for item in value] if isinstance(value, list) else value


def _load(name: str, of: Any) -> Any:
    return decode(msgspec.json.decode(files(__package__).joinpath("data", name).read_bytes()), of)


BIRDS: tuple[BirdCard, ...] = _load("birds.json", tuple[BirdCard, ...])
BIRD_IDS = tuple(card.id for card in BIRDS)
BIRD_OF = {name: number for number, name in enumerate(BIRD_IDS)}
Bird: TypeAlias = Annotated[int, named(BIRD_IDS)]

BONUS_CARDS: tuple[BonusCard, ...] = _load("bonus_cards.json", tuple[BonusCard, ...])
BONUS_IDS = tuple(card.id for card in BONUS_CARDS)
BONUS_OF = {name: number for number, name in enumerate(BONUS_IDS)}
Bonus: TypeAlias = Annotated[int, named(BONUS_IDS)]

GOALS: tuple[GoalSide, ...] = _load("goals.json", tuple[GoalSide, ...])
GOAL_IDS = tuple(goal.id for goal in GOALS)
Goal: TypeAlias = Annotated[int, named(GOAL_IDS)]
TILES = tuple(
    tuple(number for number, goal in enumerate(GOALS) if goal.tile == tile)
    for tile in sorted({goal.tile for goal in GOALS})
)
