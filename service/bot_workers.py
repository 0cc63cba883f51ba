"""The bot workers of a server: started once it is ready, kept in number, ended with it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from typing import Final

from service.process import HELD
from service.settings import Settings, as_environment

LOOK_SECONDS: Final = 0.25
FIRST_PAUSE: Final = 1.0
LAST_PAUSE: Final = 30.0
"""Seconds between the starts of a worker that dies again and again."""
STEADY: Final = 10.0
"""Seconds after which a worker counts as healthy."""


class _Place:
    """The place of one worker: the process in it, and when the next one may be started."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.started = 0.0
        self.pause = 0.0

    def vacant(self) -> bool:
        """Whether a worker must be started now."""
        if self.process is None:
            return True
        if self.process.poll() is None:
            return False
        age = time.monotonic() - self.started
        if age >= STEADY:
            self.pause = 0.0
        return age >= (self.pause or FIRST_PAUSE)


class BotWorkers:
    """The processes of ``--bot-workers N``. They share nothing with the server but the store."""

    def __init__(self, settings: Settings) -> None:
        # ``look`` runs in a thread, which no cancellation ends.
        self._lock = threading.Lock()
        self._dismissed = False
        self._places = [_Place() for _ in range(settings.bot_workers)]
        other = {name: text for name, text in os.environ.items() if not name.startswith("ROOKERY_")}
        self._environment = {**other, **as_environment(settings), HELD: "1"}

    def look(self) -> None:
        """Start the workers that are missing, those that die at once less and less often."""
        with self._lock:
            for place in () if self._dismissed else self._places:
                if place.vacant():
                    if place.process is not None:
                        place.pause = min(LAST_PAUSE, max(FIRST_PAUSE, place.pause * 2))
                    place.process = self._start()
                    place.started = time.monotonic()

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "service.main", "bots"]
        # As with the workers of ``workers.py``: signals are ours to pass on, the pipe tells when we are gone.
        return subprocess.Popen(command, env=self._environment, stdin=subprocess.PIPE, process_group=0)  # noqa: S603

    async def keep(self) -> None:
        """Look after them until cancelled."""
        while True:
            await asyncio.to_thread(self.look)
            await asyncio.sleep(LOOK_SECONDS)

    def dismiss(self) -> None:
        """Tell them to leave, and start no more."""
        with self._lock:
            self._dismissed = True
        self._send(signal.SIGTERM)

    def wait(self, seconds: float) -> None:
        """Return when all are gone: by themselves within ``seconds``, or else killed."""
        deadline = time.monotonic() + seconds
        running = [place.process for place in self._places if place.process is not None]
        for process in running:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, deadline - time.monotonic()))
        self._send(signal.SIGKILL)
        for process in running:
            process.wait()

    def _send(self, number: int) -> None:
        for place in self._places:
            if place.process is not None and place.process.poll() is None:
                with contextlib.suppress(ProcessLookupError):
                    place.process.send_signal(number)
