"""Logs: one JSON line per call, or a readable line on a terminal. Lines are written in batches, not one by one."""

from __future__ import annotations

import asyncio
import io
import logging
import sys
from datetime import UTC, datetime
from typing import Any, TextIO, cast

import msgspec
import structlog
from structlog.typing import EventDict, FilteringBoundLogger, Processor

from service.trace import place

FLUSH_SECONDS = 0.2
# A buffer this full is written at once.
_ENOUGH = 64 * 1024


class BufferedStream(io.TextIOBase):
    """Collects lines and writes them ``FLUSH_SECONDS`` later, or when there are many.

    A flush per line costs more than the rest of the line; structlog flushes always, so ``flush`` does nothing.
    """

    def __init__(self, under: TextIO) -> None:
        self._under = under
        self._lines: list[str] = []
        self._size = 0
        self._due: asyncio.TimerHandle | None = None

    def write(self, text: str) -> int:
        """Keep the text for later."""
        self._lines.append(text)
        self._size += len(text)
        if self._size > _ENOUGH:
            self.drain()
        elif self._due is None:
            try:
                self._due = asyncio.get_running_loop().call_later(FLUSH_SECONDS, self.drain)
            except RuntimeError:
                self.drain()
        return len(text)

    def flush(self) -> None:
        """Nothing: see ``drain``."""

    def drain(self) -> None:
        """Write everything now."""
        if self._due is not None:
            self._due.cancel()
            self._due = None
        lines, self._lines, self._size = self._lines, [], 0
        if lines:
            self._under.write("".join(lines))
            self._under.flush()


def set_up(
    level: str = "info", form: str = "auto", under: TextIO | None = None
) -> tuple[FilteringBoundLogger, BufferedStream]:
    """The logger of the process, and its stream to ``drain`` at the end. ``form`` is json, console or auto."""
    under = under or sys.stderr
    console = form == "console" or (form == "auto" and under.isatty())
    stream = BufferedStream(under)
    processors: list[Processor] = [_stamp]
    processors.append(_console(under) if console else _json)
    number = logging.getLevelNamesMapping()[level.upper()]
    structlog.configure(
        processors=processors,
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.WriteLoggerFactory(file=cast("TextIO", stream)),
        cache_logger_on_first_use=True,
    )
    _quiet_others(under, _ConsoleLine() if console else _JsonLine())
    return cast("FilteringBoundLogger", structlog.get_logger().bind()), stream


def _stamp(_logger: Any, level: str, line: EventDict) -> EventDict:
    line["level"] = level
    line["timestamp"] = datetime.now(UTC)
    return line


def _console(under: TextIO) -> Processor:
    # A plain traceback: the default one may show the variables of every frame, and so credentials and states.
    return structlog.dev.ConsoleRenderer(colors=under.isatty(), exception_formatter=structlog.dev.plain_traceback)


def _json(_logger: Any, _level: str, line: EventDict) -> str:
    return _ENCODER.encode(line).decode()


_ENCODER = msgspec.json.Encoder(enc_hook=str)


def _quiet_others(under: TextIO, form: logging.Formatter) -> None:
    """Libraries say only what went wrong, in the same place and form."""
    handler = logging.StreamHandler(under)
    handler.setFormatter(form)
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)


def _of_library(record: logging.LogRecord) -> EventDict:
    # The first line alone: asyncio's others show tasks and futures with the text of their errors.
    line: EventDict = {"logger": record.name, "text": record.getMessage().partition("\n")[0]}
    error = record.exc_info[1] if record.exc_info else None
    if error is not None:
        # As with our own: the text of an error may quote a state.
        line["bug"] = place(error)
    return line


class _JsonLine(logging.Formatter):
    """A line of a library in the form of our own."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        return _json(None, "", _stamp(None, record.levelname.lower(), {"event": "library", **_of_library(record)}))


class _ConsoleLine(logging.Formatter):
    """A line of a library for a person."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, in one line and without control characters."""
        text = " ".join((record.levelname, *map(str, _of_library(record).values())))
        return "".join(char if char.isprintable() else "?" for char in text)
