"""What goes wrong with connections: they break, they stall, they are forgotten; and the server leaves."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from service import dispatch
from service.callers import ALL_SCOPES, Platform
from service.resources import SubmitMoveRequest
from tests.service.client import Client, Refused
from tests.service.house import House
from tests.service.live import TRANSPORTS, Live
from tests.service.live_games.play import Table, deal, rounds
from tests.service.live_games.streams import Message, ending, kind_of, stream, take, transport_of, version_of
from tests.service.store.harness import until_async
from tests.service.test_drain import deal as deal_live
from tests.service.test_drain import exit_code


async def listen(
    way: str, home: House, table: Table, seat: int | None, token: str, chance: random.Random
) -> list[Message]:
    """Watch to the end over a connection that breaks at random; every change that was heard."""
    heard: list[Message] = []
    told = 0
    while True:
        patience = chance.randrange(1, 8)
        async with stream(way, home, token, name=table.name, afterVersion=told, clientId=f"c{seat}") as messages:
            # Until it breaks: behind some message, or in the middle of the wait for one.
            for _ in range(patience):
                try:
                    async with asyncio.timeout(chance.choice([0.01, 0.1, 10])):
                        message = await anext(messages)
                except TimeoutError:
                    break
                if "ended" in message:
                    return heard
                assert version_of(message) >= told
                if "change" in message:
                    told = version_of(message)
                    heard.append(message["change"])


@pytest.mark.parametrize("seed", range(2))
async def test_whatever_breaks_everybody_hears_everything_once(way: str, home: House, seed: int) -> None:
    chance = random.Random(f"{way} {seed}")
    async with deal(home, chance=str(seed), **rounds(8)) as table:
        tokens = dict(enumerate(table.tokens)) | {None: await table.spectator()}
        listening = [
            asyncio.create_task(listen(way, home, table, seat, token, chance)) for seat, token in tokens.items()
        ]
        while not table.over:
            await table.move(chance.randrange(1, 5))
            await asyncio.sleep(chance.choice([0, 0, 0.02, 0.1]))
        async with asyncio.timeout(60):
            every = await asyncio.gather(*listening)
        for seat, heard in zip(tokens, every, strict=True):
            assert [change["version"] for change in heard] == list(range(1, table.version + 1))
            viewer = {"spectator": "true"} if seat is None else {"seat": seat}
            log = await table.get(f"{table.name}/events", pageSize=1000, **viewer)
            assert [event for change in heard for event in change["events"]] == log["events"]
            # Whichever change brought a view brought the one of its version.
            for change in heard:
                if "view" in change:
                    then = await table.get(f"{table.name}/view", version=change["version"], **viewer)
                    own = {key: change["view"][key] for key in ("decision", "etag") if key in change["view"]}
                    assert change["view"] == then | own
    await until_async(lambda: home.app.streams == 0, "every place is free")


CROWD = [{"displayName": "x" * 100}] * 64


async def crowd(home: House, table: Table, moves: int) -> None:
    """So many commits, each heard by whoever listens before the next one."""
    platform = Platform("test", frozenset(ALL_SCOPES), "crowd")
    for _ in range(moves):
        seat = table.awaiting[0]
        decision = (await table.view(seat, parts="PART_EVENTS"))["decision"]["decisionId"]
        request = SubmitMoveRequest(table.name, seat=seat, decision_id=decision, offer_id="pledge:1")
        done = await home.app.submit_move(platform, request)
        assert done.view is not None
        table.version = done.committed_version or 0
        table.awaiting = [entry.seat for entry in done.view.awaiting]
        await asyncio.sleep(0.004)


async def test_a_reader_that_stalls_gets_a_snapshot_and_costs_no_memory(way: str, home: House) -> None:
    """Hundreds of views of some 10 KB fill every buffer between; what is behind them is never made."""
    async with deal(home, players=CROWD, **rounds(20)) as table:
        parts = ["PART_DETAIL", "PART_OFFERS", "PART_SCENE"]
        async with stream(way, home, table.tokens[0], name=table.name, parts=parts) as messages:
            await take(messages, 1)
            await crowd(home, table, 300)
            told, jumps = 1, []
            async with asyncio.timeout(60):
                while told < table.version:
                    message = await anext(messages)
                    version = version_of(message)
                    if kind_of(message) == "snapshot":
                        jumps.append(version - told)
                    else:
                        assert version == told + 1
                    told = version
            assert jumps
            assert max(jumps) > 100


async def test_a_reader_that_takes_nothing_is_let_go(way: str, home: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatch, "STALLED_SECONDS", 2)
    async with deal(home, players=CROWD, **rounds(20)) as table, AsyncExitStack() as stalled:
        for _ in range(8):
            messages = await stalled.enter_async_context(stream(way, home, table.tokens[0], name=table.name))
            await take(messages, 1)
        async with stream(way, home, table.tokens[1], name=table.name) as messages:
            await take(messages, 1)
            busy = asyncio.create_task(crowd(home, table, 300))
            # Whoever reads is not kept waiting by those who do not.
            told = 1
            while told < 301:
                async with asyncio.timeout(10):
                    told = version_of(await anext(messages))
            await busy
            await until_async(lambda: home.app.streams == 1, "the others are let go")


# A process that leaves


@pytest.mark.parametrize("way", ["ndjson", "sse", "grpcio", "native"])
async def test_sigterm_ends_streams_at_once(way: str, tmp_path: Path) -> None:
    with Live(tmp_path, "--grace", "300", transport=transport_of(way)) as live:
        async with Client("rest", live) as client:
            name, tokens = await deal_live(client, live.platform_key)
            async with AsyncExitStack() as many:
                streams = []
                for token in tokens:
                    streams.append(await many.enter_async_context(stream(way, live, token, name=name)))
                    await take(streams[-1], 1)
                updates = await many.enter_async_context(stream(way, live, live.platform_key, "WatchUpdates"))
                await anext(updates)
                assert live.process is not None
                live.process.send_signal(signal.SIGTERM)
                for refused in await asyncio.gather(*(ending(messages) for messages in [*streams, updates])):
                    assert (refused.code, refused.reason) == ("UNAVAILABLE", "DRAINING")
                # Long before the grace is over: nobody waits for that long.
                assert await exit_code(live) == 0


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_watchers_of_one_game_on_several_workers(transport: str, tmp_path: Path) -> None:
    way = {"grpcio": "ndjson", "native": "native"}[transport]
    with Live(tmp_path, "--workers", "2", transport=transport) as live:
        async with Client("rest", live) as client, AsyncExitStack() as many:
            name, tokens = await deal_live(client, live.platform_key)
            watching = [await many.enter_async_context(stream(way, live, tokens[0], name=name)) for _ in range(8)]
            for messages in watching:
                await take(messages, 1)
            for version in range(2, 12):
                game = await client.call("GetGame", live.platform_key, name=name)
                token = tokens[game["awaiting"][0]["seat"]]
                decision = (await client.call("GetView", token, name=name))["decision"]
                answer = {"decisionId": decision["decisionId"], "offerId": decision["offers"][0]["offerId"]}
                await client.call("SubmitMove", token, name=name, **answer)
                for messages in watching:
                    assert [version_of(message) for message in await take(messages, 1)] == [version]
        assert live.stop() == 0


async def test_the_store_goes_away_and_comes_back(way: str, tmp_path: Path) -> None:
    """A stream that the store's death ends, ends typed; the next one goes on where it was."""
    with Live(tmp_path, "--store-fsync", "always", transport=transport_of(way)) as live:
        async with Client("rest", live) as client:
            name, tokens = await deal_live(client, live.platform_key)
            async with stream(way, live, tokens[0], name=name) as messages:
                await take(messages, 1)
                os.kill(live.store_pid, signal.SIGKILL)
                # Waits begin anew on the new store, or end with a word.
                found = await _next_or_refusal(messages)
                assert found in ("STORE_UNAVAILABLE", "quiet")
            async with asyncio.timeout(30):
                while True:
                    async with stream(way, live, tokens[0], name=name, afterVersion=1) as messages:
                        if await _next_or_refusal(messages) == "quiet":
                            break
                    await asyncio.sleep(0.1)


async def _next_or_refusal(messages: Any) -> str:
    try:
        async with asyncio.timeout(3):
            message = await anext(messages)
    except TimeoutError:
        return "quiet"
    except Refused as refused:
        return refused.reason
    assert "bookmark" in message
    return "quiet"
