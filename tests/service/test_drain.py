"""The life of the process: its end on a signal, its workers, and what it says when it cannot begin."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import httpx
import pytest
import redis.asyncio
from grpc_health.v1 import health_pb2, health_pb2_grpc

from tests.service.client import WAYS, Client, Refused, Unanswered, transport_of, until_done
from tests.service.live import STOP_SECONDS, TRANSPORTS, Live, body
from tests.service.store.harness import PATIENCE, until_async
from tests.service.store.processes import alive, children_of

Outcome = dict[str, Any] | Refused | Unanswered


async def outcome(client: Client, rpc: str, token: str, **request: Any) -> Outcome:
    """An answer or a typed refusal; anything else fails the test."""
    try:
        return await client.call(rpc, token, **request)
    except (Refused, Unanswered) as refused:
        return refused


def was_typed(answer: Outcome) -> bool:
    return not isinstance(answer, Refused) or (answer.code == "UNAVAILABLE" and answer.reason == "DRAINING")


async def deal(client: Client, key: str, seats: int = 4, game_type: str = "euchre") -> tuple[str, list[str]]:
    made = await client.call("CreateGame", key, **body(seats, game_type))
    return made["game"]["name"], [seat["token"] for seat in made["seatTokens"]]


async def listening(live: Live, polls: int) -> None:
    """Return when so many long polls wait for a wake-up."""
    async with redis.asyncio.Redis(unix_socket_path=live.store_socket) as admin:
        async with asyncio.timeout(PATIENCE):
            while len(await admin.pubsub_channels("rookery:*")) < polls:  # noqa: ASYNC110 - the store has no event for it
                await asyncio.sleep(0.01)


async def exit_code(live: Live) -> int:
    assert live.process is not None
    code = await asyncio.to_thread(live.process.wait, STOP_SECONDS)
    live.process = None
    return code


@asynccontextmanager
async def stuck(live: Live, client: Client) -> AsyncIterator[asyncio.Task[Outcome]]:
    """A move that the store has taken in and does not answer; the store ends with the server."""
    name, tokens = await deal(client, live.platform_key)
    game = await client.call("GetGame", live.platform_key, name=name)
    token = tokens[game["awaiting"][0]["seat"]]
    decision = (await client.call("GetView", token, name=name))["decision"]
    asked = {"name": name, "decisionId": decision["decisionId"], "offerId": decision["offers"][0]["offerId"]}
    async with redis.asyncio.Redis(unix_socket_path=live.store_socket) as admin:
        await admin.client_pause(60_000, all=False)
        call = asyncio.create_task(outcome(client, "SubmitMove", token, **asked))
        async with asyncio.timeout(PATIENCE):
            while not (await admin.info("clients"))["blocked_clients"]:  # noqa: ASYNC110 - the store has no event for it
                await asyncio.sleep(0.01)
    yield call


@pytest.mark.parametrize("way", WAYS)
async def test_sigterm_ends_long_polls_and_says_so_to_health_checks(way: str, tmp_path: Path) -> None:
    with Live(tmp_path, "--grace", "20", transport=transport_of(way)) as live:
        async with Client(way, live) as client, grpc.aio.insecure_channel(live.grpc) as channel:
            games = [await deal(client, live.platform_key) for _ in range(3)]
            stub: Any = health_pb2_grpc.HealthStub(channel)
            watch = stub.Watch(health_pb2.HealthCheckRequest())
            assert (await watch.read()).status == health_pb2.HealthCheckResponse.SERVING
            polls = [
                asyncio.create_task(
                    outcome(client, "GetView", tokens[0], name=name, newerThan=1, wait="30s"), name=f"poll {name}"
                )
                for name, tokens in games
            ]
            await listening(live, len(polls))
            assert live.process is not None
            live.process.send_signal(signal.SIGTERM)

            assert (await watch.read()).status == health_pb2.HealthCheckResponse.NOT_SERVING
            # They end early, with what there is: what is still there after the grace is refused.
            for answer in await asyncio.gather(*polls):
                assert isinstance(answer, dict), answer
                assert answer["version"] == 1
            assert await exit_code(live) == 0
        assert '"event":"stopped"' in live.log.read_text()


@pytest.mark.parametrize("way", WAYS)
async def test_submits_under_load_finish_or_are_refused_and_are_done_once(way: str, tmp_path: Path) -> None:
    """Every client repeats what was not answered when the server is back; nothing is lost, nothing is done twice."""
    with Live(tmp_path, "--grace", "10", transport=transport_of(way)) as live:
        async with Client(way, live) as client:
            games = [await deal(client, live.platform_key) for _ in range(8)]
            seen: list[Outcome] = []
            # Whoever hears a no waits here until the server is back.
            back = asyncio.Event()

            async def play(name: str, tokens: list[str], moves: int) -> None:
                version, view = 1, await client.call("GetGame", live.platform_key, name=name)
                while version <= moves:
                    token = tokens[view["awaiting"][0]["seat"]]
                    mine = await until_done(client, "GetView", token, name=name)
                    assert mine["version"] == version
                    asked = mine["decision"]["decisionId"]
                    offer = mine["decision"]["offers"][0]["offerId"]
                    answer = await outcome(client, "SubmitMove", token, name=name, decisionId=asked, offerId=offer)
                    seen.append(answer)
                    if not isinstance(answer, dict):
                        await back.wait()
                        answer = await until_done(
                            client, "SubmitMove", token, name=name, decisionId=asked, offerId=offer
                        )
                    version += 1
                    assert answer["committedVersion"] == version
                    view = answer["view"]

            players = [asyncio.create_task(play(*game, 30)) for game in games]
            await until_async(lambda: len(seen) >= 40, "the load is on")
            assert live.process is not None
            live.process.send_signal(signal.SIGTERM)
            assert await exit_code(live) == 0
            live.start()
            back.set()
            await asyncio.gather(*players)
        assert all(was_typed(answer) for answer in seen)


@pytest.mark.parametrize("way", WAYS)
async def test_what_outlives_the_grace_is_refused(way: str, tmp_path: Path) -> None:
    with Live(tmp_path, "--grace", "0.3", transport=transport_of(way)) as live:
        async with Client(way, live) as client, stuck(live, client) as call:
            assert live.process is not None
            live.process.send_signal(signal.SIGTERM)
            answer = await call
            assert isinstance(answer, Refused), answer
            assert (answer.code, answer.reason) == ("UNAVAILABLE", "DRAINING")
            assert answer.detail("RetryInfo") is not None
            assert await exit_code(live) == 0


@pytest.mark.parametrize(("way", "workers"), [*((way, 1) for way in WAYS), ("rest", 2)])
async def test_new_calls_during_the_drain_hear_of_it_and_a_second_sigterm_ends_it(
    way: str, workers: int, tmp_path: Path
) -> None:
    with Live(tmp_path, "--grace", "300", "--workers", str(workers), transport=transport_of(way)) as live:
        async with (
            Client(way, live) as client,
            httpx.AsyncClient(base_url=live.http) as probe,
            stuck(live, client) as call,
        ):
            assert live.process is not None
            live.process.send_signal(signal.SIGTERM)
            await until_async(lambda: live.log.read_text().count('"event":"draining"') == workers, "it drains")
            if workers == 1:
                # Of several workers the idle ones are gone by now.
                answer = await outcome(client, "ListGameTypes", "")
                assert isinstance(answer, Refused), answer
                assert answer.reason == "DRAINING"
                assert (await probe.get("/healthz")).status_code == 200
                ready = await probe.get("/readyz")
                assert (ready.status_code, ready.json()["reason"]) == (503, "draining")
            live.process.send_signal(signal.SIGTERM)
            assert await exit_code(live) == 1
            assert not isinstance(await call, dict)


# Workers


def workers_of(live: Live) -> list[int]:
    assert live.process is not None
    return sorted(children_of(live.process.pid))


def calls_counted(page: str, rpc: str) -> int:
    """How many calls of an RPC the figures count."""
    counts = re.findall(rf'rookery_call_seconds_count{{[^}}]*rpc="{rpc}"[^}}]*}} ([0-9.]+)', page)
    return int(sum(map(float, counts)))


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_workers_share_ports_and_figures_and_are_replaced(transport: str, tmp_path: Path) -> None:
    with Live(tmp_path, "--workers", "2", transport=transport) as live:
        calls = 0

        async def ask(ways: tuple[str, ...] = ("rest", transport)) -> None:
            """A new connection on each side: the kernel gives them to either worker."""
            nonlocal calls
            for way in ways:
                async with Client(way, live) as client:
                    await until_done(client, "ListGameTypes", "")
                    calls += 1

        for _ in range(8):
            await ask()
        async with httpx.AsyncClient(base_url=live.http) as probe:
            assert calls_counted((await probe.get("/metrics")).text, "ListGameTypes") == calls
        before = workers_of(live)
        assert len(before) == 2
        await ready(live, 2)
        os.kill(before[0], signal.SIGKILL)
        # The other one goes on serving meanwhile.
        async with Client("rest", live) as client:
            await until_done(client, "CreateGame", live.platform_key, **body(4, "euchre"))
        await until_async(lambda: len(workers_of(live)) == 2 and before[0] not in workers_of(live), "a new worker")
        await ready(live, 3)
        async with httpx.AsyncClient(base_url=live.http) as probe:
            # What the dead one counted is not forgotten.
            assert calls_counted((await probe.get("/metrics")).text, "ListGameTypes") >= calls
        assert live.stop() == 0
        assert not any(alive(pid) for pid in before)


async def ready(live: Live, starts: int) -> None:
    """Return when so many workers have said in the log that they serve, those of before included.

    Lines are written a moment later: whoever is killed before takes them along, so wait before killing too.
    """
    await until_async(lambda: live.log.read_text().count('"event":"ready"') == starts, "the workers are ready")


async def test_streams_of_killed_workers_are_open_no_more(tmp_path: Path) -> None:
    with Live(tmp_path, "--workers", "2") as live:

        async def streams() -> float:
            async with httpx.AsyncClient(base_url=live.http) as probe:
                lines = (await probe.get("/metrics")).text.splitlines()
            return sum(float(line.split()[1]) for line in lines if line.startswith("rookery_streams{"))

        async with Client("rest", live) as client, live.rest() as platform:
            name, _ = await deal(client, live.platform_key)
            async with platform.stream("GET", f"{name}:watch", params={"spectator": "true"}) as watching:
                await anext(watching.aiter_lines())
                assert await streams() == 1
                await ready(live, 2)
                for worker in workers_of(live):
                    os.kill(worker, signal.SIGKILL)
        await ready(live, 4)
        assert await streams() == 0
        assert live.stop() == 0


async def test_workers_drain_once_on_ctrl_c(tmp_path: Path) -> None:
    """Ctrl-C reaches the whole group of the terminal; a worker that heard it twice would leave at once."""
    live = Live(tmp_path, "--workers", "2", "--grace", "20")
    try:
        live.start(group=True)
        async with Client("rest", live) as client:
            name, tokens = await deal(client, live.platform_key)
            poll = asyncio.create_task(outcome(client, "GetView", tokens[0], name=name, newerThan=1, wait="30s"))
            await listening(live, 1)
            assert live.process is not None
            os.killpg(live.process.pid, signal.SIGINT)
            answer = await poll
            assert isinstance(answer, dict), answer
        assert await exit_code(live) == 0
        assert live.log.read_text().count('"event":"stopped"') == 2
    finally:
        live.kill()


async def test_workers_leave_when_their_supervisor_is_killed(tmp_path: Path) -> None:
    live = Live(tmp_path, "--workers", "2")
    with live:
        workers = workers_of(live)
        live.kill()
        await until_async(lambda: not any(alive(pid) for pid in workers), "the workers leave")
    assert live.log.read_text().count('"event":"stopped"') == 2


async def test_a_signal_while_workers_start_is_no_failure(tmp_path: Path) -> None:
    live = Live(tmp_path, "--workers", "2")
    with live:
        victim = workers_of(live)[0]
        os.kill(victim, signal.SIGKILL)
        await until_async(lambda: victim not in workers_of(live), "it is seen")
        await until_async(lambda: len(workers_of(live)) == 2, "another one starts")
        assert live.stop() == 0
