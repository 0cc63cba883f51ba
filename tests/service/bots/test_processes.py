"""Bots play through real processes, whatever is killed; and never in a process that answers requests."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import redis

from engine.core import installed
from service.redis_keys import bots as bots_stream
from tests.service.bots.table import LEVELS, bot, bot_processes, check_log, deal, seen, until_over, until_version
from tests.service.live import Live
from tests.service.store.harness import PATIENCE, until_async
from tests.service.store.processes import children_of, gone

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")

GAMES = [(game_type, installed().get(game_type).seat_counts[0]) for game_type in installed().game_types]
FASTER = ("DECISION_STALE", "NOT_YOUR_DECISION", "GAME_OVER")
QUICK = ("--bot-budget", "0.01")


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with Live(tmp_path_factory.mktemp("bots"), *QUICK, bot_workers=1) as running:
        yield running


@pytest.fixture
async def platform(live: Live) -> AsyncIterator[httpx.AsyncClient]:
    async with live.rest() as client:
        yield client


@pytest.mark.parametrize(("game_type", "seats"), GAMES)
async def test_bots_among_themselves(live: Live, platform: httpx.AsyncClient, game_type: str, seats: int) -> None:
    made = await deal(platform, game_type, [bot(LEVELS[i % 3]) for i in range(seats)])
    over = await until_over(live, made["game"]["name"])

    assert over["state"] == "GAME_STATE_FINISHED"
    assert [seat["botLevel"] for seat in over["seats"]] == [LEVELS[i % 3] for i in range(seats)]
    assert {seat["controller"] for seat in over["seats"]} == {"CONTROLLER_BOT"}
    assert check_log(live, over["name"]) == over["version"] - 1


@pytest.mark.parametrize(("game_type", "seats"), GAMES)
async def test_a_person_against_bots(live: Live, platform: httpx.AsyncClient, game_type: str, seats: int) -> None:
    made = await deal(platform, game_type, [{}, *(bot("BOT_LEVEL_BASIC") for _ in range(seats - 1))])
    name, token = made["game"]["name"], made["seatTokens"][0]["token"]
    rng = random.Random(game_type)
    answered = 0
    async with live.rest(token) as person:
        view: dict[str, Any] = (await person.get(f"{name}/view")).raise_for_status().json()
        while view["state"] == "GAME_STATE_ACTIVE":
            if "decision" in view:
                offer = rng.choice(view["decision"]["offers"])["offerId"]
                answer = {"decisionId": view["decision"]["decisionId"], "offerId": offer}
                done = await person.post(f"{name}:submitMove", json=answer)
                if done.is_success:
                    view = done.json()["view"]
                    answered += 1
                    continue
                # A bot was faster, and its answer changed the question or answered it for all.
                assert done.json()["error"]["details"][0]["reason"] in FASTER
                view = (await person.get(f"{name}/view")).raise_for_status().json()
            else:
                newer = {"newerThan": view["version"], "wait": "20s"}
                view = (await person.get(f"{name}/view", params=newer)).raise_for_status().json()
    assert view["state"] == "GAME_STATE_FINISHED"
    assert check_log(live, name) >= answered > 0


async def test_bots_take_over_where_people_leave(live: Live, platform: httpx.AsyncClient) -> None:
    """One seat by the platform, the others by the clock, one after the other."""
    clock = {"perDecision": "1s", "onTimeout": "ON_TIMEOUT_BOT_TAKES_OVER"}
    made = await deal(platform, "sevens", [{}, {"botLevel": "BOT_LEVEL_RANDOM"}, {}], clock=clock)
    name = made["game"]["name"]
    told = await platform.post(f"{name}/seats/0:setController", json={"controller": "CONTROLLER_BOT"})
    told.raise_for_status()
    over = await until_over(live, name)
    assert over["state"] == "GAME_STATE_FINISHED"
    seats = [(seat["controller"], seat["botLevel"]) for seat in over["seats"]]
    assert seats == [("CONTROLLER_BOT", f"BOT_LEVEL_{level}") for level in ("BASIC", "RANDOM", "BASIC")]


async def test_a_killed_worker_is_replaced_and_its_game_goes_on(tmp_path: Path) -> None:
    with Live(tmp_path, "--bot-budget", "0.2", bot_workers=1) as live:
        assert live.process is not None
        server = live.process.pid
        async with live.rest() as platform:
            made = await deal(platform, "sevens", [bot("BOT_LEVEL_STRONG"), bot(), bot()])
        name = made["game"]["name"]
        await until_version(live, name, 3)
        killed = bot_processes(server)
        assert len(killed) == 1
        os.kill(killed[0], signal.SIGKILL)
        await until_async(lambda: bot_processes(server) not in ([], killed), "another worker")
        over = await until_over(live, name)
        check_log(live, over["name"])
        assert live.stop() == 0


async def two_workers(server: int) -> list[int]:
    await until_async(lambda: len(bot_processes(server)) == 2, "the workers")
    return bot_processes(server)


async def test_a_killed_server_takes_its_workers_along_and_the_game_goes_on_with_the_next(tmp_path: Path) -> None:
    with Live(tmp_path, *QUICK, bot_workers=2) as live:
        assert live.process is not None
        workers = await two_workers(live.process.pid)
        async with live.rest() as platform:
            made = await deal(platform, "euchre", [bot("BOT_LEVEL_STRONG"), bot(), bot(), bot()])
        name = made["game"]["name"]
        await until_version(live, name, 5)
        live.kill()
        for pid in workers:
            gone(pid)
        live.start()
        over = await until_over(live, name)
        check_log(live, over["name"])


async def test_several_workers_share_the_games_and_answer_each_question_once(tmp_path: Path) -> None:
    with Live(tmp_path, *QUICK, "--log-level", "debug", bot_workers=2) as live:
        # Or one of them plays all the games while the other is still starting.
        await until_async(lambda: live.log.read_text().count('"bots_ready"') == 2, "the workers")
        async with live.rest() as platform:
            names = []
            for i in range(12):
                seats = [bot(LEVELS[(i + j) % 3]) for j in range(3)]
                names.append((await deal(platform, "sevens", seats))["game"]["name"])
        moves = 0
        for name in names:
            await until_over(live, name)
            moves += check_log(live, name)
        assert live.stop() == 0
    said = live.log.read_text()
    assert said.count('"bot_decided"') >= moves > 0
    for wrong in ("bot_failed", "bots_cannot", "bots_wait", "Traceback"):
        assert wrong not in said


async def test_several_servers_have_their_bots_from_the_supervisor(tmp_path: Path) -> None:
    with Live(tmp_path, *QUICK, "--workers", "2", bot_workers=1) as live:
        assert live.process is not None
        server = live.process.pid
        async with live.rest() as platform:
            made = await deal(platform, "sevens", [bot(), bot(), bot()])
        await until_over(live, made["game"]["name"])
        assert len(bot_processes(server)) == 1
        assert [bot_processes(child) for child in children_of(server)] == [[], [], []]
        assert live.stop() == 0


async def told(live: Live, metric: str) -> float:
    """A figure of the metrics, once it is not 0."""
    async with live.rest() as platform, asyncio.timeout(PATIENCE):
        while True:
            page = (await platform.get("../metrics")).text
            figure = float(page.partition(f"\n{metric} ")[2].partition("\n")[0])
            if figure:
                return figure


async def test_nobody_decides_in_a_server_and_workers_may_run_elsewhere(tmp_path: Path) -> None:
    with Live(tmp_path, bot_workers=0) as live:
        assert live.process is not None
        assert bot_processes(live.process.pid) == []
        async with live.rest() as platform:
            made = await deal(platform, "sevens", [bot(), bot(), bot()])
            name = made["game"]["name"]
            # Requests that look at the game do not move it.
            for _ in range(5):
                await platform.get(f"{name}/view", params={"spectator": "true"})
        assert (await seen(live, name))["version"] == 1
        assert await told(live, "rookery_bots_queue") == 1
        command = [sys.executable, "-m", "service.main", "bots", "--data-dir", str(tmp_path / "data")]
        elsewhere = await asyncio.create_subprocess_exec(*command, stderr=subprocess.DEVNULL)
        try:
            await until_over(live, name)
        finally:
            elsewhere.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(elsewhere.wait(), PATIENCE) == 0


async def test_a_worker_that_must_leave_decides_at_once(tmp_path: Path) -> None:
    with Live(tmp_path, bot_workers=0) as live:
        async with live.rest() as platform:
            made = await deal(platform, "sevens", [bot("BOT_LEVEL_STRONG") for _ in range(3)])
        name = made["game"]["name"]
        command = [sys.executable, "-m", "service.main", "bots", "--data-dir", str(tmp_path / "data")]
        worker = await asyncio.create_subprocess_exec(*command, "--bot-budget", "60", stderr=subprocess.DEVNULL)
        stream = bots_stream(name.removeprefix("games/")[0])
        with redis.Redis(unix_socket_path=live.store_socket) as admin:

            def held() -> Any:
                groups: Any = admin.xinfo_groups(stream)
                return [group["pending"] for group in groups]

            await until_async(lambda: held() == [1], "it thinks")
            assert (await seen(live, name))["version"] == 1
            worker.send_signal(signal.SIGTERM)
            assert await asyncio.wait_for(worker.wait(), PATIENCE) == 0
            assert (await seen(live, name))["version"] == 2
            # What is asked next is another errand, which nobody has taken yet.
            assert held() == [0]
            assert admin.xlen(stream) == 1


@pytest.mark.parametrize(
    ("flags", "word"),
    [
        (("--bot-budget", "0"), "--bot-budget"),
        (("--bot-budget", "soon"), "--bot-budget"),
        (("--redis-url", "http://127.0.0.1"), "--redis-url"),
        (("--redis-url", "redis://127.0.0.1:1"), "the store at"),
    ],
)
def test_a_worker_that_cannot_start_says_why(flags: tuple[str, str], word: str) -> None:
    command = [sys.executable, "-m", "service.main", "bots", *flags]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"rookery: {word}")
    assert done.stderr.count("\n") == 1


def test_a_worker_loads_no_server() -> None:
    code = "import service.bot_worker, sys; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    heavy = {"grpc", "starlette", "uvicorn", "prometheus_client", "jwt", "rookery", "uvloop"}
    assert heavy.isdisjoint(name.partition(".")[0] for name in loaded)
    assert {"service.app", "service.server", "service.wire"}.isdisjoint(loaded)


async def test_a_worker_that_waits_for_its_store_says_so_and_goes_on(tmp_path: Path) -> None:
    with Live(tmp_path, *QUICK, bot_workers=1) as live:
        assert live.process is not None
        async with live.rest() as platform:
            made = await deal(platform, "euchre", [bot("BOT_LEVEL_STRONG"), bot(), bot(), bot()])
        await until_version(live, made["game"]["name"], 3)
        os.kill(live.store_pid, signal.SIGKILL)
        async with asyncio.timeout(PATIENCE):
            while True:
                async with live.rest() as platform:
                    if (await platform.get("../readyz")).status_code == 200:
                        break
        over = await until_over(live, made["game"]["name"])
        check_log(live, over["name"])
