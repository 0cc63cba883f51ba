"""Long polls: no wake-up is lost, nothing waits for what cannot come, and whoever leaves leaves nothing behind."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import redis.asyncio

from service import redis_wake
from service.redis_keys import Keys
from service.redis_store import RedisStore
from service.store import GameKey
from tests.service.client import WAYS, Client, transport_of
from tests.service.house import House, house
from tests.service.players import Table, refused
from tests.service.pledge import GAME
from tests.service.store.harness import PATIENCE, until_async

LONG = "30s"
MANY = 20


@pytest.fixture(autouse=True)
def never_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only wake-ups may help: a look at the store now and then would hide a lost one."""
    monkeypatch.setattr(redis_wake, "POLL", 60.0)


class Room:
    """A service whose store we hold, a client and a game of three."""

    def __init__(self, home: House, client: Client, store: RedisStore, store_url: str, table: Table) -> None:
        self.store_url = store_url
        self.tables = [table]
        self.home = home
        self.client = client
        self.wake = store._wake
        self.table = table

    def poll(self, seat: int = 0, **more: Any) -> asyncio.Task[dict[str, Any]]:
        asked = {"name": self.table.name, "newerThan": self.table.highest, "wait": LONG, **more}
        return asyncio.create_task(self.client.call("GetView", self.table.tokens[seat], **asked))

    async def waiting(self, polls: int = 1) -> None:
        """Return when so many polls wait."""
        await until_async(lambda: self.waiters() == polls, f"{polls} polls wait")

    def waiters(self) -> int:
        return sum(len(channel.waiting) for channel in self.wake._channels.values())

    async def answer(self, seat: int, offer: str = "pledge:1") -> None:
        await self.table.submit(seat, (await self.table.view(seat))["decision"]["decisionId"], offer)

    async def empty(self) -> None:
        """Return when nothing is left of any poll."""
        await until_async(lambda: not self.wake.channels, "no channel is listened to")
        async with redis.asyncio.Redis.from_url(self.store_url) as admin, asyncio.timeout(PATIENCE):
            for table in self.tables:
                name = Keys(GameKey("test", table.name.removeprefix("games/"))).wake
                while await admin.pubsub_channels(name):  # noqa: ASYNC110 - the store has no event for it
                    await asyncio.sleep(0.01)


@pytest.fixture(params=WAYS)
async def room(request: pytest.FixtureRequest, store_url: str) -> AsyncIterator[Room]:
    store = await RedisStore.open(store_url)
    way = request.param
    async with house(store, [GAME], transport=transport_of(way)) as home, Client(way, home) as client:
        made = Room(home, client, store, store_url, await Table.deal(client, home.key, "pledge", 3))
        async with asyncio.timeout(3 * PATIENCE):
            yield made
        await made.empty()
    await store.close()


async def test_a_commit_wakes_everybody(room: Room) -> None:
    polls = [room.poll(seat % 3) for seat in range(MANY)]
    await room.waiting(MANY)
    # All listen in one place.
    assert room.wake.channels == 1
    await room.answer(0)
    views = await asyncio.gather(*polls)

    assert [view["version"] for view in views] == [2] * MANY
    assert [view["viewer"]["seat"] for view in views] == [seat % 3 for seat in range(MANY)]


