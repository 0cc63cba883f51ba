"""Changes of a game that are no moves: planned from what is, committed, planned anew if somebody was faster."""

from __future__ import annotations

from collections.abc import Callable

from service.errors import Reason, Refusal, malformed
from service.plan import Plan
from service.store import Clash, Committed, GameKey, Missing, Replayed, Store
from service.table import Table
from service.tables import Tables, game_not_found

RACES = 5
"""How often a lost race is run again."""


def contention() -> Refusal:
    """Every race was lost: others were faster each time."""
    return Refusal(Reason.STORE_CONTENTION, "too many others were faster; nothing happened", retry_after=0.1)


async def change(store: Store, tables: Tables, key: GameKey, plan: Callable[[Table], Plan | None]) -> tuple[Table, int]:
    """Commit what ``plan`` makes of the newest table; the newest table then, and the version that did it.

    ``plan`` gives None when there is nothing to do. Raises GAME_NOT_FOUND, REQUEST_ID_REUSED, STORE_CONTENTION, and
    whatever it raises.
    """
    async with tables.alone(key):
        for _ in range(1 + RACES):
            made = plan(await tables.newest(key))
            if made is None:
                table = await tables.newest(key)
                return table, table.version
            match await store.commit(made.write):
                case Committed():
                    tables.keep(made.table)
                    return made.table, made.table.version
                case Replayed(version):
                    return await tables.newest(key), version
                case Clash():
                    raise malformed("request_id", "stands for another request", Reason.REQUEST_ID_REUSED)
                case Missing():
                    tables.forget(key)
                    raise game_not_found()
                case _:
                    tables.forget(key)
    raise contention()
