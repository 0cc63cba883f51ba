"""Who may do what, with which credential, and until when."""

from __future__ import annotations

import asyncio
import hmac
import subprocess
import sys
from pathlib import Path
from typing import Any

import jwt
import msgspec
import pytest
import redis

from service.callers import ALL_SCOPES
from service.keys import rotate_signing
from tests.service.client import WAYS, Client, Refused, fresh_id, transport_of
from tests.service.desk import START, Desk, desk_at, shown
from tests.service.house import house
from tests.service.live import Live, body
from tests.service.players import Table, refused
from tests.service.pledge import GAME
from tests.service.store.harness import PATIENCE

EVERY_GAME_CALL = ("GetGame", "GetView", "SubmitMove", "IssueTokens", "AbortGame", "DeleteGame")
NO_GAME_CALL = ("ListGames", "CreateGame", "CreateCommitment")
MORE: dict[str, dict[str, Any]] = {
    "GetView": {"seat": 0},
    "SubmitMove": {"seat": 0, "decisionId": "x", "offerId": "pledge:1"},
    "IssueTokens": {"seats": [0]},
}


# What a credential allows


async def test_every_method_wants_its_scope_and_no_other(desk: Desk) -> None:
    """A key with all other scopes is refused; one with that scope alone gets beyond."""
    needed = {
        "CreateCommitment": "games.create",
        "CreateGame": "games.create",
        "IssueTokens": "games.create",
        "DeleteGame": "games.create",
        "GetGame": "games.read",
        "ListGames": "games.read",
        "GetView": "games.read",
        "SubmitMove": "games.act",
        "AbortGame": "games.act",
    }
    for rpc, scope in needed.items():
        named = {} if rpc in NO_GAME_CALL else {"name": desk.name}
        request = {**named, **MORE.get(rpc, {}), **(body(3, "pledge") if rpc == "CreateGame" else {})}
        no = await refused(desk.client, rpc, desk.home.tenant("test", ALL_SCOPES - {scope}), **request)
        assert (no.code, no.reason, no.metadata) == ("PERMISSION_DENIED", "SCOPE_MISSING", {"scope": scope}), rpc
    for rpc, scope in needed.items():
        table = await Table.deal(desk.client, desk.home.key, "pledge", 3)
        named = {} if rpc in NO_GAME_CALL else {"name": table.name}
        request = {**named, **MORE.get(rpc, {}), **(body(3, "pledge") if rpc == "CreateGame" else {})}
        try:
            await desk.client.call(rpc, desk.home.tenant("test", {scope}), **request)
        except Refused as no:
            assert (rpc, no.reason) == ("SubmitMove", "DECISION_STALE")  # noqa: PT017 - most are answered


async def test_tokens_of_the_table_open_nothing_that_is_the_platforms(desk: Desk) -> None:
    for token in (desk.table.tokens[0], desk.watcher):
        for rpc in ("IssueTokens", "AbortGame", "DeleteGame"):
            assert await desk.reason(rpc, token, **MORE.get(rpc, {})) == "SEAT_FORBIDDEN"
        for rpc, more in (("ListGames", {}), ("CreateGame", body(3, "pledge"))):
            assert (await refused(desk.client, rpc, token, **more)).reason == "SEAT_FORBIDDEN"
        assert (await desk.client.call("GetGame", token, name=desk.name))["name"] == desk.name


async def test_tenants_do_not_see_each_other(desk: Desk) -> None:
    """Another tenant's game is no game at all."""
    stranger = desk.home.tenant(f"other{fresh_id()[:8]}")
    for rpc in EVERY_GAME_CALL:
        no = await refused(desk.client, rpc, stranger, name=desk.name, **MORE.get(rpc, {}))
        nothing = await refused(desk.client, rpc, stranger, name=f"games/{'a' * 26}", **MORE.get(rpc, {}))
        assert (no.code, no.reason, no.message) == ("NOT_FOUND", "GAME_NOT_FOUND", nothing.message), rpc
    assert (await desk.client.call("ListGames", stranger))["games"] == []
    made = await desk.client.call("CreateGame", stranger, **body(3, "pledge"))
    listed = await desk.client.call("ListGames", stranger)
    assert [game["name"] for game in listed["games"]] == [made["game"]["name"]]
    mine = await desk.client.call("ListGames", desk.home.key, pageSize=1000)
    assert made["game"]["name"] not in [game["name"] for game in mine["games"]]
    # The same request id of two tenants makes two games.
    request_id = fresh_id()
    games = [
        await desk.client.call("CreateGame", k, requestId=request_id, **body(3, "pledge"))
        for k in (stranger, desk.home.key)
    ]
    assert games[0]["game"]["name"] != games[1]["game"]["name"]


