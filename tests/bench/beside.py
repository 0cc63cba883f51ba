"""How long people wait while bots think: the latency of calls at a modest, fixed rate, alone and beside neighbours.

The bots' queue is full of ``strong`` work, and as many workers take from it as there are cores, less one. Plain busy
processes in the same number, once as nice as the workers and once not, tell what sharing the cores alone costs.
"""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager
from itertools import count
from pathlib import Path
from statistics import median, quantiles
from typing import Any, Final, NamedTuple, TypeVar

from google.protobuf.duration_pb2 import Duration

from rookery.v1 import game_pb2, view_pb2
from rookery.v1 import game_service_pb2 as pb
from service.bot_worker import NICE
from tests.bench.processes import cpu_seconds
from tests.bench.report import Section, Table
from tests.service.bots.table import bot_processes
from tests.service.live import Live, Rpc

CALLS = ("GetView", "SubmitMove")
ALONE: Final = "alone"
WORKERS: Final = max(1, (os.cpu_count() or 1) - 1)
# Long enough that no game of bots is over before the measurement is.
_BOTS_PLAY, _BOT_SEATS = "wingspan", 2
_PEOPLE_PLAY, _PEOPLE = "sevens", 4
_PEOPLES_GAMES = 64
_REST_SECONDS = 0.2
# It ends with whoever started it, however that happens.
_BUSY = "import os, sys; os.nice(int(sys.argv[1])); p = os.getppid()\nwhile os.getppid() == p: sum(range(10_000))"
T = TypeVar("T")


class Shape(NamedTuple):
    """Rounds of so many seconds beside each neighbour, so many turns a second; ``bot_games`` are in the queue."""

    rounds: int
    seconds: float
    turns_per_second: float
    bot_games: int


FULL = Shape(5, 15.0, 50.0, 32)
QUICK = Shape(1, 0.3, 40.0, 2)


class Figure(NamedTuple):
    """One round beside one neighbour: seconds of each call, and how many cores the neighbours used."""

    delays: dict[str, list[float]]
    cores: float


class Neighbours(NamedTuple):
    """Who is there: their processes."""

    pids: list[int]

    def cpu(self) -> float:
        """CPU seconds that they have used."""
        return sum(map(cpu_seconds, self.pids))


