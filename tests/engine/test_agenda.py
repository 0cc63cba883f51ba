"""Pending work as data: a stack whose first-pushed frame is worked on first."""

from __future__ import annotations

import pytest

from engine.core import agenda


def test_what_is_pushed_first_is_worked_on_first() -> None:
    top, rest = agenda.pop(agenda.push(("later",), "first", "second"))
    assert (top, rest) == ("first", ("later", "second"))


def test_pushing_leaves_the_given_agenda_alone() -> None:
    before = ("a",)
    agenda.push(before, "b")
    assert before == ("a",)


def test_nothing_comes_from_an_empty_agenda() -> None:
    with pytest.raises(IndexError):
        agenda.pop(())


def test_settling_stops_at_the_first_question() -> None:
    assert agenda.settle(5, lambda left: left - 1 if left else None) == 0


def test_work_that_goes_round_in_a_circle_is_found() -> None:
    with pytest.raises(RuntimeError, match="rest"):
        agenda.settle(0, lambda state: state)
