"""Waiting for the first of several things, leaving none of them behind."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from service.errors import Reason, Refusal


async def first_of(*waits: Coroutine[Any, Any, object]) -> None:
    """Return when one of the waits is done; raise what it raised. The others are cancelled and gone."""
    tasks = [asyncio.ensure_future(wait) for wait in waits]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        # Not by awaiting each: that would take our own cancellation for theirs.
        await asyncio.wait(tasks)
        for task in tasks:
            _ = task.cancelled() or task.exception()


async def drained(drain: asyncio.Event) -> None:
    """Raise DRAINING once the server is about to stop."""
    await drain.wait()
    raise Refusal(Reason.DRAINING, "this server is about to stop; connect again", retry_after=1)
