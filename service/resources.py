"""The resources and requests of the API as values: same names as the messages of ``protos/rookery/v1``.

The use cases speak in these and know no protobuf; ``service/wire.py`` maps them by equal field names. None stands for
an absent ``optional`` field or an unset arm of a ``oneof``.
"""

from __future__ import annotations

import enum
from datetime import datetime, timedelta
from typing import Any

import msgspec

from engine.core import Ref, Result


class Detail(msgspec.Struct, frozen=True):
    """A game's own value: ``value`` is a struct of the game type ``arm``, or a plain object of ``plugin``.

    What came in may be read in several ways, if the rules versions of the game have types of their own: ``value`` is
    the newest version's reading, ``older`` are the others'.
    """

    arm: str
    value: Any
    older: tuple[Any, ...] = ()

    def reading(self, types: type | tuple[type, ...]) -> Any:
        """The reading that is of one of the types; None if there is none."""
        return next((value for value in (self.value, *self.older) if isinstance(value, types)), None)


class GameState(enum.IntEnum):
    """``rookery.v1.GameState``."""

    UNSPECIFIED = 0
    ACTIVE = 1
    FINISHED = 2
    ABORTED = 3


class Controller(enum.IntEnum):
    """``rookery.v1.Controller``."""

    UNSPECIFIED = 0
    HUMAN = 1
    BOT = 2
    RESIGNED = 3


class BotLevel(enum.IntEnum):
    """``rookery.v1.BotLevel``."""

    UNSPECIFIED = 0
    RANDOM = 1
    BASIC = 2
    STRONG = 3


class OnTimeout(enum.IntEnum):
    """``rookery.v1.OnTimeout``."""

    UNSPECIFIED = 0
    TIMEOUT_MOVE = 1
    BOT_TAKES_OVER = 2
    RESIGN = 3


class RevealPolicy(enum.IntEnum):
    """``rookery.v1.RevealPolicy``."""

    UNSPECIFIED = 0
    NEVER = 1
    ON_FINISH = 2


class Part(enum.IntEnum):
    """``rookery.v1.Part``."""

    UNSPECIFIED = 0
    DETAIL = 1
    OFFERS = 2
    SCENE = 3
    EVENTS = 4


class Label(msgspec.Struct, frozen=True):
    """A text in English with what is needed to say it in another language."""

    key: str
    args: dict[str, str]
    text: str


class Seat(msgspec.Struct, frozen=True):
    """A place at the table; ``external_id`` is empty for everybody but platforms."""

    seat: int
    display_name: str
    external_id: str
    controller: Controller
    bot_level: BotLevel = BotLevel.UNSPECIFIED


class Awaiting(msgspec.Struct, frozen=True):
    """A seat that owes an answer."""

    seat: int
    kind: str
    deadline: datetime | None = None


class Clock(msgspec.Struct, frozen=True):
    """How long seats may think, and what happens then."""

    per_decision: timedelta | None = None
    per_game: timedelta | None = None
    on_timeout: OnTimeout = OnTimeout.UNSPECIFIED


class SeatClock(msgspec.Struct, frozen=True):
    """What a seat has left of its time for the game."""

    seat: int
    time_left: timedelta


class GameOptions(msgspec.Struct, frozen=True):
    """The options of one game."""

    detail: Detail | None = None


class Game(msgspec.Struct, frozen=True):
    """A game from outside."""

    name: str
    game_type: str
    rules_version: str
    options: GameOptions
    state: GameState
    version: int
    seats: tuple[Seat, ...]
    create_time: datetime
    update_time: datetime
    expire_time: datetime
    annotations: dict[str, str]
    result: Result | None
    spectators_off: bool
    awaiting: tuple[Awaiting, ...]
    reveal_policy: RevealPolicy
    clock: Clock | None = None
    forked_from: ForkedFrom | None = None


class ForkedFrom(msgspec.Struct, frozen=True):
    """The game, and its version, that a fork began from."""

    name: str
    version: int


class Move(msgspec.Struct, frozen=True):
    """A move of one game."""

    detail: Detail | None = None


class Offer(msgspec.Struct, frozen=True):
    """One legal move."""

    offer_id: str
    label: Label
    refs: tuple[Ref, ...]
    move: Move


class Decision(msgspec.Struct, frozen=True):
    """A question to one seat."""

    decision_id: str
    kind: str
    prompt: Label
    deadline: datetime | None = None
    offers: tuple[Offer, ...] = ()
    offers_truncated: bool = False
    timeout_offer_id: str = ""


class TimedOut(msgspec.Struct, frozen=True):
    """The clock acted."""

    on_timeout: OnTimeout


