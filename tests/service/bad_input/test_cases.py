"""Wrong values one by one, with the reason that each must have, the same over gRPC and REST."""

from __future__ import annotations

import json
import string
import uuid
from typing import Any

import jwt
import pytest
from google.protobuf import duration_pb2
from google.protobuf.message import Message

from rookery.v1 import game_service_pb2 as pb
from rookery.v1 import move_pb2
from service.errors import Reason
from service.keys import add_platform
from tests.service.bad_input.checks import reason_of, reason_of_http
from tests.service.bad_input.table import BadTable, seated
from tests.service.bad_input.valid import other_arms
from tests.service.secrecy.asks import Ask, rest_of
from tests.service.secrecy.inner import SIGNING, Inner
from tests.service.secrecy.worlds import every_game

BIG = 1 << 20
LAST = 2**31 - 1


@pytest.fixture
async def table(home: Inner) -> BadTable:
    return await seated(home, "pledge", 3)


async def refused(table: BadTable, rpc: str, message: Message, token: str | None = None) -> Reason:
    """The reason, which must be the same both ways."""
    token = table.home.key if token is None else token
    by_rpc = await table.refuses(await table.home.rpc(rpc, message, token))
    verb, target, body, headers = rest_of(Ask("", rpc, message))
    by_http = await table.refuses(await table.home.http(verb, target, body, token, headers))
    assert by_rpc is by_http
    return by_rpc


def about_a_game(name: str) -> list[tuple[str, Message]]:
    """A request of each kind about a game."""
    return [
        ("GetGame", pb.GetGameRequest(name=name)),
        ("GetView", pb.GetViewRequest(name=name, seat=0)),
        ("SubmitMove", pb.SubmitMoveRequest(name=name, seat=0, decision_id="a", offer_id="a")),
        ("IssueTokens", pb.IssueTokensRequest(name=name, seats=[0])),
        ("AbortGame", pb.AbortGameRequest(name=name)),
        ("DeleteGame", pb.DeleteGameRequest(name=name)),
    ]


async def test_a_game_that_there_is_not(table: BadTable) -> None:
    for rpc, message in about_a_game("games/" + "a" * 26):
        assert await refused(table, rpc, message) is Reason.GAME_NOT_FOUND, rpc
    for rpc, message in about_a_game("games/" + "a" * 26)[:3]:
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
    assert await refused(table, "SubmitMove", move) is Reason.MALFORMED_REQUEST
    assert await refused(table, "SubmitMove", move, table.token) is Reason.SEAT_FORBIDDEN
    assert await refused(table, "GetView", pb.GetViewRequest(name=name, seat=seat), table.token) is (
        Reason.SEAT_FORBIDDEN
    )


async def test_a_viewer_or_a_seat_that_a_platform_does_not_name(table: BadTable) -> None:
    name = table.name
    both = pb.GetViewRequest(name=name, seat=0, spectator=True)

    assert await refused(table, "GetView", pb.GetViewRequest(name=name)) is Reason.MALFORMED_REQUEST
    assert await refused(table, "GetView", both) is Reason.MALFORMED_REQUEST
    assert await refused(table, "SubmitMove", table.submit(offer_id="pledge:1")) is Reason.MALFORMED_REQUEST
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


@pytest.mark.parametrize("text", ["-1s", "1", "s", "1 s", "1e3s", "NaNs", "99999999999999999s", "1.0000000001s", "٣s"])
async def test_a_span_that_is_none_in_json(table: BadTable, text: str) -> None:
    body = json.dumps({"seats": [0], "ttl": text}).encode()
    reply = await table.home.http("POST", f"/v1/{table.name}:issueTokens", body)

    assert await table.refuses(reply) is Reason.MALFORMED_REQUEST


@pytest.mark.parametrize("request_id", ["x", "0" * 36, "123e4567e89b42d3a456426614174000", "a" * 9000, "\n", "é" * 36])
async def test_a_request_id_that_is_no_uuid(table: BadTable, request_id: str) -> None:
    new = pb.CreateGameRequest(game_type="pledge", seats=[pb.NewSeat()] * 2, request_id=request_id)
    tokens = pb.IssueTokensRequest(name=table.name, seats=[0], request_id=request_id)

    assert await refused(table, "CreateGame", new) is Reason.MALFORMED_REQUEST
    assert await refused(table, "IssueTokens", tokens) is Reason.MALFORMED_REQUEST
    move = table.submit(offer_id="pledge:1", request_id=request_id)
    assert await refused(table, "SubmitMove", move, table.token) is Reason.MALFORMED_REQUEST


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


