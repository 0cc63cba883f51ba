"""GetView: authorise the viewer, wait if asked to, project."""

from __future__ import annotations

import asyncio
import contextlib
import time

from service import projection
from service.callers import Caller, check_epoch, viewing_seat
from service.errors import Reason, Refusal
from service.names import read_span
from service.records import Batch, decode
from service.resources import Event, GetViewRequest, Part, View
from service.store import GameKey, Store
from service.table import Table
from service.tables import Tables
from service.trace import note

LONGEST_WAIT = 30.0
MOST_BATCHES = 1000


class Look:
    """The use case, with what it needs. ``draining`` ends every wait early."""

    def __init__(self, store: Store, tables: Tables, draining: asyncio.Event) -> None:
        self._store = store
        self._tables = tables
        self._draining = draining

    async def __call__(self, caller: Caller, key: GameKey, request: GetViewRequest) -> View:
        """What the viewer may know. Raises every refusal of the RPC's comment."""
        wait = read_span("wait", request.wait, 0, LONGEST_WAIT, 0)
        deadline = time.monotonic() + wait
        while True:
            table = await self._tables.newest(key)
            check_epoch(caller, table.meta)
            seat = viewing_seat(caller, request.seat, request.spectator, table.meta)
            left = deadline - time.monotonic()
            newer_than = request.newer_than
            if newer_than is None or table.version > newer_than or left <= 0 or self._draining.is_set():
                break
            _check_ahead(newer_than, table)
            await self._changed(key, newer_than, left)
        if request.newer_than is not None:
            _check_ahead(request.newer_than, table)
        note(version=table.version, seat="spectator" if seat is None else seat)
        parts = frozenset(request.parts) or projection.DEFAULT_PARTS
        events = await self._events(table, seat, request.newer_than) if Part.EVENTS in parts else ()
        return projection.view_of(table, seat, parts, events)

    async def _changed(self, key: GameKey, newer_than: int, left: float) -> None:
        """Wait for a newer version, for the time, or for the server to drain."""
        tasks = (
            asyncio.ensure_future(self._store.changed(key, newer_than, left)),
            asyncio.ensure_future(self._draining.wait()),
        )
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            for task in tasks:
                with contextlib.suppress(asyncio.CancelledError, Refusal):
                    await task

    async def _events(self, table: Table, seat: int | None, newer_than: int | None) -> tuple[Event, ...]:
        """What happened after ``newer_than``, the last ``MOST_BATCHES`` versions of it; without it, in this version."""
        last = table.version
        first = last if newer_than is None else max(newer_than + 1, last - MOST_BATCHES + 1)
        blobs = await self._store.batches(table.key, first, last, MOST_BATCHES)
        return tuple(
            event
            for version, blob in blobs
            for event in projection.events_of(table.game, version, decode(Batch, blob), seat)
        )


def _check_ahead(newer_than: int, table: Table) -> None:
    if newer_than > table.version:
        raise Refusal(
            Reason.VERSION_AHEAD,
            f"the game is at version {table.version}",
            metadata={"current_version": str(table.version)},
        )
