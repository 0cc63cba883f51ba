"""Games in which much is taken back: the past, the streams and the record stay true, and nobody is the wiser."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core import installed
from service.verify import NotFair, verify
from tests.service.house import House
from tests.service.live_games.play import Table, deal, rounds
from tests.service.live_games.streams import stream, take, version_of
from tests.service.live_games.test_past import looks

MOVES = 40
MOST = 8


async def take_back(table: Table, home: House) -> bool:
    """Try to take the last answer back; False if it is too late."""
    async with home.rest(table.tokens[table.mover]) as client:
        answer = await client.post(f"{table.name}:undoMove", json={"toVersion": table.version - 1})
    if answer.status_code != 200:
        assert answer.json()["error"]["details"][0]["reason"] == "UNDO_BLOCKED"
        return False
    told = answer.json()
    table.version = told["committedVersion"]
    table.awaiting = [entry["seat"] for entry in told["view"]["awaiting"]]
    return True


def same(view: dict[str, Any]) -> dict[str, Any]:
    """A view without what every version has of its own."""
    return {key: part for key, part in view.items() if key not in ("version", "events")}


@pytest.mark.parametrize("game_type", [*installed().game_types, "pledge"])
async def test_what_was_taken_back_leaves_everybody_where_they_were(plain: House, game_type: str) -> None:
    counts = (3,) if game_type == "pledge" else installed().get(game_type).seat_counts
    seats = counts[len(counts) // 2]
    more = rounds(40) if game_type == "pledge" else {}
    taken_back = 0
    async with deal(plain, game_type, seats, chance=f"{game_type} undo", **more) as table:
        then = [await looks(table)]
        while len(then) < MOVES and not table.over:
            await table.move()
            then.append(await looks(table))
            if not table.over and taken_back < MOST and await take_back(table, plain):
                taken_back += 1
                then.append(await looks(table))
                assert list(map(same, then[-1])) == list(map(same, then[-3]))
        for version, before in enumerate(then, start=1):
            assert await looks(table, version=version) == before, version
        record = (await table.get(f"{table.name}:export"))["export"]
    assert taken_back > 0
    assert len(record["undone"]) == taken_back
    if game_type != "pledge":
        assert verify(installed(), record) == len(then) - 1 - taken_back
        with pytest.raises(NotFair):
            verify(installed(), record | {"undone": []})
        for wrong in (0, len(then) + 1, -1):
            with pytest.raises(NotFair):
                verify(installed(), record | {"undone": [record["undone"][0] | {"to_version": wrong}]})


async def test_whoever_watches_is_told(way: str, home: House, table: Table) -> None:
    async with stream(way, home, table.tokens[2], name=table.name, afterVersion=1) as messages:
        await anext(messages)
        seat = 0
        decision = (await table.view(seat))["decision"]["decisionId"]
        answer = {"decisionId": decision, "offerId": "pledge:2"}
        await table.post(f"{table.name}:submitMove", table.tokens[seat], **answer)
        await table.post(f"{table.name}:undoMove", table.tokens[seat], toVersion=1)
        changes = [message["change"] for message in await take(messages, 2)]
        assert [change["version"] for change in changes] == [2, 3]
        (event,) = changes[1]["events"]
        assert event["undone"] == {"toVersion": 1}
        assert changes[1]["view"] == await table.view(2)
    async with stream(way, home, table.tokens[2], name=table.name, afterVersion=1) as messages:
        caught_up = await take(messages, 2)
        assert [version_of(message) for message in caught_up] == [2, 3]
        assert caught_up[1]["change"]["events"] == [event]