def sign(claims: dict[str, Any], secret: bytes = SIGNING.secret, **head: Any) -> str:
    """A token that only we could make, about what we would not say."""
    return jwt.encode(claims, secret, algorithm="HS256", headers={"typ": "rookery+jwt", "kid": SIGNING.kid, **head})


async def test_tokens_that_are_none(table: BadTable) -> None:
    real = table.token
    head, middle, tail = real.split(".")
    claims = {"ten": "test", "game": table.name[6:], "seat": 0, "epoch": 0, "exp": 2**31}
    nested = "eyJhbGciOiJIUzI1NiIsInR5cCI6" + "W1tb" * 1900
    wrong = [
        *(
            "x",
            ".",
            "..",
            "...",
            "a.b.c",
            real[:-1],
            real + "A",
            f"{head}.{middle}.",
            f"{head}..{tail}",
            f".{middle}.{tail}",
        ),
        *(f"{head}.{middle[:-2]}AA.{tail}", real.swapcase(), "A" * 8191, "A" * 9000, "é", nested, f"{nested}.e30.e30"),
        sign(claims, b"another secret of another service."),
        sign(claims, kid="unknown"),
        sign(claims, kid="unknown\n"),
        sign({key: value for key, value in claims.items() if key != "exp"}),
        sign({key: value for key, value in claims.items() if key != "game"}),
        sign({**claims, "exp": "soon"}),
        sign({**claims, "exp": 10**400}),
        sign({**claims, "epoch": "one"}),
        sign({**claims, "seat": "first"}),
        sign({**claims, "seat": None}),
        jwt.encode(claims, None, algorithm="none", headers={"typ": "rookery+jwt", "kid": SIGNING.kid}),  # type: ignore[arg-type]
        *("rk_", "rk__", "rk_x_y", table.home.key[:-1], table.home.key + "x", table.home.key.upper(), "rk_" + "é" * 40),
    ]
    for token in wrong:
        for rpc, message in about_a_game(table.name)[:3]:
            assert await refused_token(table, rpc, message, token) is Reason.TOKEN_INVALID, token[:80]


async def refused_token(table: BadTable, rpc: str, message: Message, token: str) -> Reason:
    """As ``refused``; a header travels in latin-1."""
    return await refused(table, rpc, message, token.encode().decode("latin-1"))


@pytest.mark.parametrize("header", ["", "x", "Bearer", "Bearer ", "Basic eDp4", "Bearer  ", "bearer\tx", "\xff"])
async def test_a_header_that_holds_no_token(table: BadTable, header: str) -> None:
    reply = await table.home.http("GET", f"/v1/{table.name}", headers=(("authorization", header),))

    assert await table.refuses(reply) in (Reason.TOKEN_MISSING, Reason.TOKEN_INVALID)


async def test_tokens_of_others(home: Inner, table: BadTable) -> None:
    other = await seated(home, "pledge", 2)
    claims = {"ten": "test", "game": table.name[6:], "epoch": 0, "exp": 2**31}
    for rpc, message in about_a_game(table.name)[:3]:
        assert await refused(table, rpc, message, other.token) is Reason.TOKEN_WRONG_GAME
        expired = sign({**claims, "seat": 0, "exp": 1_600_000_000})
        assert await refused(table, rpc, message, expired) is Reason.TOKEN_EXPIRED
        revoked = sign({**claims, "seat": 0, "epoch": 7})
        assert await refused(table, rpc, message, revoked) is Reason.TOKEN_REVOKED
        beyond = sign({**claims, "seat": 3})
        assert await refused(table, rpc, message, beyond) is Reason.TOKEN_REVOKED
        below = sign({**claims, "seat": -1})
        assert await refused(table, rpc, message, below) in (Reason.TOKEN_REVOKED, Reason.TOKEN_INVALID)
        elsewhere = sign({**claims, "ten": "another", "seat": 0})
        assert await refused(table, rpc, message, elsewhere) is Reason.GAME_NOT_FOUND
    keys, stranger = add_platform(home.keys, "another", ("games.create", "games.read", "games.act"))
    keys, weak = add_platform(keys, "test", ())
    home.credentials.replace(keys)
    for rpc, message in about_a_game(table.name):
        assert await refused(table, rpc, message, stranger) is Reason.GAME_NOT_FOUND, rpc
        assert await refused(table, rpc, message, weak) is Reason.SCOPE_MISSING, rpc


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
