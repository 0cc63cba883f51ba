"""Sharing a read: fresh for everybody, and nobody's failure or departure is somebody else's."""

from __future__ import annotations

import asyncio

from service.together import Together
from tests.service.store.harness import until_async


class Shelf:
    """Something that is read slowly, and counts how often."""

    def __init__(self) -> None:
        self.value = 1
        self.reads = 0
        self.answers = asyncio.Event()
        self.together: Together[str, int] = Together()

    async def read(self) -> int:
        self.reads += 1
        found = self.value
        await self.answers.wait()
        if found < 0:
            raise ZeroDivisionError
        return found

    async def get(self, key: str = "here") -> int:
        return await self.together.get(key, self.read)


async def begun(shelf: Shelf, reads: int) -> None:
    await until_async(lambda: shelf.reads >= reads, f"{reads} reads")


async def test_those_who_ask_at_once_share_a_read() -> None:
    shelf = Shelf()
    asking = [asyncio.create_task(shelf.get()) for _ in range(100)]
    elsewhere = asyncio.create_task(shelf.get("there"))
    await begun(shelf, 2)
    shelf.answers.set()
    assert await asyncio.gather(*asking, elsewhere) == [1] * 101
    assert shelf.reads == 2


async def test_who_asks_when_a_read_has_begun_gets_a_later_one() -> None:
    shelf = Shelf()
    early = asyncio.create_task(shelf.get())
    await begun(shelf, 1)
    shelf.value = 2
    late = asyncio.create_task(shelf.get())
    await begun(shelf, 2)
    shelf.answers.set()
    assert list(await asyncio.gather(early, late)) == [1, 2]


async def test_who_goes_away_leaves_the_read_to_the_others() -> None:
    shelf = Shelf()
    asking = [asyncio.create_task(shelf.get()) for _ in range(3)]
    await begun(shelf, 1)
    asking[0].cancel()
    shelf.answers.set()
    assert await asyncio.gather(*asking[1:]) == [1, 1]
    assert asking[0].cancelled()


async def test_a_failed_read_fails_for_all_who_shared_it_and_for_nobody_else() -> None:
    shelf = Shelf()
    shelf.value = -1
    shelf.answers.set()
    failed = await asyncio.gather(*(shelf.get() for _ in range(2)), return_exceptions=True)
    assert [type(one) for one in failed] == [ZeroDivisionError] * 2
    shelf.value = 3
    assert await shelf.get() == 3
