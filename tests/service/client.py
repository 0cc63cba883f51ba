"""One client for every way to reach the service: requests and answers as JSON, and one kind of refusal."""

from __future__ import annotations

import asyncio
import uuid
from types import TracebackType
from typing import Any, Protocol, Self

import grpc
import httpx
from google.protobuf import json_format
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]

from rookery.v1 import game_service_pb2 as pb

WAYS = ("rest", "grpcio", "native")
"""REST, and gRPC on each of its servers."""

_SERVICE = pb.DESCRIPTOR.services_by_name["GameService"]
_VERBS = {
    "ListGameTypes": ("GET", "gameTypes"),
    "GetGameType": ("GET", "{name}"),
    "CreateCommitment": ("POST", "commitments"),
    "CreateGame": ("POST", "games"),
    "GetGame": ("GET", "{name}"),
    "ListGames": ("GET", "games"),
    "IssueTokens": ("POST", "{name}:issueTokens"),
    "GetView": ("GET", "{name}/view"),
    "SubmitMove": ("POST", "{name}:submitMove"),
    "UndoMove": ("POST", "{name}:undoMove"),
    "ForkGame": ("POST", "{name}:fork"),
    "ListEvents": ("GET", "{name}/events"),
    "IssueTicket": ("POST", "{name}:issueTicket"),
    "ExportGame": ("GET", "{name}:export"),
    "GetFairness": ("GET", "{name}/fairness"),
    "SetSeatController": ("POST", "{name}:setController"),
    "AbortGame": ("POST", "{name}:abort"),
    "DeleteGame": ("DELETE", "{name}"),
}
# Beside the service: the packing of details, whose own descriptors must be known to read them.
_DETAILS = (error_details_pb2.ErrorInfo, error_details_pb2.BadRequest, error_details_pb2.RetryInfo)


class Served(Protocol):
    """Something that serves: ``Live`` or ``House``."""

    grpc: str
    http: str


class Refused(Exception):  # noqa: N818 - an answer
    """A refusal as a client sees it. ``whole`` is all that it was told, as text."""

    def __init__(self, code: str, http: int | None, message: str, details: list[dict[str, Any]], whole: str) -> None:
        super().__init__(f"{code}: {message} {details}")
        self.code = code
        self.http = http
        self.message = message
        self.details = details
        self.whole = whole

    def detail(self, kind: str) -> dict[str, Any] | None:
        """The one detail of that kind; None if there is none."""
        found = [detail for detail in self.details if detail["@type"] == f"type.googleapis.com/google.rpc.{kind}"]
        assert len(found) <= 1, found
        return found[0] if found else None

    @property
    def reason(self) -> str:
        """The reason of the one ErrorInfo."""
        info = self.detail("ErrorInfo")
        assert info is not None, self
        assert info["domain"] == "rookery"
        return str(info["reason"])

    @property
    def metadata(self) -> dict[str, str]:
        """The metadata of the one ErrorInfo."""
        return dict((self.detail("ErrorInfo") or {}).get("metadata", {}))

    @property
    def fields(self) -> list[str]:
        """The fields that the request has wrong."""
        return [violation["field"] for violation in (self.detail("BadRequest") or {}).get("fieldViolations", ())]


class Unanswered(Exception):  # noqa: N818
    """The connection failed: whether anything happened is unknown."""


