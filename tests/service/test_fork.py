"""Games that begin where others stood: exactly where all may be known, else as one viewer knows it."""

from __future__ import annotations

from typing import Any

from engine.core import installed
from service.callers import ALL_SCOPES
from service.verify import verify
from tests.service.client import fresh_id
from tests.service.desk import Desk
from tests.service.players import Table, refused

ON_FINISH = "REVEAL_POLICY_ON_FINISH"


async def fork(desk: Desk, name: str, key: str | None = None, **request: Any) -> dict[str, Any]:
    return await desk.client.call("ForkGame", key or desk.home.key, name=name, **request)


async def record_of(desk: Desk, name: str) -> dict[str, Any]:
    record: dict[str, Any] = (await desk.client.call("ExportGame", desk.home.key, name=name))["export"]
    return record


async def view(desk: Desk, name: str, **query: Any) -> dict[str, Any]:
    return await desk.client.call("GetView", desk.home.key, name=name, **query)


async def euchre(desk: Desk, moves: int, **more: Any) -> Table:
    made = await desk.client.call("CreateGame", desk.home.key, gameType="euchre", seats=[{}] * 4, **more)
    table = Table(desk.client, made, "a fork")
    while moves and await table.move():
        moves -= 1
    return table


def same(view: dict[str, Any]) -> dict[str, Any]:
    """A view without what each game has of its own."""
    own = ("name", "version", "etag", "decision")
    shown = {key: part for key, part in view.items() if key not in own}
    return shown | {"offers": view.get("decision", {}).get("offers")}


async def test_a_running_game_is_forked_as_one_seat_knows_it(desk: Desk) -> None:
    table = await euchre(desk, 9)
    viewer = table.awaiting[0]
    forked = await fork(desk, table.name, seat=viewer)
    name = forked["game"]["name"]

    assert forked["game"]["forkedFrom"] == {"name": table.name, "version": 10}
    assert forked["game"]["version"] == 1
    assert same(await view(desk, name, seat=viewer)) == same(await view(desk, table.name, seat=viewer))
    assert same(await view(desk, name, spectator=True)) == same(await view(desk, table.name, spectator=True))
    others = [seat for seat in range(4) if seat != viewer]
    hands = [[(await view(desk, of, seat=seat))["euchre"]["hand"] for seat in others] for of in (name, table.name)]
    assert hands[0] != hands[1]
    secrets = [await record_of(desk, of) for of in (name, table.name)]
    assert secrets[0]["seed"] != secrets[1]["seed"]
    assert secrets[0]["commitment"] != secrets[1]["commitment"]
    # It is a game like any other, with keys of its own.
    played = Table(desk.client, forked, "a fork")
    for _ in range(6):
        assert await played.move()
    assert await desk.reason("GetView", forked["seatTokens"][0]["token"], name=table.name) == "TOKEN_WRONG_GAME"


async def test_a_fork_s_record_proves_itself(desk: Desk) -> None:
    table = await euchre(desk, 9)
    forked = await fork(desk, table.name, spectator=True, version=6)
    played = Table(desk.client, forked, "a fork")
    for _ in range(6):
        await played.move()
    record = await record_of(desk, played.name)
    assert not record["dealt"]
    assert verify(installed(), record) == 6


async def test_a_past_version_is_forked_as_it_was(desk: Desk) -> None:
    table = await euchre(desk, 9)
    forked = await fork(desk, table.name, seat=2, version=4)
    name = forked["game"]["name"]

    assert forked["game"]["forkedFrom"]["version"] == 4
    then, now = await view(desk, table.name, seat=2, version=4), await view(desk, name, seat=2)
    assert now["euchre"] == then["euchre"]
    assert now["awaiting"] == then["awaiting"]


async def test_a_finished_game_is_forked_exactly_where_its_secrets_may_be_known(desk: Desk) -> None:
    poor = desk.home.tenant("test", ALL_SCOPES - {"games.export"})
    for policy, key in ((ON_FINISH, poor), ("REVEAL_POLICY_NEVER", desk.home.key)):
        table = await euchre(desk, 9, revealPolicy=policy)
        hands = [(await view(desk, table.name, seat=seat))["euchre"]["hand"] for seat in range(4)]
        assert await desk.reason("ForkGame", key, name=table.name) == "MALFORMED_REQUEST"
        while await table.move():
            pass
        forked = await fork(desk, table.name, key, version=10)
        name = forked["game"]["name"]
        assert [(await view(desk, name, seat=seat))["euchre"]["hand"] for seat in range(4)] == hands
        # Whoever is named gets no more than that.
        other = (await fork(desk, table.name, key, version=10, seat=1))["game"]["name"]
        dealt = [(await view(desk, other, seat=seat))["euchre"]["hand"] for seat in range(4)]
        assert dealt[1] == hands[1]
        assert dealt != hands
        assert await desk.reason("ForkGame", key, name=table.name) == "INVALID_OPTIONS"
    # The secrets of this one are never told to this key.
    assert await desk.reason("ForkGame", poor, name=table.name, version=10) == "MALFORMED_REQUEST"


