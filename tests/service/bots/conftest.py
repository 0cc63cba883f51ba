from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from service.redis_store import RedisStore
from tests.service.store.harness import Server


@pytest.fixture
def server() -> Iterator[Server]:
    """A store of the test's own: all bots of a store share one queue."""
    with Server() as running:
        yield running


@pytest.fixture
async def store(server: Server) -> AsyncIterator[RedisStore]:
    store = await RedisStore.open(server.url)
    yield store
    await store.close()