def measure(shape: Shape = FULL) -> Section:
    """Start a server with bot workers, let people play beside each neighbour in turn, and sum up."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="rk-")))
        live = stack.enter_context(Live(folder, transport="native", bot_workers=WORKERS))
        figures = asyncio.run(_measure(live, shape))
    found = [_summary(figures, call, name) for name in figures for call in CALLS]
    return Section([_table(found, shape)], found)


async def _measure(live: Live, shape: Shape) -> dict[str, list[Figure]]:
    """The figures of each neighbour. They take turns, so that whatever else the machine does meets all of them."""
    async with live.rpc() as rpc:
        beside: dict[str, Callable[[], AbstractAsyncContextManager[Neighbours]]] = {
            ALONE: _nobody,
            "beside bots": lambda: _bots(live, rpc, shape.bot_games),
            "beside busy processes, as nice": lambda: _busy(NICE),
            "beside busy processes": lambda: _busy(0),
        }
        people = People(rpc)
        await people.sit_down()
        await people.play(min(1.0, shape.seconds), shape.turns_per_second)
        figures: dict[str, list[Figure]] = {name: [] for name in beside}
        for _ in range(shape.rounds):
            for name, there in beside.items():
                async with there() as neighbours:
                    used, began = neighbours.cpu(), time.perf_counter()
                    delays = await people.play(shape.seconds, shape.turns_per_second)
                    cores = (neighbours.cpu() - used) / (time.perf_counter() - began)
                figures[name].append(Figure(delays, cores))
    return figures


@asynccontextmanager
async def _nobody() -> AsyncIterator[Neighbours]:
    yield Neighbours([])


@asynccontextmanager
async def _busy(nice: int) -> AsyncIterator[Neighbours]:
    with ExitStack() as stack:
        pids = []
        for _ in range(WORKERS):
            process = subprocess.Popen([sys.executable, "-c", _BUSY, str(nice)])  # noqa: ASYNC220 - starts at once
            stack.callback(process.wait)
            stack.callback(process.kill)
            pids.append(process.pid)
        yield Neighbours(pids)


@asynccontextmanager
async def _bots(live: Live, rpc: Rpc, games: int) -> AsyncIterator[Neighbours]:
    """Games that only strong bots play, from their first answers on, until the workers rest again."""
    assert live.process is not None
    seat = pb.NewSeat(controller=game_pb2.CONTROLLER_BOT, bot_level=game_pb2.BOT_LEVEL_STRONG)
    request = pb.CreateGameRequest(game_type=_BOTS_PLAY, seats=[seat] * _BOT_SEATS)
    names = [(await rpc.CreateGame(request)).game.name for _ in range(games)]
    await _first_answer(rpc, names)
    neighbours = Neighbours(bot_processes(live.process.pid))
    yield neighbours
    for name in names:
        await rpc.AbortGame(pb.AbortGameRequest(name=name))
    thinking = True
    while thinking:
        used = neighbours.cpu()
        await asyncio.sleep(_REST_SECONDS)
        thinking = neighbours.cpu() - used > _REST_SECONDS / 10


async def _first_answer(rpc: Rpc, names: list[str]) -> None:
    """Return when a bot has answered in one of the games."""
    wait = Duration(seconds=30)
    asked = [pb.GetViewRequest(name=name, spectator=True, newer_than=1, wait=wait) for name in names]
    looks = [asyncio.create_task(rpc.GetView(one)) for one in asked]
    done, rest = await asyncio.wait(looks, return_when=asyncio.FIRST_COMPLETED)
    for look in rest:
        look.cancel()
    await asyncio.gather(*rest, return_exceptions=True)
    assert any(look.result().version > 1 for look in done), "no bot has answered"


class Seated:
    """A game of people: their tokens, and who is next."""

    def __init__(self, name: str, tokens: list[str], mover: int) -> None:
        self.name = name
        self.tokens = tokens
        self.mover = mover


class People:
    """They play many games, a turn (GetView, then SubmitMove) at a time, at times that no answer puts off."""

    def __init__(self, rpc: Rpc) -> None:
        self._rpc = rpc
        self._chance = random.Random("beside")
        self._games: deque[Seated] = deque()

    async def sit_down(self) -> None:
        """Make the games."""
        for _ in range(_PEOPLES_GAMES):
            self._games.append(await self._new_game())

    async def _new_game(self) -> Seated:
        seats = [pb.NewSeat() for _ in range(_PEOPLE)]
        made = await self._rpc.CreateGame(pb.CreateGameRequest(game_type=_PEOPLE_PLAY, seats=seats))
        return Seated(made.game.name, [seat.token for seat in made.seat_tokens], made.game.awaiting[0].seat)

    async def play(self, seconds: float, turns_per_second: float) -> dict[str, list[float]]:
        """Begin so many turns a second for so many seconds; how long each call took."""
        delays: dict[str, list[float]] = {call: [] for call in CALLS}
        began = time.perf_counter()
        async with asyncio.TaskGroup() as turns:
            for i in count():
                due = i / turns_per_second
                if due >= seconds:
                    break
                await asyncio.sleep(max(0.0, began + due - time.perf_counter()))
                # Whoever is still playing is left alone; another game begins if nobody is free.
                game = self._games.popleft() if self._games else await self._new_game()
                turns.create_task(self._turn(game, delays))
        return delays

    async def _turn(self, game: Seated, delays: dict[str, list[float]]) -> None:
        token = game.tokens[game.mover]
        look = pb.GetViewRequest(name=game.name)
        view: view_pb2.View = await _timed(self._rpc.GetView(look, token), delays["GetView"])
        decision = view.decision
        offer = self._chance.choice(decision.offers).offer_id
        move = pb.SubmitMoveRequest(name=game.name, decision_id=decision.decision_id, offer_id=offer)
        answer: pb.SubmitMoveResponse = await _timed(self._rpc.SubmitMove(move, token), delays["SubmitMove"])
        awaiting = answer.view.awaiting
        if awaiting:
            game.mover = awaiting[0].seat
        self._games.append(game if awaiting else await self._new_game())


async def _timed(call: Awaitable[T], delays: list[float]) -> T:
    began = time.perf_counter()
    answer = await call
    delays.append(time.perf_counter() - began)
    return answer


def _summary(figures: dict[str, list[Figure]], call: str, name: str) -> dict[str, Any]:
    """Medians over the rounds; ratios are formed within a round, and their median taken."""
    here, alone = ([_percentiles(figure.delays[call]) for figure in figures[of]] for of in (name, ALONE))
    pairs = list(zip(here, alone, strict=True))
    return {
        "name": f"{call} {name}",
        "calls": sum(len(figure.delays[call]) for figure in figures[name]),
        "p50_ms": median(p50 for p50, _ in here) * 1e3,
        "p99_ms": median(p99 for _, p99 in here) * 1e3,
        "p50_of_alone": median(one[0] / other[0] for one, other in pairs),
        "p99_of_alone": median(one[1] / other[1] for one, other in pairs),
        "neighbours_cores": median(figure.cores for figure in figures[name]),
    }


def _percentiles(delays: list[float]) -> tuple[float, float]:
    """The median and the 99th percentile."""
    cuts = quantiles(delays, n=100)
    return cuts[49], cuts[98]


def _table(found: list[dict[str, Any]], shape: Shape) -> Table:
    keys = ("p50_ms", "p99_ms", "p50_of_alone", "p99_of_alone", "neighbours_cores")
    form = {"calls": ",", **dict.fromkeys(keys, ".2f")}
    rows = [[one["name"], *(format(one[key], spec) for key, spec in form.items())] for one in found]
    columns = ("call", "calls", "p50 ms", "p99 ms", "x alone's p50", "x alone's p99", "cores that neighbours use")
    notes = (
        f"{shape.turns_per_second:g} turns a second, a GetView and a SubmitMove each; {_PEOPLE_PLAY}, {_PEOPLE} seats",
        f"bots: {shape.bot_games} games of {_BOTS_PLAY} that strong bots play; {WORKERS} workers, or busy processes",
        "medians over rounds, ratios formed within a round; the load generator shares the cores",
    )
    return Table("beside: how long people wait while bots think", columns, rows, notes)
