"""A seat takes its last answers back: as long as nobody is the wiser, once, and whatever is repeated late or raced."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.service.client import Refused, fresh_id
from tests.service.desk import Desk, branch
from tests.service.players import refused


class Player:
    """A seat at the desk's table."""

    def __init__(self, desk: Desk, seat: int) -> None:
        self.desk = desk
        self.seat = seat
        self.token = desk.table.tokens[seat]

    async def decision(self) -> str:
        return str((await self.desk.view(self.token))["decision"]["decisionId"])

    async def pledge(self, coins: int, **more: Any) -> dict[str, Any]:
        answer = {"decisionId": await self.decision(), "offerId": f"pledge:{coins}", **more}
        return await self.call("SubmitMove", **answer)

    async def undo(self, to: int, **more: Any) -> dict[str, Any]:
        return await self.call("UndoMove", toVersion=to, **more)

    async def call(self, rpc: str, **request: Any) -> dict[str, Any]:
        return await self.desk.client.call(rpc, self.token, name=self.desk.name, **request)

    async def blocked(self, to: int, **more: Any) -> str:
        """Why the undo is refused; nothing may have happened."""
        before = await self.desk.view(self.token)
        refusal = await refused(self.desk.client, "UndoMove", self.token, name=self.desk.name, toVersion=to, **more)
        assert refusal.reason == "UNDO_BLOCKED"
        assert refusal.code == "FAILED_PRECONDITION"
        assert await self.desk.view(self.token) == before
        return refusal.metadata["why"]


@pytest.fixture
def ada(desk: Desk) -> Player:
    return Player(desk, 0)


@pytest.fixture
def ben(desk: Desk) -> Player:
    return Player(desk, 1)


def shown(view: dict[str, Any]) -> dict[str, Any]:
    """A view without what every version has of its own."""
    return {key: part for key, part in view.items() if key not in ("version", "etag", "events")}


async def test_the_game_stands_as_it_stood(desk: Desk, ada: Player, ben: Player) -> None:
    viewers = [ben.token, desk.table.tokens[2], desk.watcher]
    before = [shown(await desk.view(token)) for token in viewers]
    mine, decision = await desk.view(ada.token), await ada.decision()
    await ada.pledge(3)
    undone = await ada.undo(1)

    assert (undone["committedVersion"], undone.get("replayed", False)) == (3, False)
    assert undone["view"]["version"] == 3
    assert undone["view"]["detail" if "detail" in mine else "plugin"] == mine["plugin"]
    assert undone["view"]["decision"]["decisionId"] != decision
    assert undone["view"]["decision"]["offers"] == mine["decision"]["offers"]
    # To the byte, decision ids and all: theirs was never another question.
    assert [shown(await desk.view(token)) for token in viewers] == before


async def test_everybody_hears_of_it(desk: Desk, ada: Player) -> None:
    await ada.pledge(3)
    undone = await ada.undo(1, returnParts=["PART_EVENTS"])
    assert undone["view"]["events"] == undone["events"]
    for token in (*desk.table.tokens, desk.watcher):
        (event,) = (await desk.client.call("ListEvents", token, name=desk.name, afterVersion=2))["events"]
        assert event == undone["events"][0]
    assert (event["version"], event.get("index", 0), event["seat"]) == (3, 0, 0)
    assert event["undone"] == {"toVersion": 1}
    assert event["text"]["key"] == "table.undone"
    assert event["text"]["args"] == {"seat": "0", "version": "1"}
    assert event["text"]["text"] == "Seat 0 takes its last answers back; it is as it was at version 1."
    # What was taken back stays in the log.
    events = (await desk.client.call("ListEvents", ada.token, name=desk.name))["events"]
    assert [entry["version"] for entry in events] == [2, 3]


async def test_the_view_of_a_replay_tells_of_its_own_version(desk: Desk, ada: Player, ben: Player) -> None:
    """The outcome is the old one, the view is the one of now."""
    answer = {"decisionId": await ada.decision(), "offerId": "pledge:3", "returnParts": ["PART_EVENTS"]}
    await ada.call("SubmitMove", **answer)
    await ada.undo(1)
    await ben.pledge(2)
    for again in (await ada.call("SubmitMove", **answer), await ada.undo(1, returnParts=["PART_EVENTS"])):
        now = await desk.client.call("GetView", ada.token, name=desk.name, parts=["PART_EVENTS"])
        assert again["replayed"]
        assert {event["version"] for event in again["events"]} == {again["committedVersion"]}
        assert again["view"] == now
        assert {event["version"] for event in now["events"]} == {4}


