"""Waiting for the first of several things, leaving none of them behind."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Any

from service.errors import Refusal


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
        for task in tasks:
            with contextlib.suppress(asyncio.CancelledError, Refusal):
                await task
