"""Times of the records, in microseconds since 1970, and as the API says them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def moment(micros: int) -> datetime:
    """A time of the records as a datetime."""
    return _EPOCH + timedelta(microseconds=micros)


def micros(at: datetime | None) -> int:
    """A datetime as the records hold it; 0 for none."""
    return 0 if at is None else (at - _EPOCH) // _MICROSECOND
