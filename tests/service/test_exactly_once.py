"""A decision is answered once, whatever is repeated, raced or chained."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from service.redis_store import RedisStore
from tests.service.house import House, house
from tests.service.pledge import GAME


@pytest.fixture
async def home(store_url: str) -> AsyncIterator[House]:
    async with house(store_url, [GAME]) as made:
        yield made


class Table:
    """A game of Pledge with a client per seat."""

    def __init__(self, home: House, made: dict[str, Any]) -> None:
        self.name = made["game"]["name"]
        self.platform = home.rest()
        self.seats = [home.rest(seat["token"]) for seat in made["seatTokens"]]

    async def view(self, seat: int) -> dict[str, Any]:
        return (await self.seats[seat].get(f"{self.name}/view")).raise_for_status().json()  # type: ignore[no-any-return]

    async def decision(self, seat: int) -> str:
        return str((await self.view(seat))["decision"]["decisionId"])

    async def submit(self, seat: int, **answer: Any) -> httpx.Response:
        return await self.seats[seat].post(f"{self.name}:submitMove", json=answer)

    async def close(self) -> None:
        for client in (self.platform, *self.seats):
            await client.aclose()


async def deal(home: House, seats: int = 3) -> Table:
    async with home.rest() as platform:
        answer = await platform.post("games", json={"gameType": "pledge", "seats": [{}] * seats})
        return Table(home, answer.raise_for_status().json())


@pytest.fixture
async def table(home: House) -> AsyncIterator[Table]:
    made = await deal(home)
    yield made
    await made.close()


def reason(answer: httpx.Response) -> str:
    return str(answer.json()["error"]["details"][0]["reason"])


async def test_the_same_answer_again_gives_the_first_outcome(table: Table) -> None:
    asked = {"decisionId": await table.decision(0), "offerId": "pledge:2"}
    first = (await table.submit(0, **asked)).json()
    await table.submit(1, decisionId=await table.decision(1), offerId="pledge:1")
    again = (await table.submit(0, **asked)).json()

    assert (first["committedVersion"], first["replayed"]) == (2, False)
    assert (again["committedVersion"], again["replayed"]) == (2, True)
    assert again["events"] == first["events"]
    assert again["view"]["version"] == 3


async def test_the_same_move_written_otherwise_is_the_same_answer(table: Table) -> None:
    decision = await table.decision(0)
    await table.submit(0, decisionId=decision, offerId="pledge:2")
    again = await table.submit(0, decisionId=decision, move={"plugin": {"type": "pledge", "coins": 2}})

    assert again.json()["replayed"] is True


async def test_another_answer_to_the_same_decision_is_refused(table: Table) -> None:
    decision = await table.decision(0)
    await table.submit(0, decisionId=decision, offerId="pledge:2")
    other = await table.submit(0, decisionId=decision, offerId="pledge:3")

    assert (other.status_code, reason(other)) == (400, "DECISION_ALREADY_ANSWERED")


async def test_a_request_id_stands_for_one_request(table: Table) -> None:
    decision, request_id = await table.decision(0), str(uuid.uuid4())
    await table.submit(0, decisionId=decision, offerId="pledge:2", requestId=request_id)
    again = await table.submit(0, decisionId=decision, offerId="pledge:2", requestId=request_id)
    other = await table.submit(0, decisionId=decision, offerId="pledge:3", requestId=request_id)
    by_header = await table.seats[0].post(
        f"{table.name}:submitMove",
        json={"decisionId": decision, "offerId": "pledge:2"},
        headers={"idempotency-key": request_id},
    )

    assert again.json()["replayed"] is True
    assert (other.status_code, reason(other)) == (400, "REQUEST_ID_REUSED")
    assert by_header.json()["replayed"] is True


async def test_only_successes_are_remembered(table: Table) -> None:
    decision, request_id = await table.decision(0), str(uuid.uuid4())
    refused = await table.submit(0, decisionId=decision, offerId="pledge:9", requestId=request_id)
    allowed = await table.submit(0, decisionId=decision, offerId="pledge:3", requestId=request_id)

    assert reason(refused) == "ILLEGAL_MOVE"
    assert allowed.json()["replayed"] is False


async def test_another_seats_answer_does_not_change_my_question(table: Table) -> None:
    mine = await table.decision(0)
    await table.submit(1, decisionId=await table.decision(1), offerId="pledge:1")

    assert await table.decision(0) == mine
    assert (await table.submit(0, decisionId=mine, offerId="pledge:1")).json()["committedVersion"] == 3


async def test_a_second_click_never_answers_the_next_question(table: Table) -> None:
    old = await table.decision(0)
    for seat in range(3):
        await table.submit(seat, decisionId=await table.decision(seat), offerId="pledge:1")
    new = await table.decision(0)
    stale = await table.submit(0, decisionId="made-up", offerId="pledge:1")

    assert new != old
    assert (stale.status_code, reason(stale)) == (409, "DECISION_STALE")
    assert stale.json()["error"]["details"][0]["metadata"] == {"current_version": "4"}
    assert (await table.submit(0, decisionId=old, offerId="pledge:1")).json()["replayed"] is True
    assert (await table.view(0))["version"] == 4


async def test_all_who_are_asked_at_once_may_answer_at_once(table: Table) -> None:
    decisions = [await table.decision(seat) for seat in range(3)]
    answers = await asyncio.gather(
        *(table.submit(seat, decisionId=decisions[seat], offerId="pledge:1") for seat in range(3))
    )

    assert sorted(answer.json()["committedVersion"] for answer in answers) == [2, 3, 4]


async def test_an_expected_version_is_not_retried(table: Table) -> None:
    decision = await table.decision(0)
    await table.submit(1, decisionId=await table.decision(1), offerId="pledge:1")
    late = await table.submit(0, decisionId=decision, offerId="pledge:1", expectedVersion=1)
    ahead = await table.submit(0, decisionId=decision, offerId="pledge:1", expectedVersion=9)
    right = await table.submit(0, decisionId=decision, offerId="pledge:1", expectedVersion=2)

    assert (late.status_code, reason(late)) == (409, "VERSION_MISMATCH")
    assert (ahead.status_code, reason(ahead)) == (409, "VERSION_AHEAD")
    assert right.json()["committedVersion"] == 3


async def test_a_chain_is_one_commit_or_nothing(home: House) -> None:
    table = await deal(home, 2)
    await table.submit(1, decisionId=await table.decision(1), offerId="pledge:1")
    decision = await table.decision(0)
    # Answering makes the next round, in which seat 0 is asked again: chance was used, so the chain must stop there.
    beyond = await table.submit(0, decisionId=decision, moves=[{"offerId": "pledge:1"}, {"offerId": "pledge:2"}])

    assert reason(beyond) == "MALFORMED_MOVE"
    assert (await table.view(0))["version"] == 2
    await table.close()


async def test_a_chain_never_tells_what_only_a_commit_tells(table: Table) -> None:
    decision = await table.decision(0)
    peeking = await table.submit(0, decisionId=decision, moves=[{"offerId": "peek"}, {"offerId": "nonsense"}])
    further = await table.submit(0, decisionId=decision, moves=[{"offerId": "peek"}, {"offerId": "pledge:1"}])

    # The same refusal whatever comes behind, and nothing happened.
    assert peeking.json() == further.json()
    assert (await table.view(0))["version"] == 1


async def test_a_chain_beyond_my_questions_is_refused(table: Table) -> None:
    beyond = await table.submit(
        0, decisionId=await table.decision(0), moves=[{"offerId": "pledge:1"}, {"offerId": "pledge:1"}]
    )

    assert reason(beyond) == "NOT_YOUR_DECISION"
    assert (await table.view(0))["version"] == 1


async def test_validate_only_tells_legality_and_nothing_else(table: Table) -> None:
    decision = await table.decision(0)
    legal = await table.submit(0, decisionId=decision, offerId="peek", validateOnly=True)
    illegal = await table.submit(0, decisionId=decision, offerId="pledge:7", validateOnly=True)

    assert legal.json() == {"replayed": False, "events": []}
    assert reason(illegal) == "ILLEGAL_MOVE"
    assert (await table.view(0))["version"] == 1


async def test_two_processes_race_for_one_game(home: House, store_url: str) -> None:
    """Two services with memories of their own: 32 seats each, all at once, and every answer counts exactly once."""
    other_store = await RedisStore.open(store_url)
    async with house(other_store, [GAME]) as other:
        other.credentials.replace(home.keys)
        table = await deal(home, 64)
        decisions = await asyncio.gather(*(table.decision(seat) for seat in range(64)))
        elsewhere = [httpx.AsyncClient(base_url=f"{other.http}/v1/", headers=seat.headers) for seat in table.seats]

        async def answer(seat: int) -> httpx.Response:
            body = {"decisionId": decisions[seat], "offerId": "pledge:1"}
            client = (table.seats, elsewhere)[seat % 2][seat]
            while (done := await client.post(f"{table.name}:submitMove", json=body)).status_code == 503:
                assert reason(done) == "STORE_CONTENTION"
            return done

        answers = await asyncio.gather(*(answer(seat) for seat in range(64)))
        assert sorted(done.json()["committedVersion"] for done in answers) == list(range(2, 66))
        assert (await table.view(0))["plugin"]["totals"] == [1] * 64
        for client in elsewhere:
            await client.aclose()
        await table.close()
    await other_store.close()
