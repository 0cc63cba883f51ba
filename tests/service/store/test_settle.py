"""Answers that get lost: the store finds out what became of a write, and does it exactly once."""

from __future__ import annotations

import asyncio
import signal
from collections import Counter
from collections.abc import Callable

import pytest

from service.errors import Reason, Refusal
from service.redis_store import Counted, RedisStore
from service.redis_talk import READ_TRIES, SCRIPT_TRIES, Script
from service.store import Committed, Conflict, Created, Exists, GameKey, Missing, Replayed, Stored
from tests.service.store.harness import HOUR_MS, Proxy, Server, at, now_us, until_async, version_of, write

COMMIT = Script.named("commit").digest
CREATE = Script.named("create").digest
DELETE = Script.named("delete").digest
RECALL = Script.named("recall").digest


async def make(store: RedisStore, key: GameKey) -> Created | Exists:
    return await store.create(
        key, stamp=at(1), meta=b"meta", live=b"live", batch=b"first", rank=now_us(), ttl_ms=HOUR_MS
    )


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_commit_whose_connection_is_cut(
    shaky: RedisStore, proxy: Proxy, game: GameKey, counted: Counter[str], when: str
) -> None:
    proxy.trap(when, COMMIT)
    assert await shaky.commit(write(game, 1, live=b"two")) == Committed(2)
    assert await shaky.load(game) == Stored(at(2), b"meta", b"two")
    assert len(await shaky.batches(game, 1, 9, 9)) == 2
    assert (proxy.sprung, counted[Counted.SETTLED], counted[Counted.RECONNECT]) == (1, 1, 1)


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_commit_cut_again_while_it_is_settled(
    shaky: RedisStore, proxy: Proxy, game: GameKey, when: str
) -> None:
    proxy.trap(when, COMMIT, times=SCRIPT_TRIES - 1)
    assert await shaky.commit(write(game, 1)) == Committed(2)
    assert len(await shaky.batches(game, 1, 9, 9)) == 2


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_commit_that_cannot_be_settled_is_refused_and_replays_later(
    shaky: RedisStore, proxy: Proxy, game: GameKey, when: str
) -> None:
    proxy.trap(when, COMMIT, times=SCRIPT_TRIES)
    with pytest.raises(Refusal) as refusal:
        await shaky.commit(write(game, 1))
    assert refusal.value.reason is Reason.STORE_UNAVAILABLE
    assert refusal.value.retry_after
    expected = Committed(2) if when == "before" else Replayed(2)
    assert await shaky.commit(write(game, 1)) == expected
    assert len(await shaky.batches(game, 1, 9, 9)) == 2


async def test_a_cut_commit_that_somebody_overtook(
    shaky: RedisStore, store: RedisStore, proxy: Proxy, game: GameKey
) -> None:
    """The other writer made "mine + 1": that must not look like our success."""
    proxy.trap("before", COMMIT)
    assert await store.commit(write(game, 1, ("other", b"x"))) == Committed(2)
    assert await shaky.commit(write(game, 1, ("mine", b"y"))) == Conflict()


async def test_a_cut_replay_stays_a_replay(shaky: RedisStore, store: RedisStore, proxy: Proxy, game: GameKey) -> None:
    await store.commit(write(game, 1, ("req", b"d")))
    await store.commit(write(game, 2, ("next", b"d")))
    proxy.trap("after", COMMIT)
    assert await shaky.commit(write(game, 3, ("req", b"d"))) == Replayed(2)


@pytest.mark.parametrize("overtaken", [False, True])
async def test_bytes_that_arrive_after_the_settlement_do_nothing(
    shaky: RedisStore, store: RedisStore, proxy: Proxy, game: GameKey, overtaken: bool
) -> None:
    proxy.trap("late", COMMIT)
    if overtaken:
        await store.commit(write(game, 1, ("other", b"x")))
    verdict = await shaky.commit(write(game, 1, live=b"two"))
    assert verdict == (Conflict() if overtaken else Committed(2))
    before = await store.recall(game, ("d1",))
    await proxy.release()
    assert await store.recall(game, ("d1",)) == before
    assert len(await store.batches(game, 1, 9, 9)) == 2


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_cut_creation(shaky: RedisStore, proxy: Proxy, key: GameKey, when: str) -> None:
    proxy.trap(when, CREATE)
    assert await make(shaky, key) == Created()
    assert await make(shaky, key) == Exists(Stored(at(1), b"meta", b"live"))
    assert [row.game for row in await shaky.page(key.tenant, None, 9)] == [key.game]


