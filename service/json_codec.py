"""Requests from JSON and answers to JSON, as bytes on both sides: what the REST adapter needs of proto JSON.

Only google's descriptors are used, so there is no second code generation. Measured on a view of 660 bytes, 2.7 KB of
JSON: writing takes 76 us of CPU (``json_format`` 445), reading a typed move 10 us.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec
from google.protobuf.descriptor import Descriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass

from service.errors import Reason, Refusal, malformed
from service.json_reader import fill
from service.json_scalars import NotJson, Repeated, Wrong
from service.json_writer import message_writer

BODY = "body"
"""The field that a violation names when no single field is at fault."""

_REASONS = {
    ("rookery.v1.SubmitMoveRequest", "move"): Reason.MALFORMED_MOVE,
    ("rookery.v1.SubmitMoveRequest", "moves"): Reason.MALFORMED_MOVE,
    ("rookery.v1.CreateGameRequest", "options"): Reason.INVALID_OPTIONS,
}
"""Fields whose content has a reason of its own."""


def parse_json(text: bytes) -> Any:
    """The JSON value. Raises MALFORMED_REQUEST; what is wrong in one place only is left for the reader to name."""
    try:
        return json.loads(text.decode(), object_pairs_hook=_object, parse_constant=_not_json)
    except UnicodeDecodeError:
        raise malformed(BODY, "is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise malformed(BODY, f"is not JSON (line {error.lineno}, column {error.colno})") from None
    except RecursionError:
        raise malformed(BODY, "is nested too deeply") from None
    except ValueError:
        raise malformed(BODY, "holds a number with too many digits") from None


def read_json(message: Any, value: Any, field: str = "") -> None:
    """Set the fields of a message, or only the named one, from a parsed value.

    Raises UNKNOWN_FIELD, MALFORMED_REQUEST or (inside a move or options) MALFORMED_MOVE or INVALID_OPTIONS.
    """
    try:
        fill(message, {field: value} if field else value, 0 if field else 1)
    except Wrong as wrong:
        raise refusal(wrong, message.DESCRIPTOR) from None


def refusal(wrong: Wrong, request: Descriptor) -> Refusal:
    """The refusal of a request of this type that has something wrong."""
    path = wrong.path or BODY
    root = path.replace("[", ".").split(".", 1)[0]
    reason = _REASONS.get((request.full_name, root), Reason.MALFORMED_REQUEST)
    return malformed(path, wrong.description, Reason.UNKNOWN_FIELD if wrong.unknown else reason)


class AnswerWriter:
    """Makes JSON of the answers of one RPC."""

    def __init__(self, descriptor: Descriptor) -> None:
        self._parse: Callable[[bytes], Any] = GetMessageClass(descriptor).FromString
        self._write = message_writer(descriptor)
        self._has_etag = "etag" in descriptor.fields_by_name

    def __call__(self, payload: bytes) -> tuple[bytes, str]:
        """The JSON, and the value of the message's field ``etag`` (empty if there is none)."""
        try:
            message = self._parse(payload)
        except DecodeError:
            raise Refusal(Reason.INTERNAL, "the answer could not be read") from None
        return msgspec.json.encode(self._write(message)), message.etag if self._has_etag else ""


def write_json(message: Message) -> bytes:
    """A message as JSON."""
    return msgspec.json.encode(message_writer(message.DESCRIPTOR)(message))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any] | Repeated:
    made = dict(pairs)
    if len(made) == len(pairs):
        return made
    counts = Counter(key for key, _ in pairs)
    return Repeated(next(key for key, count in counts.items() if count > 1))


def _not_json(_word: str) -> NotJson:
    return NotJson()
