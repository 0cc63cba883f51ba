"""WatchUpdates: every commit of every game of a platform, once, alike on every way."""

from __future__ import annotations

import asyncio
import base64
import random
from contextlib import AsyncExitStack
from typing import Any

import pytest

from service import updates
from service.callers import ALL_SCOPES
from service.redis_keys import SHARDS
from service.updates import read_cursor, write_cursor
from tests.service.house import House
from tests.service.live_games.play import Table, deal
from tests.service.live_games.streams import Message, ending, stream, take
from tests.service.store.harness import until_async


def cursor_of(message: Message) -> str:
    """Where to resume: in the message, or the id of the event."""
    return str(message.get("cursor") or message["id"])


def watching(way: str, home: House, key: str, **request: Any) -> Any:
    return stream(way, home, key, "WatchUpdates", **request)


@pytest.fixture
def key(home: House, request: pytest.FixtureRequest) -> str:
    """A platform of this test's own."""
    return home.tenant(f"t{random.randrange(10**12)}")


def dealt(home: House, key: str, **more: Any) -> Any:
    """A game of that platform."""
    mine = House(home.app, home.credentials, home.keys, key, home.log)
    mine.http = home.http
    return deal(mine, **more)


async def test_every_commit_of_every_game_is_told(way: str, home: House, key: str) -> None:
    async with watching(way, home, key) as messages, AsyncExitStack() as tables:
        assert "bookmark" in await anext(messages)
        games: list[Table] = [await tables.enter_async_context(dealt(home, key, chance=str(i))) for i in range(4)]
        for _ in range(5):
            for table in games:
                await table.move()
        await games[0].move(1000)
        await games[1].post(f"{games[1].name}:abort")
        await games[2].delete()
        told = [message["update"] for message in await take(messages, sum(t.version for t in games) + 2)]
        final = await games[0].get(games[0].name)

    for table in games[:2]:
        mine = [update for update in told if update["game"] == table.name]
        assert [update["version"] for update in mine] == list(range(1, len(mine) + 1))
    over = [update for update in told if update["game"] == games[0].name][-1]
    assert over == {
        "game": games[0].name,
        "version": games[0].version,
        "state": "GAME_STATE_FINISHED",
        "awaiting": [],
        "result": final["result"],
        "deleted": False,
    }
    first = next(update for update in told if update["game"] == games[3].name)
    assert first["awaiting"] == [{"seat": seat, "kind": "pledge"} for seat in range(3)]
    assert "result" not in first
    assert [u["state"] for u in told if u["game"] == games[1].name][-1] == "GAME_STATE_ABORTED"
    gone = [update for update in told if update["game"] == games[2].name][-1]
    assert (gone["deleted"], gone["version"], gone["state"]) == (True, 0, "GAME_STATE_UNSPECIFIED")


async def test_resumes_at_every_cursor(way: str, home: House, key: str) -> None:
    async with AsyncExitStack() as tables, watching(way, home, key) as messages:
        start = await anext(messages)
        for i in range(6):
            await (await tables.enter_async_context(dealt(home, key, chance=str(i)))).move(3)
        whole = await take(messages, 24)
        for i, message in enumerate([start, *whole]):
            async with watching(way, home, key, cursor=cursor_of(message)) as again:
                assert "bookmark" in await anext(again)
                rest = await take(again, 24 - i)
            # What follows is the same, each game in its order.
            for name in {update["update"]["game"] for update in whole}:
                mine = [update["update"] for update in rest if update["update"]["game"] == name]
                assert mine == [m["update"] for m in whole[i:] if m["update"]["game"] == name]


async def test_a_stream_that_breaks_again_and_again_misses_nothing(way: str, home: House, key: str) -> None:
    chance = random.Random(3)
    heard: list[Message] = []
    done = asyncio.Event()

    async def play(table: Table) -> None:
        for _ in range(8):
            await table.move()
            await asyncio.sleep(chance.random() * 0.05)

    async def listen(cursor: str) -> None:
        while not done.is_set() or len(heard) < expected():
            async with watching(way, home, key, cursor=cursor) as messages:
                for _ in range(chance.randrange(1, 6)):
                    async with asyncio.timeout(20):
                        message = await anext(messages)
                    cursor = cursor_of(message)
                    if "update" in message:
                        heard.append(message["update"])

    async with AsyncExitStack() as tables:
        async with watching(way, home, key) as messages:
            start = cursor_of(await anext(messages))
        games = [await tables.enter_async_context(dealt(home, key, chance=str(i))) for i in range(5)]

        def expected() -> int:
            return sum(table.version for table in games)

        listening = asyncio.create_task(listen(start))
        await asyncio.gather(*(play(table) for table in games))
        done.set()
        # A last commit wakes whoever waits in vain for more.
        async with asyncio.timeout(40):
            await until_async(lambda: len(heard) >= expected(), "everything is told")
        listening.cancel()
        for table in games:
            assert [u["version"] for u in heard if u["game"] == table.name] == list(range(1, table.version + 1))


