"""SubmitMove from the edge to the store and back, in the contract's order.

Authorise, look for a replay, game open, the seat's decision, ``expected_version``, the right decision, legality, apply
(these in ``plan.py``), compare-and-set, where the script looks for a replay and at the version once more, answer.
"""

from __future__ import annotations

from service import projection
from service.answers import Ask, clash, memos_of, read_ask
from service.callers import Caller, acting_seat, check_epoch
from service.change import RACES, contention
from service.errors import Reason, Refusal
from service.meter import Meter
from service.plan import Plan, Planner
from service.records import Batch
from service.resources import SubmitMoveRequest, SubmitMoveResponse
from service.store import Clash, Committed, Conflict, GameKey, Missing, Replayed, Store, Untimely
from service.table import Table
from service.tables import Tables, game_not_found
from service.trace import note


class Submit:
    """The use case, with what it needs."""

    def __init__(self, store: Store, tables: Tables, planner: Planner, meter: Meter) -> None:
        self._store = store
        self._tables = tables
        self._planner = planner
        self._meter = meter

    async def __call__(self, caller: Caller, key: GameKey, request: SubmitMoveRequest) -> SubmitMoveResponse:
        """Answer a decision, once. Raises every refusal of the RPC's comment."""
        ask = read_ask(request)
        async with self._tables.alone(key):
            answer = await self._from_memory(caller, ask, key)
            if answer is not None:
                return answer
            for _ in range(1 + RACES):
                answer = await self._from_store(caller, ask, key)
                if answer is not None:
                    return answer
        raise contention()

    async def _from_memory(self, caller: Caller, ask: Ask, key: GameKey) -> SubmitMoveResponse | None:
        """The usual case in one round trip: memory is up to date, and the script confirms it. Else None.

        What memory refuses may be a mistake about the present: a refusal is only ever given from the store.
        """
        table = self._tables.guess(key)
        if table is None or ask.request.validate_only:
            return None
        try:
            seat = _authorise(caller, ask, table)
            plan = self._planner.answer(ask, seat, table)
        except Refusal:
            return None
        return await self._commit(ask, seat, plan)

    async def _from_store(self, caller: Caller, ask: Ask, key: GameKey) -> SubmitMoveResponse | None:
        """The same from what the store says now; None if the race was lost."""
        # Not a guess: one of before a revocation, made by another process, would refuse the new tokens.
        table = await self._tables.newest(key)
        memos = memos_of(ask, _authorise(caller, ask, table), table)
        table, remembered = await self._tables.recall(key, tuple(memo.name for memo in memos))
        seat = _authorise(caller, ask, table)
        for memo, found in zip(memos, remembered, strict=True):
            if found is not None and found.digest == memo.digest:
                return await self._replay(ask, seat, table, found.version)
            if found is not None:
                raise clash(memo.name, table)
        try:
            if ask.request.validate_only:
                self._planner.judge(ask, seat, table)
                return SubmitMoveResponse(None, replayed=False, events=(), view=None)
            plan = self._planner.answer(ask, seat, table)
        except Refusal as refusal:
            if refusal.reason is Reason.DECISION_STALE:
                self._meter.stale(table.game.game_type)
            raise
        return await self._commit(ask, seat, plan)

    async def _commit(self, ask: Ask, seat: int, plan: Plan) -> SubmitMoveResponse | None:
        """Write the plan; None if somebody was faster, or if this was answered before."""
        key = plan.write.key
        match await self._store.commit(plan.write):
            case Committed(version):
                self._tables.keep(plan.table)
                return _response(ask, seat, plan.table, (version, plan.batch), plan.batch, replayed=False)
            case Replayed() | Clash():
                # The table of this plan may be older than the revocation of the caller's token: once more from the
                # store, which has the answer, and says whether this caller may have it.
                self._tables.forget(key)
                return None
            case Conflict() | Untimely():
                # Untimely is never said of an answer: the clock alone has to wait.
                self._tables.forget(key)
                self._meter.retry(plan.table.game.game_type)
                return None
            case Missing():
                self._tables.forget(key)
                raise game_not_found()

    async def _replay(self, ask: Ask, seat: int, table: Table, version: int) -> SubmitMoveResponse:
        """The stored outcome: what happened in the version that the first request made, and the view now."""
        self._meter.replay(table.game.game_type)
        if ask.request.validate_only:
            return SubmitMoveResponse(None, replayed=True, events=(), view=None)
        batch = await self._tables.batch(table.key, version)
        latest = batch if version == table.version else await self._tables.batch(table.key, table.version)
        return _response(ask, seat, table, (version, batch), latest, replayed=True)


def _authorise(caller: Caller, ask: Ask, table: Table) -> int:
    check_epoch(caller, table.meta)
    seat = acting_seat(caller, ask.request.seat, table.meta)
    note(seat=seat)
    return seat


def _response(
    ask: Ask, seat: int, table: Table, done: tuple[int, Batch], latest: Batch, *, replayed: bool
) -> SubmitMoveResponse:
    """What was ``done`` in which version, and the view now; ``latest`` is what happened in the view's version."""
    version, batch = done
    note(version=version, replayed=replayed)
    events = projection.events_of(table.game, version, batch, seat)
    view = projection.returned(table, seat, ask.request.return_parts, latest)
    return SubmitMoveResponse(version, replayed, events, view)
