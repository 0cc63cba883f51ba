"""Processes are killed at any moment; every move stands in the history once, and no version goes back unseen."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import signal
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import redis

from engine.core import installed
from tests.service.client import WAYS, Client, fresh_id, transport_of
from tests.service.house import House, house
from tests.service.live import Live
from tests.service.players import Said, Table, history, refused
from tests.service.pledge import GAME
from tests.service.store.harness import PATIENCE, until_async
from tests.service.store.harness import Server as StoreServer

SUBMITS = 200
TABLES = 4
KILLS = 4
EUCHRE = installed().get("euchre")


async def played(table: Table, moves: int) -> None:
    for _ in range(moves):
        if not await table.move():
            return


def moves_made(tables: list[Table]) -> int:
    return sum(len(table.told) for table in tables)


async def so_many(tables: list[Table], moves: int) -> None:
    await until_async(lambda: moves_made(tables) >= moves or all(not t.awaiting for t in tables), "the play goes on")


async def check(live: Live, tables: list[Table]) -> None:
    """The log is what the players were told, and what they see now is not older than that."""
    for table in tables:
        # A look first: what was lost with the last kill is noticed.
        await table.view(0)
        logged = await history(f"unix://{live.store_socket}", "dev", EUCHRE, table.name)
        assert logged == table.told
        assert [said.version for said in logged] == list(range(2, len(logged) + 2))
        for seat in range(len(table.tokens)):
            assert (await table.view(seat))["version"] == len(logged) + 1


@pytest.mark.parametrize("way", WAYS)
async def test_the_server_is_killed_at_random_moments(way: str, tmp_path: Path) -> None:
    rng = random.Random(f"kills {way}")
    with Live(tmp_path, transport=transport_of(way)) as live:
        async with Client(way, live) as client:
            key = live.platform_key
            tables = [await Table.deal(client, key, seed=f"{way} {i}") for i in range(TABLES)]
            playing = [asyncio.create_task(played(table, SUBMITS // TABLES)) for table in tables]
            for kill in range(KILLS):
                enough = (kill + 1) * SUBMITS // (KILLS + 2)
                await so_many(tables, enough)
                # Anywhere in a call: before the store, in it, after it.
                await asyncio.sleep(rng.uniform(0, 0.006))
                await asyncio.to_thread(live.kill)
                await asyncio.to_thread(live.start)
            await asyncio.gather(*playing)
            assert moves_made(tables) >= SUBMITS // 2
            await check(live, tables)


@pytest.mark.parametrize(("way", "fsync"), [*((way, "always") for way in WAYS), ("native", "everysec")])
async def test_the_store_and_its_supervisor_are_killed_under_load(way: str, fsync: str, tmp_path: Path) -> None:
    """First the store's process, which its supervisor starts again; then the supervisor, which the server replaces.

    With ``everysec`` a killed store may lose what it answered in its last moments (a write waits for a running sync);
    what remains is still one history, and whoever saw more is told so.
    """
    with Live(tmp_path, "--store-fsync", fsync, transport=transport_of(way)) as live:
        async with Client(way, live) as client:
            key = live.platform_key
            tables = [await Table.deal(client, key, seed=f"{way} {i}") for i in range(TABLES)]
            for table in tables:
                table.may_lose = fsync == "everysec"
            # Moves may be lost, and that is noticed; a game that is lost as a whole cannot be played on.
            await asyncio.to_thread(on_disk, live)
            playing = [asyncio.create_task(played(table, 40)) for table in tables]
            for enough, victim in ((20, "store_pid"), (60, "supervisor_pid"), (100, "store_pid")):
                await so_many(tables, enough)
                os.kill(await asyncio.to_thread(answering, live, victim), signal.SIGKILL)
            await asyncio.gather(*playing)
            await check(live, tables)
        assert live.stop() == 0


def on_disk(live: Live) -> None:
    """Return when whatever was written so far outlives the store."""
    with redis.Redis(unix_socket_path=live.store_socket) as admin:
        # It waits for the last write of its own connection, and so for all before that.
        admin.set("last", "")
        assert admin.execute_command("WAITAOF", 1, 0, int(PATIENCE * 1000)) == [1, 0]


def answering(live: Live, which: str) -> int:
    """The pid, as soon as there is a store that tells it."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return int(getattr(live, which))
        except (OSError, redis.RedisError):
            assert time.monotonic() < end, "never: a store"
            time.sleep(0.01)


async def test_workers_replace_a_killed_supervisor_once(tmp_path: Path) -> None:
    """Both workers hold a lease; whoever is first starts the new one, the other joins, and neither disturbs it."""
    with Live(tmp_path, "--workers", "2") as live:
        async with Client("rest", live) as client:
            table = await Table.deal(client, live.platform_key)
            for _ in range(3):
                os.kill(await asyncio.to_thread(answering, live, "supervisor_pid"), signal.SIGKILL)
                assert await table.move()
            await check(live, [table])
        assert live.stop() == 0


# A store that lost its last writes


@pytest.fixture
def lossy() -> Iterator[StoreServer]:
    # Always: so that a copy of its folder holds what was answered before.
    with StoreServer("--appendfsync", "always") as server:
        yield server


class Copy:
    """What a store had on its disk at one moment."""

    def __init__(self, server: StoreServer) -> None:
        self._server = server
        self._copy = server.folder / "copy"
        shutil.copytree(server.folder / "appendonlydir", self._copy)

    def restore(self) -> None:
        """Stop the store, forget what came since, start it again."""
        self._server.end()
        shutil.rmtree(self._server.folder / "appendonlydir")
        shutil.copytree(self._copy, self._server.folder / "appendonlydir")
        self._server.start()


