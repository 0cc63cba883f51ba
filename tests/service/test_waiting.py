"""Draining ends waits, and nothing but waits."""

from __future__ import annotations

import asyncio

import pytest

from service.errors import Reason, Refusal
from service.waiting import Drain


class Wait:
    """A wait that knows how it ended."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()
        self.over = asyncio.Event()
        self.cancelled = False

    async def __call__(self) -> None:
        self.begun.set()
        try:
            await self.over.wait()
        except asyncio.CancelledError:
            self.cancelled = True
            raise


async def test_a_wait_that_is_over_first_is_as_if_there_were_no_drain() -> None:
    drain, wait = Drain(), Wait()
    wait.over.set()
    await drain.cuts(wait())
    await drain.ends(wait())
    drain.set()
    await asyncio.sleep(0)
    assert not wait.cancelled


async def test_draining_ends_waits_quietly_or_with_a_refusal() -> None:
    drain, quiet, loud = Drain(), Wait(), Wait()
    waiting = [asyncio.create_task(drain.cuts(quiet())), asyncio.create_task(drain.ends(loud()))]
    await asyncio.gather(quiet.begun.wait(), loud.begun.wait())
    drain.set()
    nothing, refusal = await asyncio.gather(*waiting, return_exceptions=True)
    assert nothing is None
    assert isinstance(refusal, Refusal)
    assert refusal.reason is Reason.DRAINING
    assert quiet.cancelled
    assert loud.cancelled


async def test_nothing_is_waited_for_while_draining() -> None:
    drain, wait = Drain(), Wait()
    drain.set()
    await drain.cuts(wait())
    with pytest.raises(Refusal):
        await drain.ends(wait())
    assert not wait.begun.is_set()


async def test_who_is_cancelled_in_the_same_moment_stays_cancelled() -> None:
    drain, wait = Drain(), Wait()
    waiting = asyncio.create_task(drain.cuts(wait()))
    await wait.begun.wait()
    drain.set()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting


async def test_a_timeout_around_a_wait_is_still_one() -> None:
    drain, wait = Drain(), Wait()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await drain.cuts(wait())
    drain.set()
    assert not asyncio.current_task().cancelling()  # type: ignore[union-attr]
