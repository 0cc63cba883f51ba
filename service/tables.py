"""The games that this process has in memory: read when needed, validated against the store, locked one by one."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from weakref import WeakValueDictionary

from engine.core import Registry
from service.errors import Reason, Refusal
from service.records import Batch, decode
from service.store import Answer, GameKey, Store
from service.table import Table, open_table


def game_not_found() -> Refusal:
    """There is no such game, or it is another platform's."""
    return Refusal(Reason.GAME_NOT_FOUND, "there is no such game")


class Tables:
    """Decoded games by key, the ``limit`` most recently used ones.

    What is in memory is a guess that the store confirms: readers compare stamps, and commits fail on a wrong one.
    """

    def __init__(self, games: Registry, store: Store, limit: int = 4096) -> None:
        self._games = games
        self._store = store
        self._limit = limit
        self._tables: OrderedDict[GameKey, Table] = OrderedDict()
        self._locks: WeakValueDictionary[GameKey, asyncio.Lock] = WeakValueDictionary()

    def guess(self, key: GameKey) -> Table | None:
        """The table in memory, which another process may have moved on."""
        return self._tables.get(key)

    def keep(self, table: Table) -> None:
        """Put a table into memory."""
        self._tables[table.key] = table
        self._tables.move_to_end(table.key)
        if len(self._tables) > self._limit:
            self._tables.popitem(last=False)

    def forget(self, key: GameKey) -> None:
        """Drop a table from memory."""
        self._tables.pop(key, None)

    async def newest(self, key: GameKey) -> Table:
        """The newest version. Raises GAME_NOT_FOUND."""
        known = self._tables.get(key)
        if known is not None:
            if await self._store.stamp(key) == known.stamp:
                return known
            self.forget(key)
        stored = await self._store.load(key)
        if stored is None:
            raise game_not_found()
        table = open_table(self._games, key, stored)
        self.keep(table)
        return table

    async def batch(self, key: GameKey, version: int) -> Batch:
        """The log entry of a version that there was. Raises GAME_NOT_FOUND: the game may be deleted by now."""
        entries = await self._store.batches(key, version, version, 1)
        if not entries:
            raise game_not_found()
        return decode(Batch, entries[0][1])

    async def recall(self, key: GameKey, names: tuple[str, ...]) -> tuple[Table, tuple[Answer | None, ...]]:
        """The newest version, and what is remembered under the names, at one instant. Raises GAME_NOT_FOUND."""
        stored, answers = await self._store.recall(key, names)
        if stored is None:
            self.forget(key)
            raise game_not_found()
        table = open_table(self._games, key, stored)
        self.keep(table)
        return table, answers

    def alone(self, key: GameKey) -> asyncio.Lock:
        """Keep this process's own writers of one game from racing each other; other processes' remain.

        Whoever holds the lock or waits for it keeps it alive.
        """
        return self._locks.setdefault(key, asyncio.Lock())