async def test_a_late_repetition_of_what_was_taken_back_is_answered_and_never_applied(ada: Player) -> None:
    decision = await ada.decision()
    by_decision = {"decisionId": decision, "offerId": "pledge:3"}
    by_request = {**by_decision, "requestId": fresh_id()}
    first = await ada.call("SubmitMove", **by_request)
    await ada.undo(1)
    for said in (by_decision, by_request):
        again = await ada.call("SubmitMove", **said)
        assert (again["committedVersion"], again["replayed"]) == (2, True)
        assert again["events"] == first["events"]
        assert again["view"]["version"] == 3
        assert "decision" in again["view"]
    other = await refused(
        ada.desk.client, "SubmitMove", ada.token, name=ada.desk.name, decisionId=decision, offerId="pledge:1"
    )
    assert other.reason == "DECISION_ALREADY_ANSWERED"
    assert (await ada.pledge(3))["committedVersion"] == 4


async def test_the_same_undo_again_is_answered_once(ada: Player) -> None:
    await ada.pledge(3)
    first = await ada.undo(1)
    again = await ada.undo(1)
    assert (again["committedVersion"], again["replayed"]) == (3, True)
    assert again["events"] == first["events"]
    await ada.pledge(2)
    # Late: the new answer is not what that was about.
    late = await ada.undo(1)
    assert (late["committedVersion"], late["replayed"], late["view"]["version"]) == (3, True, 4)
    assert (await ada.undo(3))["committedVersion"] == 5


async def test_a_request_id_undoes_once(ada: Player) -> None:
    await ada.pledge(3)
    request_id = fresh_id()
    assert (await ada.undo(1, requestId=request_id)).get("replayed", False) is False
    await ada.pledge(2)
    again = await ada.undo(1, requestId=request_id.upper())
    assert (again["committedVersion"], again["replayed"], again["view"]["version"]) == (3, True, 4)
    refusal = await refused(
        ada.desk.client, "UndoMove", ada.token, name=ada.desk.name, toVersion=2, requestId=request_id
    )
    assert refusal.reason == "REQUEST_ID_REUSED"
    # Another request is another undo, to the very same version.
    assert (await ada.undo(1, requestId=fresh_id()))["committedVersion"] == 5
    assert (await ada.undo(1, requestId=fresh_id()))["replayed"] is True


async def test_a_request_that_had_nothing_to_undo_undoes_nothing_later(ada: Player) -> None:
    """A second click with an id of its own, whose repetition comes when the seat has answered anew."""
    await ada.pledge(3)
    await ada.undo(1, requestId=fresh_id())
    request_id = fresh_id()
    first = await ada.undo(1, requestId=request_id)
    assert (first["committedVersion"], first["replayed"]) == (3, True)
    await ada.pledge(2)
    late = await ada.undo(1, requestId=request_id)
    assert (late["committedVersion"], late["replayed"], late["view"]["version"]) == (3, True, 4)
    refusal = await refused(
        ada.desk.client, "UndoMove", ada.token, name=ada.desk.name, toVersion=2, requestId=request_id
    )
    assert refusal.reason == "REQUEST_ID_REUSED"


async def test_what_is_in_the_way(desk: Desk, ada: Player, ben: Player) -> None:
    assert await ada.blocked(1) == "NOTHING_DONE"
    await ada.pledge(3)
    assert await ada.blocked(2) == "NOTHING_DONE"
    await ben.pledge(1)
    assert await ada.blocked(1) == "OTHER_SEAT_ACTED"
    assert await ben.blocked(1) == "OTHER_SEAT_ACTED"
    assert (await ben.undo(2))["committedVersion"] == 4
    # Ben has acted, even if nothing is left of it.
    assert await ada.blocked(1) == "OTHER_SEAT_ACTED"


async def test_whoever_learned_something_cannot_forget_it(desk: Desk, ada: Player) -> None:
    await ada.call("SubmitMove", decisionId=await ada.decision(), offerId="peek")
    assert await ada.blocked(1) == "SOMETHING_LEARNED"
    await ada.pledge(1)
    assert await ada.blocked(1) == "SOMETHING_LEARNED"
    assert (await ada.undo(2))["committedVersion"] == 4


async def test_chance_is_not_thrown_again(desk: Desk, ada: Player, ben: Player) -> None:
    await ben.pledge(1)
    await Player(desk, 2).pledge(1)
    await ada.pledge(3)
    assert await ada.blocked(3) == "CHANCE_USED"


