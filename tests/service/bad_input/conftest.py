from __future__ import annotations

import uuid
from collections.abc import AsyncIterator

import pytest

from engine.core import installed
from tests.service.bad_input.table import BadTable, seated
from tests.service.pledge import GAME
from tests.service.secrecy.inner import Inner, inner


@pytest.fixture
async def home(store_url: str) -> AsyncIterator[Inner]:
    """A service without sockets that plays every game, and one of another distribution."""
    games = installed()
    async with inner(store_url, [*(games.get(game_type) for game_type in games.game_types), GAME]) as made:
        made.chance.turn(fresh())
        yield made


def fresh() -> str:
    """Ids that no other test has: the store is one for all."""
    return uuid.uuid4().hex


@pytest.fixture
async def table(home: Inner) -> BadTable:
    return await seated(home, "pledge", 3)
