"""The terms of the rules as small numbers; those that leave the engine are equal to the numbers of the proto."""

from __future__ import annotations

import enum

TRAY_SLOTS = (0, 1, 2)
ROUNDS = (1, 2, 3, 4)
CUBES = (8, 7, 6, 5)
DICE = 5
COLUMNS = 5

GREEN = "green"
BLUE = "blue"
GOAL_BOARDS = (GREEN, BLUE)


class Food(enum.IntEnum):
    """The five types of food token (2.3)."""

    INVERTEBRATE = 1
    SEED = 2
    FISH = 3
    FRUIT = 4
    RODENT = 5


class Die(enum.IntEnum):
    """The six faces of a food die; the last one gives either of two foods (2.4)."""

    INVERTEBRATE = 1
    SEED = 2
    FISH = 3
    FRUIT = 4
    RODENT = 5
    INVERTEBRATE_OR_SEED = 6


class Habitat(enum.IntEnum):
    """The three rows of a mat, from top to bottom (2.6)."""

    FOREST = 1
    GRASSLAND = 2
    WETLAND = 3


class Action(enum.IntEnum):
    """What a cube is spent on (4.1)."""

    PLAY_BIRD = 1
    GAIN_FOOD = 2
    LAY_EGGS = 3
    DRAW_CARDS = 4


class Nest(enum.IntEnum):
    """The nest of a bird; a star stands for any of the four, none for no nest (2.1)."""

    BOWL = 1
    CAVITY = 2
    GROUND = 3
    PLATFORM = 4
    STAR = 5
    NONE = 6


class Symbol(enum.IntEnum):
    """What a food cost may show: a food, or any food (6.4)."""

    INVERTEBRATE = 1
    SEED = 2
    FISH = 3
    FRUIT = 4
    RODENT = 5
    WILD = 6


class Trigger(enum.IntEnum):
    """When a power may be used (10.1, 11.1, 12.1)."""

    NONE = 1
    WHEN_PLAYED = 2
    WHEN_ACTIVATED = 3
    ONCE_BETWEEN_TURNS = 4


class Tag(enum.IntEnum):
    """What a bird hunts or does beside its power's words: some cards ask for it."""

    PREDATOR = 1
    FLOCKING = 2


class NameShows(enum.IntEnum):
    """What the name of a bird mentions: some bonus cards ask for it. The row decides, not the spelling."""

    COLOR = 1
    BODY_PART = 2
    GEOGRAPHY = 3
    PERSON = 4


class Counted(enum.IntEnum):
    """What a goal or a bonus card counts."""

    BIRDS = 1
    EGGS = 2
    EGG_SETS = 3
    BIRDS_IN_SMALLEST_HABITAT = 4
    HAND = 5


class Reward(enum.IntEnum):
    """What the players with the fewest birds get."""

    FEEDER_DIE = 1
    DRAW_CARD = 2


# The foods that a die can give.
GIVES: dict[Die, tuple[Food, ...]] = {
    **{Die(food): (food,) for food in Food},
    Die.INVERTEBRATE_OR_SEED: (Food.INVERTEBRATE, Food.SEED),
}

ANY_FOOD = tuple(Food)
NO_FOOD = (0, 0, 0, 0, 0)


# The mat table (2.6), by the number of birds in the row.
EGG_COST = (0, 1, 1, 2, 2)
GAINS: dict[Habitat, tuple[int, ...]] = {
    Habitat.FOREST: (1, 1, 2, 2, 3, 3),
    Habitat.GRASSLAND: (2, 2, 3, 3, 4, 4),
    Habitat.WETLAND: (1, 1, 2, 2, 3, 3),
}
TRADES = (False, True, False, True, False, True)

ROW_OF: dict[Action, Habitat] = {
    Action.GAIN_FOOD: Habitat.FOREST,
    Action.LAY_EGGS: Habitat.GRASSLAND,
    Action.DRAW_CARDS: Habitat.WETLAND,
}
