"""What a game costs in the store: bytes per key at start, in the middle and at the end, and what a move appends."""

from __future__ import annotations

import asyncio
import random
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, median
from typing import Any

import msgspec
import redis

from engine.core import AnyGame
from rookery.v1 import game_service_pb2 as pb
from service.records import Live as LiveRecord
from service.records import decode
from service.redis_keys import Keys
from service.store import GameKey
from tests.bench.processes import store_of
from tests.bench.report import Section, Table
from tests.service.live import Live, Rpc

KEYS = ("game", "log", "memos", "snaps")
STAGES = ("start", "middle", "end")


class Weight(msgspec.Struct):
    """A game at one version. ``memory`` is what the store says of each key, its name and overhead included."""

    state: int
    view: int
    offers: int
    memory: dict[str, int]


class Game(msgspec.Struct):
    """A game played to its end by offers at random."""

    weights: list[Weight]
    appended: int

    @property
    def moves(self) -> int:
        """How many there were."""
        return len(self.weights) - 1


def measure(games: int, types: Sequence[AnyGame], seats: int | None = None) -> Section:
    """Play ``games`` games of each of the types, with so many seats (None: with its fewest)."""
    with (
        tempfile.TemporaryDirectory(prefix="rk-") as folder,
        Live(Path(folder)) as live,
        store_of(live.folder / "data") as store,
    ):
        played = asyncio.run(_play_all(live, store, games, types, seats))
    return Section([_sizes(played, seats), _growth(played)], [_figures(name, found) for name, found in played.items()])


async def _play_all(
    live: Live, store: redis.Redis, games: int, types: Sequence[AnyGame], seats: int | None
) -> dict[str, list[Game]]:
    chance = random.Random("bench")
    async with live.rpc() as rpc:
        return {
            game.game_type: [await _play(rpc, store, game, seats or game.seat_counts[0], chance) for _ in range(games)]
            for game in types
        }


async def _play(rpc: Rpc, store: redis.Redis, game: AnyGame, seats: int, chance: random.Random) -> Game:
    before = _log_bytes(store)
    made = await rpc.CreateGame(
        pb.CreateGameRequest(game_type=game.game_type, seats=[pb.NewSeat() for _ in range(seats)])
    )
    name, awaiting, weights = made.game.name, made.game.awaiting, list[Weight]()
    while awaiting:
        token = made.seat_tokens[awaiting[0].seat].token
        view = await rpc.GetView(pb.GetViewRequest(name=name), token)
        weights.append(_weigh(store, name, view))
        offer = chance.choice(view.decision.offers)
        done = await rpc.SubmitMove(
            pb.SubmitMoveRequest(name=name, decision_id=view.decision.decision_id, offer_id=offer.offer_id), token
        )
        awaiting = done.view.awaiting
    weights.append(_weigh(store, name, done.view))
    return Game(weights, _log_bytes(store) - before)


def _weigh(store: redis.Redis, name: str, view: Any) -> Weight:
    stem = Keys(GameKey("dev", name.removeprefix("games/"))).stem
    live = store.hget(f"{stem}game", "live")
    assert isinstance(live, bytes)
    memory = {key: int(store.memory_usage(stem + key, samples=0) or 0) for key in KEYS}
    return Weight(len(decode(LiveRecord, live).state), view.ByteSize(), len(view.decision.offers), memory)


def _log_bytes(store: redis.Redis) -> int:
    """The append-only file's size; it is not rewritten before 64 MB."""
    return int(store.info("persistence")["aof_current_size"])


def _stages(game: Game) -> dict[str, Weight]:
    return {"start": game.weights[0], "middle": game.weights[game.moves // 2], "end": game.weights[-1]}


def _figures(name: str, games: list[Game]) -> dict[str, Any]:
    """Medians over the games; the largest view is that of any version."""
    figures: dict[str, Any] = {
        "game": name,
        "moves": median(game.moves for game in games),
        "largest_view": max(weight.view for game in games for weight in game.weights),
        "largest_state": max(weight.state for game in games for weight in game.weights),
        "aof_per_move": fmean(game.appended / max(1, game.moves) for game in games),
    }
    for stage in STAGES:
        weights = [_stages(game)[stage] for game in games]
        figures[stage] = {
            "state": median(weight.state for weight in weights),
            "view": median(weight.view for weight in weights),
            **{key: median(weight.memory[key] for weight in weights) for key in KEYS},
            "all": median(sum(weight.memory.values()) for weight in weights),
        }
    return figures


def _sizes(played: dict[str, list[Game]], seats: int | None) -> Table:
    rows = []
    for name, games in played.items():
        figures = _figures(name, games)
        for stage in STAGES:
            found = figures[stage]
            cells = (found["state"], found["view"], *(found[key] for key in KEYS), found["all"])
            ratio = found["all"] / found["state"]
            rows.append([f"{name} {stage}", *(f"{cell:,.0f}" for cell in cells), f"{ratio:.1f}"])
    columns = ("game", "state", "view", ":game", ":log", ":memos", ":snaps", "all keys", "x state")
    notes = (
        "state: the rules' own bytes; view: protobuf of the next seat; keys: MEMORY USAGE; medians over the games",
    )
    return Table(f"store: bytes of a game with {seats or 'its fewest'} seats", columns, rows, notes)


def _growth(played: dict[str, list[Game]]) -> Table:
    rows = []
    for name, games in played.items():
        figures = _figures(name, games)
        per_move = (figures["end"]["all"] - figures["start"]["all"]) / max(1, figures["moves"])
        cells = (figures["moves"], figures["aof_per_move"], per_move, figures["largest_state"], figures["largest_view"])
        ratio = figures["aof_per_move"] / figures["end"]["state"]
        rows.append([name, *(f"{cell:,.0f}" for cell in cells), f"{ratio:.1f}"])
    columns = ("game", "moves", "AOF/move", "memory/move", "largest state", "largest view", "AOF/move x state")
    return Table("store: growth in bytes", columns, rows)
