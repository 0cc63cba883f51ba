"""The time of the seats: pure arithmetic on the records. Everything here is public, and nothing asks what time it is.

A seat's clock begins when its public question appears, or when the seat has answered and is asked again; another
seat's move that leaves that question as it is does not begin it anew, whatever it does to the possible answers: those
are the seat's secret, and a deadline is not. It ends with the question. What it took beyond ``per_decision`` is taken
off the seat's time for the game.
"""

from __future__ import annotations

from datetime import timedelta

from service.errors import Reason, malformed
from service.names import read_span
from service.records import Clock, Meta, Time
from service.resources import Clock as ClockAsked
from service.resources import Controller, OnTimeout
from service.store import Outage
from service.table import Table

DAY = 86_400.0
NO_LIMIT = -1
BOT_MS = 10_000
"""A bot may take so long, even if its seat has no time left: the clock is there for bots that nobody runs."""


def read_clock(clock: ClockAsked | None) -> Clock | None:
    """The clock that a game shall have. Raises INVALID_OPTIONS."""
    if clock is None:
        return None
    if clock.per_decision is None and clock.per_game is None:
        raise malformed("clock", "needs per_decision or per_game", Reason.INVALID_OPTIONS)
    per_decision = _read_limit("clock.per_decision", clock.per_decision, 30 * DAY)
    per_game = _read_limit("clock.per_game", clock.per_game, 366 * DAY)
    return Clock(per_decision, per_game, int(clock.on_timeout or OnTimeout.TIMEOUT_MOVE))


def first_times(clock: Clock | None, asked: frozenset[int], seats: int, now_us: int) -> tuple[Time, ...]:
    """The times of a new game; none without a clock."""
    if clock is None:
        return ()
    whole = max(0, clock.per_game_ms)
    return tuple(Time(now_us if seat in asked else 0, whole) for seat in range(seats))


def next_times(
    table: Table, asked: frozenset[int], waiting: frozenset[int], now_us: int, outage: Outage = (0, 0)
) -> tuple[Time, ...]:
    """The times after a commit: ``asked`` are asked now, ``waiting`` of them have been all the time."""
    return tuple(
        time
        if seat in waiting
        else Time(now_us if seat in asked else 0, _left_ms(table.meta, seat, time, now_us, outage))
        for seat, time in enumerate(table.live.times)
    )


def taken_back(
    table: Table, asked: frozenset[int], waiting: frozenset[int], seat: int, began: Time | None, now_us: int
) -> tuple[Time, ...]:
    """The times after an undo of ``seat``, whose first answer that is taken back was to a question asked at ``began``.

    As if it had thought about that question all the while: so nobody gets time by going back again and again, and
    nobody else loses any to a question that came and went.
    """
    times = next_times(table, asked, waiting, now_us)
    return tuple(
        time if other in waiting else (began or time) if other == seat else Time(time.asked_us, before.left_ms)
        for other, (before, time) in enumerate(zip(table.live.times, times, strict=True))
    )


def time_is_over(table: Table, seat: int) -> bool:
    """Whether the clock would act at once for a seat in a version that was only planned."""
    at_us = deadline_us(table, seat)
    return at_us is not None and at_us <= table.live.update_us


def deadline_us(table: Table, seat: int) -> int | None:
    """When the clock may act for a seat that is asked; None: never.

    A seat that has resigned is due at once. So is one that has no time left, unless a bot answers for it. A question
    that does not press has no deadline: the clock must not take back what others are about to answer.
    """
    meta, times = table.meta, table.live.times
    if seat in table.resigned:
        asked_us = times[seat].asked_us if times else table.live.update_us
        return asked_us if seat in table.pressing else None
    if meta.clock is None or not times or seat not in table.pressing:
        return None
    allowed_ms = max(0, meta.clock.per_decision_ms) + times[seat].left_ms
    if meta.seats[seat].controller == Controller.BOT:
        allowed_ms = max(allowed_ms, BOT_MS)
    return times[seat].asked_us + allowed_ms * 1000


def due_ms(table: Table) -> int | None:
    """When the clock must look at the game, in whole milliseconds: 0 for never, None if it has no clock at all."""
    if table.meta.clock is None and not table.resigned:
        return None
    return min((at_ms for at_ms, _ in deadlines(table)), default=0)


def life_ms(table: Table, due: int | None) -> int:
    """How long the game is kept after its last commit: if its clock is ``due`` later, from then on."""
    waiting_ms = (due or 0) - table.live.update_us // 1000
    return table.meta.keep_ms + max(0, waiting_ms)


def deadlines(table: Table) -> tuple[tuple[int, int], ...]:
    """The deadlines of the seats that are asked as (milliseconds, seat) pairs, the first one first."""
    found = ((deadline_us(table, prompt.seat), prompt.seat) for prompt in table.prompts)
    # Rounded up: the clock never acts before its time.
    return tuple(sorted((-(-at_us // 1000), seat) for at_us, seat in found if at_us is not None))


def acting(table: Table, since_ms: int, grace_ms: int) -> tuple[tuple[int, int, int], ...]:
    """When the clock may act, as (milliseconds, deadline, seat), the first one first.

    Nobody looked after the clocks until ``since_ms``: perhaps nobody could answer either. So whoever was asked before
    then has ``grace_ms`` from there on. A seat that has left needs none.
    """
    times, found = table.live.times, []
    for at_ms, seat in deadlines(table):
        waits = seat not in table.resigned and times[seat].asked_us < since_ms * 1000
        found.append((max(at_ms, since_ms + grace_ms) if waits else at_ms, at_ms, seat))
    return tuple(sorted(found))


def _read_limit(field: str, span: timedelta | None, most: float) -> int:
    if span is None:
        return NO_LIMIT
    return int(read_span(field, span, 1, most, 0, Reason.INVALID_OPTIONS) * 1000)


def _left_ms(meta: Meta, seat: int, time: Time, now_us: int, outage: Outage) -> int:
    """What is left of the seat's time for the game when its question ends. An outage takes nothing of it."""
    clock = meta.clock
    if clock is None or clock.per_game_ms == NO_LIMIT or not time.asked_us:
        return time.left_ms
    if meta.seats[seat].controller != Controller.HUMAN:
        # Whoever comes back finds what was left of the time.
        return time.left_ms
    begun_us, ended_us = outage
    away_us = max(0, min(now_us, ended_us) - max(time.asked_us, begun_us))
    spent_ms = (now_us - time.asked_us - away_us) // 1000 - max(0, clock.per_decision_ms)
    return max(0, time.left_ms - max(0, spent_ms))
