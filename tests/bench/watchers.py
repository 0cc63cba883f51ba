"""The load of ``watch``, in a process of its own: a ``Job`` as JSON on standard input, ``Figure`` lists on the output.

Commits come one at a time, the next one when every watcher of the last one has heard of it. A delay is counted from the
moment at which the move is sent.
"""

from __future__ import annotations

import asyncio
import gc
import random
import sys
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Protocol

import msgspec
import uvloop

from rookery.v1 import game_service_pb2 as pb
from tests.bench.echo import SAY, SERVICE, STREAM, ask
from tests.bench.processes import cpu_seconds, resident
from tests.bench.streams import PATIENCE, EventStream, GrpcStream, Request, Stream, open_streams
from tests.service.live import Rpc

# Long enough for every shape, whatever is played.
GAME, SEATS = "euchre", 4
KINDS: dict[str, type[Stream]] = {"grpc": GrpcStream, "rest": EventStream}


class Side(msgspec.Struct):
    """A server of ours, and the bare one beside it. ``kind`` is how it is watched; moves come over gRPC."""

    name: str
    kind: str
    address: str
    grpc: str
    key: str
    pid: int
    bare_address: str
    bare_pid: int


class Shape(msgspec.Struct, frozen=True):
    """So many watchers, spread over so many games, and so many commits in all."""

    watchers: int
    games: int
    commits: int


class Job(msgspec.Struct):
    """What to measure, in this order."""

    sides: list[Side]
    shapes: list[Shape]


class Figure(msgspec.Struct):
    """What one server did in one shape: seconds, and the bytes of memory that all streams together took."""

    side: str
    bare: bool
    shape: Shape
    delays: list[float]
    cpu: float
    resident: int
    message_bytes: int


class Source(Protocol):
    """Something to be watched: ``games`` of them."""

    async def prepare(self, games: int) -> list[Request]:
        """Deal the games; what opens a stream of each."""
        ...

    async def commit(self, game: int) -> Callable[[], Awaitable[object]]:
        """What makes the next message of a game, ready to be called."""
        ...


class Games:
    """Games of ours, played at random by whoever is asked first, watched by spectators."""

    def __init__(self, side: Side) -> None:
        self._rpc = Rpc(side.grpc, side.key)
        self._rest = side.kind == "rest"
        self._chance = random.Random("bench")
        self._names: list[str] = []
        self._awaiting: list[int] = []

    async def prepare(self, games: int) -> list[Request]:
        """New games."""
        made = [
            await self._rpc.CreateGame(pb.CreateGameRequest(game_type=GAME, seats=[pb.NewSeat() for _ in range(SEATS)]))
            for _ in range(games)
        ]
        self._names = [answer.game.name for answer in made]
        self._awaiting = [answer.game.awaiting[0].seat for answer in made]
        return [await self._request(name) for name in self._names]

    async def _request(self, name: str) -> Request:
        issued = await self._rpc.IssueTokens(pb.IssueTokensRequest(name=name, spectator=True))
        token = issued.spectator_token.token
        if self._rest:
            return Request(f"/v1/{name}:watch", token)
        message = pb.WatchGameRequest(name=name).SerializeToString()
        return Request("/rookery.v1.GameService/WatchGame", token, message)

    async def commit(self, game: int) -> Callable[[], Awaitable[object]]:
        """A move."""
        name, seat = self._names[game], self._awaiting[game]
        view = await self._rpc.GetView(pb.GetViewRequest(name=name, seat=seat))
        offer = self._chance.choice(view.decision.offers).offer_id
        move = pb.SubmitMoveRequest(name=name, seat=seat, decision_id=view.decision.decision_id, offer_id=offer)

        async def submit() -> None:
            done = await self._rpc.SubmitMove(move)
            self._awaiting[game] = done.view.awaiting[0].seat

        return submit


class Topics:
    """Topics of a bare server, about which as many bytes are said as ours said."""

    def __init__(self, side: Side, size: int) -> None:
        self._rest = side.kind == "rest"
        self._size = size
        self._address = side.bare_address
        self._channel = Rpc(side.bare_address, "").channel
        self._say: Any = self._channel.unary_unary(f"/{SERVICE}/{SAY}")

    async def prepare(self, games: int) -> list[Request]:
        """Topics are there when they are asked for."""
        if self._rest:
            return [Request(f"/stream?topic={topic}", "") for topic in range(games)]
        return [Request(f"/{SERVICE}/{STREAM}", "", ask(topic)) for topic in range(games)]

    async def commit(self, game: int) -> Callable[[], Awaitable[object]]:
        """A message."""
        if not self._rest:
            return partial(self._say, ask(game, self._size))
        host, _, port = self._address.rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))

        async def say() -> None:
            writer.write(f"POST /say?topic={game}&size={self._size} HTTP/1.1\r\nhost: bench\r\n\r\n".encode())
            await reader.readuntil(b"{}")
            writer.close()

        return say


async def figure(side: Side, shape: Shape, *, bare: bool, size: int = 0) -> Figure:
    """Open the streams, commit, and note when each stream heard of it."""
    pid, address = (side.bare_pid, side.bare_address) if bare else (side.pid, side.address)
    source: Source = Topics(side, size) if bare else Games(side)
    ways = await source.prepare(shape.games)
    before = resident(pid)
    streams = await open_streams(KINDS[side.kind], address, [ways[i % shape.games] for i in range(shape.watchers)])
    held = resident(pid) - before
    delays, cpu = list[float](), 0.0
    for number in range(shape.commits):
        game = number % shape.games
        commit = await source.commit(game)
        watchers = streams[game :: shape.games]
        used, began = cpu_seconds(pid), time.perf_counter()
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(commit(), *(watcher.wait(number // shape.games + 1) for watcher in watchers))
        cpu += cpu_seconds(pid) - used
        delays += [watcher.came[-1] - began for watcher in watchers]
    for stream in streams:
        stream.transport.abort()
    return Figure(side.name, bare, shape, delays, cpu, held, streams[0].size)


async def run(job: Job) -> list[Figure]:
    """Every figure, ours and the bare one in turns."""
    figures = []
    for side in job.sides:
        for shape in job.shapes:
            ours = await figure(side, shape, bare=False)
            figures += [ours, await figure(side, shape, bare=True, size=ours.message_bytes)]
    return figures


def main() -> None:
    """Do the job of standard input."""
    gc.disable()
    job = msgspec.json.decode(sys.stdin.buffer.read(), type=Job)
    sys.stdout.buffer.write(msgspec.json.encode(uvloop.run(run(job))))


if __name__ == "__main__":
    main()
