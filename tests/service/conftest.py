from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.service.client import WAYS
from tests.service.desk import Desk, desk_at
from tests.service.live import TRANSPORTS, Live
from tests.service.store.harness import Server as StoreServer


@pytest.fixture(scope="session", params=TRANSPORTS)
def live(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A running server on each transport; tests share it and make games of their own."""
    with Live(tmp_path_factory.mktemp("live"), transport=request.param) as server:
        yield server


@pytest.fixture(scope="session")
def live_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The base URL of a running server's REST side."""
    with Live(tmp_path_factory.mktemp("rest")) as server:
        yield server.http


@pytest.fixture(scope="session")
def store_url() -> Iterator[str]:
    """A real store for this worker process; tests keep apart by the ids of their games."""
    with StoreServer() as server:
        yield server.url


@pytest.fixture(params=WAYS)
async def desk(request: pytest.FixtureRequest, store_url: str) -> AsyncIterator[Desk]:
    """A service with a game of three, for each way to reach it."""
    async with desk_at(store_url, request.param) as made:
        yield made
