"""What a game of Sevens consists of: options, state, moves, events. Field names are those of ``sevens.proto``."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from engine.core.cards import Card


class Options(msgspec.Struct, frozen=True, array_like=True):
    """How the game is played: passes for each player (1.3) and packs of cards (1.4)."""

    pass_limit: int = 3
    decks: int = 1


class State(msgspec.Struct, frozen=True, array_like=True):
    """A game between two moves.

    ``hands`` are by seat; they and ``table`` are ascending, so that equal positions are equal values. ``passes`` are
    those left. ``finished`` and ``out`` are seats in the order in which it happened. ``turn`` is None at the end.
    """

    options: Options
    turn: int | None
    hands: tuple[tuple[Card, ...], ...]
    table: tuple[Card, ...]
    passes: tuple[int, ...]
    finished: tuple[int, ...] = ()
    out: tuple[int, ...] = ()


class Play(msgspec.Struct, frozen=True, array_like=True, tag="play"):
    """Lay a card (4.2)."""

    card: Card


class Pass(msgspec.Struct, frozen=True, array_like=True, tag="pass"):
    """Lay nothing (4.3)."""


Move: TypeAlias = Play | Pass


class CardPlayed(msgspec.Struct, frozen=True, array_like=True, tag="card_played"):
    """A card went from a hand to its row."""

    card: Card


class Passed(msgspec.Struct, frozen=True, array_like=True, tag="passed"):
    """A pass was used up; free and forced ones look the same (7.3)."""

    passes_left: int


class WentOut(msgspec.Struct, frozen=True, array_like=True, tag="went_out"):
    """A player is out (5.2); ``cards`` is the whole hand, now on the table."""

    cards: tuple[Card, ...]
    place: int


class Finished(msgspec.Struct, frozen=True, array_like=True, tag="finished"):
    """A player laid the last card (5.1)."""

    place: int


class GameEnded(msgspec.Struct, frozen=True, array_like=True, tag="game_ended"):
    """One player is left (6.1); ``cards`` is that player's hand."""

    last_seat: int
    cards: tuple[Card, ...]
    place: int


Event: TypeAlias = CardPlayed | Passed | WentOut | Finished | GameEnded
