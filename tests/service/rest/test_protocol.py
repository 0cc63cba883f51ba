"""What a client without a request, or with an endless one, can do to the others: nothing."""

from __future__ import annotations

import contextlib
import json
import socket
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from service import rest_protocol
from service.rest_protocol import LARGEST_HEAD
from tests.service.store.harness import PATIENCE

from .fakes import FakeHandler, app_of, serving

SHORT = 1.0
HEAD = b"GET /v1/games/a HTTP/1.1\r\nHost: a\r\n"


@pytest.fixture
def base() -> Iterator[str]:
    with serving(app_of(FakeHandler())) as url:
        yield url


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch, base: str) -> str:
    """A server that waits ``SHORT`` seconds for a head."""
    monkeypatch.setattr(rest_protocol, "PATIENCE", SHORT)
    return base


@contextlib.contextmanager
def connected(base: str) -> Iterator[socket.socket]:
    parts = urlsplit(base)
    with socket.create_connection((parts.hostname or "", parts.port or 0), timeout=PATIENCE) as connection:
        yield connection


def heard(connection: socket.socket) -> bytes:
    """Everything until the server closes."""
    parts = []
    with contextlib.suppress(ConnectionError):
        while part := connection.recv(65536):
            parts.append(part)
    return b"".join(parts)


def pour(connection: socket.socket, part: bytes, most: int) -> int:
    """Send a part again and again until the server has had enough; the bytes that it took."""
    sent = 0
    with contextlib.suppress(ConnectionError):
        while sent < most:
            connection.sendall(part)
            sent += len(part)
    return sent


def status_of(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


@pytest.mark.parametrize(
    ("begin", "part"),
    [
        (b"GET /", b"a" * 4096),
        (HEAD + b"X-A: ", b"a" * 4096),
        (HEAD, b"X-A: a\r\n" * 512),
        (b"POST /v1/games HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;", b"a" * 4096),
        (b"POST /v1/games HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n0\r\n", b"X-A: a\r\n" * 512),
    ],
    ids=["target", "header", "headers", "chunk extension", "trailers"],
)
def test_what_is_no_body_does_not_grow_without_end(base: str, begin: bytes, part: bytes) -> None:
    most = 40 << 20
    with connected(base) as connection:
        connection.sendall(begin)
        assert pour(connection, part, most) < most


def test_a_head_that_is_too_large_is_refused_in_the_usual_form(base: str) -> None:
    """Whether it comes in one piece or in many."""
    large = b"X-A: " + b"a" * LARGEST_HEAD + b"\r\n\r\n"
    for pieces in (1, 50):
        with connected(base) as connection:
            size = -(-len(HEAD + large) // pieces)
            for at in range(0, size * pieces, size):
                connection.sendall((HEAD + large)[at : at + size])
            answer = heard(connection)
        assert status_of(answer) == 431
        error = json.loads(answer.partition(b"\r\n\r\n")[2])["error"]
        assert (error["code"], error["details"][0]["reason"]) == (431, "PAYLOAD_TOO_LARGE")


def test_what_is_no_http_is_refused_in_the_usual_form(base: str) -> None:
    with connected(base) as connection:
        connection.sendall(b"EHLO rookery\r\n\r\n")
        answer = heard(connection)
    error = json.loads(answer.partition(b"\r\n\r\n")[2])["error"]
    assert (status_of(answer), error["details"][0]["reason"]) == (400, "MALFORMED_REQUEST")


@pytest.mark.parametrize(
    "begin",
    [
        b"",
        HEAD,
        HEAD + b"\r\n" + HEAD,
        b"POST /nowhere HTTP/1.1\r\nContent-Length: 999999\r\n\r\n",
    ],
    ids=["nothing", "half a head", "half a second head", "a body that nobody wants"],
)
def test_a_connection_without_a_request_is_not_kept(hasty: str, begin: bytes) -> None:
    """Not even when a byte comes now and then."""
    with connected(hasty) as connection:
        connection.sendall(begin)
        connection.settimeout(0.2)
        end = time.monotonic() + PATIENCE
        with contextlib.suppress(ConnectionError):
            while not closed(connection):
                assert time.monotonic() < end, "the connection is kept"
                connection.sendall(b"a")


def closed(connection: socket.socket) -> bool:
    """Whether the server closes before the socket's time is over."""
    try:
        while connection.recv(65536):
            pass
    except TimeoutError:
        return False
    return True


def test_a_slow_body_has_more_time_than_a_head(hasty: str) -> None:
    body = b'{"decisionId": "d"}'
    with connected(hasty) as connection:
        head = f"POST /v1/games/a:submitMove HTTP/1.1\r\nHost: a\r\nContent-Length: {len(body)}\r\n"
        connection.sendall(f"{head}Content-Type: application/json\r\nConnection: close\r\n\r\n".encode())
        time.sleep(2 * SHORT)
        connection.sendall(body)
        assert status_of(heard(connection)) == 200


def test_a_body_in_tiny_chunks_is_a_body(base: str) -> None:
    body = b'{"decisionId": "d"' + b" " * LARGEST_HEAD + b"}"
    chunks = b"".join(b"1\r\n%c\r\n" % byte for byte in body) + b"0\r\n\r\n"
    with connected(base) as connection:
        head = b"POST /v1/games/a:submitMove HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n"
        connection.sendall(head + b"Content-Type: application/json\r\nConnection: close\r\n\r\n" + chunks)
        assert status_of(heard(connection)) == 200
