from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from service.redis_store import RedisStore
from service.store import GameKey
from tests.service.store.harness import HOUR_MS, Proxy, Server, at, now_us, until
from tests.service.store.holders import unlocked


@pytest.fixture(scope="session")
def shared_server() -> Iterator[Server]:
    """One server per worker process. Tests that stop or reconfigure a server start their own."""
    with Server() as server:
        yield server


@pytest.fixture
def server(shared_server: Server) -> Server:
    shared_server.admin().flushall()
    return shared_server


@pytest.fixture
def tenant() -> str:
    return uuid.uuid4().hex[:12]


@pytest.fixture
def key(tenant: str) -> GameKey:
    return GameKey(tenant, "a" * 26)


@pytest.fixture
def counted() -> Counter[str]:
    """How often each thing happened that the store reports to its observer."""
    return Counter()


@pytest.fixture
async def store(server: Server, counted: Counter[str]) -> AsyncIterator[RedisStore]:
    store = await RedisStore.open(server.url, observe=lambda name, amount: counted.update({name: int(amount)}))
    yield store
    await store.close()


@pytest.fixture
async def game(store: RedisStore, key: GameKey) -> GameKey:
    """A game at version 1."""
    await store.create(key, stamp=at(1), meta=b"meta", live=b"live", batch=b"first", rank=now_us(), ttl_ms=HOUR_MS)
    return key


@pytest.fixture
async def proxy(server: Server) -> AsyncIterator[Proxy]:
    async with Proxy(server.socket) as proxy:
        yield proxy


@pytest.fixture
async def shaky(proxy: Proxy, counted: Counter[str]) -> AsyncIterator[RedisStore]:
    """A store whose connections go through the proxy."""
    store = await RedisStore.open(proxy.url, observe=lambda name, amount: counted.update({name: int(amount)}))
    yield store
    await store.close()


@pytest.fixture
def data(tmp_path: Path) -> Iterator[Path]:
    """A data folder; whatever a failed test left running on it is ended, by the numbers in its own lock's folder."""
    folder = tmp_path / "data"
    yield folder
    until(lambda: not (folder / "lock").exists() or unlocked(folder), "the supervisor ends")
