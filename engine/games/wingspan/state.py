"""The full state of a game, secrets included, and how it is played.

Rows of a mat are in the order of ``Habitat``, counts of food in the order of ``Food``.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from engine.games.wingspan.frames import Frame
from engine.games.wingspan.rows import Bird, Bonus, Goal
from engine.games.wingspan.terms import GREEN, NO_FOOD, Die, Food, Habitat

Foods: TypeAlias = tuple[int, int, int, int, int]


class Options(msgspec.Struct, frozen=True, array_like=True):
    """How the game is played: ``green`` or ``blue`` side of the goal board (1.3)."""

    goal_board: str = GREEN


class MatBird(msgspec.Struct, frozen=True, array_like=True):
    """A bird on a mat with what it holds; ``reacted`` says that it has used its reaction (12.2)."""

    bird: Bird
    eggs: int = 0
    cached: Foods = NO_FOOD
    tucked: tuple[Bird, ...] = ()
    reacted: bool = False


Row: TypeAlias = tuple[MatBird, ...]


class Player(msgspec.Struct, frozen=True, array_like=True):
    """What is in front of a player; the hand is in the order in which it was drawn."""

    food: Foods
    hand: tuple[Bird, ...]
    bonus: tuple[Bonus, ...]
    mat: tuple[Row, Row, Row] = ((), (), ())
    cubes: int = 0
    goal_points: tuple[int, ...] = ()

    def row(self, habitat: Habitat) -> Row:
        """The birds of a habitat, from left to right."""
        return self.mat[habitat - 1]


class Keeping(msgspec.Struct, frozen=True, array_like=True):
    """What a seat has decided to keep so far of the cards and tokens that it was dealt (3.3, 3.4)."""

    birds: tuple[Bird, ...] = ()
    foods: tuple[Food, ...] = ()
    bonus: Bonus | None = None


class Playing(msgspec.Struct, frozen=True, array_like=True):
    """A bird on its way from the hand to the mat, while its costs are paid (6.1)."""

    bird: Bird
    habitat: Habitat | None = None


class State(msgspec.Struct, frozen=True, array_like=True):
    """A game between two answers.

    The deck's first card is its top one, the discard pile's last. ``feeder`` holds the dice inside, ascending.
    ``keeping`` is by seat until everybody has chosen, then empty. The last frame of ``agenda`` is worked on next.
    """

    options: Options
    players: tuple[Player, ...]
    deck: tuple[Bird, ...]
    discard: tuple[Bird, ...]
    tray: tuple[Bird | None, Bird | None, Bird | None]
    bonus_deck: tuple[Bonus, ...]
    bonus_discard: tuple[Bonus, ...]
    feeder: tuple[Die, ...]
    goals: tuple[Goal, Goal, Goal, Goal]
    round: int = 1
    first_player: int | None = None
    active: int | None = None
    keeping: tuple[Keeping, ...] = ()
    agenda: tuple[Frame, ...] = ()
    # Of the turn: discards due, foods of the action's dice.
    debt: int = 0
    gained: tuple[Food, ...] = ()
    playing: Playing | None = None
    # Cards on the table for a choice: those set aside for a draft, new bonus cards, the last one a hunter showed.
    drafting: tuple[Bird, ...] = ()
    bonus_offer: tuple[Bonus, ...] = ()
    revealed: Bird | None = None
