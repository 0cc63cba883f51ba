"""A refusal as ``google.rpc.Status``: what both transports say, over gRPC in rich status details, over REST as JSON."""

from __future__ import annotations

import math

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc import status_pb2  # type: ignore[import-untyped]
from google.rpc.error_details_pb2 import (  # type: ignore[import-untyped]
    BadRequest,
    ErrorInfo,
    PreconditionFailure,
    RetryInfo,
)

from service.errors import Refusal

DOMAIN = "rookery"
"""``ErrorInfo.domain`` of every refusal."""

RULE = "RULE"
"""``PreconditionFailure.Violation.type``; its ``subject`` is ``subject#clause``, for example ``sevens#3.2``."""

OFFER = "OFFER"
"""The same where there is no clause, because there is no such offer; its ``subject`` is the game type."""

_NANOS = 1_000_000_000


def to_status(refusal: Refusal) -> status_pb2.Status:
    """The refusal with exactly one ErrorInfo, and with whichever of the other details it has something to say in."""
    status = status_pb2.Status(code=refusal.status.code, message=refusal.message)
    for detail in _details(refusal):
        packed = AnyMessage()
        packed.Pack(detail)
        status.details.append(packed)
    return status


def retry_after_seconds(refusal: Refusal) -> int | None:
    """The value of ``Retry-After``: whole seconds, rounded up, at least 1; None if a retry is not invited."""
    return None if refusal.retry_after is None else max(1, math.ceil(refusal.retry_after))


def _details(refusal: Refusal) -> list[Message]:
    details: list[Message] = [ErrorInfo(reason=refusal.reason, domain=DOMAIN, metadata=refusal.metadata)]
    if refusal.violations:
        violations = [BadRequest.FieldViolation(field=f, description=d) for f, d in refusal.violations]
        details.append(BadRequest(field_violations=violations))
    if refusal.subject:
        kind, subject = (RULE, f"{refusal.subject}#{refusal.clause}") if refusal.clause else (OFFER, refusal.subject)
        broken = PreconditionFailure.Violation(type=kind, subject=subject, description=refusal.message)
        details.append(PreconditionFailure(violations=[broken]))
    if refusal.retry_after is not None:
        details.append(RetryInfo(retry_delay=_duration(refusal.retry_after)))
    return details


def _duration(seconds: float) -> Duration:
    whole, nanos = divmod(round(max(seconds, 0.0) * _NANOS), _NANOS)
    return Duration(seconds=whole, nanos=nanos)
