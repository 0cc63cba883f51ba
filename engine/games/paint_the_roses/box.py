"""What is in the box: spaces, tiles, whim cards and the track, read from ``data/`` when the game is loaded.

Spaces, tiles and whim cards are numbered from 1 in the order of their files. A row with an unknown field, symbol, level
or tile stops the start.
"""

from __future__ import annotations

from collections import Counter
from importlib.resources import files
from typing import Annotated, Any, Literal

import msgspec

from engine.core.position import named
from engine.games.paint_the_roses.symbols import PAIRS, Level, Pair, Symbol

ColourName = Literal["pink", "red", "yellow", "purple"]
ShapeName = Literal["club", "diamond", "heart", "spade"]
LevelName = Literal["easy", "medium", "hard"]


class TileRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of tile and how many there are of it (2.2)."""

    id: str
    colour: ColourName
    shape: ShapeName
    copies: int


class StartRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The starting tile of a space, and the number printed there (2.4)."""

    number: int
    tile: str


class SpaceRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A space of the garden by its coordinates (2.3)."""

    id: str
    q: int
    r: int
    start: StartRow | None = None


class WhimRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whim card (2.5)."""

    id: str
    level: LevelName
    halves: tuple[ColourName | ShapeName, ColourName | ShapeName]
    value: int


class Track(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The track (2.6); ``rabbits`` are the numbers that lie just behind the rabbit spaces (2.7)."""

    spaces: int
    gardeners_start: int
    queen_start: int
    flowers_start: int
    rabbits: tuple[int, ...]


def _read(name: str, of: Any) -> Any:
    text = files(__package__).joinpath("data", f"{name}.json").read_bytes()
    return msgspec.json.decode(text, type=of)


TILE_ROWS: tuple[TileRow, ...] = _read("tiles", tuple[TileRow, ...])
SPACE_ROWS: tuple[SpaceRow, ...] = _read("spaces", tuple[SpaceRow, ...])
WHIM_ROWS: tuple[WhimRow, ...] = _read("whims", tuple[WhimRow, ...])
TRACK: Track = _read("track", Track)

TILE_NAMES = tuple(row.id for row in TILE_ROWS)
SPACE_NAMES = tuple(row.id for row in SPACE_ROWS)
WHIM_NAMES = tuple(row.id for row in WHIM_ROWS)

Tile = Annotated[int, named(TILE_NAMES, first=1)]
Space = Annotated[int, named(SPACE_NAMES, first=1)]
Whim = Annotated[int, named(WHIM_NAMES, first=1)]

TILES = tuple(range(1, len(TILE_ROWS) + 1))
SPACES = tuple(range(1, len(SPACE_ROWS) + 1))
WHIMS = tuple(range(1, len(WHIM_ROWS) + 1))

# Every tile as often as it is there, the starting ones included.
ALL_TILES = tuple(tile for tile, row in zip(TILES, TILE_ROWS, strict=True) for _ in range(row.copies))


def tile_name(tile: int) -> str:
    """``pink-heart``."""
    return TILE_NAMES[tile - 1]


def space_name(space: int) -> str:
    """``A1``."""
    return SPACE_NAMES[space - 1]


def whim_name(whim: int) -> str:
    """``E-pink-red-1``."""
    return WHIM_NAMES[whim - 1]


# The three facts of a whim card by its number; nothing has the number 0.
_LEVELS = (Level.EASY, *(Level[row.level.upper()] for row in WHIM_ROWS))
_PAIRS = (PAIRS[0], *(Pair(*(Symbol[half.upper()] for half in row.halves)) for row in WHIM_ROWS))
_VALUES = (0, *(row.value for row in WHIM_ROWS))


def level_of(whim: int) -> Level:
    """The level, which everybody sees."""
    return _LEVELS[whim]


def pair_of(whim: int) -> Pair:
    """The halves."""
    return _PAIRS[whim]


def value_of(whim: int) -> int:
    """How far the gardeners move when it is guessed."""
    return _VALUES[whim]


# Every card of each level, ascending.
DECKS = {level: tuple(whim for whim in WHIMS if _LEVELS[whim] is level) for level in Level}

# The pairs of each level (2.5), in the order of the symbols.
PAIRS_OF = {
    level: tuple(pair for pair in PAIRS if any(_PAIRS[whim] == pair for whim in DECKS[level])) for level in Level
}

_STEPS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
_AT = {(row.q, row.r): space for space, row in zip(SPACES, SPACE_ROWS, strict=True)}

# The neighbours of each space, ascending (2.3); nothing has the number 0.
NEIGHBOURS: tuple[tuple[int, ...], ...] = (
    (),
    *(tuple(sorted(_AT[at] for q, r in _STEPS if (at := (row.q + q, row.r + r)) in _AT)) for row in SPACE_ROWS),
)

# The garden before the first turn (2.4): a tile or None by space, from the first space on.
START: tuple[int | None, ...] = tuple(
    None if row.start is None else TILE_NAMES.index(row.start.tile) + 1 for row in SPACE_ROWS
)

# The tiles that are not there yet, ascending: they begin in the bag (3.1).
_STARTING = Counter(tile for tile in START if tile is not None)
OTHER_TILES = tuple(sorted((Counter(ALL_TILES) - _STARTING).elements()))


def matches(tile: int, symbol: Symbol) -> bool:
    """Whether the tile shows the symbol, as its colour or as its shape."""
    row = TILE_ROWS[tile - 1]
    return symbol.text in (row.colour, row.shape)
