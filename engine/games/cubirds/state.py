"""What a game of CuBirds consists of: options, state, moves, events. Field names are those of ``cubirds.proto``."""

from __future__ import annotations

import enum
from typing import TypeAlias

import msgspec

from engine.games.cubirds.species import Species

Birds: TypeAlias = tuple[Species, ...]


class Side(enum.IntEnum):
    """An end of a row: the numbers of ``rookery.cubirds.v1.Side``."""

    LEFT = 1
    RIGHT = 2


class Phase(enum.IntEnum):
    """What the turn is waiting for: the numbers of ``rookery.cubirds.v1.Phase``."""

    LAY = 1
    DRAW = 2
    FLOCK = 3
    OVER = 4


class End(enum.IntEnum):
    """Why the game ended: the numbers of ``rookery.cubirds.v1.End``."""

    OBJECTIVE = 1
    DEAL_IMPOSSIBLE = 2


class Options(msgspec.Struct, frozen=True, array_like=True):
    """Who deals first (2.1); None: drawn at random."""

    first_dealer: int | None = None


class State(msgspec.Struct, frozen=True, array_like=True):
    """A game between two moves.

    ``hands`` and ``collections`` are by seat; they and ``discard_pile`` are ascending, so that equal positions are
    equal values. Rows are from left to right; the first bird of ``draw_pile`` is its top. ``turn`` is None at the end.
    """

    options: Options
    phase: Phase
    turn: int | None
    dealer: int
    round: int
    rows: tuple[Birds, ...]
    hands: tuple[Birds, ...]
    collections: tuple[Birds, ...]
    draw_pile: Birds
    discard_pile: Birds


class Lay(msgspec.Struct, frozen=True, array_like=True, tag="lay"):
    """Lay all birds of a species at an end of a row (3.1)."""

    species: Species
    row: int
    side: Side


class Draw(msgspec.Struct, frozen=True, array_like=True, tag="draw"):
    """Draw two birds, or the one that is left (4.1)."""


class NoDraw(msgspec.Struct, frozen=True, array_like=True, tag="no_draw"):
    """Draw nothing (4.1)."""


class Flock(msgspec.Struct, frozen=True, array_like=True, tag="flock"):
    """Show all birds of a species and send one or two home (5.1)."""

    species: Species


class NoFlock(msgspec.Struct, frozen=True, array_like=True, tag="no_flock"):
    """Complete no flock (5.1)."""


Move: TypeAlias = Lay | Draw | NoDraw | Flock | NoFlock


class BirdsLaid(msgspec.Struct, frozen=True, array_like=True, tag="birds_laid"):
    """Birds went from a hand to the end of a row."""

    species: Species
    count: int
    row: int
    side: Side


class BirdsTaken(msgspec.Struct, frozen=True, array_like=True, tag="birds_taken"):
    """Enclosed birds went into the hand; ``birds`` as they lay, from left to right."""

    row: int
    birds: Birds


class RowRefilled(msgspec.Struct, frozen=True, array_like=True, tag="row_refilled"):
    """Birds went from the draw pile to a row, in the order in which they were turned up."""

    row: int
    side: Side
    birds: Birds


class BirdsDrawn(msgspec.Struct, frozen=True, array_like=True, tag="birds_drawn"):
    """Birds went from the draw pile into the hand; ``birds`` (ascending) is empty for the others (8.2)."""

    count: int
    birds: Birds = ()


class DrawDeclined(msgspec.Struct, frozen=True, array_like=True, tag="draw_declined"):
    """The player drew nothing."""


class FlockCompleted(msgspec.Struct, frozen=True, array_like=True, tag="flock_completed"):
    """All birds of a species were shown: some are collected, the others discarded."""

    species: Species
    revealed: int
    banked: int
    discarded: int


class FlockDeclined(msgspec.Struct, frozen=True, array_like=True, tag="flock_declined"):
    """The player completed no flock; nobody can tell whether one was possible (8.3)."""


class RoundEnded(msgspec.Struct, frozen=True, array_like=True, tag="round_ended"):
    """A hand is empty; ``discarded`` says by seat how many birds went to the discard pile, not which (8.4)."""

    round: int
    discarded: tuple[int, ...]


class RoundBegan(msgspec.Struct, frozen=True, array_like=True, tag="round_began"):
    """The player who ended the last round deals the next one."""

    round: int


class BirdsDealt(msgspec.Struct, frozen=True, array_like=True, tag="birds_dealt"):
    """Birds went from the draw pile into a hand; ``birds`` (ascending) is empty for the others (8.2)."""

    player: int
    count: int
    birds: Birds = ()


class DiscardReshuffled(msgspec.Struct, frozen=True, array_like=True, tag="discard_reshuffled"):
    """The discard pile was shuffled and put under the draw pile (7.1)."""

    count: int


class GameEnded(msgspec.Struct, frozen=True, array_like=True, tag="game_ended"):
    """Who won, ascending, and how many birds each seat has collected."""

    end: End
    winners: tuple[int, ...]
    collected: tuple[int, ...]


Event: TypeAlias = (
    BirdsLaid
    | BirdsTaken
    | RowRefilled
    | BirdsDrawn
    | DrawDeclined
    | FlockCompleted
    | FlockDeclined
    | RoundEnded
    | RoundBegan
    | BirdsDealt
    | DiscardReshuffled
    | GameEnded
)
