"""The gRPC side: raw bytes to the handler and back, refusals as rich status. Written against ``grpc.aio`` only.

Two servers speak it: grpcio's own, and ``pygrpc-native``, a drop-in with a Rust core. On the native one every method
must be registered by name, or it would silently take the slow way through its fallback.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import Any, NoReturn

import grpc
from google.protobuf.descriptor import MethodDescriptor
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection
from grpc_status import rpc_status

from rookery.v1 import game_service_pb2
from service.calls import Call, Handler
from service.errors import Refusal
from service.status import to_status
from service.trace import clean_id

SERVICE = game_service_pb2.DESCRIPTOR.services_by_name["GameService"]
TRANSPORTS = ("grpcio", "native")
# Above this size a message is refused by the transport itself; below it by the handler, with a typed reason.
_TRANSPORT_LIMIT = 16 << 20
UNKNOWN = "unknown"
Unary = Callable[[bytes, Any], Awaitable[bytes]]
Stream = Callable[[bytes, Any], Awaitable[None]]


class GrpcServer:
    """A gRPC server on one address, and its health."""

    def __init__(self, server: Any, port: int) -> None:
        self._server = server
        self.port = port
        self._health = health.aio.HealthServicer()

    async def start(self, handler: Handler) -> None:
        """Register everything and begin to serve."""
        handlers = {method.name: _handler(method, handler) for method in SERVICE.methods}
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE.full_name, handlers),))
        self._server.add_registered_method_handlers(SERVICE.full_name, handlers)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        names = (SERVICE.full_name, health_pb2.DESCRIPTOR.services_by_name["Health"].full_name)
        reflection.enable_server_reflection((*names, reflection.SERVICE_NAME), self._server)
        # Last: whoever calls what there is not is refused like everybody else.
        self._server.add_generic_rpc_handlers((_Unknown(handler),))
        await self._server.start()

    async def serving(self, *, up: bool) -> None:
        """Tell health checks whether to send calls here."""
        status = health_pb2.HealthCheckResponse.SERVING if up else health_pb2.HealthCheckResponse.NOT_SERVING
        for name in ("", SERVICE.full_name):
            await self._health.set(name, status)

    async def stop(self, grace: float) -> None:
        """Refuse new calls, let the running ones finish for ``grace`` seconds, then cut them off."""
        await self._server.stop(grace)


def bind(address: str, transport: str, *, shared: bool) -> GrpcServer:
    """A server bound to ``host:port`` (port 0: a free one), ``shared`` with other workers. Raises RuntimeError."""
    options = [
        ("grpc.so_reuseport", int(shared)),
        ("grpc.max_receive_message_length", _TRANSPORT_LIMIT),
        ("grpc.max_send_message_length", _TRANSPORT_LIMIT),
    ]
    server = _aio(transport).server(options=options)
    try:
        port = server.add_insecure_port(address)
    except Exception:
        # Each server has its own error for it; what is the matter is the same.
        port = 0
    if not port:
        raise RuntimeError(f"cannot listen on {address}: it is in use, or not an address of this machine")
    return GrpcServer(server, port)


def _aio(transport: str) -> Any:
    if transport == "grpcio":
        return grpc.aio
    try:
        return importlib.import_module("pygrpc_native.aio")
    except ImportError:
        raise RuntimeError("the native transport is not installed: pip install 'rookery[native]'") from None


def _handler(method: MethodDescriptor, handler: Handler) -> Any:
    if method.server_streaming:
        return grpc.unary_stream_rpc_method_handler(_stream(method.name, handler))
    return grpc.unary_unary_rpc_method_handler(_rpc(method.name, handler))


def _rpc(name: str, handler: Handler) -> Unary:
    async def unary(payload: bytes, context: Any) -> bytes:
        try:
            answer = await handler(_call(name, context), payload)
        except Refusal as refusal:
            return await _abort(context, refusal)
        # Whatever else is ready now is computed first. Then the answers leave together, in few writes and wake-ups of
        # the transport's threads; an idle server loses nothing by it.
        await asyncio.sleep(0)
        return answer

    return unary


def _stream(name: str, handler: Handler) -> Stream:
    """A method that writes, not a generator: of those, nobody knows when a cancelled one is closed."""

    async def stream(payload: bytes, context: Any) -> None:
        try:
            async with aclosing(handler.stream(_call(name, context), payload)) as messages:
                async for message in messages:
                    await context.write(message)
        except Refusal as refusal:
            await _abort(context, refusal)
        except grpc.aio.InternalError as gone:
            # The connection failed under a write before the library has told that the client is gone: the same thing.
            raise asyncio.CancelledError from gone

    return stream


def _call(name: str, context: Any) -> Call:
    metadata = {key: value for key, value in context.invocation_metadata() or () if key in _WANTED}
    trace = clean_id(_text(metadata, "x-request-id") or "")
    return Call(name, _text(metadata, "authorization"), "grpc", trace=trace)


class _Unknown(grpc.GenericRpcHandler):
    """Hands every method that nobody else knows to the handler, under one name: names that come in are not counted."""

    def __init__(self, handler: Handler) -> None:
        unary = _rpc(UNKNOWN, handler)

        async def refuse(_requests: Any, context: Any) -> None:
            await unary(b"", context)

        # As a stream, so that the refusal waits for no message: the method may be one of any kind.
        self._refuse: Any = grpc.stream_stream_rpc_method_handler(refuse)

    def service(self, handler_call_details: Any) -> Any:
        """The method handler of a call."""
        del handler_call_details
        return self._refuse


_WANTED = frozenset({"authorization", "x-request-id"})


def _text(metadata: dict[str, Any], key: str) -> str | None:
    value = metadata.get(key)
    return value.decode("latin-1") if isinstance(value, bytes) else value


async def _abort(context: Any, refusal: Refusal) -> NoReturn:
    status = rpc_status.to_status(to_status(refusal))
    await context.abort(status.code, status.details, trailing_metadata=status.trailing_metadata)
    raise asyncio.CancelledError  # abort always raises; the type checker cannot know
