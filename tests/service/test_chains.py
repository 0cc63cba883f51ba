"""Chains of answers in one commit, and the questions of the others meanwhile."""

from __future__ import annotations

from typing import Any

import httpx

from engine.core import installed
from tests.service.house import house


async def test_a_question_that_went_away_and_came_back_is_another_one(store_url: str) -> None:
    """A proposal swapped under a vote: the yes that was meant for the first one must not count for the second."""
    async with house(store_url, [installed().get("paint_the_roses")]) as home, home.rest() as platform:
        asked = {"gameType": "paint_the_roses", "seats": [{}] * 4}
        made = (await platform.post("games", json=asked)).raise_for_status().json()
        seats = [home.rest(seat["token"]) for seat in made["seatTokens"]]
        name = made["game"]["name"]

        async def decision(seat: int) -> str:
            view = (await seats[seat].get(f"{name}/view")).raise_for_status().json()
            return str(view["decision"]["decisionId"])

        async def submit(seat: int, of: str, **answer: Any) -> httpx.Response:
            return await seats[seat].post(f"{name}:submitMove", json={"decisionId": of, **answer})

        for seat in range(4):
            (await submit(seat, await decision(seat), offerId="level:hard")).raise_for_status()
        (await submit(0, await decision(0), offerId="plant:0:A2")).raise_for_status()
        (await submit(1, await decision(1), offerId="guess:3:pink/red")).raise_for_status()
        vote = await decision(2)
        chain = [{"offerId": "withdraw"}, {"offerId": "guess:3:red/red"}]
        (await submit(1, await decision(1), moves=chain)).raise_for_status()
        late = await submit(2, vote, offerId="yes")
        for client in seats:
            await client.aclose()

    assert (late.status_code, late.json()["error"]["details"][0]["reason"]) == (409, "DECISION_STALE")
