"""Garbage over real sockets, on both transports, while a real game goes on beside it and comes to its end."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from typing import Any
from urllib.parse import quote

import grpc
import pytest

from rookery.v1 import game_service_pb2 as pb
from rookery.v1 import view_pb2
from service.errors import Reason
from tests.service.bad_input.checks import reason_of_http, reason_of_rpc
from tests.service.bad_input.mutate import harm, twist
from tests.service.bad_input.table import BadTable, seated
from tests.service.bad_input.valid import Valid, requests
from tests.service.live import TRANSPORTS
from tests.service.secrecy.asks import rest_of
from tests.service.secrecy.outer import Outer, outer
from tests.service.secrecy.worlds import every_game

GAMES = every_game()
ROUNDS = 250
BIG = 1 << 20
# What a transport says of its own: too long a message or header, no such method, a broken frame.
TRANSPORTS_OWN = {grpc.StatusCode.RESOURCE_EXHAUSTED.value[0], grpc.StatusCode.UNIMPLEMENTED.value[0]}


@pytest.fixture(params=TRANSPORTS)
async def home(request: pytest.FixtureRequest, store_url: str) -> AsyncIterator[Outer]:
    async with outer(store_url, GAMES, request.param) as made:
        made.chance.turn(f"{request.node.nodeid} {random.random()}")
        yield made


async def throw(home: Outer, table: BadTable, valid: Valid, chance: random.Random) -> None:
    """One wrong request, and what must come of it."""
    token = home.key if valid.platform else table.token
    kind = chance.randrange(4)
    if kind == 0:
        reply = await home.rpc(valid.rpc, harm(valid.message.SerializeToString(), chance), token)
    elif kind == 1:
        message: Any = type(valid.message).FromString(valid.message.SerializeToString())
        twist(message, chance)
        reply = await home.rpc(valid.rpc, message, token)
    else:
        verb, target, body, _ = rest_of(valid.ask())
        if kind == 2:
            body = harm(body, chance)
        else:
            target = "/v1/" + quote(harm(target.encode(), chance), safe="/?=&:%")
        answer = await home.http(verb, target, body if verb == "POST" else b"", token)
        assert answer.ok or reason_of_http(answer)
        return
    assert reply.ok or reason_of_rpc(reply)


async def play(home: Outer, game_type: str, seats: int, chance: random.Random) -> int:
    """A whole game by offers; the moves that it took. Every answer must be a success."""
    seated = [pb.NewSeat() for _ in range(seats)]
    made = await home.rpc("CreateGame", pb.CreateGameRequest(game_type=game_type, seats=seated), home.key)
    opened = pb.CreateGameResponse.FromString(made.body)
    tokens = [seat.token for seat in opened.seat_tokens]
    awaiting = list(opened.game.awaiting)
    moves = 0
    while awaiting:
        token = tokens[awaiting[0].seat]
        seen = await home.rpc("GetView", pb.GetViewRequest(name=opened.game.name), token)
        decision = view_pb2.View.FromString(seen.body).decision
        offer = chance.choice(decision.offers)
        answer = pb.SubmitMoveRequest(
            name=opened.game.name, decision_id=decision.decision_id, offer_id=offer.offer_id, expected_version=moves + 1
        )
        done = await home.rpc("SubmitMove", answer, token)
        assert done.ok, done
        moves += 1
        awaiting = list(pb.SubmitMoveResponse.FromString(done.body).view.awaiting)
    return moves


async def test_garbage_while_a_game_goes_on(home: Outer) -> None:
    target = await seated(home, "pledge", 3)
    quiet = await seated(home, "pledge", 2)
    valid = [one for game in GAMES for one in requests(await seated(home, game.game_type, game.seat_counts[0]), game)]

    async def shower(number: int) -> int:
        chance = random.Random(number)
        thrown = 0
        while not over.is_set() or thrown < ROUNDS // 4:
            await throw(home, target, chance.choice(valid), chance)
            thrown += 1
            if thrown >= ROUNDS:
                break
        return thrown

    over = asyncio.Event()
    async with asyncio.timeout(60):
        showers = [asyncio.create_task(shower(number)) for number in range(4)]
        moves = await play(
            home, "euchre" if "euchre" in {g.game_type for g in GAMES} else "pledge", 4, random.Random(5)
        )
        over.set()
        thrown = sum([await one for one in showers])
    assert moves > 3
    assert thrown >= ROUNDS
    # Nobody threw at this one with its own name: it stands as it was dealt.
    await quiet.stands()
    assert "INTERNAL" not in home.log


async def test_methods_that_there_are_not(home: Outer) -> None:
    for name in ("Nothing", "submitMove", "SubmitMove2", "x" * 2000):
        reply = await home.rpc(name, b"")
        assert reply.status == grpc.StatusCode.UNIMPLEMENTED.value[0], name
    for path in ("/rookery.v1.NoService/GetView", "/GetView", "/rookery.v2.GameService/GetView"):
        reply = await home.rpc(path, b"")
        assert reply.status == grpc.StatusCode.UNIMPLEMENTED.value[0], path


async def test_too_large_over_sockets(home: Outer) -> None:
    table = await seated(home, "pledge", 2)
    ours = await home.rpc("SubmitMove", pb.SubmitMoveRequest(decision_id="x" * (BIG + 1)), table.token)
    assert reason_of_rpc(ours) is Reason.PAYLOAD_TOO_LARGE
    theirs = await home.rpc("SubmitMove", pb.SubmitMoveRequest(decision_id="x" * (20 * BIG)), table.token)
    assert theirs.status in TRANSPORTS_OWN
    answer = await home.http("POST", f"/v1/{table.name}:submitMove", b"x" * (BIG + 1), table.token)
    assert reason_of_http(answer) is Reason.PAYLOAD_TOO_LARGE
    await table.stands()


LONG = ["x" * 5_000, "é" * 2_000, "\n" * 500, "%" * 500]


@pytest.mark.parametrize("text", LONG, ids=["long", "umlauts", "lines", "percents"])
async def test_a_refusal_reaches_the_client_whole_whatever_it_is_about(home: Outer, text: str) -> None:
    """Status and details travel in headers: what a client sent must not make them too long, or break them."""
    table = await seated(home, "pledge", 2)
    for rpc, message in hostile(table, text):
        reply = await home.rpc(rpc, message, home.key if rpc in ("CreateGame", "ListGames") else table.token)
        assert not reply.ok
        assert reason_of_rpc(reply) is not Reason.INTERNAL
    await table.stands()


def hostile(table: BadTable, text: str) -> Iterator[tuple[str, Any]]:
    """Requests with the text in every place where a text may stand."""
    seats = [pb.NewSeat(), pb.NewSeat()]
    move = table.submit(moves=[pb.Answer(offer_id=text)])
    plugin = table.submit()
    plugin.move.plugin.update({"type": "pledge", text: 1})
    kind = table.submit()
    kind.move.plugin.update({"type": text})
    yield from (("SubmitMove", request) for request in (move, plugin, kind))
    yield "SubmitMove", table.submit(decision_id=text, offer_id="pledge:1")
    yield "SubmitMove", table.submit(request_id=text, offer_id="pledge:1")
    yield "SubmitMove", pb.SubmitMoveRequest(name=text)
    yield "GetView", pb.GetViewRequest(name=f"games/{text}")
    yield "GetGameType", pb.GetGameTypeRequest(name=f"gameTypes/{text}")
    yield "ListGames", pb.ListGamesRequest(page_token=text)
    yield "CreateGame", pb.CreateGameRequest(game_type=text, seats=seats)
    yield "CreateGame", pb.CreateGameRequest(game_type="pledge", rules_version=text, seats=seats)
    yield "CreateGame", pb.CreateGameRequest(game_type="pledge", seats=seats, annotations={text * 9: text})
    yield "CreateGame", pb.CreateGameRequest(game_type="pledge", seats=[pb.NewSeat(display_name=text), seats[0]])
    options = pb.CreateGameRequest(game_type="pledge", seats=seats)
    options.options.plugin.update({text: text})
    yield "CreateGame", options
    position = pb.CreateGameRequest(game_type="pledge", seats=seats)
    position.position.update({text: {text: text}})
    yield "CreateGame", position


async def test_a_token_of_any_form(home: Outer) -> None:
    table = await seated(home, "pledge", 2)
    for token in (
        "x",
        "x" * 4000,
        "\xff\xfe",
        "a.b.c",
        table.token[:-2],
        "rk_x_y",
        "eyJ" + "W1tb" * 900 + ".e30.e30",
    ):
        if token.isascii():
            reply = await home.rpc("GetView", pb.GetViewRequest(name=table.name), token)
            assert reason_of_rpc(reply) is Reason.TOKEN_INVALID, token[:20]
        answer = await home.http("GET", f"/v1/{table.name}/view", token=token)
        assert reason_of_http(answer) in (Reason.TOKEN_INVALID, Reason.TOKEN_MISSING), token[:20]
    await table.stands()
