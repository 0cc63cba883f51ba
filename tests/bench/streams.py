"""Clients of streams that cost next to nothing: a socket each, no codec, only the moments at which messages came.

A client library's own stream costs more than the server's; with a thousand of them in one process it would be the
client that is measured.
"""

from __future__ import annotations

import asyncio
import struct
import time
from typing import Any, NamedTuple

# Of HTTP/2 (RFC 9113): frame types, flags, settings.
_DATA, _HEADERS, _SETTINGS, _PING, _WINDOW_UPDATE = 0, 1, 4, 6, 8
_ACK, _END_STREAM, _END_HEADERS = 0x1, 0x1, 0x4
_TABLE_SIZE, _WINDOW = 1, 4
_LARGEST = (1 << 31) - 1
_DEFAULT_WINDOW = 65_535
_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_FRAME_HEAD, _MESSAGE_HEAD = 9, 5
# Anything shorter says that nothing is new.
_SHORTEST = 64
PATIENCE = 60.0


class Request(NamedTuple):
    """What opens a stream: where (gRPC: the method, REST: path and query), as whom, and the message of gRPC."""

    path: str
    token: str
    message: bytes = b""


class Stream(asyncio.Protocol):
    """A stream on a connection of its own. ``came`` has the moment of each message, ``size`` the last one's length."""

    def __init__(self, request: Request) -> None:
        self.came: list[float] = []
        self.size = 0
        self.stands = asyncio.get_running_loop().create_future()
        self._request = request
        self._buffer = b""
        self._wanted: tuple[int, asyncio.Future[None]] | None = None

    def opening(self, request: Request) -> bytes:
        """What is sent first."""
        raise NotImplementedError

    def read(self, buffer: bytes) -> bytes:
        """Take every whole message out of the buffer and ``note`` it; what is left."""
        raise NotImplementedError

    def connection_made(self, transport: Any) -> None:
        """Ask."""
        self.transport = transport
        transport.write(self.opening(self._request))

    def data_received(self, data: bytes) -> None:
        """Note what came."""
        self._buffer = self.read(self._buffer + data)

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell whoever waits."""
        for waiting in (self.stands, self._wanted[1] if self._wanted else self.stands):
            if not waiting.done():
                waiting.set_exception(RuntimeError(f"a stream ended: {exc!r}"))

    def note(self, size: int) -> None:
        """A message of that many bytes has come; the first one says that the stream stands."""
        if not self.stands.done():
            self.stands.set_result(None)
        elif size >= _SHORTEST:
            self.size = size
            self.came.append(time.perf_counter())
            if self._wanted is not None and len(self.came) >= self._wanted[0]:
                self._wanted[1].set_result(None)
                self._wanted = None

    async def wait(self, messages: int) -> None:
        """Return when so many messages have come."""
        if len(self.came) < messages:
            self._wanted = messages, asyncio.get_running_loop().create_future()
            await self._wanted[1]


class EventStream(Stream):
    """Server-Sent Events over HTTP/1.1. The chunks' frames hold no empty line, so only an event's end does."""

    def opening(self, request: Request) -> bytes:
        """The request."""
        lines = (
            f"GET {request.path} HTTP/1.1",
            "host: bench",
            "accept: text/event-stream",
            f"authorization: Bearer {request.token}",
        )
        return "\r\n".join((*lines, "", "")).encode()

    def read(self, buffer: bytes) -> bytes:
        """Events end with an empty line; the head of the answer is counted to the first one."""
        *events, rest = buffer.split(b"\n\n")
        for event in events:
            if not self.stands.done() and not event.startswith(b"HTTP/1.1 200"):
                raise RuntimeError(event.decode())
            self.note(len(event))
        return rest


class GrpcStream(Stream):
    """A gRPC call on a connection of its own: stream 1, and windows that never have to be opened again."""

    def __init__(self, request: Request) -> None:
        super().__init__(request)
        self._message = b""

    def opening(self, request: Request) -> bytes:
        """The connection's beginning, the headers, the one message and the end of the client's half."""
        settings = struct.pack("!HIHI", _TABLE_SIZE, 0, _WINDOW, _LARGEST)
        fields = {
            ":method": "POST",
            ":scheme": "http",
            ":path": request.path,
            ":authority": "bench",
            "te": "trailers",
            "content-type": "application/grpc",
            "authorization": f"Bearer {request.token}",
        }
        headers = b"".join(b"\0" + _text(name) + _text(value) for name, value in fields.items())
        message = struct.pack("!BI", 0, len(request.message)) + request.message
        return b"".join(
            (
                _PREFACE,
                _frame(_SETTINGS, 0, 0, settings),
                _frame(_WINDOW_UPDATE, 0, 0, struct.pack("!I", _LARGEST - _DEFAULT_WINDOW)),
                _frame(_HEADERS, _END_HEADERS, 1, headers),
                _frame(_DATA, _END_STREAM, 1, message),
            )
        )

    def read(self, buffer: bytes) -> bytes:
        """Whole frames: data is what matters, settings and pings want an answer."""
        while len(buffer) >= _FRAME_HEAD:
            size, kind, flags = int.from_bytes(buffer[:3], "big"), buffer[3], buffer[4]
            if len(buffer) < _FRAME_HEAD + size:
                break
            payload, buffer = buffer[_FRAME_HEAD : _FRAME_HEAD + size], buffer[_FRAME_HEAD + size :]
            if kind == _DATA:
                self._data(payload)
            elif kind in (_SETTINGS, _PING) and not flags & _ACK:
                self.transport.write(_frame(kind, _ACK, 0, payload if kind == _PING else b""))
            elif kind == _HEADERS and flags & _END_STREAM:
                self.transport.close()
        return buffer

    def _data(self, payload: bytes) -> None:
        self._message += payload
        while len(self._message) >= _MESSAGE_HEAD:
            size = _MESSAGE_HEAD + int.from_bytes(self._message[1:_MESSAGE_HEAD], "big")
            if len(self._message) < size:
                break
            self._message = self._message[size:]
            self.note(size - _MESSAGE_HEAD)


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return len(payload).to_bytes(3, "big") + bytes((kind, flags)) + stream.to_bytes(4, "big") + payload


def _text(text: str) -> bytes:
    """A string of HPACK (RFC 7541), not compressed: its length as an integer with a prefix of seven bits."""
    raw = text.encode()
    if len(raw) < 0x7F:
        return bytes((len(raw),)) + raw
    rest, size = len(raw) - 0x7F, b"\x7f"
    while rest > 0x7F:
        size += bytes((rest & 0x7F | 0x80,))
        rest >>= 7
    return size + bytes((rest,)) + raw


async def open_streams(kind: type[Stream], address: str, requests: list[Request]) -> list[Stream]:
    """Open a stream for each request; all of them stand when this returns."""
    host, _, port = address.rpartition(":")
    loop, opened = asyncio.get_running_loop(), list[Stream]()
    async with asyncio.timeout(PATIENCE):
        for request in requests:
            _, stream = await loop.create_connection(lambda request=request: kind(request), host, int(port))  # type: ignore[misc]
            opened.append(stream)
        await asyncio.gather(*(stream.stands for stream in opened))
    return opened
