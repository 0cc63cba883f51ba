"""What a game of Nana Toridori consists of: options, state, moves, events.

Field names are those of ``nana_toridori.proto``. A card is its value, 1 to 7; cards of one value are identical. Places
in a hand are counted from 0, from left to right, and the order of a hand is part of the game (2.1).
"""

from __future__ import annotations

import enum
from typing import Annotated, TypeAlias

import msgspec

LOWEST, HIGHEST = 1, 7

Card = Annotated[int, msgspec.Meta(ge=LOWEST, lt=HIGHEST + 1)]
Cards: TypeAlias = tuple[Card, ...]


BASIC, ADVANCED = MODES = ("basic", "advanced")
ALL_AT_TARGET, HIGHEST_ONLY = ADVANCED_WINNERS = ("all_at_target", "highest_only")
STANDARD, DUEL = TWO_PLAYER_MODES = ("standard", "duel")


class Phase(enum.IntEnum):
    """What the seat on turn is asked: the numbers of ``rookery.nana_toridori.v1.Phase``."""

    PLAY = 1
    TAKE = 2
    KEEP = 3
    FRONT = 4
    OVER = 5


class Options(msgspec.Struct, frozen=True, array_like=True):
    """How the game is played (1.4 to 1.7); ``first_leader`` None: drawn at random."""

    mode: str = BASIC
    advanced_winner: str = ALL_AT_TARGET
    two_player_mode: str = STANDARD
    first_leader: int | None = None


class RoundSummary(msgspec.Struct, frozen=True, array_like=True):
    """A finished round: who lost it, and the combination that lay on the table at its end.

    ``finished`` are seats in the order of going out; nobody went out if a pass lost a duel (10.5).
    """

    round_number: int
    finished: tuple[int, ...]
    loser: int
    table: Cards


class State(msgspec.Struct, frozen=True, array_like=True):
    """A game between two moves. Tuples by seat: ``hands``, ``known``, ``front``, ``penguins``, ``points``.

    ``known`` are the cards of a hand that everybody knows to be in it, ascending (11.3). ``beaten`` is what the table
    combination of the seat on turn has just beaten (4.5), ``drawn`` the card that it has just drawn (5.1).
    ``draw_pile`` has its top first, ``discard_pile`` its oldest card. ``passes`` are those since the last play.
    ``turn`` is None at the end.
    """

    options: Options
    phase: Phase
    round_number: int
    leader: int
    turn: int | None
    hands: tuple[Cards, ...]
    known: tuple[Cards, ...]
    front: tuple[Cards, ...]
    draw_pile: Cards
    penguins: tuple[int, ...]
    points: tuple[int, ...]
    discard_pile: Cards = ()
    table: Cards = ()
    owner: int | None = None
    beaten: Cards = ()
    drawn: Card | None = None
    passes: int = 0
    finished: tuple[int, ...] = ()
    last_round: RoundSummary | None = None


class Play(msgspec.Struct, frozen=True, array_like=True, tag="play"):
    """Play ``count`` cards of the hand from place ``start`` on, and the front cards named (4.2, 10.3)."""

    start: int
    count: int
    front: tuple[int, ...] = ()


class Pass(msgspec.Struct, frozen=True, array_like=True, tag="pass"):
    """Play nothing (4.3)."""


class Take(msgspec.Struct, frozen=True, array_like=True, tag="take"):
    """Put the beaten cards into the hand as one block (4.5)."""

    position: int


class Keep(msgspec.Struct, frozen=True, array_like=True, tag="keep"):
    """Put the drawn card into the hand (5.2)."""

    position: int


class Discard(msgspec.Struct, frozen=True, array_like=True, tag="discard"):
    """Put the beaten cards (4.5) or the drawn card (5.2) on the discard pile."""


class KeepFront(msgspec.Struct, frozen=True, array_like=True, tag="keep_front"):
    """Put a front card into the hand (10.4)."""

    index: int
    position: int


