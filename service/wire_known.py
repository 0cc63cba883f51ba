"""Messages that the protobuf library knows itself: times, spans, and plain JSON."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from google.protobuf import duration_pb2, json_format, struct_pb2, timestamp_pb2
from google.protobuf.message import Message

Decode = Callable[[Any, str], Any]

_MICROS = timedelta(microseconds=1)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Malformed(Exception):  # noqa: N818
    """A message that is well-formed protobuf but no value of the struct; ``field`` is the path."""

    def __init__(self, field: str, description: str) -> None:
        super().__init__(f"{field}: {description}")
        self.field = field
        self.description = description


def _timestamp(value: datetime) -> Message:
    micros = (value - _EPOCH) // _MICROS
    return timestamp_pb2.Timestamp(seconds=micros // 1_000_000, nanos=micros % 1_000_000 * 1000)


_SECOND = 1_000_000_000  # nanoseconds


def _duration_in(message: Any, path: str) -> timedelta:
    seconds, nanos = message.seconds, message.nanos
    if abs(nanos) >= _SECOND or seconds * nanos < 0:
        raise Malformed(path, "is no duration")
    try:
        return timedelta(seconds=seconds, microseconds=nanos // 1000)
    except OverflowError:
        raise Malformed(path, "is out of range") from None


def _duration(value: timedelta) -> Message:
    message = duration_pb2.Duration()
    message.FromTimedelta(value)
    return message


def _timestamp_in(message: Any, path: str) -> datetime:
    try:
        return _EPOCH + timedelta(seconds=message.seconds, microseconds=message.nanos // 1000)
    except OverflowError:
        raise Malformed(path, "is out of range") from None


def write_json(value: dict[str, Any]) -> Message:
    """A plain JSON object as a Struct."""
    return json_format.ParseDict(value, struct_pb2.Struct())


def _json_value(value: Any) -> Message:
    return json_format.ParseDict(value, struct_pb2.Value())


def read_json(message: Any, path: str) -> Any:
    """The plain JSON of a Struct or Value. Raises Malformed."""
    try:
        return json_format.MessageToDict(message)
    except (json_format.SerializeToJsonError, ValueError):
        raise Malformed(path, "holds a number that JSON does not know") from None


WELL_KNOWN: dict[str, tuple[Callable[[Any], Message], Decode]] = {
    "google.protobuf.Timestamp": (_timestamp, _timestamp_in),
    "google.protobuf.Duration": (_duration, _duration_in),
    "google.protobuf.Struct": (write_json, read_json),
    "google.protobuf.Value": (_json_value, read_json),
}