class SeatChanged(msgspec.Struct, frozen=True):
    """Somebody else answers for the seat."""

    controller: Controller
    bot_level: BotLevel


class Undone(msgspec.Struct, frozen=True):
    """Answers were taken back."""

    to_version: int


class Event(msgspec.Struct, frozen=True):
    """One thing that happened, as one viewer may know it: in the game (``detail``), or at the table."""

    version: int
    index: int
    time: datetime
    seat: int | None
    text: Label
    detail: Detail | None = None
    timed_out: TimedOut | None = None
    seat_changed: SeatChanged | None = None
    undone: Undone | None = None


class Viewer(msgspec.Struct, frozen=True):
    """Whose view it is: a ``seat``, or a ``spectator`` (True)."""

    seat: int | None = None
    spectator: bool | None = None


class View(msgspec.Struct, frozen=True):
    """The whole of what one viewer may know now."""

    name: str
    version: int
    etag: str
    game_type: str
    rules_version: str
    state: GameState
    viewer: Viewer
    seats: tuple[Seat, ...]
    decision: Decision | None
    awaiting: tuple[Awaiting, ...]
    result: Result | None
    events: tuple[Event, ...] = ()
    scene: SceneView | None = None
    detail: Detail | None = None
    clocks: tuple[SeatClock, ...] = ()


class PieceView(msgspec.Struct, frozen=True):
    """A piece, or several equal ones."""

    piece: str
    count: int


class ZoneView(msgspec.Struct, frozen=True):
    """A place on the table."""

    id: str
    kind: str
    seat: int | None
    label: Label
    pieces: tuple[PieceView, ...]


class SceneView(msgspec.Struct, frozen=True):
    """The table as zones and pieces."""

    zones: tuple[ZoneView, ...]


class SeatToken(msgspec.Struct, frozen=True):
    """The right to sit in a seat."""

    seat: int
    token: str
    expire_time: datetime


# Requests and responses, by RPC. See the proto of the same name.


class NewSeat(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player to come."""

    display_name: str = ""
    external_id: str = ""
    controller: Controller = Controller.UNSPECIFIED
    bot_level: BotLevel = BotLevel.UNSPECIFIED
    entropy: bytes = b""


class CreateGameRequest(msgspec.Struct, frozen=True, omit_defaults=True):
    """What to deal."""

    game_type: str
    rules_version: str = ""
    options: GameOptions | None = None
    seats: tuple[NewSeat, ...] = ()
    seed: bytes | None = None
    position: dict[str, Any] | None = None
    annotations: dict[str, str] = {}
    request_id: str = ""
    spectators_off: bool = False
    reveal_policy: RevealPolicy = RevealPolicy.UNSPECIFIED
    keep: timedelta | None = None
    clock: Clock | None = None
    entropy: bytes = b""
    commitment: str = ""


class CreateGameResponse(msgspec.Struct, frozen=True):
    """The game and the keys to its seats."""

    game: Game
    seat_tokens: tuple[SeatToken, ...]


class GetGameRequest(msgspec.Struct, frozen=True):
    """``name`` is ``games/{game}``, here and below."""

    name: str


class ListGamesRequest(msgspec.Struct, frozen=True):
    """Which of the platform's games."""

    page_size: int = 0
    page_token: str = ""
    game_type: str = ""
    state: GameState = GameState.UNSPECIFIED


class ListGamesResponse(msgspec.Struct, frozen=True):
    """A page, newest first."""

    games: tuple[Game, ...]
    next_page_token: str


class GetViewRequest(msgspec.Struct, frozen=True):
    """Whose view, and how long to wait for a newer one."""

    name: str
    seat: int | None = None
    spectator: bool = False
    version: int | None = None
    newer_than: int | None = None
    wait: timedelta | None = None
    parts: tuple[Part, ...] = ()


class Answer(msgspec.Struct, frozen=True):
    """One answer of a chain."""

    move: Move | None = None
    offer_id: str | None = None


class SubmitMoveRequest(msgspec.Struct, frozen=True):
    """An answer to a decision."""

    name: str
    seat: int | None = None
    decision_id: str = ""
    expected_version: int | None = None
    request_id: str = ""
    move: Move | None = None
    offer_id: str | None = None
    moves: tuple[Answer, ...] = ()
    validate_only: bool = False
    return_parts: tuple[Part, ...] = ()


class SubmitMoveResponse(msgspec.Struct, frozen=True):
    """What came of it."""

    committed_version: int | None
    replayed: bool
    events: tuple[Event, ...]
    view: View | None
