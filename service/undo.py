"""UndoMove: a seat takes its last answers back, as long as nobody is the wiser for them.

The log is never rewritten: an undo is a version of its own, whose state is that of the earlier one. Answers that were
taken back stay remembered, so that a late repetition of one is answered and never applied.
"""

from __future__ import annotations

import asyncio
import enum
import hashlib

from engine.core import Lasting, Rng, decode_move, lasting, play
from service import projection
from service.callers import Caller, acting_seat, check_epoch
from service.change import RACES, contention
from service.clock import time_is_over
from service.errors import Reason, Refusal, malformed, request_id_reused, version_ahead
from service.fairness import chance_seed
from service.history import History
from service.meter import Meter
from service.names import read_request_id
from service.plan import Planner, Stayed, check_open, seat_resigned
from service.records import Batch
from service.resources import Controller
from service.resources_live import UndoMoveRequest, UndoMoveResponse
from service.store import Clash, Committed, GameKey, Memo, Missing, Replayed, Store
from service.table import Table
from service.tables import Tables, game_not_found
from service.trace import note

LONGEST = 100
"""So many versions back, and no further."""

Log = tuple[tuple[int, Batch], ...]


class Why(enum.StrEnum):
    """Why it is too late, beside what the rules say (``Lasting``)."""

    NOTHING_DONE = "NOTHING_DONE"
    OTHER_SEAT_ACTED = "OTHER_SEAT_ACTED"
    BY_THE_CLOCK = "BY_THE_CLOCK"
    BY_A_BOT = "BY_A_BOT"
    ANOTHER_COURSE = "ANOTHER_COURSE"
    TOO_LONG_AGO = "TOO_LONG_AGO"
    TIME_OVER = "TIME_OVER"


_TEXTS: dict[Why | Lasting, str] = {
    Why.NOTHING_DONE: "the seat has answered nothing since then",
    Why.OTHER_SEAT_ACTED: "another seat has acted since then",
    Why.BY_THE_CLOCK: "the clock has answered for the seat since then",
    Why.BY_A_BOT: "a bot answers for the seat",
    Why.ANOTHER_COURSE: "that version was taken back itself",
    Why.TOO_LONG_AGO: f"that is more than {LONGEST} versions ago",
    Why.TIME_OVER: "the seat's time for that question is over",
    Lasting.CHANCE_USED: "chance was used since then",
    Lasting.SOMETHING_LEARNED: "somebody has learned something since then",
}


class Undo:
    """The use case, with what it needs."""

    def __init__(self, store: Store, tables: Tables, history: History, planner: Planner, meter: Meter) -> None:
        self._store = store
        self._tables = tables
        self._history = history
        self._planner = planner
        self._meter = meter

    async def __call__(self, caller: Caller, key: GameKey, request: UndoMoveRequest) -> UndoMoveResponse:
        """Go back, once. Raises every refusal of the RPC's comment."""
        read_request_id(request.request_id)
        if request.to_version < 1:
            raise malformed("to_version", "is needed: the version to go back to, at least 1")
        async with self._tables.alone(key):
            for _ in range(1 + RACES):
                answer = await self._undone(caller, key, request)
                if answer is not None:
                    return answer
        raise contention()

    async def _undone(self, caller: Caller, key: GameKey, request: UndoMoveRequest) -> UndoMoveResponse | None:
        """The outcome; None if the race was lost."""
        table = await self._tables.newest(key)
        seat = _authorise(caller, request, table)
        if request.request_id:
            memo = _memo(request, seat)
            table, (found,) = await self._tables.recall(key, (memo.name,))
            seat = _authorise(caller, request, table)
            if found is not None and found.digest != memo.digest:
                raise request_id_reused()
            if found is not None:
                return await self._replay(request, seat, table, found.version)
        log = await self._since(table, request.to_version)
        before = _same_undo(log, seat, request.to_version)
        if before and not request.request_id:
            return await self._replay(request, seat, table, before)
        check_open(table)
        if seat in table.resigned:
            raise seat_resigned(seat)
        if table.meta.seats[seat].controller == Controller.BOT:
            # It would answer again, and each time think anew.
            raise _blocked(Why.BY_A_BOT)
        course = _course(log, seat, request.to_version)
        if course:
            return await self._take_back(request, seat, table, log, course)
        if before:
            return await self._done_before(request, seat, table, before)
        raise _blocked(Why.NOTHING_DONE)

    async def _since(self, table: Table, version: int) -> Log:
        """The log behind a version. Raises VERSION_AHEAD and UNDO_BLOCKED."""
        if version > table.version:
            raise version_ahead(table.version)
        if table.version - version > LONGEST:
            raise _blocked(Why.TOO_LONG_AGO)
        if version == table.version:
            return ()
        return await self._history.after(table, version, LONGEST)

    async def _take_back(
        self, request: UndoMoveRequest, seat: int, table: Table, log: Log, course: frozenset[int]
    ) -> UndoMoveResponse | None:
        """Write it; None if somebody was faster, or if this was done before."""
        to = await self._history.table_at(table, request.to_version)
        # Worlds take their time, and others shall not wait for them.
        stayed = await asyncio.to_thread(_judge, to, log, course, seat)
        began = next((batch.began for version, batch in log if version in course), None)
        plan = self._planner.undo(table, seat, to, stayed, began, _memos(request, seat, table))
        if time_is_over(plan.table, seat):
            if (await self._tables.newest(table.key)).stamp != table.stamp:
                # While we judged, perhaps this very request was done elsewhere.
                return None
            # Else the clock would answer at once, and otherwise than the seat has.
            raise _blocked(Why.TIME_OVER)
        match await self._store.commit(plan.write):
            case Committed(version):
                self._tables.keep(plan.table)
                return _response(request, seat, plan.table, (version, plan.batch), plan.batch, replayed=False)
            case Missing():
                self._tables.forget(table.key)
                raise game_not_found()
            case _:
                # Once more from the store, which knows whether this was done before.
                self._tables.forget(table.key)
                self._meter.retry(table.game.game_type)
                return None

    async def _done_before(
        self, request: UndoMoveRequest, seat: int, table: Table, version: int
    ) -> UndoMoveResponse | None:
        """Another request has gone back there already; None if the game has gone on by now.

        What this request was told is remembered: said again later, it must not take back what came after it.
        """
        match await self._store.remember(table.key, table.stamp, _memo(request, seat), version):
            case Replayed(remembered):
                return await self._replay(request, seat, table, remembered)
            case Clash():
                raise request_id_reused()
            case _:
                self._tables.forget(table.key)
                return None

    async def _replay(self, request: UndoMoveRequest, seat: int, table: Table, version: int) -> UndoMoveResponse:
        self._meter.replay(table.game.game_type)
        batch = await self._tables.batch(table.key, version)
        latest = batch if version == table.version else await self._tables.batch(table.key, table.version)
        return _response(request, seat, table, (version, batch), latest, replayed=True)


