"""What a commit leaves for whoever follows all games of a tenant: nothing that is not public."""

from __future__ import annotations

from itertools import repeat

from service.clock import deadline_us
from service.records import Notice, decode, encode
from service.resources import Awaiting, GameState
from service.resources_live import Update
from service.table import Table
from service.times import moment


def notice_of(table: Table) -> bytes:
    """How a game stands after a commit."""
    asked = tuple([(prompt.seat, prompt.kind) for prompt in table.prompts])
    deadlines = tuple([deadline_us(table, seat) or 0 for seat, _ in asked])
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