async def test_tenants_hear_only_of_their_own(way: str, home: House, key: str) -> None:
    other = home.tenant(f"o{random.randrange(10**12)}")
    async with watching(way, home, key) as mine, watching(way, home, other) as theirs:
        cursor = cursor_of(await anext(mine))
        await anext(theirs)
        async with dealt(home, key) as table, dealt(home, other) as their_table:
            assert (await take(mine, 1))[0]["update"]["game"] == table.name
            assert (await take(theirs, 1))[0]["update"]["game"] == their_table.name
    async with watching(way, home, other, cursor=cursor) as messages:
        refused = await ending(messages)
    assert (refused.reason, refused.fields) == ("MALFORMED_REQUEST", ["cursor"])


async def test_only_platforms_that_may_read(way: str, home: House, key: str, table: Table) -> None:
    poor = home.tenant("poor", ALL_SCOPES - {"games.read"})
    for token, reason in ((table.tokens[0], "SEAT_FORBIDDEN"), (poor, "SCOPE_MISSING"), ("", "TOKEN_MISSING")):
        async with watching(way, home, token) as messages:
            assert (await ending(messages)).reason == reason


async def test_it_drains_and_keeps_quiet_with_bookmarks(
    way: str, home: House, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(updates, "BOOKMARK_SECONDS", 0.1)
    async with watching(way, home, key) as messages:
        for _ in range(3):
            assert "bookmark" in await anext(messages)
        home.app.draining.set()
        assert (await ending(messages)).reason == "DRAINING"


async def test_so_many_streams_and_not_more(way: str, home: House, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(updates, "MOST_STREAMS", 2)
    async with watching(way, home, key) as one, watching(way, home, key) as two:
        await anext(one)
        await anext(two)
        async with watching(way, home, key) as messages:
            assert (await ending(messages)).reason == "TOO_MANY_STREAMS"
    store: Any = home.app._store
    await until_async(lambda: store._wake.channels == 0, "nobody listens")
    async with watching(way, home, key) as messages:
        await anext(messages)


async def test_a_cursor_that_is_too_old_says_so(way: str, home: House, key: str) -> None:
    store: Any = home.app._store
    store.feed_length = 50
    async with watching(way, home, key) as messages:
        old = cursor_of(await anext(messages))
    async with dealt(home, key, options={"plugin": {"rounds": 100}}) as table:
        # Whole nodes of a hundred entries are forgotten at a time.
        await table.move(60)
        async with watching(way, home, key, cursor=old) as messages:
            assert len(await take(messages, 61)) == 61
        await table.move(160)
        async with watching(way, home, key, cursor=old) as messages:
            refused = await ending(messages)
        assert (refused.code, refused.reason) == ("ABORTED", "CURSOR_EXPIRED")
        async with watching(way, home, key) as messages:
            await anext(messages)
            await table.move()
            assert (await take(messages, 1))[0]["update"]["version"] == table.version


@pytest.mark.parametrize("wrong", ["x", "AAAA", "====", "!", "A" * 2000, "AAAAAAAAAAAAAAAAAAAAAA"])
async def test_what_is_no_cursor_is_refused(plain: House, wrong: str) -> None:
    async with watching("ndjson", plain, plain.key, cursor=wrong) as messages:
        refused = await ending(messages)
    assert (refused.http, refused.reason, refused.fields) == (400, "MALFORMED_REQUEST", ["cursor"])


def test_cursors_read_as_they_were_written() -> None:
    chance = random.Random(1)
    for size in (0, 1, 5, 32):
        for _ in range(200):
            told = {
                shard: (chance.randrange(1 << 41), chance.choice([0, 1, 127, 128, 1 << 40]))
                for shard in chance.sample(SHARDS, size)
            }
            text = write_cursor("tenant", told)
            assert read_cursor("tenant", text) == told
            assert set(text) <= set(base64.urlsafe_b64encode(bytes(range(256))).decode()) - {"="}
