"""The store as the use cases see it: one game is one versioned record, changed by one atomic compare-and-set.

The adapter (``service/redis_store.py``) keeps these promises; nothing above this line knows what it runs on.
Every method raises ``errors.Refusal`` with reason ``STORE_UNAVAILABLE`` when the store cannot be reached.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

import msgspec


class GameKey(NamedTuple):
    """Where a game lives: the tenant isolates, the game id (26 characters of ``[a-z2-7]``) identifies."""

    tenant: str
    game: str


class Stamp(NamedTuple):
    """Which commit it was: ``version``, and a random ``mark`` of its writer.

    A store that lost its last writes (a power cut, a failover) counts through the same versions again; the mark tells
    the second version 12 from the first, so that no memory of the first one is ever taken for the truth.
    """

    version: int
    mark: bytes


class Stored(msgspec.Struct, frozen=True):
    """A game as it was read: ``meta`` changes seldom (seats, options), ``live`` with every commit (state)."""

    stamp: Stamp
    meta: bytes
    live: bytes


class Answer(msgspec.Struct, frozen=True):
    """A remembered success: what was answered (``digest``) and the version that it made."""

    version: int
    digest: bytes


class Memo(NamedTuple):
    """What a commit leaves behind for replays: under ``name`` (unique per game) the ``digest`` of what was asked."""

    name: str
    digest: bytes


class Write(msgspec.Struct, frozen=True):
    """One commit: what stands as ``expected`` becomes ``stamp``, one version more, or nothing happens.

    ``meta`` is None when unchanged. ``batch`` is the log entry of the new version. ``memos`` are looked up first, in
    order; the first one that is already remembered decides (same digest: replay, other digest: clash). They are never
    empty, so that a write with unknown outcome can be settled. ``ttl_ms`` is the life of the game from this commit on.
    ``notice`` goes into the tenant's feed. ``due_ms`` is when the clock must look at the game next, in milliseconds
    since 1970: 0 for never, None to leave it. Before ``not_before_ms`` and after ``not_after_ms`` (0: no limit), by the
    store's time, nothing is written.
    ``bots``: True puts the game into the queue of the bots, in place of an earlier entry; False takes it out; None
    leaves it.
    """

    key: GameKey
    expected: Stamp
    stamp: Stamp
    live: bytes
    batch: bytes
    memos: tuple[Memo, ...]
    ttl_ms: int
    meta: bytes | None = None
    snapshot: bytes | None = None
    notice: bytes = b""
    due_ms: int | None = None
    not_before_ms: int = 0
    not_after_ms: int = 0
    bots: bool | None = None


class Committed(msgspec.Struct, frozen=True):
    """Yes: the write made ``version``."""

    version: int


class Replayed(msgspec.Struct, frozen=True):
    """Remembered: the same thing was committed before, as ``version``."""

    version: int


class Clash(msgspec.Struct, frozen=True):
    """No: ``name`` is remembered with another digest (answered otherwise, request id used for something else)."""

    name: str


class Conflict(msgspec.Struct, frozen=True):
    """No: the game is not at the ``expected`` commit. Where it is, is deliberately not said: load again."""


class Missing(msgspec.Struct, frozen=True):
    """No: there is no such game (never was, expired, or deleted)."""


class Untimely(msgspec.Struct, frozen=True):
    """No: by the store's time ``not_before_ms`` has not come, or ``not_after_ms`` is over."""


Verdict = Committed | Replayed | Clash | Conflict | Missing | Untimely


class Created(msgspec.Struct, frozen=True):
    """The game was made, at version 1."""


class Exists(msgspec.Struct, frozen=True):
    """The id is taken: by ``stored``, or, when None, by a game that was deleted within the last day."""

    stored: Stored | None


class Listed(msgspec.Struct, frozen=True):
    """One row of the tenant's index; ``rank`` is the creation time in microseconds and orders the index."""

    game: str
    rank: int
    stored: Stored


