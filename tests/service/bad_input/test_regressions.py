"""Inputs that once did harm, each by itself."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pytest
from google.protobuf import struct_pb2

from engine.core import AnyGame, installed
from rookery.v1 import game_service_pb2 as pb
from rookery.v1 import move_pb2, options_pb2, view_pb2
from service.errors import Reason
from tests.service.bad_input.checks import reason_of
from tests.service.bad_input.table import BadTable, seated
from tests.service.secrecy.asks import typed
from tests.service.secrecy.inner import Inner
from tests.service.secrecy.worlds import all_moves, every_game

FIRST_GAME = installed().game_types[0]
NO_JSON = [math.nan, math.inf, -math.inf]
TOO_LARGE = [1e300, -1e18, 2.0**63, 2.0**31]


@pytest.fixture
async def table(home: Inner) -> BadTable:
    return await seated(home, "pledge", 2)


def struct(**fields: Any) -> struct_pb2.Struct:
    """A Struct that may hold what JSON cannot say."""
    made = struct_pb2.Struct()
    for name, value in fields.items():
        if isinstance(value, float):
            made.fields[name].number_value = value
        else:
            made.fields[name].string_value = value
    return made


@pytest.mark.parametrize("number", [*NO_JSON, *TOO_LARGE])
async def test_a_number_of_a_struct_that_is_no_integer_of_32_bits(table: BadTable, number: float) -> None:
    move = move_pb2.Move(plugin=struct(type="pledge", coins=number))
    options = options_pb2.GameOptions(plugin=struct(rounds=number))
    seats = [pb.NewSeat(), pb.NewSeat()]
    opening = pb.CreateGameRequest(game_type="pledge", seats=seats, options=options)
    position = pb.CreateGameRequest(game_type="pledge", seats=seats, position=struct(bank=number))

    assert await table.refuses(await table.home.rpc("SubmitMove", table.submit(move=move), table.token)) is (
        Reason.MALFORMED_MOVE
    )
    assert await table.refuses(await table.home.rpc("CreateGame", opening)) is Reason.INVALID_OPTIONS
    await table.refuses(await table.home.rpc("CreateGame", position))


@pytest.mark.parametrize("number", [*NO_JSON, *TOO_LARGE])
async def test_the_same_in_the_plugin_arm_of_a_game_with_a_proto(home: Inner, number: float) -> None:
    game = installed().get(FIRST_GAME)
    table = await seated(home, FIRST_GAME, game.seat_counts[0])
    fields = dict.fromkeys(game.options.__struct_fields__, number)
    request = pb.CreateGameRequest(
        game_type=FIRST_GAME,
        seats=[pb.NewSeat() for _ in range(game.seat_counts[0])],
        options=options_pb2.GameOptions(plugin=struct(**fields)),
    )

    assert await table.refuses(await home.rpc("CreateGame", request)) is Reason.INVALID_OPTIONS


@pytest.mark.parametrize("key", ["x" * 30_000, "\n" * 300, "é" * 5_000, "\x00"])
async def test_a_key_that_would_burst_the_headers_of_the_refusal(table: BadTable, key: str) -> None:
    move = move_pb2.Move(plugin=struct(**{"type": "pledge", key: 1.0}))
    options = options_pb2.GameOptions(plugin=struct(**{key: 1.0}))
    opening = pb.CreateGameRequest(game_type="pledge", seats=[pb.NewSeat()] * 2, options=options)

    for reply in (
        await table.home.rpc("SubmitMove", table.submit(move=move), table.token),
        await table.home.rpc("CreateGame", opening),
    ):
        await table.refuses(reply)
        assert reply.text.isprintable()
        assert reply.text.isascii()


async def test_a_seat_that_is_named_again_and_again(table: BadTable) -> None:
    again = pb.IssueTokensRequest(name=table.name, seats=[0, 1, 0])
    for_ever = pb.IssueTokensRequest(name=table.name, seats=[0] * 50_000)

    assert await table.refuses(await table.home.rpc("IssueTokens", again)) is Reason.MALFORMED_REQUEST
    assert await table.refuses(await table.home.rpc("IssueTokens", for_ever)) is Reason.MALFORMED_REQUEST


async def test_a_megabyte_of_empty_items_is_refused_before_it_is_read(table: BadTable) -> None:
    """A megabyte of them used to keep every other call waiting for seconds; now the length alone is looked at."""
    home, name = table.home, table.name
    seats = pb.CreateGameRequest(game_type="pledge", seats=[pb.NewSeat() for _ in range(100_000)])
    parts = pb.GetViewRequest(name=name, parts=[view_pb2.PART_DETAIL] * 100_000)
    moves = table.submit(moves=[pb.Answer() for _ in range(100_000)])
    bodies = {
        "/v1/games": b'{"gameType": "pledge", "seats": [' + b"{}," * 100_000 + b"{}]}",
        f"/v1/{name}:submitMove": b'{"decisionId": "a", "moves": [' + b"{}," * 100_000 + b"{}]}",
        f"/v1/{name}:issueTokens": b'{"seats": [' + b"0," * 100_000 + b"0]}",
    }

    for rpc, request in (("CreateGame", seats), ("GetView", parts), ("SubmitMove", moves)):
        reply = await home.rpc(rpc, request)
        assert "more than 1000" in reply.text
        await table.refuses(reply)
    for target, body in bodies.items():
        answer = await home.http("POST", target, body)
        assert b"more than 1000" in answer.body
        await table.refuses(answer)


def holes(message: Any) -> Iterator[Any]:
    """The message with each one of the messages inside it taken away."""
    for field, held in message.ListFields():
        if field.message_type is None or field.is_repeated:
            continue
        for hole in holes(held):
            made = type(message).FromString(message.SerializeToString())
            getattr(made, field.name).CopyFrom(hole)
            yield made
        made = type(message).FromString(message.SerializeToString())
        made.ClearField(field.name)
        yield made


@pytest.mark.parametrize("game", every_game(), ids=lambda game: game.game_type)
async def test_a_move_with_a_part_missing(home: Inner, game: AnyGame) -> None:
    """A part that a move cannot be without used to reach the rules as None."""
    table = await seated(home, game.game_type, game.seat_counts[0])
    for move in all_moves(game)[:: max(1, len(all_moves(game)) // 40)]:
        for hole in holes(typed(game, move)):
            reply = await home.rpc("SubmitMove", table.submit(move=hole, validate_only=True), table.token)
            await table.survives(reply)


async def test_a_chain_that_is_too_long_is_the_same_mistake_on_both_sides(table: BadTable) -> None:
    for count in (101, 1001):
        request = table.submit(moves=[pb.Answer(offer_id="pledge:1")] * count)
        body = b'{"decisionId": "a", "moves": [' + b",".join([b'{"offerId": "pledge:1"}'] * count) + b"]}"
        by_rpc = await table.home.rpc("SubmitMove", request, table.token)
        by_http = await table.home.http("POST", f"/v1/{table.name}:submitMove", body, table.token)
        assert reason_of(by_rpc) is reason_of(by_http) is Reason.MALFORMED_MOVE