async def test_a_cut_creation_of_an_id_that_is_taken(shaky: RedisStore, proxy: Proxy, game: GameKey) -> None:
    proxy.trap("after", CREATE)
    assert await make(shaky, game) == Exists(Stored(at(1), b"meta", b"live"))


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_cut_deletion(shaky: RedisStore, proxy: Proxy, game: GameKey, when: str) -> None:
    proxy.trap(when, DELETE)
    assert await shaky.delete(game) is True
    assert await make(shaky, game) == Exists(None)


@pytest.mark.parametrize("needle", ["HMGET", "XRANGE", RECALL])
async def test_reads_are_repeated_once(shaky: RedisStore, proxy: Proxy, game: GameKey, needle: str) -> None:
    stored = Stored(at(1), b"meta", b"live")
    proxy.trap("after", needle)
    assert await shaky.load(game) == stored
    assert await version_of(shaky, game) == 1
    assert await shaky.batches(game, 1, 1, 1) == ((1, b"first"),)
    assert await shaky.recall(game, ("x",)) == (stored, (None,))
    assert proxy.sprung == 1


async def test_reads_are_not_repeated_for_ever(shaky: RedisStore, proxy: Proxy, game: GameKey) -> None:
    proxy.trap("before", "HMGET", times=READ_TRIES)
    with pytest.raises(Refusal) as refusal:
        await shaky.load(game)
    assert refusal.value.reason is Reason.STORE_UNAVAILABLE
    assert await shaky.load(game) is not None


async def test_many_commits_under_way_when_the_connection_is_cut(shaky: RedisStore, proxy: Proxy, tenant: str) -> None:
    keys = [GameKey(tenant, f"g{n}") for n in range(64)]
    await asyncio.gather(*(make(shaky, key) for key in keys))
    done = 0

    async def play(key: GameKey) -> None:
        nonlocal done
        for version in range(1, 9):
            assert await shaky.commit(write(key, version)) == Committed(version + 1)
            done += 1

    def passed(mark: int) -> Callable[[], bool]:
        return lambda: done >= mark

    async def disturb() -> None:
        for mark in (100, 200, 300):
            await until_async(passed(mark), "the games go on")
            proxy.cut()

    await asyncio.gather(disturb(), *(play(key) for key in keys))
    for key in keys:
        assert [version for version, _ in await shaky.batches(key, 1, 99, 99)] == list(range(1, 10))


async def test_a_store_that_is_away_refuses_and_comes_back(
    shaky: RedisStore, proxy: Proxy, game: GameKey, counted: Counter[str]
) -> None:
    await proxy.down()
    for call in (shaky.load(game), shaky.commit(write(game, 1)), shaky.ping(), shaky.delete(game)):
        with pytest.raises(Refusal) as refusal:
            await call
        assert refusal.value.reason is Reason.STORE_UNAVAILABLE
        assert refusal.value.retry_after
        assert game.game not in refusal.value.message
    assert counted[Counted.ERROR] == 4
    await proxy.up()
    assert await shaky.commit(write(game, 1)) == Committed(2)


async def test_a_cut_commit_is_settled_when_the_store_comes_back_in_time(
    shaky: RedisStore, proxy: Proxy, game: GameKey
) -> None:
    proxy.trap("after", COMMIT)
    commit = asyncio.create_task(shaky.commit(write(game, 1)))
    await until_async(lambda: proxy.sprung, "the trap springs")
    await proxy.down()
    await proxy.up()
    assert await commit == Committed(2)


async def test_forgotten_scripts_are_taught_again(
    store: RedisStore, server: Server, key: GameKey, counted: Counter[str]
) -> None:
    server.admin().script_flush()
    assert await make(store, key) == Created()
    for version in range(1, 4):
        server.admin().script_flush()
        assert await store.commit(write(key, version)) == Committed(version + 1)
    server.admin().script_flush()
    assert (await store.recall(key, ("d1",)))[0] == Stored(at(4), b"meta", b"live")
    server.admin().script_flush()
    await store.ping()
    assert server.admin().script_exists(COMMIT) == [True]
    assert await store.delete(key) is True
    assert counted[Counted.SCRIPT_RELOAD] == 7


async def test_a_flush_while_many_commits_run(store: RedisStore, server: Server, tenant: str) -> None:
    keys = [GameKey(tenant, f"g{n}") for n in range(32)]
    await asyncio.gather(*(make(store, key) for key in keys))
    server.admin().script_flush()
    verdicts = await asyncio.gather(*(store.commit(write(key, 1)) for key in keys))
    assert verdicts == [Committed(2)] * 32


