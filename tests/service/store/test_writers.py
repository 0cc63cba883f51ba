"""Many writers: exactly one of them makes each version."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from typing import Any

import redis.asyncio
from redis.exceptions import WatchError

from service.redis_store import RedisStore
from service.store import Committed, Conflict, GameKey, Replayed
from tests.service.store.harness import HOUR_MS, Server, at, now_us, write


async def test_64_writers_have_one_winner_per_version(store: RedisStore, game: GameKey) -> None:
    rounds = 12
    for version in range(1, rounds + 1):
        verdicts = await asyncio.gather(
            *(store.commit(write(game, version, (f"{version}.{n}", b"d"), live=b"%d" % n)) for n in range(64))
        )
        assert Counter(map(type, verdicts)) == {Committed: 1, Conflict: 63}
        winner = next(n for n, verdict in enumerate(verdicts) if isinstance(verdict, Committed))
        stored = await store.load(game)
        assert stored is not None
        assert (stored.stamp.version, stored.live) == (version + 1, b"%d" % winner)
    assert [version for version, _ in await store.batches(game, 1, 99, 99)] == list(range(1, rounds + 2))


async def test_64_writers_lose_no_increment(store: RedisStore, server: Server, game: GameKey) -> None:
    stores = [await RedisStore.open(server.url) for _ in range(4)]

    async def add(n: int) -> None:
        mine = stores[n % len(stores)]
        for turn in range(3):
            while True:
                stored = await mine.load(game)
                assert stored is not None
                total = b"%d" % (int(stored.live) + 1 if stored.live.isdigit() else 1)
                if isinstance(
                    await mine.commit(write(game, stored.stamp.version, (f"{n}.{turn}", b"d"), live=total)), Committed
                ):
                    break

    await asyncio.gather(*(add(n) for n in range(64)))
    stored = await store.load(game)
    assert stored is not None
    assert (stored.stamp.version, stored.live) == (1 + 64 * 3, b"%d" % (64 * 3))
    for each in stores:
        await each.close()


async def test_the_same_request_64_times_commits_once(store: RedisStore, game: GameKey) -> None:
    verdicts = await asyncio.gather(*(store.commit(write(game, 1, ("req", b"d"))) for _ in range(64)))
    assert Counter(verdicts) == {Committed(2): 1, Replayed(2): 63}
    assert len(await store.batches(game, 1, 99, 99)) == 2


async def test_64_creations_make_one_game(store: RedisStore, key: GameKey) -> None:
    made = await asyncio.gather(
        *(
            store.create(key, stamp=at(1), meta=b"", live=b"%d" % n, batch=b"", rank=now_us(), ttl_ms=HOUR_MS)
            for n in range(64)
        )
    )
    assert Counter(type(each).__name__ for each in made) == {"Created": 1, "Exists": 63}
    assert len(await store.page(key.tenant, None, 10)) == 1


class Watched:
    """The oracle: the same compare-and-set, written with WATCH and MULTI."""

    def __init__(self, server: Server, name: str) -> None:
        self._redis: Any = redis.asyncio.Redis(unix_socket_path=str(server.socket))
        self._name = name

    async def begin(self, live: bytes) -> None:
        await self._redis.hset(self._name, mapping={"v": 1, "live": live})

    async def commit(self, if_version: int, live: bytes, memo: str) -> str:
        async with self._redis.pipeline() as line:
            await line.watch(self._name)
            remembered = await line.hget(self._name, f"memo:{memo}")
            if remembered is not None:
                return f"replayed {int(remembered)}"
            if int(await line.hget(self._name, "v")) != if_version:
                return "conflict"
            line.multi()
            line.hset(self._name, mapping={"v": if_version + 1, "live": live, f"memo:{memo}": if_version + 1})
            try:
                await line.execute()
            except WatchError:
                return "conflict"
            return f"committed {if_version + 1}"

    async def read(self) -> tuple[int, bytes]:
        version, live = await self._redis.hmget(self._name, ["v", "live"])
        return int(version), live

    async def close(self) -> None:
        await self._redis.aclose()


async def test_a_random_history_goes_as_with_watch_and_multi(store: RedisStore, server: Server, game: GameKey) -> None:
    oracle = Watched(server, "oracle")
    await oracle.begin(b"live")
    choice = random.Random(20)
    version = 1
    for step in range(400):
        if_version = version + choice.choice((0, 0, 0, -1, 1))
        memo = f"m{choice.randrange(120)}"
        live = b"%d" % step
        verdict = await store.commit(write(game, if_version, (memo, b"d"), live=live))
        expected = await oracle.commit(if_version, live, memo)
        match verdict:
            case Committed(version=made):
                version = made
                assert expected == f"committed {made}"
            case Replayed(version=made):
                assert expected == f"replayed {made}"
            case _:
                assert (verdict, expected) == (Conflict(), "conflict")
        stored = await store.load(game)
        assert stored is not None
        assert (stored.stamp.version, stored.live) == await oracle.read()
    assert version > 50
    await oracle.close()
