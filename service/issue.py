"""Tokens for seats and spectators, and their revocation.

A token holds the epoch of its seat; revoking raises the seat's epoch in the game record, which is a commit of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import msgspec

from service.callers import Caller, SeatHolder, Spectator, check_epoch, epoch_of, existing_seat, viewing_seat
from service.change import change, memo_of
from service.errors import Reason, Refusal, malformed, request_id_reused
from service.names import base32, read_request_id, read_span
from service.plan import Entropy, Plan, Planner
from service.records import Meta
from service.resources import SeatToken
from service.resources_live import (
    IssueTicketRequest,
    IssueTicketResponse,
    IssueTokensRequest,
    IssueTokensResponse,
    SpectatorToken,
)
from service.store import GameKey, Memo, Store
from service.table import Table
from service.tables import Tables
from service.times import moment

MINUTE = 60.0
YEAR = 366 * 86_400.0
TICKET_SECONDS = 60.0


class Signer(Protocol):
    """Signs tokens; the same arguments give the same token. ``expires`` is in seconds since 1970."""

    def seat_token(self, tenant: str, game: str, seat: int, epoch: int, expires: int) -> str:
        """A seat's token."""
        ...

    def spectator_token(self, tenant: str, game: str, epoch: int, expires: int) -> str:
        """A spectator's token."""
        ...

    def ticket(self, caller: SeatHolder | Spectator, expires: int, name: str) -> str:
        """A ticket for one stream of the caller's, used up under ``name``."""
        ...


class Issuer:
    """Makes tokens that last ``ttl`` seconds unless asked otherwise."""

    def __init__(
        self,
        *,
        store: Store,
        tables: Tables,
        planner: Planner,
        signer: Signer,
        entropy: Entropy,
        clock_us: Callable[[], int],
        ttl: float,
    ) -> None:
        self._store = store
        self._tables = tables
        self._planner = planner
        self._signer = signer
        self._entropy = entropy
        self._clock_us = clock_us
        self._ttl = ttl

    def first_tokens(self, table: Table) -> tuple[SeatToken, ...]:
        """The tokens of a game's creation, the same whenever they are asked for."""
        expires = _expiry(table.meta.create_us, self._ttl)
        return tuple(
            self._seat_token(table.key, seat, table.meta.create_us, expires) for seat in range(len(table.meta.seats))
        )

    async def issue(self, key: GameKey, request: IssueTokensRequest) -> IssueTokensResponse:
        """Make the tokens. Raises MALFORMED_REQUEST, SPECTATORS_OFF, REQUEST_ID_REUSED, STORE_CONTENTION."""
        read_request_id(request.request_id)
        ttl = read_span("ttl", request.ttl, MINUTE, YEAR, self._ttl)
        if not request.seats and not request.spectator:
            raise malformed("seats", "name seats, or spectator")
        table = await self._tables.newest(key)
        for i, seat in enumerate(request.seats):
            existing_seat(seat, table.meta, f"seats[{i}]")
            if seat in request.seats[:i]:
                raise malformed(f"seats[{i}]", "is named twice")
        if request.spectator and table.meta.spectators_off:
            raise Refusal(Reason.SPECTATORS_OFF, "nobody may watch this game")
        if not request.revoke:
            return self._tokens(table.key, table.meta, request, _expiry(self._clock_us(), ttl))
        meta, now = await self._revoke(key, request)
        return self._tokens(key, meta, request, _expiry(now, ttl))

    async def ticket(self, caller: Caller, key: GameKey, request: IssueTicketRequest) -> IssueTicketResponse:
        """A ticket for one stream of the viewer's. Raises what GetView raises."""
        table = await self._tables.newest(key)
        meta = table.meta
        check_epoch(caller, meta)
        seat = viewing_seat(caller, request.seat, request.spectator, meta)
        viewer: SeatHolder | Spectator
        if seat is None:
            viewer = Spectator(key.tenant, key.game, epoch_of(meta, None), caller.expires)
        else:
            viewer = SeatHolder(key.tenant, key.game, seat, epoch_of(meta, seat), caller.expires)
        expires = _expiry(self._clock_us(), TICKET_SECONDS)
        name = base32(self._entropy(10), 16)
        return IssueTicketResponse(self._signer.ticket(viewer, expires, name), moment(expires * 1_000_000))

    async def redeem(self, tenant: str, name: str) -> None:
        """Use a ticket up. Raises TOKEN_INVALID if it was used before."""
        mine = self._entropy(12)
        # Remembered longer than it is good for, whatever our clocks say.
        if await self._store.notes.keep(tenant, f"ticket:{name}", mine, int(2 * TICKET_SECONDS * 1000)) != mine:
            raise Refusal(Reason.TOKEN_INVALID, "the ticket was used before")

    async def _revoke(self, key: GameKey, request: IssueTokensRequest) -> tuple[Meta, int]:
        """Raise the epochs, once per request id; the meta record with those epochs, and when it was done."""
        memo = memo_of("tokens", request, self._entropy)
        table, (before,) = await self._tables.recall(key, (memo.name,))
        if before is None:
            table, version = await change(self._store, self._tables, key, lambda t: self._revocation(t, request, memo))
        elif before.digest == memo.digest:
            version = before.version
        else:
            raise request_id_reused()
        # From the log and not from the table, which somebody may have revoked further since.
        batch = await self._tables.batch(key, version)
        return _at(table.meta, batch.epochs), batch.time_us

    def _revocation(self, table: Table, request: IssueTokensRequest, memo: Memo) -> Plan:
        return self._planner.change(table, memo, meta=_revoked(table.meta, request))

    def _tokens(self, key: GameKey, meta: Meta, request: IssueTokensRequest, expires: int) -> IssueTokensResponse:
        spectator = None
        if request.spectator:
            token = self._signer.spectator_token(key.tenant, key.game, epoch_of(meta, None), expires)
            spectator = SpectatorToken(token, moment(expires * 1_000_000))
        seats = tuple(self._seat_token(key, seat, epoch_of(meta, seat), expires) for seat in request.seats)
        return IssueTokensResponse(seats, spectator)

    def _seat_token(self, key: GameKey, seat: int, epoch: int, expires: int) -> SeatToken:
        token = self._signer.seat_token(key.tenant, key.game, seat, epoch, expires)
        return SeatToken(seat, token, moment(expires * 1_000_000))


def _revoked(meta: Meta, request: IssueTokensRequest) -> Meta:
    """The meta record with the epochs of the named seats raised."""
    seats = tuple(
        msgspec.structs.replace(seat, epoch=seat.epoch + 1) if i in request.seats else seat
        for i, seat in enumerate(meta.seats)
    )
    return msgspec.structs.replace(meta, seats=seats, spectator_epoch=meta.spectator_epoch + request.spectator)


def _at(meta: Meta, epochs: tuple[int, ...]) -> Meta:
    """The meta record with the epochs of a log entry."""
    if not epochs:
        # Written by a release that did not note them.
        return meta
    *seats, spectators = epochs
    named = zip(meta.seats, seats, strict=True)
    return msgspec.structs.replace(
        meta,
        seats=tuple(msgspec.structs.replace(seat, epoch=epoch) for seat, epoch in named),
        spectator_epoch=spectators,
    )


def _expiry(now_us: int, ttl: float) -> int:
    return int(now_us / 1_000_000 + ttl)
