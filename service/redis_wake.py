"""Wake-ups: who waits for a game hears of its commits over one pub/sub connection per process.

Pub/sub only wakes; the store is the truth. A waiter therefore reads the version after its subscription stands, and
again whenever it may have missed something: that is why no wake-up can be lost.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Final

import hiredis

from service.redis_endpoint import Endpoint
from service.redis_link import Link, Reply, Wire

POLL: Final = 0.5
"""Seconds between looks at the store while there is no subscription (connection lost, or not permitted)."""


class _Channel:
    """One subscribed channel: who waits on it, and the answer to its SUBSCRIBE on the present connection."""

    __slots__ = ("listeners", "subscribed", "waiting")

    def __init__(self) -> None:
        self.listeners = 0
        self.subscribed: asyncio.Future[Reply] | None = None
        self.waiting: dict[asyncio.Future[bool], int] = {}

    def wake(self, version: int | None) -> None:
        """Wake whoever waits for less than ``version``; everybody when it is None, and then they must look."""
        for waiter, newer_than in self.waiting.items():
            if not waiter.done() and (version is None or version > newer_than):
                waiter.set_result(version is not None)


class Wake:
    """Waits for changes. Make it inside a running event loop; ``close()`` gives the connection back."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._channels: dict[str, _Channel] = {}
        self._link = Link(
            endpoint,
            name="rookery-wake",
            on_up=self._resubscribe,
            on_down=self._lost,
            on_message=self._heard,
        )
        self._wire: Wire | None = None

    @property
    def channels(self) -> int:
        """How many channels are listened to."""
        return len(self._channels)

    async def close(self) -> None:
        """End the connection; who still waits goes on by looking at the store."""
        await self._link.close()

    async def wait(
        self, name: str, newer_than: int, timeout: float, version: Callable[[], Awaitable[int | None]]
    ) -> None:
        """Return when ``version()`` is, or was heard to be, above ``newer_than``, or when it is None.

        At the latest that is after ``timeout`` seconds. Errors of ``version()`` pass through.
        """
        loop = asyncio.get_running_loop()
        end = loop.time() + timeout
        with self.listening(name) as channel:
            while True:
                waiter = loop.create_future()
                # Waiting begins before the look, so that a commit between look and wait is heard.
                channel.waiting[waiter] = newer_than
                try:
                    subscribed = await self._stands(channel, end)
                    found = await version()
                    left = end - loop.time()
                    if found is None or found > newer_than or left <= 0:
                        return
                    await asyncio.wait((waiter,), timeout=left if subscribed else min(left, POLL))
                    if waiter.done() and waiter.result():
                        return
                finally:
                    del channel.waiting[waiter]
                    waiter.cancel()

    @contextmanager
    def listening(self, name: str) -> Iterator[_Channel]:
        """Keep the channel subscribed until the block ends, whether somebody waits or not."""
        self._link.start()
        channel = self._channels.get(name)
        if channel is None:
            channel = self._channels[name] = _Channel()
            if self._wire is not None:
                channel.subscribed = self._wire.post("SUBSCRIBE", name)
        channel.listeners += 1
        try:
            yield channel
        finally:
            channel.listeners -= 1
            if not channel.listeners:
                del self._channels[name]
                _overlook(channel)
                if self._wire is not None:
                    self._wire.tell("UNSUBSCRIBE", name)

    async def _stands(self, channel: _Channel, end: float) -> bool:
        """Whether the channel is subscribed on the present connection, after waiting a moment for that."""
        subscribed = channel.subscribed
        if subscribed is None:
            return False
        if not subscribed.done():
            left = max(0.0, end - asyncio.get_running_loop().time())
            await asyncio.wait((subscribed,), timeout=left)
        if not subscribed.done() or subscribed.cancelled() or subscribed.exception() is not None:
            return False
        return not isinstance(subscribed.result(), hiredis.ReplyError)

    def _resubscribe(self, wire: Wire) -> None:
        self._wire = wire
        for name, channel in self._channels.items():
            _overlook(channel)
            channel.subscribed = wire.post("SUBSCRIBE", name)
        self._wake_all()

    def _lost(self) -> None:
        self._wire = None
        for channel in self._channels.values():
            _overlook(channel)
            channel.subscribed = None
        self._wake_all()

    def _wake_all(self) -> None:
        for channel in self._channels.values():
            channel.wake(None)

    def _heard(self, message: list[bytes]) -> None:
        channel = self._channels.get(message[1].decode())
        if channel is not None:
            channel.wake(int(message[2]) if message[2].isdigit() else None)


def _overlook(channel: _Channel) -> None:
    """Fetch the outcome of a subscription that nobody may be waiting for any more."""
    if channel.subscribed is not None:
        channel.subscribed.add_done_callback(lambda future: future.cancelled() or future.exception())
