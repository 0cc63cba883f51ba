"""The load of ``calls``, in a process of its own: a ``Job`` as JSON on standard input, ``Figure`` lists on the output.

A phase is one call per game, so many in flight at once; only phases are timed. Between them the load generator reads
the answers and writes the next requests. Every game is played to its end by offers taken at random, and replaced.
"""

from __future__ import annotations

import asyncio
import gc
import json
import random
import sys
import time
from collections.abc import Iterable
from typing import Any, Protocol

import grpc
import msgspec

from rookery.v1 import game_service_pb2 as pb
from rookery.v1 import view_pb2
from tests.bench.echo import METHOD, SERVICE, SIZE_BYTES
from tests.bench.processes import cpu_seconds

_API = "/rookery.v1.GameService/"
_ECHO = f"/{SERVICE}/{METHOD}"
TIMEOUT = 60.0


class Side(msgspec.Struct):
    """A server of ours, the bare one beside it, and the processes whose CPU time counts."""

    name: str
    kind: str
    address: str
    grpc: str
    key: str
    pid: int
    store_pid: int
    echo_address: str
    echo_pid: int


class Job(msgspec.Struct):
    """What to measure."""

    sides: list[Side]
    game_type: str = "sevens"
    seats: int = 4
    games: int = 512
    in_flight: int = 64
    channels: int = 4
    rounds: int = 5
    phases: int = 3


class Figure(msgspec.Struct):
    """One round of one kind of call on one side. Times are in seconds."""

    side: str
    call: str
    round: int
    calls: int = 0
    wall: float = 0.0
    cpu: float = 0.0
    store_cpu: float = 0.0
    answer_bytes: float = 0.0


class Request(msgspec.Struct):
    """A call that is ready to be sent: what it is, its bytes, the credential."""

    method: str
    payload: bytes
    token: str = ""


class Client(Protocol):
    """Sends requests; the answer's bytes."""

    async def ready(self, lanes: int) -> None:
        """Have connections that work."""
        ...

    async def send(self, request: Request, lane: int) -> bytes:
        """The answer to a request, over one of the connections."""
        ...

    async def close(self) -> None:
        """Close the connections."""
        ...


class GrpcClient:
    """grpc.aio without any codec."""

    def __init__(self, address: str, channels: int) -> None:
        options = [("grpc.use_local_subchannel_pool", 1)]
        self._channels = [grpc.aio.insecure_channel(address, options) for _ in range(channels)]
        self._methods: list[dict[str, Any]] = [
            {
                name: channel.unary_unary(path)
                for name, path in (("view", f"{_API}GetView"), ("move", f"{_API}SubmitMove"), ("echo", _ECHO))
            }
            for channel in self._channels
        ]

    async def ready(self, lanes: int) -> None:
        """Nothing: channels look after themselves."""

    async def send(self, request: Request, lane: int) -> bytes:
        """The answer to a request, over one of the channels."""
        method = self._methods[lane % len(self._methods)][request.method]
        metadata = (("authorization", request.token),) if request.token else ()
        answer: bytes = await method(request.payload, metadata=metadata, timeout=TIMEOUT)
        return answer

    async def close(self) -> None:
        """Close the channels."""
        for channel in self._channels:
            await channel.close()


class HttpClient:
    """HTTP/1.1 on connections that stay open, one per lane; the payload is the whole request."""

    def __init__(self, address: str) -> None:
        host, _, port = address.rpartition(":")
        self._at = host, int(port)
        self._lanes: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def ready(self, lanes: int) -> None:
        """Connect anew: a server closes connections that are idle for some seconds."""
        await self.close()
        self._lanes = [await asyncio.open_connection(*self._at) for _ in range(lanes)]

    async def send(self, request: Request, lane: int) -> bytes:
        """The answer to a request; anything but 200 is an error of the bench."""
        reader, writer = self._lanes[lane]
        writer.write(request.payload)
        head = await reader.readuntil(b"\r\n\r\n")
        _, _, rest = head.partition(b"content-length: ")
        body = await reader.readexactly(int(rest.partition(b"\r\n")[0]))
        if not head.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(f"{head.decode('latin-1')}{body.decode()}")
        return body

    async def close(self) -> None:
        """Close the connections."""
        for _, writer in self._lanes:
            writer.close()


