"""Errors, entity tags, CORS, and the headers around every answer."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from google.protobuf.message import Message

from service.calls import Call
from service.errors import TABLE, Reason, Refusal
from service.rest_http import entity_tag, tag_matches

from .fakes import VIEW, FakeHandler, app_of, client_of, fields_of, reason_of

PATH = "/v1/games/abc/view"
TAG = '"v7-s1"'


def refusing(refusal: Exception) -> FakeHandler:
    async def act(_call: Call, _request: Any) -> Message | None:
        raise refusal

    return FakeHandler(act)


@pytest.mark.parametrize("reason", list(Reason))
async def test_every_refusal_has_the_status_of_the_table(reason: Reason) -> None:
    async with client_of(app_of(refusing(Refusal(reason, "no", metadata={"current_version": "7"})))) as client:
        answer = await client.get(PATH)

    assert answer.status_code == TABLE[reason].http
    assert reason_of(answer) == reason
    assert answer.json()["error"]["status"] == TABLE[reason].code.name
    assert answer.json()["error"]["message"] == "no"
    assert answer.json()["error"]["details"][0]["metadata"] == {"current_version": "7"}
    assert ("www-authenticate" in answer.headers) == (answer.status_code == 401)


async def test_a_refusal_says_when_to_come_back_and_how_to_identify() -> None:
    async with client_of(app_of(refusing(Refusal(Reason.STORE_CONTENTION, "busy", retry_after=0.2)))) as client:
        busy = await client.get(PATH)
    async with client_of(app_of(refusing(Refusal(Reason.TOKEN_EXPIRED, "late")))) as client:
        late = await client.get(PATH)
    async with client_of(app_of(refusing(Refusal(Reason.TOKEN_MISSING, "who?")))) as client:
        missing = await client.get(PATH)

    assert busy.headers["retry-after"] == "1"
    assert late.headers["www-authenticate"] == 'Bearer error="invalid_token"'
    assert missing.headers["www-authenticate"] == "Bearer"


async def test_a_bug_is_a_plain_500() -> None:
    async with client_of(app_of(refusing(ZeroDivisionError("deck order 7H 8H")))) as client:
        answer = await client.get(PATH)

    assert (answer.status_code, reason_of(answer)) == (500, "INTERNAL")
    assert "7H" not in answer.text
    assert "ZeroDivision" not in answer.text


async def test_nobody_without_a_credential_learns_what_is_wrong_with_a_request() -> None:
    told: list[tuple[str, str | None, str]] = []

    async def authenticate(call: Call) -> None:
        if call.authorization is None:
            raise Refusal(Reason.TOKEN_MISSING, "who?")

    def refused(call: Call, refusal: Refusal) -> None:
        told.append((call.rpc, call.authorization, refusal.reason))

    async with client_of(app_of(FakeHandler(), authenticate=authenticate, refused=refused)) as client:
        wrong = f"{PATH}?nonsense=1"
        assert reason_of(await client.get(wrong)) == "TOKEN_MISSING"
        assert reason_of(await client.get(wrong, headers={"authorization": "Bearer x"})) == "UNKNOWN_FIELD"
        twice = [("authorization", "Bearer x"), ("authorization", "Bearer y")]
        assert reason_of(await client.get(PATH, headers=twice)) == "MALFORMED_REQUEST"

    refusals = [(None, "TOKEN_MISSING"), ("Bearer x", "UNKNOWN_FIELD"), (None, "MALFORMED_REQUEST")]
    assert told == [("GetView", *refusal) for refusal in refusals]


async def test_the_body_of_a_stranger_is_not_read() -> None:
    async def authenticate(call: Call) -> None:
        raise Refusal(Reason.TOKEN_MISSING, "who?")

    async def body() -> AsyncIterator[bytes]:
        raise AssertionError("the body is read")
        yield b""

    async with client_of(app_of(FakeHandler(), authenticate=authenticate)) as client:
        answer = await client.post("/v1/games", content=body(), headers={"content-type": "application/json"})
    assert reason_of(answer) == "TOKEN_MISSING"


async def test_an_answer_is_json_for_its_owner_only(client: httpx.AsyncClient, handler: FakeHandler) -> None:
    answer = await client.get(PATH, headers={"authorization": "Bearer s1", "x-request-id": "t-1"})

    assert handler.call.authorization == "Bearer s1"
    assert handler.call.trace == "t-1"
    assert answer.json()["seats"][1]["displayName"] == "Bob 🎲"
    expected = {
        "content-type": "application/json",
        "cache-control": "no-store",
        "vary": "Authorization",
        "x-content-type-options": "nosniff",
        "x-request-id": "t-1",
        "etag": TAG,
    }
    assert expected.items() <= dict(answer.headers).items()


async def test_a_trace_is_cleaned_and_cut(client: httpx.AsyncClient, handler: FakeHandler) -> None:
    answer = await client.get(PATH, headers={"x-request-id": "a b<c>\x7f" + "d" * 500})

    assert answer.headers["x-request-id"] == handler.call.trace == "abc" + "d" * 125
    assert "x-request-id" not in (await client.get(PATH)).headers


@pytest.mark.parametrize(
    ("condition", "status"),
    [
        (TAG, 304),
        (f"W/{TAG}", 304),
        (f'"other", W/{TAG}', 304),
        ("*", 304),
        ('"v7"', 200),
        ("v7-s1", 200),
        ('W/"x,y"', 200),
        ("", 200),
    ],
)
async def test_if_none_match(client: httpx.AsyncClient, condition: str, status: int) -> None:
    answer = await client.get(PATH, headers={"if-none-match": condition, "authorization": "Bearer s1"})

    assert answer.status_code == status
    assert answer.headers["etag"] == TAG
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["vary"] == "Authorization"
    assert (answer.content == b"") == (status == 304)
    assert ("content-type" in answer.headers) == (status == 200)


async def test_a_condition_is_only_for_reading(client: httpx.AsyncClient) -> None:
    answer = await client.post("/v1/games/abc:submitMove", json={}, headers={"if-none-match": "*"})

    assert answer.status_code == 200
    assert "etag" not in answer.headers


@pytest.mark.parametrize(
    ("text", "tag"),
    [("a", '"a"'), ('"a"', '"a"'), ('W/"a"', 'W/"a"'), ('a"b', ""), ("a b", ""), ("", ""), ("a\r\nb", "")],
)
def test_entity_tags(text: str, tag: str) -> None:
    assert entity_tag(text) == tag
    assert not tag or tag_matches(f'"z",{tag}', tag)


async def test_head_is_get_without_its_body(client: httpx.AsyncClient) -> None:
    got, head = await client.get(PATH), await client.head(PATH)

    assert head.status_code == 200
    assert head.content == b""
    assert head.headers == got.headers
    assert (await client.head("/v1/nothing")).status_code == 404


@pytest.mark.parametrize(
    ("header", "body", "expected"),
    [
        ("k-1", {}, "k-1"),
        ('"k-1"', {}, "k-1"),
        ("k-1", {"requestId": "k-1"}, "k-1"),
        (None, {"requestId": "k-1"}, ""),
    ],
)
async def test_an_idempotency_key_is_the_request_id(
    client: httpx.AsyncClient, handler: FakeHandler, header: str | None, body: dict[str, str], expected: str
) -> None:
    headers = {} if header is None else {"idempotency-key": header}
    answer = await client.post("/v1/games", json=body, headers=headers)

    assert answer.status_code == 200
    assert handler.call.request_id == expected


@pytest.mark.parametrize("key", ["", "a b", "x" * 129, "ä"])
async def test_an_idempotency_key_that_is_none(client: httpx.AsyncClient, key: str) -> None:
    answer = await client.post("/v1/games", json={}, headers={b"idempotency-key": key.encode()})

    assert (reason_of(answer), fields_of(answer)) == ("MALFORMED_REQUEST", ["request_id"])


async def test_two_request_ids_are_one_too_many(client: httpx.AsyncClient, handler: FakeHandler) -> None:
    answer = await client.post("/v1/games", json={"requestId": "a"}, headers={"idempotency-key": "b"})
    assert (reason_of(answer), fields_of(answer)) == ("MALFORMED_REQUEST", ["request_id"])

    twice = [("idempotency-key", "a"), ("idempotency-key", "b")]
    assert reason_of(await client.post("/v1/games", json={}, headers=twice)) == "MALFORMED_REQUEST"
    twice = [("authorization", "Bearer a"), ("authorization", "Bearer b")]
    assert reason_of(await client.get(PATH, headers=twice)) == "MALFORMED_REQUEST"
    assert handler.calls == []


async def test_a_method_without_request_id_ignores_the_key(client: httpx.AsyncClient, handler: FakeHandler) -> None:
    assert (await client.get(PATH, headers={"idempotency-key": "k"})).status_code == 200
    assert handler.call.request_id == ""


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("application/json", 200),
        ("Application/JSON; charset=UTF-8", 200),
        ('application/json;charset="utf-8"; x=y', 200),
        ("application/json; charset=latin-1", 415),
        ("application/x-www-form-urlencoded", 415),
        ("text/plain", 415),
        ("application/jsonp", 415),
        (None, 415),
    ],
)
async def test_only_json_is_read(client: httpx.AsyncClient, kind: str | None, status: int) -> None:
    answer = await client.post("/v1/games", content="{}", headers={} if kind is None else {"content-type": kind})

    assert answer.status_code == status
    assert status == 200 or reason_of(answer) == "MALFORMED_REQUEST"


async def test_a_content_encoding_is_not_undone(client: httpx.AsyncClient) -> None:
    headers = {"content-type": "application/json", "content-encoding": "gzip"}

    assert (await client.post("/v1/games", content=b"{}", headers=headers)).status_code == 415


def _vary(answer: httpx.Response) -> set[str]:
    return {part.strip() for part in answer.headers.get("vary", "").split(",")}


async def test_listed_origins_may_read() -> None:
    async with client_of(app_of(FakeHandler(), cors_origins=("https://table.example",))) as client:
        ours = await client.get(PATH, headers={"origin": "https://table.example"})
        theirs = await client.get(PATH, headers={"origin": "https://table.example.evil"})
        lost = await client.get("/nothing", headers={"origin": "https://table.example"})
        nobody = await client.get(PATH)

    assert ours.headers["access-control-allow-origin"] == "https://table.example"
    assert {"ETag", "Retry-After"} <= set(ours.headers["access-control-expose-headers"].split(", "))
    assert lost.headers["access-control-allow-origin"] == "https://table.example"
    assert "access-control-allow-origin" not in theirs.headers
    assert all("Origin" in _vary(answer) for answer in (ours, theirs, nobody))
    assert all("access-control-allow-credentials" not in answer.headers for answer in (ours, theirs))


async def test_preflight(handler: FakeHandler) -> None:
    asking = {"access-control-request-method": "POST", "access-control-request-headers": "authorization"}
    async with client_of(app_of(handler, cors_origins=("https://table.example",))) as client:
        ours = await client.options("/v1/games", headers={"origin": "https://table.example", **asking})
        theirs = await client.options("/v1/games", headers={"origin": "https://evil.example", **asking})
        plain = await client.options("/v1/games")

    assert ours.status_code == theirs.status_code == 204
    assert "POST" in ours.headers["access-control-allow-methods"]
    assert "Authorization" in ours.headers["access-control-allow-headers"]
    assert not [name for name in theirs.headers if name.startswith("access-control")]
    assert plain.status_code == 405
    assert handler.calls == []


async def test_every_origin_only_if_configured(client: httpx.AsyncClient, handler: FakeHandler) -> None:
    assert "access-control-allow-origin" not in (await client.get(PATH, headers={"origin": "https://a"})).headers

    async with client_of(app_of(handler, cors_origins=("*",))) as anybody:
        answer = await anybody.get(PATH, headers={"origin": "https://a"})
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-credentials" not in answer.headers
    assert "Origin" not in _vary(answer)


async def test_probes() -> None:
    state: list[bool | str] = [True]

    async def ready() -> bool | str:
        return state[0]

    async def broken() -> bool:
        raise OSError("redis://user:password@host")

    async with client_of(app_of(FakeHandler(), ready=ready, metrics=lambda: b"calls_total 1\n")) as client:
        assert (await client.get("/healthz")).json() == {"status": "alive"}
        assert (await client.get("/readyz")).json() == {"status": "ready"}
        state[0] = "the store does not answer"
        unready = await client.get("/readyz")
        state[0] = False
        assert (await client.get("/readyz")).status_code == 503
        metrics = await client.get("/metrics")
    async with client_of(app_of(FakeHandler(), ready=broken)) as client:
        failed = await client.get("/readyz")

    assert (unready.status_code, unready.json()["reason"]) == (503, "the store does not answer")
    assert (failed.status_code, "password" in failed.text) == (503, False)
    assert metrics.text == "calls_total 1\n"
    assert metrics.headers["content-type"].startswith("text/plain; version=0.0.4")


async def test_the_fake_gives_what_the_tests_expect(client: httpx.AsyncClient) -> None:
    assert (await client.get(PATH)).json()["etag"] == VIEW.etag
