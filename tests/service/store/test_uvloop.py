"""On the loop that the service runs on: a connection that comes too late ends there without a word to its protocol."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest
import uvloop

from service import redis_endpoint, redis_link
from service.redis_endpoint import Endpoint
from service.redis_link import Link
from tests.service.store.harness import Server


def test_a_connection_that_comes_too_late_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_endpoint, "CONNECT_TIMEOUT", 0.05)
    monkeypatch.setattr(redis_link, "IDLE_PING", 0.1)
    monkeypatch.setattr(redis_link, "REPLY_TIMEOUT", 0.2)
    escaped: list[dict[str, Any]] = []

    async def scene(url: str) -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: escaped.append(context))
        link = Link(Endpoint.parse(url))
        link.start()
        await asyncio.sleep(0)
        # Something keeps the loop busy while the connection is made.
        loop.call_soon(time.sleep, 0.2)
        assert await link.ask("PING") in ("PONG", b"PONG")
        await asyncio.sleep(0.5)
        await link.close()

    with Server() as server, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(scene(server.url))
    assert escaped == []
