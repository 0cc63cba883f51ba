"""Changes of a game that are no moves: planned from what is, committed, planned anew if somebody was faster."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import msgspec

from service.errors import Reason, Refusal, request_id_reused
from service.names import base32, read_request_id
from service.plan import Entropy, Plan
from service.resources_live import IssueTokensRequest, SetSeatControllerRequest
from service.store import Clash, Committed, GameKey, Memo, Missing, Replayed, Store, Verdict
from service.table import Table
from service.tables import Tables, game_not_found

RACES = 5
"""How often a lost race is run again."""


def contention() -> Refusal:
    """Every race was lost: others were faster each time."""
    return Refusal(Reason.STORE_CONTENTION, "too many others were faster; nothing happened", retry_after=0.1)


def memo_of(kind: str, request: IssueTokensRequest | SetSeatControllerRequest, entropy: Entropy) -> Memo:
    """What remembers the request: under its id, or under a name that nobody asks for. Raises MALFORMED_REQUEST."""
    request_id = read_request_id(request.request_id)
    same = msgspec.structs.replace(request, request_id=request_id)
    digest = hashlib.blake2b(msgspec.json.encode(same), digest_size=12).digest()
    return Memo(f"{kind}:{request_id or base32(entropy(10), 16)}", digest)


async def change(
    store: Store, tables: Tables, key: GameKey, plan: Callable[[Table], Plan | None], asked: Memo | None = None
) -> tuple[Table, int]:
    """Commit what ``plan`` makes of the newest table; the newest table then, and the version that did it.

    ``plan`` gives None when there is nothing to do; if the request has a name of its own (``asked``), that is
    remembered, so that it does nothing later either. Raises GAME_NOT_FOUND, REQUEST_ID_REUSED, STORE_CONTENTION, and
    whatever it raises.
    """
    async with tables.alone(key):
        for _ in range(1 + RACES):
            table = await tables.newest(key)
            made = plan(table)
            if made is None and asked is None:
                return table, table.version
            match await _written(store, table, made, asked):
                case Committed(version) if made is not None:
                    tables.keep(made.table)
                    return made.table, version
                case Replayed(version):
                    return await tables.newest(key), version
                case Clash():
                    raise request_id_reused()
                case Missing():
                    tables.forget(key)
                    raise game_not_found()
                case _:
                    tables.forget(key)
    raise contention()


async def _written(store: Store, table: Table, made: Plan | None, asked: Memo | None) -> Verdict:
    if made is not None:
        return await store.commit(made.write)
    assert asked is not None  # noqa: S101 - else there is nothing to write
    return await store.remember(table.key, table.stamp, asked, table.version)