async def test_an_aborted_game_keeps_its_secrets(desk: Desk) -> None:
    table = await euchre(desk, 9, revealPolicy=ON_FINISH)
    await desk.client.call("AbortGame", desk.home.key, name=table.name)

    assert await desk.reason("ForkGame", desk.home.key, name=table.name) == "MALFORMED_REQUEST"
    forked = await fork(desk, table.name, spectator=True)
    assert forked["game"]["state"] == "GAME_STATE_ACTIVE"


async def test_everything_but_the_secrets_is_as_there(desk: Desk) -> None:
    seats = [{"displayName": "Ada", "externalId": "u1"}, {"displayName": "Ben", "externalId": "u2"}, {}, {}]
    body = {"gameType": "euchre", "seats": seats, "annotations": {"a": "1"}, "keep": "7200s"}
    options = {"euchre": {"targetScore": 5, "stickTheDealer": True}}
    made = await desk.client.call(
        "CreateGame", desk.home.key, **body, options=options, spectatorsOff=True, revealPolicy=ON_FINISH
    )
    name = made["game"]["name"]
    game = (await fork(desk, name, seat=0, annotations={"b": "2"}))["game"]
    own = {"name", "createTime", "updateTime", "expireTime", "annotations", "forkedFrom"}
    assert {key: part for key, part in game.items() if key not in own} == {
        key: part for key, part in made["game"].items() if key not in own
    }
    assert game["annotations"] == {"b": "2"}
    others = [{"displayName": "Cy"}, {"displayName": "Di", "externalId": "u4"}, {}, {}]
    given = (await fork(desk, name, seat=0, seats=others))["game"]
    assert [seat.get("displayName", "") for seat in given["seats"]] == ["Cy", "Di", "", ""]
    # Where it came from is the platform's business.
    token = made["seatTokens"][0]["token"]
    assert "forkedFrom" not in await desk.client.call("GetGame", token, name=name)
    assert await desk.reason("ForkGame", desk.home.key, name=name, spectator=True) == "SPECTATORS_OFF"


async def test_a_repeated_fork_is_the_same_game(desk: Desk) -> None:
    table = await euchre(desk, 9)
    request: dict[str, Any] = {"seat": 1, "requestId": fresh_id()}
    first = await fork(desk, table.name, **request)
    await table.move()
    again = await fork(desk, table.name, **{**request, "requestId": request["requestId"].upper()})
    assert again == first
    await desk.client.call("DeleteGame", desk.home.key, name=table.name)
    assert await fork(desk, table.name, **request) == first
    for other in ({"seat": 2}, {"version": 3}):
        reason = await desk.reason("ForkGame", desk.home.key, name=table.name, **{**request, **other})
        assert reason == "REQUEST_ID_REUSED"
    create = {"gameType": "euchre", "seats": [{}] * 4, "requestId": request["requestId"]}
    assert (await refused(desk.client, "CreateGame", desk.home.key, **create)).reason == "REQUEST_ID_REUSED"


async def test_what_cannot_be_forked(desk: Desk) -> None:
    name = desk.name
    key = desk.home.key
    wrong: list[tuple[dict[str, Any], str]] = [
        ({}, "MALFORMED_REQUEST"),
        ({"seat": 0, "spectator": True}, "MALFORMED_REQUEST"),
        ({"seat": 3}, "MALFORMED_REQUEST"),
        ({"seat": 0, "version": 0}, "MALFORMED_REQUEST"),
        ({"seat": 0, "version": 2}, "VERSION_AHEAD"),
        ({"seat": 0, "seats": [{}] * 2}, "INVALID_OPTIONS"),
        ({"seat": 0, "seats": [{}] * 9}, "INVALID_OPTIONS"),
        ({"seat": 0, "annotations": {"a": "x" * 5000}}, "MALFORMED_REQUEST"),
        ({"seat": 0, "requestId": "x"}, "MALFORMED_REQUEST"),
        ({"seat": 0, "name": "games/" + "a" * 26}, "GAME_NOT_FOUND"),
        ({"seat": 0, "name": "games/x"}, "MALFORMED_REQUEST"),
    ]
    for request, reason in wrong:
        assert await desk.reason("ForkGame", key, **{"name": name, **request}) == reason, request
    for token in (*desk.table.tokens, desk.watcher):
        assert await desk.reason("ForkGame", token, seat=0) == "SEAT_FORBIDDEN"
    for scope in ("games.create", "games.read"):
        half = desk.home.tenant("test", ALL_SCOPES - {scope})
        assert await desk.reason("ForkGame", half, seat=0) == "SCOPE_MISSING"
    assert await desk.reason("ForkGame", desk.home.tenant("other"), seat=0) == "GAME_NOT_FOUND"
