"""The workers of a server are kept in number, and one that dies at once is no hot loop."""

from __future__ import annotations

import functools
import subprocess
import sys

import pytest

from service import bot_workers
from service.bot_workers import BotWorkers
from service.settings import Settings
from tests.service.store.harness import PATIENCE, until


class Dying(BotWorkers):
    """Workers that end as soon as they are started."""

    started = 0

    def _start(self) -> subprocess.Popen[bytes]:
        self.started += 1
        return subprocess.Popen([sys.executable, "-c", ""], stdin=subprocess.PIPE)

    def next_one(self, count: int) -> bool:
        self.look()
        return self.started == count

    def ended(self) -> bool:
        return all(place.process is not None and place.process.poll() is not None for place in self._places)


def test_one_that_dies_is_replaced_less_and_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_workers, "FIRST_PAUSE", 0.01)
    monkeypatch.setattr(bot_workers, "LAST_PAUSE", 0.05)
    workers = Dying(Settings(bot_workers=1))
    pauses = []
    for count in range(1, 6):
        until(functools.partial(workers.next_one, count), "the next one")
        pauses.append(workers._places[0].pause)
        until(workers.ended, "it dies")
    assert pauses == [0.0, 0.01, 0.02, 0.04, 0.05]
    monkeypatch.setattr(bot_workers, "STEADY", 0.0)
    # That one lived long enough to count as healthy.
    until(functools.partial(workers.next_one, 6), "the next one")
    assert workers._places[0].pause == 0.01
    workers.dismiss()
    workers.wait(PATIENCE)


def test_it_is_not_replaced_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_workers, "FIRST_PAUSE", 1000.0)
    workers = Dying(Settings(bot_workers=3))
    workers.look()
    until(workers.ended, "all die")
    for _ in range(100):
        workers.look()
    assert workers.started == 3


def test_no_worker_is_started_after_they_were_dismissed() -> None:
    workers = Dying(Settings(bot_workers=2))
    workers.dismiss()
    workers.look()
    workers.wait(PATIENCE)
    assert workers.started == 0


def test_who_does_not_leave_is_killed() -> None:
    workers = BotWorkers(Settings(bot_workers=1))
    deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(1000)"
    with subprocess.Popen([sys.executable, "-c", deaf], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        workers._places[0].process = process
        workers.dismiss()
        workers.wait(0.05)
        assert process.returncode == -9
