"""Waiting for the first of several things, leaving none of them behind."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from service.errors import Reason, Refusal


class Drain:
    """Whether the server is about to stop. Thousands may wait for something else: no wait has a task for this."""

    def __init__(self) -> None:
        self._set = False
        self._waiting: set[asyncio.Task[Any]] = set()

    def is_set(self) -> bool:
        """Whether nothing shall be waited for any more."""
        return self._set

    def set(self) -> None:
        """End every wait."""
        self._set = True
        for task in self._waiting:
            task.cancel()

    async def cuts(self, wait: Coroutine[Any, Any, object]) -> None:
        """Wait, but no longer than until the server is about to stop."""
        task = asyncio.current_task()
        if self._set or task is None:
            wait.close()
            return
        before = task.cancelling()
        self._waiting.add(task)
        try:
            await wait
        except asyncio.CancelledError:
            # As asyncio.timeout does it: if it was not we alone who cancelled, it is not ours to swallow.
            if not self._set or task.uncancel() > before:
                raise
        finally:
            self._waiting.discard(task)

    async def ends(self, wait: Coroutine[Any, Any, object]) -> None:
        """Wait. Raises DRAINING as soon as the server is about to stop."""
        await self.cuts(wait)
        if self._set:
            raise Refusal(Reason.DRAINING, "this server is about to stop; connect again", retry_after=1)


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
