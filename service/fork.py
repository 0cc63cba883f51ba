"""ForkGame: a new game that begins where another one stood, as somebody knows it; exactly only if all may be known."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from engine.core import Rng
from service import projection
from service.callers import Platform, Scope, need_platform, viewing_seat
from service.create import Create, digest_of, read_annotations, read_entropy, read_seats
from service.errors import Reason, malformed
from service.fairness import SECRET_BYTES, revealed
from service.history import History
from service.issue import Issuer
from service.plan import Entropy
from service.records import Meta, SeatMeta
from service.resources import Controller, GameState
from service.resources_live import ForkGameRequest, ForkGameResponse
from service.store import GameKey, Store
from service.table import Table
from service.tables import Tables


class Fork:
    """The use case, with what it needs."""

    def __init__(
        self,
        *,
        store: Store,
        tables: Tables,
        history: History,
        create: Create,
        issuer: Issuer,
        entropy: Entropy,
        clock_us: Callable[[], int],
    ) -> None:
        self._store = store
        self._tables = tables
        self._history = history
        self._create = create
        self._issuer = issuer
        self._entropy = entropy
        self._clock_us = clock_us

    async def __call__(self, platform: Platform, origin: GameKey, request: ForkGameRequest) -> ForkGameResponse:
        """Begin anew from there. Raises every refusal of the RPC's comment."""
        need_platform(platform, Scope.READ)
        key = self._create.key(platform, request.request_id)
        # First of all: the game that it began from may have gone on, or be gone.
        stored = await self._store.load(key) if request.request_id else None
        if stored is None:
            table = await self._forked(platform, key, origin, request)
        else:
            table = self._create.before(key, digest_of(request), stored)
        return ForkGameResponse(projection.game_of(table, platform=True), self._issuer.first_tokens(table))

    async def _forked(self, platform: Platform, key: GameKey, origin: GameKey, request: ForkGameRequest) -> Table:
        now = await self._tables.newest(origin)
        there = now if request.version is None else await self._history.table_at(now, request.version)
        if not there.game.prompts(there.state):
            raise malformed("version", "is the end of that game: nothing is asked there", Reason.INVALID_OPTIONS)
        state = self._state(platform, now, there, request)
        return await self._create.put(key, self._meta(there, request), there.game, state)

    def _state(self, platform: Platform, now: Table, there: Table, request: ForkGameRequest) -> msgspec.Struct:
        """Where the fork begins. Raises MALFORMED_REQUEST and SPECTATORS_OFF."""
        nobody = request.seat is None and not request.spectator
        told = revealed(now) or Scope.EXPORT in platform.scopes
        if nobody and told and now.status is GameState.FINISHED:
            return there.state
        viewer = viewing_seat(platform, request.seat, request.spectator, now.meta)
        dealt: msgspec.Struct = there.game.redeal(there.state, viewer, Rng(self._entropy(SECRET_BYTES), 0))
        return dealt

    def _meta(self, there: Table, request: ForkGameRequest) -> Meta:
        """Who plays, by the rules of the other game, with a chance of its own."""
        meta = there.meta
        seats = read_seats(there.game, request.seats) if request.seats else tuple(map(_again, meta.seats))
        if len(seats) != len(meta.seats):
            raise malformed("seats", f"that game has {len(meta.seats)}", Reason.INVALID_OPTIONS)
        return Meta(
            game_type=meta.game_type,
            rules_version=meta.rules_version,
            options=meta.options,
            seats=seats,
            seed=self._entropy(SECRET_BYTES),
            salt=self._entropy(SECRET_BYTES),
            create_us=self._clock_us(),
            keep_ms=meta.keep_ms,
            request=digest_of(request),
            annotations=read_annotations(request.annotations),
            spectators_off=meta.spectators_off,
            reveal_policy=meta.reveal_policy,
            positioned=True,
            clock=meta.clock,
            entropy=read_entropy(b"", request.seats),
            forked=(there.key.game, there.version),
        )


def _again(seat: SeatMeta) -> SeatMeta:
    """The seat with tokens of its own, and a person where somebody has left."""
    left = seat.controller == Controller.RESIGNED
    return msgspec.structs.replace(seat, epoch=0, controller=int(Controller.HUMAN) if left else seat.controller)
