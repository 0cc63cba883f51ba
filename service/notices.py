"""What a commit leaves for whoever follows all games of a tenant: nothing that is not public."""

from __future__ import annotations

from itertools import repeat

from service.projection import awaiting_of
from service.records import Notice, decode, encode
from service.resources import Awaiting, GameState
from service.resources_live import Update
from service.table import Table
from service.times import micros, moment


def notice_of(table: Table) -> bytes:
    """How a game stands after a commit."""
    awaiting = awaiting_of(table)
    asked = tuple((entry.seat, entry.kind) for entry in awaiting)
    deadlines = tuple(micros(entry.deadline) for entry in awaiting)
    deadlines = deadlines if any(deadlines) else ()
    return encode(Notice(table.key.game, table.version, int(table.status), asked, table.result, deadlines))


def notice_of_deletion(game: str) -> bytes:
    """The last that is heard of a game."""
    return encode(Notice(game))


def update_of(blob: bytes) -> Update:
    """The notice as a platform sees it."""
    notice = decode(Notice, blob)
    return Update(
        game=f"games/{notice.game}",
        version=notice.version,
        state=GameState(notice.status),
        awaiting=tuple(
            Awaiting(seat, kind, moment(at_us) if at_us else None)
            for (seat, kind), at_us in zip(notice.awaiting, notice.deadlines or repeat(0))  # noqa: B905 - endless
        ),
        result=notice.result,
        deleted=not notice.version,
    )
