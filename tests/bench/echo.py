"""Servers that do nothing but answer: the references of ``calls`` and ``watch``.

``python -m tests.bench.echo grpcio|native|rest``. A request begins with the size of the wanted answer. A stream is of a
topic: it says that it stands, then whatever a call names with its size for that topic, to all who listen. The address
goes to standard output; the end of standard input ends the process.
"""

from __future__ import annotations

import asyncio
import functools
import importlib
import socket
import sys
from collections import defaultdict
from collections.abc import AsyncIterator
from typing import Any

import grpc
import uvicorn
import uvloop
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, StreamingResponse
from starlette.routing import Route

SERVICE, METHOD, STREAM, SAY = "bench.Echo", "Call", "Stream", "Say"
SIZE_BYTES = 4
STANDS = b"stands"
# Of the JSON around the text.
_FRAME = len('{"text":""}')


@functools.cache
def _answer(size: int) -> bytes:
    return bytes(size)


class _Topic:
    """What was said last, and an event for whoever waits for the next."""

    def __init__(self) -> None:
        self._said = b""
        self._next = asyncio.Event()

    def say(self, message: bytes) -> None:
        """Tell all who listen. Nothing is kept: the next one is said when they have this one."""
        self._said = message
        self._next.set()
        self._next = asyncio.Event()

    async def messages(self) -> AsyncIterator[bytes]:
        yield STANDS
        while True:
            await self._next.wait()
            yield self._said


_topics: defaultdict[int, _Topic] = defaultdict(_Topic)


def ask(topic: int, size: int = 0) -> bytes:
    """A request for a stream, or what is to be said to those who have one."""
    return size.to_bytes(SIZE_BYTES, "big") + topic.to_bytes(4, "big")


async def _unary(payload: bytes, _context: Any) -> bytes:
    return _answer(int.from_bytes(payload[:SIZE_BYTES], "big"))


async def _stream(payload: bytes, context: Any) -> None:
    async for message in _topics[int.from_bytes(payload[SIZE_BYTES:], "big")].messages():
        await context.write(message)


async def _say(payload: bytes, _context: Any) -> bytes:
    _topics[int.from_bytes(payload[SIZE_BYTES:], "big")].say(_answer(int.from_bytes(payload[:SIZE_BYTES], "big")))
    return b""


async def _grpc(transport: str) -> None:
    aio = grpc.aio if transport == "grpcio" else importlib.import_module("pygrpc_native.aio")
    server = aio.server()
    handlers: dict[str, Any] = {
        METHOD: grpc.unary_unary_rpc_method_handler(_unary),
        STREAM: grpc.unary_stream_rpc_method_handler(_stream),
        SAY: grpc.unary_unary_rpc_method_handler(_say),
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))
    server.add_registered_method_handlers(SERVICE, handlers)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    _tell(port)
    await _end_of_input()
    await server.stop(0)


async def _said(request: Request) -> JSONResponse:
    said = await request.json() if request.method == "POST" else request.query_params
    return JSONResponse({"text": "x" * (int(said["size"]) - _FRAME)})


async def _listened(request: Request) -> StreamingResponse:
    messages = _topics[int(request.query_params["topic"])].messages()
    return StreamingResponse((b"data: %b\n\n" % message async for message in messages), media_type="text/event-stream")


async def _told(request: Request) -> JSONResponse:
    _topics[int(request.query_params["topic"])].say(b"x" * int(request.query_params["size"]))
    return JSONResponse({})


async def _rest() -> None:
    routes = [Route("/stream", _listened), Route("/say", _told, methods=["POST"])]
    app = Starlette(routes=[Route("/echo", _said, methods=["GET", "POST"]), *routes])
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        config = uvicorn.Config(
            app, loop="none", http="httptools", ws="none", lifespan="off", log_config=None, access_log=False
        )
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        while not server.started:  # noqa: ASYNC110 - uvicorn has a flag, no event
            await asyncio.sleep(0.005)
        _tell(listening.getsockname()[1])
        await _end_of_input()
        server.should_exit = True
        await serving


def _tell(port: int) -> None:
    sys.stdout.write(f"127.0.0.1:{port}\n")
    sys.stdout.flush()


async def _end_of_input() -> None:
    await asyncio.to_thread(sys.stdin.read)


def main(transport: str) -> None:
    """Serve until standard input ends."""
    uvloop.run(_rest() if transport == "rest" else _grpc(transport))


if __name__ == "__main__":
    main(sys.argv[1])
