"""What many want to know at the same moment is read once: all who watch a game, when it has a new version."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Together(Generic[K, V]):
    """Shares a read among those who ask for it in the same turn of the event loop.

    The read begins after the last of them has asked, so that it is as fresh as one of their own would be.
    """

    def __init__(self) -> None:
        self._reading: dict[K, asyncio.Task[V]] = {}

    async def get(self, key: K, read: Callable[[], Coroutine[Any, Any, V]]) -> V:
        """What ``read`` gives. Raises what it raises. Whoever is cancelled leaves the read to the others."""
        task = self._reading.get(key)
        if task is None:
            task = self._reading[key] = asyncio.create_task(read())
            # Behind the task's first step, and before anybody else's.
            asyncio.get_running_loop().call_soon(self._reading.pop, key)
            task.add_done_callback(_overlook)
        return await asyncio.shield(task)


def _overlook(task: asyncio.Task[Any]) -> None:
    """Fetch the outcome of a read that nobody may be waiting for any more."""
    _ = task.cancelled() or task.exception()
