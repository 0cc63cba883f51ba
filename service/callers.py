"""Who is calling, and what they may do. Credentials become callers in ``service/credentials.py``."""

from __future__ import annotations

import enum

import msgspec

from service.errors import Reason, Refusal, malformed
from service.records import Meta


class Scope(enum.StrEnum):
    """What a platform key may be allowed."""

    CREATE = "games.create"
    READ = "games.read"
    ACT = "games.act"
    EXPORT = "games.export"


ALL_SCOPES = frozenset(scope.value for scope in Scope)


NEVER = float("inf")


class Platform(msgspec.Struct, frozen=True):
    """A platform, by API key or JWT. ``key_id`` is for the log.

    ``expires``, here and below: when the credential is no good any more, in seconds since 1970.
    """

    tenant: str
    scopes: frozenset[str]
    key_id: str
    expires: float = NEVER


class SeatHolder(msgspec.Struct, frozen=True):
    """Whoever holds a seat token."""

    tenant: str
    game: str
    seat: int
    epoch: int
    expires: float = NEVER


class Spectator(msgspec.Struct, frozen=True):
    """Whoever holds a spectator token."""

    tenant: str
    game: str
    epoch: int
    expires: float = NEVER


Caller = Platform | SeatHolder | Spectator


def need_platform(caller: Caller, scope: Scope) -> Platform:
    """The caller as a platform with the scope. Raises SEAT_FORBIDDEN or SCOPE_MISSING."""
    if not isinstance(caller, Platform):
        raise Refusal(Reason.SEAT_FORBIDDEN, "this is for platform keys, not for seat or spectator tokens")
    if scope not in caller.scopes:
        raise Refusal(
            Reason.SCOPE_MISSING, f"the platform key lacks the scope {scope.value}", metadata={"scope": scope}
        )
    return caller


def need_game(caller: Caller, game: str) -> None:
    """Return unless the token is for another game: TOKEN_WRONG_GAME."""
    if not isinstance(caller, Platform) and caller.game != game:
        raise Refusal(Reason.TOKEN_WRONG_GAME, "this token is for another game")


def epoch_of(meta: Meta, seat: int | None) -> int:
    """What a good token of the seat holds, or of a spectator: it grows with each revocation.

    It begins at the game's creation: a token of a game that had the same name before, and was deleted or has expired,
    is none of this game.
    """
    return meta.create_us + (meta.spectator_epoch if seat is None else meta.seats[seat].epoch)


def check_epoch(caller: Caller, meta: Meta) -> None:
    """Return unless the token was revoked (TOKEN_REVOKED), or may not watch any more (SPECTATORS_OFF)."""
    match caller:
        case SeatHolder():
            current = 0 <= caller.seat < len(meta.seats) and caller.epoch == epoch_of(meta, caller.seat)
        case Spectator():
            if meta.spectators_off:
                raise Refusal(Reason.SPECTATORS_OFF, "nobody may watch this game")
            current = caller.epoch == epoch_of(meta, None)
        case Platform():
            current = True
    if not current:
        raise Refusal(Reason.TOKEN_REVOKED, "this token was revoked")


def acting_seat(caller: Caller, named: int | None, meta: Meta, field: str = "seat") -> int:
    """The seat that acts: the token's, or the one that a platform names. Raises the refusals of a wrong one."""
    match caller:
        case Spectator():
            raise Refusal(Reason.SEAT_FORBIDDEN, "a spectator has no seat")
        case SeatHolder():
            _own_seat(caller, named)
            return caller.seat
        case Platform():
            need_platform(caller, Scope.ACT)
            if named is None:
                raise malformed("seat", "a platform must name the seat that acts")
            return existing_seat(named, meta, field)


def viewing_seat(caller: Caller, named: int | None, spectator: bool, meta: Meta) -> int | None:
    """The viewer: a seat, or None for a spectator. It comes from the credential; a platform must name one."""
    match caller:
        case Spectator():
            if named is not None:
                raise Refusal(Reason.SEAT_FORBIDDEN, "a spectator sees no seat's view")
            return None
        case SeatHolder():
            if spectator:
                raise Refusal(Reason.SEAT_FORBIDDEN, "a seat token shows its own seat's view")
            _own_seat(caller, named)
            return caller.seat
        case Platform():
            need_platform(caller, Scope.READ)
            if spectator == (named is not None):
                raise malformed("seat", "a platform must name either a seat or spectator")
            if spectator and meta.spectators_off:
                raise Refusal(Reason.SPECTATORS_OFF, "nobody may watch this game")
            return None if named is None else existing_seat(named, meta)


def existing_seat(seat: int, meta: Meta, field: str = "seat") -> int:
    """The seat, if the game has it. Raises MALFORMED_REQUEST."""
    if not 0 <= seat < len(meta.seats):
        raise malformed(field, f"this game has the seats 0 to {len(meta.seats) - 1}")
    return seat


def _own_seat(caller: SeatHolder, named: int | None) -> None:
    if named is not None and named != caller.seat:
        raise Refusal(Reason.SEAT_FORBIDDEN, "this token is for another seat")