class Client:
    """``await client.call("GetView", token, name="games/...")``."""

    def __init__(self, way: str, served: Served) -> None:
        self.way = way
        self._http: httpx.AsyncClient | None = None
        self._channel: grpc.aio.Channel | None = None
        if way == "rest":
            # A connection per call under way: none waits for another.
            limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
            self._http = httpx.AsyncClient(base_url=f"{served.http}/v1/", timeout=60, limits=limits)
        else:
            # A channel of its own with a socket of its own: several workers get their share.
            options = [("grpc.use_local_subchannel_pool", 1), ("grpc.initial_reconnect_backoff_ms", 50)]
            self._channel = grpc.aio.insecure_channel(served.grpc, [*options, ("grpc.max_reconnect_backoff_ms", 200)])

    async def call(self, rpc: str, token: str | None, **request: Any) -> dict[str, Any]:
        """The answer as JSON. Raises Refused and Unanswered."""
        if self._http is not None:
            return await self._rest(rpc, token, request)
        return await self._grpc(rpc, token, request)

    async def _rest(self, rpc: str, token: str | None, request: dict[str, Any]) -> dict[str, Any]:
        assert self._http is not None
        verb, path = _VERBS[rpc]
        rest = dict(request)
        if "{name}" in path:
            path = path.format(name=rest.pop("name"))
        headers = {} if not token else {"authorization": f"Bearer {token}"}
        said: dict[str, Any] = {"json": rest} if verb == "POST" else {"params": _flat(rest)}
        try:
            answer = await self._http.request(verb, path, headers=headers, **said)
        except httpx.TransportError as error:
            raise Unanswered(repr(error)) from error
        told: dict[str, Any] = answer.json()
        if answer.is_success:
            return told
        said_no = told["error"]
        assert said_no["code"] == answer.status_code
        raise Refused(said_no["status"], answer.status_code, said_no["message"], said_no["details"], _all(answer))

    async def _grpc(self, rpc: str, token: str | None, request: dict[str, Any]) -> dict[str, Any]:
        assert self._channel is not None
        method = _SERVICE.methods_by_name[rpc]
        message = json_format.ParseDict(request, getattr(pb, method.input_type.name)())
        metadata = [] if not token else [("authorization", f"Bearer {token}")]
        response = json_format.MessageToDict
        unary = self._channel.unary_unary(
            f"/{_SERVICE.full_name}/{rpc}", type(message).SerializeToString, _reader(method.output_type)
        )
        try:
            answer = await unary(message, metadata=metadata, timeout=60)
        except grpc.aio.AioRpcError as error:
            raise refused_call(error) from error
        return response(answer, always_print_fields_with_no_presence=True)

    async def close(self) -> None:
        """Close the connections."""
        if self._http is not None:
            await self._http.aclose()
        if self._channel is not None:
            await self._channel.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.close()


def transport_of(way: str) -> str:
    """The gRPC server that a way needs."""
    return "grpcio" if way == "rest" else way


async def until_done(client: Client, rpc: str, token: str, *, seconds: float = 60, **request: Any) -> dict[str, Any]:
    """Call as a client should: again while the service is away, always with the same request."""
    async with asyncio.timeout(seconds):
        while True:
            try:
                return await client.call(rpc, token, **request)
            except Unanswered:
                pass
            except Refused as refused:
                if refused.code != "UNAVAILABLE":
                    raise
            await asyncio.sleep(0.02)


def fresh_id() -> str:
    """A request id."""
    return str(uuid.uuid4())


def _reader(of: Any) -> Any:
    from google.protobuf.message_factory import GetMessageClass

    return GetMessageClass(of).FromString


def _flat(request: dict[str, Any]) -> dict[str, Any]:
    """A request as query parameters."""
    return {key: str(value).lower() if isinstance(value, bool) else value for key, value in request.items()}


def _all(answer: httpx.Response) -> str:
    return f"{answer.headers!r} {answer.text}"


def refused_call(error: grpc.aio.AioRpcError) -> Exception:
    trailing = error.trailing_metadata() or ()
    packed = [value for key, value in trailing if key == "grpc-status-details-bin"]
    if not packed:
        # Only a broken connection has no details; everything that the service says has them.
        known = error.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED)
        assert known, (error.code(), error.details())
        return Unanswered(f"{error.code().name}: {error.details()}")
    assert len(packed) == 1
    status = status_pb2.Status.FromString(packed[0])
    assert (status.code, status.message) == (error.code().value[0], error.details())
    details = [json_format.MessageToDict(detail) for detail in status.details]
    return Refused(error.code().name, None, status.message, details, f"{error.details()} {trailing!r} {status}")
