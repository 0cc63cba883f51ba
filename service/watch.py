"""WatchGame: one generator for every transport. The log is the truth, wake-ups only wake.

A stream pulls: nothing is queued for a slow consumer. What it misses stays in the log, and when it has fallen too far
behind it gets a fresh snapshot.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator

from service import projection
from service.callers import Caller, SeatHolder, check_epoch, viewing_seat
from service.errors import malformed, version_ahead
from service.history import History
from service.places import Place, Places
from service.recent import Recent
from service.records import Batch
from service.resources import GameState, Part
from service.resources_live import (
    Bookmark,
    Change,
    Ended,
    Snapshot,
    WatchGameRequest,
    WatchGameResponse,
)
from service.store import GameKey, Stamp, Store
from service.table import Table
from service.tables import Tables
from service.together import Together
from service.trace import note
from service.waiting import Drain, first_of

BOOKMARK_SECONDS = 15.0
# A live consumer that is so many versions behind gets a snapshot instead of each of them.
LAG = 100
# So many versions are read ahead of a consumer, and not more.
_READ_AHEAD = 100


class Watch:
    """The use case, with what it needs. ``drain`` ends every stream."""

    def __init__(self, store: Store, tables: Tables, history: History, drain: Drain) -> None:
        self._store = store
        self._tables = tables
        self._history = history
        self._drain = drain
        self.places = Places(store)
        self._looks: Together[GameKey, Table] = Together()
        self._newest: Recent[tuple[GameKey, Stamp, int | None, frozenset[Part]], WatchGameResponse] = Recent()

    async def __call__(
        self, caller: Caller, key: GameKey, request: WatchGameRequest
    ) -> AsyncGenerator[WatchGameResponse, None]:
        """The messages of a stream, until the game has ended. Raises every refusal of the RPC's comment."""
        table, seat = await self._look(caller, key, request)
        told = _first_told(request.after_version, table)
        parts = frozenset(request.parts) - {Part.EVENTS} or projection.DEFAULT_PARTS
        shared = not isinstance(caller, SeatHolder)
        async with self.places.take((key, seat), request.client_id, shared=shared) as place:
            live = told == table.version
            if request.after_version is None:
                yield _snapshot(table, seat, parts)
            elif live and table.status is GameState.ACTIVE:
                # Whoever resumes with nothing to catch up on hears so at once.
                yield _bookmark(told)
            while True:
                for message in await self._changes(table, seat, told, parts):
                    told += 1
                    yield message
                if told == table.version:
                    live = True
                    if table.status is not GameState.ACTIVE:
                        yield _ended(table)
                        return
                    await self._wait(key, told, place)
                table, seat = await self._look(caller, key, request)
                if table.version < told:
                    # A store that lost its last writes is behind what was told: the watcher must start again.
                    raise version_ahead(table.version)
                if table.version == told:
                    yield _bookmark(told)
                elif live and table.version - told > LAG:
                    told = table.version
                    yield _snapshot(table, seat, parts)

    async def _changes(
        self, table: Table, seat: int | None, told: int, parts: frozenset[Part]
    ) -> tuple[WatchGameResponse, ...]:
        """What comes after ``told`` up to the table, at most ``_READ_AHEAD`` versions; the last one with the view."""
        if told == table.version:
            return ()
        *before, (last, batch) = await self._history.after(table, told, _READ_AHEAD)
        changes = [_change(table, version, earlier, seat, None) for version, earlier in before]
        if last < table.version:
            return (*changes, _change(table, last, batch, seat, None))
        # Most of those who watch wait for the newest one, and it is the same for every spectator.
        key = (table.key, table.stamp, seat, parts)
        return (*changes, self._newest.get(key, lambda: _change(table, last, batch, seat, parts)))

    async def _look(self, caller: Caller, key: GameKey, request: WatchGameRequest) -> tuple[Table, int | None]:
        """The newest table, and whose stream it is, if the caller may still see it."""
        table = await self._looks.get(key, lambda: self._tables.newest(key))
        check_epoch(caller, table.meta)
        seat = viewing_seat(caller, request.seat, request.spectator, table.meta)
        note(version=table.version, seat="spectator" if seat is None else seat)
        return table, seat

    async def _wait(self, key: GameKey, told: int, place: Place) -> None:
        """Return when there may be another version, at the latest after ``BOOKMARK_SECONDS``.

        Raises SUPERSEDED and DRAINING.
        """
        wait = self._store.changed(key, told, BOOKMARK_SECONDS)
        await self._drain.ends(first_of(wait, place.lost()) if place.named else wait)


def _first_told(after_version: int | None, table: Table) -> int:
    """The version up to which the watcher knows everything, or will with its first message."""
    if after_version is None:
        return table.version
    if after_version < 0:
        raise malformed("after_version", "must not be negative")
    if after_version > table.version:
        raise version_ahead(table.version)
    return after_version


def _change(
    table: Table, version: int, batch: Batch, seat: int | None, parts: frozenset[Part] | None
) -> WatchGameResponse:
    """One commit, with the view if there are parts to show."""
    events = projection.events_of(table.game, version, batch, seat)
    view = None if parts is None else projection.view_of(table, seat, parts)
    return WatchGameResponse(change=Change(version, events, view))


def _snapshot(table: Table, seat: int | None, parts: frozenset[Part]) -> WatchGameResponse:
    return WatchGameResponse(snapshot=Snapshot(projection.view_of(table, seat, parts)))


def _bookmark(version: int) -> WatchGameResponse:
    return WatchGameResponse(bookmark=Bookmark(version))


def _ended(table: Table) -> WatchGameResponse:
    return WatchGameResponse(ended=Ended(table.version, table.status, table.result))