class Table:
    """A game that is being played: who is next, and what the next one saw."""

    def __init__(self, name: str, tokens: list[str], mover: int) -> None:
        self.name = name
        self.tokens = tokens
        self.mover = mover
        self.decision = ""
        self.offer = ""


class Player:
    """Plays every game of one side, a phase at a time."""

    def __init__(self, side: Side, job: Job) -> None:
        self.side = side
        self.job = job
        self._rest = side.kind == "rest"
        self._chance = random.Random("bench")
        self._tables: list[Table] = []
        self._platform = grpc.aio.insecure_channel(side.grpc)
        self.client = self._client(side.address)
        self.echo = self._client(side.echo_address)

    def _client(self, address: str) -> Client:
        return HttpClient(address) if self._rest else GrpcClient(address, self.job.channels)

    async def deal(self) -> None:
        """Make games until there are enough."""
        while (missing := self.job.games - len(self._tables)) > 0:
            self._tables += await asyncio.gather(*(self._new_game() for _ in range(min(missing, 64))))

    async def _new_game(self) -> Table:
        create = self._platform.unary_unary(
            f"{_API}CreateGame",
            request_serializer=pb.CreateGameRequest.SerializeToString,
            response_deserializer=pb.CreateGameResponse.FromString,
        )
        request = pb.CreateGameRequest(
            game_type=self.job.game_type, seats=[pb.NewSeat() for _ in range(self.job.seats)]
        )
        made = await create(request, metadata=(("authorization", f"Bearer {self.side.key}"),), timeout=TIMEOUT)
        tokens = [f"Bearer {seat.token}" for seat in made.seat_tokens]
        return Table(made.game.name, tokens, made.game.awaiting[0].seat)

    async def look(self, figure: Figure) -> None:
        """GetView by the next one of every game."""
        requests = [self._view(table) for table in self._tables]
        answers = await _phase(self.client, requests, self.job, figure, self.side.pid, self.side.store_pid)
        for table, answer in zip(self._tables, answers, strict=True):
            decision, offers = self._seen(answer)
            table.decision, table.offer = decision, self._chance.choice(offers)

    async def move(self, figure: Figure) -> None:
        """SubmitMove by the next one of every game."""
        requests = [self._move(table) for table in self._tables]
        answers = await _phase(self.client, requests, self.job, figure, self.side.pid, self.side.store_pid)
        movers = [self._next(answer) for answer in answers]
        going = []
        for table, mover in zip(self._tables, movers, strict=True):
            if mover is not None:
                table.mover = mover
                going.append(table)
        self._tables = going

    async def bare(self, figure: Figure, size: int) -> None:
        """The echo of answers of that size."""
        requests = [self._bare(figure.call, size)] * self.job.games
        await _phase(self.echo, requests, self.job, figure, self.side.echo_pid, 0)

    # Both forms.

    def _view(self, table: Table) -> Request:
        token = table.tokens[table.mover]
        if self._rest:
            return Request("view", _http("GET", f"/v1/{table.name}/view", token))
        return Request("view", pb.GetViewRequest(name=table.name).SerializeToString(), token)

    def _move(self, table: Table) -> Request:
        token = table.tokens[table.mover]
        if self._rest:
            body = json.dumps({"decisionId": table.decision, "offerId": table.offer}).encode()
            return Request("move", _http("POST", f"/v1/{table.name}:submitMove", token, body))
        request = pb.SubmitMoveRequest(name=table.name, decision_id=table.decision, offer_id=table.offer)
        return Request("move", request.SerializeToString(), token)

    def _bare(self, call: str, size: int) -> Request:
        if not self._rest:
            return Request("echo", size.to_bytes(SIZE_BYTES, "big") + bytes(60), "Bearer " + "x" * 200)
        if "view" in call:
            return Request("echo", _http("GET", f"/echo?size={size}", "Bearer " + "x" * 200))
        return Request("echo", _http("POST", "/echo", "Bearer " + "x" * 200, json.dumps({"size": size}).encode()))

    def _seen(self, answer: bytes) -> tuple[str, list[str]]:
        if self._rest:
            found = json.loads(answer)["decision"]
            return found["decisionId"], [offer["offerId"] for offer in found["offers"]]
        view = view_pb2.View.FromString(answer)
        return view.decision.decision_id, [offer.offer_id for offer in view.decision.offers]

    def _next(self, answer: bytes) -> int | None:
        if self._rest:
            awaiting = json.loads(answer)["view"].get("awaiting", [])
            return awaiting[0].get("seat", 0) if awaiting else None
        view = pb.SubmitMoveResponse.FromString(answer).view
        return view.awaiting[0].seat if view.awaiting else None


