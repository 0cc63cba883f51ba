"""A handler of a few lines behind the real REST side, called in process or over sockets."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import httpx
import uvicorn
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from starlette.types import ASGIApp

from rookery.v1 import game_pb2, game_service_pb2, game_type_pb2, view_pb2
from service.calls import Call
from service.rest_api import build_app
from service.rest_protocol import Protocol

SERVICE = game_service_pb2.DESCRIPTOR.services_by_name["GameService"]

VIEW = view_pb2.View(
    name="games/abc",
    version=7,
    etag="v7-s1",
    game_type="sevens",
    state=game_pb2.GAME_STATE_ACTIVE,
    viewer=view_pb2.Viewer(seat=1),
    seats=[game_pb2.Seat(seat=0, display_name="Ada"), game_pb2.Seat(seat=1, display_name="Bob 🎲")],
)

ANSWERS: dict[str, Message] = {
    "GetView": VIEW,
    "SubmitMove": game_service_pb2.SubmitMoveResponse(committed_version=8, view=VIEW),
    "CreateGame": game_service_pb2.CreateGameResponse(game=game_pb2.Game(name="games/abc", version=1)),
    "GetGame": game_pb2.Game(name="games/abc", version=7, annotations={"table": "4"}),
    "GetGameType": game_type_pb2.GameType(name="gameTypes/sevens", seat_counts=[3, 4]),
}


class FakeHandler:
    """Remembers every call with its parsed request; answers from a table, or does what ``act`` does."""

    def __init__(self, act: Callable[[Call, Any], Awaitable[Message | None]] | None = None) -> None:
        self.calls: list[tuple[Call, Any]] = []
        self._act = act

    async def __call__(self, call: Call, payload: bytes) -> bytes:
        method = SERVICE.methods_by_name[call.rpc]
        request = GetMessageClass(method.input_type).FromString(payload)
        self.calls.append((call, request))
        answer = await self._act(call, request) if self._act else None
        return (answer or ANSWERS.get(call.rpc) or GetMessageClass(method.output_type)()).SerializeToString()

    @property
    def call(self) -> Call:
        return self.calls[-1][0]

    @property
    def request(self) -> Any:
        return self.calls[-1][1]


async def always_ready() -> bool:
    return True


def no_metrics() -> bytes:
    return b"# nothing yet\n"


def app_of(handler: Any, **settings: Any) -> ASGIApp:
    return build_app(handler, **{"ready": always_ready, "metrics": no_metrics, **settings})


def client_of(app: ASGIApp) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://rookery.test")


def reason_of(answer: httpx.Response) -> str:
    """The reason of a refusal, once its whole form is checked."""
    error = answer.json()["error"]
    assert error.keys() == {"code", "message", "status", "details"}
    assert error["code"] == answer.status_code
    infos = [d for d in error["details"] if d["@type"] == "type.googleapis.com/google.rpc.ErrorInfo"]
    assert len(infos) == 1
    assert infos[0]["domain"] == "rookery"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["content-type"] == "application/json"
    return str(infos[0]["reason"])


def fields_of(answer: httpx.Response) -> list[str]:
    """The fields that a refusal complains about."""
    return [
        violation["field"]
        for detail in answer.json()["error"]["details"]
        if detail["@type"] == "type.googleapis.com/google.rpc.BadRequest"
        for violation in detail["fieldViolations"]
    ]


class _Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield  # signals belong to the test runner


@contextlib.contextmanager
def serving(app: ASGIApp) -> Iterator[str]:
    """Serve over a free port of loopback, in a thread of its own; gives the base URL."""
    server = _Server(uvicorn.Config(app, port=0, log_level="warning", http=Protocol, timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        deadline = time.monotonic() + 20
        while not server.started and thread.is_alive() and time.monotonic() < deadline:
            time.sleep(0.01)
        assert server.started
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=20)
