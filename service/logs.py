"""Logs: one JSON line per call, or a readable line on a terminal. Lines are written in batches, not one by one."""

from __future__ import annotations

import asyncio
import io
import logging
import sys
from typing import Any, TextIO, cast

import msgspec
import structlog
from structlog.typing import FilteringBoundLogger, Processor

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
    processors: list[Processor] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    if console:
        processors.append(structlog.dev.ConsoleRenderer(colors=under.isatty()))
    else:
        processors.append(structlog.processors.JSONRenderer(serializer=_json))
    number = logging.getLevelNamesMapping()[level.upper()]
    structlog.configure(
        processors=processors,
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.WriteLoggerFactory(file=cast("TextIO", stream)),
        cache_logger_on_first_use=True,
    )
    _quiet_others(under)
    return cast("FilteringBoundLogger", structlog.get_logger().bind()), stream


def _json(value: Any, **_: Any) -> str:
    return msgspec.json.encode(value, enc_hook=str).decode()


def _quiet_others(under: TextIO) -> None:
    """Libraries say only what went wrong, in the same place."""
    logging.basicConfig(level=logging.WARNING, stream=under, format="%(levelname)s %(name)s: %(message)s", force=True)
