"""Names, ids and tokens of the API: made here, and read here with a clear refusal."""

from __future__ import annotations

import base64
import hashlib
import re
from datetime import timedelta

from service.errors import Reason, malformed

_ID_CHARACTERS = 26  # 130 bits
_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\Z")
_GAME = re.compile(r"games/([a-z2-7]{26})\Z")
_FAIRNESS = re.compile(r"(games/[a-z2-7]{26})(?:/fairness)?\Z")
_COMMITMENT = re.compile(r"commitments/([a-z2-7]{26})\Z")
_SEAT = re.compile(r"(games/[a-z2-7]{26})/seats/(0|[1-9][0-9]{0,2})\Z")
_GAME_TYPE = re.compile(r"gameTypes/([a-z][a-z0-9_]{0,63})\Z")


def base32(data: bytes, characters: int) -> str:
    """The first ``characters`` of the data in ``[a-z2-7]``."""
    return base64.b32encode(data).decode().lower()[:characters]


def game_id(random: bytes) -> str:
    """A game id of 17 or more random bytes."""
    return base32(random, _ID_CHARACTERS)


def game_id_of_request(tenant: str, request_id: str) -> str:
    """The id of the game that this request makes, the same at every repetition."""
    return game_id(hashlib.sha256(f"rookery-game|{tenant}|{request_id}".encode()).digest())


def game_id_of_commitment(tenant: str, commitment: str) -> str:
    """The id of the game that a commitment makes."""
    return game_id(hashlib.sha256(f"rookery-commitment|{tenant}|{commitment}".encode()).digest())


def commitment_id(random: bytes) -> str:
    """The id of a commitment, of 17 or more random bytes."""
    return base32(random, _ID_CHARACTERS)


def read_commitment(name: str) -> str:
    """The id in ``commitments/{commitment}``. Raises MALFORMED_REQUEST."""
    match = _COMMITMENT.match(name)
    if match is None:
        raise malformed("commitment", "must be commitments/ and 26 characters of a-z and 2-7")
    return match[1]


def read_game(name: str) -> str:
    """The id in ``games/{game}``. Raises MALFORMED_REQUEST."""
    match = _GAME.match(name)
    if match is None:
        raise malformed("name", "must be games/ and 26 characters of a-z and 2-7")
    return match[1]


def read_fairness(name: str) -> str:
    """The name of the game in ``games/{game}/fairness``, or in itself. Raises MALFORMED_REQUEST."""
    match = _FAIRNESS.match(name)
    if match is None:
        raise malformed("name", "must be games/, 26 characters of a-z and 2-7, and perhaps /fairness")
    return match[1]


def read_seat(name: str) -> tuple[str, int]:
    """The name of the game and the seat in ``games/{game}/seats/{seat}``. Raises MALFORMED_REQUEST."""
    match = _SEAT.match(name)
    if match is None:
        raise malformed("name", "must be games/, 26 characters of a-z and 2-7, /seats/ and the number of a seat")
    return match[1], int(match[2])


def read_game_type(name: str) -> str:
    """The id in ``gameTypes/{game_type}``. Raises MALFORMED_REQUEST."""
    match = _GAME_TYPE.match(name)
    if match is None:
        raise malformed("name", "must be gameTypes/ and the id of a game type")
    return match[1]


def read_request_id(request_id: str) -> str:
    """A UUID in its usual form, or nothing. Raises MALFORMED_REQUEST."""
    if not request_id:
        return ""
    if _UUID.match(request_id) is None:
        raise malformed("request_id", "must be a UUID like 123e4567-e89b-42d3-a456-426614174000")
    return request_id.lower()


def read_text(field: str, text: str, longest: int) -> str:
    """A text of at most ``longest`` characters without control characters. Raises MALFORMED_REQUEST."""
    if len(text) > longest:
        raise malformed(field, f"is longer than {longest} characters")
    if not text.isprintable():
        raise malformed(field, "has characters that cannot be shown")
    return text


def read_span(
    field: str,
    span: timedelta | None,
    low: float,
    high: float,
    default: float,
    reason: Reason = Reason.MALFORMED_REQUEST,
) -> float:
    """A duration as seconds, from ``low`` to ``high``. Raises ``reason``."""
    if span is None:
        return default
    seconds = span.total_seconds()
    if not low <= seconds <= high:
        raise malformed(field, f"must be from {low:.0f} to {high:.0f} seconds", reason)
    return seconds


def page_token(rank: int, game: str, filters: str) -> str:
    """Where the next page begins; good only for the same filters."""
    digest = hashlib.sha256(filters.encode()).digest()[:6]
    return base64.urlsafe_b64encode(digest + rank.to_bytes(8, "big") + game.encode()).decode()


def read_page_token(token: str, filters: str) -> tuple[int, str] | None:
    """The (rank, game) of a page token. Raises MALFORMED_REQUEST."""
    if not token:
        return None
    try:
        raw = base64.b64decode(token, altchars=b"-_", validate=True)
        game = raw[14:].decode("ascii")
    except ValueError:
        raw, game = b"", ""
    if _GAME.match(f"games/{game}") is None:
        raise malformed("page_token", "is not a page token")
    if raw[:6] != hashlib.sha256(filters.encode()).digest()[:6]:
        raise malformed("page_token", "belongs to a list with other filters")
    return int.from_bytes(raw[6:14], "big"), game
