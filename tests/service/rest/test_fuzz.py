"""Whatever arrives, the answer is typed: a success of the handler, or a refusal of the right form. Never a 500."""

from __future__ import annotations

import json
import random
import socket
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, urlsplit

import httpx
import pytest
from google.protobuf.descriptor import Descriptor
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rookery.v1 import game_service_pb2
from service.json_codec import write_json

from .fakes import FakeHandler, app_of, client_of, reason_of, serving
from .random_messages import messages

relaxed = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large],
    deadline=None,
)
JSON = {"content-type": "application/json"}
REFUSALS = {
    "MALFORMED_REQUEST",
    "MALFORMED_MOVE",
    "INVALID_OPTIONS",
    "UNKNOWN_FIELD",
    "PAYLOAD_TOO_LARGE",
    "METHOD_NOT_FOUND",
}
SUBMIT = game_service_pb2.SubmitMoveRequest.DESCRIPTOR
CREATE = game_service_pb2.CreateGameRequest.DESCRIPTOR


def names_under(descriptor: Descriptor | Any, seen: set[str] | None = None) -> set[str]:
    """Every field name, in both spellings, of a message and of all that it holds."""
    seen = set() if seen is None else seen
    found: set[str] = set()
    if descriptor.full_name not in seen:
        seen.add(descriptor.full_name)
        for field in descriptor.fields:
            found |= {field.name, field.json_name}
            found |= names_under(field.message_type, seen) if field.message_type is not None else set()
    return found


NAMES = sorted(names_under(SUBMIT) | names_under(CREATE))
leaves = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-3, 9),
    st.floats(),
    st.text(max_size=6),
    st.sampled_from(
        ["CARD_7H", "PART_SCENE", "CONTROLLER_HUMAN", "3s", "1e9", "@type", "ＣＡＲＤ", "\u0000", "\ud800"]
    ),
)
keys = st.one_of(st.sampled_from(NAMES), st.sampled_from(NAMES), st.text(max_size=5))
values = st.recursive(leaves, lambda v: st.lists(v, max_size=3) | st.dictionaries(keys, v, max_size=4), max_leaves=12)


def check(answer: httpx.Response) -> None:
    if answer.status_code not in (200, 304):
        assert 400 <= answer.status_code < 500
        assert reason_of(answer) in REFUSALS
        assert "Traceback" not in answer.text


CLIENT = client_of(app_of(FakeHandler(), max_body=100_000))  # one for all: making it costs more than a call


async def send(path: str, body: bytes, method: str = "POST", headers: Any = None) -> httpx.Response:
    return await CLIENT.request(method, path, content=body, headers=JSON if headers is None else headers)


paths = st.sampled_from(["/v1/games/a:submitMove", "/v1/games", "/v1/games/a:issueTokens"])


@given(paths, st.dictionaries(keys, values, max_size=5))
@settings(relaxed, max_examples=1000)
async def test_any_json_object(path: str, value: dict[str, Any]) -> None:
    check(await send(path, json.dumps(value).encode()))


@given(paths, values)
@settings(relaxed, max_examples=300)
async def test_any_json(path: str, value: object) -> None:
    check(await send(path, json.dumps(value).encode()))


@given(paths, st.binary(max_size=60))
@settings(relaxed, max_examples=500)
async def test_any_bytes(path: str, body: bytes) -> None:
    check(await send(path, body))


@given(messages(SUBMIT), st.randoms(use_true_random=False), st.integers(1, 4))
@settings(relaxed, max_examples=800)
async def test_a_good_body_with_some_bytes_changed(message: Any, chance: random.Random, changes: int) -> None:
    message.ClearField("name")
    body = bytearray(write_json(message))
    for _ in range(changes):
        place = chance.randrange(len(body) + 1)
        body[place : place + chance.randrange(3)] = chance.choice([b"", b"{", b"}", b'"', b",", b"0", b"\x80", b"null"])
    check(await send("/v1/games/a:submitMove", bytes(body)))


texts = st.text(max_size=12)
names = st.one_of(st.sampled_from(["seat", "newerThan", "newer_than", "wait", "parts", "spectator", "name"]), texts)


@given(st.lists(st.tuples(names, st.one_of(texts, st.sampled_from(["1", "true", "2s", "PART_SCENE"]))), max_size=4))
@settings(relaxed, max_examples=600)
async def test_any_query(pairs: list[tuple[str, str]]) -> None:
    query = "&".join(f"{quote(name)}={quote(value)}" for name, value in pairs)
    check(await send(f"/v1/games/a/view?{query}", b"", "GET"))


@given(st.text(st.characters(min_codepoint=33, max_codepoint=126, exclude_characters="?#"), max_size=30))
@settings(relaxed, max_examples=400)
async def test_any_path(path: str) -> None:
    check(await send(f"/v1/games/{path}", b"", "GET"))


printable = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=40)
header_names = st.sampled_from(
    ["content-type", "if-none-match", "idempotency-key", "x-request-id", "authorization", "origin", "content-encoding"]
)


@given(st.dictionaries(header_names, printable, max_size=4), st.sampled_from(["GET", "POST", "HEAD", "OPTIONS", "PUT"]))
@settings(relaxed, max_examples=400)
async def test_any_headers(headers: dict[str, str], method: str) -> None:
    answer = await send("/v1/games", b"{}" if method == "POST" else b"", method, headers)
    assert answer.status_code in (200, 304, 400, 405, 415)


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    with serving(app_of(FakeHandler(), max_body=10_000)) as url:
        yield url


@pytest.fixture(scope="module")
def wire(base: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=base) as client:
        yield client


@given(st.binary(max_size=200), st.sampled_from([b"", b"{", b'{"decisionId": ', b'{"move": {"plugin": ']))
@settings(relaxed, max_examples=150)
def test_any_bytes_over_a_connection(wire: httpx.Client, body: bytes, start: bytes) -> None:
    check(wire.post("/v1/games/a:submitMove", content=start + body, headers=JSON))


@given(st.binary(max_size=120))
@settings(relaxed, max_examples=150)
def test_garbage_instead_of_http_never_breaks_the_server(base: str, garbage: bytes) -> None:
    parts = urlsplit(base)
    with socket.create_connection((parts.hostname or "", parts.port or 0), timeout=5) as connection:
        connection.sendall(b"GET /v1/games HTTP/1.1\r\n" + garbage + b"\r\n\r\n")
        connection.shutdown(socket.SHUT_WR)
        answer = b""
        while chunk := connection.recv(4096):
            answer += chunk
    assert b" 500 " not in answer.split(b"\r\n", 1)[0]
