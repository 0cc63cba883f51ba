"""What a bot is given says no more than what its seat may know, and what it decides follows from that alone."""

from __future__ import annotations

import gc
import types
import uuid
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import Any

import msgspec
import pytest
from google.protobuf import json_format

from engine.core import AnyGame, Budget, Level, Registry, Rng, Sight, decide, encode_move, encode_state, write_position
from rookery.v1 import game_pb2
from rookery.v1 import game_service_pb2 as pb
from service.bots import Bots
from service.redis_store import RedisStore
from service.store import GameKey
from service.table import pressing
from tests.service.secrecy.inner import Inner, inner
from tests.service.secrecy.worlds import Pair, cases_of, every_game, moments, pairs

GAMES = [(game, seats) for game in every_game() for seats in game.seat_counts if seats < 20]
IDS = [f"{game.game_type}-{seats}" for game, seats in GAMES]
# Enough for a tree; the clock stands still.
BUDGET = Budget(iterations=4)


class Seen:
    """What a bot was given, as bytes, and what it would do at each level."""

    def __init__(self, level: Level, sight: Sight[Any, Any, Any]) -> None:
        self.view = msgspec.msgpack.encode(sight.view)
        self.moves = tuple(encode_move(move) for move in sight.moves)
        self.base = encode_state(sight.game, sight.base)
        self.given = (level, sight.seat, self.view, self.moves, self.base)
        self.decided = tuple(encode_move(decide(each, sight, Rng(b"chance", 1), BUDGET)) for each in Level)
        self.reached = {type(thing) for thing in reachable(sight)}
        self.states = [encode_state(sight.game, thing) for thing in reachable(sight) if type(thing) is sight.game.state]


def reachable(root: object) -> Iterator[object]:
    """Everything that can be got at from an object, without what all programs have: types, functions, modules."""
    seen: dict[int, object] = {}
    found = [root]
    while found:
        thing = found.pop()
        if id(thing) in seen or isinstance(thing, type | types.ModuleType | types.FunctionType):
            continue
        seen[id(thing)] = thing
        found += gc.get_referents(thing)
    yield from seen.values()


class Here:
    """One of the two services, and a bot worker on its store."""

    def __init__(self, service: Inner, store: RedisStore, games: Registry) -> None:
        self.service = service
        self.seen: list[Seen] = []
        self.bots = Bots(games=games, store=store, decide=self._decide, clock_us=service.clock, entropy=bytes)

    async def _decide(self, level: Level, sight: Sight[Any, Any, Any], rng: Rng) -> msgspec.Struct:
        # Its chance is drawn for it alone: that of the game would tell what is drawn next.
        assert rng.below(1 << 32) == Rng(bytes(32), 0).below(1 << 32)
        self.seen.append(Seen(level, sight))
        move: msgspec.Struct = rng.choice(sight.moves)
        return move

    async def given(self, pair: Pair, world: Any, level: int) -> Seen:
        """Deal the world with a bot in the viewer's seat, and let it answer."""
        assert pair.viewer is not None
        seats = [pb.NewSeat() for _ in range(pair.seats)]
        seats[pair.viewer].controller = game_pb2.CONTROLLER_BOT
        seats[pair.viewer].bot_level = level  # type: ignore[assignment]
        request = pb.CreateGameRequest(game_type=pair.game.game_type, seats=seats)
        json_format.ParseDict(write_position(pair.game, world), request.position)
        reply = await self.service.rpc("CreateGame", request)
        assert reply.ok, reply
        name = pb.CreateGameResponse.FromString(reply.body).game.name
        await self.bots.answer(GameKey("test", name.removeprefix("games/")))
        (seen,), self.seen = self.seen, []
        return seen


def asked(game: AnyGame, seats: int) -> list[Pair]:
    """Pairs of worlds in which the viewer owes an answer that presses: every kind, and few from all over a game."""
    plain, *others = cases_of(game, seats)
    every = [pair for moment, pair in moments(game).items() if moment.part == "own" and pair.seats == seats]
    found = [*pairs(plain, tuple(range(seats)), 12)]
    for turn, case in enumerate(others[:: max(1, len(others) // 2)], 1):
        found += pairs(case, (turn % seats,), 6, turn)
    found = _pressed(game, found)
    return [*_pressed(game, every), *found[:: max(1, len(found) // 8)]]


def _pressed(game: AnyGame, found: list[Pair]) -> list[Pair]:
    return [pair for pair in found if pair.viewer in pressing(game, game.prompts(pair.state))]


@pytest.mark.parametrize(("game", "seats"), GAMES, ids=IDS)
async def test_a_bot_knows_what_its_seat_knows(store_url: str, game: AnyGame, seats: int) -> None:
    chosen = asked(game, seats)
    assert len(chosen) >= 3
    async with AsyncExitStack() as stack:
        homes = []
        for url in (f"{store_url}?db=4", f"{store_url}?db=5"):
            service = await stack.enter_async_context(inner(url, [game]))
            # Games of other tests on this store have other ids.
            service.chance.turn(f"bots {uuid.uuid4()}")
            store = await RedisStore.open(url)
            stack.push_async_callback(store.close)
            homes.append(Here(service, store, Registry([game])))
        for turn, pair in enumerate(chosen):
            worlds = (pair.state, pair.other)
            level = 1 + turn % 3
            here, there = [await home.given(pair, world, level) for home, world in zip(homes, worlds, strict=True)]
            assert here.given == there.given, pair.name
            assert here.decided == there.decided, pair.name
            for seen in (here, there):
                # Neither the true state nor anything of the service can be got at from what a bot has.
                assert len(set(seen.states)) == 1, pair.name
                assert not any(kind.__module__.startswith("service.") for kind in seen.reached), pair.name
                assert seen.states[0] == seen.base
            assert {encode_state(game, pair.state), encode_state(game, pair.other)} - {here.base}, pair.name
