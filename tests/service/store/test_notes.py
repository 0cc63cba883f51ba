"""Small values under names: of many who keep one, one wins; it goes by itself."""

from __future__ import annotations

import asyncio

from service.redis_store import RedisStore
from service.store import GameKey
from tests.service.store.harness import HOUR_MS, Server, until_async


async def test_the_first_value_is_kept(store: RedisStore, key: GameKey) -> None:
    tenant = key.tenant
    assert await store.notes.kept(tenant, key.game) is None
    assert await store.notes.keep(tenant, key.game, b"one", HOUR_MS) == b"one"
    assert await store.notes.keep(tenant, key.game, b"two", HOUR_MS) == b"one"
    assert await store.notes.keep(tenant, key.game, b"one", HOUR_MS) == b"one"
    assert await store.notes.kept(tenant, key.game) == b"one"
    await store.notes.drop(tenant, key.game)
    await store.notes.drop(tenant, key.game)
    assert await store.notes.kept(tenant, key.game) is None
    assert await store.notes.keep(tenant, key.game, b"two", HOUR_MS) == b"two"


async def test_of_many_at_once_one_wins(store: RedisStore, key: GameKey) -> None:
    kept = await asyncio.gather(*(store.notes.keep(key.tenant, key.game, b"%d" % i, HOUR_MS) for i in range(64)))
    assert len(set(kept)) == 1
    assert await store.notes.kept(key.tenant, key.game) == kept[0]


async def test_tenants_and_names_are_apart(store: RedisStore, key: GameKey) -> None:
    await store.notes.keep(key.tenant, key.game, b"mine", HOUR_MS)
    assert await store.notes.kept(f"{key.tenant}-x", key.game) is None
    assert await store.notes.kept(key.tenant, f"{key.game} ") is None


async def test_a_value_goes_by_itself(server: Server, store: RedisStore, key: GameKey) -> None:
    await store.notes.keep(key.tenant, key.game, b"short", 30)
    await until_async(lambda: server.admin().dbsize() == 0, "the value is gone")
    assert await store.notes.kept(key.tenant, key.game) is None
