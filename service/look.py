"""GetView: authorise the viewer, wait if asked to, project."""

from __future__ import annotations

import time

from service import projection
from service.callers import Caller, Platform, check_epoch, existing_seat, viewing_seat
from service.errors import malformed, version_ahead
from service.fairness import revealed
from service.history import MOST_BATCHES, History
from service.names import read_span
from service.resources import Event, GetViewRequest, Part, View
from service.store import GameKey, Store
from service.table import Table
from service.tables import Tables
from service.trace import note
from service.waiting import Drain

LONGEST_WAIT = 30.0


class Look:
    """The use case, with what it needs. ``draining`` ends every wait early."""

    def __init__(self, store: Store, tables: Tables, history: History, draining: Drain) -> None:
        self._store = store
        self._tables = tables
        self._history = history
        self._draining = draining

    async def __call__(self, caller: Caller, key: GameKey, request: GetViewRequest) -> View:
        """What the viewer may know. Raises every refusal of the RPC's comment."""
        wait = read_span("wait", request.wait, 0, LONGEST_WAIT, 0)
        if request.version is not None and request.newer_than is not None:
            raise malformed("version", "must not stand beside newer_than")
        table, seat = await self._wait(caller, key, request, wait)
        if request.version is not None:
            table = await self._history.table_at(table, request.version)
        note(version=table.version, seat="spectator" if seat is None else seat)
        parts = frozenset(request.parts) or projection.DEFAULT_PARTS
        events = await self._events(table, seat, request.newer_than) if Part.EVENTS in parts else ()
        return projection.view_of(table, seat, parts, events)

    async def _wait(
        self, caller: Caller, key: GameKey, request: GetViewRequest, wait: float
    ) -> tuple[Table, int | None]:
        """The newest table, or the first one above ``newer_than``, and the viewer."""
        deadline = time.monotonic() + wait
        newer_than = request.newer_than
        while True:
            table = await self._tables.newest(key)
            check_epoch(caller, table.meta)
            seat = _viewer(caller, request, table)
            left = deadline - time.monotonic()
            if newer_than is None or table.version > newer_than:
                return table, seat
            if newer_than > table.version:
                raise version_ahead(table.version)
            if left <= 0 or self._draining.is_set():
                return table, seat
            await self._draining.cuts(self._store.changed(key, newer_than, left))

    async def _events(self, table: Table, seat: int | None, newer_than: int | None) -> tuple[Event, ...]:
        """What happened after ``newer_than``, the last ``MOST_BATCHES`` versions of it; without it, in this version."""
        last = table.version
        first = last if newer_than is None else max(newer_than + 1, last - MOST_BATCHES + 1)
        return tuple(
            event
            for version, batch in await self._history.batches(table.key, first, last)
            for event in projection.events_of(table.game, version, batch, seat)
        )


def _viewer(caller: Caller, request: GetViewRequest, table: Table) -> int | None:
    """Whose view it is. Of a finished game that reveals everything, anybody may look at the past of any seat."""
    if (
        request.version is not None
        and request.seat is not None
        and not isinstance(caller, Platform)
        and revealed(table)
    ):
        return existing_seat(request.seat, table.meta)
    return viewing_seat(caller, request.seat, request.spectator, table.meta)
