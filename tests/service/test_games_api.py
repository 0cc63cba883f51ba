"""Games from outside: lists, states, ends, deletions, what a platform may attach and for how long it is kept."""

from __future__ import annotations

import base64
from typing import Any

import pytest
import redis.asyncio

from service.redis_keys import Keys
from service.store import GameKey
from tests.service.client import fresh_id
from tests.service.desk import START, Desk
from tests.service.live import body
from tests.service.players import Table, refused

YEAR = 366 * 86_400


async def names(desk: Desk, key: str, **asked: Any) -> list[str]:
    """Every page of a list."""
    found, token = [], ""
    for _ in range(50):
        page = await desk.client.call("ListGames", key, pageToken=token, **asked)
        assert len(page["games"]) <= asked.get("pageSize", 50)
        found += [game["name"] for game in page["games"]]
        token = page["nextPageToken"]
        if not token:
            return found
    raise AssertionError("the list does not end")


@pytest.fixture
def key(desk: Desk) -> str:
    """A platform that has no games yet."""
    return desk.home.tenant(f"t{fresh_id()[:8]}")


async def make(desk: Desk, key: str, game_type: str = "pledge", **more: Any) -> str:
    seats = 4 if game_type == "euchre" else 3
    made = await desk.client.call("CreateGame", key, **body(seats, game_type, **more))
    desk.clock.seconds += 1
    return str(made["game"]["name"])


async def test_lists_are_newest_first_and_come_in_pages(desk: Desk, key: str) -> None:
    made = [await make(desk, key) for _ in range(7)]
    for size in (1, 2, 3, 6, 7, 8, 1000):
        assert await names(desk, key, pageSize=size) == made[::-1], size
    assert await names(desk, key) == made[::-1]
    assert await names(desk, desk.home.tenant("nobody")) == []


async def test_games_made_in_one_moment_are_listed_once(desk: Desk, key: str) -> None:
    made = []
    for _ in range(5):
        made.append(await make(desk, key))
        desk.clock.seconds -= 1
    assert sorted(await names(desk, key, pageSize=2)) == sorted(made)


async def test_what_comes_and_goes_between_pages_moves_nothing(desk: Desk, key: str) -> None:
    made = [await make(desk, key) for _ in range(6)]
    first = await desk.client.call("ListGames", key, pageSize=2)
    await make(desk, key)
    await desk.client.call("DeleteGame", key, name=made[5])
    await desk.client.call("DeleteGame", key, name=made[3])
    rest = await desk.client.call("ListGames", key, pageSize=4, pageToken=first["nextPageToken"])

    assert [game["name"] for game in first["games"]] == made[:3:-1]
    assert [game["name"] for game in rest["games"]] == [made[2], made[1], made[0]]


async def test_filters(desk: Desk, key: str) -> None:
    pledge, aborted, euchre = await make(desk, key), await make(desk, key), await make(desk, key, "euchre")
    await desk.client.call("AbortGame", key, name=aborted)
    for size in (1, 50):
        assert await names(desk, key, pageSize=size, gameType="pledge") == [aborted, pledge]
        assert await names(desk, key, pageSize=size, gameType="euchre") == [euchre]
        assert await names(desk, key, pageSize=size, gameType="chess") == []
        assert await names(desk, key, pageSize=size, state="GAME_STATE_ACTIVE") == [euchre, pledge]
        assert await names(desk, key, pageSize=size, state="GAME_STATE_ABORTED") == [aborted]
        assert await names(desk, key, pageSize=size, state="GAME_STATE_FINISHED") == []
        assert await names(desk, key, pageSize=size, gameType="euchre", state="GAME_STATE_ABORTED") == []


async def test_page_tokens_belong_to_their_list(desk: Desk, key: str) -> None:
    for _ in range(3):
        await make(desk, key)
    token = (await desk.client.call("ListGames", key, pageSize=1))["nextPageToken"]
    stranger = desk.home.tenant(f"s{fresh_id()[:8]}")
    forged = base64.urlsafe_b64encode(base64.urlsafe_b64decode(token)[:-1] + b"!").decode()
    asked: list[tuple[str, dict[str, Any]]] = [
        (key, {"pageToken": token, "gameType": "pledge"}),
        (key, {"pageToken": token, "state": "GAME_STATE_ACTIVE"}),
        (stranger, {"pageToken": token}),
        *((key, {"pageToken": garbage}) for garbage in ("x", "AAAA", token[:-4], token + "AAAA", forged, "ü", "=" * 8)),
    ]
    for who, request in asked:
        no = await refused(desk.client, "ListGames", who, **request)
        assert (no.reason, no.fields) == ("MALFORMED_REQUEST", ["page_token"]), request
    for size in (-1, 1001, 2**31 - 1):
        no = await refused(desk.client, "ListGames", key, pageSize=size)
        assert (no.reason, no.fields) == ("MALFORMED_REQUEST", ["page_size"])
    # Another size may be asked for on the next page.
    assert len((await desk.client.call("ListGames", key, pageSize=5, pageToken=token))["games"]) == 2


