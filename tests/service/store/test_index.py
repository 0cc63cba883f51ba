"""The list of a tenant's games: complete, newest first, and free of rubbish."""

from __future__ import annotations

import asyncio

import pytest

from service.redis_store import DANGLING_US, RedisStore
from service.redis_talk import Script
from service.store import Created, GameKey, Listed, Stored
from tests.service.store.harness import HOUR_MS, Proxy, Server, at, now_us, until_async

CREATE = Script.named("create").digest


async def make(store: RedisStore, tenant: str, game: str, rank: int, ttl_ms: int = HOUR_MS) -> None:
    made = await store.create(
        GameKey(tenant, game), stamp=at(1), meta=b"m", live=game.encode(), batch=b"", rank=rank, ttl_ms=ttl_ms
    )
    assert made == Created()


async def whole_list(store: RedisStore, tenant: str, step: int) -> list[str]:
    names: list[str] = []
    below: tuple[int, str] | None = None
    while page := await store.page(tenant, below, step):
        assert len(page) <= step
        names += [row.game for row in page]
        below = (page[-1].rank, page[-1].game)
    return names


def rows(server: Server, tenant: str) -> set[str]:
    return {name.decode() for name in server.admin().zrange(f"rookery:{tenant}:games", 0, -1)}


async def test_newest_first(store: RedisStore, tenant: str) -> None:
    now = now_us()
    await make(store, tenant, "old", now - 5)
    await make(store, tenant, "new", now)
    assert await store.page(tenant, None, 10) == (
        Listed("new", now, Stored(at(1), b"m", b"new")),
        Listed("old", now - 5, Stored(at(1), b"m", b"old")),
    )
    assert await store.page(tenant, None, 0) == ()
    assert await store.page(tenant + "x", None, 10) == ()


@pytest.mark.parametrize("step", [1, 2, 3, 7, 100])
async def test_pages_join_without_gap_or_repetition(store: RedisStore, tenant: str, step: int) -> None:
    now = now_us()
    expected = [(now + n // 3, f"g{n:02}") for n in range(25)]  # three games of each rank
    for rank, game in expected:
        await make(store, tenant, game, rank)
    assert await whole_list(store, tenant, step) == [game for _, game in sorted(expected, reverse=True)]


async def test_a_cursor_outlives_its_row(store: RedisStore, tenant: str) -> None:
    now = now_us()
    for n in range(6):
        await make(store, tenant, f"g{n}", now)
    first = await store.page(tenant, None, 3)
    await store.delete(GameKey(tenant, first[-1].game))
    rest = await store.page(tenant, (first[-1].rank, first[-1].game), 9)
    assert [row.game for row in (*first, *rest)] == ["g5", "g4", "g3", "g2", "g1", "g0"]


async def test_a_second_creation_moves_no_row(store: RedisStore, tenant: str) -> None:
    now = now_us()
    await make(store, tenant, "g", now)
    await store.create(GameKey(tenant, "g"), stamp=at(1), meta=b"", live=b"", batch=b"", rank=now + 99, ttl_ms=HOUR_MS)
    assert [row.rank for row in await store.page(tenant, None, 9)] == [now]


async def test_rows_without_game_are_skipped_and_the_old_ones_removed(
    store: RedisStore, server: Server, tenant: str
) -> None:
    now = now_us()
    index = f"rookery:{tenant}:games"
    old, young = now - DANGLING_US - 1_000_000, now - 1_000_000
    server.admin().zadd(index, {f"old{n}": old + n for n in range(200)} | {"young": young})
    await make(store, tenant, "first", old - 5)
    await make(store, tenant, "mid", old + 100)
    await make(store, tenant, "last", now)
    assert await whole_list(store, tenant, 2) == ["last", "mid", "first"]
    assert rows(server, tenant) == {"last", "mid", "first", "young"}


async def test_a_game_whose_creator_died_half_way_is_no_game(store: RedisStore, server: Server, tenant: str) -> None:
    server.admin().zadd(f"rookery:{tenant}:games", {"half": now_us()})
    assert await store.page(tenant, None, 9) == ()
    await make(store, tenant, "half", now_us())
    assert [row.game for row in await store.page(tenant, None, 9)] == ["half"]


async def test_a_leftover_row_takes_the_new_rank(store: RedisStore, server: Server, tenant: str) -> None:
    server.admin().zadd(f"rookery:{tenant}:games", {"again": 5})
    now = now_us()
    await make(store, tenant, "again", now)
    assert [row.rank for row in await store.page(tenant, None, 9)] == [now]


async def test_a_game_being_made_is_never_swept_away(
    shaky: RedisStore, store: RedisStore, proxy: Proxy, tenant: str
) -> None:
    """The row is written, the list is read (and cleaned), and only then the game is made."""
    proxy.trap("before", CREATE)
    creation = asyncio.create_task(make(shaky, tenant, "slow", now_us()))
    while not creation.done():
        await store.page(tenant, None, 9)
    await creation
    assert [row.game for row in await store.page(tenant, None, 9)] == ["slow"]


async def test_a_row_removed_while_its_game_is_made_comes_back(
    store: RedisStore, server: Server, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wrong clock makes a new row look old, and the game is made between a reader's look and its removal."""
    reader = await RedisStore.open(server.url)
    look = reader.load

    async def look_and_dawdle(key: GameKey) -> Stored | None:
        found = await look(key)
        await make(store, tenant, "g", 5)
        return found

    monkeypatch.setattr(reader, "load", look_and_dawdle)
    server.admin().zadd(f"rookery:{tenant}:games", {"g": 5})
    assert await reader.page(tenant, None, 9) == ()
    assert [row.game for row in await store.page(tenant, None, 9)] == ["g"]
    await reader.close()


async def test_a_row_swept_away_before_its_game_is_made_comes_back(store: RedisStore, tenant: str) -> None:
    for n in range(20):  # the sweep of a creation may meet the creation's own row
        await make(store, tenant, f"g{n:02}", n)
    assert len(await whole_list(store, tenant, 7)) == 20


async def test_an_index_that_nobody_lists_stays_small(store: RedisStore, server: Server, tenant: str) -> None:
    old = now_us() - DANGLING_US - 1_000_000
    index = f"rookery:{tenant}:games"
    for n in range(400):
        server.admin().zadd(index, {f"expired{n}": old})
        await make(store, tenant, f"g{n}", now_us())
    live = {f"g{n}" for n in range(400)}
    left = rows(server, tenant)
    assert live <= left
    assert len(left - live) < 300


async def test_64_creators_are_all_listed(store: RedisStore, tenant: str) -> None:
    await asyncio.gather(*(make(store, tenant, f"g{n:02}", now_us()) for n in range(64)))
    assert sorted(await whole_list(store, tenant, 10)) == [f"g{n:02}" for n in range(64)]


async def test_expired_games_leave_the_list(store: RedisStore, server: Server, tenant: str) -> None:
    old = now_us() - DANGLING_US - 1_000_000
    await make(store, tenant, "brief", old, ttl_ms=1)
    await make(store, tenant, "lasting", old)
    name = f"rookery:{tenant}:{{b}}:brief:game"
    await until_async(lambda: not server.admin().exists(name), "the game expires")
    assert [row.game for row in await store.page(tenant, None, 9)] == ["lasting"]
    assert rows(server, tenant) == {"lasting"}
