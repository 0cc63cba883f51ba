"""What arrives at the handler, and what is refused before it."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from google.protobuf import json_format
from google.protobuf.message_factory import GetMessageClass

from rookery.v1 import game_pb2, game_service_pb2, view_pb2

from .example_service import example
from .fakes import FakeHandler, app_of, client_of, fields_of, reason_of

VIEW = "/v1/games/abc/view"
MOVE = "/v1/games/abc:submitMove"
LIST = "/v1/games"


async def test_path_query_and_body_become_the_request(client: httpx.AsyncClient, handler: FakeHandler) -> None:
    answer = await client.post(
        MOVE, json={"decisionId": "d1", "expected_version": 3, "move": {"sevens": {"play": {"card": "CARD_6H"}}}}
    )

    assert answer.status_code == 200
    assert handler.call.rpc == "SubmitMove"
    assert handler.call.transport == "rest"
    expected = game_service_pb2.SubmitMoveRequest(name="games/abc", decision_id="d1", expected_version=3)
    expected.move.sevens.play.card = handler.request.move.sevens.play.card
    assert handler.request == expected
    assert answer.json()["committedVersion"] == 8
    assert answer.json()["replayed"] is False


async def test_query_parameters_are_converted_by_the_descriptor(
    client: httpx.AsyncClient, handler: FakeHandler
) -> None:
    query = "seat=0&spectator=false&newer_than=-1&wait=2.5s&parts=PART_SCENE&parts=4"
    assert (await client.get(f"{VIEW}?{query}")).status_code == 200

    request = handler.request
    assert (request.name, request.seat, request.HasField("seat"), request.newer_than) == ("games/abc", 0, True, -1)
    assert (request.wait.seconds, request.wait.nanos) == (2, 500_000_000)
    assert list(request.parts) == [view_pb2.PART_SCENE, view_pb2.PART_EVENTS]


async def test_both_spellings_and_enums_by_name(client: httpx.AsyncClient, handler: FakeHandler) -> None:
    await client.get(f"{LIST}?pageSize=5&game_type=sevens&state=GAME_STATE_ACTIVE&pageToken=a%2Bb%26c")

    assert handler.request == game_service_pb2.ListGamesRequest(
        page_size=5, game_type="sevens", state=game_pb2.GAME_STATE_ACTIVE, page_token="a+b&c"
    )


@pytest.mark.parametrize(
    ("query", "reason", "field"),
    [
        ("seats=1", "UNKNOWN_FIELD", "seats"),
        ("name.first=1", "UNKNOWN_FIELD", "name.first"),
        ("$alt=json", "UNKNOWN_FIELD", "$alt"),
        ("access_token=secret-of-mine", "UNKNOWN_FIELD", "access_token"),
        ("name=games/other", "MALFORMED_REQUEST", "name"),
        ("name=games/abc", "MALFORMED_REQUEST", "name"),
        ("seat=1&seat=2", "MALFORMED_REQUEST", "seat"),
        ("newerThan=1&newer_than=1", "MALFORMED_REQUEST", "newer_than"),
        ("seat=one", "MALFORMED_REQUEST", "seat"),
        ("seat=1.0", "MALFORMED_REQUEST", "seat"),
        ("seat=", "MALFORMED_REQUEST", "seat"),
        ("seat=2147483648", "MALFORMED_REQUEST", "seat"),
        ("spectator=1", "MALFORMED_REQUEST", "spectator"),
        ("spectator=True", "MALFORMED_REQUEST", "spectator"),
        ("wait=5", "MALFORMED_REQUEST", "wait"),
        ("wait=1e3s", "MALFORMED_REQUEST", "wait"),
        ("wait.seconds=5", "UNKNOWN_FIELD", "wait.seconds"),
        ("parts=PART_SCENE&parts=scene", "MALFORMED_REQUEST", "parts[1]"),
        ("parts=99", "MALFORMED_REQUEST", "parts[0]"),
        ("seat=%ff", "MALFORMED_REQUEST", "query"),
        ("&".join(f"a{n}=1" for n in range(200)), "MALFORMED_REQUEST", "query"),
    ],
)
async def test_queries_that_are_refused(client: httpx.AsyncClient, query: str, reason: str, field: str) -> None:
    answer = await client.get(f"{VIEW}?{query}")

    assert answer.status_code == 400
    assert (reason_of(answer), fields_of(answer)) == (reason, [field])
    assert "secret-of-mine" not in answer.text


async def test_a_wrong_name_is_echoed_short_and_printable(client: httpx.AsyncClient) -> None:
    answer = await client.post(
        LIST, content='{"\\ud800\\n%s": 1}' % ("x" * 500), headers={"content-type": "application/json"}
    )

    assert reason_of(answer) == "UNKNOWN_FIELD"
    assert fields_of(answer) == ["??" + "x" * 62]


@pytest.mark.parametrize(
    ("body", "reason", "field"),
    [
        ("{", "MALFORMED_REQUEST", "body"),
        ("", "MALFORMED_REQUEST", ""),
        ("null", "MALFORMED_REQUEST", "body"),
        ("[]", "MALFORMED_REQUEST", "body"),
        ('{"a": 1} {}', "MALFORMED_REQUEST", "body"),
        ('{"decisionId": "d", "extra": 1}', "UNKNOWN_FIELD", "extra"),
        ('{"decisionId": 1}', "MALFORMED_REQUEST", "decision_id"),
        ('{"decisionId": "\\ud800"}', "MALFORMED_REQUEST", "decision_id"),
        ('{"decisionId": "a", "decision_id": "a"}', "MALFORMED_REQUEST", "decision_id"),
        ('{"decisionId": "a", "decisionId": "a"}', "MALFORMED_REQUEST", "decisionId"),
        ('{"expectedVersion": 2147483648}', "MALFORMED_REQUEST", "expected_version"),
        ('{"expectedVersion": 1.5}', "MALFORMED_REQUEST", "expected_version"),
        ('{"expectedVersion": NaN}', "MALFORMED_REQUEST", "expected_version"),
        ('{"expectedVersion": true}', "MALFORMED_REQUEST", "expected_version"),
        ('{"validateOnly": "true"}', "MALFORMED_REQUEST", "validate_only"),
        ('{"returnParts": "PART_SCENE"}', "MALFORMED_REQUEST", "return_parts"),
        ('{"returnParts": [1, 9]}', "MALFORMED_REQUEST", "return_parts[1]"),
        ('{"name": "games/other"}', "MALFORMED_REQUEST", "name"),
        ('{"move": {}, "offerId": "a"}', "MALFORMED_REQUEST", "offer_id"),
        ('{"move": []}', "MALFORMED_MOVE", "move"),
        ('{"move": {"sevens": {"play": {"card": "CARD_6X"}}}}', "MALFORMED_MOVE", "move.sevens.play.card"),
        ('{"move": {"sevens": {"play": {"card": 9999}}}}', "MALFORMED_MOVE", "move.sevens.play.card"),
        ('{"move": {"sevens": {"fold": {}}}}', "UNKNOWN_FIELD", "move.sevens.fold"),
        ('{"move": {"sevens": {}, "euchre": {}}}', "MALFORMED_MOVE", "move.euchre"),
        ('{"moves": [{"offerId": "a"}, {"offerId": 2}]}', "MALFORMED_MOVE", "moves[1].offer_id"),
        ('{"move": {"plugin": {"a": [1, {"b": Infinity}]}}}', "MALFORMED_MOVE", "move.plugin.a[1].b"),
        ('{"move": {"plugin": {"a": 1, "a": 2}}}', "MALFORMED_MOVE", "move.plugin.a"),
        ("1" * 5000, "MALFORMED_REQUEST", "body"),
        ("[" * 100_000, "MALFORMED_REQUEST", "body"),
    ],
)
async def test_bodies_that_are_refused(
    client: httpx.AsyncClient, handler: FakeHandler, body: str, reason: str, field: str
) -> None:
    answer = await client.post(MOVE, content=body, headers={"content-type": "application/json"})

    if not body:  # nothing at all is an empty message
        assert answer.status_code == 200
        return
    assert answer.status_code == 400
    assert (reason_of(answer), fields_of(answer)) == (reason, [field])
    assert handler.calls == []


async def test_options_of_the_wrong_form(client: httpx.AsyncClient) -> None:
    answer = await client.post(LIST, json={"gameType": "sevens", "options": {"sevens": {"decks": "two"}}})

    assert (reason_of(answer), fields_of(answer)) == ("INVALID_OPTIONS", ["options.sevens.decks"])


async def test_bytes_that_are_no_utf8(client: httpx.AsyncClient) -> None:
    answer = await client.post(MOVE, content=b'{"offerId": "\xff"}', headers={"content-type": "application/json"})

    assert (reason_of(answer), fields_of(answer)) == ("MALFORMED_REQUEST", ["body"])


async def test_nesting_has_a_limit_that_protobuf_can_carry(client: httpx.AsyncClient, handler: FakeHandler) -> None:
    def nested(depth: int) -> dict[str, Any]:
        return {"a": nested(depth - 1)} if depth else {}

    assert (await client.post(MOVE, json={"move": {"plugin": nested(29)}})).status_code == 200
    assert handler.request.ByteSize() > 0
    too_deep = await client.post(MOVE, json={"move": {"plugin": nested(30)}})
    assert reason_of(too_deep) == "MALFORMED_MOVE"
    assert fields_of(too_deep)[0].startswith("move.plugin.a.a.a")


async def test_the_body_may_repeat_the_path(client: httpx.AsyncClient, handler: FakeHandler) -> None:
    assert (await client.post(MOVE, json={"name": "games/abc", "decisionId": "d"})).status_code == 200
    assert handler.request.name == "games/abc"


async def test_null_means_not_given(client: httpx.AsyncClient, handler: FakeHandler) -> None:
    await client.post(MOVE, json={"seat": None, "move": None, "offerId": "o", "moves": None})

    assert handler.request == game_service_pb2.SubmitMoveRequest(name="games/abc", offer_id="o")


async def test_with_a_body_there_is_no_query(client: httpx.AsyncClient) -> None:
    answer = await client.post(f"{MOVE}?decisionId=d", json={})

    assert (reason_of(answer), fields_of(answer)) == ("MALFORMED_REQUEST", ["decision_id"])


async def test_a_method_without_body_takes_none(client: httpx.AsyncClient) -> None:
    answer = await client.request("DELETE", "/v1/games/abc", json={"name": "games/abc"})

    assert (reason_of(answer), fields_of(answer)) == ("MALFORMED_REQUEST", ["body"])


async def test_paths_and_methods_that_do_not_exist(client: httpx.AsyncClient, handler: FakeHandler) -> None:
    lost = await client.get("/v1/secret-path")
    assert (lost.status_code, reason_of(lost)) == (404, "METHOD_NOT_FOUND")
    assert "secret-path" not in lost.text

    for odd in ("/", "/%0A", "/v1/games/%0A/more", "/v1/games//view"):
        assert reason_of(await client.get(odd)) == "METHOD_NOT_FOUND"

    wrong = await client.put("/v1/games/abc")
    assert (wrong.status_code, reason_of(wrong)) == (405, "METHOD_NOT_FOUND")
    assert wrong.headers["allow"] == "DELETE, GET, HEAD"
    assert (await client.post("/healthz")).headers["allow"] == "GET, HEAD"
    assert handler.calls == []


class _Echo:
    """Remembers the payloads of the example service."""

    def __init__(self) -> None:
        self.request: Any = None

    async def __call__(self, _call: object, payload: bytes) -> bytes:
        self.request = GetMessageClass(example().methods_by_name["Plain"].input_type).FromString(payload)
        return b""


@pytest.mark.parametrize(
    ("verb", "path", "body", "expected"),
    [
        (
            "POST",
            "/v1/games/a:verb?seat=2&texts=x&texts=y",
            {"text": "t"},
            {"inner": {"text": "t"}, "seat": 2, "texts": ["x", "y"]},
        ),
        ("POST", "/v1/games/a/seats/3:setController", {"flag": True}, {"seat": 3, "flag": True}),
        (
            "GET",
            "/v1/games/a?inner.inner.text=deep&inner.numbers=1&inner.numbers=2",
            None,
            {"inner": {"numbers": [1, 2], "inner": {"text": "deep"}}},
        ),
        (
            "GET",
            "/v1/games/a?real=1.5e3&data=_-8&wide=-9&flag=true&veryOdd=o&time=2026-01-31T09:30:00Z",
            None,
            {
                "real": 1500.0,
                "data": "/+8=",
                "wide": "-9",
                "flag": True,
                "veryOdd": "o",
                "time": "2026-01-31T09:30:00Z",
            },
        ),
        (
            "POST",
            "/v1/old/x/y",
            {"byNumber": {"5": {"text": "five"}}},
            {"name": "x/y", "byNumber": {"5": {"text": "five"}}},
        ),
    ],
)
async def test_rules_that_games_do_not_use_yet(verb: str, path: str, body: Any, expected: dict[str, Any]) -> None:
    echo = _Echo()
    async with client_of(app_of(echo, service=example())) as client:
        answer = await client.request(verb, path, json=body)

    assert answer.status_code == 200, answer.text
    assert json_format.MessageToDict(echo.request) == {"name": "games/a"} | expected


@pytest.mark.parametrize(
    ("verb", "path", "field"),
    [
        ("GET", "/v1/games/a?free=x", "free"),
        ("GET", "/v1/games/a?inner=x", "inner"),
        ("GET", "/v1/games/a?byName=x", "by_name"),
        ("GET", "/v1/games/a?inners.text=x", "inners.text"),
        ("GET", "/v1/games/a?natural=-1", "natural"),
        ("GET", "/v1/games/a?colour=00000000000001", "colour"),
        ("POST", "/v1/games/a/seats/x:setController", "seat"),
        ("POST", "/v1/games/a:verb?inner.text=x", "inner.text"),
        ("GET", "/v1/games/a/inner/%fe", "inner.text"),
    ],
)
async def test_what_such_rules_refuse(verb: str, path: str, field: str) -> None:
    async with client_of(app_of(_Echo(), service=example())) as client:
        answer = await client.request(verb, path)

    assert answer.status_code == 400
    assert fields_of(answer) == [field]
