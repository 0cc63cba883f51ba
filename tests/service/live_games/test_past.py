"""The past: views as they were, in all games; events page by page; at a bounded cost."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from engine.core import installed
from service import history
from tests.service.house import House
from tests.service.live_games.play import Table, deal, rounds

MOVES = 70
PARTS = ["PART_DETAIL", "PART_SCENE", "PART_OFFERS", "PART_EVENTS"]


def viewers(table: Table) -> list[dict[str, Any]]:
    """Everybody who may look, as queries of a platform."""
    return [{"spectator": "true"}, *({"seat": seat} for seat in range(len(table.tokens)))]


async def looks(table: Table, **query: Any) -> list[dict[str, Any]]:
    """The views of everybody, without what only the present has."""
    found = []
    for viewer in viewers(table):
        view = await table.get(f"{table.name}/view", parts=PARTS, **viewer, **query)
        found.append({key: value for key, value in view.items() if key not in ("decision", "etag")})
    return found


@pytest.mark.parametrize("game_type", [*installed().game_types, "pledge"])
async def test_the_past_looks_as_it_did_then(plain: House, game_type: str) -> None:
    """Across two snapshots, and behind changes that were no moves."""
    seats = 3 if game_type == "pledge" else installed().get(game_type).seat_counts[0]
    more = rounds(40) if game_type == "pledge" else {}
    async with deal(plain, game_type, seats, chance=game_type, **more) as table:
        then = [await looks(table)]
        while len(then) < MOVES and not table.over:
            if len(then) % 40 == 20:
                await table.post(f"{table.name}:issueTokens", spectator=True, revoke=True)
            else:
                await table.move()
            then.append(await looks(table))
        if not table.over:
            await table.post(f"{table.name}:abort")
            then.append(await looks(table))
            # The game stays aborted, whatever is committed behind that.
            await table.post(f"{table.name}:issueTokens", spectator=True, revoke=True)
            then.append(await looks(table))
        for version, before in enumerate(then, start=1):
            assert before[0]["version"] == version
            assert await looks(table, version=version) == before, version


async def test_a_past_view_asks_nothing_and_has_a_tag_of_its_own(plain: House) -> None:
    async with deal(plain) as table:
        now, past = await table.view(0), await table.view(0, version=1)
        assert "decision" in now
        assert "decision" not in past
        assert now["etag"] != past["etag"]
        # Who owed an answer then is part of the past.
        assert past["awaiting"] == now["awaiting"]


async def test_a_deep_history_is_replayed_from_the_snapshot_before(
    plain: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    replayed = 0
    real = history.after

    def counted(*arguments: Any) -> Any:
        nonlocal replayed
        replayed += 1
        return real(*arguments)

    monkeypatch.setattr(history, "after", counted)
    async with deal(plain, seats=2, **rounds(100)) as table:
        await table.move(140)
        most = 0
        for version in range(1, table.version + 1):
            replayed = 0
            assert (await table.view(0, version=version))["version"] == version
            most = max(most, replayed)
        assert most == 31


@pytest.mark.parametrize(
    ("query", "status", "reason"),
    [
        ({"version": 0}, 400, "MALFORMED_REQUEST"),
        ({"version": -1}, 400, "MALFORMED_REQUEST"),
        ({"version": 2}, 409, "VERSION_AHEAD"),
        ({"version": 1, "newerThan": 1}, 400, "MALFORMED_REQUEST"),
    ],
)
async def test_there_is_no_other_past(plain: House, query: dict[str, Any], status: int, reason: str) -> None:
    async with deal(plain) as table, plain.rest(table.tokens[0]) as client:
        answer = await client.get(f"{table.name}/view", params=query)
    assert (answer.status_code, _reason(answer)) == (status, reason)


async def test_the_past_shows_what_the_viewer_may_see_today(plain: House) -> None:
    async with deal(plain) as table, plain.rest(table.tokens[0]) as client:
        await table.move(3)
        other = await client.get(f"{table.name}/view", params={"version": 2, "seat": 1})
        assert (other.status_code, _reason(other)) == (403, "SEAT_FORBIDDEN")


@pytest.mark.parametrize("policy", ["REVEAL_POLICY_NEVER", "REVEAL_POLICY_ON_FINISH"])
async def test_a_finished_game_may_show_every_seat_s_past(plain: House, policy: str) -> None:
    async with (
        deal(plain, revealPolicy=policy) as table,
        plain.rest(table.tokens[0]) as client,
    ):
        asked = {"version": 2, "seat": 1}
        await table.move(2)
        before = await table.view(1, version=2)
        assert (await client.get(f"{table.name}/view", params=asked)).status_code == 403
        await table.move(1000)
        answer = await client.get(f"{table.name}/view", params=asked)
        if policy == "REVEAL_POLICY_NEVER":
            assert _reason(answer) == "SEAT_FORBIDDEN"
        else:
            assert answer.json() == before
        # The present is still everybody's own.
        assert (await client.get(f"{table.name}/view", params={"seat": 1})).status_code == 403


# Events


@pytest.mark.parametrize("size", [1, 3, 7, 0])
async def test_events_page_by_page(plain: House, size: int) -> None:
    async with deal(plain, "euchre", 4) as table:
        await table.move(60)
        for viewer in viewers(table):
            whole = (await table.get(f"{table.name}/events", pageSize=1000, **viewer))["events"]
            pages, token = [], ""
            while True:
                query = {"pageSize": size, **viewer} | ({"pageToken": token} if token else {})
                page = await table.get(f"{table.name}/events", **query)
                pages.append(page["events"])
                token = page["nextPageToken"]
                if not token:
                    break
            assert [event for page in pages for event in page] == whole
            assert len(pages) == (1 if size == 0 else -(-table.version // size))
            order = [(event["version"], event["index"]) for event in whole]
            assert order == sorted(order)


async def test_events_after_a_version(plain: House) -> None:
    async with deal(plain, "euchre", 4) as table:
        await table.move(20)
        whole = (await table.get(f"{table.name}/events", seat=0))["events"]
        for after in (0, 1, 9, table.version):
            some = await table.get(f"{table.name}/events", seat=0, afterVersion=after)
            assert some == {"events": [e for e in whole if e["version"] > after], "nextPageToken": ""}


async def test_events_after_a_version_that_there_is_not_yet(plain: House) -> None:
    """Whoever goes on behind what it has read would miss what the store, having lost its last writes, makes anew."""
    async with deal(plain) as table, plain.rest(table.tokens[0]) as client:
        await table.move(3)
        answer = await client.get(f"{table.name}/events", params={"afterVersion": table.version + 1})
    assert (answer.status_code, _reason(answer)) == (409, "VERSION_AHEAD")
    assert answer.json()["error"]["details"][0]["metadata"] == {"current_version": str(table.version)}


async def test_a_page_goes_on_where_the_game_went_on(plain: House) -> None:
    async with deal(plain) as table:
        await table.move(2)
        page = await table.get(f"{table.name}/events", seat=0, pageSize=2)
        await table.move(3)
        rest = await table.get(f"{table.name}/events", seat=0, pageSize=100, pageToken=page["nextPageToken"])
        whole = await table.get(f"{table.name}/events", seat=0)
        assert page["events"] + rest["events"] == whole["events"]


async def test_a_page_token_belongs_to_its_list(plain: House) -> None:
    async with deal(plain) as table, deal(plain) as other, plain.rest() as client:
        await table.move(5)
        await other.move(5)
        token = (await table.get(f"{table.name}/events", seat=0, pageSize=1))["nextPageToken"]
        for name, query in (
            (table.name, {"seat": 1}),
            (table.name, {"seat": 0, "afterVersion": 1}),
            (table.name, {"spectator": "true"}),
            (other.name, {"seat": 0}),
        ):
            answer = await client.get(f"{name}/events", params={**query, "pageSize": 1, "pageToken": token})
            assert (answer.status_code, _reason(answer)) == (400, "MALFORMED_REQUEST")
        for wrong in ("nonsense", token[:-4], ""):
            answer = await client.get(f"{table.name}/events", params={"seat": 0, "pageToken": wrong})
            assert answer.status_code == (400 if wrong else 200)


@pytest.mark.parametrize("query", [{"pageSize": 1001}, {"pageSize": -1}, {"afterVersion": -1}])
async def test_impossible_pages_are_refused(plain: House, query: dict[str, Any]) -> None:
    async with deal(plain) as table, plain.rest(table.tokens[0]) as client:
        answer = await client.get(f"{table.name}/events", params=query)
    assert (answer.status_code, _reason(answer)) == (400, "MALFORMED_REQUEST")


async def test_events_are_what_each_move_told(plain: House) -> None:
    """What SubmitMove answers its seat, and what every other seat hears."""
    async with deal(plain, "euchre", 4) as table:
        while not table.over and table.version < 60:
            seat = table.awaiting[0]
            decision = (await table.view(seat))["decision"]
            answer = {"decisionId": decision["decisionId"], "offerId": decision["offers"][0]["offerId"]}
            done = await table.post(f"{table.name}:submitMove", table.tokens[seat], **answer)
            heard = await table.get(
                f"{table.name}/events", table.tokens[seat], afterVersion=done["committedVersion"] - 1
            )
            assert heard["events"] == done["events"]
            table.awaiting = [entry["seat"] for entry in done["view"]["awaiting"]]
            table.version = done["committedVersion"]


def _reason(answer: httpx.Response) -> str:
    return str(answer.json()["error"]["details"][0]["reason"])