def _authorise(caller: Caller, request: UndoMoveRequest, table: Table) -> int:
    check_epoch(caller, table.meta)
    seat = acting_seat(caller, request.seat, table.meta)
    note(seat=seat)
    return seat


def _same_undo(log: Log, seat: int, to: int) -> int:
    """The newest version in which the seat went back to the very same one; 0 if it did not."""
    return max((version for version, batch in log if batch.undone == to and batch.seat == seat), default=0)


def _course(log: Log, seat: int, to: int) -> frozenset[int]:
    """The versions of the answers that lead from ``to`` to the newest version, those taken back left out.

    Raises UNDO_BLOCKED unless all that was done since then was done by the seat itself.
    """
    acts = {version: batch for version, batch in log if batch.moves or batch.undone}
    if any(batch.seat != seat for batch in acts.values()):
        raise _blocked(Why.OTHER_SEAT_ACTED)
    if any(batch.timed_out for batch in acts.values()):
        raise _blocked(Why.BY_THE_CLOCK)
    course, version = set(), to + len(log)
    while version > to:
        batch = acts.get(version)
        if batch is not None and batch.undone:
            version = batch.undone
            continue
        if batch is not None:
            course.add(version)
        version -= 1
    if version < to:
        raise _blocked(Why.ANOTHER_COURSE)
    return frozenset(course)


def _judge(to: Table, log: Log, course: frozenset[int], seat: int) -> Stayed:
    """The other seats whose question stays the same all the way. Raises UNDO_BLOCKED if the rules say so."""
    game, state, ply = to.game, to.state, to.live.ply
    seed = chance_seed(to.meta.seed, to.meta.entropy)
    stayed = Stayed.beside(seat, game.prompts(state))
    for version, batch in log:
        if version not in course:
            ply += len(batch.moves)
            continue
        for blob in batch.moves:
            ply += 1
            move = decode_move(game, blob)
            why = lasting(game, state, seat, move, Rng(seed, ply))
            if why is not None:
                raise _blocked(why)
            following = play(game, state, seat, move, Rng(seed, ply)).state
            stayed = stayed.after(game, state, following)
            state = following
    return stayed


def _blocked(why: Why | Lasting) -> Refusal:
    return Refusal(Reason.UNDO_BLOCKED, _TEXTS[why], metadata={"why": why.value})


def _memo(request: UndoMoveRequest, seat: int) -> Memo:
    digest = hashlib.blake2b(str(request.to_version).encode(), digest_size=12).digest()
    return Memo(f"undo-request:{seat}:{request.request_id.lower()}", digest)


def _memos(request: UndoMoveRequest, seat: int, table: Table) -> tuple[Memo, ...]:
    """What the commit leaves behind: by request id if there is one, then by where it went back, and whereto."""
    by_place = Memo(f"undo:{seat}:{table.version}:{request.to_version}", b"")
    return (_memo(request, seat), by_place) if request.request_id else (by_place,)


def _response(
    request: UndoMoveRequest, seat: int, table: Table, done: tuple[int, Batch], latest: Batch, *, replayed: bool
) -> UndoMoveResponse:
    """What was ``done`` in which version, and the view now; ``latest`` is what happened in the view's version."""
    version, batch = done
    note(version=version, replayed=replayed)
    events = projection.events_of(table.game, version, batch, seat)
    return UndoMoveResponse(version, replayed, events, projection.returned(table, seat, request.return_parts, latest))
