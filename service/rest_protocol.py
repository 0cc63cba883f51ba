"""HTTP connections with limits: how long and how large what comes before a request may be.

uvicorn's own protocol waits for the head of a request for ever and keeps whatever comes. So one client without any
credential could fill the memory, and many could use up the connections. Here a connection that has no request to be
answered must bring one within ``PATIENCE`` seconds, and what is neither body nor a whole head may have ``LARGEST_HEAD``
bytes. What is no HTTP is refused in the form of every refusal.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from service.errors import Reason, Refusal
from service.rest_http import CLOSE, HttpRefusal, error_answer

LARGEST_HEAD: Final = 64 << 10
PATIENCE: Final = 10.0


class _TooLarge(Exception):  # noqa: N818 - ends the parsing; never seen outside
    """The head of a request is too large."""


class Protocol(HttpToolsProtocol):
    """One connection."""

    _patience: asyncio.TimerHandle | None = None
    # Bytes since the last thing that was complete: a head, a part of a body, a request.
    _loose = 0
    _too_large = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # uvicorn's own narrowing
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._be_patient()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the wait."""
        self._hurry_no_more()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse, and refuse what grows without an end."""
        self._loose += len(data)
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self._loose > LARGEST_HEAD:
            self._too_large = True
            self.send_400_response("")
        elif self._idle():
            self._be_patient()

    def on_headers_complete(self) -> None:
        """Check the whole head, which may have come in one piece, and begin to answer."""
        self._loose = 0
        if len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > LARGEST_HEAD:
            self._too_large = True
            raise _TooLarge
        super().on_headers_complete()
        self._hurry_no_more()

    def on_body(self, body: bytes) -> None:
        """Take a part of the body."""
        self._loose = 0
        super().on_body(body)

    def on_chunk_header(self) -> None:
        """Note a chunk: its frame counts for nothing."""
        self._loose = 0

    def on_message_complete(self) -> None:
        """Note the end of a request."""
        self._loose = 0
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request, and close; an answer that is under way is cut off."""
        del msg
        if self._idle():
            self.transport.write(_HEAD_TOO_LARGE if self._too_large else _NO_HTTP)
        self.transport.close()

    def _idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _be_patient(self) -> None:
        if self._patience is None:
            self._patience = self.loop.call_later(PATIENCE, self._give_up)

    def _hurry_no_more(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _give_up(self) -> None:
        self._patience = None
        if not self.transport.is_closing() and self._idle():
            self.transport.close()


def _raw(refusal: Refusal) -> bytes:
    """The bytes of a refusal that no application gives."""
    answer = error_answer(refusal)
    fields = (*answer.headers, ("content-type", answer.content_type), ("content-length", str(len(answer.body))))
    head = "".join(f"{name}: {value}\r\n" for name, value in fields)
    return f"HTTP/1.1 {answer.status} {HTTPStatus(answer.status).phrase}\r\n{head}\r\n".encode() + answer.body


_NO_HTTP: Final = _raw(HttpRefusal(Reason.MALFORMED_REQUEST, "this is no HTTP request", headers=CLOSE))
_HEAD_TOO_LARGE: Final = _raw(
    HttpRefusal(
        Reason.PAYLOAD_TOO_LARGE, f"the head of a request has at most {LARGEST_HEAD} bytes", http=431, headers=CLOSE
    )
)
