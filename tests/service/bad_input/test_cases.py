"""Wrong values one by one, with the reason that each must have, the same over gRPC and REST."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from google.protobuf import duration_pb2

from rookery.v1 import clock_pb2, game_pb2
from rookery.v1 import game_service_pb2 as pb
from service.errors import Reason
from tests.service.bad_input.checks import reason_of_http
from tests.service.bad_input.refused import LAST, about_a_game, refused
from tests.service.bad_input.table import BadTable


async def test_a_game_that_there_is_not(table: BadTable) -> None:
    for rpc, message in about_a_game("games/" + "a" * 26):
        assert await refused(table, rpc, message) is Reason.GAME_NOT_FOUND, rpc
    for rpc, message in about_a_game("games/" + "a" * 26)[:4]:
        assert await refused(table, rpc, message, table.token) is Reason.TOKEN_WRONG_GAME, rpc


NO_NAMES = ["games/x", "games/" + "A" * 26, "games/" + "a" * 27, "games/" + "0" * 26, "games/" + "a" * 5000]


@pytest.mark.parametrize("name", NO_NAMES, ids=lambda name: name[:12])
async def test_a_name_that_is_none(table: BadTable, name: str) -> None:
    for rpc, message in about_a_game(name):
        assert await refused(table, rpc, message) is Reason.MALFORMED_REQUEST, rpc


@pytest.mark.parametrize(
    "name", ["", "x", "games/", "/", "games/a/b", "games/" + "a" * 25 + "\n", "games/../x", "games/" + "а" * 26, "\x00"]
)
async def test_a_name_that_no_path_can_hold(table: BadTable, name: str) -> None:
    for rpc, message in about_a_game(name):
        assert await table.refuses(await table.home.rpc(rpc, message)) is Reason.MALFORMED_REQUEST, rpc


@pytest.mark.parametrize(
    "segment", ["", "..", "%2e%2e", "%00", "%ff", "%", "a%2fb", "a:b", ":abort", "é", "*", "{name}"]
)
async def test_a_path_that_leads_nowhere(table: BadTable, segment: str) -> None:
    for verb in ("GET", "POST", "DELETE", "PUT", "PATCH", "OPTIONS", "TRACE", "HEAD", "x"):
        for target in (
            f"/v1/games/{segment}",
            f"/v1/games/{segment}/view",
            f"/v2/{segment}",
            f"/v1/{table.name}/{segment}",
        ):
            reply = await table.home.http(verb, target.encode().decode("latin-1"))
            if target == "/v1/games/" and reply.ok:
                continue
            if verb == "GET" and segment == "" and reply.ok:
                continue
            assert not reply.ok, (verb, target)
            if verb != "HEAD":
                assert reason_of_http(reply) in (Reason.METHOD_NOT_FOUND, Reason.MALFORMED_REQUEST), (verb, target)
    await table.stands()


@pytest.mark.parametrize("seat", [-1, 3, 64, LAST, -LAST - 1])
async def test_a_seat_that_there_is_not(table: BadTable, seat: int) -> None:
    name = table.name
    move = pb.SubmitMoveRequest(name=name, seat=seat, decision_id=table.decision, offer_id="pledge:1")

    assert await refused(table, "GetView", pb.GetViewRequest(name=name, seat=seat)) is Reason.MALFORMED_REQUEST
    assert await refused(table, "IssueTokens", pb.IssueTokensRequest(name=name, seats=[seat])) is (
        Reason.MALFORMED_REQUEST
    )
    undo = pb.UndoMoveRequest(name=name, seat=seat, to_version=1)
    for rpc, message in (("SubmitMove", move), ("UndoMove", undo)):
        assert await refused(table, rpc, message) is Reason.MALFORMED_REQUEST
        assert await refused(table, rpc, message, table.token) is Reason.SEAT_FORBIDDEN
    assert await refused(table, "GetView", pb.GetViewRequest(name=name, seat=seat), table.token) is (
        Reason.SEAT_FORBIDDEN
    )


async def test_a_viewer_or_a_seat_that_a_platform_does_not_name(table: BadTable) -> None:
    name = table.name
    both = pb.GetViewRequest(name=name, seat=0, spectator=True)

    assert await refused(table, "GetView", pb.GetViewRequest(name=name)) is Reason.MALFORMED_REQUEST
    assert await refused(table, "GetView", both) is Reason.MALFORMED_REQUEST
    assert await refused(table, "SubmitMove", table.submit(offer_id="pledge:1")) is Reason.MALFORMED_REQUEST
    assert await refused(table, "UndoMove", pb.UndoMoveRequest(name=name, to_version=1)) is Reason.MALFORMED_REQUEST
    assert await refused(table, "IssueTokens", pb.IssueTokensRequest(name=name)) is Reason.MALFORMED_REQUEST


def spans() -> list[tuple[int, int]]:
    """Seconds and nanos: negative, endless, with more nanos than a second has, or with two signs."""
    return [
        (-1, 0),
        (0, -1),
        (10**11, 0),
        (-(10**11), 0),
        (2**62, 0),
        (-(2**63), 0),
        (31, 0),
        (30, 1_000),
        (0, 2**31 - 1),
    ]


@pytest.mark.parametrize(("seconds", "nanos"), spans())
async def test_a_span_out_of_range(table: BadTable, seconds: int, nanos: int) -> None:
    span = duration_pb2.Duration(seconds=seconds, nanos=nanos)
    name = table.name
    view = pb.GetViewRequest(name=name, newer_than=0, wait=span)
    tokens = pb.IssueTokensRequest(name=name, seats=[0], ttl=span)
    new = pb.CreateGameRequest(game_type="pledge", seats=[pb.NewSeat()] * 2, keep=span)

    # Some are no wait, but a life: those that are neither are refused everywhere.
    for rpc, request, token in (
        ("GetView", view, table.token),
        ("IssueTokens", tokens, None),
        ("CreateGame", new, None),
    ):
        reply = await table.home.rpc(rpc, request, token)
        assert await table.refuses(reply) is Reason.MALFORMED_REQUEST, rpc


def clocks() -> list[tuple[clock_pb2.Clock, str]]:
    """Clocks that cannot be, with the field that is wrong."""
    second, none = duration_pb2.Duration(seconds=1), duration_pb2.Duration()
    month, year = duration_pb2.Duration(seconds=30 * 86400), duration_pb2.Duration(seconds=366 * 86400)
    return [
        (clock_pb2.Clock(), "clock"),
        (clock_pb2.Clock(on_timeout=clock_pb2.ON_TIMEOUT_RESIGN), "clock"),
        (clock_pb2.Clock(per_decision=none), "clock.per_decision"),
        (clock_pb2.Clock(per_decision=duration_pb2.Duration(nanos=999_999_999)), "clock.per_decision"),
        (clock_pb2.Clock(per_decision=year, per_game=year), "clock.per_decision"),
        (clock_pb2.Clock(per_decision=second, per_game=none), "clock.per_game"),
        (clock_pb2.Clock(per_decision=month, per_game=duration_pb2.Duration(seconds=-1)), "clock.per_game"),
        (clock_pb2.Clock(per_game=duration_pb2.Duration(seconds=366 * 86400 + 1)), "clock.per_game"),
    ]


@pytest.mark.parametrize(("clock", "field"), clocks())
async def test_a_clock_that_cannot_be(table: BadTable, clock: clock_pb2.Clock, field: str) -> None:
    new = pb.CreateGameRequest(game_type="pledge", seats=[pb.NewSeat()] * 2, clock=clock)

    assert await refused(table, "CreateGame", new) is Reason.INVALID_OPTIONS
    reply = await table.home.rpc("CreateGame", new)
    assert reply.text.startswith(f"{field}: ")


async def test_a_controller_that_cannot_be(table: BadTable) -> None:
    name = f"{table.name}/seats/{table.seat}"

    def ask(controller: int, **more: Any) -> pb.SetSeatControllerRequest:
        return pb.SetSeatControllerRequest(**{"name": name, "controller": controller, **more})

    for wrong in (
        ask(game_pb2.CONTROLLER_UNSPECIFIED),
        ask(game_pb2.CONTROLLER_HUMAN, bot_level=game_pb2.BOT_LEVEL_BASIC),
        ask(game_pb2.CONTROLLER_RESIGNED, bot_level=game_pb2.BOT_LEVEL_BASIC),
        ask(game_pb2.CONTROLLER_RESIGNED, request_id="x"),
        ask(game_pb2.CONTROLLER_RESIGNED, name=f"{table.name}/seats/99"),
    ):
        assert await refused(table, "SetSeatController", wrong) is Reason.MALFORMED_REQUEST
    for number in (4, 99, -1):
        unknown = ask(number)
        assert await table.refuses(await table.home.rpc("SetSeatController", unknown)) is Reason.MALFORMED_REQUEST
    # The seat stands in the name; the request has no field of its own for it.
    reply = await table.home.rpc("SetSeatController", ask(game_pb2.CONTROLLER_BOT, name=f"{table.name}/seats/99"))
    assert reply.text.startswith("name: ")
    assert await refused(table, "SetSeatController", ask(game_pb2.CONTROLLER_BOT), table.token) is Reason.SEAT_FORBIDDEN


@pytest.mark.parametrize("text", ["-1s", "1", "s", "1 s", "1e3s", "NaNs", "99999999999999999s", "1.0000000001s", "٣s"])
async def test_a_span_that_is_none_in_json(table: BadTable, text: str) -> None:
    body = json.dumps({"seats": [0], "ttl": text}).encode()
    reply = await table.home.http("POST", f"/v1/{table.name}:issueTokens", body)

    assert await table.refuses(reply) is Reason.MALFORMED_REQUEST


@pytest.mark.parametrize("request_id", ["x", "0" * 36, "123e4567e89b42d3a456426614174000", "a" * 9000, "\n", "é" * 36])
async def test_a_request_id_that_is_no_uuid(table: BadTable, request_id: str) -> None:
    new = pb.CreateGameRequest(game_type="pledge", seats=[pb.NewSeat()] * 2, request_id=request_id)
    tokens = pb.IssueTokensRequest(name=table.name, seats=[0], request_id=request_id)

    fork = pb.ForkGameRequest(name=table.name, seat=0, request_id=request_id)

    assert await refused(table, "CreateGame", new) is Reason.MALFORMED_REQUEST
    assert await refused(table, "ForkGame", fork) is Reason.MALFORMED_REQUEST
    assert await refused(table, "IssueTokens", tokens) is Reason.MALFORMED_REQUEST
    move = table.submit(offer_id="pledge:1", request_id=request_id)
    assert await refused(table, "SubmitMove", move, table.token) is Reason.MALFORMED_REQUEST
    undo = pb.UndoMoveRequest(name=table.name, to_version=1, request_id=request_id)
    assert await refused(table, "UndoMove", undo, table.token) is Reason.MALFORMED_REQUEST


@pytest.mark.parametrize(
    ("version", "reason"),
    [
        (0, Reason.MALFORMED_REQUEST),
        (-1, Reason.MALFORMED_REQUEST),
        (-LAST - 1, Reason.MALFORMED_REQUEST),
        (1, Reason.UNDO_BLOCKED),
        (2, Reason.VERSION_AHEAD),
        (LAST, Reason.VERSION_AHEAD),
    ],
)
async def test_a_version_that_nobody_can_go_back_to(table: BadTable, version: int, reason: Reason) -> None:
    await table.deal()
    undo = pb.UndoMoveRequest(name=table.name, to_version=version)
    assert await refused(table, "UndoMove", undo, table.token) is reason


@pytest.mark.parametrize(
    "commitment", ["x", "commitments/", "commitments/x", f"games/{'a' * 26}", f"commitments/{'A' * 26}", "é", "\n"]
)
async def test_a_commitment_that_is_none(table: BadTable, commitment: str) -> None:
    new = pb.CreateGameRequest(game_type="pledge", seats=[pb.NewSeat()] * 2, commitment=commitment)

    assert await refused(table, "CreateGame", new) is Reason.MALFORMED_REQUEST
    new.request_id = "123e4567-e89b-42d3-a456-426614174000"
    assert await refused(table, "CreateGame", new) is Reason.MALFORMED_REQUEST
    new.commitment = f"commitments/{'a' * 26}"
    assert await refused(table, "CreateGame", new) is Reason.COMMITMENT_NOT_FOUND
    new.seed = b"s" * 32
    assert await refused(table, "CreateGame", new) is Reason.INVALID_OPTIONS


async def test_more_entropy_than_there_may_be(table: BadTable) -> None:
    seats = [pb.NewSeat(), pb.NewSeat(entropy=bytes(65))]

    for wrong in (
        pb.CreateGameRequest(game_type="pledge", seats=[pb.NewSeat()] * 2, entropy=bytes(65)),
        pb.CreateGameRequest(game_type="pledge", seats=seats),
        pb.CreateGameRequest(game_type="pledge", seats=seats, entropy=b"x" * 100_000),
    ):
        assert await refused(table, "CreateGame", wrong) is Reason.MALFORMED_REQUEST


@pytest.mark.parametrize("key", ["x", "a b", '"', "é", "", "," * 200, f"{uuid.UUID(int=5)},{uuid.UUID(int=6)}"])
async def test_an_idempotency_key_that_is_none(table: BadTable, key: str) -> None:
    body = json.dumps({"decisionId": table.decision, "offerId": "pledge:1"}).encode()
    reply = await table.home.http(
        "POST", f"/v1/{table.name}:submitMove", body, table.token, (("idempotency-key", key),)
    )

    assert await table.refuses(reply) is Reason.MALFORMED_REQUEST


async def test_a_page_token_that_is_none(table: BadTable) -> None:
    first = await table.home.rpc("ListGames", pb.ListGamesRequest(page_size=1))
    real = pb.ListGamesResponse.FromString(first.body).next_page_token
    assert real
    wrong = [real[:-1], real + "A", real[::-1], "x", "=", "é", "A" * 100, "A" * 5000, "\x00", " ", real.swapcase()]
    for token in wrong:
        request = pb.ListGamesRequest(page_size=1, page_token=token)
        assert await refused(table, "ListGames", request) is Reason.MALFORMED_REQUEST, token
    for other in ({"game_type": "pledge"}, {"state": 2}):
        request = pb.ListGamesRequest(**{"page_size": 1, "page_token": real, **other})  # type: ignore[arg-type]
        assert await refused(table, "ListGames", request) is Reason.MALFORMED_REQUEST
    for size in (-1, 1001, LAST, -LAST - 1):
        assert await refused(table, "ListGames", pb.ListGamesRequest(page_size=size)) is Reason.MALFORMED_REQUEST