Position = tuple[int, int]
"""Where an entry stands in the feed of its shard."""

Positions = Mapping[str, Position]
"""Where somebody stands in each feed of a tenant, by shard; a missing one is the beginning."""


class Told(NamedTuple):
    """An entry of a feed."""

    shard: str
    position: Position
    notice: bytes


class Feeds(Protocol):
    """What every commit of a tenant leaves behind, in a feed per shard of its games; the oldest is forgotten."""

    def attend(self, tenant: str) -> AbstractContextManager[object]:
        """Listen until the block ends, so that ``read`` need not begin to every time."""
        ...

    async def ends(self, tenant: str) -> Positions:
        """Where the feeds end now."""
        ...

    async def read(self, tenant: str, after: Positions, limit: int, timeout: float) -> tuple[Told, ...]:
        """What stands behind the positions, at most ``limit`` of each shard, in the order of each.

        Waits for it if there is nothing; empty when nothing came within ``timeout`` seconds.
        """
        ...

    async def kept(self, tenant: str, after: Positions) -> bool:
        """Whether nothing that stood behind the positions has been forgotten."""
        ...


class Notes(Protocol):
    """Small values of a tenant under names, each for a while."""

    async def keep(self, tenant: str, name: str, value: bytes, ttl_ms: int) -> bytes:
        """Keep the value for so long unless something is kept there; what is kept: of many, one wins."""
        ...

    async def kept(self, tenant: str, name: str) -> bytes | None:
        """What is kept there, None if nothing is."""
        ...

    async def drop(self, tenant: str, name: str) -> None:
        """Keep nothing there any more."""
        ...


class Due(NamedTuple):
    """A game, and when its clock must look at it, in milliseconds since 1970."""

    at_ms: int
    key: GameKey


class Sweeping(NamedTuple):
    """Somebody has looked after the clocks since ``since_ms`` without a gap; there is none before ``until_ms``.

    The last gap began at ``from_ms``. ``resumed``: it has ended just now.
    """

    from_ms: int
    since_ms: int
    until_ms: int
    resumed: bool


Outage = tuple[int, int]
"""From when to when nobody looked after the clocks, in microseconds since 1970."""


class Clocks(Protocol):
    """The store's time, which is everybody's, and the games whose clocks run."""

    def now_us(self) -> int:
        """The store's time now, in microseconds since 1970, as far as this process can tell."""
        ...

    async def sweeping(self) -> Sweeping:
        """Say that somebody looks after the clocks now."""
        ...

    def outage(self) -> Outage:
        """The last one, as far as this process has heard."""
        ...

    async def first(self, limit: int) -> tuple[Due, ...]:
        """The games that are due first, in the order of their times: of each shard at most ``limit``."""
        ...

    async def put(self, key: GameKey, stamp: Stamp | None, at_ms: int) -> None:
        """Say when the clock must look at a game, 0 for never, if this is its newest stamp (None: it is gone)."""
        ...


class Errand(NamedTuple):
    """A game whose bots were asked something, as the queue gave it out: ``entry`` of ``stream``."""

    key: GameKey
    stream: str
    entry: str


class BotQueue(Protocol):
    """The games whose bots are asked, each once, for one of the workers that share them.

    What is asked of a game's bots is given out until it is done or nobody waits for it any more.
    """

    def attend(self) -> AbstractContextManager[object]:
        """Listen until the block ends, so that ``take`` need not begin to every time."""
        ...

    async def take(self, timeout: float) -> Errand | None:
        """Give out the next game, waiting for it at most ``timeout`` seconds.

        Another worker gets it when this one shows no sign of life for some seconds.
        """
        ...

    async def hold(self, errand: Errand) -> None:
        """Show a sign of life. Raises INTERNAL when the queue was emptied: there is nothing to hold any more."""
        ...

    async def done(self, errand: Errand) -> None:
        """Take it off the queue."""
        ...

    async def leave(self) -> None:
        """Let other workers have at once whatever this one holds."""
        ...

    async def length(self) -> int:
        """How many are not done."""
        ...

    async def tidy(self) -> None:
        """Take some of those off that are left of games that are gone; others with each call."""
        ...


