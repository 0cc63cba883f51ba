"""The past of a game: any version's table, played again from the snapshot before it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import msgspec

from engine.core import CorruptState, Rng, StateTooNew, decode_move, decode_state, play
from service.errors import Reason, Refusal, malformed, version_ahead
from service.fairness import Chance, chance_seed
from service.records import Batch, Live, decode, stored_by_newer
from service.resources import GameState
from service.store import GameKey, Stamp, Store
from service.table import Table
from service.tables import game_not_found

MOST_BATCHES = 1000
_AT_ONCE = 32


class History:
    """Reads the log and the snapshots of games."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def batches(self, key: GameKey, first: int, last: int) -> tuple[tuple[int, Batch], ...]:
        """The log entries of the versions ``first`` to ``last``, at most ``MOST_BATCHES``."""
        blobs = await self._store.batches(key, first, last, MOST_BATCHES)
        return tuple((version, decode(Batch, blob)) for version, blob in blobs)

    async def after(self, table: Table, told: int, limit: int) -> tuple[tuple[int, Batch], ...]:
        """The log entries that lead from ``told`` to the table, the first ``limit`` of them; never none.

        The newest one alone is kept with the table: everybody who watches asks for it, at the same time. Raises
        GAME_NOT_FOUND when the game is gone meanwhile.
        """
        if told == table.version - 1 and table.batch is not None:
            return ((table.version, table.batch),)
        blobs = await self._store.batches(table.key, told + 1, table.version, limit)
        found = tuple((version, decode(Batch, blob)) for version, blob in blobs)
        if not found or found[0][0] != told + 1:
            raise game_not_found()
        if found[-1][0] == table.version:
            table.batch = found[-1][1]
        return found

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

    async def replay(self, table: Table, version: int, chance: Chance = Rng) -> AsyncIterator[tuple[int, Batch, Table]]:
        """Every version after the table's up to ``version``: its number, its log entry, its table."""
        while table.version < version:
            batches = await self.batches(table.key, table.version + 1, min(version, table.version + _AT_ONCE))
            if not batches:
                raise game_not_found()
            for number, batch in batches:
                table = await self._next(table, number, batch, chance)
                yield number, batch, table
            # A long game is played again in pieces: nobody else shall wait for all of it.
            await asyncio.sleep(0)

    async def _next(self, table: Table, version: int, batch: Batch, chance: Chance) -> Table:
        """The table of the next version. One that goes back has a snapshot, so that nobody has to look back for it."""
        if not batch.undone:
            return after(table, version, batch, chance)
        found = await self._store.snapshot(table.key, version)
        if found is None:
            raise game_not_found()
        return _from_snapshot(table, version, found[1])


def after(table: Table, version: int, batch: Batch, chance: Chance = Rng) -> Table:
    """The table that a log entry makes of the one before it, unless it goes back."""
    game, state, ply = table.game, table.state, table.live.ply
    for blob in batch.moves:
        ply += 1
        rng = chance(chance_seed(table.meta.seed, table.meta.entropy), ply)
        state = play(game, state, batch.seat or 0, decode_move(game, blob), rng).state
    status = batch.status or table.live.status
    if batch.moves:
        status = int(GameState.ACTIVE if game.prompts(state) else GameState.FINISHED)
    live = msgspec.structs.replace(table.live, status=status, ply=ply, update_us=batch.time_us)
    return Table(table.key, Stamp(version, b""), table.meta, live, game, state, past=True)


def _from_snapshot(now: Table, version: int, blob: bytes) -> Table:
    live = decode(Live, blob)
    try:
        state = decode_state(now.game, live.state)
    except StateTooNew:
        raise stored_by_newer() from None
    except CorruptState:
        raise Refusal(Reason.INTERNAL, "a stored snapshot cannot be read") from None
    live = msgspec.structs.replace(live, decisions=("",) * len(live.decisions), state=b"")
    return Table(now.key, Stamp(version, b""), now.meta, live, now.game, state, past=True)
