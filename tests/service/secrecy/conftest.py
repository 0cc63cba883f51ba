from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest

from engine.core import AnyGame
from tests.service.secrecy.inner import inner
from tests.service.secrecy.twins import Twins

MakeTwins = Callable[[Iterable[AnyGame]], AbstractAsyncContextManager[Twins]]


@pytest.fixture
def twins(store_url: str) -> MakeTwins:
    """Two services for the games, each with a store of its own."""

    @asynccontextmanager
    async def make(games: Iterable[AnyGame]) -> AsyncIterator[Twins]:
        every = tuple(games)
        async with inner(store_url, every) as here, inner(f"{store_url}?db=1", every) as there:
            there.keys, there.key = here.keys, here.key
            there.credentials.replace(there.keys)
            yield Twins((here, there), prefix=f"{uuid.uuid4()} ")

    return make