async def test_a_token_is_for_one_game_and_one_seat(desk: Desk) -> None:
    other = await Table.deal(desk.client, desk.home.key, "pledge", 3)
    for token in (desk.table.tokens[0], desk.watcher):
        for rpc in ("GetGame", "GetView", "SubmitMove"):
            more = {"decisionId": "x", "offerId": "x"} if rpc == "SubmitMove" else {}
            no = await refused(desk.client, rpc, token, name=other.name, **more)
            assert (no.code, no.reason) == ("PERMISSION_DENIED", "TOKEN_WRONG_GAME")
            # Whether there is such a game is not the token's to learn.
            nothing = await refused(desk.client, rpc, token, name=f"games/{'a' * 26}", **more)
            assert (
                nothing.whole.replace("a" * 26, "") == no.whole.replace("a" * 26, "") or nothing.message == no.message
            )
    mine = {"decisionId": (await desk.view(desk.table.tokens[0]))["decision"]["decisionId"], "offerId": "pledge:1"}
    assert await desk.reason("GetView", desk.table.tokens[0], seat=1) == "SEAT_FORBIDDEN"
    assert await desk.reason("GetView", desk.table.tokens[0], spectator=True) == "SEAT_FORBIDDEN"
    assert await desk.reason("SubmitMove", desk.table.tokens[0], seat=1, **mine) == "SEAT_FORBIDDEN"
    assert await desk.reason("SubmitMove", desk.watcher, **mine) == "SEAT_FORBIDDEN"
    assert await desk.reason("SubmitMove", desk.watcher, seat=0, **mine) == "SEAT_FORBIDDEN"
    assert await desk.reason("GetView", desk.watcher, seat=0) == "SEAT_FORBIDDEN"
    # Its own seat may be named.
    assert (await desk.view(desk.table.tokens[0], seat=0))["viewer"] == {"seat": 0}
    assert (await desk.view(desk.watcher, spectator=True))["viewer"] == {"spectator": True}


async def test_a_platform_names_the_viewer(desk: Desk) -> None:
    """No viewer is an error, not omniscience."""
    key = desk.home.key
    assert await desk.reason("GetView", key) == "MALFORMED_REQUEST"
    assert await desk.reason("GetView", key, seat=0, spectator=True) == "MALFORMED_REQUEST"
    assert await desk.reason("GetView", key, seat=3) == "MALFORMED_REQUEST"
    assert await desk.reason("GetView", key, seat=-1) == "MALFORMED_REQUEST"
    assert await desk.reason("SubmitMove", key, decisionId="x", offerId="x") == "MALFORMED_REQUEST"
    assert (await desk.view(key, seat=2))["viewer"] == {"seat": 2}


async def test_spectators_off(desk: Desk) -> None:
    made = await desk.client.call("CreateGame", desk.home.key, spectatorsOff=True, **body(3, "pledge"))
    name = made["game"]["name"]
    token = desk.home.credentials.spectator_token("test", name.removeprefix("games/"), 0, START + 1000)
    off = ("PERMISSION_DENIED", "SPECTATORS_OFF")
    for rpc, who, more in (
        ("IssueTokens", desk.home.key, {"spectator": True}),
        ("IssueTokens", desk.home.key, {"spectator": True, "revoke": True}),
        ("GetView", desk.home.key, {"spectator": True}),
        ("GetView", token, {}),
        ("GetGame", token, {}),
    ):
        no = await refused(desk.client, rpc, who, name=name, **more)
        assert (no.code, no.reason) == off, rpc


# When a credential ends


async def test_a_missing_credential(desk: Desk) -> None:
    for rpc in (*EVERY_GAME_CALL, *NO_GAME_CALL):
        named = {} if rpc in NO_GAME_CALL else {"name": desk.name}
        no = await refused(desk.client, rpc, None, **named)
        assert (no.code, no.reason) == ("UNAUTHENTICATED", "TOKEN_MISSING")
        assert no.http in (None, 401)
    assert (await desk.client.call("ListGameTypes", None))["gameTypes"]
    assert (await desk.client.call("GetGameType", None, name="gameTypes/pledge"))["name"] == "gameTypes/pledge"


