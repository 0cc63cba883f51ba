"""Notes for the log line of the call that is being answered: which game, which seat, which version."""

from __future__ import annotations

import re
from contextvars import ContextVar

_NOTES: ContextVar[dict[str, object] | None] = ContextVar("notes", default=None)


_NOT_IN_AN_ID = re.compile(r"[^A-Za-z0-9._:/+=-]")
_LONGEST_ID = 128


def clean_id(said: str) -> str:
    """A caller's own id of a call, fit for a log, a terminal and a header: short, and without anything odd."""
    return _NOT_IN_AN_ID.sub("", said[: 4 * _LONGEST_ID])[:_LONGEST_ID]


def begin() -> dict[str, object]:
    """Start the notes of a call and give them."""
    notes: dict[str, object] = {}
    _NOTES.set(notes)
    return notes


def note(**values: object) -> None:
    """Add to the notes of the running call; without one, nothing happens."""
    notes = _NOTES.get()
    if notes is not None:
        notes.update(values)


def place(error: BaseException) -> str:
    """The kind of error and the lines it came through; never its text."""
    lines = []
    step = error.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        lines.append(f"{code.co_qualname}:{step.tb_lineno}")
        step = step.tb_next
    return f"{type(error).__name__} at {' > '.join(lines[-6:])}"
