"""The arithmetic of the clocks, without a clock."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core import Rng
from service import clock
from service.errors import Reason, Refusal
from service.notices import notice_of, update_of
from service.projection import awaiting_of
from service.records import Clock, Live, Meta, SeatMeta, Time
from service.resources import Clock as ClockAsked
from service.resources import Controller, GameState, OnTimeout
from service.store import GameKey, Stamp
from service.table import Table
from service.times import moment
from tests.service.pledge import GAME, Options

START_US = 1_800_000_000_000_000
SEATS = 3
limits = st.one_of(st.just(clock.NO_LIMIT), st.integers(1000, 10**10))
clocks = st.builds(Clock, limits, limits, st.sampled_from([1, 2, 3])).filter(
    lambda made: max(made.per_decision_ms, made.per_game_ms) > 0
)
spans = st.integers(0, 10**13)


def table(
    clock: Clock | None, times: tuple[Time, ...], controllers: tuple[Controller, ...] = (Controller.HUMAN,) * SEATS
) -> Table:
    seats = tuple(SeatMeta("", "", int(controller)) for controller in controllers)
    meta = Meta("pledge", "1.0.0", b"", seats, b"", b"", START_US, 1000, b"", clock=clock)
    live = Live(int(GameState.ACTIVE), 0, START_US, ("a", "b", "c"), b"", times)
    state = GAME.setup(Options(), SEATS, Rng(b"", 0))
    return Table(GameKey("t", "a" * 26), Stamp(1, b""), meta, live, GAME, state)


def started(made: Clock) -> Table:
    return table(made, clock.first_times(made, frozenset(range(SEATS)), SEATS, START_US))


def later(before: Table, times: tuple[Time, ...]) -> Table:
    return table(before.meta.clock, times)


def test_a_game_without_a_clock_has_no_times_and_no_deadline() -> None:
    plain = table(None, clock.first_times(None, frozenset({0}), SEATS, START_US))
    assert plain.live.times == ()
    assert clock.due_ms(plain) is None
    assert clock.deadline_us(plain, 0) is None


@given(clocks)
def test_the_first_deadline_is_both_limits_together(made: Clock) -> None:
    allowed_ms = max(0, made.per_decision_ms) + max(0, made.per_game_ms)
    assert clock.deadline_us(started(made), 0) == START_US + allowed_ms * 1000


@given(clocks, spans)
def test_whoever_answers_within_the_time_for_a_decision_pays_nothing(made: Clock, spent_us: int) -> None:
    before = started(made)
    times = clock.next_times(before, frozenset(range(SEATS)), frozenset({1, 2}), START_US + spent_us)
    over_ms = max(0, spent_us // 1000 - max(0, made.per_decision_ms))
    whole = max(0, made.per_game_ms)
    assert times[0] == Time(START_US + spent_us, max(0, whole - over_ms))
    assert times[1:] == before.live.times[1:]


@given(clocks, st.lists(spans, max_size=8))
def test_the_time_for_the_game_only_shrinks_and_is_never_negative(made: Clock, spent: list[int]) -> None:
    now, game = started(made), START_US
    left = [now.live.times[0].left_ms]
    for span in spent:
        game += span
        now = later(now, clock.next_times(now, frozenset({0}), frozenset(), game))
        left.append(now.live.times[0].left_ms)
    assert left == sorted(left, reverse=True)
    assert left[-1] >= 0


@given(clocks, spans, spans)
def test_another_s_answer_moves_no_deadline_of_whoever_waits(made: Clock, first: int, second: int) -> None:
    before = started(made)
    once = later(before, clock.next_times(before, frozenset({1, 2}), frozenset({1, 2}), START_US + first))
    twice = later(once, clock.next_times(once, frozenset({2}), frozenset({2}), START_US + first + second))
    assert clock.deadline_us(twice, 2) == clock.deadline_us(before, 2)


@given(clocks, spans)
def test_a_clock_that_went_back_gives_no_time_and_takes_none(made: Clock, back_us: int) -> None:
    before = started(made)
    times = clock.next_times(before, frozenset({0}), frozenset(), START_US - back_us)
    assert times[0].left_ms == before.live.times[0].left_ms


def test_with_no_time_left_and_none_per_decision_a_seat_is_due_when_it_is_asked() -> None:
    made = Clock(clock.NO_LIMIT, 1000, 1)
    spent = table(made, (Time(START_US, 0),) * SEATS)
    assert clock.deadline_us(spent, 0) == START_US


def test_a_bot_has_its_ten_seconds_and_spends_no_time() -> None:
    made = Clock(clock.NO_LIMIT, 1000, 2)
    bots = table(made, (Time(START_US, 0),) * SEATS, (Controller.BOT, Controller.HUMAN, Controller.HUMAN))
    assert clock.deadline_us(bots, 0) == START_US + 10_000_000
    rich = table(made, (Time(START_US, 900),) * SEATS, (Controller.BOT,) * SEATS)
    assert clock.next_times(rich, frozenset({0}), frozenset(), START_US + 10**9)[0].left_ms == 900


def test_whoever_has_left_is_due_at_once_with_a_clock_and_without() -> None:
    left = (Controller.HUMAN, Controller.RESIGNED, Controller.HUMAN)
    timed = table(Clock(5000, clock.NO_LIMIT, 1), (Time(START_US, 0),) * SEATS, left)
    assert clock.deadlines(timed)[0] == (START_US // 1000, 1)
    untimed = table(None, (), left)
    assert clock.due_ms(untimed) == START_US // 1000
    assert clock.deadline_us(untimed, 0) is None


def test_the_clock_acts_never_before_its_time() -> None:
    odd = table(Clock(1000, clock.NO_LIMIT, 1), (Time(START_US + 1, 0),) * SEATS)
    assert clock.due_ms(odd) == START_US // 1000 + 1001


SECOND, DAY = timedelta(seconds=1), timedelta(days=1)
WRONG = [
    (ClockAsked(), "clock"),
    (ClockAsked(on_timeout=OnTimeout.RESIGN), "clock"),
    (ClockAsked(per_decision=timedelta()), "clock.per_decision"),
    (ClockAsked(per_decision=SECOND - timedelta(microseconds=1)), "clock.per_decision"),
    (ClockAsked(per_decision=30 * DAY + SECOND), "clock.per_decision"),
    (ClockAsked(per_decision=-SECOND), "clock.per_decision"),
    (ClockAsked(per_decision=SECOND, per_game=timedelta()), "clock.per_game"),
    (ClockAsked(per_game=366 * DAY + SECOND), "clock.per_game"),
]


@pytest.mark.parametrize(("asked", "field"), WRONG)
def test_a_clock_out_of_range_names_its_field(asked: ClockAsked, field: str) -> None:
    with pytest.raises(Refusal) as refused:
        clock.read_clock(asked)
    assert refused.value.reason is Reason.INVALID_OPTIONS
    assert [name for name, _ in refused.value.violations] == [field]


def test_the_ends_of_the_ranges_are_within() -> None:
    assert clock.read_clock(ClockAsked(SECOND, 366 * DAY)) == Clock(1000, 366 * 86_400_000, 1)
    assert clock.read_clock(ClockAsked(30 * DAY)) == Clock(30 * 86_400_000, clock.NO_LIMIT, 1)
    assert clock.read_clock(ClockAsked(None, SECOND, OnTimeout.RESIGN)) == Clock(clock.NO_LIMIT, 1000, 3)
    assert clock.read_clock(None) is None


@given(clocks)
def test_an_update_tells_the_same_deadlines_as_a_view(made: Clock) -> None:
    game = started(made)
    told = update_of(notice_of(game)).awaiting
    assert told == awaiting_of(game)
    assert [entry.deadline for entry in told] == [moment(clock.deadline_us(game, seat) or 0) for seat in range(SEATS)]


def test_an_update_of_a_game_without_a_clock_has_no_deadlines() -> None:
    told = update_of(notice_of(table(None, ()))).awaiting
    assert [(entry.seat, entry.deadline) for entry in told] == [(seat, None) for seat in range(SEATS)]


@pytest.mark.parametrize(
    ("begun", "ended", "paid"),
    [(10, 30, 80), (0, 100, 0), (-50, -10, 100), (-50, 30, 70), (90, 150, 90), (-10, 150, 0), (120, 130, 100)],
)
def test_what_of_an_outage_falls_into_a_question_is_not_paid_for(begun: int, ended: int, paid: int) -> None:
    """Asked at 0, answered after 100 seconds."""
    before = started(Clock(clock.NO_LIMIT, 1_000_000, 1))
    outage = (START_US + begun * 1_000_000, START_US + ended * 1_000_000)
    after = clock.next_times(before, frozenset({1}), frozenset({1}), START_US + 100_000_000, outage)
    assert after[0].left_ms == 1_000_000 - paid * 1000
    assert after[1] == before.live.times[1]