async def test_tokens_expire(desk: Desk) -> None:
    short = await desk.issue(seats=[1], spectator=True, ttl="60s")
    seat, watcher = short["seatTokens"][0], short["spectatorToken"]
    assert seat["expireTime"] == watcher["expireTime"] == "2027-01-15T08:01:00Z"
    desk.clock.seconds += 59
    # Seen and remembered; and still the clock decides.
    assert (await desk.view(seat["token"]))["viewer"] == {"seat": 1}
    assert (await desk.view(watcher["token"]))["viewer"] == {"spectator": True}
    desk.clock.seconds += 1
    for token in (seat["token"], watcher["token"]):
        no = await refused(desk.client, "GetView", token, name=desk.name)
        assert (no.code, no.reason) == ("UNAUTHENTICATED", "TOKEN_EXPIRED")
    assert (await desk.view(desk.table.tokens[1]))["viewer"] == {"seat": 1}
    desk.clock.seconds += 90 * 86_400
    assert await desk.reason("GetView", desk.table.tokens[1]) == "TOKEN_EXPIRED"
    for ttl in ("59s", "0s", "-1s", "31622401s"):
        assert await desk.reason("IssueTokens", desk.home.key, seats=[0], ttl=ttl) == "MALFORMED_REQUEST"


async def test_revoked_tokens_end_and_the_new_ones_serve(desk: Desk) -> None:
    old = desk.table.tokens
    await desk.view(old[0])
    issued = await desk.issue(seats=[0], spectator=True, revoke=True)
    for token, rpc in ((old[0], "GetView"), (old[0], "GetGame"), (old[0], "SubmitMove"), (desk.watcher, "GetView")):
        more = {"decisionId": "x", "offerId": "x"} if rpc == "SubmitMove" else {}
        no = await refused(desk.client, rpc, token, name=desk.name, **more)
        assert (no.code, no.reason) == ("UNAUTHENTICATED", "TOKEN_REVOKED")
    new = issued["seatTokens"][0]["token"]
    view = await desk.view(new)
    assert (view["viewer"], view["version"]) == ({"seat": 0}, 2)
    assert (await desk.view(issued["spectatorToken"]["token"]))["viewer"] == {"spectator": True}
    # The other seats' stay, and so does the question to them.
    assert (await desk.view(old[1]))["viewer"] == {"seat": 1}


async def test_tokens_end_with_their_game_though_another_one_has_its_name(desk: Desk, store_url: str) -> None:
    """A request id that comes again when its game has expired makes a game of the same name, for other people."""
    request = {"requestId": fresh_id(), **body(3, "pledge")}
    first = await desk.client.call("CreateGame", desk.home.key, **request)
    name = first["game"]["name"]
    seat = first["seatTokens"][0]["token"]
    issued = await desk.client.call("IssueTokens", desk.home.key, name=name, seats=[1], spectator=True)
    old = [seat, issued["seatTokens"][0]["token"], issued["spectatorToken"]["token"]]
    for token in old:
        assert await desk.client.call("GetView", token, name=name)
    with redis.Redis.from_url(store_url) as admin:
        admin.delete(*admin.keys(f"*{name.removeprefix('games/')}*"))
    desk.clock.seconds += 1

    again = await desk.client.call("CreateGame", desk.home.key, **request)
    assert again["game"]["name"] == name
    for token in old:
        assert await desk.reason("GetView", token, name=name) == "TOKEN_REVOKED"
    assert await desk.client.call("GetView", again["seatTokens"][0]["token"], name=name)


async def test_a_poll_ends_with_its_token(desk: Desk) -> None:
    poll = asyncio.create_task(
        refused(desk.client, "GetView", desk.table.tokens[0], name=desk.name, newerThan=1, wait="30s")
    )
    await asyncio.sleep(0)
    await desk.issue(seats=[0], revoke=True)
    assert (await poll).reason == "TOKEN_REVOKED"


@pytest.mark.parametrize("way", WAYS)
async def test_a_revocation_by_another_process(way: str, store_url: str) -> None:
    """The second process has the game in memory, from before; it refuses the old token and takes the new one."""
    async with (
        desk_at(store_url, way) as desk,
        house(store_url, [GAME], transport=transport_of(way), clock_us=desk.clock) as other,
    ):
        other.credentials.replace(desk.home.keys)
        async with Client(way, other) as elsewhere:
            for how in ("SubmitMove", "GetView", "GetGame"):
                table = await Table.deal(desk.client, desk.home.key, "pledge", 3)
                table.client = elsewhere
                asked = (await table.view(0))["decision"]["decisionId"]
                first = (await table.view(1))["decision"]["decisionId"]
                await table.submit(1, first, "pledge:1")
                issued = await desk.client.call("IssueTokens", desk.home.key, name=table.name, seats=[0], revoke=True)
                more = {"decisionId": asked, "offerId": "pledge:1"} if how == "SubmitMove" else {}
                # The new one first: nothing else has told the other process by then.
                answer = await elsewhere.call(how, issued["seatTokens"][0]["token"], name=table.name, **more)
                assert answer.get("committedVersion", 4) == 4
                no = await refused(elsewhere, how, table.tokens[0], name=table.name, **more)
                assert no.reason == "TOKEN_REVOKED"


