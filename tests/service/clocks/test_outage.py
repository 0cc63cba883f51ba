"""After an outage nobody loses by it: the clocks wait for those who could not answer, and for nobody else."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
import pytest
import redis.asyncio

from service import redis_clock
from service.redis_keys import SWEEPING
from service.redis_store import RedisStore
from service.store import Committed, Due, GameKey, Stamp, Untimely, Verdict, Write
from tests.service.clocks.rounds import RESIGN, SECOND, Rounds, rounds
from tests.service.house import standing_clock
from tests.service.players import Table
from tests.service.store.harness import HOUR_MS, Server, at, now_us, until_async, write

LONG = 3600.0


@pytest.fixture
def url(own_url: str) -> str:
    """The store of the module, emptied."""
    with redis.Redis.from_url(own_url) as admin:
        admin.flushall()
    return own_url


@asynccontextmanager
async def asked_ago(url: str, seconds: float, grace: float = LONG) -> AsyncIterator[Rounds]:
    """A house in which everything happens so long ago."""
    async with rounds(url, clock_us=standing_clock(now_us() - int(seconds * 1e6)), clock_grace=grace) as made:
        yield made


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine is, no gap comes by itself."""
    monkeypatch.setattr(redis_clock, "GAP_MS", HOUR_MS)


async def resume(url: str, ago: float, away: float = 10.0) -> None:
    """Nobody looked after the clocks for a while, which ended so many seconds ago."""
    now = now_us() // 1000
    since = now - int(ago * 1000)
    async with redis.asyncio.Redis.from_url(url) as admin:
        await admin.hset(SWEEPING, mapping={"last": now, "since": since, "from": since - int(away * 1000)})


async def when(admin: redis.asyncio.Redis, what: str = "since") -> int:
    found = await admin.hget(SWEEPING, what)
    assert found is not None
    return int(found)


async def test_what_came_due_while_nobody_looked_waits_and_may_still_be_answered(url: str) -> None:
    async with asked_ago(url, 100) as made:
        table = await made.deal("sevens", clock={**SECOND, "onTimeout": RESIGN})
        for _ in range(3):
            await made.look()
        assert (await made.game(table))["version"] == 1
        assert await table.move()
        assert (await made.game(table))["version"] == 2


async def test_when_the_grace_is_over_the_clock_acts(url: str) -> None:
    async with asked_ago(url, 2 * LONG) as made:
        table = await made.deal("sevens", clock={**SECOND, "onTimeout": RESIGN})
        await resume(url, LONG + 1)
        await made.look()
        assert (await made.game(table))["seats"][table.awaiting[0]]["controller"] == "CONTROLLER_RESIGNED"


async def test_a_deadline_that_comes_during_the_grace_waits_for_its_end(url: str) -> None:
    async with asked_ago(url, 100) as made:
        table = await made.deal("sevens", clock={"perDecision": "90s"})
        await resume(url, 50)
        await made.look()
        assert (await made.game(table))["version"] == 1