async def test_what_cannot_be_asked_is_refused_before_any_wait(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    async def wait(*_: object) -> None:
        raise AssertionError("it waits")

    monkeypatch.setattr(RedisStore, "changed", wait)
    asked = {"name": room.table.name, "newerThan": 1, "version": 1, "wait": LONG}
    refusal = await refused(room.client, "GetView", room.table.tokens[0], **asked)
    assert (refusal.reason, refusal.fields) == ("MALFORMED_REQUEST", ["version"])


async def test_no_wake_up_is_lost(room: Room, store_url: str) -> None:
    """Polls begin and end around commits in every order, commits of this process and of another one."""
    async with (
        house(store_url, [GAME], transport=transport_of(room.client.way)) as other,
        Client(room.client.way, other) as elsewhere,
    ):
        other.credentials.replace(room.home.keys)
        for i in range(12):
            table = room.table = await Table.deal(room.client, room.home.key, "pledge", 3)
            table.client = (room.client, elsewhere)[i % 2]
            decisions = [(await table.view(seat))["decision"]["decisionId"] for seat in range(3)]
            for seat in range(3):
                # Before the commit, beside it, and after it; nobody waits for anybody.
                polls = [room.poll(0) for _ in range(3)]
                if i % 3:
                    await room.waiting(3)
                seen = table.highest
                await table.submit(seat, decisions[seat], "pledge:1")
                late = room.poll(0, newerThan=seen)
                for view in await asyncio.gather(*polls, late):
                    assert view["version"] > seen


async def test_a_poll_ends_with_its_time(room: Room) -> None:
    view = await room.poll(wait="0.05s")
    now = await room.poll(wait="0s")
    without = await room.client.call("GetView", room.table.tokens[0], name=room.table.name, newerThan=1)

    assert view["version"] == now["version"] == without["version"] == 1
    assert view == now == without


async def test_what_is_newer_already_is_not_waited_for(room: Room) -> None:
    await room.answer(1)
    for newer_than in (0, 1, -5):
        assert (await room.poll(newerThan=newer_than))["version"] == 2


async def test_nobody_waits_for_a_version_ahead(room: Room) -> None:
    for more in ({}, {"wait": LONG}):
        # The wait would be longer than we have patience.
        async with asyncio.timeout(PATIENCE):
            no = await refused(room.client, "GetView", room.table.tokens[0], name=room.table.name, newerThan=2, **more)
        assert (no.code, no.reason, no.metadata) == ("ABORTED", "VERSION_AHEAD", {"current_version": "1"})


async def test_impossible_waits(room: Room) -> None:
    for wait in ("30.001s", "-1s", "315576000000s"):
        no = await refused(room.client, "GetView", room.table.tokens[0], name=room.table.name, newerThan=1, wait=wait)
        assert (no.reason, no.fields) == ("MALFORMED_REQUEST", ["wait"])


async def test_the_events_of_what_was_waited_for_come_along(room: Room) -> None:
    poll = room.poll(2, parts=["PART_EVENTS"])
    await room.waiting()
    await room.answer(0)
    view = await poll

    assert [(event["version"], event["seat"], event["plugin"]) for event in view["events"]] == [
        (2, 0, {"type": "pledged", "coins": None})
    ]


async def test_a_poll_on_a_game_that_is_deleted(room: Room) -> None:
    poll = room.poll()
    await room.waiting()
    await room.client.call("DeleteGame", room.home.key, name=room.table.name)
    with pytest.raises(Exception, match="GAME_NOT_FOUND"):
        await poll
    with pytest.raises(Exception, match="GAME_NOT_FOUND"):
        await room.poll()


async def test_a_poll_on_a_game_that_is_aborted(room: Room) -> None:
    poll = room.poll()
    await room.waiting()
    await room.client.call("AbortGame", room.home.key, name=room.table.name)
    view = await poll

    assert (view["version"], view["state"], view["awaiting"]) == (2, "GAME_STATE_ABORTED", [])
    assert "decision" not in view
    # Nothing newer will come; whoever waits for it all the same is answered in the end.
    assert (await room.poll(newerThan=2, wait="0.05s"))["version"] == 2


async def test_whoever_leaves_leaves_nothing_behind(room: Room) -> None:
    """Cancelled calls and closed connections: their channels, their waiters and their tasks all go."""
    await room.poll(wait="0.05s")
    await room.empty()
    tasks = len(asyncio.all_tasks())
    room.tables += [await Table.deal(room.client, room.home.key, "pledge", 3) for _ in range(2)]
    tables = room.tables
    polls = []
    for i in range(MANY):
        room.table = tables[i % 3]
        polls.append(room.poll())
    await room.waiting(MANY)
    assert room.wake.channels == 3
    # All but one at first, so that a channel with somebody left goes on.
    for poll in polls[1:]:
        poll.cancel()
    await asyncio.gather(*polls[1:], return_exceptions=True)
    await room.waiting(1)
    assert room.wake.channels == 1
    room.table = tables[0]
    await room.answer(1)
    assert (await polls[0])["version"] == 2
    await room.empty()
    await until_async(lambda: len(asyncio.all_tasks()) <= tasks + 1, "the tasks end")


async def test_a_client_that_is_gone_leaves_nothing_behind(room: Room) -> None:
    """Not a polite end of the call but of the connection."""
    gone = Client(room.client.way, room.home)
    here, room.client = room.client, gone
    polls = [room.poll() for _ in range(MANY)]
    room.client = here
    await room.waiting(MANY)
    await gone.close()
    for poll in polls:
        poll.cancel()
    await room.empty()
    await asyncio.gather(*polls, return_exceptions=True)


async def test_polls_outlive_a_lost_connection_to_the_store(room: Room, store_url: str) -> None:
    poll = room.poll()
    await room.waiting()
    async with redis.asyncio.Redis.from_url(store_url) as admin:
        assert await admin.client_kill_filter(_type="pubsub") >= 1
    await room.answer(1)
    assert (await poll)["version"] == 2


async def test_if_none_match(store_url: str) -> None:
    """REST alone: the tag of what somebody has already seen."""
    async with house(store_url, [GAME]) as home, Client("rest", home) as client:
        table = await Table.deal(client, home.key, "pledge", 3)

        async def get(seat: int, tag: str, **query: Any) -> httpx.Response:
            async with home.rest(table.tokens[seat]) as rest:
                return await rest.get(f"{table.name}/view", params=query, headers={"if-none-match": tag})

        first = await get(0, "")
        tag = first.headers["etag"]
        assert tag == first.json()["etag"]
        same = await get(0, tag)
        assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", tag)
        assert (await get(0, f'"another", {tag}')).status_code == 304
        assert (await get(0, tag, newerThan=1, wait="0.05s")).status_code == 304
        # Another viewer's page is another page.
        assert (await get(1, tag)).status_code == 200
        poll = asyncio.create_task(get(0, tag, newerThan=1, wait="30s"))
        await table.submit(1, (await table.view(1))["decision"]["decisionId"], "pledge:1")
        newer = await poll
        assert (newer.status_code, newer.json()["version"]) == (200, 2)
        assert newer.headers["etag"] != tag
