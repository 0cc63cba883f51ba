from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from engine.core import installed
from tests.service.house import House, house
from tests.service.live_games.play import Table, deal
from tests.service.live_games.streams import WAYS, transport_of
from tests.service.pledge import GAME


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest) -> str:
    """How streams are watched: each form of REST, each gRPC server."""
    return str(request.param)


@pytest.fixture
async def home(way: str, store_url: str) -> AsyncIterator[House]:
    async with house(store_url, [GAME], transport=transport_of(way)) as made:
        yield made


@pytest.fixture
async def plain(store_url: str) -> AsyncIterator[House]:
    """A service with every game, for what has nothing to do with the way."""
    games = (installed().get(game_type) for game_type in installed().game_types)
    async with house(store_url, [GAME, *games]) as made:
        yield made


@pytest.fixture
async def table(home: House) -> AsyncIterator[Table]:
    async with deal(home) as made:
        yield made
