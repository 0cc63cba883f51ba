from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.service.store.harness import Server


@pytest.fixture(scope="module")
def own_url() -> Iterator[str]:
    """A store for one module: a sweeper acts on every game that it finds."""
    with Server() as server:
        yield server.url