async def test_a_game_as_everybody_sees_it(desk: Desk) -> None:
    """What is the platform's own shows only to it."""
    seats = [{"displayName": "Ann", "externalId": "user-17"}, {"displayName": "Bo"}, {}]
    request = {"gameType": "pledge", "seats": seats, "annotations": {"room": "9"}}
    made = await desk.client.call("CreateGame", desk.home.key, **request)
    name, token = made["game"]["name"], made["seatTokens"][0]["token"]
    issued = await desk.client.call("IssueTokens", desk.home.key, name=name, spectator=True)
    platform = await desk.client.call("GetGame", desk.home.key, name=name)
    seat = await desk.client.call("GetGame", token, name=name)
    watcher = await desk.client.call("GetGame", issued["spectatorToken"]["token"], name=name)

    assert platform == made["game"]
    assert (platform["annotations"], platform["seats"][0]["externalId"]) == ({"room": "9"}, "user-17")
    assert seat == watcher
    assert (seat["annotations"], seat["seats"][0]["externalId"]) == ({}, "")
    own = {"annotations", "seats"}
    assert {k: v for k, v in seat.items() if k not in own} == {k: v for k, v in platform.items() if k not in own}
    assert [seat["displayName"] for seat in seat["seats"]] == ["Ann", "Bo", ""]
    assert (platform["state"], platform["version"], platform["gameType"]) == ("GAME_STATE_ACTIVE", 1, "pledge")
    assert [asked["seat"] for asked in platform["awaiting"]] == [0, 1, 2]


async def finish(desk: Desk, table: Table) -> tuple[dict[str, Any], dict[str, Any]]:
    """Play a game to its end; its last request and the answer."""
    request: dict[str, Any] = {}
    answer: dict[str, Any] = {"view": {"awaiting": [{"seat": 0}]}}
    while answer["view"]["awaiting"]:
        seat = answer["view"]["awaiting"][0]["seat"]
        decision = (await table.view(seat))["decision"]["decisionId"]
        request = {"name": table.name, "decisionId": decision, "offerId": "pledge:1"}
        answer = await desk.client.call("SubmitMove", table.tokens[seat], **request)
    return request, answer


async def test_a_finished_game(desk: Desk) -> None:
    table = desk.table
    request, last = await finish(desk, table)
    seat = last["view"]["viewer"]["seat"]
    game = await desk.client.call("GetGame", desk.home.key, name=table.name)

    assert (game["state"], game["awaiting"], game["version"]) == ("GAME_STATE_FINISHED", [], 10)
    assert [(place["seat"], place["rank"], place["score"]) for place in game["result"]["placements"]] == [
        (0, 1, 3),
        (1, 1, 3),
        (2, 1, 3),
    ]
    again = await desk.client.call("SubmitMove", table.tokens[seat], **request)
    assert (again["replayed"], again["committedVersion"], again["events"]) == (True, 10, last["events"])
    for token in table.tokens:
        over = await refused(desk.client, "SubmitMove", token, **{**request, "decisionId": "another"})
        assert (over.code, over.reason) == ("FAILED_PRECONDITION", "GAME_OVER")
    no = await refused(desk.client, "AbortGame", desk.home.key, name=table.name)
    assert (no.code, no.reason) == ("FAILED_PRECONDITION", "GAME_OVER")
    assert (await desk.client.call("GetGame", desk.home.key, name=table.name)) == game


async def test_an_aborted_game_stays_as_it_is(desk: Desk) -> None:
    table = desk.table
    decision = (await table.view(0))["decision"]["decisionId"]
    mine = {"name": table.name, "decisionId": decision, "offerId": "pledge:1"}
    await desk.client.call("SubmitMove", table.tokens[0], **mine)
    other = (await table.view(1))["decision"]["decisionId"]
    desk.clock.seconds += 5
    first = await desk.client.call("AbortGame", desk.home.key, name=table.name)
    desk.clock.seconds += 5
    again = await desk.client.call("AbortGame", desk.home.key, name=table.name)

    assert (first["state"], first["version"], first["awaiting"]) == ("GAME_STATE_ABORTED", 3, [])
    assert "result" not in first
    assert again == first
    # What was answered before is still answered so; nothing else is.
    assert (await desk.client.call("SubmitMove", table.tokens[0], **mine))["replayed"] is True
    no = await refused(
        desk.client, "SubmitMove", table.tokens[1], name=table.name, decisionId=other, offerId="pledge:1"
    )
    assert (no.code, no.reason) == ("FAILED_PRECONDITION", "GAME_ABORTED")
    view = await desk.client.call("GetView", table.tokens[1], name=table.name)
    assert (view["state"], view["awaiting"], "decision" in view) == ("GAME_STATE_ABORTED", [], False)


