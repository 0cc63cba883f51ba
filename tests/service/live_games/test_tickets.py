"""Tickets: how a browser watches without a lasting secret in its address."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from tests.service.client import Refused
from tests.service.house import House, house
from tests.service.live_games.play import Table, deal
from tests.service.live_games.streams import EVENTS, ending, kind_of, stream, take, version_of
from tests.service.pledge import GAME
from tests.service.store.harness import now_us, until_async

FORMS = ("ndjson", "sse")
UPDATES = "../v1/updates:watch"


async def ticket(table: Table, token: str | None = None, **more: Any) -> str:
    issued = await table.post(f"{table.name}:issueTicket", token, **more)
    assert issued.keys() == {"ticket", "expireTime"}
    return str(issued["ticket"])


def reason(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["details"][0]["reason"]


@pytest.mark.parametrize("form", FORMS)
async def test_a_ticket_opens_one_stream(plain: House, form: str) -> None:
    async with deal(plain) as table:
        spectator = await table.spectator()
        for token, more, viewer in (
            (table.tokens[1], {}, {"seat": 1}),
            (spectator, {}, {"spectator": True}),
            (None, {"seat": 2}, {"seat": 2}),
            (None, {"spectator": True}, {"spectator": True}),
        ):
            mine = await ticket(table, token, **more)
            async with stream(form, plain, "", name=table.name, ticket=mine) as messages:
                (first,) = await take(messages, 1)
                assert first["snapshot"]["view"]["viewer"] == viewer
                before = table.version
                await table.move()
                assert version_of((await take(messages, 1))[0]) == before + 1
            async with stream(form, plain, "", name=table.name, ticket=mine) as messages:
                refused = await ending(messages)
            assert (refused.code, refused.reason, refused.http) == ("UNAUTHENTICATED", "TOKEN_INVALID", 401)


async def test_a_ticket_is_used_up_for_every_process(plain: House, store_url: str) -> None:
    async with house(store_url, [GAME]) as other, deal(plain) as table:
        other.credentials.replace(plain.keys)
        mine = await ticket(table, table.tokens[0])
        async with stream("sse", plain, "", name=table.name, ticket=mine) as messages:
            await take(messages, 1)
        async with stream("sse", other, "", name=table.name, ticket=mine) as messages:
            assert (await ending(messages)).reason == "TOKEN_INVALID"


async def test_a_ticket_opens_nothing_else(plain: House) -> None:
    async with deal(plain) as table, deal(plain) as other, httpx.AsyncClient(base_url=f"{plain.http}/v1/") as client:
        mine = await ticket(table, table.tokens[0])
        bearer = {"authorization": f"Bearer {mine}"}
        for path in (f"{table.name}/view", f"{table.name}:watch", UPDATES):
            assert reason(await client.get(path, headers=bearer)) == (401, "TOKEN_INVALID")
        for path in (f"{table.name}/view", f"{table.name}/events", UPDATES):
            assert reason(await client.get(path, params={"ticket": mine})) == (401, "TOKEN_MISSING")
        assert reason(await client.get(f"{other.name}:watch", params={"ticket": mine})) == (403, "TOKEN_WRONG_GAME")
        # A seat token is no ticket, and what is no ticket opens nothing.
        for wrong in (table.tokens[0], plain.key, "x", mine[:-2], "a.b.c", "x" * 10_000):
            answer = await client.get(f"{table.name}:watch", params={"ticket": wrong})
            assert reason(answer) == (401, "TOKEN_INVALID")


async def test_a_ticket_stands_alone(plain: House) -> None:
    async with deal(plain) as table, plain.rest(table.tokens[0]) as client:
        mine = await ticket(table, table.tokens[0])
        both = await client.get(f"{table.name}:watch", params={"ticket": mine})
        twice = await httpx.AsyncClient().get(f"{plain.http}/v1/{table.name}:watch?ticket={mine}&ticket={mine}")
    # Beside a credential it is a field that there is not.
    assert reason(both) == (400, "UNKNOWN_FIELD")
    assert twice.status_code == 401


async def test_a_refusal_before_the_stream_does_not_use_it_up(plain: House) -> None:
    async with deal(plain) as table, httpx.AsyncClient(base_url=f"{plain.http}/v1/") as client:
        mine = await ticket(table, table.tokens[0])
        wrong = await client.get(f"{table.name}:watch", params={"ticket": mine, "nonsense": "1"})
        assert reason(wrong) == (400, "UNKNOWN_FIELD")
        async with stream("sse", plain, "", name=table.name, ticket=mine) as messages:
            await take(messages, 1)


async def test_a_ticket_lasts_a_minute_and_its_stream_as_long_as_the_token(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from service import watch

    monkeypatch.setattr(watch, "BOOKMARK_SECONDS", 0.1)
    later = 0.0
    async with house(store_url, [GAME], clock_us=lambda: now_us() + int(later * 1e6)) as home, deal(home) as table:
        issued = await table.post(f"{table.name}:issueTokens", seats=[0], ttl="120s")
        token = issued["seatTokens"][0]["token"]
        early, late = await ticket(table, token), await ticket(table, token)
        later = 55
        async with stream("sse", home, "", name=table.name, ticket=early) as messages:
            await take(messages, 1)
            later = 65
            async with stream("sse", home, "", name=table.name, ticket=late) as too_late:
                assert (await ending(too_late)).reason == "TOKEN_EXPIRED"
            await table.move()
            await take(messages, 1)
            later = 125
            refused = await ending(messages)
        assert (refused.code, refused.reason) == ("UNAUTHENTICATED", "TOKEN_EXPIRED")


@pytest.mark.parametrize("way", ["ndjson", "grpcio", "native"])
async def test_a_stream_ends_when_its_token_expires(store_url: str, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from service import watch
    from tests.service.live_games.streams import transport_of

    monkeypatch.setattr(watch, "BOOKMARK_SECONDS", 0.1)
    later = 0.0
    clock = lambda: now_us() + int(later * 1e6)  # noqa: E731
    async with house(store_url, [GAME], transport=transport_of(way), clock_us=clock) as home, deal(home) as table:
        issued = await table.post(f"{table.name}:issueTokens", seats=[0], ttl="120s")
        async with stream(way, home, issued["seatTokens"][0]["token"], name=table.name) as messages:
            await take(messages, 1)
            later = 121
            assert (await ending(messages)).reason == "TOKEN_EXPIRED"


async def test_revoking_a_seat_revokes_its_tickets(plain: House) -> None:
    async with deal(plain) as table:
        mine = await ticket(table, table.tokens[0])
        await table.post(f"{table.name}:issueTokens", seats=[0], revoke=True)
        async with stream("sse", plain, "", name=table.name, ticket=mine) as messages:
            assert (await ending(messages)).reason == "TOKEN_REVOKED"


async def test_tickets_are_issued_to_viewers_only(plain: House) -> None:
    async with deal(plain, spectatorsOff=True) as table, plain.rest() as platform:
        path = f"{table.name}:issueTicket"
        seat = {"authorization": f"Bearer {table.tokens[0]}"}
        for headers, body, expected in (
            ({}, {}, (400, "MALFORMED_REQUEST")),
            ({}, {"spectator": True}, (403, "SPECTATORS_OFF")),
            ({}, {"seat": 9}, (400, "MALFORMED_REQUEST")),
            (seat, {"seat": 1}, (403, "SEAT_FORBIDDEN")),
            ({"authorization": ""}, {}, (401, "TOKEN_MISSING")),
        ):
            assert reason(await platform.post(path, json=body, headers=headers)) == expected
        assert (await platform.post(path, json={"seat": 0}, headers=seat)).status_code == 200


@pytest.mark.parametrize("form", FORMS)
async def test_no_log_line_holds_a_ticket(plain: House, form: str) -> None:
    async with deal(plain) as table:
        mine = await ticket(table, table.tokens[0])
        async with stream(form, plain, "", name=table.name, ticket=mine) as messages:
            await take(messages, 1)
        async with stream(form, plain, "", name=table.name, ticket=mine) as messages:
            with pytest.raises(Refused) as refused:
                await anext(messages)
    assert mine not in refused.value.whole

    def lines() -> list[dict[str, Any]]:
        return [line for line in map(json.loads, plain.log.getvalue().splitlines()) if line.get("rpc") == "WatchGame"]

    await until_async(lambda: len(lines()) == 2, "both are logged")
    assert mine not in plain.log.getvalue()
    assert mine.rpartition(".")[2] not in plain.log.getvalue()


async def test_an_event_source_of_a_browser(plain: House) -> None:
    """As EventSource does it: the address alone, then again with the id of the last event it heard."""
    async with deal(plain) as table, httpx.AsyncClient() as browser:
        await table.move(2)
        address = f"{plain.http}/v1/{table.name}:watch?ticket={await ticket(table, table.tokens[0])}"
        async with browser.stream("GET", address, headers={"accept": EVENTS, "cache-control": "no-cache"}) as answer:
            lines = aiter(answer.aiter_lines())
            heard = [await anext(lines) for _ in range(4)]
        assert heard[:2] == ["id: 3", "event: snapshot"]
        assert json.loads(heard[2].removeprefix("data: "))["view"]["version"] == 3
        assert heard[3] == ""
        await table.move(2)
        headers = {"accept": EVENTS, "last-event-id": "3"}
        address = f"{plain.http}/v1/{table.name}:watch?ticket={await ticket(table, table.tokens[0])}"
        async with browser.stream("GET", address, headers=headers) as answer:
            lines = aiter(answer.aiter_lines())
            heard = [await anext(lines) for _ in range(8)]
        assert [line for line in heard if line.startswith("id")] == ["id: 4", "id: 5"]


async def test_last_event_id_goes_before_the_address(plain: House) -> None:
    async with deal(plain) as table:
        await table.move(4)
        asked: dict[str, Any] = {"name": table.name, "afterVersion": 1, "last_event_id": 4}
        async with stream("sse", plain, table.tokens[0], **asked) as messages:
            assert version_of((await take(messages, 1))[0]) == 5
        for wrong in ("x", "-1", "99999999999", "1.0", "+4"):
            async with stream("sse", plain, table.tokens[0], name=table.name, last_event_id=wrong) as messages:
                refused = await ending(messages)
            assert (refused.http, refused.reason, refused.fields) == (400, "MALFORMED_REQUEST", ["after_version"])
        async with stream("sse", plain, table.tokens[0], name=table.name, last_event_id=9) as messages:
            assert (await ending(messages)).reason == "VERSION_AHEAD"


async def test_who_lost_the_connection_just_before_the_end_is_told_of_it(plain: House) -> None:
    """The last change and the end have one id, so it does not say that the end was heard."""
    async with deal(plain) as table:
        await table.move(1000)
        async with stream("sse", plain, table.tokens[0], name=table.name, last_event_id=table.version - 1) as messages:
            last, end = [message async for message in messages]
        assert (version_of(last), version_of(end)) == (table.version, table.version)
        async with stream("sse", plain, table.tokens[0], name=table.name, last_event_id=table.version) as messages:
            assert [message async for message in messages] == [end]
        assert kind_of(end) == "ended"


async def test_an_event_source_that_nobody_closes_comes_back_late(plain: House) -> None:
    async with deal(plain) as table:
        await table.move(1000)
        async with plain.rest(table.tokens[0]) as client:
            said = (await client.get(f"{table.name}:watch", headers={"accept": EVENTS})).text
        snapshot, ended = said.removesuffix("\n\n").split("\n\n")
        assert "retry:" not in snapshot
        assert ended.startswith(f"id: {table.version}\nevent: ended\nretry: 86400000\ndata: {{")


@pytest.mark.parametrize(
    ("accept", "form"),
    [
        ("", "application/x-ndjson"),
        ("*/*", "application/x-ndjson"),
        ("application/json", "application/x-ndjson"),
        ("text/event-stream", EVENTS),
        ("TEXT/Event-Stream; q=0.5, */*", EVENTS),
        ("text/event-stream;q=0", "application/x-ndjson"),
        ("text/event-stream;q=0.5, application/x-ndjson", "application/x-ndjson"),
        ("text/event-stream;q=x", "application/x-ndjson"),
    ],
)
async def test_the_form_is_what_is_accepted(plain: House, accept: str, form: str) -> None:
    async with deal(plain) as table, plain.rest(table.tokens[0]) as client:
        for verb in ("GET", "HEAD"):
            async with client.stream(verb, f"{table.name}:watch", headers={"accept": accept}) as answer:
                assert (answer.status_code, answer.headers["content-type"]) == (200, form)
                assert answer.headers["vary"] == "Accept, Authorization"
                assert answer.headers["x-content-type-options"] == "nosniff"
                if verb == "HEAD":
                    assert await answer.aread() == b""
    await until_async(lambda: plain.app.streams == 0, "the places are free")