class Store(Protocol):
    """What the use cases need of a store."""

    @property
    def clocks(self) -> Clocks:
        """Its time, and who is running out of it."""
        ...

    @property
    def feeds(self) -> Feeds:
        """The feeds of the tenants."""
        ...

    @property
    def notes(self) -> Notes:
        """Small values under names."""
        ...

    @property
    def bots(self) -> BotQueue:
        """The queue of the bots."""
        ...

    async def create(
        self,
        key: GameKey,
        *,
        stamp: Stamp,
        meta: bytes,
        live: bytes,
        batch: bytes,
        rank: int,
        ttl_ms: int,
        notice: bytes = b"",
        due_ms: int | None = None,
        bots: bool = False,
    ) -> Created | Exists:
        """Make the game as ``stamp`` (version 1), with its log entry and a snapshot (``live``), and into the index."""
        ...

    async def load(self, key: GameKey) -> Stored | None:
        """Read the newest version; None if there is no such game."""
        ...

    async def stamp(self, key: GameKey) -> Stamp | None:
        """Read the newest stamp alone; None if there is no such game."""
        ...

    async def recall(self, key: GameKey, names: tuple[str, ...]) -> tuple[Stored | None, tuple[Answer | None, ...]]:
        """Read the game and what is remembered under each of ``names``, at one instant."""
        ...

    async def commit(self, write: Write) -> Verdict:
        """Do the compare-and-set. A lost connection is settled by the memos, never by blind repetition."""
        ...

    async def remember(self, key: GameKey, at: Stamp, memo: Memo, version: int) -> Verdict:
        """Remember ``version`` as the answer to a request that changes nothing, while the game stands ``at`` this.

        ``Replayed`` says what is remembered, by now or since before; else it is what ``commit`` would say.
        """
        ...

    async def batches(self, key: GameKey, first: int, last: int, limit: int) -> tuple[tuple[int, bytes], ...]:
        """Log entries of the versions ``first`` to ``last`` (both included), ascending, at most ``limit``."""
        ...

    async def snapshot(self, key: GameKey, at_most: int) -> tuple[int, bytes] | None:
        """The newest snapshot of a version not above ``at_most``; None if there is no such game."""
        ...

    async def delete(self, key: GameKey, notice: bytes = b"") -> bool:
        """Remove the game, its log and its index row. A tombstone stays for a day.

        False if there was neither: a repeated deletion succeeds again.
        """
        ...

    async def page(self, tenant: str, below: tuple[int, str] | None, limit: int) -> tuple[Listed, ...]:
        """Up to ``limit`` games of the tenant, newest first, after the row ``below`` (rank, game)."""
        ...

    async def changed(self, key: GameKey, newer_than: int, timeout: float) -> None:
        """Return when the game may have a version above ``newer_than``, at the latest after ``timeout`` seconds."""
        ...

    def attend(self, key: GameKey, name: str = "") -> AbstractContextManager[None]:
        """Listen until the block ends, so that ``changed`` (and ``superseded`` of the name) need not begin to anew."""
        ...

    async def claim(self, key: GameKey, name: str) -> int:
        """Take the next number under ``name``. It is kept while somebody waits in ``superseded`` under it."""
        ...

    async def superseded(self, key: GameKey, name: str, number: int, timeout: float) -> bool:
        """Return True when somebody has claimed a number above ``number``, False after ``timeout`` seconds."""
        ...

    async def ping(self) -> None:
        """Return when the store answers and the commit script is loaded."""
        ...

    async def close(self) -> None:
        """Give back every connection."""
        ...