async def test_a_deleted_game_is_gone_and_may_be_deleted_again(desk: Desk, store_url: str) -> None:
    name = desk.name
    assert await desk.client.call("DeleteGame", desk.home.key, name=name) == {}
    assert await desk.client.call("DeleteGame", desk.home.key, name=name) == {}
    for rpc, token, more in (
        ("GetGame", desk.home.key, {}),
        ("GetView", desk.table.tokens[0], {}),
        ("SubmitMove", desk.table.tokens[0], {"decisionId": "x", "offerId": "x"}),
        ("IssueTokens", desk.home.key, {"seats": [0]}),
        ("IssueTokens", desk.home.key, {"seats": [0], "revoke": True}),
        ("AbortGame", desk.home.key, {}),
    ):
        no = await refused(desk.client, rpc, token, name=name, **more)
        assert (no.code, no.reason) == ("NOT_FOUND", "GAME_NOT_FOUND"), rpc
    assert name not in await names(desk, desk.home.key, pageSize=1000)
    async with redis.asyncio.Redis.from_url(store_url) as admin:
        # A day later.
        assert await admin.delete(keys_of(name).game) == 1
    assert await desk.reason("DeleteGame", desk.home.key) == "GAME_NOT_FOUND"
    assert await desk.reason("DeleteGame", desk.home.key, name=f"games/{'a' * 26}") == "GAME_NOT_FOUND"


async def test_annotations_have_their_limit(desk: Desk) -> None:
    """In bytes, keys and values together."""
    for notes in ({"a": "x" * 4095}, {"ä" * 1024: "ö" * 1024}, {str(i): "" for i in range(100)}, {"": ""}):
        made = await desk.client.call("CreateGame", desk.home.key, **body(3, "pledge", annotations=notes))
        assert made["game"]["annotations"] == notes
    for notes in ({"a": "x" * 4096}, {"ä" * 1024: "ö" * 1025}):
        no = await refused(desk.client, "CreateGame", desk.home.key, **body(3, "pledge", annotations=notes))
        assert (no.code, no.reason, no.fields) == ("INVALID_ARGUMENT", "MALFORMED_REQUEST", ["annotations"])


def keys_of(name: str) -> Keys:
    """A game's keys in the store."""
    return Keys(GameKey("test", name.removeprefix("games/")))


