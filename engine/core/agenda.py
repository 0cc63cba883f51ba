"""Pending work as data: a stack of frozen frames inside a state.

A frame is either *auto* (it resolves at once and may push more) or *ask* (it waits for an answer of a seat). A game
declares its frames as a tagged union of structs; the stack is a tuple whose last element is worked on next, so that a
match can be stored between any two questions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

F = TypeVar("F")
S = TypeVar("S")

Agenda = tuple[F, ...]

# More automatic frames than any turn can need; beyond it a game's data sends work round in a circle.
LIMIT = 10_000


def push(agenda: Agenda[F], *frames: F) -> Agenda[F]:
    """The agenda with ``frames`` on top; the first of them is worked on first."""
    return agenda + frames[::-1]


def pop(agenda: Agenda[F]) -> tuple[F, Agenda[F]]:
    """The top frame and the rest. Raises IndexError when there is none."""
    return agenda[-1], agenda[:-1]


def settle(state: S, advance: Callable[[S], S | None]) -> S:
    """Resolve automatic frames until one asks or none is left: ``advance`` gives None then.

    Raises RuntimeError after ``LIMIT`` frames instead of running for ever.
    """
    for _ in range(LIMIT):
        following = advance(state)
        if following is None:
            return state
        state = following
    raise RuntimeError("the agenda does not come to rest")
