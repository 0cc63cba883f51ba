"""What the past costs: GetView of a version by its distance from the snapshot before it, and by its place in the game.

The reference is GetView of now, by the same viewer of the same games over the same transport.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from engine.core import AnyGame
from rookery.v1 import game_service_pb2 as pb
from service.plan import SNAPSHOT_EVERY
from tests.bench.processes import cpu_seconds
from tests.bench.report import Section, Table
from tests.service.live import Live, Rpc

DEPTHS = (0, 8, 16, SNAPSHOT_EVERY - 1)
PLACES = ("early", "middle", "late")
NOW = "now"
_WARM_UP = 8


class Game(NamedTuple):
    """A game that was played to its end."""

    name: str
    token: str
    last: int


class Looks(NamedTuple):
    """How long a look took the server (CPU) and the client, in seconds."""

    cpu: float
    wall: float


def measure(types: Sequence[AnyGame], seats: int | None = None, games: int = 5, looks: int = 100) -> Section:
    """Play ``games`` games of each of the types, with so many seats (None: with its most), which makes them long.

    Then look at the longest one's past, ``looks`` times per row.
    """
    with tempfile.TemporaryDirectory(prefix="rk-") as folder, Live(Path(folder), transport="native") as live:
        found = asyncio.run(_measure_all(live, types, seats, games, looks))
    return Section([_table(found)], found)


async def _measure_all(
    live: Live, types: Sequence[AnyGame], seats: int | None, games: int, looks: int
) -> list[dict[str, Any]]:
    chance, found = random.Random("bench"), []
    async with live.rpc() as rpc:
        for game in types:
            played = [await _play(rpc, game.game_type, seats or game.seat_counts[-1], chance) for _ in range(games)]
            longest = max(played, key=lambda one: one.last)
            found += await _rows(live, rpc, game.game_type, longest, looks)
    return found


async def _play(rpc: Rpc, game_type: str, seats: int, chance: random.Random) -> Game:
    made = await rpc.CreateGame(pb.CreateGameRequest(game_type=game_type, seats=[pb.NewSeat() for _ in range(seats)]))
    name, awaiting, last = made.game.name, made.game.awaiting, 1
    tokens = [seat.token for seat in made.seat_tokens]
    while awaiting:
        token = tokens[awaiting[0].seat]
        view = await rpc.GetView(pb.GetViewRequest(name=name), token)
        offer = chance.choice(view.decision.offers).offer_id
        move = pb.SubmitMoveRequest(name=name, decision_id=view.decision.decision_id, offer_id=offer)
        done = await rpc.SubmitMove(move, token)
        awaiting, last = done.view.awaiting, done.committed_version
    return Game(name, tokens[0], last)


def versions(last: int) -> dict[str, list[int]]:
    """What to look at in a game of so many versions; nothing where it has none.

    Snapshots stand at version 1 and at every ``SNAPSHOT_EVERY``-th one.
    """
    bases = [1, *range(SNAPSHOT_EVERY, last + 1, SNAPSHOT_EVERY)]
    deep = {f"{depth} behind": list(_deep(bases, depth, last)) for depth in DEPTHS}
    halfway = list(_deep(bases, SNAPSHOT_EVERY // 2, last))
    placed = (halfway[:1], halfway[len(halfway) // 2 : len(halfway) // 2 + 1], halfway[-1:])
    return {**deep, **{f"{place}, {SNAPSHOT_EVERY // 2} behind": at for place, at in zip(PLACES, placed, strict=True)}}


def _deep(bases: Iterable[int], depth: int, last: int) -> Iterable[int]:
    for base in bases:
        after = SNAPSHOT_EVERY if base == 1 else base + SNAPSHOT_EVERY
        if base + depth < min(after, last + 1):
            yield base + depth


async def _rows(live: Live, rpc: Rpc, game_type: str, game: Game, looks: int) -> list[dict[str, Any]]:
    """Now, and each group of versions; now is looked at before each, so that a neighbour's load meets both."""
    nows, pasts = list[Looks](), dict[str, tuple[Looks, float]]()
    for name, at in versions(game.last).items():
        if at:
            now = await _look(live, rpc, game, [None], looks)
            past = await _look(live, rpc, game, at, looks)
            nows.append(now)
            pasts[name] = past, past.cpu / now.cpu
    first = Looks(median(now.cpu for now in nows), median(now.wall for now in nows))
    return [
        {
            "name": f"{game_type} {name}",
            "versions": game.last,
            "cpu_us": cost.cpu * 1e6,
            "ms": cost.wall * 1e3,
            "of_now": ratio,
        }
        for name, (cost, ratio) in {NOW: (first, 1.0), **pasts}.items()
    ]


async def _look(live: Live, rpc: Rpc, game: Game, at: Sequence[int | None], looks: int) -> Looks:
    """Per look, one after another, the versions in turns."""
    requests = [pb.GetViewRequest(name=game.name, version=version) for version in at]
    assert live.process is not None
    for i in range(_WARM_UP + looks):
        if i == _WARM_UP:
            cpu, wall = cpu_seconds(live.process.pid), time.perf_counter()
        await rpc.GetView(requests[i % len(requests)], game.token)
    return Looks((cpu_seconds(live.process.pid) - cpu) / looks, (time.perf_counter() - wall) / looks)


def _table(found: list[dict[str, Any]]) -> Table:
    rows = [
        [one["name"], f"{one['versions']}", f"{one['cpu_us']:,.0f}", f"{one['ms']:.2f}", f"{one['of_now']:.2f}"]
        for one in found
    ]
    columns = ("GetView of", "versions of the game", "server CPU us", "ms", "CPU x now")
    notes = (
        "n behind: so many commits are played again from the snapshot before, all snapshots of the game in turns",
        "one look at a time, over native gRPC; a seat's own view, with its codecs at both ends",
    )
    return Table("past: GetView of a version", columns, rows, notes)
