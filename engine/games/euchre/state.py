"""What a match is made of: options, moves and the full state, secrets included.

Field names and tags equal those of ``rookery.euchre.v1``. Seats 0 and 2 are team 0, seats 1 and 3 are team 1.
"""

from __future__ import annotations

import enum

import msgspec

from engine.core.cards import Card

SEATS = (0, 1, 2, 3)
HAND_SIZE = 5
TARGET_SCORES = (5, 7, 10, 11, 15)

Cards = tuple[Card, ...]


class Options(msgspec.Struct, frozen=True, array_like=True):
    """How this table plays (RULES 2)."""

    stick_the_dealer: bool = True
    no_trump_call: bool = False
    loner_starts_last: bool = False
    canadian_loner: bool = False
    lone_defender: bool = False
    benny: bool = False
    target_score: int = 10
    first_dealer: int | None = None


class Trump(enum.IntEnum):
    """What may be trump; suits have the numbers of ``engine.core.cards.Suit``."""

    CLUBS = 1
    DIAMONDS = 2
    HEARTS = 3
    SPADES = 4
    NO_TRUMP = 5


class Phase(enum.IntEnum):
    """What a hand is waiting for."""

    BID1 = 1
    BID2 = 2
    BENNY = 3
    DISCARD = 4
    DEFEND = 5
    PLAY = 6
    MATCH_OVER = 7


class UpcardState(enum.IntEnum):
    """Where the upcard is."""

    FACE_UP = 1
    TURNED_DOWN = 2
    TAKEN = 3


class Outcome(enum.IntEnum):
    """How a hand ended (RULES 9.1)."""

    PASSED_OUT = 1
    POINT = 2
    MARCH = 3
    LONE_MARCH = 4
    EUCHRE = 5
    LONE_EUCHRE = 6


class Pass(msgspec.Struct, frozen=True, array_like=True, tag="pass"):
    """Leave the making of trump to the next seat."""


class OrderUp(msgspec.Struct, frozen=True, array_like=True, tag="order_up"):
    """Make the upcard's suit trump."""

    alone: bool = False


class Call(msgspec.Struct, frozen=True, array_like=True, tag="call"):
    """Make trump in the second round."""

    trump: Trump
    alone: bool = False


class Name(msgspec.Struct, frozen=True, array_like=True, tag="name"):
    """Name a suit for the Benny that was turned up."""

    trump: Trump
    alone: bool = False


class Discard(msgspec.Struct, frozen=True, array_like=True, tag="discard"):
    """Lay one of six cards away."""

    card: Card


class Defend(msgspec.Struct, frozen=True, array_like=True, tag="defend"):
    """Defend without the partner."""


class NoDefend(msgspec.Struct, frozen=True, array_like=True, tag="no_defend"):
    """Defend together with the partner."""


class Play(msgspec.Struct, frozen=True, array_like=True, tag="play"):
    """Play a card to the trick."""

    card: Card


Move = Pass | OrderUp | Call | Name | Discard | Defend | NoDefend | Play
MOVES = (Pass, OrderUp, Call, Name, Discard, Defend, NoDefend, Play)


class PlayedCard(msgspec.Struct, frozen=True, array_like=True):
    """A card with the seat that played it."""

    seat: int
    card: Card


class Trick(msgspec.Struct, frozen=True, array_like=True):
    """A finished trick, in the order of play."""

    cards: tuple[PlayedCard, ...]
    winner: int


class HandSummary(msgspec.Struct, frozen=True, array_like=True):
    """A finished hand: public facts only."""

    hand_number: int
    dealer: int
    upcard: Card
    outcome: Outcome
    trump: Trump | None
    maker: int | None
    alone: bool
    lone_defender: int | None
    tricks: tuple[Trick, ...]
    tricks_by_team: tuple[int, ...]
    points_by_team: tuple[int, ...]
    scores_by_team: tuple[int, ...]


class Tally(msgspec.Struct, frozen=True, array_like=True):
    """Points of one team by how they were won; names are those of ``Outcome``."""

    point: int = 0
    march: int = 0
    lone_march: int = 0
    euchre: int = 0
    lone_euchre: int = 0


class State(msgspec.Struct, frozen=True, array_like=True):
    """Everything, secrets included.

    ``turn`` is the seat to answer, None when the match is over. ``hands`` are by seat, each in the order in which its
    owner sees it. ``upcard`` keeps its value for the whole hand; the card itself lies on the kitty until it is
    ``TAKEN`` and is one of the dealer's from then on. ``discard`` is the dealer's card laid away. ``trick`` is the one
    on the table, ``tricks`` are the finished ones of this hand. Points that ``tallies`` do not explain were there when
    the match started from a position.
    """

    options: Options
    phase: Phase
    hand_number: int
    dealer: int
    turn: int | None
    hands: tuple[Cards, ...]
    upcard: Card
    upcard_state: UpcardState
    kitty: Cards
    scores: tuple[int, ...] = (0, 0)
    tallies: tuple[Tally, ...] = (Tally(), Tally())
    discard: Card | None = None
    trump: Trump | None = None
    maker: int | None = None
    alone: bool = False
    lone_defender: int | None = None
    trick: tuple[PlayedCard, ...] = ()
    tricks: tuple[Trick, ...] = ()
    last_hand: HandSummary | None = None


def left_of(seat: int) -> int:
    """The next seat clockwise."""
    return (seat + 1) % 4


def partner_of(seat: int) -> int:
    """The seat opposite."""
    return (seat + 2) % 4


def team_of(seat: int) -> int:
    """0 or 1."""
    return seat % 2


def inactive_seats(state: State) -> tuple[int, ...]:
    """The seats that sit this hand out, ascending (RULES 8.1)."""
    asleep = [partner_of(state.maker)] if state.alone and state.maker is not None else []
    if state.lone_defender is not None:
        asleep.append(partner_of(state.lone_defender))
    return tuple(sorted(asleep))


def next_active(seat: int, inactive: tuple[int, ...]) -> int:
    """``seat`` itself, or the first seat clockwise from it that does not sit out."""
    while seat in inactive:
        seat = left_of(seat)
    return seat


def first_defender(state: State) -> int:
    """The defender who is asked first whether he defends alone (RULES 7.2)."""
    seat = left_of(state.dealer)
    return left_of(seat) if state.maker is not None and team_of(seat) == team_of(state.maker) else seat


def tricks_by_team(tricks: tuple[Trick, ...]) -> tuple[int, ...]:
    """How many of the tricks each team won."""
    odd = sum(team_of(trick.winner) for trick in tricks)
    return len(tricks) - odd, odd
