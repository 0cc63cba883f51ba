"""Tokens for seats and spectators, and their revocation.

A token holds the epoch of its seat; revoking raises the seat's epoch in the game record, which is a commit of its own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Protocol

import msgspec

from service.callers import existing_seat
from service.change import change
from service.errors import Reason, Refusal, malformed
from service.names import base32, read_request_id, read_span
from service.plan import Entropy, Plan, Planner
from service.projection import moment
from service.records import Batch, Meta, decode
from service.resources import IssueTokensRequest, IssueTokensResponse, SeatToken, SpectatorToken
from service.store import GameKey, Memo, Store
from service.table import Table
from service.tables import Tables

MINUTE = 60.0
YEAR = 366 * 86_400.0


class Signer(Protocol):
    """Signs tokens; the same arguments give the same token. ``expires`` is in seconds since 1970."""

    def seat_token(self, tenant: str, game: str, seat: int, epoch: int, expires: int) -> str:
        """A seat's token."""
        ...

    def spectator_token(self, tenant: str, game: str, epoch: int, expires: int) -> str:
        """A spectator's token."""
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
        return tuple(self._seat_token(table.key, seat, 0, expires) for seat in range(len(table.meta.seats)))

    async def issue(self, key: GameKey, request: IssueTokensRequest) -> IssueTokensResponse:
        """Make the tokens. Raises MALFORMED_REQUEST, SPECTATORS_OFF, REQUEST_ID_REUSED, STORE_CONTENTION."""
        request_id = read_request_id(request.request_id)
        ttl = read_span("ttl", request.ttl, MINUTE, YEAR, self._ttl)
        if not request.seats and not request.spectator:
            raise malformed("seats", "name seats, or spectator")
        table = await self._tables.newest(key)
        for i, seat in enumerate(request.seats):
            existing_seat(seat, table.meta, f"seats[{i}]")
        if len(set(request.seats)) < len(request.seats):
            raise malformed("seats", "names a seat twice")
        if request.spectator and table.meta.spectators_off:
            raise Refusal(Reason.SPECTATORS_OFF, "nobody may watch this game")
        now = self._clock_us()
        if request.revoke:
            table, now = await self._revoke(key, request, request_id)
        return self._tokens(table, request, _expiry(now, ttl))

    async def _revoke(self, key: GameKey, request: IssueTokensRequest, request_id: str) -> tuple[Table, int]:
        """Raise the epochs, once per request id; the table after it, and when it was done."""
        memo = Memo(f"tokens:{request_id or base32(self._entropy(10), 16)}", _digest(request))
        table, (before,) = await self._tables.recall(key, (memo.name,))
        if before is None:
            table = await change(self._store, self._tables, key, lambda now: self._revocation(now, request, memo))
            return table, table.live.update_us
        if before.digest != memo.digest:
            raise malformed("request_id", "stands for another request", Reason.REQUEST_ID_REUSED)
        ((_, blob),) = await self._store.batches(key, before.version, before.version, 1)
        return table, decode(Batch, blob).time_us

    def _revocation(self, table: Table, request: IssueTokensRequest, memo: Memo) -> Plan:
        return self._planner.change(table, memo, meta=_revoked(table.meta, request))

    def _tokens(self, table: Table, request: IssueTokensRequest, expires: int) -> IssueTokensResponse:
        key, meta = table.key, table.meta
        spectator = None
        if request.spectator:
            token = self._signer.spectator_token(key.tenant, key.game, meta.spectator_epoch, expires)
            spectator = SpectatorToken(token, moment(expires * 1_000_000))
        seats = tuple(self._seat_token(key, seat, meta.seats[seat].epoch, expires) for seat in request.seats)
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


def _expiry(now_us: int, ttl: float) -> int:
    return int(now_us / 1_000_000 + ttl)


def _digest(request: IssueTokensRequest) -> bytes:
    return hashlib.blake2b(msgspec.json.encode(request), digest_size=12).digest()
