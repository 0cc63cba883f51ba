"""Every refusal the service can give, and the one table from reason to status.

Use cases raise ``Refusal``; adapters look the status up here and add nothing of their own.
"""

from __future__ import annotations

import enum
from typing import NamedTuple


class Code(enum.IntEnum):
    """gRPC status codes, by number, so that this module needs no gRPC."""

    INVALID_ARGUMENT = 3
    NOT_FOUND = 5
    PERMISSION_DENIED = 7
    RESOURCE_EXHAUSTED = 8
    FAILED_PRECONDITION = 9
    ABORTED = 10
    UNIMPLEMENTED = 12
    INTERNAL = 13
    UNAVAILABLE = 14
    UNAUTHENTICATED = 16


class Status(NamedTuple):
    """What a reason is on each transport."""

    code: Code
    http: int


class Reason(enum.StrEnum):
    """Machine-readable reasons: the ``reason`` of ``google.rpc.ErrorInfo``."""

    MALFORMED_REQUEST = "MALFORMED_REQUEST"
    MALFORMED_MOVE = "MALFORMED_MOVE"
    UNKNOWN_FIELD = "UNKNOWN_FIELD"
    INVALID_OPTIONS = "INVALID_OPTIONS"
    REQUEST_ID_REUSED = "REQUEST_ID_REUSED"
    ILLEGAL_MOVE = "ILLEGAL_MOVE"
    NOT_YOUR_DECISION = "NOT_YOUR_DECISION"
    SEAT_RESIGNED = "SEAT_RESIGNED"
    DECISION_STALE = "DECISION_STALE"
    DECISION_ALREADY_ANSWERED = "DECISION_ALREADY_ANSWERED"
    VERSION_MISMATCH = "VERSION_MISMATCH"
    VERSION_AHEAD = "VERSION_AHEAD"
    UNDO_BLOCKED = "UNDO_BLOCKED"
    GAME_OVER = "GAME_OVER"
    GAME_ABORTED = "GAME_ABORTED"
    GAME_NOT_FOUND = "GAME_NOT_FOUND"
    GAME_TYPE_NOT_FOUND = "GAME_TYPE_NOT_FOUND"
    METHOD_NOT_FOUND = "METHOD_NOT_FOUND"
    TOKEN_WRONG_GAME = "TOKEN_WRONG_GAME"  # noqa: S105 - a reason, not a secret
    TOKEN_MISSING = "TOKEN_MISSING"  # noqa: S105
    TOKEN_INVALID = "TOKEN_INVALID"  # noqa: S105
    TOKEN_EXPIRED = "TOKEN_EXPIRED"  # noqa: S105
    TOKEN_REVOKED = "TOKEN_REVOKED"  # noqa: S105
    SEAT_FORBIDDEN = "SEAT_FORBIDDEN"
    SPECTATORS_OFF = "SPECTATORS_OFF"
    SCOPE_MISSING = "SCOPE_MISSING"
    PAYLOAD_TOO_LARGE = "PAYLOAD_TOO_LARGE"
    TOO_MANY_STREAMS = "TOO_MANY_STREAMS"
    SUPERSEDED = "SUPERSEDED"
    CURSOR_EXPIRED = "CURSOR_EXPIRED"
    STORE_UNAVAILABLE = "STORE_UNAVAILABLE"
    STORE_CONTENTION = "STORE_CONTENTION"
    DRAINING = "DRAINING"
    COMMITMENT_NOT_FOUND = "COMMITMENT_NOT_FOUND"
    COMMITMENT_USED = "COMMITMENT_USED"
    RULES_VERSION_UNSUPPORTED = "RULES_VERSION_UNSUPPORTED"
    INTERNAL = "INTERNAL"


_INVALID = Status(Code.INVALID_ARGUMENT, 400)
_PRECONDITION = Status(Code.FAILED_PRECONDITION, 400)
_ABORTED = Status(Code.ABORTED, 409)
_NOT_FOUND = Status(Code.NOT_FOUND, 404)
_DENIED = Status(Code.PERMISSION_DENIED, 403)
_UNAUTHENTICATED = Status(Code.UNAUTHENTICATED, 401)
_UNAVAILABLE = Status(Code.UNAVAILABLE, 503)

