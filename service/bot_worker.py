"""One worker process of the bots: takes games off the queue and lets their bots answer, so that no request waits."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from typing import Any, Final

import msgspec
from structlog.typing import FilteringBoundLogger

from engine.core import Budget, Level, Rng, Sight, decide, installed
from service import logs
from service.bots import BotLog, Bots
from service.embedded import choose_store
from service.errors import Reason, Refusal
from service.process import kept, stop_signals
from service.redis_store import RedisStore
from service.settings import InvalidSetting, Settings
from service.store import BotQueue, Errand
from service.trace import place
from service.waiting import first_of

NICE: Final = 5
"""By how much requests come before thoughts where both want the same core."""
_TAKE_SECONDS: Final = 30.0
_HOLD_SECONDS: Final = 1.0
_PAUSE_SECONDS: Final = 0.5
# Time is what stops a search; this only keeps a tree from growing without end.
_ITERATIONS: Final = 100_000
_FOR_EVER: Final = 1e9
_PASSING: Final = frozenset({Reason.STORE_UNAVAILABLE, Reason.STORE_CONTENTION})


class BotWorker:
    """A worker on the store of the settings."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.log, self._stream = logs.set_up(settings.log_level, settings.log_format)
        self._stop = asyncio.Event()

    async def run(self) -> None:
        """Work until SIGTERM or SIGINT; who thinks then decides at once. A second signal ends the process."""
        # Requests come first.
        os.nice(NICE)
        self._stop = stop_signals()
        settings = self._settings
        choice = choose_store(settings.redis_url or None, settings.data_dir, settings.store_fsync)
        url, lease = await asyncio.to_thread(choice.start)
        try:
            async with kept(lease, self.log):
                await self._work_from(url)
        finally:
            self._stream.drain()

    async def _work_from(self, url: str) -> None:
        try:
            store = await RedisStore.open(url)
        except ValueError as error:
            raise InvalidSetting(f"--redis-url: {error}") from None
        try:
            bots = Bots(
                games=installed(),
                store=store,
                decide=self._decide,
                clock_us=store.clocks.now_us,
                entropy=os.urandom,
                log=_Told(self.log),
            )
            await self._work(store.bots, bots)
        finally:
            await store.close()

    async def _work(self, queue: BotQueue, bots: Bots) -> None:
        self.log.info("bots_ready", budget=self._settings.bot_budget)
        try:
            with queue.attend():
                while not self._stop.is_set():
                    errand = await self._next(queue)
                    if errand is not None:
                        await self._run(queue, bots, errand)
        finally:
            # Without it others would only wait until our silence is noticed.
            with contextlib.suppress(Refusal):
                await queue.leave()
        self.log.info("bots_stopped")

    async def _next(self, queue: BotQueue) -> Errand | None:
        """The next errand; None if there is none, or to look at the signals."""
        taken: list[Errand | None] = []

        async def take() -> None:
            taken.append(await queue.take(_TAKE_SECONDS))

        try:
            await first_of(take(), self._stop.wait())
        except Refusal as refusal:
            self.log.warning("bots_wait", reason=refusal.reason)
            await self._pause()
        return taken[0] if taken else None

    async def _run(self, queue: BotQueue, bots: Bots, errand: Errand) -> None:
        """Do the errand, or leave it lying for a worker that can: another release, a repaired one."""
        holding = asyncio.create_task(_hold(queue, errand))
        try:
            if await self._answered(bots, errand):
                await queue.done(errand)
        except Refusal as refusal:
            passing = refusal.reason in _PASSING
            self.log.warning("bots_wait" if passing else "bots_cannot", game=errand.key.game, reason=refusal.reason)
        except Exception as error:
            self.log.warning("bots_cannot", game=errand.key.game, reason=Reason.INTERNAL, bug=place(error))
        finally:
            holding.cancel()

    async def _answered(self, bots: Bots, errand: Errand) -> bool:
        """Whether everything was answered: as often as it takes, unless the process must leave."""
        while True:
            try:
                await bots.answer(errand.key)
                return True
            except Refusal as refusal:
                if refusal.reason not in _PASSING:
                    raise
                self.log.warning("bots_wait", reason=refusal.reason)
            if self._stop.is_set():
                return False
            await self._pause()

    async def _pause(self, seconds: float = _PAUSE_SECONDS) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._stop.wait(), seconds)

    async def _decide(self, level: Level, sight: Sight[Any, Any, Any], rng: Rng) -> msgspec.Struct:
        began, seconds = time.monotonic(), self._settings.bot_budget
        budget = Budget(_ITERATIONS, 0.0 if self._stop.is_set() else seconds, self._now)
        # In a thread, so that this one shows that the worker is alive, however long it takes.
        move: msgspec.Struct = await asyncio.to_thread(decide, level, sight, rng, budget)
        if level is Level.STRONG:
            # A quick answer would tell everybody, by the time of the event, that there was little to think about.
            await self._pause(began + seconds - time.monotonic())
        return move

    def _now(self) -> float:
        """The clock of those who think: their time is over when the process must leave."""
        return time.monotonic() + (_FOR_EVER if self._stop.is_set() else 0.0)


class _Told(BotLog):
    """What bots do, in the log."""

    def __init__(self, log: FilteringBoundLogger) -> None:
        self.log = log

    def decided(self, game_type: str, level: Level, seconds: float) -> None:
        """A bot has decided."""
        self.log.debug("bot_decided", game_type=game_type, bot_level=level.name.lower(), seconds=round(seconds, 6))

    def failed(self, game_type: str, level: Level, error: Exception) -> None:
        """A bot could not decide. Never the text of the error: it may quote what the seat knows."""
        self.log.error("bot_failed", game_type=game_type, bot_level=level.name.lower(), bug=place(error))


async def _hold(queue: BotQueue, errand: Errand) -> None:
    while True:
        await asyncio.sleep(_HOLD_SECONDS)
        with contextlib.suppress(Refusal):
            await queue.hold(errand)
