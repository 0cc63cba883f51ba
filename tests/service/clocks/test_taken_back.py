"""What is taken back under a clock, and forks of games that have one."""

from __future__ import annotations

import asyncio
import itertools
import threading
import uuid
from collections.abc import AsyncIterator
from typing import Any

import pytest

import service.undo
from tests.service.client import Refused
from tests.service.clocks.rounds import SECOND, Rounds, rounds
from tests.service.players import Table, refused
from tests.service.store.harness import PATIENCE

HOUR = {"perDecision": "3600s", "perGame": "100s"}


@pytest.fixture
async def made(own_url: str) -> AsyncIterator[Rounds]:
    async with rounds(own_url) as house:
        yield house


async def pledge(table: Table, seat: int) -> dict[str, Any]:
    decision = (await table.view(seat))["decision"]["decisionId"]
    return await table.submit(seat, decision, "pledge:2")


async def undo(made: Rounds, table: Table, seat: int, to: int, request_id: str = "") -> dict[str, Any]:
    asked = {"name": table.name, "toVersion": to, "requestId": request_id}
    return await made.client.call("UndoMove", table.tokens[seat], **asked)


async def dither(made: Rounds, table: Table, again: bool) -> None:
    """Answer and take it back, far more often than there is time for: to the first version, or to that of the undo."""
    to = 1
    for number in range(100):
        await pledge(table, 0)
        answer = await undo(made, table, 0, to, str(uuid.UUID(int=number)))
        to = 1 if again else answer["committedVersion"]


async def test_what_the_clock_has_answered_cannot_be_taken_back(made: Rounds) -> None:
    table = await made.deal("sevens", clock=SECOND)
    await made.look()
    last = [event for event in await made.events(table) if "timedOut" in event][-1]
    to = {"name": table.name, "toVersion": last["version"] - 1}
    refusal = await refused(made.client, "UndoMove", table.tokens[last["seat"]], **to)
    assert (refusal.reason, refusal.metadata["why"]) == ("UNDO_BLOCKED", "BY_THE_CLOCK")


async def test_a_bot_is_not_made_to_answer_again_and_again(made: Rounds) -> None:
    table = await made.deal()
    await pledge(table, 0)
    await made.seat(table, 0, "BOT")
    refusal = await refused(made.client, "UndoMove", table.tokens[0], name=table.name, toVersion=1)
    assert (refusal.reason, refusal.metadata["why"]) == ("UNDO_BLOCKED", "BY_A_BOT")
    # Whoever comes back to the seat may.
    await made.seat(table, 0, "HUMAN")
    assert (await undo(made, table, 0, 1))["committedVersion"] == 5


async def test_an_undo_gives_no_time_back_and_hurries_nobody_else(made: Rounds) -> None:
    table = await made.deal(clock={"perGame": "100s"})
    before = [await table.view(seat) for seat in (0, 1)]
    await pledge(table, 0)
    view = (await undo(made, table, 0, 1))["view"]
    assert view["clocks"] == before[0]["clocks"]
    assert view["decision"]["deadline"] == before[0]["decision"]["deadline"]
    assert (await table.view(1))["decision"] == before[1]["decision"]


@pytest.mark.parametrize("again", [False, True], ids=["to the undo", "to the first"])
async def test_nobody_gets_time_by_taking_back_again_and_again(own_url: str, again: bool) -> None:
    # A clock that goes on by a hundredth of the limit whenever it is asked.
    async with rounds(own_url, clock_us=itertools.count(1_700_000_000_000_000, 10_000).__next__) as made:
        table = await made.deal(clock=SECOND)
        with pytest.raises(Refused) as refused:
            await dither(made, table, again)
        assert (refused.value.reason, refused.value.metadata["why"]) == ("UNDO_BLOCKED", "TIME_OVER")
        assert (await made.game(table))["version"] > 4
        # The refusal changes nothing: the answer stays given.
        assert [entry["seat"] for entry in (await made.view(table))["awaiting"]] == [1, 2]