TABLE: dict[Reason, Status] = {
    Reason.MALFORMED_REQUEST: _INVALID,
    Reason.MALFORMED_MOVE: _INVALID,
    Reason.UNKNOWN_FIELD: _INVALID,
    Reason.INVALID_OPTIONS: _INVALID,
    Reason.REQUEST_ID_REUSED: _INVALID,
    Reason.ILLEGAL_MOVE: _PRECONDITION,
    Reason.NOT_YOUR_DECISION: _PRECONDITION,
    Reason.SEAT_RESIGNED: _PRECONDITION,
    Reason.DECISION_STALE: _ABORTED,
    Reason.DECISION_ALREADY_ANSWERED: _PRECONDITION,
    Reason.VERSION_MISMATCH: _ABORTED,
    Reason.VERSION_AHEAD: _ABORTED,
    Reason.UNDO_BLOCKED: _PRECONDITION,
    Reason.GAME_OVER: _PRECONDITION,
    Reason.GAME_ABORTED: _PRECONDITION,
    Reason.GAME_NOT_FOUND: _NOT_FOUND,
    Reason.GAME_TYPE_NOT_FOUND: _NOT_FOUND,
    Reason.METHOD_NOT_FOUND: Status(Code.UNIMPLEMENTED, 404),
    Reason.TOKEN_WRONG_GAME: _DENIED,
    Reason.TOKEN_MISSING: _UNAUTHENTICATED,
    Reason.TOKEN_INVALID: _UNAUTHENTICATED,
    Reason.TOKEN_EXPIRED: _UNAUTHENTICATED,
    Reason.TOKEN_REVOKED: _UNAUTHENTICATED,
    Reason.SEAT_FORBIDDEN: _DENIED,
    Reason.SPECTATORS_OFF: _DENIED,
    Reason.SCOPE_MISSING: _DENIED,
    Reason.PAYLOAD_TOO_LARGE: Status(Code.RESOURCE_EXHAUSTED, 429),
    Reason.TOO_MANY_STREAMS: Status(Code.RESOURCE_EXHAUSTED, 429),
    Reason.SUPERSEDED: _ABORTED,
    Reason.CURSOR_EXPIRED: _ABORTED,
    Reason.STORE_UNAVAILABLE: _UNAVAILABLE,
    Reason.STORE_CONTENTION: _UNAVAILABLE,
    Reason.DRAINING: _UNAVAILABLE,
    Reason.COMMITMENT_NOT_FOUND: _NOT_FOUND,
    Reason.COMMITMENT_USED: _PRECONDITION,
    Reason.RULES_VERSION_UNSUPPORTED: _PRECONDITION,
    Reason.INTERNAL: Status(Code.INTERNAL, 500),
}


class Refusal(Exception):  # noqa: N818 - the word of the contract: a refusal is an answer, not a breakdown
    """A typed no. ``message`` is for people and holds no secret; everything a program needs is in the fields.

    ``metadata`` goes into ``ErrorInfo.metadata`` (for example ``current_version``). ``violations`` are
    (field path, description) pairs for ``BadRequest``. ``subject``, a game type, makes a ``PreconditionFailure``, with
    the ``clause`` of the game's RULES.md that the move breaks. ``retry_after`` in seconds makes a ``RetryInfo``.
    """

    def __init__(
        self,
        reason: Reason,
        message: str,
        *,
        metadata: dict[str, str] | None = None,
        violations: tuple[tuple[str, str], ...] = (),
        clause: str = "",
        subject: str = "",
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.metadata = metadata or {}
        self.violations = violations
        self.clause = clause
        self.subject = subject
        self.retry_after = retry_after

    @property
    def status(self) -> Status:
        """The row of the table."""
        return TABLE[self.reason]


_LONGEST_FIELD = 200


def malformed(field: str, description: str, reason: Reason = Reason.MALFORMED_REQUEST) -> Refusal:
    """Say which field of the request is wrong, and how. The field may hold names that the caller made up."""
    shown = _shown(field)
    return Refusal(reason, f"{shown}: {description}", violations=((shown, description),))


def _shown(field: str) -> str:
    """The field, short and plain: over gRPC it travels in headers, where a long one would drop the whole refusal."""
    text = "".join(char if " " <= char <= "~" else "?" for char in field[:_LONGEST_FIELD])
    return text if len(field) <= _LONGEST_FIELD else f"{text}..."


def request_id_reused(why: str = "stands for another request") -> Refusal:
    """The request id was given to another request before."""
    return malformed("request_id", why, Reason.REQUEST_ID_REUSED)


def version_ahead(current: int) -> Refusal:
    """The caller speaks of a version that the game has not reached; the store may have lost its last writes."""
    return Refusal(
        Reason.VERSION_AHEAD, f"the game is at version {current}", metadata={"current_version": str(current)}
    )
