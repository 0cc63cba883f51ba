"""Bots as seats: what is asked of them is answered by the very path on which people answer.

Whoever decides for a seat gets its ``Sight`` and nothing else. The table that it was made from is forgotten before.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from engine.core import AnyGame, Level, Registry, Rng, Sight, sight_of
from service.callers import Platform, Scope
from service.errors import Reason, Refusal
from service.meter import Meter
from service.plan import Entropy, Planner
from service.resources import BotLevel, SubmitMoveRequest
from service.store import GameKey, Store
from service.submit import Submit
from service.table import Table, bot_questions
from service.tables import Tables

Decide = Callable[[Level, "Sight[Any, Any, Any]", Rng], Awaitable[msgspec.Struct]]
"""Choose one of the sight's moves, somewhere where it holds nobody up."""

_SEED_BYTES = 32
_KEY_ID = "bots"
# Somebody else was faster, or there is nothing to answer any more.
_SETTLED = frozenset(
    {
        Reason.NOT_YOUR_DECISION,
        Reason.SEAT_RESIGNED,
        Reason.DECISION_STALE,
        Reason.DECISION_ALREADY_ANSWERED,
        Reason.GAME_OVER,
        Reason.GAME_ABORTED,
        Reason.GAME_NOT_FOUND,
    }
)
_MOVED_ON = frozenset({Reason.VERSION_MISMATCH, Reason.VERSION_AHEAD})


class BotLog:
    """Hears what bots do; this base says nothing."""

    def decided(self, game_type: str, level: Level, seconds: float) -> None:
        """A bot has decided, which took so long."""

    def failed(self, game_type: str, level: Level, error: Exception) -> None:
        """A bot could not decide; the clock's move is played for it."""


class Question(msgspec.Struct, frozen=True):
    """What a bot is asked; without a sight if none could be made."""

    game: AnyGame
    level: Level
    sight: Sight[Any, Any, Any] | None


class Bots:
    """The use case, with what it needs. ``decide`` is given a seat's sight and fresh chance."""

    def __init__(
        self,
        *,
        games: Registry,
        store: Store,
        decide: Decide,
        clock_us: Callable[[], int],
        entropy: Entropy,
        meter: Meter | None = None,
        log: BotLog | None = None,
    ) -> None:
        meter = meter or Meter()
        # One: a game is read anew for every question, since others move it on anyway.
        self._tables = Tables(games, store, limit=1)
        self._submit = Submit(store, self._tables, Planner(clock_us, entropy, meter, store.clocks.outage), meter)
        self._decide = decide
        self._entropy = entropy
        self._log = log or BotLog()

    async def answer(self, key: GameKey) -> None:
        """Answer for every bot that the game asks now. What is asked after that is another errand.

        Raises the refusals of a game that cannot be opened here, and of a store that cannot be reached.
        """
        table = await self._newest(key)
        for seat, decision in bot_questions(table).items() if table else ():
            await self._answer(key, seat, decision)

    async def _answer(self, key: GameKey, seat: int, decision: str) -> None:
        question = await self._question(key, seat, decision)
        if question is None:
            return
        offer = await self._offer(question)
        while (table := await self._newest(key)) and bot_questions(table).get(seat) == decision:
            chosen = table.timeout_offer(seat) if offer is None else offer
            if await self._commit(key, seat, decision, chosen, table.version):
                return

    async def _question(self, key: GameKey, seat: int, decision: str) -> Question | None:
        """What the seat is asked, if it still is. After this nothing here holds the state any more."""
        table = await self._newest(key)
        if table is None or bot_questions(table).get(seat) != decision:
            return None
        game, level = table.game, Level(table.meta.seats[seat].bot_level or BotLevel.BASIC)
        try:
            return Question(game, level, sight_of(game, table.state, seat))
        except Exception as error:
            self._log.failed(game.game_type, level, error)
            return Question(game, level, None)

    async def _offer(self, question: Question) -> str | None:
        """The offer that the bot takes; None if it failed, which is a bug: no game hangs on that."""
        game, level, sight = question.game, question.level, question.sight
        if sight is None:
            return None
        began = time.perf_counter()
        try:
            move = await self._decide(level, sight, Rng(self._entropy(_SEED_BYTES), 0))
            if move not in sight.moves:
                raise ValueError("the bot took what is no offer")
        except Exception as error:
            self._log.failed(game.game_type, level, error)
            return None
        self._log.decided(game.game_type, level, time.perf_counter() - began)
        return game.notation(move)

    async def _commit(self, key: GameKey, seat: int, decision: str, offer: str, version: int) -> bool:
        """Submit; False if the game has moved on meanwhile.

        Only at the version at which the seat was seen to be a bot's: nobody who takes it over is answered for.
        """
        caller = Platform(key.tenant, frozenset({Scope.ACT}), _KEY_ID)
        request = SubmitMoveRequest(
            f"games/{key.game}", seat=seat, decision_id=decision, offer_id=offer, expected_version=version
        )
        try:
            await self._submit(caller, key, request)
        except Refusal as refusal:
            if refusal.reason in _SETTLED:
                return True
            if refusal.reason in _MOVED_ON:
                return False
            raise
        return True

    async def _newest(self, key: GameKey) -> Table | None:
        """The newest table, which nothing but the caller keeps; None if there is no such game."""
        try:
            return await self._tables.newest(key)
        except Refusal as refusal:
            if refusal.reason is Reason.GAME_NOT_FOUND:
                return None
            raise
        finally:
            self._tables.forget(key)
