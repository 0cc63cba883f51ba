"""What a commit leaves for whoever follows all games of a tenant: nothing that is not public."""

from __future__ import annotations

from service.projection import awaiting_of
from service.records import Notice, decode, encode
from service.resources import Awaiting, GameState
from service.resources_live import Update
from service.table import Table


def notice_of(table: Table) -> bytes:
    """How a game stands after a commit."""
    result = table.game.result(table.state) if table.status is GameState.FINISHED else None
    awaiting = tuple((entry.seat, entry.kind) for entry in awaiting_of(table))
    return encode(Notice(table.key.game, table.version, int(table.status), awaiting, result))


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
        awaiting=tuple(Awaiting(seat, kind) for seat, kind in notice.awaiting),
        result=notice.result,
        deleted=not notice.version,
    )
