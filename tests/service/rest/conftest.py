from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest

from .fakes import FakeHandler, app_of, client_of


@pytest.fixture
def handler() -> FakeHandler:
    return FakeHandler()


@pytest.fixture
async def client(handler: FakeHandler) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(app_of(handler)) as made:
        yield made
