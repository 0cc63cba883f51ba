"""The resources and requests of a game that lives: its events and streams, its past and its proof, its keys, its end.

They go on from ``service/resources.py``, by the same rules.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import msgspec

from engine.core import Result
from service.resources import (
    Awaiting,
    BotLevel,
    Controller,
    Event,
    Game,
    GameState,
    NewSeat,
    Part,
    RevealPolicy,
    SeatToken,
    View,
)


class Snapshot(msgspec.Struct, frozen=True):
    """The view now."""

    view: View


class Change(msgspec.Struct, frozen=True):
    """One commit; the view only with the newest one."""

    version: int
    events: tuple[Event, ...]
    view: View | None


class Bookmark(msgspec.Struct, frozen=True):
    """Everything up to this version has been told."""

    version: int


class Ended(msgspec.Struct, frozen=True):
    """The game is over."""

    version: int
    state: GameState
    result: Result | None


class WatchGameResponse(msgspec.Struct, frozen=True):
    """One message of a stream."""

    snapshot: Snapshot | None = None
    change: Change | None = None
    bookmark: Bookmark | None = None
    ended: Ended | None = None


class CaughtUp(msgspec.Struct, frozen=True):
    """Everything so far has been told."""


class Update(msgspec.Struct, frozen=True):
    """One commit of one game."""

    game: str
    version: int
    state: GameState
    awaiting: tuple[Awaiting, ...]
    result: Result | None
    deleted: bool


class WatchUpdatesResponse(msgspec.Struct, frozen=True):
    """One message of a stream of updates."""

    cursor: str
    update: Update | None = None
    bookmark: CaughtUp | None = None


class Contribution(msgspec.Struct, frozen=True):
    """What a seat (None: the platform) gave to the chance, in hex."""

    seat: int | None
    entropy: str


class Commitment(msgspec.Struct, frozen=True):
    """A commitment that waits for its game."""

    name: str
    commitment: str
    expire_time: datetime


class Fairness(msgspec.Struct, frozen=True):
    """The commitment to a game's chance, and later the proof."""

    name: str
    commitment: str
    reveal_policy: RevealPolicy
    seed: str | None
    salt: str | None
    entropy: tuple[Contribution, ...] = ()


# Requests and responses, by RPC.


class CreateCommitmentRequest(msgspec.Struct, frozen=True):
    """Nothing to say."""


class ListEventsRequest(msgspec.Struct, frozen=True):
    """Whose events, after which version."""

    name: str
    seat: int | None = None
    spectator: bool = False
    after_version: int | None = None
    page_size: int = 0
    page_token: str = ""


class ListEventsResponse(msgspec.Struct, frozen=True):
    """A page of events."""

    events: tuple[Event, ...]
    next_page_token: str


class WatchGameRequest(msgspec.Struct, frozen=True):
    """What to watch."""

    name: str
    seat: int | None = None
    spectator: bool = False
    after_version: int | None = None
    client_id: str = ""
    parts: tuple[Part, ...] = ()


class SetSeatControllerRequest(msgspec.Struct, frozen=True):
    """Who answers for which seat."""

    name: str
    controller: Controller = Controller.UNSPECIFIED
    bot_level: BotLevel = BotLevel.UNSPECIFIED
    request_id: str = ""


class IssueTicketRequest(msgspec.Struct, frozen=True):
    """A ticket for whom."""

    name: str
    seat: int | None = None
    spectator: bool = False


class IssueTicketResponse(msgspec.Struct, frozen=True):
    """A ticket for one stream."""

    ticket: str
    expire_time: datetime


class WatchUpdatesRequest(msgspec.Struct, frozen=True):
    """Where to begin."""

    cursor: str = ""


class ExportGameRequest(msgspec.Struct, frozen=True):
    """Which game."""

    name: str


class ExportGameResponse(msgspec.Struct, frozen=True):
    """The record of a game, as JSON."""

    export: dict[str, Any]


class GetFairnessRequest(msgspec.Struct, frozen=True):
    """Which game."""

    name: str


class UndoMoveRequest(msgspec.Struct, frozen=True):
    """How far to go back."""

    name: str
    to_version: int = 0
    seat: int | None = None
    request_id: str = ""
    return_parts: tuple[Part, ...] = ()


class UndoMoveResponse(msgspec.Struct, frozen=True):
    """What came of it."""

    committed_version: int
    replayed: bool
    events: tuple[Event, ...]
    view: View


class ForkGameRequest(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where to begin, and whose knowledge is kept."""

    name: str
    version: int | None = None
    seat: int | None = None
    spectator: bool = False
    seats: tuple[NewSeat, ...] = ()
    annotations: dict[str, str] = {}
    request_id: str = ""


class ForkGameResponse(msgspec.Struct, frozen=True):
    """The game and the keys to its seats."""

    game: Game
    seat_tokens: tuple[SeatToken, ...]


class SpectatorToken(msgspec.Struct, frozen=True):
    """The right to watch."""

    token: str
    expire_time: datetime


class IssueTokensRequest(msgspec.Struct, frozen=True):
    """Tokens for whom."""

    name: str
    seats: tuple[int, ...] = ()
    spectator: bool = False
    revoke: bool = False
    ttl: timedelta | None = None
    request_id: str = ""


class IssueTokensResponse(msgspec.Struct, frozen=True):
    """The new tokens."""

    seat_tokens: tuple[SeatToken, ...]
    spectator_token: SpectatorToken | None


class AbortGameRequest(msgspec.Struct, frozen=True):
    """Which game."""

    name: str


class DeleteGameRequest(msgspec.Struct, frozen=True):
    """Which game."""

    name: str


class DeleteGameResponse(msgspec.Struct, frozen=True):
    """Done."""
