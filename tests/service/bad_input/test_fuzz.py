"""Thousands of wrong requests to each game: always a typed refusal, and the game stands as it stood."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.core import AnyGame, write_position
from rookery.v1 import move_pb2
from service.errors import Reason
from tests.contract.cases import playout
from tests.service.bad_input.checks import reason_of
from tests.service.bad_input.mutate import change, harm, shuffle_position, text, twist, values
from tests.service.bad_input.table import BadTable, seated
from tests.service.bad_input.valid import Valid, requests
from tests.service.secrecy.asks import rest_of
from tests.service.secrecy.inner import Inner
from tests.service.secrecy.worlds import cases_of, every_game

GAMES = every_game()
IDS = [game.game_type for game in GAMES]
RPCS = ["CreateGame", "GetView", "SubmitMove", "IssueTokens", "ListGames", "GetGame", "GetGameType", "ListGameTypes"]
EXAMPLES = 150

numbers = st.integers(0, 2**32)
relaxed = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large],
)


@pytest.fixture(params=GAMES, ids=IDS)
def game(request: pytest.FixtureRequest) -> AnyGame:
    found: AnyGame = request.param
    return found


@pytest.fixture
async def table(home: Inner, game: AnyGame) -> BadTable:
    return await seated(home, game.game_type, game.seat_counts[0])


def known(table: BadTable, game: AnyGame) -> list[Valid]:
    """The valid requests, made anew when the decision is another one."""
    if table.valid_for != table.decision:
        table.valid, table.valid_for = requests(table, game), table.decision
    found: list[Valid] = table.valid
    return found


def posts(table: BadTable, game: AnyGame) -> list[Valid]:
    """Those that have a body over REST."""
    return [valid for valid in known(table, game) if rest_of(valid.ask())[0] == "POST"]


def token_for(table: BadTable, valid: Valid) -> str:
    return table.home.key if valid.platform else table.token


async def put_json(table: BadTable, valid: Valid, body: bytes) -> None:
    verb, target, _, _ = rest_of(valid.ask())
    await table.survives(await table.home.http(verb, target, body, token_for(table, valid)))


@given(number=numbers, wrong=values)
@relaxed
async def test_valid_json_made_wrong(table: BadTable, game: AnyGame, number: int, wrong: Any) -> None:
    chance = random.Random(number)
    valid = chance.choice(posts(table, game))
    value = json.loads(rest_of(valid.ask())[2])
    for _ in range(chance.choice([1, 1, 1, 2])):
        value = change(value, chance, wrong)
    await put_json(table, valid, text(value).encode("utf-8", "surrogatepass"))


@given(number=numbers)
@relaxed
async def test_valid_json_with_some_bytes_changed(table: BadTable, game: AnyGame, number: int) -> None:
    chance = random.Random(number)
    valid = chance.choice(posts(table, game))
    await put_json(table, valid, harm(rest_of(valid.ask())[2], chance))


@given(number=numbers)
@relaxed
async def test_valid_protobuf_with_some_bytes_changed(table: BadTable, game: AnyGame, number: int) -> None:
    chance = random.Random(number)
    valid = chance.choice(known(table, game))
    blob = harm(valid.message.SerializeToString(), chance)
    await table.survives(await table.home.rpc(valid.rpc, blob, token_for(table, valid)))


@given(number=numbers)
@relaxed
async def test_a_move_with_some_bytes_changed(table: BadTable, game: AnyGame, number: int) -> None:
    """The move alone, so that the request around it is always read and the game's own values are hit."""
    chance = random.Random(number)
    blob = harm(chance.choice(table.moves).SerializeToString(), chance)
    try:
        move = move_pb2.Move.FromString(blob)
    except Exception:
        return
    request = table.submit(move=move, validate_only=chance.random() < 0.5)
    await table.survives(await table.home.rpc("SubmitMove", request, table.token))


@given(blob=st.binary(max_size=80), rpc=st.sampled_from(RPCS), platform=st.booleans())
@settings(relaxed, max_examples=60)
async def test_any_bytes(table: BadTable, blob: bytes, rpc: str, platform: bool) -> None:
    await table.survives(await table.home.rpc(rpc, blob, table.home.key if platform else table.token))


@given(number=numbers)
@settings(relaxed, max_examples=60)
async def test_the_wrong_request_to_the_wrong_method(table: BadTable, game: AnyGame, number: int) -> None:
    chance = random.Random(number)
    valid, rpc = chance.choice(known(table, game)), chance.choice(RPCS)
    token = chance.choice([table.home.key, *table.tokens])
    await table.survives(await table.home.rpc(rpc, valid.message, token))


@given(number=numbers)
@settings(relaxed, max_examples=2 * EXAMPLES)
async def test_a_message_with_a_field_made_wrong(table: BadTable, game: AnyGame, number: int) -> None:
    """Well-formed protobuf: unknown enum numbers, absent arms, other games' arms, numbers and texts out of range."""
    chance = random.Random(number)
    valid = chance.choice(known(table, game))
    message: Any = type(valid.message).FromString(valid.message.SerializeToString())
    if valid.rpc == "SubmitMove" and message.HasField("move") and chance.random() < 0.7:
        message.move.CopyFrom(chance.choice(table.moves))
        twist(message.move, chance)
    else:
        for _ in range(chance.choice([1, 1, 2])):
            twist(message, chance)
    await table.survives(await table.home.rpc(valid.rpc, message, token_for(table, valid)))


@given(number=numbers)
@settings(relaxed, max_examples=2 * EXAMPLES)
async def test_a_position_made_wrong(home: Inner, game: AnyGame, number: int) -> None:
    """Refused, or else a game like any other: everybody sees it, and whoever is asked may move."""
    chance = random.Random(number)
    case = chance.choice([case for seats in game.seat_counts if seats < 20 for case in cases_of(game, seats)])
    document = json.loads(json.dumps(write_position(game, chance.choice(playout(case).states))))
    for _ in range(chance.choice([1, 1, 1, 2])):
        document = shuffle_position(document, chance)
    body = {"gameType": game.game_type, "seats": [{}] * case.seats, "position": document}
    reply = await home.http("POST", "/v1/games", json.dumps(body).encode())
    if not reply.ok:
        assert reason_of(reply) is Reason.INVALID_OPTIONS
        return
    made = json.loads(reply.body)
    name = made["game"]["name"]
    for seat in made["seatTokens"]:
        token = seat["token"]
        view = await home.http(
            "GET", f"/v1/{name}/view?parts=PART_DETAIL&parts=PART_OFFERS&parts=PART_SCENE", token=token
        )
        assert view.ok, view
        decision = json.loads(view.body).get("decision")
        if decision is not None:
            answer = {"decisionId": decision["decisionId"], "offerId": chance.choice(decision["offers"])["offerId"]}
            moved = await home.http("POST", f"/v1/{name}:submitMove", json.dumps(answer).encode(), token)
            assert moved.ok, moved


async def test_the_valid_requests_are_answered(table: BadTable, game: AnyGame) -> None:
    """The fuzzers start from requests that are right; a request that is refused is no start."""
    for valid in requests(table, game):
        reply = await table.home.rpc(valid.rpc, valid.message, token_for(table, valid))
        if not reply.ok:
            assert valid.rpc in ("SubmitMove", "UndoMove"), reply
            await table.refuses(reply)
