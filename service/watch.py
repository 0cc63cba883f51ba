"""WatchGame: one generator for every transport. The log is the truth, wake-ups only wake.

A stream pulls: nothing is queued for a slow consumer. What it misses stays in the log, and when it has fallen too far
behind it gets a fresh snapshot.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

from service import projection
from service.callers import Caller, check_epoch, viewing_seat
from service.errors import Reason, Refusal, malformed, version_ahead
from service.history import History
from service.resources import (
    Bookmark,
    Change,
    Ended,
    GameState,
    Part,
    Snapshot,
    WatchGameRequest,
    WatchGameResponse,
)
from service.store import GameKey, Store
from service.table import Table
from service.tables import Tables
from service.trace import note
from service.waiting import first_of

BOOKMARK_SECONDS = 15.0
# A live consumer that is so many versions behind gets a snapshot instead of each of them.
LAG = 100
MOST_STREAMS = 16
_LONGEST_CLIENT_ID = 100

Viewer = tuple[GameKey, int | None]


class Watch:
    """The use case, with what it needs. ``draining`` ends every stream."""

    def __init__(self, store: Store, tables: Tables, history: History, draining: asyncio.Event) -> None:
        self._store = store
        self._tables = tables
        self._history = history
        self._draining = draining
        self._streams: Counter[Viewer] = Counter()
        self._named: dict[tuple[Viewer, str], asyncio.Event] = {}

    @property
    def streams(self) -> int:
        """How many streams are open."""
        return self._streams.total()

    async def __call__(
        self, caller: Caller, key: GameKey, request: WatchGameRequest
    ) -> AsyncIterator[WatchGameResponse]:
        """The messages of a stream, until the game has ended. Raises every refusal of the RPC's comment."""
        if len(request.client_id) > _LONGEST_CLIENT_ID:
            raise malformed("client_id", f"is longer than {_LONGEST_CLIENT_ID} characters")
        table, seat = await self._look(caller, key, request)
        told = _first_told(request.after_version, table)
        parts = frozenset(request.parts) - {Part.EVENTS} or projection.DEFAULT_PARTS
        live = request.after_version is None
        with self._place((key, seat), request.client_id) as superseded:
            if live:
                yield _snapshot(table, seat, parts)
            while True:
                if live and table.version - told > LAG:
                    told = table.version
                    yield _snapshot(table, seat, parts)
                async for change in self._changes(table, seat, told, parts):
                    told = change.version
                    yield WatchGameResponse(change=change)
                live = True
                if table.status is not GameState.ACTIVE:
                    yield _ended(table)
                    return
                async for _ in self._quiet(key, told, superseded):
                    yield WatchGameResponse(bookmark=Bookmark(told))
                table, seat = await self._look(caller, key, request)
                if table.version < told:
                    # A store that lost its last writes is behind what was told: the watcher must start again.
                    raise version_ahead(table.version)

    async def _changes(
        self, table: Table, seat: int | None, told: int, parts: frozenset[Part]
    ) -> AsyncIterator[Change]:
        """Every change after ``told`` up to the table, the last one with the view."""
        while told < table.version:
            for version, batch in await self._history.batches(table.key, told + 1, table.version):
                told = version
                events = projection.events_of(table.game, version, batch, seat)
                view = projection.view_of(table, seat, parts) if version == table.version else None
                yield Change(version, events, view)

    async def _look(self, caller: Caller, key: GameKey, request: WatchGameRequest) -> tuple[Table, int | None]:
        """The newest table, and whose stream it is, if the caller may still see it."""
        table = await self._tables.newest(key)
        check_epoch(caller, table.meta)
        seat = viewing_seat(caller, request.seat, request.spectator, table.meta)
        note(version=table.version, seat="spectator" if seat is None else seat)
        return table, seat

    async def _quiet(self, key: GameKey, told: int, superseded: asyncio.Event) -> AsyncIterator[None]:
        """Return when there is another version; give a sign whenever ``BOOKMARK_SECONDS`` have passed without one."""
        while True:
            self._check_end(superseded)
            await first_of(self._store.changed(key, told, BOOKMARK_SECONDS), self._draining.wait(), superseded.wait())
            self._check_end(superseded)
            stamp = await self._store.stamp(key)
            if stamp is None or stamp.version != told:
                return
            yield None

    def _check_end(self, superseded: asyncio.Event) -> None:
        if superseded.is_set():
            raise Refusal(Reason.SUPERSEDED, "another stream with this client_id took over")
        if self._draining.is_set():
            raise Refusal(Reason.DRAINING, "this server is about to stop; connect again", retry_after=1)

    @contextmanager
    def _place(self, viewer: Viewer, client_id: str) -> Iterator[asyncio.Event]:
        """A place among the viewer's streams; the event is set when a newer stream takes it over."""
        superseded, name = asyncio.Event(), (viewer, client_id)
        if client_id and name in self._named:
            self._named[name].set()
        elif self._streams[viewer] >= MOST_STREAMS:
            raise Refusal(Reason.TOO_MANY_STREAMS, f"a viewer has at most {MOST_STREAMS} streams here", retry_after=5)
        self._streams[viewer] += 1
        if client_id:
            self._named[name] = superseded
        try:
            yield superseded
        finally:
            self._streams[viewer] -= 1
            if not self._streams[viewer]:
                del self._streams[viewer]
            if self._named.get(name) is superseded:
                del self._named[name]


def _first_told(after_version: int | None, table: Table) -> int:
    """The version up to which the watcher knows everything."""
    if after_version is None:
        return table.version
    if after_version < 0:
        raise malformed("after_version", "must not be negative")
    if after_version > table.version:
        raise version_ahead(table.version)
    return after_version


def _snapshot(table: Table, seat: int | None, parts: frozenset[Part]) -> WatchGameResponse:
    return WatchGameResponse(snapshot=Snapshot(projection.view_of(table, seat, parts)))


def _ended(table: Table) -> WatchGameResponse:
    result = table.game.result(table.state) if table.status is GameState.FINISHED else None
    return WatchGameResponse(ended=Ended(table.version, table.status, result))
