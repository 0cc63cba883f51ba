"""Clocks of real processes: each policy over each way, and servers that die while a clock runs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from engine.core import installed
from service.callers import ALL_SCOPES
from service.keys import add_platform, new_keys, write_keys
from service.redis_keys import SWEEPING
from service.verify import verify
from tests.service.client import Client, until_done
from tests.service.clocks.rounds import BOT, MOVE, RESIGN
from tests.service.live import Live, body
from tests.service.players import Table, refused
from tests.service.store.harness import PATIENCE, Server

SHORT = {"perDecision": "1s"}


@pytest.fixture(params=["rest", "grpc"])
async def client(request: pytest.FixtureRequest, live: Live) -> AsyncIterator[Client]:
    """REST and gRPC to a running server on each transport."""
    async with Client("rest" if request.param == "rest" else live.transport, live) as made:
        yield made


async def deal(client: Client, key: str, game_type: str = "sevens", seats: int = 3, **clock: Any) -> Table:
    made = await until_done(client, "CreateGame", key, **body(seats, game_type, clock={**SHORT, **clock}))
    return Table(client, made)


async def asked(client: Client, key: str, **clock: Any) -> tuple[Table, dict[str, Any]]:
    """A new game, and the first decision in it as its seat sees it before the clock acts."""
    while True:
        table = await deal(client, key, **clock)
        view = await table.view(table.awaiting[0])
        if view["version"] == 1:
            return table, view["decision"]


async def newer(client: Client, key: str, table: Table, version: int) -> dict[str, Any]:
    """The spectators' view of a version above this one, once there is one."""
    request: dict[str, Any] = {"name": table.name, "spectator": True, "newerThan": version, "wait": "5s"}
    view: dict[str, Any] = {"version": version}
    deadline = time.monotonic() + PATIENCE
    while view["version"] <= version:
        assert time.monotonic() < deadline, "the clock never acted"
        view = await until_done(client, "GetView", key, **request)
    return view


async def until_over(client: Client, key: str, table: Table) -> dict[str, Any]:
    view = await newer(client, key, table, 0)
    while view["state"] == "GAME_STATE_ACTIVE":
        view = await newer(client, key, table, view["version"])
    return view


async def events(client: Client, key: str, table: Table) -> list[dict[str, Any]]:
    answer = await client.call("ListEvents", key, name=table.name, spectator=True, pageSize=1000)
    told: list[dict[str, Any]] = answer["events"]
    return told


async def test_the_clock_moves_and_a_late_answer_is_refused(live: Live, client: Client) -> None:
    key = live.platform_key
    table, decision = await asked(client, key)
    seat = table.awaiting[0]
    view = await newer(client, key, table, 1)
    first = (await events(client, key, table))[0]
    assert (first["seat"], first["timedOut"]) == (seat, {"onTimeout": MOVE})
    assert first["time"] >= decision["deadline"]
    late = {"name": table.name, "decisionId": decision["decisionId"], "offerId": "no such"}
    assert (await refused(client, "SubmitMove", table.tokens[seat], **late)).reason in (
        "DECISION_ALREADY_ANSWERED",
        "GAME_OVER",
    )
    same = await client.call("SubmitMove", table.tokens[seat], **{**late, "offerId": decision["timeoutOfferId"]})
    assert (same["replayed"], same["committedVersion"]) == (True, 2)
    assert view["version"] >= 2


async def test_a_bot_takes_over_and_the_player_comes_back(live: Live, client: Client) -> None:
    key = live.platform_key
    table = await deal(client, key, onTimeout=BOT)
    seat = table.awaiting[0]
    view = await newer(client, key, table, 1)
    assert view["seats"][seat]["controller"] == "CONTROLLER_BOT"
    told = await events(client, key, table)
    assert [event["text"]["key"] for event in told][:2] == ["table.timed_out.bot_takes_over", "table.seat_changed.bot"]
    back = {"name": f"{table.name}/seats/{seat}", "controller": "CONTROLLER_HUMAN"}
    game = await client.call("SetSeatController", key, **back)
    assert game["seats"][seat]["controller"] == "CONTROLLER_HUMAN"


