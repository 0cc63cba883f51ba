"""What only shows over real connections: body limits, keep-alive, HEAD, disconnects."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from google.protobuf.message import Message

from service.calls import Call
from tests.service.store.harness import PATIENCE

from .fakes import FakeHandler, app_of, reason_of, serving

LIMIT = 4096
JSON = {"content-type": "application/json"}


class SlowHandler(FakeHandler):
    """Long polls: a call with ``wait`` is answered when that is over, or cancelled."""

    def __init__(self) -> None:
        super().__init__(self._wait)
        self.started = threading.Event()
        self.cancelled = threading.Event()

    async def _wait(self, call: Call, request: Any) -> Message | None:
        if call.rpc == "GetView" and request.HasField("wait"):
            self.started.set()
            try:
                await asyncio.sleep(request.wait.seconds)
            except asyncio.CancelledError:
                self.cancelled.set()
                raise
        return None


@pytest.fixture
def slow() -> SlowHandler:
    return SlowHandler()


@pytest.fixture
def base(slow: SlowHandler) -> Iterator[str]:
    with serving(app_of(slow, max_body=LIMIT)) as url:
        yield url


def body_of(size: int) -> bytes:
    return json.dumps({"decisionId": "d" * (size - len('{"decisionId": ""}'))}).encode()


def test_a_body_may_be_as_large_as_the_limit(base: str) -> None:
    with httpx.Client(base_url=base) as client:
        assert client.post("/v1/games/a:submitMove", content=body_of(LIMIT), headers=JSON).status_code == 200
        answer = client.post("/v1/games/a:submitMove", content=body_of(LIMIT + 1), headers=JSON)

        assert (answer.status_code, reason_of(answer)) == (429, "PAYLOAD_TOO_LARGE")
        assert client.get("/v1/games/a/view").status_code == 200


def test_a_body_without_a_length_is_cut_off_too(base: str, slow: SlowHandler) -> None:
    sent = 0

    def endless() -> Iterator[bytes]:
        nonlocal sent
        for _ in range(10_000):
            sent += 1000
            yield b" " * 1000

    with httpx.Client(base_url=base, timeout=PATIENCE) as client:
        answer = client.post("/v1/games/a:submitMove", content=endless(), headers=JSON)

    assert (answer.status_code, reason_of(answer)) == (429, "PAYLOAD_TOO_LARGE")
    assert answer.headers["connection"] == "close"
    assert slow.calls == []


def test_chunks_make_one_body(base: str, slow: SlowHandler) -> None:
    with httpx.Client(base_url=base) as client:
        parts = iter([b'{"decision', b'Id": "d', b'1"}'])
        assert client.post("/v1/games/a:submitMove", content=parts, headers=JSON).status_code == 200

    assert slow.request.decision_id == "d1"


def test_head_leaves_the_connection_usable(base: str) -> None:
    with httpx.Client(base_url=base) as client:
        for _ in range(3):
            head, got = client.head("/v1/games/a/view"), client.get("/v1/games/a/view")
            assert head.headers["content-length"] == str(len(got.content))
            assert client.get("/v1/games/a/view", headers={"if-none-match": "*"}).status_code == 304


def test_many_at_once_on_kept_connections(base: str) -> None:
    with httpx.Client(base_url=base) as client:
        statuses = [client.get(f"/v1/games/a/view?seat={n}").status_code for n in range(200)]

    assert set(statuses) == {200}


def _request(base: str, path: str) -> socket.socket:
    parts = urlsplit(base)
    connection = socket.create_connection((parts.hostname or "", parts.port or 0), timeout=PATIENCE)
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: rookery.test\r\n\r\n".encode())
    return connection


def test_a_client_that_goes_away_cancels_its_long_poll(base: str, slow: SlowHandler) -> None:
    connection = _request(base, "/v1/games/a/view?wait=30s&newerThan=7")
    assert slow.started.wait(PATIENCE)
    assert not slow.cancelled.wait(0.2)

    connection.close()
    assert slow.cancelled.wait(PATIENCE)


def test_a_client_that_stays_gets_its_answer(base: str, slow: SlowHandler) -> None:
    with httpx.Client(base_url=base, timeout=PATIENCE) as client:
        assert client.get("/v1/games/a/view?wait=1s").status_code == 200
        assert client.get("/v1/games/a/view?wait=0s").status_code == 200

    assert not slow.cancelled.is_set()


@pytest.mark.parametrize(
    "raw",
    [
        b"GET /v1/games/%ff HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET /v1/games/a?seat=%zz HTTP/1.1\r\nHost: a\r\n\r\n",
        b"POST /v1/games HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n\xff",
        b"BREW /v1/games HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET /v1/games/a\x80b HTTP/1.1\r\nHost: a\r\n\r\n",
    ],
)
def test_odd_requests_get_an_answer(base: str, raw: bytes) -> None:
    parts = urlsplit(base)
    with socket.create_connection((parts.hostname or "", parts.port or 0), timeout=PATIENCE) as connection:
        connection.sendall(raw)
        status = int(connection.recv(4096).split(b" ", 2)[1])

    assert 400 <= status < 500