async def test_who_is_asked_after_the_outage_has_the_usual_time_and_is_not_kept_by_those_who_wait(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.sweep.AT_ONCE", 1)
    async with asked_ago(url, 100) as before, asked_ago(url, 40) as after:
        waiting = [await before.deal("sevens", clock=SECOND) for _ in range(40)]
        table = await after.deal("sevens", clock=SECOND)
        await resume(url, 50)
        # At the latest when every one of the others was looked at once.
        for _ in range(len(waiting) + 1):
            await after.look()
        assert (await after.game(table))["version"] >= 2
        assert {(await after.game(one))["version"] for one in waiting} == {1}


async def test_who_waits_is_looked_at_again_when_the_grace_is_over_or_the_game_has_moved_on(url: str) -> None:
    async with asked_ago(url, 100) as made, redis.asyncio.Redis.from_url(url) as admin:
        table = await made.deal("sevens", clock=SECOND)
        name = f"test:{table.name.removeprefix('games/')}"
        await resume(url, 50)
        since = await when(admin)
        await made.look()
        assert await admin.zscore(f"rookery:{{{table.name[6]}}}:due", name) == since + LONG * 1000
        assert await table.move()
        # The next one is asked by the time of this house, long ago: but that is the commit's business.
        assert (await admin.zscore(f"rookery:{{{table.name[6]}}}:due", name) or 0) < since


async def test_a_game_that_stands_on_the_list_for_nothing_leaves_it(url: str) -> None:
    async with asked_ago(url, 100) as made, redis.asyncio.Redis.from_url(url) as admin:
        table = await made.deal("sevens")
        due = f"rookery:{{{table.name[6]}}}:due"
        await admin.zadd(due, {f"test:{table.name.removeprefix('games/')}": 1})
        await made.look()
        assert await admin.zcard(due) == 0
        assert (await made.game(table))["version"] == 1


async def test_a_commit_that_comes_in_between_says_itself_when_the_game_is_due(url: str) -> None:
    store, key = await RedisStore.open(url), GameKey("tenant", "a" * 26)
    try:
        await store.create(
            key, stamp=at(1), meta=b"meta", live=b"live", batch=b"first", rank=now_us(), ttl_ms=HOUR_MS, due_ms=1000
        )
        await store.clocks.put(key, at(1), 2000)
        assert await store.clocks.first(1) == (Due(2000, key),)
        await store.commit(msgspec.structs.replace(write(key, 1), due_ms=3000))
        for stamp in (at(1), Stamp(2, b"another"), None):
            await store.clocks.put(key, stamp, 0)
        assert await store.clocks.first(1) == (Due(3000, key),)
        await store.clocks.put(key, at(2), 0)
        await store.clocks.put(key, at(2), 4000)
        # What is on no list is not put on it.
        assert await store.clocks.first(1) == ()
    finally:
        await store.close()


async def test_nobody_waits_for_a_seat_that_has_left(url: str) -> None:
    async with asked_ago(url, 40) as made:
        table = await made.deal("sevens")
        await made.seat(table, table.awaiting[0], "RESIGNED")
        await resume(url, 39.0)
        # Asked before, and its turn came a moment after.
        async with redis.asyncio.Redis.from_url(url) as admin:
            due = f"rookery:{{{table.name[6]}}}:due"
            await admin.zadd(due, {f"test:{table.name.removeprefix('games/')}": now_us() // 1000 - 1000})
        await made.look()
        assert (await made.game(table))["version"] == 3


async def test_an_outage_is_told_once_by_whoever_ends_it(url: str) -> None:
    async with asked_ago(url, 0) as one, asked_ago(url, 0) as two:
        for _ in range(3):
            await one.look()
            await two.look()
        assert (one.outages, two.outages) == (1, 0)
        assert await one.actions() == {"resumed": 1}
        async with redis.asyncio.Redis.from_url(url) as admin:
            since, last = await when(admin), await when(admin, "last")
            assert await when(admin, "from") == since
            # It is said again now and then.
            await admin.hset(SWEEPING, "last", last - 2000)
            await two.look()
            assert (await when(admin, "last"), await when(admin)) > (last - 2000, since - 1)
            assert (one.outages, two.outages) == (1, 0)
            # And now it was not, or the store's clock was set back.
            for said in (last - 2 * redis_clock.GAP_MS, last + HOUR_MS):
                await admin.hset(SWEEPING, mapping={"last": said, "since": 1, "from": 1})
                await two.look()
                assert await when(admin) == await when(admin, "last") >= last
                assert await when(admin, "from") == min(said, await when(admin))
        assert (one.outages, two.outages) == (1, 2)


class Stopped(RedisStore):
    """A store of a process that is stopped just before it writes, for longer than a gap."""

    verdict: Verdict | None = None

    async def commit(self, write: Write) -> Verdict:
        if write.not_after_ms:
            await until_async(lambda: now_us() // 1000 > write.not_after_ms, "the gap is over")
        self.verdict = await super().commit(write)
        return self.verdict


async def test_whoever_was_stopped_on_the_way_looks_again(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_clock, "GAP_MS", 20)
    store = await Stopped.open(url)
    try:
        async with rounds(store, clock_us=standing_clock(now_us() - 100_000_000)) as made:  # type: ignore[arg-type]
            table = await made.deal("sevens", clock=SECOND)
            await made.look()
            assert isinstance(store.verdict, Untimely)
            assert (await made.game(table))["version"] == 1
    finally:
        await store.close()


async def test_a_write_that_comes_too_late_is_none(url: str) -> None:
    store, key = await RedisStore.open(url), GameKey("tenant", "a" * 26)
    try:
        await store.create(key, stamp=at(1), meta=b"meta", live=b"live", batch=b"first", rank=now_us(), ttl_ms=HOUR_MS)
        now = time.time_ns() // 1_000_000
        late = msgspec.structs.replace(write(key, 1), not_after_ms=now - 60_000)
        assert await store.commit(late) == Untimely()
        early = msgspec.structs.replace(write(key, 1), not_before_ms=now + 60_000, not_after_ms=now + 120_000)
        assert await store.commit(early) == Untimely()
        timely = msgspec.structs.replace(write(key, 1), not_before_ms=now - 60_000, not_after_ms=now + 60_000)
        assert await store.commit(timely) == Committed(2)
    finally:
        await store.close()


async def test_an_older_snapshot_of_the_store_is_an_outage_too() -> None:
    with Server() as server:
        async with asked_ago(server.url, 100) as made:
            table = await made.deal("sevens", clock={**SECOND, "onTimeout": RESIGN})
        # Long ago somebody looked after the clocks.
        server.admin().hset(SWEEPING, mapping={"last": 2, "since": 1, "from": 1})
        server.end()
        server.start()
        async with asked_ago(server.url, 100) as made:
            await made.look()
            assert made.outages == 1
            assert (await made.game(table))["version"] == 1


async def test_an_outage_takes_nothing_of_the_time_for_the_game(url: str) -> None:
    async with asked_ago(url, 100) as before:
        table = await before.deal("sevens", clock={"perGame": "60s", "onTimeout": RESIGN})
        seat = table.awaiting[0]
        # It has thought for 20 seconds, then nobody was there for 70, and it answers 10 seconds after that.
        await resume(url, 10, away=70)
        async with asked_ago(url, 0) as made:
            await made.look()
            tokens = [{"token": token} for token in table.tokens]
            here = Table(made.client, {"game": await made.game(table), "seatTokens": tokens})
            assert await here.move()
            left = {clock["seat"]: float(clock["timeLeft"][:-1]) for clock in (await made.view(here))["clocks"]}
            assert 25 < left[seat] <= 31


async def test_who_does_not_look_after_the_clocks_hears_of_outages_too(url: str) -> None:
    async with redis.asyncio.Redis.from_url(url) as admin:
        await admin.hset(SWEEPING, mapping={"last": 30, "since": 20, "from": 10})
        store = await RedisStore.open(url)
        try:
            assert store.clocks.outage() == (10_000, 20_000)
            assert await when(admin, "last") == 30
        finally:
            await store.close()
