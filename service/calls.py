"""One call, whatever the transport: what an adapter hands over, and what handles it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Protocol

import msgspec

OPEN = frozenset({"ListGameTypes", "GetGameType"})
"""Methods that need no credential."""

TICKETS = frozenset({"WatchGame"})
"""Methods that a browser may call with a ticket in the query."""

MOST_ITEMS = 1000
"""No list of a request is longer. A megabyte of empty items would keep everybody else waiting for seconds."""


class Call(msgspec.Struct, frozen=True):
    """What an adapter knows of a call beside its payload.

    ``rpc`` is the method's name (``SubmitMove``), ``authorization`` the header as sent, ``transport`` is ``grpc`` or
    ``rest``, ``request_id`` an ``Idempotency-Key`` (REST only; empty otherwise), ``trace`` the caller's own id of the
    call for the log (``x-request-id``), empty if none. ``ticket`` stands in for ``authorization`` where a browser opens
    a stream; empty otherwise.
    """

    rpc: str
    authorization: str | None
    transport: str
    request_id: str = ""
    trace: str = ""
    ticket: str = ""


class Handler(Protocol):
    """Answers calls: protobuf bytes of the request in, protobuf bytes of the response out.

    Raises ``Refusal`` and nothing else (besides being cancelled); a bug inside becomes ``Refusal(INTERNAL)``.
    """

    async def __call__(self, call: Call, payload: bytes) -> bytes:
        """The response. Raises Refusal."""
        ...

    def stream(self, call: Call, payload: bytes) -> AsyncGenerator[bytes, None]:
        """The responses of a streaming method, one by one, each made when it is asked for. Raises Refusal at any.

        Whoever reads it closes it (``contextlib.aclosing``), in the task that began it.
        """
        ...