# Our own keys


async def test_signing_keys_rotate(desk: Desk) -> None:
    """After one rotation old tokens still serve; after the next one they do not."""
    old = desk.table.tokens[0]
    request = {"requestId": fresh_id(), **body(3, "pledge")}
    made = await desk.client.call("CreateGame", desk.home.key, **request)
    desk.home.keys = rotate_signing(desk.home.keys)
    desk.home.credentials.replace(desk.home.keys)
    new = (await desk.issue(seats=[0]))["seatTokens"][0]["token"]
    assert jwt.get_unverified_header(new)["kid"] != jwt.get_unverified_header(old)["kid"]
    for token in (old, new):
        assert (await desk.view(token))["viewer"] == {"seat": 0}
    # A replay gives tokens that serve from now on, not the ones about to end.
    again = await desk.client.call("CreateGame", desk.home.key, **request)
    assert again["game"] == made["game"]
    desk.home.keys = rotate_signing(desk.home.keys)
    desk.home.credentials.replace(desk.home.keys)
    assert await desk.reason("GetView", old) == "TOKEN_INVALID"
    assert (await desk.view(new))["viewer"] == {"seat": 0}
    replayed = await desk.client.call("GetView", again["seatTokens"][0]["token"], name=again["game"]["name"])
    assert replayed["viewer"] == {"seat": 0}


async def test_a_revoked_platform_key_ends(desk: Desk) -> None:
    key = desk.home.tenant("test")
    assert (await desk.client.call("GetGame", key, name=desk.name))["version"] == 1
    platforms = tuple(known for known in desk.home.keys.platforms if known.id != key.split("_")[1])
    desk.home.credentials.replace(msgspec.structs.replace(desk.home.keys, platforms=platforms))
    assert await desk.reason("GetGame", key) == "TOKEN_INVALID"


async def test_secrets_are_compared_in_constant_time(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[Any, Any]] = []
    compare = hmac.compare_digest

    def watched(a: Any, b: Any) -> bool:
        compared.append((a, b))
        return compare(a, b)

    monkeypatch.setattr(hmac, "compare_digest", watched)
    assert await desk.reason("GetGame", desk.home.key + "x") == "TOKEN_INVALID"
    assert len(compared) == 1
    assert await desk.reason("GetGame", desk.table.tokens[0] + "x") == "TOKEN_INVALID"
    assert len(compared) == 2


def keys_command(file: Path, *words: str) -> str:
    command = [sys.executable, "-m", "service.main", "keys", *words, "--keys-file", str(file)]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE).stdout


@pytest.fixture
def keys_file(tmp_path: Path) -> Path:
    return tmp_path / "keys.json"


async def test_the_keys_file_is_read_again_while_the_server_runs(tmp_path: Path, keys_file: Path) -> None:
    first = keys_command(keys_file, "create", "--tenant", "one").strip()
    with Live(tmp_path, "--keys-file", str(keys_file)) as live:
        async with Client("rest", live) as client:
            await client.call("ListGames", first)
            second = keys_command(keys_file, "create", "--tenant", "two").strip()
            await until_answer(client, second, "OK")
            made = await client.call("CreateGame", second, **body(4, "euchre"))
            # Half a file, as an editor may leave it, changes nothing.
            whole = keys_file.read_bytes()  # noqa: ASYNC240 - a small file
            keys_file.write_bytes(whole[:40])  # noqa: ASYNC240
            await until_logged(live, "keys_unreadable")
            await client.call("ListGames", second)
            keys_file.write_bytes(whole)  # noqa: ASYNC240
            keys_command(keys_file, "revoke", second.split("_")[1])
            await until_answer(client, second, "TOKEN_INVALID")
            await client.call("ListGames", first)
            seat = made["seatTokens"][0]["token"]
            for _ in range(2):
                keys_command(keys_file, "rotate")
            await until_answer(client, seat, "TOKEN_INVALID", "GetView", name=made["game"]["name"])
        assert live.stop() == 0
        log = live.log.read_text()
        for secret in (first, second, seat):
            assert not shown(secret, log)


async def until_answer(client: Client, key: str, wanted: str, rpc: str = "ListGames", **request: Any) -> None:
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                await client.call(rpc, key, **request)
                answer = "OK"
            except Refused as no:
                answer = no.reason
            if answer == wanted:
                return
            await asyncio.sleep(0.05)


async def until_logged(live: Live, word: str) -> None:
    async with asyncio.timeout(PATIENCE):
        while word not in live.log.read_text():  # noqa: ASYNC110 - a file has no event
            await asyncio.sleep(0.05)