def _http(verb: str, path: str, token: str, body: bytes = b"") -> bytes:
    head = f"{verb} {path} HTTP/1.1\r\nhost: bench\r\nauthorization: {token}\r\n"
    if body:
        head += f"content-type: application/json\r\ncontent-length: {len(body)}\r\n"
    return f"{head}\r\n".encode() + body


async def _phase(
    client: Client, requests: list[Request], job: Job, figure: Figure, pid: int, store_pid: int
) -> list[bytes]:
    """Send every request, ``in_flight`` at once; add what it took to the figure."""
    answers: list[bytes] = [b""] * len(requests)
    numbered = iter(enumerate(requests))

    async def lane(number: int) -> None:
        for i, request in numbered:
            answers[i] = await client.send(request, number)

    await client.ready(job.in_flight)
    cpu, store_cpu = cpu_seconds(pid), cpu_seconds(store_pid) if store_pid else 0.0
    began = time.perf_counter()
    await asyncio.gather(*(lane(number) for number in range(job.in_flight)))
    figure.wall += time.perf_counter() - began
    figure.cpu += cpu_seconds(pid) - cpu
    figure.store_cpu += cpu_seconds(store_pid) - store_cpu if store_pid else 0.0
    before = figure.answer_bytes * figure.calls
    figure.calls += len(requests)
    figure.answer_bytes = (before + sum(map(len, answers))) / figure.calls
    return answers


async def run(job: Job) -> list[Figure]:
    """Every figure; the rounds of the sides take turns, so that a neighbour's load meets all of them."""
    players = [Player(side, job) for side in job.sides]
    figures: list[Figure] = []
    for round_ in range(job.rounds + 1):
        for player in players:
            figures += await _round(player, job, round_)
    for player in players:
        await player.client.close()
        await player.echo.close()
    # Round 0 only warms up.
    return [figure for figure in figures if figure.round]


async def _round(player: Player, job: Job, round_: int) -> Iterable[Figure]:
    names = ("GetView", "SubmitMove", "echo of a view", "echo of a move")
    looks, moves, view_echo, move_echo = figures = [Figure(player.side.name, name, round_) for name in names]
    for _ in range(job.phases):
        await player.deal()
        gc.collect()
        await player.look(looks)
        await player.move(moves)
        await player.bare(view_echo, round(looks.answer_bytes))
        await player.bare(move_echo, round(moves.answer_bytes))
    return figures


def main() -> None:
    """Do the job of standard input."""
    gc.disable()
    job = msgspec.json.decode(sys.stdin.buffer.read(), type=Job)
    figures = asyncio.run(run(job))
    sys.stdout.buffer.write(msgspec.json.encode(figures))


if __name__ == "__main__":
    main()