@pytest.mark.parametrize(
    ("setting", "value", "words"),
    [("maxmemory", "1", "out of memory"), ("min-replicas-to-write", "1", "too few replicas")],
)
async def test_a_store_that_cannot_write(
    game: GameKey, store: RedisStore, server: Server, setting: str, value: str, words: str
) -> None:
    server.admin().config_set(setting, value)
    try:
        with pytest.raises(Refusal, match=words) as refusal:
            await store.commit(write(game, 1, live=b"secret"))
        assert refusal.value.reason is Reason.STORE_UNAVAILABLE
        assert (await store.load(game)) == Stored(at(1), b"meta", b"live")
    finally:
        server.admin().config_set(setting, "0")
    assert await store.commit(write(game, 1)) == Committed(2)


async def test_a_replica_is_left_for_the_primary(key: GameKey, counted: Counter[str]) -> None:
    """After a fail-over the old primary refuses writes; the next connection may find the new one."""
    with Server() as server:
        store = await RedisStore.open(server.url, observe=lambda name, _: counted.update([name]))
        await make(store, key)
        server.admin().replicaof("127.0.0.1", "1")
        with pytest.raises(Refusal, match="read-only replica"):
            await store.commit(write(key, 1))
        server.admin().replicaof("NO", "ONE")
        assert await store.commit(write(key, 1)) == Committed(2)
        assert counted[Counted.RECONNECT] == 1
        await store.close()


async def test_an_unexpected_error_gives_nothing_away(store: RedisStore, server: Server, game: GameKey) -> None:
    server.admin().set(f"rookery:{game.tenant}:{{{game.game[0]}}}:{game.game}:game", "secret")
    with pytest.raises(Refusal, match="WRONGTYPE") as refusal:
        await store.load(game)
    assert refusal.value.reason is Reason.INTERNAL
    assert refusal.value.__suppress_context__
    assert game.game not in refusal.value.message


async def test_the_log_decides_before_anything_is_written(store: RedisStore, server: Server, game: GameKey) -> None:
    """An entry of a later version can only be damage; the commit then must not go half way."""
    server.admin().xadd(f"rookery:{game.tenant}:{{{game.game[0]}}}:{game.game}:log", {"b": "x"}, id="7-0")
    with pytest.raises(Refusal):
        await store.commit(write(game, 1, live=b"half"))
    assert await store.recall(game, ("d1",)) == (Stored(at(1), b"meta", b"live"), (None,))


async def test_acknowledged_writes_survive_a_killed_server(tenant: str) -> None:
    with Server("--appendfsync", "always") as server:
        store = await RedisStore.open(server.url)
        keys = [GameKey(tenant, f"g{n}") for n in range(8)]
        await asyncio.gather(*(make(store, key) for key in keys))
        acknowledged = dict.fromkeys(keys, 1)

        async def play(key: GameKey) -> None:
            while True:
                version = acknowledged[key]
                verdict = await store.commit(write(key, version))
                assert verdict == Committed(version + 1)
                acknowledged[key] = version + 1

        players = [asyncio.create_task(play(key)) for key in keys]
        await until_async(lambda: sum(acknowledged.values()) > 200, "the games go on")
        server.end(signal.SIGKILL)
        outcomes = await asyncio.gather(*players, return_exceptions=True)
        assert [type(outcome) for outcome in outcomes] == [Refusal] * len(keys)
        server.start()
        for key in keys:
            version = await version_of(store, key)
            # One more may be there: done, but its answer was lost.
            assert version in {acknowledged[key], acknowledged[key] + 1}
            batches = await store.batches(key, 1, 9999, 9999)
            assert [at for at, _ in batches] == list(range(1, version + 1))
            verdict = await store.commit(write(key, acknowledged[key]))
            settled = acknowledged[key] + 1
            assert verdict == (Replayed(settled) if version == settled else Committed(settled))
        await store.close()


async def test_a_killed_server_that_is_back_at_once_is_not_noticed(key: GameKey) -> None:
    with Server("--appendfsync", "always") as server:
        store = await RedisStore.open(server.url)
        await make(store, key)
        for version in range(1, 4):
            server.end(signal.SIGKILL)
            server.start()
            assert await store.commit(write(key, version)) == Committed(version + 1)
        await store.close()


async def test_a_flushed_server_has_no_games(store: RedisStore, server: Server, game: GameKey) -> None:
    server.admin().flushall()
    assert await store.commit(write(game, 1)) == Missing()
