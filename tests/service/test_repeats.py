"""CreateGame and IssueTokens, said again: the same request id, the same outcome."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from tests.service.client import WAYS, Client, Refused, fresh_id, transport_of
from tests.service.desk import Desk, desk_at
from tests.service.house import house
from tests.service.live import body
from tests.service.players import refused
from tests.service.pledge import GAME


async def test_create_game_again(desk: Desk) -> None:
    request_id = fresh_id()
    request = {"requestId": request_id, "annotations": {"b": "2", "a": "1"}, **body(3, "pledge")}
    first = await desk.client.call("CreateGame", desk.home.key, **request)
    desk.clock.seconds += 50
    again = await desk.client.call("CreateGame", desk.home.key, **request)
    upper = await desk.client.call("CreateGame", desk.home.key, **{**request, "requestId": request_id.upper()})
    assert again == upper == first
    changes: tuple[dict[str, Any], ...] = (
        {"annotations": {"a": "1"}},
        {"keep": "3600s"},
        {"spectatorsOff": True},
        {"seats": [{}, {}]},
    )
    for changed in changes:
        no = await refused(desk.client, "CreateGame", desk.home.key, **{**request, **changed})
        assert (no.code, no.reason, no.fields) == ("INVALID_ARGUMENT", "REQUEST_ID_REUSED", ["request_id"])
    # All at once: one game.
    together = {**request, "requestId": fresh_id()}
    many = await asyncio.gather(*(desk.client.call("CreateGame", desk.home.key, **together) for _ in range(16)))
    assert len({answer["game"]["name"] for answer in many}) == 1
    assert len({json.dumps(answer["seatTokens"]) for answer in many}) == 1
    # A game that was deleted is not made again by somebody who repeats an old request.
    await desk.client.call("DeleteGame", desk.home.key, name=first["game"]["name"])
    no = await refused(desk.client, "CreateGame", desk.home.key, **request)
    assert no.reason == "REQUEST_ID_REUSED"
    assert await desk.reason("GetGame", desk.home.key, name=first["game"]["name"]) == "GAME_NOT_FOUND"


async def test_issue_tokens_again(desk: Desk) -> None:
    """The same tokens, whatever was revoked since; and only one revocation."""
    request_id = fresh_id()
    request = {"seats": [0, 2], "spectator": True, "revoke": True, "requestId": request_id}
    first = await desk.issue(**request)
    desk.clock.seconds += 50
    assert await desk.issue(**request) == first
    assert await desk.issue(**{**request, "requestId": request_id.upper()}) == first
    assert (await desk.view(desk.home.key, seat=0))["version"] == 2
    later = await desk.issue(seats=[0], revoke=True)
    assert await desk.issue(**request) == first
    assert await desk.reason("GetView", first["seatTokens"][0]["token"]) == "TOKEN_REVOKED"
    assert (await desk.view(first["seatTokens"][1]["token"]))["viewer"] == {"seat": 2}
    assert (await desk.view(later["seatTokens"][0]["token"]))["version"] == 3
    others: tuple[dict[str, Any], ...] = ({"seats": [0]}, {"spectator": False}, {"ttl": "100s"})
    for changed in others:
        no = await refused(desk.client, "IssueTokens", desk.home.key, name=desk.name, **{**request, **changed})
        assert (no.code, no.reason) == ("INVALID_ARGUMENT", "REQUEST_ID_REUSED")


async def test_issue_tokens_all_at_once(desk: Desk) -> None:
    request = {"seats": [1], "revoke": True, "requestId": fresh_id()}
    many = await asyncio.gather(*(desk.issue(**request) for _ in range(8)))
    assert len({answer["seatTokens"][0]["token"] for answer in many}) == 1
    assert (await desk.view(many[0]["seatTokens"][0]["token"]))["version"] == 2


@pytest.mark.parametrize("way", WAYS)
async def test_one_request_id_for_two_revocations_at_once(way: str, store_url: str) -> None:
    """In two processes, so that both look before either writes: one is done, the other is refused."""
    async with (
        desk_at(store_url, way) as desk,
        house(store_url, [GAME], transport=transport_of(way), clock_us=desk.clock) as other,
    ):
        other.credentials.replace(desk.home.keys)
        async with Client(way, other) as elsewhere:
            for _ in range(8):
                same = {"name": desk.name, "revoke": True, "requestId": fresh_id()}
                both = await asyncio.gather(
                    desk.client.call("IssueTokens", desk.home.key, seats=[0], **same),
                    elsewhere.call("IssueTokens", desk.home.key, seats=[1], **same),
                    return_exceptions=True,
                )
                reasons = [answer.reason if isinstance(answer, Refused) else "OK" for answer in both]
                assert sorted(reasons) == ["OK", "REQUEST_ID_REUSED"]


async def test_seats_named_wrongly(desk: Desk) -> None:
    for seats, field in (([3], "seats[0]"), ([0, -1], "seats[1]"), ([0, 1, 0], "seats[2]"), ([], "seats")):
        no = await refused(desk.client, "IssueTokens", desk.home.key, name=desk.name, seats=seats, revoke=True)
        assert (no.reason, no.fields) == ("MALFORMED_REQUEST", [field])
    assert (await desk.view(desk.home.key, seat=0))["version"] == 1