async def lives(store_url: str, name: str) -> list[int]:
    """How long each of a game's keys will live, in seconds."""
    stem = keys_of(name).stem
    async with redis.asyncio.Redis.from_url(store_url) as admin:
        keys = [key async for key in admin.scan_iter(f"{stem}*", count=10_000)]
        return [await admin.pttl(key) // 1000 for key in keys]


async def test_a_game_is_kept_so_long_after_its_last_commit(desk: Desk, store_url: str) -> None:
    made = await desk.client.call("CreateGame", desk.home.key, **body(3, "pledge", keep="7200s"))
    table = Table(desk.client, made)
    assert made["game"]["expireTime"] == "2027-01-15T10:00:00Z"
    assert all(7000 < life <= 7200 for life in await lives(store_url, table.name))
    keys = keys_of(table.name)
    async with redis.asyncio.Redis.from_url(store_url) as admin:
        for key in (keys.game, keys.log, keys.snaps):
            await admin.pexpire(key, 600_000)
    desk.clock.seconds += 100
    # A look is no commit.
    view = await table.view(0)
    assert (await desk.client.call("GetGame", desk.home.key, name=table.name))["expireTime"] == "2027-01-15T10:00:00Z"
    assert max(await lives(store_url, table.name)) <= 600
    await table.submit(0, view["decision"]["decisionId"], "pledge:1")
    assert (await desk.client.call("GetGame", desk.home.key, name=table.name))["expireTime"] == "2027-01-15T10:01:40Z"
    kept = await lives(store_url, table.name)
    assert len(kept) == 4
    assert all(7000 < life <= 7200 for life in kept)
    async with redis.asyncio.Redis.from_url(store_url) as admin:
        for key in (keys.game, keys.log, keys.memos, keys.snaps):
            await admin.pexpire(key, 0)
    for rpc, who in (("GetGame", desk.home.key), ("GetView", table.tokens[0])):
        assert await desk.reason(rpc, who, name=table.name) == "GAME_NOT_FOUND"
    assert table.name not in await names(desk, desk.home.key, pageSize=1000)


async def test_how_long_a_game_may_be_kept(desk: Desk) -> None:
    for keep in ("60s", f"{YEAR}s"):
        await desk.client.call("CreateGame", desk.home.key, **body(3, "pledge", keep=keep))
    for keep in ("59.999s", "0s", "-60s", f"{YEAR}.001s", "315576000000s"):
        no = await refused(desk.client, "CreateGame", desk.home.key, **body(3, "pledge", keep=keep))
        assert (no.reason, no.fields) == ("MALFORMED_REQUEST", ["keep"]), keep
    default = await desk.client.call("CreateGame", desk.home.key, **body(3, "pledge"))
    assert default["game"]["createTime"] == "2027-01-15T08:00:00Z"
    assert default["game"]["expireTime"] == "2027-02-14T08:00:00Z"
    assert START == 1_800_000_000


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"gameType": "chess"}, "game_type"),
        ({"gameType": ""}, "game_type"),
        ({"rulesVersion": "0.0.1"}, "rules_version"),
        ({"seats": []}, "seats"),
        ({"seats": [{}] * 5}, "seats"),
        ({"options": {"euchre": {}}}, "options.euchre"),
        ({"options": {"sevens": {}}}, "options.sevens"),
        ({"options": {"plugin": {"rouns": 2}}}, "options.plugin.rouns"),
        ({"options": {"plugin": {"rounds": "two"}}}, "options.plugin.rounds"),
        ({"seed": base64.b64encode(b"x" * 31).decode()}, "seed"),
        ({"seed": ""}, "seed"),
    ],
)
async def test_games_that_cannot_be_dealt(desk: Desk, changed: dict[str, Any], field: str) -> None:
    no = await refused(desk.client, "CreateGame", desk.home.key, **{**body(3, "pledge"), **changed})
    assert (no.code, no.reason, no.fields) == ("INVALID_ARGUMENT", "INVALID_OPTIONS", [field])


@pytest.mark.parametrize(
    ("seat", "field"),
    [
        ({"displayName": "x" * 101}, "seats[1].display_name"),
        ({"displayName": "a\nb"}, "seats[1].display_name"),
        ({"externalId": "x" * 201}, "seats[1].external_id"),
    ],
)
async def test_seats_that_cannot_be(desk: Desk, seat: dict[str, Any], field: str) -> None:
    no = await refused(desk.client, "CreateGame", desk.home.key, gameType="pledge", seats=[{}, seat, {}])
    assert (no.code, no.reason, no.fields) == ("INVALID_ARGUMENT", "MALFORMED_REQUEST", [field])


async def test_who_answers_for_a_seat(desk: Desk) -> None:
    seats = [
        {"controller": "CONTROLLER_BOT", "botLevel": "BOT_LEVEL_STRONG"},
        {"controller": "CONTROLLER_BOT"},
        {"botLevel": "BOT_LEVEL_RANDOM"},
    ]
    made = await desk.client.call("CreateGame", desk.home.key, gameType="pledge", seats=seats)
    shown = [(seat["controller"], seat.get("botLevel")) for seat in made["game"]["seats"]]
    # A bot without a level plays by a rule of thumb; a person's seat may say how well a bot would play there.
    assert shown == [
        ("CONTROLLER_BOT", "BOT_LEVEL_STRONG"),
        ("CONTROLLER_BOT", "BOT_LEVEL_BASIC"),
        ("CONTROLLER_HUMAN", "BOT_LEVEL_RANDOM"),
    ]
    view = await desk.client.call("GetView", made["seatTokens"][2]["token"], name=made["game"]["name"])
    assert view["seats"] == made["game"]["seats"]
    gone = [{"controller": "CONTROLLER_RESIGNED"}, {}, {}]
    no = await refused(desk.client, "CreateGame", desk.home.key, gameType="pledge", seats=gone)
    assert (no.code, no.reason, no.fields) == ("INVALID_ARGUMENT", "INVALID_OPTIONS", ["seats[0].controller"])


async def test_options_are_stored_with_the_game(desk: Desk) -> None:
    request = body(3, "pledge", options={"plugin": {"rounds": 1}})
    made = await desk.client.call("CreateGame", desk.home.key, **request)
    assert made["game"]["options"] == {"plugin": {"rounds": 1}}
    table = Table(desk.client, made)
    _, last = await finish(desk, table)
    assert (last["view"]["state"], last["committedVersion"]) == ("GAME_STATE_FINISHED", 4)
