"""Forks tell nothing: those of two worlds that look alike are alike to the byte, hidden hands and all."""

from __future__ import annotations

import json
from typing import Any

import pytest
from google.protobuf import json_format

from engine.core import AnyGame, Rng, read_position
from rookery.v1 import game_service_pb2 as pb
from service.fork import Fork
from tests.contract.cases import games
from tests.service.pledge import GAME, PledgeGame, State
from tests.service.secrecy.asks import Ask
from tests.service.secrecy.conftest import MakeTwins
from tests.service.secrecy.twins import Leak, Twins, by_http, by_rpc, compare
from tests.service.secrecy.worlds import Pair, moments


async def fork(made: Twins, pair: Pair) -> None:
    """Fork both worlds by the same chance, each way, as the viewer knows them. Raises Leak."""
    table = await made.deal(pair)
    whose: dict[str, Any] = {"spectator": True} if pair.viewer is None else {"seat": pair.viewer}
    await compare_forks(made, pair, Ask("fork", "ForkGame", pb.ForkGameRequest(name=table.name, **whose)))
    await table.go_on(1)
    # What begins where the game once stood is dealt as the viewer knew it then.
    past = pb.ForkGameRequest(name=table.name, version=1, **whose)
    await compare_forks(made, pair, Ask("fork of the past", "ForkGame", past))


async def compare_forks(made: Twins, pair: Pair, ask: Ask) -> None:
    """Fork each way, by the same chance. Raises Leak."""
    for number, way in enumerate((by_rpc, by_http)):
        replies = []
        for home in made.homes:
            home.chance.turn(f"{made.prefix}{pair.name} {ask.label} {number}")
            replies.append(await way(home, ask, home.key))
        assert replies[0].ok, replies[0]
        compare(pair, ask.label, replies[0], replies[1])
        body = replies[0].body
        name = json.loads(body)["game"]["name"] if number else pb.ForkGameResponse.FromString(body).game.name
        export = pb.ExportGameRequest(name=name)
        records = [await home.rpc("ExportGame", export, home.key) for home in made.homes]
        compare(pair, f"export of the {ask.label}", records[0], records[1])
        record = json_format.MessageToDict(pb.ExportGameResponse.FromString(records[0].body))["export"]
        state = read_position(pair.game, record["position"])
        assert pair.game.view(state, pair.viewer) == pair.game.view(pair.state, pair.viewer)


async def fork_all(made: Twins, every: list[Pair]) -> None:
    """Fork each of the pairs. Raises Leak."""
    for pair in every:
        await fork(made, pair)


def asked(game: AnyGame) -> list[Pair]:
    """Some of the moments, of every kind of question and in every part."""
    found = list(moments(game).values())
    return found[:: 1 + len(found) // 20]


@pytest.mark.parametrize("game", [*games(), GAME], ids=lambda game: game.game_type)
async def test_forks_of_worlds_that_look_alike_are_alike(twins: MakeTwins, game: AnyGame) -> None:
    every = asked(game)
    assert every
    async with twins([game]) as made:
        await fork_all(made, every)


class Lazy(PledgeGame):
    """Deals nothing anew when it shall fork."""

    lazy = False

    def redeal(self, state: State, seat: int | None, rng: Rng) -> State:
        return state if self.lazy else super().redeal(state, seat, rng)


async def test_a_fork_that_tells_is_caught(twins: MakeTwins) -> None:
    game = Lazy()
    every = asked(game)
    game.lazy = True
    async with twins([game]) as made:
        with pytest.raises(Leak):
            await fork_all(made, every)


async def test_a_fork_of_the_past_that_tells_is_caught(twins: MakeTwins, monkeypatch: pytest.MonkeyPatch) -> None:
    dealt = Fork._state

    def leak(self: Fork, platform: Any, now: Any, there: Any, request: Any) -> Any:
        return there.state if request.version is not None else dealt(self, platform, now, there, request)

    monkeypatch.setattr(Fork, "_state", leak)
    async with twins([GAME]) as made:
        with pytest.raises(Leak):
            await fork_all(made, asked(GAME))
