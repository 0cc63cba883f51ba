"""Moves, decisions, bodies and queries that are none."""

from __future__ import annotations

import json
import string
import uuid
from typing import Any

import pytest

from rookery.v1 import game_pb2, move_pb2
from rookery.v1 import game_service_pb2 as pb
from service.errors import Reason
from tests.service.bad_input.checks import reason_of
from tests.service.bad_input.refused import BIG, LAST, refused
from tests.service.bad_input.table import BadTable, seated
from tests.service.bad_input.valid import other_arms
from tests.service.secrecy.inner import Inner
from tests.service.secrecy.worlds import every_game


@pytest.mark.parametrize("game", every_game(), ids=lambda game: game.game_type)
async def test_moves_of_other_games(home: Inner, game: Any) -> None:
    table = await seated(home, game.game_type, game.seat_counts[0])
    empty = move_pb2.Move()
    for move in (*other_arms(game), empty):
        request = table.submit(move=move)
        assert await refused(table, "SubmitMove", request, table.token) is Reason.MALFORMED_MOVE, move
        chain = table.submit(moves=[pb.Answer(move=move)])
        assert await refused(table, "SubmitMove", chain, table.token) is Reason.MALFORMED_MOVE, move


@pytest.mark.parametrize(
    "more",
    [
        {"offer_id": "x" * 201},
        {"offer_id": ""},
        {"moves": [pb.Answer()]},
        {"offer_id": "pledge:1", "moves": [pb.Answer(offer_id="pledge:1")]},
        {},
    ],
    ids=["long", "empty", "empty chain", "both", "none"],
)
async def test_an_answer_that_is_none(table: BadTable, more: dict[str, Any]) -> None:
    assert await refused(table, "SubmitMove", table.submit(**more), table.token) is Reason.MALFORMED_MOVE


@pytest.mark.parametrize("decision", ["", "x" * 201, "é" * 300])
async def test_a_decision_id_that_is_none(table: BadTable, decision: str) -> None:
    request = pb.SubmitMoveRequest(name=table.name, decision_id=decision, offer_id="pledge:1")
    assert await refused(table, "SubmitMove", request, table.token) is Reason.MALFORMED_REQUEST


@pytest.mark.parametrize("decision", ["x", "\n", "é", "request:" + str(uuid.UUID(int=7)), "\x00", *string.punctuation])
async def test_a_decision_id_that_was_never_given(table: BadTable, decision: str) -> None:
    request = pb.SubmitMoveRequest(name=table.name, decision_id=decision, offer_id="pledge:1")
    assert await refused(table, "SubmitMove", request, table.token) is Reason.DECISION_STALE


async def test_a_decision_id_is_never_taken_for_a_request_id(table: BadTable) -> None:
    request_id = str(uuid.UUID(int=9))
    first = table.submit(offer_id="pledge:1", request_id=request_id)
    assert (await table.home.rpc("SubmitMove", first, table.token)).ok
    seat = table.token
    await table.look()
    for named in (f"request:{request_id}", f"0:request:{request_id}"):
        request = pb.SubmitMoveRequest(name=table.name, decision_id=named, offer_id="pledge:1")
        assert await refused(table, "SubmitMove", request, seat) in (Reason.DECISION_STALE, Reason.NOT_YOUR_DECISION)


async def test_too_large(table: BadTable) -> None:
    big = pb.SubmitMoveRequest(name=table.name, decision_id="x" * (BIG + 1))
    for rpc in ("SubmitMove", "CreateGame", "GetView", "ListGameTypes"):
        reply = await table.home.rpc(rpc, big)
        assert await table.refuses(reply) is Reason.PAYLOAD_TOO_LARGE
    for body in (b"x" * (BIG + 1), b"[" * (BIG + 1), json.dumps({"decisionId": "x" * BIG}).encode()):
        answer = await table.home.http("POST", f"/v1/{table.name}:submitMove", body, table.token)
        assert await table.refuses(answer) is Reason.PAYLOAD_TOO_LARGE


