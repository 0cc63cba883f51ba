"""What every refusal must look like, on both transports."""

from __future__ import annotations

import json

from google.rpc import status_pb2  # type: ignore[import-untyped]
from google.rpc.error_details_pb2 import ErrorInfo  # type: ignore[import-untyped]

from service.errors import TABLE, Reason
from tests.service.secrecy.inner import Reply

DETAILS = "grpc-status-details-bin"
INFO = "type.googleapis.com/google.rpc.ErrorInfo"
# A gRPC client gives up above 8 KiB of metadata, and then the refusal has no type any more.
LARGEST_METADATA = 6000
LARGEST_BODY = 8000
# What HTTP itself has a finer word for: wrong verb, slow body, wrong content type.
FINER = {Reason.METHOD_NOT_FOUND: {405}, Reason.MALFORMED_REQUEST: {408, 415}}


def reason_of_rpc(reply: Reply) -> Reason:
    """The reason of a refusal over gRPC, once its form is checked."""
    (blob,) = [value for name, value in reply.head if name == DETAILS]
    assert isinstance(blob, bytes)
    status = status_pb2.Status.FromString(blob)
    assert (status.code, status.message) == (reply.status, reply.text)
    infos = [detail for detail in status.details if detail.Is(ErrorInfo.DESCRIPTOR)]
    assert len(infos) == 1
    info = ErrorInfo.FromString(infos[0].value)
    reason = Reason(info.reason)
    assert info.domain == "rookery"
    assert TABLE[reason].code == reply.status
    assert sum(len(name) + len(value) for name, value in reply.head) + 3 * len(reply.text) < LARGEST_METADATA
    _not_ours(reason, reply.text)
    return reason


def reason_of_http(reply: Reply) -> Reason:
    """The reason of a refusal over REST, once its form is checked."""
    error = json.loads(reply.body)["error"]
    assert error.keys() == {"code", "message", "status", "details"}
    (info,) = [detail for detail in error["details"] if detail["@type"] == INFO]
    reason = Reason(info["reason"])
    assert info["domain"] == "rookery"
    assert error["code"] == reply.status
    assert error["status"] == TABLE[reason].code.name
    assert reply.status == TABLE[reason].http or reply.status in FINER.get(reason, ())
    assert dict(reply.head)["content-type"] == "application/json"
    assert len(reply.body) < LARGEST_BODY
    _not_ours(reason, reply.body.decode())
    return reason


def reason_of(reply: Reply) -> Reason:
    """The same, of either."""
    return reason_of_http(reply) if reply.status >= 100 else reason_of_rpc(reply)


def _not_ours(reason: Reason, text: str) -> None:
    assert reason is not Reason.INTERNAL
    assert "Traceback" not in text
    assert 'File "' not in text
