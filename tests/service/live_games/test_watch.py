"""WatchGame, alike on every way to watch."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any, cast

import grpc
import pytest

from service import grpc_api, projection, watch
from tests.service.house import House, house
from tests.service.live_games.play import Table, deal, rounds
from tests.service.live_games.streams import ending, kind_of, stream, take, transport_of, version_of
from tests.service.pledge import GAME
from tests.service.store.harness import until_async


def streams_of(home: House) -> int:
    """How many streams the service holds a place for."""
    return home.app.streams


async def told(table: Table, seat: int | None, after: int = 0) -> list[dict[str, Any]]:
    """What ListEvents tells after a version."""
    query = {"spectator": "true"} if seat is None else {"seat": seat}
    answer = await table.get(f"{table.name}/events", pageSize=1000, afterVersion=after, **query)
    assert answer["nextPageToken"] == ""
    events: list[dict[str, Any]] = answer["events"]
    return events


async def test_a_snapshot_first_then_every_commit_and_the_end(way: str, home: House, table: Table) -> None:
    async with stream(way, home, table.tokens[0], name=table.name) as messages:
        (first,) = await take(messages, 1)
        await table.move(1000)
        rest = await take(messages, table.version)

        assert first["snapshot"]["view"] == (await table.view(0, version=1)) | {
            key: first["snapshot"]["view"][key] for key in ("decision", "etag")
        }
        assert [kind_of(message) for message in rest] == ["change"] * (table.version - 1) + ["ended"]
        assert [version_of(message) for message in rest[:-1]] == list(range(2, table.version + 1))
        events = [event for message in rest[:-1] for event in message["change"]["events"]]
        assert events == await told(table, 0, after=1)
        view = await table.view(0)
        assert rest[-2]["change"]["view"] == view
        ended = rest[-1]["ended"]
        assert (ended["version"], ended["state"]) == (table.version, "GAME_STATE_FINISHED")
        assert ended["result"] == view["result"]
        with pytest.raises(StopAsyncIteration):
            await anext(messages)
    await until_async(lambda: streams_of(home) == 0, "the place is free")


async def test_resumes_without_gap_or_duplicate(way: str, home: House, table: Table) -> None:
    await table.move(4)
    for after in range(table.version + 1):
        async with stream(way, home, table.tokens[1], name=table.name, afterVersion=after) as messages:
            if after == table.version:
                # Nothing to catch up on: this is said at once.
                assert version_of(await anext(messages)) == after
            before = table.version
            caught_up = await take(messages, before - after)
            await table.move()
            live = await take(messages, 1)
            numbers = [version_of(message) for message in caught_up + live]
            assert numbers == list(range(after + 1, table.version + 1))
            assert all("change" in message for message in caught_up + live)


async def test_only_the_newest_change_carries_the_view(way: str, home: House, table: Table) -> None:
    await table.move(5)
    async with stream(way, home, table.tokens[0], name=table.name, afterVersion=1) as messages:
        changes = await take(messages, 5)
    assert ["view" in message["change"] for message in changes] == [False] * 4 + [True]
    assert changes[-1]["change"]["view"] == await table.view(0)


async def test_parts_choose_what_views_hold(way: str, home: House, table: Table) -> None:
    parts = ["PART_SCENE", "PART_EVENTS"]
    async with stream(way, home, table.tokens[0], name=table.name, parts=parts) as messages:
        (first,) = await take(messages, 1)
    view = first["snapshot"]["view"]
    assert "scene" in view
    assert "plugin" not in view
    assert view["decision"]["offers"] == []


async def test_ahead_of_the_store_is_refused(way: str, home: House, table: Table) -> None:
    async with stream(way, home, table.tokens[0], name=table.name, afterVersion=2) as messages:
        refused = await ending(messages)
    assert (refused.code, refused.reason) == ("ABORTED", "VERSION_AHEAD")
    assert refused.metadata == {"current_version": "1"}
    assert refused.http in (None, 409)


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        ({"name": "games/" + "a" * 26}, "TOKEN_WRONG_GAME"),
        ({"afterVersion": -1}, "MALFORMED_REQUEST"),
        ({"clientId": "x" * 101}, "MALFORMED_REQUEST"),
        ({"seat": 1}, "SEAT_FORBIDDEN"),
        ({"spectator": True}, "SEAT_FORBIDDEN"),
    ],
)
async def test_what_cannot_be_watched_is_refused_at_once(
    way: str, home: House, table: Table, request_: dict[str, Any], reason: str
) -> None:
    async with stream(way, home, table.tokens[0], **({"name": table.name} | request_)) as messages:
        refused = await ending(messages)
    assert refused.reason == reason
    assert streams_of(home) == 0


async def test_without_a_credential_nobody_watches(way: str, home: House, table: Table) -> None:
    for token, reason in (("", "TOKEN_MISSING"), ("nonsense", "TOKEN_INVALID")):
        async with stream(way, home, token, name=table.name) as messages:
            refused = await ending(messages)
        assert refused.reason == reason


async def test_a_platform_names_whose_stream_it_is(way: str, home: House, table: Table) -> None:
    async with stream(way, home, home.key, name=table.name) as messages:
        assert (await ending(messages)).reason == "MALFORMED_REQUEST"
    async with stream(way, home, home.key, name=table.name, seat=2) as messages:
        (first,) = await take(messages, 1)
        assert first["snapshot"]["view"]["viewer"] == {"seat": 2}
    async with stream(way, home, home.key, name=table.name, spectator=True) as messages:
        (first,) = await take(messages, 1)
        assert first["snapshot"]["view"]["viewer"] == {"spectator": True}


async def test_a_bookmark_when_nothing_happens(
    way: str, home: House, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "BOOKMARK_SECONDS", 0.2)
    async with stream(way, home, table.tokens[0], name=table.name) as messages, asyncio.timeout(10):
        kinds = [kind_of(await anext(messages)) for _ in range(3)]
        assert kinds == ["snapshot", "bookmark", "bookmark"]


async def test_a_revoked_token_ends_the_stream(way: str, home: House, table: Table) -> None:
    async with stream(way, home, table.tokens[0], name=table.name) as messages:
        await take(messages, 1)
        await table.post(f"{table.name}:issueTokens", seats=[0], revoke=True)
        refused = await ending(messages)
    assert (refused.code, refused.reason) == ("UNAUTHENTICATED", "TOKEN_REVOKED")
    await until_async(lambda: streams_of(home) == 0, "the place is free")


async def test_a_deleted_game_ends_the_stream(way: str, home: House, table: Table) -> None:
    async with stream(way, home, table.tokens[0], name=table.name) as messages:
        await take(messages, 1)
        await table.delete()
        refused = await ending(messages)
    assert (refused.code, refused.reason) == ("NOT_FOUND", "GAME_NOT_FOUND")


async def test_an_aborted_game_ends_with_its_state(way: str, home: House, table: Table) -> None:
    async with stream(way, home, table.tokens[0], name=table.name) as messages:
        await take(messages, 1)
        await table.post(f"{table.name}:abort")
        change, ended = await take(messages, 2)
    assert (version_of(change), change["change"]["events"]) == (2, [])
    assert change["change"]["view"]["state"] == "GAME_STATE_ABORTED"
    assert ended["ended"] == {"version": 2, "state": "GAME_STATE_ABORTED"}


async def test_who_comes_after_the_end_is_told_of_it(way: str, home: House, table: Table) -> None:
    await table.move(1000)
    async with stream(way, home, table.tokens[0], name=table.name) as messages:
        assert [kind_of(message) for message in await take(messages, 2)] == ["snapshot", "ended"]
    async with stream(way, home, table.tokens[0], name=table.name, afterVersion=table.version - 1) as messages:
        assert [kind_of(message) for message in await take(messages, 2)] == ["change", "ended"]


async def test_every_seat_and_the_spectators_may_watch_at_once(way: str, home: House, table: Table) -> None:
    tokens = [*table.tokens, table.tokens[0], await table.spectator()]

    async def follow(token: str) -> list[dict[str, Any]]:
        async with stream(way, home, token, name=table.name) as messages:
            (first,) = await take(messages, 1)
            ready.append(first)
            found = [first]
            while "ended" not in found[-1]:
                found += await take(messages, 1)
            return found

    ready: list[Any] = []
    watching = [asyncio.create_task(follow(token)) for token in tokens]
    await until_async(lambda: len(ready) == len(tokens), "all have begun")
    assert streams_of(home) == len(tokens)
    await table.move(1000)
    every = await asyncio.gather(*watching)
    for found in every:
        # As many messages for each, whoever may know what: one per commit.
        assert [version_of(message) for message in found] == [*range(1, table.version + 1), table.version]
    assert every[0] == every[3]


async def test_a_seat_has_so_many_streams_and_not_more(way: str, home: House, table: Table) -> None:
    async with AsyncExitStack() as many:
        for _ in range(16):
            messages = await many.enter_async_context(stream(way, home, table.tokens[0], name=table.name))
            await take(messages, 1)
        async with stream(way, home, table.tokens[0], name=table.name) as messages:
            refused = await ending(messages)
        assert (refused.code, refused.reason) == ("RESOURCE_EXHAUSTED", "TOO_MANY_STREAMS")
        assert refused.detail("RetryInfo") is not None
        # Others have places of their own.
        async with stream(way, home, table.tokens[1], name=table.name) as messages:
            await take(messages, 1)
    await until_async(lambda: streams_of(home) == 0, "all places are free")
    async with stream(way, home, table.tokens[0], name=table.name) as messages:
        await take(messages, 1)


async def test_the_next_stream_of_a_client_supersedes_the_last(way: str, home: House, table: Table) -> None:
    asked = {"name": table.name, "clientId": "my phone"}
    async with stream(way, home, table.tokens[0], **asked) as first:
        await take(first, 1)
        async with (
            stream(way, home, table.tokens[0], **asked) as second,
            stream(way, home, table.tokens[1], **asked) as other,
        ):
            await take(second, 1)
            await take(other, 1)
            refused = await ending(first)
            assert (refused.code, refused.reason) == ("ABORTED", "SUPERSEDED")
            await table.move()
            assert [version_of(message) for message in await take(second, 1) + await take(other, 1)] == [2, 2]


async def test_a_stream_is_superseded_across_processes(way: str, home: House, store_url: str) -> None:
    async with house(store_url, [GAME], transport=transport_of(way)) as other, deal(home) as table:
        other.credentials.replace(home.keys)
        asked = {"name": table.name, "clientId": "a tab"}
        async with stream(way, home, table.tokens[0], **asked) as first:
            await take(first, 1)
            async with stream(way, other, table.tokens[0], **asked) as second:
                await take(second, 1)
                assert (await ending(first)).reason == "SUPERSEDED"
                # What one process commits, the other's watchers hear.
                await table.move()
                assert version_of((await take(second, 1))[0]) == 2


async def test_whoever_goes_away_leaves_nothing_behind(
    way: str, home: House, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    # No bookmark finds out that nobody reads it.
    monkeypatch.setattr(watch, "BOOKMARK_SECONDS", 1000)
    async with stream(way, home, table.tokens[0], name=table.name, clientId="x") as messages:
        await take(messages, 1)
        assert streams_of(home) == 1
    await until_async(lambda: streams_of(home) == 0, "the place is free")
    store: Any = home.app._store
    await until_async(lambda: store._wake.channels == 0, "nobody listens")
    await until_async(lambda: _logged(home), "it is logged")
    (line,) = _logged(home)
    assert (line["rpc"], line["reason"], line["messages"]) == ("WatchGame", "CANCELLED", 1)
    assert (line["game"], line["seat"], line["version"]) == (table.name.removeprefix("games/"), 0, 1)
    assert 'rookery_streams{rpc="WatchGame"' in home.metrics.page().decode()
    assert "} 0.0" in next(row for row in home.metrics.page().decode().splitlines() if "rookery_streams{" in row)


def _logged(home: House) -> list[dict[str, Any]]:
    lines = map(json.loads, home.log.getvalue().splitlines())
    return [line for line in lines if line.get("rpc") == "WatchGame"]


async def test_a_connection_that_breaks_under_a_write_ends_the_stream_as_any_cancelled_one() -> None:
    closed = asyncio.Event()

    class Handler:
        async def stream(self, *_: Any) -> AsyncIterator[bytes]:
            try:
                while True:
                    yield b"message"
            finally:
                closed.set()

    class Context:
        def invocation_metadata(self) -> tuple[()]:
            return ()

        async def write(self, _: bytes) -> None:
            raise grpc.aio.InternalError("Failed grpc_call_start_batch")

    with pytest.raises(asyncio.CancelledError):
        await grpc_api._stream("WatchGame", cast("Any", Handler()))(b"", Context())
    assert closed.is_set()


async def test_draining_ends_every_stream_with_a_typed_refusal(way: str, home: House, table: Table) -> None:
    async with stream(way, home, table.tokens[0], name=table.name) as messages:
        await take(messages, 1)
        home.app.draining.set()
        refused = await ending(messages)
        assert (refused.code, refused.reason) == ("UNAVAILABLE", "DRAINING")
        assert refused.detail("RetryInfo") is not None
    async with stream(way, home, table.tokens[0], name=table.name) as messages:
        assert (await ending(messages)).reason == "DRAINING"


async def test_a_bug_in_mid_stream_is_told_as_one_and_nothing_else(
    way: str, home: House, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with stream(way, home, table.tokens[0], name=table.name) as messages:
        await take(messages, 1)

        def broken(*_: object) -> None:
            raise ZeroDivisionError("a secret")

        monkeypatch.setattr(projection, "events_of", broken)
        await table.post(f"{table.name}:issueTokens", seats=[1], revoke=True)
        refused = await ending(messages)
    assert (refused.code, refused.reason) == ("INTERNAL", "INTERNAL")
    assert "secret" not in refused.whole


async def test_a_long_game_is_resumed_in_pieces(way: str, home: House) -> None:
    async with deal(home, seats=2, **rounds(130)) as table:
        await table.move(250)
        async with stream(way, home, table.tokens[0], name=table.name, afterVersion=0) as messages:
            found = await take(messages, table.version)
    assert [version_of(message) for message in found] == list(range(1, table.version + 1))
