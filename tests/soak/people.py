"""Those who play by the API: they look, think and answer, and sometimes repeat it, take it back, or do not come."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass
from typing import Any, NamedTuple

from tests.service.client import Refused, fresh_id
from tests.soak.plan import Chair
from tests.soak.site import Site

# What whoever comes too late hears: the clock has acted, or the bot that it called, or the seat has resigned.
LATE = frozenset({"DECISION_ALREADY_ANSWERED", "DECISION_STALE", "NOT_YOUR_DECISION", "SEAT_RESIGNED", "GAME_OVER"})
# How often somebody says the same thing again, though it was answered.
REPEATS = 0.05
# How often somebody wants to take an answer back.
REGRETS = 0.05
# How often somebody leaves open what need not be answered.
WAITS = 0.5
# So that games end in the time of a soak.
MOST_LAPSES = 4


class Told(NamedTuple):
    """An answer that was accepted: the version that it made, the offer that it took."""

    version: int
    offer: str


class Undone(NamedTuple):
    """An answer that was taken back: the version that did it, and the one that it went back to."""

    version: int
    to: int


@dataclass
class Lapse:
    """A decision that this person did not answer: where it was seen, when the clock may act, where it was gone.

    Others may have taken it away with their own answers. A game that ended first has no ``gone``.
    """

    decision: str
    version: int
    deadline: str
    gone: int | None = None


class Person:
    """One person at one seat."""

    def __init__(self, site: Site, name: str, seat: int, token: str, chair: Chair, chance: random.Random) -> None:
        self.seat = seat
        self.told: list[Told] = []
        self.undone: list[Undone] = []
        self.lapses: list[Lapse] = []
        self._site = site
        self._name = name
        self._token = token
        self._absent = chair.absent
        self._chance = chance

    async def play(self) -> None:
        """Play until the game is over."""
        view = await self._look()
        while view["state"] == "GAME_STATE_ACTIVE":
            decision = view.get("decision")
            self._notice(view, decision)
            if decision is None or self._lets_pass(view, decision):
                view = await self._look(newerThan=view["version"], wait="5s")
            else:
                await asyncio.sleep(self._chance.uniform(0, 0.05))
                view = await self._answer(decision) or await self._look()

    def _notice(self, view: dict[str, Any], decision: dict[str, Any] | None) -> None:
        for lapse in self.lapses[-1:]:
            if lapse.gone is None and (decision is None or decision["decisionId"] != lapse.decision):
                lapse.gone = view["version"]

    def _lets_pass(self, view: dict[str, Any], decision: dict[str, Any]) -> bool:
        if self.lapses and self.lapses[-1].decision == decision["decisionId"]:
            return True
        if "deadline" not in decision:
            # What does not press may stay open, and the clock leaves it alone.
            return self._chance.random() < WAITS
        if len(self.lapses) >= MOST_LAPSES or self._chance.random() >= self._absent:
            return False
        self.lapses.append(Lapse(decision["decisionId"], view["version"], decision["deadline"]))
        return True

    async def _look(self, **request: Any) -> dict[str, Any]:
        return await self._site.call(self._chance, "GetView", self._token, name=self._name, **request)

    async def _answer(self, decision: dict[str, Any]) -> dict[str, Any] | None:
        """The view afterwards; None if it came too late."""
        offer = self._chance.choice(decision["offers"])["offerId"]
        answer = {"name": self._name, "decisionId": decision["decisionId"], "offerId": offer, "requestId": fresh_id()}
        try:
            done = await self._site.call(self._chance, "SubmitMove", self._token, **answer)
        except Refused as refused:
            if refused.reason not in LATE:
                raise
            return None
        self.told.append(Told(done["committedVersion"], offer))
        if self._chance.random() < REPEATS:
            again = await self._site.call(self._chance, "SubmitMove", self._token, **answer)
            assert (again["replayed"], again["committedVersion"]) == (True, done["committedVersion"])
            done = again
        if self._chance.random() < REGRETS:
            done = await self._take_back(done)
        view: dict[str, Any] = done["view"]
        return view

    async def _take_back(self, done: dict[str, Any]) -> dict[str, Any]:
        """The answer to taking back what was just done; what was done if that may not be."""
        to = done["committedVersion"] - 1
        request = {"name": self._name, "toVersion": to, "requestId": fresh_id()}
        try:
            undone = await self._site.call(self._chance, "UndoMove", self._token, **request)
        except Refused as refused:
            if refused.reason not in {"UNDO_BLOCKED", "SEAT_RESIGNED", "GAME_OVER"}:
                raise
            return done
        self.undone.append(Undone(undone["committedVersion"], to))
        return undone