class DiscardFront(msgspec.Struct, frozen=True, array_like=True, tag="discard_front"):
    """Put a front card on the discard pile (10.4)."""

    index: int


Move: TypeAlias = Play | Pass | Take | Keep | Discard | KeepFront | DiscardFront


class FrontCards(msgspec.Struct, frozen=True, array_like=True):
    """The front cards of one seat, left to right."""

    cards: Cards


class Played(msgspec.Struct, frozen=True, array_like=True, tag="played"):
    """Cards went to the table; ``start``, their place in the hand, is for their player alone (11.1)."""

    cards: Cards
    front: tuple[int, ...]
    start: int | None


class BeatenTaken(msgspec.Struct, frozen=True, array_like=True, tag="beaten_taken"):
    """The beaten cards went into the hand; ``position`` is for its owner alone (11.1)."""

    cards: Cards
    position: int | None


class BeatenDiscarded(msgspec.Struct, frozen=True, array_like=True, tag="beaten_discarded"):
    """The beaten cards went to the discard pile, by choice (4.5) or because the hand is empty (7.1)."""

    cards: Cards


class Passed(msgspec.Struct, frozen=True, array_like=True, tag="passed"):
    """A pass; ``passes`` are those since the last play, this one included."""

    passes: int


class Drawn(msgspec.Struct, frozen=True, array_like=True, tag="drawn"):
    """The top card of the draw pile was drawn; ``card`` is for the drawer alone (11.2)."""

    card: Card | None
    draw_pile: int


class DrawnKept(msgspec.Struct, frozen=True, array_like=True, tag="drawn_kept"):
    """The drawn card went into the hand; both fields are for the drawer alone (11.2)."""

    card: Card | None
    position: int | None


class DrawnDiscarded(msgspec.Struct, frozen=True, array_like=True, tag="drawn_discarded"):
    """The drawn card went to the discard pile, face up."""

    card: Card


class FrontKept(msgspec.Struct, frozen=True, array_like=True, tag="front_kept"):
    """A front card went into the hand; ``position`` is for its owner alone (11.1)."""

    index: int
    card: Card
    position: int | None


class FrontDiscarded(msgspec.Struct, frozen=True, array_like=True, tag="front_discarded"):
    """A front card went to the discard pile."""

    index: int
    card: Card


class WentOut(msgspec.Struct, frozen=True, array_like=True, tag="went_out"):
    """A hand is empty (7.1); ``place`` counts from 1 in the round."""

    place: int


class TrickEnded(msgspec.Struct, frozen=True, array_like=True, tag="trick_ended"):
    """Everybody passed: the table combination went to the discard pile, ``leader`` leads (6.2, 6.3)."""

    cards: Cards
    owner: int
    leader: int


class RoundEnded(msgspec.Struct, frozen=True, array_like=True, tag="round_ended"):
    """A round is finished and counted (8.1, 9.1); penguins and points are those afterwards, by seat."""

    summary: RoundSummary
    penguins: tuple[int, ...]
    points: tuple[int, ...]


class RoundDealt(msgspec.Struct, frozen=True, array_like=True, tag="round_dealt"):
    """A new round begins; ``hand`` is the viewer's own, ``front`` by seat and empty unless it is a duel."""

    round_number: int
    leader: int
    hand_size: int
    draw_pile: int
    hand: Cards
    front: tuple[FrontCards, ...]


class GameEnded(msgspec.Struct, frozen=True, array_like=True, tag="game_ended"):
    """The game is over (8.2, 9.2); ``winners`` are seats, ascending."""

    winners: tuple[int, ...]


Event: TypeAlias = (
    Played
    | BeatenTaken
    | BeatenDiscarded
    | Passed
    | Drawn
    | DrawnKept
    | DrawnDiscarded
    | FrontKept
    | FrontDiscarded
    | WentOut
    | TrickEnded
    | RoundEnded
    | RoundDealt
    | GameEnded
)
