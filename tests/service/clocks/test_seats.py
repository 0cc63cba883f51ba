"""SetSeatController over every way: who may do what, what comes of it, and what it means to say it again."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.service.client import WAYS, fresh_id
from tests.service.clocks.rounds import Rounds, rounds, until_over
from tests.service.players import Table, refused


@pytest.fixture(params=WAYS)
async def made(request: pytest.FixtureRequest, own_url: str) -> AsyncIterator[Rounds]:
    async with rounds(own_url, request.param) as house:
        yield house


async def reason(made: Rounds, table: Table, seat: int, controller: str, token: str = "", **more: object) -> str:
    refusal = await refused(
        made.client,
        "SetSeatController",
        token or made.home.key,
        **{"name": f"{table.name}/seats/{seat}", "controller": f"CONTROLLER_{controller}", **more},
    )
    return refusal.reason


async def test_a_platform_lets_a_bot_answer_and_a_person_again(made: Rounds) -> None:
    table = await made.deal()
    game = await made.seat(table, 1, "BOT", botLevel="BOT_LEVEL_STRONG")
    assert (game["version"], game["seats"][1]["controller"]) == (2, "CONTROLLER_BOT")
    assert game["seats"][1]["botLevel"] == "BOT_LEVEL_STRONG"
    # It is so already.
    assert (await made.seat(table, 1, "BOT"))["version"] == 2
    game = await made.seat(table, 1, "HUMAN")
    assert (game["version"], game["seats"][1]["controller"]) == (3, "CONTROLLER_HUMAN")
    # The bot that would take over is as good as the last one.
    game = await made.seat(table, 1, "BOT")
    assert game["seats"][1]["botLevel"] == "BOT_LEVEL_STRONG"
    changes = [(event["seat"], event["seatChanged"]["controller"]) for event in await made.events(table)]
    assert changes == [(1, "CONTROLLER_BOT"), (1, "CONTROLLER_HUMAN"), (1, "CONTROLLER_BOT")]
    assert (await made.events(table))[0]["text"]["text"] == "A bot plays seat 1 now."


async def test_a_seat_may_still_answer_while_a_bot_has_it(made: Rounds) -> None:
    table = await made.deal()
    before = await table.view(0)
    await made.seat(table, 0, "BOT")
    assert (await table.view(0))["decision"] == before["decision"]
    assert await table.move()


async def test_a_seat_resigns_for_itself_and_the_others_play_on(made: Rounds) -> None:
    table = await made.deal()
    game = await made.seat(table, 0, "RESIGNED", table.tokens[0])
    assert (game["state"], game["seats"][0]["controller"]) == ("GAME_STATE_ACTIVE", "CONTROLLER_RESIGNED")
    view = await table.view(0)
    assert "decision" not in view
    assert view["awaiting"][0]["seat"] == 0
    late = {"name": table.name, "decisionId": "a", "offerId": "pledge:1"}
    assert (await refused(made.client, "SubmitMove", table.tokens[0], **late)).reason == "SEAT_RESIGNED"
    # Nobody is hurried but the one who left: the clock plays that seat, and no other.
    for turn in range(3):
        await made.look()
        game = await made.game(table)
        assert [entry["seat"] for entry in game["awaiting"]] == [1, 2], turn
        for seat in (1, 2):
            decision = (await table.view(seat))["decision"]["decisionId"]
            await table.submit(seat, decision, "pledge:1")
    game = await made.game(table)
    assert (game["state"], game["result"]["reason"]) == ("GAME_STATE_FINISHED", "rounds_over")
    # Nobody pledged less, and yet.
    assert [place["rank"] for place in game["result"]["placements"]] == [3, 1, 1]
    assert (await table.view(1))["result"] == game["result"]


async def test_to_resign_again_says_the_same_again_and_there_is_no_way_back(made: Rounds) -> None:
    table = await made.deal()
    first = await made.seat(table, 2, "RESIGNED", table.tokens[2])
    assert await made.seat(table, 2, "RESIGNED", table.tokens[2]) == first
    assert (await made.seat(table, 2, "RESIGNED"))["version"] == 2
    for controller in ("HUMAN", "BOT"):
        assert await reason(made, table, 2, controller) == "SEAT_RESIGNED"
    assert (await made.game(table))["version"] == 2


async def test_the_last_resignation_ends_the_game_and_can_be_said_again(made: Rounds) -> None:
    table = await made.deal(seats=2)
    over = await made.seat(table, 1, "RESIGNED", table.tokens[1])
    assert (over["state"], over["version"]) == ("GAME_STATE_FINISHED", 2)
    assert [place["rank"] for place in over["result"]["placements"]] == [1, 2]
    assert await made.seat(table, 1, "RESIGNED", table.tokens[1]) == over
    assert await reason(made, table, 0, "RESIGNED") == "GAME_OVER"
    assert await reason(made, table, 1, "HUMAN") == "GAME_OVER"
    assert await refused_move(made, table) == "GAME_OVER"


async def refused_move(made: Rounds, table: Table) -> str:
    request = {"name": table.name, "decisionId": "a", "offerId": "pledge:1"}
    return (await refused(made.client, "SubmitMove", table.tokens[0], **request)).reason


async def test_an_aborted_game_changes_no_more(made: Rounds) -> None:
    table = await made.deal()
    await made.client.call("AbortGame", made.home.key, name=table.name)
    for controller in ("HUMAN", "BOT", "RESIGNED"):
        assert await reason(made, table, 0, controller) == "GAME_ABORTED"


async def test_the_same_request_is_done_once(made: Rounds) -> None:
    table = await made.deal()
    request = {"requestId": fresh_id(), "botLevel": "BOT_LEVEL_BASIC"}
    assert (await made.seat(table, 0, "BOT", **request))["version"] == 2
    await made.seat(table, 0, "HUMAN")
    again = await made.seat(table, 0, "BOT", **{**request, "requestId": request["requestId"].upper()})
    assert (again["version"], again["seats"][0]["controller"]) == (3, "CONTROLLER_HUMAN")
    assert await reason(made, table, 0, "RESIGNED", requestId=request["requestId"]) == "REQUEST_ID_REUSED"
    # Ids are a seat's own: nobody meets another's.
    assert (await made.seat(table, 1, "BOT", **request))["version"] == 4


async def test_a_request_that_had_nothing_to_change_changes_nothing_later(made: Rounds) -> None:
    table = await made.deal()
    request = {"requestId": fresh_id()}
    assert (await made.seat(table, 0, "HUMAN", **request))["version"] == 1
    await made.seat(table, 0, "BOT")
    late = await made.seat(table, 0, "HUMAN", **request)
    assert (late["version"], late["seats"][0]["controller"]) == (2, "CONTROLLER_BOT")
    assert await reason(made, table, 0, "RESIGNED", **request) == "REQUEST_ID_REUSED"


async def test_what_nobody_but_a_platform_may_do(made: Rounds) -> None:
    table = await made.deal()
    own, other = table.tokens[:2]
    assert await reason(made, table, 1, "RESIGNED", own) == "SEAT_FORBIDDEN"
    for controller in ("HUMAN", "BOT"):
        assert await reason(made, table, 0, controller, own) == "SEAT_FORBIDDEN"
    watcher = await made.client.call("IssueTokens", made.home.key, name=table.name, spectator=True)
    spectator = watcher["spectatorToken"]["token"]
    assert await reason(made, table, 0, "RESIGNED", spectator) == "SEAT_FORBIDDEN"
    reader = made.home.tenant("test", ["games.read"])
    assert await reason(made, table, 0, "RESIGNED", reader) == "SCOPE_MISSING"
    another = await made.deal()
    assert await reason(made, another, 0, "RESIGNED", own) == "TOKEN_WRONG_GAME"
    await made.client.call("IssueTokens", made.home.key, name=table.name, seats=[1], revoke=True)
    assert await reason(made, table, 1, "RESIGNED", other) == "TOKEN_REVOKED"
    stranger = made.home.tenant("else")
    assert await reason(made, table, 0, "RESIGNED", stranger) == "GAME_NOT_FOUND"
    assert (await made.game(table))["version"] == 2


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"controller": "CONTROLLER_UNSPECIFIED"}, "controller"),
        ({"controller": "CONTROLLER_HUMAN", "botLevel": "BOT_LEVEL_BASIC"}, "bot_level"),
        ({"controller": "CONTROLLER_RESIGNED", "botLevel": "BOT_LEVEL_RANDOM"}, "bot_level"),
        ({"controller": "CONTROLLER_BOT", "requestId": "x"}, "request_id"),
    ],
)
async def test_a_request_that_makes_no_sense_names_its_field(made: Rounds, more: dict[str, str], field: str) -> None:
    table = await made.deal()
    refusal = await refused(
        made.client, "SetSeatController", made.home.key, **{"name": f"{table.name}/seats/0", **more}
    )
    assert (refusal.reason, refusal.fields) == ("MALFORMED_REQUEST", [field])


@pytest.mark.parametrize("seat", ["3", "64", "00", "01", "-1", "x", "9999", "1.0"])
async def test_a_seat_that_there_is_not(made: Rounds, seat: str) -> None:
    table = await made.deal()
    name = f"{table.name}/seats/{seat}"
    refusal = await refused(
        made.client, "SetSeatController", made.home.key, name=name, controller="CONTROLLER_RESIGNED"
    )
    assert refusal.reason == "MALFORMED_REQUEST"


async def test_a_person_who_comes_back_has_the_time_for_the_open_decision_anew(made: Rounds) -> None:
    table = await made.deal(clock={"perDecision": "3600s"})
    before = (await table.view(0))["decision"]
    await made.seat(table, 0, "BOT")
    await made.seat(table, 0, "HUMAN")
    after = (await table.view(0))["decision"]
    assert after["decisionId"] == before["decisionId"]
    assert after["deadline"] > before["deadline"]
    assert (await table.view(1))["decision"]["deadline"] == before["deadline"]
    await until_over(made, table)
