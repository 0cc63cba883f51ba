"""How quickly a service answers: people who play whole games without thinking, each waiting for every answer."""

from __future__ import annotations

import asyncio
import random
import time
from typing import Any, NamedTuple

import grpc

from rookery.v1 import game_service_pb2, game_service_pb2_grpc, game_type_pb2

RPCS = ("CreateGame", "GetView", "SubmitMove")
_CALL_SECONDS = 30.0


class CannotBench(Exception):  # noqa: N818 - what is the case
    """There is nothing to measure; the message says why."""


class Load(NamedTuple):
    """What is played: ``tables`` at a time for so many seconds; ``seats`` None is the fewest that the game takes."""

    game_type: str
    seats: int | None = None
    tables: int = 8
    seconds: float = 5.0


def bench(address: str, key: str, load: Load) -> str:
    """A table of what was measured. The games are deleted. Raises CannotBench."""
    try:
        return asyncio.run(_bench(address, key, load))
    except (grpc.RpcError, ExceptionGroup) as error:
        raise CannotBench(f"{address}: {_why(error)}") from None


def _why(error: Exception) -> str:
    """What a service said that ended the whole, one table at least."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    if not isinstance(error, grpc.RpcError):
        raise error
    return str(error.details() or error.code().name)


async def _bench(address: str, key: str, load: Load) -> str:
    async with grpc.aio.insecure_channel(address) as channel:
        calls = _Calls(channel, key)
        seats = await _seats(calls, load)
        calls.spent.clear()
        began = time.perf_counter()
        until = began + load.seconds
        async with asyncio.TaskGroup() as group:
            for number in range(load.tables):
                chance = random.Random(number)  # noqa: S311 - only of the moves
                group.create_task(_table(calls, load.game_type, seats, until, chance))
        return _report(calls.spent, time.perf_counter() - began, f"{load.game_type}, {seats} seats", load.tables)


class _Calls:
    """The calls, with the seconds that each took."""

    def __init__(self, channel: grpc.aio.Channel, key: str) -> None:
        self._stub = game_service_pb2_grpc.GameServiceStub(channel)
        self._key = key
        self.spent: dict[str, list[float]] = {}

    async def __call__(self, rpc: str, request: Any, token: str = "") -> Any:
        metadata = (("authorization", f"Bearer {token or self._key}"),)
        began = time.perf_counter()
        answer = await getattr(self._stub, rpc)(request, metadata=metadata, timeout=_CALL_SECONDS)
        self.spent.setdefault(rpc, []).append(time.perf_counter() - began)
        return answer


async def _seats(calls: _Calls, load: Load) -> int:
    """How many play. Raises CannotBench."""
    try:
        name = f"gameTypes/{load.game_type}"
        game_type: game_type_pb2.GameType = await calls("GetGameType", game_service_pb2.GetGameTypeRequest(name=name))
    except grpc.RpcError as error:
        if error.code() in (grpc.StatusCode.NOT_FOUND, grpc.StatusCode.INVALID_ARGUMENT):
            raise CannotBench(f"there is no game {load.game_type!r}") from None
        raise
    counts = tuple(game_type.seat_counts)
    if load.seats is not None and load.seats not in counts:
        raise CannotBench(f"--seats: {load.game_type} takes {', '.join(map(str, counts))}, not {load.seats}")
    return load.seats or counts[0]


async def _table(calls: _Calls, game_type: str, seats: int, until: float, chance: random.Random) -> None:
    """One game after the other."""
    new = game_service_pb2.CreateGameRequest(game_type=game_type, seats=[game_service_pb2.NewSeat()] * seats)
    while time.perf_counter() < until:
        made: game_service_pb2.CreateGameResponse = await calls("CreateGame", new)
        try:
            await _game(calls, made, until, chance)
        finally:
            await calls("DeleteGame", game_service_pb2.DeleteGameRequest(name=made.game.name))


async def _game(calls: _Calls, made: game_service_pb2.CreateGameResponse, until: float, chance: random.Random) -> None:
    """One game, by any of its offers, to its end or until the time is over."""
    name, awaiting = made.game.name, made.game.awaiting
    while awaiting and time.perf_counter() < until:
        token = made.seat_tokens[awaiting[0].seat].token
        view = await calls("GetView", game_service_pb2.GetViewRequest(name=name), token)
        answer = game_service_pb2.SubmitMoveRequest(
            name=name,
            decision_id=view.decision.decision_id,
            offer_id=chance.choice(view.decision.offers).offer_id,
        )
        awaiting = (await calls("SubmitMove", answer, token)).view.awaiting


def _report(spent: dict[str, list[float]], seconds: float, what: str, tables: int) -> str:
    lines = [
        f"{what}, {tables} tables at a time, {seconds:.1f} s",
        f"{'call':12}{'calls':>8}{'per second':>12}{'p50 ms':>9}{'p99 ms':>9}",
    ]
    for rpc in RPCS:
        times = sorted(spent.get(rpc, ()))
        if times:
            p50, p99 = (times[int(len(times) * part)] * 1000 for part in (0.5, 0.99))
            lines.append(f"{rpc:12}{len(times):8}{len(times) / seconds:12.0f}{p50:9.2f}{p99:9.2f}")
    return "\n".join(lines)