async def test_as_large_as_may_be(table: BadTable) -> None:
    """What just fits is read, and refused for what it is; nobody waits for it for long."""
    room = BIG - 200
    for body in (
        b'{"decisionId": "' + b"x" * room + b'"}',
        b'{"a":' + b"[" * (room // 2),
        b'{"a":' * (room // 5),
        b'{"decisionId": ' + b"1" * room + b"}",
        b'{"' + b"x" * room + b'": 1}',
        b"[" + b"0," * (room // 2) + b"0]",
        b"{" + b",".join(b'"%d":0' % i for i in range(room // 14)) + b"}",
        b'{"move": {"plugin": {' + b",".join(b'"%d":0' % i for i in range(room // 14)) + b"}}}",
        b'{"decisionId": "a", "move": {"plugin": {"type": "pledge", "coins": [' + b"0," * (room // 2 - 99) + b"0]}}}",
        b" " * room,
        b'"' + b"\\u00e9" * (room // 6) + b'"',
    ):
        answer = await table.home.http("POST", f"/v1/{table.name}:submitMove", body, table.token)
        assert len(body) <= BIG
        # A Struct grows on its way into protobuf.
        too_large = Reason.PAYLOAD_TOO_LARGE if b"plugin" in body else None
        form = (Reason.MALFORMED_REQUEST, Reason.UNKNOWN_FIELD, Reason.MALFORMED_MOVE, too_large)
        assert reason_of(answer) in form
    await table.stands()


async def test_a_game_that_cannot_be_made(table: BadTable) -> None:
    two = [pb.NewSeat(), pb.NewSeat()]
    wrong: list[tuple[dict[str, Any], Reason]] = [
        ({"game_type": ""}, Reason.INVALID_OPTIONS),
        ({"game_type": "x" * 5000}, Reason.INVALID_OPTIONS),
        ({"game_type": "Pledge"}, Reason.INVALID_OPTIONS),
        ({"rules_version": "99"}, Reason.INVALID_OPTIONS),
        ({"rules_version": "é" * 5000}, Reason.INVALID_OPTIONS),
        ({"seats": []}, Reason.INVALID_OPTIONS),
        ({"seats": two[:1]}, Reason.INVALID_OPTIONS),
        ({"seats": two * 400}, Reason.INVALID_OPTIONS),
        ({"seats": [pb.NewSeat(display_name="x" * 101), two[0]]}, Reason.MALFORMED_REQUEST),
        ({"seats": [pb.NewSeat(display_name="\n"), two[0]]}, Reason.MALFORMED_REQUEST),
        ({"seats": [pb.NewSeat(display_name="\u202e"), two[0]]}, Reason.MALFORMED_REQUEST),
        ({"seats": [pb.NewSeat(external_id="x" * 201), two[0]]}, Reason.MALFORMED_REQUEST),
        ({"seats": [pb.NewSeat(controller=game_pb2.CONTROLLER_RESIGNED), two[0]]}, Reason.INVALID_OPTIONS),
        ({"seed": b""}, Reason.INVALID_OPTIONS),
        ({"seed": b"x" * 31}, Reason.INVALID_OPTIONS),
        ({"seed": b"x" * 33}, Reason.INVALID_OPTIONS),
        ({"annotations": {"x" * 4097: ""}}, Reason.MALFORMED_REQUEST),
        ({"annotations": {str(i): "x" for i in range(5000)}}, Reason.MALFORMED_REQUEST),
        ({"annotations": {"é": "é" * 2048}}, Reason.MALFORMED_REQUEST),
    ]
    for more, reason in wrong:
        request = pb.CreateGameRequest(**{"game_type": "pledge", "seats": two, **more})
        assert await refused(table, "CreateGame", request) is reason, more
    for number in (99, -1, LAST):
        request = pb.CreateGameRequest(game_type="pledge", seats=two)
        request.seats[0].controller = number  # type: ignore[assignment]
        assert await table.refuses(await table.home.rpc("CreateGame", request)) is Reason.MALFORMED_REQUEST
        request.seats[0].controller = game_pb2.CONTROLLER_BOT
        request.seats[0].bot_level = number  # type: ignore[assignment]
        assert await table.refuses(await table.home.rpc("CreateGame", request)) is Reason.MALFORMED_REQUEST


@pytest.mark.parametrize("version", [-LAST - 1, -1, 0, 2, LAST])
async def test_a_version_that_is_not_the_one(table: BadTable, version: int) -> None:
    request = table.submit(offer_id="pledge:1", expected_version=version)
    reason = await refused(table, "SubmitMove", request, table.token)

    assert reason is (Reason.VERSION_MISMATCH if version < 1 else Reason.VERSION_AHEAD)


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"{", b"null", b"1", b'"x"', b"[]", b"\xff", b"\xef\xbb\xbf{}", b"{'a': 1}", b'{"decisionId": "a"} x'),
        *(b'{"decisionId": "\\ud800"}', b'{"decisionId": "\xed\xa0\x80"}', b'{"decisionId": "a", "decisionId": "a"}'),
        *(
            b'{"decisionId": "a", "decision_id": "a"}',
            b'{"offerId": "a", "move": {}}',
            b'{"seat": NaN}',
            b'{"seat": 1e999}',
        ),
        *(
            b'{"seat": 0.5}',
            b'{"seat": 2147483648}',
            b'{"seat": "x"}',
            b'{"seat": true}',
            b'{"move": {"euchre": {}, "sevens": {}}}',
        ),
        *(
            b'{"move": [{}]}',
            b'{"moves": {}}',
            b'{"moves": [null]}',
            b'{"validateOnly": "true"}',
            b'{"returnParts": ["PART_X"]}',
        ),
        *(
            b'{"x": 1}',
            b'{"move": {"x": 1}}',
            b'{"moves": [{"x": 1}]}',
            b'{"move": {"sevens": {"play": {"x": 1}}}}',
            b'{"": 1}',
        ),
        *(b'{"move": {"plugin": ' + b'{"a": ' * 99 + b"1" + b"}" * 99 + b"}}",),
    ],
    ids=lambda body: body[:40],
)
async def test_a_body_that_is_none(table: BadTable, body: bytes) -> None:
    reply = await table.home.http("POST", f"/v1/{table.name}:submitMove", body, table.token)

    assert await table.refuses(reply) in (Reason.MALFORMED_REQUEST, Reason.UNKNOWN_FIELD, Reason.MALFORMED_MOVE)


@pytest.mark.parametrize(
    "query",
    [
        *("seat=x", "seat=", "seat=1&seat=1", "seat=2147483648", "x=1", "parts=X", "parts=99", "wait=1", "wait=-1s"),
        *("wait=99s", "newerThan=x", "newerThan=1e9", "spectator=yes", "spectator=1", "%ff=1", "seat=%ff", "name=x"),
        *(
            "seat=0x0",
            "seat=+0",
            "seat=%D9%A3",
            "newer_than=0&newerThan=0",
            "view.seat=0",
            "&" * 3 + "seat",
            "a" * 5000,
        ),
    ],
)
async def test_a_query_that_is_none(table: BadTable, query: str) -> None:
    reply = await table.home.http("GET", f"/v1/{table.name}/view?{query}", token=table.token)

    assert await table.refuses(reply) in (Reason.MALFORMED_REQUEST, Reason.UNKNOWN_FIELD)