async def test_a_chain_goes_back_as_it_came(ada: Player) -> None:
    await ada.pledge(3)
    await ada.undo(1)
    await ada.pledge(2)
    await ada.undo(3)
    # Along what was taken back, to where both answers began.
    assert (await ada.undo(1))["replayed"] is True
    await ada.pledge(1)
    assert await ada.blocked(4) == "ANOTHER_COURSE"
    assert (await ada.undo(1, requestId=fresh_id()))["committedVersion"] == 7


async def test_revoked_tokens_stay_revoked_and_are_not_in_the_way(desk: Desk, ada: Player) -> None:
    await ada.pledge(3)
    old = desk.table.tokens[1]
    await desk.issue(seats=[1], revoke=True)
    assert (await ada.undo(1))["committedVersion"] == 4
    assert await desk.reason("GetView", old) == "TOKEN_REVOKED"


async def test_an_ended_game_stays_so(desk: Desk, ada: Player) -> None:
    await ada.pledge(3)
    await desk.client.call("AbortGame", desk.home.key, name=desk.name)
    assert await desk.reason("UndoMove", ada.token, toVersion=1) == "GAME_ABORTED"


async def test_a_finished_game_stays_so(desk: Desk, ada: Player) -> None:
    for _ in range(3):
        for seat in range(3):
            last = await Player(desk, seat).pledge(1)
    assert last["view"]["state"] == "GAME_STATE_FINISHED"
    assert await desk.reason("UndoMove", desk.table.tokens[2], toVersion=9) == "GAME_OVER"


async def test_who_may_and_who_may_not(desk: Desk, ada: Player) -> None:
    await ada.pledge(3)
    assert await desk.reason("UndoMove", desk.watcher, toVersion=1) == "SEAT_FORBIDDEN"
    assert await desk.reason("UndoMove", ada.token, toVersion=1, seat=1) == "SEAT_FORBIDDEN"
    assert await desk.reason("UndoMove", desk.home.key, toVersion=1) == "MALFORMED_REQUEST"
    reader = desk.home.tenant("test", ["games.read"])
    assert await desk.reason("UndoMove", reader, toVersion=1, seat=0) == "SCOPE_MISSING"
    assert await desk.reason("UndoMove", ada.token, toVersion=0) == "MALFORMED_REQUEST"
    assert await desk.reason("UndoMove", ada.token) == "MALFORMED_REQUEST"
    assert await desk.reason("UndoMove", ada.token, toVersion=-1) == "MALFORMED_REQUEST"
    assert await desk.reason("UndoMove", ada.token, toVersion=1, requestId="x") == "MALFORMED_REQUEST"
    assert await desk.reason("UndoMove", ada.token, toVersion=3) == "VERSION_AHEAD"
    undone = await desk.client.call("UndoMove", desk.home.key, name=desk.name, seat=0, toVersion=1)
    assert undone["committedVersion"] == 3


async def test_the_same_undo_through_two_processes_is_one(
    desk: Desk, ada: Player, store_url: str, request: pytest.FixtureRequest
) -> None:
    await ada.pledge(3)
    way = request.node.callspec.params["desk"]
    async with branch(desk, store_url, way) as client:
        both = await asyncio.gather(
            *(one.call("UndoMove", ada.token, name=desk.name, toVersion=1) for one in (desk.client, client) * 4)
        )
    assert [one["committedVersion"] for one in both] == [3] * 8
    assert sum(one.get("replayed", False) for one in both) == 7


async def test_whoever_is_first_is_first(
    desk: Desk, ada: Player, ben: Player, store_url: str, request: pytest.FixtureRequest
) -> None:
    """An undo races the answer of another seat, again and again; the log shows one order, and both were told it."""
    way = request.node.callspec.params["desk"]
    async with branch(desk, store_url, way) as client:
        for _ in range(6):
            at = (await ada.pledge(3))["committedVersion"]
            decision = await ben.decision()
            said = {"name": desk.name, "decisionId": decision, "offerId": "pledge:1"}
            undoing = asyncio.create_task(ada.undo(at - 1))
            moved = (await client.call("SubmitMove", ben.token, **said))["committedVersion"]
            try:
                undone = (await undoing)["committedVersion"]
            except Refused as refusal:
                assert refusal.metadata["why"] == "OTHER_SEAT_ACTED"  # noqa: PT017 - either may be first
                assert moved == at + 1
                await ben.undo(moved - 1)
                break
            # The answer came behind the undo, or it had been in its way.
            assert (undone, moved) == (at + 1, at + 2)
            await ben.undo(undone)