async def test_who_lets_the_time_run_out_resigns(live: Live, client: Client) -> None:
    key = live.platform_key
    table = await deal(client, key, "euchre", 4, onTimeout=RESIGN)
    seat = table.awaiting[0]
    view = await until_over(client, key, table)
    assert view["version"] == 2
    assert [place["rank"] for place in view["result"]["placements"]] == [
        2 if i % 2 == seat % 2 else 1 for i in range(4)
    ]
    told = [event["text"]["key"] for event in await events(client, key, table)]
    assert told == ["table.timed_out.resign", "table.seat_changed.resigned"]


async def test_an_answer_in_time_begins_the_next_player_s_time(live: Live, client: Client) -> None:
    key = live.platform_key
    table = await deal(client, key, perDecision="3600s", perGame="60s")
    first = await table.view(table.awaiting[0])
    assert await table.move()
    view = await client.call("GetView", key, name=table.name, spectator=True)
    assert view["awaiting"][0]["deadline"] > first["decision"]["deadline"]
    assert [clock["timeLeft"] for clock in view["clocks"]] == ["60s"] * 3
    assert not [event for event in await events(client, key, table) if "timedOut" in event]


class Replicas(NamedTuple):
    """Servers that share a store and a keys file; ``key`` is a platform key."""

    one: Live
    two: Live
    key: str
    store: Server


@pytest.fixture
def replicas(tmp_path: Path) -> Iterator[Replicas]:
    keys, key = add_platform(new_keys(), "test", tuple(sorted(ALL_SCOPES)))
    write_keys(tmp_path / "keys.json", keys)
    with Server() as store:
        flags = ("--redis-url", store.url, "--keys-file", str(tmp_path / "keys.json"))
        with Live(tmp_path / "one", *flags) as one, Live(tmp_path / "two", *flags) as two:
            yield Replicas(one, two, key, store)


async def test_when_the_server_that_dealt_is_killed_another_acts(replicas: Replicas) -> None:
    one, two, key, _ = replicas
    async with Client("rest", one) as dealer, Client("rest", two) as watcher:
        table = await deal(dealer, key, perDecision="1s", perGame="1s")
        one.kill()
        view = await newer(watcher, key, table, 1)
        exported = await watcher.call("ExportGame", key, name=table.name)
    assert verify(installed(), exported["export"]) >= view["version"] - 1 >= 1


async def test_servers_come_and_go_and_every_clock_acts_once(replicas: Replicas) -> None:
    one, two, key, _ = replicas
    async with Client("rest", two) as client:
        tables = [await deal(client, key, "sevens", onTimeout=RESIGN) for _ in range(20)]
        while True:
            one.kill()
            await asyncio.to_thread(one.start)
            games = [await client.call("GetGame", key, name=table.name) for table in tables]
            if not any(game["state"] == "GAME_STATE_ACTIVE" for game in games):
                break
        for table in tables:
            told = await events(client, key, table)
            versions = [event["version"] for event in told if "timedOut" in event]
            assert len(versions) == len(set(versions))
            left = [event["seat"] for event in told if "seatChanged" in event]
            assert len(left) == len(set(left)) == 2


async def test_a_deadline_that_passed_while_nobody_was_there_is_kept_afterwards(replicas: Replicas) -> None:
    one, two, key, _ = replicas
    async with Client("rest", one) as client:
        table = await deal(client, key)
        one.kill()
        two.kill()
        # Its time is over, and no server is there.
        await asyncio.sleep(1.5)
        one.start()
        first = (await newer(client, key, table, 1))["version"]
        assert first >= 2
        assert (await events(client, key, table))[0]["timedOut"] == {"onTimeout": MOVE}


async def test_nobody_resigns_by_an_outage(replicas: Replicas) -> None:
    one, two, key, store = replicas
    async with Client("rest", one) as client:
        table = await deal(client, key, onTimeout=RESIGN)
        one.kill()
        two.kill()
        # So it would be if this went on for five seconds.
        store.admin().delete(SWEEPING)
        await asyncio.sleep(1.5)
        one.start()
        assert await table.move()
        assert not [event for event in await events(client, key, table) if "timedOut" in event]
    assert "clocks_resumed" in (one.folder / "log").read_text()
