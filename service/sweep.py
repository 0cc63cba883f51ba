"""What the clocks do: in every server process, for all games of the store, and nobody is the one who must do it.

Deadlines are in the store. Whoever looks first applies what is due through the same compare-and-set as every move, not
before its time by the store's clock, and with a memo of that very deadline: two never act twice, and none need live.

Whoever looks also says so in the store. When nobody did for a while, players may have been unable to answer: who was
asked before that ended has some time from then on. And only while that is so may anybody act: a process that was
stopped on the way must look again.
"""

from __future__ import annotations

import asyncio
import time
from typing import Final, NoReturn

import msgspec

from service.clock import acting
from service.errors import Reason, Refusal
from service.meter import Meter
from service.plan import Plan, Planner
from service.resources import BotLevel, Controller, OnTimeout
from service.store import Committed, GameKey, Memo, Store, Sweeping, Untimely
from service.table import Table
from service.tables import Tables
from service.trace import place

LOOK_SECONDS: Final = 0.25
"""So long at most a new deadline is not noticed."""
SOON_SECONDS: Final = 0.005
"""Somebody was faster, or our idea of the store's time was a little ahead."""
AWAY_SECONDS: Final = 1.0
ASIDE_SECONDS: Final = 60.0
AT_ONCE: Final = 20
"""So many games of each shard in one look."""
TOGETHER: Final = 16
MOST_ASIDE: Final = 1000


class SweepLog:
    """Hears what an operator should know; this base says nothing."""

    def set_aside(self, key: GameKey, why: str) -> None:
        """A game cannot be handled here, and why; once."""

    def resumed(self) -> None:
        """Nobody looked after the clocks for a while, until now."""


class Sweeper:
    """The clocks' hand. ``run`` it in every process; ``look`` is one round of it.

    ``grace_ms`` is what those have after an outage who were asked before.
    """

    def __init__(self, store: Store, tables: Tables, planner: Planner, meter: Meter, grace_ms: int = 0) -> None:
        self._store = store
        self._clocks = store.clocks
        self._tables = tables
        self._planner = planner
        self._meter = meter
        self._grace_ms = grace_ms
        self._aside: dict[GameKey, float] = {}

    async def run(self, log: SweepLog) -> NoReturn:
        """Look again and again, until cancelled. While the store is away nothing is lost, it only waits."""
        while True:
            try:
                pause = await self.look(log)
            except Refusal:
                pause = AWAY_SECONDS
            except Exception:
                # Counted, not raised: the server has more to do than this.
                self._meter.clock("failed")
                pause = AWAY_SECONDS
            await asyncio.sleep(pause)

    async def look(self, log: SweepLog) -> float:
        """Do what is due; the seconds until it is worth to look again. Raises STORE_UNAVAILABLE."""
        await self._sweeping(log)
        found = await self._clocks.first(AT_ONCE + len(self._aside))
        now_us = self._clocks.now_us()
        due = [key for at_ms, key in found if at_ms * 1000 <= now_us]
        pauses = [LOOK_SECONDS, *(at_ms / 1000 - now_us / 1_000_000 for at_ms, _ in found[len(due) : len(due) + 1])]
        for i in range(0, len(due), TOGETHER):
            # A few at a time: a long list must not keep the calls of others waiting, nor one game the next ones.
            sweeping = await self._sweeping(log)
            together = [key for key in due[i : i + TOGETHER] if self._aside.get(key, 0) <= time.monotonic()]
            pauses += await asyncio.gather(*(self._attend(key, sweeping, log) for key in together))
        return min(pauses)

    async def _sweeping(self, log: SweepLog) -> Sweeping:
        sweeping = await self._clocks.sweeping()
        if sweeping.resumed:
            self._meter.clock("resumed")
            log.resumed()
        return sweeping

    async def _attend(self, key: GameKey, sweeping: Sweeping, log: SweepLog) -> float:
        """Handle one game that is due; the seconds until it is worth to look again."""
        try:
            async with self._tables.alone(key):
                pause = await self._act(key, sweeping)
        except Refusal as refusal:
            if refusal.reason is not Reason.STORE_UNAVAILABLE:
                self._set_aside(key, refusal.reason.value, log)
            return LOOK_SECONDS
        except Exception as error:
            # A bug in the rules of one game must not stop the clocks of all others.
            self._set_aside(key, place(error), log)
            return LOOK_SECONDS
        self._aside.pop(key, None)
        return pause

    async def _act(self, key: GameKey, sweeping: Sweeping) -> float:
        table = await self._newest(key)
        if table is None:
            await self._clocks.put(key, None, 0)
            return LOOK_SECONDS
        when_ms, at_ms, seat = next(iter(acting(table, sweeping.since_ms, self._grace_ms)), (0, 0, 0))
        if not when_ms or when_ms * 1000 > self._clocks.now_us():
            # Somebody was faster, or it has to wait: so that it does not stand before those that need not.
            await self._clocks.put(key, table.stamp, when_ms)
            return LOOK_SECONDS
        plan, action = self._plan(table, seat, at_ms)
        timed = msgspec.structs.replace(plan.write, not_before_ms=when_ms, not_after_ms=sweeping.until_ms)
        match await self._store.commit(timed):
            case Committed():
                self._tables.keep(plan.table)
                self._meter.clock(action.name.lower())
                return 0
            case Untimely():
                return SOON_SECONDS
            case _:
                self._tables.forget(key)
                return SOON_SECONDS

    async def _newest(self, key: GameKey) -> Table | None:
        """The newest version; None if the game is gone."""
        try:
            return await self._tables.newest(key)
        except Refusal as refusal:
            if refusal.reason is not Reason.GAME_NOT_FOUND:
                raise
            return None

    def _plan(self, table: Table, seat: int, at_ms: int) -> tuple[Plan, OnTimeout]:
        """What the clock does when the time of a seat is over.

        For a seat that has left, and for one whose bot does not answer, it can only move.
        """
        memo = Memo(f"clock:{table.live.decisions[seat]}:{at_ms}", b"")
        who, clock = table.meta.seats[seat], table.meta.clock
        action = OnTimeout.TIMEOUT_MOVE
        if clock is not None and who.controller == Controller.HUMAN:
            action = OnTimeout(clock.on_timeout)
        if action is OnTimeout.TIMEOUT_MOVE:
            return self._planner.timeout(table, seat, memo), action
        if action is OnTimeout.RESIGN:
            to = msgspec.structs.replace(who, controller=int(Controller.RESIGNED))
        else:
            to = msgspec.structs.replace(
                who, controller=int(Controller.BOT), bot_level=who.bot_level or int(BotLevel.BASIC)
            )
        return self._planner.seat(table, seat, to, memo, int(action)), action

    def _set_aside(self, key: GameKey, why: str, log: SweepLog) -> None:
        """Leave a game alone for a while; another process may know its rules."""
        if key not in self._aside:
            self._meter.clock("set_aside")
            log.set_aside(key, why)
        if len(self._aside) >= MOST_ASIDE:
            self._aside.pop(next(iter(self._aside)))
        self._aside[key] = time.monotonic() + ASIDE_SECONDS
