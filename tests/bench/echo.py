"""Servers that do nothing but answer: the references of ``calls``. ``python -m tests.bench.echo grpcio|native|rest``.

A request begins with the size of the wanted answer. The address goes to standard output; the end of standard input
ends the process.
"""

from __future__ import annotations

import asyncio
import functools
import importlib
import socket
import sys
from typing import Any

import grpc
import uvicorn
import uvloop
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

SERVICE, METHOD = "bench.Echo", "Call"
SIZE_BYTES = 4
# Of the JSON around the text.
_FRAME = len('{"text":""}')


@functools.cache
def _answer(size: int) -> bytes:
    return bytes(size)


async def _unary(payload: bytes, _context: Any) -> bytes:
    return _answer(int.from_bytes(payload[:SIZE_BYTES], "big"))


async def _grpc(transport: str) -> None:
    aio = grpc.aio if transport == "grpcio" else importlib.import_module("pygrpc_native.aio")
    server = aio.server()
    handlers: dict[str, Any] = {
        METHOD: grpc.unary_unary_rpc_method_handler(_unary, request_deserializer=None, response_serializer=None)
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


async def _rest() -> None:
    app = Starlette(routes=[Route("/echo", _said, methods=["GET", "POST"])])
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
