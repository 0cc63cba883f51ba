"""Who has nothing to do with a game cannot find out whether there is one: every answer is that of no game at all."""

from __future__ import annotations

import pytest

from engine.core import AnyGame
from rookery.v1 import game_pb2
from rookery.v1 import game_service_pb2 as pb
from service.callers import ALL_SCOPES
from service.keys import add_platform
from tests.service.pledge import GAME
from tests.service.secrecy.asks import Ask, answers, forbidden, looks
from tests.service.secrecy.inner import Inner, inner
from tests.service.secrecy.twins import by_http, by_rpc
from tests.service.secrecy.worlds import Pair, cases_of, pairs

SEATS = 2
NOBODY = f"games/{'a' * 26}"


def asks(pair: Pair, name: str) -> list[Ask]:
    """Everything that can be asked of a game by its name, changes included."""
    legal = pair.game.legal_moves(pair.state, 0)
    changes = [
        Ask("fork of a seat", "ForkGame", pb.ForkGameRequest(name=name, seat=0)),
        Ask("export of it", "ExportGame", pb.ExportGameRequest(name=name)),
        Ask("revocation", "IssueTokens", pb.IssueTokensRequest(name=name, seats=[0], revoke=True)),
    ]
    every = [*looks(name, 0, 1), *forbidden(name, 0, SEATS), *answers(pair, name, "a" * 20, 1, legal), *changes]
    return [ask for ask in every if "name" in ask.message.DESCRIPTOR.fields_by_name]


async def deal(home: Inner, game: AnyGame, key: str) -> tuple[str, str, str]:
    """A game, with the tokens of a seat and of a spectator."""
    request = pb.CreateGameRequest(game_type=game.game_type, seats=[pb.NewSeat() for _ in range(SEATS)])
    made = pb.CreateGameResponse.FromString((await home.rpc("CreateGame", request, key)).body)
    issued = await home.rpc("IssueTokens", pb.IssueTokensRequest(name=made.game.name, spectator=True), key)
    spectator = pb.IssueTokensResponse.FromString(issued.body).spectator_token.token
    return made.game.name, made.seat_tokens[0].token, spectator


@pytest.mark.parametrize("whose", ["platform", "seat", "spectator"])
@pytest.mark.parametrize("own_tenant", [True, False], ids=["own tenant", "another tenant"])
async def test_a_game_of_others_is_like_none(store_url: str, whose: str, own_tenant: bool) -> None:
    (pair, *_) = pairs(cases_of(GAME, SEATS)[0], (0,), 1)
    async with inner(store_url, [GAME]) as home:
        home.chance.turn(f"strangers {whose} {own_tenant}")
        keys, other = add_platform(home.keys, "other", tuple(sorted(ALL_SCOPES)))
        home.credentials.replace(keys)
        name, _, _ = await deal(home, GAME, home.key)
        _, seat, spectator = await deal(home, GAME, home.key if own_tenant else other)
        token = {"platform": other, "seat": seat, "spectator": spectator}[whose]
        compared = 0
        for ask, of_none in zip(asks(pair, name), asks(pair, NOBODY), strict=True):
            for way in (by_rpc, by_http):
                there, nowhere = await way(home, ask, token), await way(home, of_none, token)
                assert there == nowhere, ask.label
                compared += not there.ok
        assert compared > 50
        alive = await home.rpc("GetGame", pb.GetGameRequest(name=name))
    assert game_pb2.Game.FromString(alive.body).version == 1
