"""What can happen in a game of Paint the Roses. Everybody sees every event; one of them has a secret part."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from engine.games.paint_the_roses import box
from engine.games.paint_the_roses.box import Space, Tile
from engine.games.paint_the_roses.symbols import Level, Pair


class WhimCard(msgspec.Struct, frozen=True, array_like=True):
    """A whim card that a viewer may know."""

    level: Level
    pair: Pair
    value: int


class ShownWhim(msgspec.Struct, frozen=True, array_like=True):
    """A card that lies open, and whose it is."""

    seat: int
    whim: WhimCard


class WhimDrawn(msgspec.Struct, frozen=True, array_like=True, tag="whim_drawn"):
    """A player drew a card (4.1); ``whim`` is for that player alone (13.1)."""

    level: Level
    serial: int
    whim: WhimCard | None = None


class DeckReshuffled(msgspec.Struct, frozen=True, array_like=True, tag="deck_reshuffled"):
    """The discards of a level became its deck (4.3)."""

    level: Level
    cards: int


class TurnStarted(msgspec.Struct, frozen=True, array_like=True, tag="turn_started"):
    """A turn began."""

    turn: int


class TilePlanted(msgspec.Struct, frozen=True, array_like=True, tag="tile_planted"):
    """A tile went from a slot to a space; ``numbers`` are those of the cubes, by seat (6.1)."""

    slot: int
    space: Space
    tile: Tile
    numbers: tuple[int, ...]


class GuessProposed(msgspec.Struct, frozen=True, array_like=True, tag="guess_proposed"):
    """A guess was proposed (8.1)."""

    target: int
    pair: Pair


class Voted(msgspec.Struct, frozen=True, array_like=True, tag="voted"):
    """A vote on the proposal (8.2)."""

    accept: bool


class ProposalWithdrawn(msgspec.Struct, frozen=True, array_like=True, tag="proposal_withdrawn"):
    """The proposer took the proposal back (8.4)."""


class ProposalClosed(msgspec.Struct, frozen=True, array_like=True, tag="proposal_closed"):
    """The proposal was rejected or withdrawn; ``rejections`` so far, from three on captains guess (8.5)."""

    rejections: int


class GuessedRight(msgspec.Struct, frozen=True, array_like=True, tag="guessed_right"):
    """A guess was right: the card is turned up and its cubes leave the garden (7.7)."""

    target: int
    whim: WhimCard


class GuessedWrong(msgspec.Struct, frozen=True, array_like=True, tag="guessed_wrong"):
    """A guess was wrong: guessing is over for this turn (7.8)."""

    target: int
    pair: Pair


class GardenersMoved(msgspec.Struct, frozen=True, array_like=True, tag="gardeners_moved"):
    """The gardeners moved on (7.7)."""

    start: int
    end: int


class FlowerGained(msgspec.Struct, frozen=True, array_like=True, tag="flower_gained"):
    """The gardeners passed a rabbit space (2.7); the White Rabbit is now at ``rabbit``, None: off the track."""

    flowers: int
    rabbit: int | None


class Stopped(msgspec.Struct, frozen=True, array_like=True, tag="stopped"):
    """The active player ended the guessing (7.9)."""


class ClueTokenUsed(msgspec.Struct, frozen=True, array_like=True, tag="clue_token_used"):
    """The active player spent the clue token (11.1)."""


class QueenMoved(msgspec.Struct, frozen=True, array_like=True, tag="queen_moved"):
    """The Queen moved (9.1)."""

    start: int
    end: int


class GreenhouseRefilled(msgspec.Struct, frozen=True, array_like=True, tag="greenhouse_refilled"):
    """A tile from the bag went to the empty slot (10.2)."""

    slot: int
    tile: Tile


class GameEnded(msgspec.Struct, frozen=True, array_like=True, tag="game_ended"):
    """The game is over; ``whims`` are the cards that were still secret, by seat (13.5)."""

    won: bool
    whims: tuple[ShownWhim, ...]


Event: TypeAlias = (
    WhimDrawn
    | DeckReshuffled
    | TurnStarted
    | TilePlanted
    | GuessProposed
    | Voted
    | ProposalWithdrawn
    | ProposalClosed
    | GuessedRight
    | GuessedWrong
    | GardenersMoved
    | FlowerGained
    | Stopped
    | ClueTokenUsed
    | QueenMoved
    | GreenhouseRefilled
    | GameEnded
)


def card(whim: int) -> WhimCard:
    """The card by its number, for those who may know it."""
    return _CARDS[whim - 1]


_CARDS = tuple(WhimCard(box.level_of(whim), box.pair_of(whim), box.value_of(whim)) for whim in box.WHIMS)
