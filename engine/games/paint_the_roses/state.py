"""What a game of Paint the Roses consists of: options, state, moves. Field names are those of the proto."""

from __future__ import annotations

import enum
from typing import TypeAlias

import msgspec

from engine.games.paint_the_roses.box import Space, Tile, Whim
from engine.games.paint_the_roses.symbols import Level, Pair


class Options(msgspec.Struct, frozen=True, array_like=True):
    """There is nothing to choose (1.3)."""


class Phase(enum.IntEnum):
    """Where in its course the game is (1.4)."""

    CHOOSE_LEVEL = 1
    PLANT = 2
    GUESS = 3
    REDRAW = 4
    GAME_OVER = 5


class Player(msgspec.Struct, frozen=True, array_like=True):
    """A seat. Without a card (before the first one, or since it was guessed) all fields are empty.

    ``serial`` is the number of the card (4.4), ``refuted`` the pairs guessed wrong for it, in that order (7.5).
    """

    whim: Whim | None = None
    serial: int | None = None
    refuted: tuple[Pair, ...] = ()


class Cube(msgspec.Struct, frozen=True, array_like=True):
    """A cube on a tile; ``serial`` is the card that it is about (6.5)."""

    serial: int
    number: int


class Planting(msgspec.Struct, frozen=True, array_like=True):
    """The planting of one turn; ``cubes`` are by seat (6.1)."""

    seat: int
    tile: Tile
    space: Space
    cubes: tuple[Cube, ...]


class Revealed(msgspec.Struct, frozen=True, array_like=True):
    """A card that was guessed right: in which turn, whose, with its serial number (7.7)."""

    turn: int
    seat: int
    serial: int
    whim: Whim


class Proposal(msgspec.Struct, frozen=True, array_like=True):
    """A guess on which the team has not agreed yet; ``accepted`` are the voters who said yes, in that order (8.2)."""

    seat: int
    target: int
    pair: Pair
    accepted: tuple[int, ...] = ()


class State(msgspec.Struct, frozen=True, array_like=True):
    """A game between two moves.

    ``garden`` is by space. The first item of ``bag`` and of each deck is drawn next; ``decks`` and ``discards`` are by
    level. ``plantings`` and ``revealed`` are the record of the game, oldest first. ``rejections`` are those since the
    last guess of the turn (8.5). The Queen's flowers follow from ``gardeners`` (2.7).
    """

    options: Options
    phase: Phase
    active: int
    players: tuple[Player, ...]
    garden: tuple[Tile | None, ...]
    greenhouse: tuple[Tile | None, ...]
    bag: tuple[Tile, ...]
    decks: tuple[tuple[Whim, ...], ...]
    discards: tuple[tuple[Whim, ...], ...]
    gardeners: int
    queen: int
    clue_tokens: int
    rejections: int = 0
    proposal: Proposal | None = None
    plantings: tuple[Planting, ...] = ()
    revealed: tuple[Revealed, ...] = ()


class ChooseLevel(msgspec.Struct, frozen=True, array_like=True, tag="choose_level"):
    """Draw a card of a level (4.1)."""

    level: Level


class Plant(msgspec.Struct, frozen=True, array_like=True, tag="plant"):
    """Put the tile of a greenhouse slot on a space (5.1)."""

    slot: int
    space: Space


class Propose(msgspec.Struct, frozen=True, array_like=True, tag="propose"):
    """Propose a guess (8.1)."""

    target: int
    pair: Pair


class Vote(msgspec.Struct, frozen=True, array_like=True, tag="vote"):
    """Say yes or no to the open proposal (8.2)."""

    accept: bool


class Withdraw(msgspec.Struct, frozen=True, array_like=True, tag="withdraw"):
    """Take back the own proposal (8.4)."""


class Stop(msgspec.Struct, frozen=True, array_like=True, tag="stop"):
    """End the guessing (7.9)."""


class UseClueToken(msgspec.Struct, frozen=True, array_like=True, tag="use_clue_token"):
    """Spend the clue token instead of guessing (11.1)."""


Move: TypeAlias = ChooseLevel | Plant | Propose | Vote | Withdraw | Stop | UseClueToken


def turn_of(state: State) -> int:
    """The number of the turn, from 1 on; 0 during the set-up."""
    if state.phase is Phase.CHOOSE_LEVEL:
        return 0
    return len(state.plantings) + (state.phase is Phase.PLANT)
