"""One call, whatever the transport: what an adapter hands over, and what handles it."""

from __future__ import annotations

from typing import Protocol

import msgspec

OPEN = frozenset({"ListGameTypes", "GetGameType"})
"""Methods that need no credential."""


MOST_ITEMS = 1000
"""No list of a request is longer. A megabyte of empty items would keep everybody else waiting for seconds."""


class Call(msgspec.Struct, frozen=True):
    """What an adapter knows of a call beside its payload.

    ``rpc`` is the method's name (``SubmitMove``), ``authorization`` the header as sent, ``transport`` is ``grpc`` or
    ``rest``, ``request_id`` an ``Idempotency-Key`` (REST only; empty otherwise), ``trace`` the caller's own id of the
    call for the log (``x-request-id``), empty if none.
    """

    rpc: str
    authorization: str | None
    transport: str
    request_id: str = ""
    trace: str = ""


class Handler(Protocol):
    """Answers calls: protobuf bytes of the request in, protobuf bytes of the response out.

    Raises ``Refusal`` and nothing else (besides being cancelled); a bug inside becomes ``Refusal(INTERNAL)``.
    """

    async def __call__(self, call: Call, payload: bytes) -> bytes:
        """The response. Raises Refusal."""
        ...
