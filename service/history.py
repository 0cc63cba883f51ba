"""The past of a game: any version's table, played again from the snapshot before it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import msgspec

from engine.core import CorruptState, Rng, StateTooNew, decode_move, decode_state
from service.errors import Reason, Refusal, malformed, version_ahead
from service.records import Batch, Live, decode
from service.resources import GameState
from service.store import GameKey, Stamp, Store
from service.table import Table
from service.tables import game_not_found

MOST_BATCHES = 1000


class History:
    """Reads the log and the snapshots of games."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def batches(self, key: GameKey, first: int, last: int) -> tuple[tuple[int, Batch], ...]:
        """The log entries of the versions ``first`` to ``last``, at most ``MOST_BATCHES``."""
        blobs = await self._store.batches(key, first, last, MOST_BATCHES)
        return tuple((version, decode(Batch, blob)) for version, blob in blobs)

    async def table_at(self, now: Table, version: int) -> Table:
        """The table of a past version, without decisions. Raises MALFORMED_REQUEST and VERSION_AHEAD."""
        if version < 1:
            raise malformed("version", "must be at least 1")
        if version > now.version:
            raise version_ahead(now.version)
        found = await self._store.snapshot(now.key, version)
        if found is None:
            raise game_not_found()
        table = _from_snapshot(now, *found)
        async for _, _, reached in self.replay(table, version):
            table = reached
        return table

    async def replay(self, table: Table, version: int) -> AsyncIterator[tuple[int, Batch, Table]]:
        """Every version after the table's up to ``version``: its number, its log entry, its table."""
        while table.version < version:
            for number, batch in await self.batches(table.key, table.version + 1, version):
                table = after(table, number, batch)
                yield number, batch, table


def after(table: Table, version: int, batch: Batch) -> Table:
    """The table that a log entry makes of the one before it."""
    game, state, ply = table.game, table.state, table.live.ply
    for blob in batch.moves:
        ply += 1
        # Legal it was when it was committed; only the effect is wanted.
        state = game.apply(state, batch.seat or 0, decode_move(game, blob), Rng(table.meta.seed, ply)).state
    status = batch.status or int(GameState.ACTIVE if game.prompts(state) else GameState.FINISHED)
    live = msgspec.structs.replace(table.live, status=status, ply=ply, update_us=batch.time_us)
    return Table(table.key, Stamp(version, b""), table.meta, live, game, state)


def _from_snapshot(now: Table, version: int, blob: bytes) -> Table:
    try:
        live = decode(Live, blob)
        state = decode_state(now.game, live.state)
    except (CorruptState, StateTooNew):
        raise Refusal(Reason.INTERNAL, "a stored snapshot cannot be read") from None
    live = msgspec.structs.replace(live, decisions=("",) * len(live.decisions), state=b"")
    return Table(now.key, Stamp(version, b""), now.meta, live, now.game, state)
