"""Secrecy under a clock: deadlines, time left, what the clock does and who leaves tell nothing about what is hidden."""

from __future__ import annotations

import pytest
from google.protobuf import duration_pb2

from engine.core import AnyGame
from rookery.v1 import clock_pb2, game_pb2
from rookery.v1 import game_service_pb2 as pb
from service.store import GameKey
from service.sweep import SweepLog
from tests.service.secrecy.asks import Ask
from tests.service.secrecy.conftest import MakeTwins
from tests.service.secrecy.inner import Inner, Reply
from tests.service.secrecy.twins import Table, Twins, compare, lines
from tests.service.secrecy.worlds import Pair, cases_of, every_game, moments, pairs

GAMES = [(game, seats) for game in every_game() for seats in game.seat_counts if seats < 20]
IDS = [f"{game.game_type}-{seats}" for game, seats in GAMES]
POLICIES = (
    clock_pb2.ON_TIMEOUT_TIMEOUT_MOVE,
    clock_pb2.ON_TIMEOUT_BOT_TAKES_OVER,
    clock_pb2.ON_TIMEOUT_RESIGN,
)


def clock(policy: int) -> clock_pb2.Clock:
    """Both limits, so that deadlines and the time left are told."""
    ten = duration_pb2.Duration(seconds=10)
    return clock_pb2.Clock(per_decision=ten, per_game=ten, on_timeout=policy)  # type: ignore[arg-type]


def asked(game: AnyGame, seats: int) -> list[Pair]:
    """Every moment, and how it ends for a spectator."""
    found = [pair for pair in moments(game).values() if pair.seats == seats]
    return [*found, *pairs(cases_of(game, seats)[0], (None,), 2)]


def chosen(game: AnyGame, seats: int) -> list[Pair]:
    """The spectator and two seats at some points of a random game."""
    plain = cases_of(game, seats)[0]
    return [*pairs(plain, (None,), 3), *pairs(plain, (0, seats - 1), 2, seats)]


async def acted(twins: Twins, table: Table) -> None:
    """Let the clocks of both worlds act once: the time of both stands in the past."""

    class Nobody(SweepLog):
        def set_aside(self, key: GameKey, why: str) -> None:
            raise AssertionError(key, why)

    for home in twins.homes:
        assert isinstance(home, Inner)
        await home.app.sweeper.look(Nobody())


@pytest.mark.parametrize(("game", "seats"), GAMES, ids=IDS)
async def test_a_clock_that_runs_tells_no_secret(twins: MakeTwins, game: AnyGame, seats: int) -> None:
    async with twins([game]) as made:
        for turn, pair in enumerate(asked(game, seats)):
            table = await made.deal(pair, clock(POLICIES[turn % 3]))
            await table.probe()
            await table.go_on(2)
            await end(made, table)
        logs = [home.log for home in made.homes]
    assert lines(logs[0]) == lines(logs[1])


@pytest.mark.parametrize(("game", "seats"), GAMES, ids=IDS)
async def test_what_the_clock_does_to_a_seat_tells_no_secret(twins: MakeTwins, game: AnyGame, seats: int) -> None:
    """A bot that takes over, and a resignation: the state stays, so every byte must stay equal."""
    async with twins([game]) as made:
        for pair in chosen(game, seats):
            if not pair.asked:
                continue
            for policy in POLICIES[1:]:
                table = await made.deal(pair._replace(name=f"{pair.name}, {policy}"), clock(policy))
                await acted(made, table)
                table.ply += 1
                await table.look()
                await end(made, table)


@pytest.mark.parametrize(("game", "seats"), GAMES, ids=IDS)
async def test_who_leaves_tells_nothing_but_that(twins: MakeTwins, game: AnyGame, seats: int) -> None:
    async with twins([game]) as made:
        for pair in chosen(game, seats):
            for seat in range(min(seats, 3)):
                table = await made.deal(pair._replace(name=f"{pair.name}, leaves {seat}"))
                replies = await leave(made, table, seat)
                if pair.viewer == seat:
                    compare(pair, "own resignation", replies[0], replies[1])
                if replies[0].ok:
                    table.ply += 1
                await table.look()
                await end(made, table)


async def leave(twins: Twins, table: Table, seat: int) -> list[Reply]:
    """The seat resigns in both worlds."""
    request = pb.SetSeatControllerRequest(name=f"{table.name}/seats/{seat}", controller=game_pb2.CONTROLLER_RESIGNED)
    ask = Ask("resign", "SetSeatController", request)
    return [await twins.ways[seat % 2](home, ask, table.tokens[seat]) for home in twins.homes]


async def end(twins: Twins, table: Table) -> None:
    """Off the clocks' list: what they do next is not looked at."""
    for home in twins.homes:
        await home.rpc("DeleteGame", pb.DeleteGameRequest(name=table.name), home.key)
