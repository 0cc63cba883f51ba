"""Waiting for a change: every commit wakes whoever may have missed it, and nothing is left behind."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from service import redis_wake
from service.errors import Reason, Refusal
from service.redis_store import RedisStore
from service.store import Committed, GameKey
from tests.service.store.harness import HOUR_MS, Proxy, Server, at, now_us, until_async, version_of, write

LONG = 60.0
"""Seconds; a test that waits so long has failed by its own timeout."""


@pytest.fixture(autouse=True)
def never_poll(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only wake-ups may help: a poll would hide a lost one."""
    monkeypatch.setattr(redis_wake, "POLL", LONG)


def channels(server: Server) -> list[bytes]:
    found: list[bytes] = server.admin().pubsub_channels("rookery:*")
    return found


async def waiting(store: RedisStore, server: Server, key: GameKey, newer_than: int) -> asyncio.Task[None]:
    task = asyncio.create_task(store.changed(key, newer_than, LONG))
    await until_async(lambda: channels(server), "the channel is subscribed")
    return task


async def test_a_commit_wakes(store: RedisStore, server: Server, game: GameKey) -> None:
    task = await waiting(store, server, game, 1)
    assert not task.done()
    await store.commit(write(game, 1))
    await task


async def test_a_commit_of_another_process_wakes(store: RedisStore, server: Server, game: GameKey) -> None:
    other = await RedisStore.open(server.url)
    task = await waiting(store, server, game, 1)
    await other.commit(write(game, 1))
    await task
    await other.close()


async def test_what_has_changed_already_is_not_waited_for(store: RedisStore, game: GameKey) -> None:
    await store.commit(write(game, 1))
    await store.changed(game, 1, LONG)
    await store.changed(game, 0, LONG)


async def test_a_game_that_is_not_there_is_not_waited_for(store: RedisStore, key: GameKey) -> None:
    await store.changed(key, 0, LONG)


async def test_a_deletion_wakes(store: RedisStore, server: Server, game: GameKey) -> None:
    task = await waiting(store, server, game, 1)
    await store.delete(game)
    await task


async def test_an_older_commit_does_not_wake(store: RedisStore, server: Server, game: GameKey) -> None:
    task = await waiting(store, server, game, 3)
    for version in (1, 2):
        await store.commit(write(game, version))
    await store.ping()
    assert not task.done()
    await store.commit(write(game, 3))
    await task


async def test_another_game_does_not_wake(store: RedisStore, server: Server, game: GameKey) -> None:
    other = game._replace(game="b" * 26)
    await store.create(other, stamp=at(1), meta=b"", live=b"", batch=b"", rank=now_us(), ttl_ms=HOUR_MS)
    task = await waiting(store, server, game, 1)
    await store.commit(write(other, 1))
    await store.ping()
    assert not task.done()
    task.cancel()


async def test_the_time_is_up(store: RedisStore, game: GameKey) -> None:
    for timeout in (0.0, 0.05):
        await store.changed(game, 1, timeout)
    assert await version_of(store, game) == 1


async def test_no_wake_up_is_lost_in_a_race(store: RedisStore, server: Server, game: GameKey) -> None:
    """Each version is waited for from just before, during and just after its commit."""
    other = await RedisStore.open(server.url)
    for version in range(1, 200):
        waits = [asyncio.create_task(store.changed(game, version, LONG)) for _ in range(version % 3)]
        for _ in range(version % 7):
            await asyncio.sleep(0)
        commit = asyncio.create_task(other.commit(write(game, version)))
        for _ in range(version % 5):
            await asyncio.sleep(0)
        waits.append(asyncio.create_task(store.changed(game, version, LONG)))
        await asyncio.gather(*waits)
        assert await commit == Committed(version + 1)
    await other.close()


