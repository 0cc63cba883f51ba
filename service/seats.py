"""SetSeatController: who answers for a seat, and what it means when nobody does any more."""

from __future__ import annotations

import msgspec

from service import projection
from service.callers import Caller, Platform, acting_seat, check_epoch
from service.change import change, memo_of
from service.errors import Reason, Refusal, malformed, request_id_reused
from service.plan import Entropy, Plan, Planner, check_open, seat_resigned
from service.records import SeatMeta
from service.resources import BotLevel, Controller, Game
from service.resources_live import SetSeatControllerRequest
from service.store import GameKey, Memo, Store
from service.table import Table
from service.tables import Tables
from service.trace import note


class Seats:
    """The use case, with what it needs."""

    def __init__(self, store: Store, tables: Tables, planner: Planner, entropy: Entropy) -> None:
        self._store = store
        self._tables = tables
        self._planner = planner
        self._entropy = entropy

    async def __call__(self, caller: Caller, key: GameKey, seat: int, request: SetSeatControllerRequest) -> Game:
        """Do it, once per request id. Raises every refusal of the RPC's comment."""
        _check(request)
        # With the seat in its name: nobody finds another's answers.
        memo = memo_of(f"seat:{seat}", request, self._entropy)
        table, (before,) = await self._tables.recall(key, (memo.name,))
        _authorise(caller, table, seat, request)
        if before is None:
            table, _ = await change(
                self._store,
                self._tables,
                key,
                lambda now: self._plan(caller, now, seat, request, memo),
                memo if request.request_id else None,
            )
        elif before.digest != memo.digest:
            raise request_id_reused()
        note(version=table.version, replayed=before is not None)
        return projection.game_of(table, platform=isinstance(caller, Platform))

    def _plan(
        self, caller: Caller, table: Table, seat: int, request: SetSeatControllerRequest, memo: Memo
    ) -> Plan | None:
        """The plan; None if it is so already."""
        _authorise(caller, table, seat, request)
        before = table.meta.seats[seat]
        after = _changed(before, request)
        if after == before and request.controller is Controller.RESIGNED:
            # However the game stands by now: whoever did not hear the answer says it again.
            return None
        check_open(table)
        if before.controller == Controller.RESIGNED:
            raise seat_resigned(seat)
        return None if after == before else self._planner.seat(table, seat, after, memo)


def _check(request: SetSeatControllerRequest) -> None:
    if request.controller is Controller.UNSPECIFIED:
        raise malformed("controller", "is needed: HUMAN, BOT or RESIGNED")
    if request.bot_level and request.controller is not Controller.BOT:
        raise malformed("bot_level", "is for a bot only")


def _authorise(caller: Caller, table: Table, seat: int, request: SetSeatControllerRequest) -> None:
    """A platform may do everything; a seat may resign. Raises the refusals of all others."""
    check_epoch(caller, table.meta)
    note(seat=acting_seat(caller, seat, table.meta, "name"))
    if not isinstance(caller, Platform) and request.controller is not Controller.RESIGNED:
        raise Refusal(Reason.SEAT_FORBIDDEN, "a seat token may resign for its seat, and nothing else")


def _changed(seat: SeatMeta, request: SetSeatControllerRequest) -> SeatMeta:
    level = seat.bot_level
    if request.controller is Controller.BOT:
        level = int(request.bot_level or level or BotLevel.BASIC)
    return msgspec.structs.replace(seat, controller=int(request.controller), bot_level=level)