@pytest.fixture(params=WAYS)
async def two(request: pytest.FixtureRequest, lossy: StoreServer) -> AsyncIterator[tuple[House, Client, Client]]:
    """Two services with memories of their own on one store, and a client of each."""
    way = request.param
    async with AsyncExitStack() as stack:
        homes = [await stack.enter_async_context(house(lossy.url, [GAME], transport=transport_of(way))) for _ in "12"]
        homes[1].credentials.replace(homes[0].keys)
        clients = [await stack.enter_async_context(Client(way, home)) for home in homes]
        yield homes[0], clients[0], clients[1]


async def pledge(table: Table, client: Client, seat: int, coins: int) -> Said:
    """A seat pledges, by way of one of the services."""
    table.client = client
    decision = (await table.view(seat))["decision"]["decisionId"]
    await table.submit(seat, decision, f"pledge:{coins}")
    return table.told[-1]


async def test_a_store_that_lost_writes_is_believed_more_than_any_memory(
    two: tuple[House, Client, Client], lossy: StoreServer
) -> None:
    home, first, second = two
    table = await Table.deal(first, home.key, "pledge", 3)
    await pledge(table, first, 0, 1)
    copy = Copy(lossy)
    await pledge(table, first, 1, 1)
    lost_tag = (await table.view(2))["etag"]
    table.client = second
    await table.view(2)
    highest = table.highest
    assert highest == 3
    await asyncio.to_thread(copy.restore)

    # Both services have version 3 in memory; the store has 2.
    for client in (first, second):
        ahead = await refused(client, "GetView", table.tokens[2], name=table.name, newerThan=highest)
        assert (ahead.code, ahead.reason, ahead.metadata) == ("ABORTED", "VERSION_AHEAD", {"current_version": "2"})
        now = await client.call("GetView", table.tokens[2], name=table.name)
        assert (now["version"], now["plugin"]["pledged"]) == (2, [True, False, False])
    mine = {"name": table.name, "decisionId": now["decision"]["decisionId"], "offerId": "pledge:3"}
    for client in (first, second):
        ahead = await refused(client, "SubmitMove", table.tokens[2], **mine, expectedVersion=highest)
        assert (ahead.code, ahead.reason, ahead.metadata) == ("ABORTED", "VERSION_AHEAD", {"current_version": "2"})

    # History goes on otherwise, by way of one service; the other one still has the lost version 3 in memory.
    done = await first.call("SubmitMove", table.tokens[2], **mine)
    assert (done["committedVersion"], done["replayed"]) == (3, False)
    now = await second.call("GetView", table.tokens[2], name=table.name)
    assert (now["version"], now["plugin"]["pledged"]) == (3, [True, False, True])
    # Another version 3 is another page: no cache may take one for the other.
    assert now["etag"] != lost_tag


async def test_who_repeats_a_lost_answer_gives_it_anew(two: tuple[House, Client, Client], lossy: StoreServer) -> None:
    home, first, second = two
    table = await Table.deal(first, home.key, "pledge", 3)
    copy = Copy(lossy)
    decision = (await table.view(1))["decision"]["decisionId"]
    request = {"name": table.name, "decisionId": decision, "offerId": "pledge:2", "requestId": fresh_id()}
    lost = await first.call("SubmitMove", table.tokens[1], **request)
    await asyncio.to_thread(copy.restore)
    again = await second.call("SubmitMove", table.tokens[1], **request)
    replay = await first.call("SubmitMove", table.tokens[1], **request)

    assert (lost["committedVersion"], again["committedVersion"], replay["committedVersion"]) == (2, 2, 2)
    assert (again["replayed"], replay["replayed"]) == (False, True)
    assert await history(lossy.url, "test", GAME, table.name) == [Said(2, 1, ("pledge:2",))]


async def test_a_stale_commit_never_lands_on_another_history(
    two: tuple[House, Client, Client], lossy: StoreServer
) -> None:
    """A service with the lost version in memory plans from it; the store, at the same number, must say no."""
    home, first, second = two
    table = await Table.deal(first, home.key, "pledge", 3)
    copy = Copy(lossy)
    decisions = [(await table.view(seat))["decision"]["decisionId"] for seat in range(3)]
    # Only the second service remembers the version 2 in which seat 0 pledged three.
    await second.call("SubmitMove", table.tokens[0], name=table.name, decisionId=decisions[0], offerId="pledge:3")
    await asyncio.to_thread(copy.restore)
    await first.call("SubmitMove", table.tokens[0], name=table.name, decisionId=decisions[0], offerId="pledge:1")
    done = await second.call(
        "SubmitMove", table.tokens[1], name=table.name, decisionId=decisions[1], offerId="pledge:2"
    )
    assert (done["committedVersion"], done["replayed"]) == (3, False)
    await first.call("SubmitMove", table.tokens[2], name=table.name, decisionId=decisions[2], offerId="pledge:1")

    for client in (first, second):
        view = await client.call("GetView", table.tokens[0], name=table.name)
        assert view["plugin"]["totals"] == [1, 2, 1]
    logged = await history(lossy.url, "test", GAME, table.name)
    assert logged == [Said(2, 0, ("pledge:1",)), Said(3, 1, ("pledge:2",)), Said(4, 2, ("pledge:1",))]
