"""ListEvents: the log, page by page, as one viewer may know it."""

from __future__ import annotations

from service import projection
from service.callers import Caller, check_epoch, viewing_seat
from service.errors import malformed, version_ahead
from service.history import History
from service.names import page_token, read_page_token
from service.resources_live import ListEventsRequest, ListEventsResponse
from service.store import GameKey
from service.tables import Tables
from service.trace import note

PAGE = 100
LONGEST_PAGE = 1000


class Events:
    """The use case, with what it needs."""

    def __init__(self, tables: Tables, history: History) -> None:
        self._tables = tables
        self._history = history

    async def __call__(self, caller: Caller, key: GameKey, request: ListEventsRequest) -> ListEventsResponse:
        """A page of what happened. Raises MALFORMED_REQUEST, VERSION_AHEAD and what GetView raises."""
        table = await self._tables.newest(key)
        check_epoch(caller, table.meta)
        seat = viewing_seat(caller, request.seat, request.spectator, table.meta)
        note(version=table.version, seat="spectator" if seat is None else seat)
        if not 0 <= request.page_size <= LONGEST_PAGE:
            raise malformed("page_size", f"must be from 0 to {LONGEST_PAGE}")
        after = request.after_version or 0
        if after < 0:
            raise malformed("after_version", "must not be negative")
        filters = f"events|{key.game}|{seat}|{after}"
        below = read_page_token(request.page_token, filters)
        first = (below[0] if below is not None else after) + 1
        if first > table.version + 1:
            raise version_ahead(table.version)
        last = min(table.version, first + (request.page_size or PAGE) - 1)
        batches = await self._history.batches(key, first, last)
        events = tuple(
            event for version, batch in batches for event in projection.events_of(table.game, version, batch, seat)
        )
        told = batches[-1][0] if batches else last
        following = page_token(told, key.game, filters) if told < table.version else ""
        return ListEventsResponse(events, following)