async def test_an_undo_that_another_process_did_meanwhile_is_not_too_late(
    own_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1_700_000_000_000_000
    judged, real = itertools.count(), service.undo._judge
    begun, done = threading.Event(), threading.Event()

    def judge(*case: Any) -> Any:
        if not next(judged):
            begun.set()
            assert done.wait(PATIENCE)
        return real(*case)

    monkeypatch.setattr(service.undo, "_judge", judge)
    async with rounds(own_url, clock_us=lambda: now) as made, rounds(own_url, clock_us=lambda: now) as elsewhere:
        elsewhere.home.credentials.replace(made.home.keys)
        table = await made.deal(clock={"perDecision": "10s"})
        await pledge(table, 0)
        request_id = str(uuid.UUID(int=1))
        slow = asyncio.create_task(undo(made, table, 0, 1, request_id))
        await asyncio.to_thread(begun.wait, PATIENCE)
        quick = await undo(elsewhere, table, 0, 1, request_id)
        now += 60_000_000
        done.set()
        answer = await slow
    assert (quick["committedVersion"], quick["replayed"]) == (3, False)
    assert (answer["committedVersion"], answer["replayed"]) == (3, True)


async def test_who_is_asked_and_then_no_more_loses_no_time(own_url: str) -> None:
    now = 1_700_000_000_000_000
    async with rounds(own_url, clock_us=lambda: now) as made:
        options = {"euchre": {"firstDealer": 3}}
        table = await made.deal("euchre", 4, options=options, clock={"perDecision": "10s", "perGame": "100s"})
        first = (await table.view(0))["decision"]
        now += 4_000_000
        await table.submit(0, first["decisionId"], "pass")
        # Seat 1 thinks longer than a decision may take, and then seat 0 takes its answer back.
        now += 60_000_000
        view = (await undo(made, table, 0, 1))["view"]
        assert view["clocks"] == [{"seat": seat, "timeLeft": "100s"} for seat in range(4)]
        assert view["decision"]["deadline"] == first["deadline"]
        now += 2_000_000
        await table.submit(0, view["decision"]["decisionId"], "pass")
        # 66 seconds in all, ten of which were for the decision.
        assert [clock["timeLeft"] for clock in (await table.view(1))["clocks"]] == ["44s", "100s", "100s", "100s"]


async def test_whoever_else_answers_now_is_not_in_the_way_and_stays(made: Rounds) -> None:
    table = await made.deal()
    await pledge(table, 0)
    await made.seat(table, 2, "BOT")
    assert (await undo(made, table, 0, 1))["committedVersion"] == 4
    assert (await made.game(table))["seats"][2]["controller"] == "CONTROLLER_BOT"


async def test_whoever_has_left_takes_nothing_back(made: Rounds) -> None:
    table = await made.deal()
    await pledge(table, 0)
    await made.seat(table, 0, "RESIGNED", table.tokens[0])
    refusal = await refused(made.client, "UndoMove", table.tokens[0], name=table.name, toVersion=1)
    assert refusal.reason == "SEAT_RESIGNED"


async def test_a_fork_has_the_clock_and_its_whole_time_and_whoever_has_left_is_back(made: Rounds) -> None:
    table = await made.deal(clock=HOUR)
    await pledge(table, 0)
    await made.seat(table, 0, "RESIGNED", table.tokens[0])
    there = await made.game(table)
    forked = await made.client.call("ForkGame", made.home.key, name=table.name, seat=1)
    game = forked["game"]
    assert game["clock"] == there["clock"]
    assert [seat["controller"] for seat in game["seats"]] == ["CONTROLLER_HUMAN"] * 3
    view = await made.view(Table(made.client, forked))
    assert [clock["timeLeft"] for clock in view["clocks"]] == ["100s"] * 3
    assert view["awaiting"][0]["deadline"] > there["awaiting"][0]["deadline"]
    assert [entry["seat"] for entry in view["awaiting"]] == [1, 2]
