"""Times of the records, in microseconds since 1970, and as the API says them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def moment(micros: int) -> datetime:
    """A time of the records as a datetime."""
    return _EPOCH + timedelta(microseconds=micros)