async def test_a_commit_between_the_look_and_the_wait(
    store: RedisStore, game: GameKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The version is read, then a commit comes, and only then the waiting begins."""
    read = store._version
    raced = False

    async def race(key: GameKey) -> int | None:
        nonlocal raced
        version = await read(key)
        if not raced:
            raced = True
            await store.commit(write(game, 1))
            await store.ping()
        return version

    monkeypatch.setattr(store, "_version", race)
    await store.changed(game, 1, LONG)
    assert raced


async def test_a_commit_while_the_subscription_is_under_way(
    shaky: RedisStore, store: RedisStore, proxy: Proxy, game: GameKey
) -> None:
    proxy.trap("before", "SUBSCRIBE")
    task = asyncio.create_task(shaky.changed(game, 1, LONG))
    await until_async(lambda: proxy.sprung, "the subscription is cut")
    await store.commit(write(game, 1))
    await task


async def test_a_commit_while_the_wake_up_connection_is_lost(
    shaky: RedisStore, store: RedisStore, server: Server, proxy: Proxy, game: GameKey
) -> None:
    task = await waiting(shaky, server, game, 1)
    proxy.cut()
    await store.commit(write(game, 1))
    await task


async def test_a_lost_connection_subscribes_again(
    shaky: RedisStore, store: RedisStore, server: Server, proxy: Proxy, game: GameKey
) -> None:
    task = await waiting(shaky, server, game, 1)
    for _ in range(3):
        before = {client["id"] for client in wakers(server)}
        proxy.cut()
        await until_async(subscribed_anew(server, before), "the subscription is there again")
    assert not task.done()
    await store.commit(write(game, 1))
    await task


def subscribed_anew(server: Server, before: set[str]) -> Callable[[], bool]:
    return lambda: any(client["id"] not in before and client["sub"] == "1" for client in wakers(server))


def wakers(server: Server) -> list[dict[str, str]]:
    return [client for client in server.admin().client_list() if client["name"] == "rookery-wake"]


async def test_a_store_that_is_away_is_said(shaky: RedisStore, server: Server, proxy: Proxy, game: GameKey) -> None:
    task = await waiting(shaky, server, game, 1)
    await proxy.down()
    with pytest.raises(Refusal) as refusal:
        await task
    assert refusal.value.reason is Reason.STORE_UNAVAILABLE
    assert shaky._wake.channels == 0


async def test_without_subscriptions_the_store_is_looked_at(
    store: RedisStore, server: Server, game: GameKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_wake, "POLL", 0.01)
    rights = {"keys": ["*"], "channels": ["*"], "commands": ["+@all", "-subscribe"]}
    server.admin().acl_setuser("mute", enabled=True, nopass=True, **rights)
    mute = await RedisStore.open(server.url.replace("unix://", "unix://mute:x@"))
    task = asyncio.create_task(mute.changed(game, 1, LONG))
    await until_async(lambda: mute._wake.channels, "somebody waits")
    await store.commit(write(game, 1))
    await task
    await mute.close()


# -- nothing is left behind


async def test_many_waiters_share_one_connection_and_one_subscription(
    store: RedisStore, server: Server, game: GameKey
) -> None:
    others = [game._replace(game=f"g{n}") for n in range(8)]
    for other in others:
        await store.create(other, stamp=at(1), meta=b"", live=b"", batch=b"", rank=now_us(), ttl_ms=HOUR_MS)
    tasks = [asyncio.create_task(store.changed(key, 1, LONG)) for key in (game, *others) for _ in range(20)]
    await until_async(lambda: len(channels(server)) == 9, "all channels are subscribed")
    (waker,) = wakers(server)
    assert waker["sub"] == "9"
    await store.commit(write(game, 1))
    await asyncio.gather(*tasks[:20])
    assert not any(task.done() for task in tasks[20:])
    await until_async(lambda: len(channels(server)) == 8, "the first channel is given back")
    for task in tasks[20:]:
        task.cancel()
    await until_async(lambda: not channels(server), "all channels are given back")
    assert store._wake.channels == 0


async def test_cancellation_frees_only_its_own(store: RedisStore, server: Server, game: GameKey) -> None:
    first = await waiting(store, server, game, 1)
    second = asyncio.create_task(store.changed(game, 1, LONG))
    await until_async(lambda: next(iter(store._wake._channels.values())).listeners == 2, "both wait")
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    assert channels(server)
    await store.commit(write(game, 1))
    await second
    await until_async(lambda: not channels(server), "the channel is given back")


async def test_cancelled_at_every_step(store: RedisStore, server: Server, game: GameKey) -> None:
    for steps in range(30):
        task = asyncio.create_task(store.changed(game, 1, LONG))
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert store._wake.channels == 0
    await until_async(lambda: not channels(server), "all channels are given back")
    task = await waiting(store, server, game, 1)
    await store.commit(write(game, 1))
    await task
