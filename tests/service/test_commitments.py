"""Fair beyond doubt: the server commits to its seed, then platform and seats give theirs, then the game is dealt."""

from __future__ import annotations

import asyncio
import hashlib
import re
import struct
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
import redis

import service
from engine.core import Rng, installed
from service.errors import Reason, Refusal
from service.redis_keys import note
from service.redis_store import RedisStore
from service.verify import verify
from tests.service.client import WAYS, fresh_id
from tests.service.desk import Desk, branch, desk_at
from tests.service.live import body
from tests.service.players import refused

DAY_MS = 86_400_000
PLAYERS = (b"ada's own", b"", bytes(64))


def given(*entropy: bytes, platform: bytes = b"the platform's") -> dict[str, Any]:
    """A game of Euchre with entropy of the platform and of the first seats."""
    asked = body(4, "euchre", entropy=b64encode(platform).decode())
    for seat, own in zip(asked["seats"], entropy, strict=False):
        seat["entropy"] = b64encode(own).decode()
    return asked


async def committed(desk: Desk) -> dict[str, Any]:
    return await desk.client.call("CreateCommitment", desk.home.key)


async def create(desk: Desk, **request: Any) -> dict[str, Any]:
    return await desk.client.call("CreateGame", desk.home.key, **request)


async def reason(desk: Desk, **request: Any) -> str:
    return (await refused(desk.client, "CreateGame", desk.home.key, **request)).reason


async def export(desk: Desk, made: dict[str, Any]) -> dict[str, Any]:
    record: dict[str, Any] = (await desk.client.call("ExportGame", desk.home.key, name=made["game"]["name"]))["export"]
    return record


def mixed(seed: bytes, *entropy: tuple[int, bytes]) -> bytes:
    """The seed of the generator as the documentation says, written a second time."""
    parts = (struct.pack(">iI", who, len(own)) + own for who, own in entropy)
    return hashlib.sha256(b"rookery-entropy-1" + seed + b"".join(parts)).digest()


async def test_the_honest_order(desk: Desk) -> None:
    """Commitment, entropy, game: what was told before is what the game has, and it decides the deal."""
    promise = await committed(desk)
    assert promise["name"].startswith("commitments/")
    assert promise["expireTime"] == "2027-01-16T08:00:00Z"
    made = await create(desk, commitment=promise["name"], **given(*PLAYERS))
    name = made["game"]["name"]
    told = [
        await desk.client.call("GetFairness", token["token"], name=name)
        for token in ({"token": desk.home.key}, *made["seatTokens"])
    ]
    assert all(one == told[0] for one in told)
    assert told[0]["commitment"] == promise["commitment"]
    assert told[0]["entropy"] == [
        {"entropy": b"the platform's".hex()},
        {"seat": 0, "entropy": PLAYERS[0].hex()},
        {"seat": 2, "entropy": PLAYERS[2].hex()},
    ]
    record = await export(desk, made)
    seed = bytes.fromhex(record["seed"])
    chance = mixed(seed, (-1, b"the platform's"), (0, PLAYERS[0]), (2, PLAYERS[2]))
    assert record["draws"][0]["draws"][0] == [4, Rng(chance, 0).below(4)]
    assert record["commitment"] == promise["commitment"]
    assert verify(installed(), record) == 0


async def test_what_is_drawn_later_is_mixed_too(desk: Desk) -> None:
    """One seed, four lots of entropy: four decks, each of them proved; and the past is as it was."""
    lots: list[dict[str, Any]] = [
        body(2, "pledge"),
        body(2, "pledge", entropy="YQ=="),
        {**body(2, "pledge"), "seats": [{"entropy": "YQ=="}, {}]},
        {**body(2, "pledge"), "seats": [{}, {"entropy": "YQ=="}]},
    ]
    drawn = set()
    for lot in lots:
        made = await create(desk, seed=b64encode(bytes(32)).decode(), **lot)
        for token in made["seatTokens"]:
            view = await desk.client.call("GetView", token["token"], name=made["game"]["name"])
            decision = view["decision"]["decisionId"]
            await desk.client.call(
                "SubmitMove", token["token"], name=made["game"]["name"], decisionId=decision, offerId="pledge:1"
            )
        record = await export(desk, made)
        assert [entry["step"] for entry in record["draws"]] == [0, 2]
        drawn.add(str(record["draws"]))
        past = await desk.client.call("GetView", desk.home.key, name=made["game"]["name"], seat=0, version=3)
        assert past["plugin"]["round"] == 2
    assert len(drawn) == len(lots)


async def test_a_fork_has_entropy_of_its_own(desk: Desk) -> None:
    made = await create(desk, **given(b"a"))
    asked = given(b"b", b"c")["seats"]
    fork = await desk.client.call("ForkGame", desk.home.key, name=made["game"]["name"], seat=0, seats=asked)
    record = await export(desk, fork)
    assert record["entropy"] == [{"seat": 0, "entropy": b"b".hex()}, {"seat": 1, "entropy": b"c".hex()}]
    assert verify(installed(), record) == 0
    asked[3]["entropy"] = b64encode(bytes(65)).decode()
    no = await refused(desk.client, "ForkGame", desk.home.key, name=made["game"]["name"], seat=0, seats=asked)
    assert (no.reason, no.fields) == ("MALFORMED_REQUEST", ["seats[3].entropy"])


def test_no_chance_of_a_game_comes_from_the_bare_seed() -> None:
    """Wherever the service draws, it draws from the mixture: a game without entropy would not notice."""
    sources = {path.name: path.read_text() for path in Path(service.__file__).parent.glob("*.py")}
    assert [name for name, text in sources.items() if re.search(r"\bRng\([^)]*\.seed\b", text)] == []
    assert sum("chance_seed(" in text for text in sources.values()) > 4


async def test_a_game_begins_without_any_entropy_as_ever(desk: Desk) -> None:
    promise = await committed(desk)
    record = await export(desk, await create(desk, commitment=promise["name"], **body(4, "euchre")))
    assert record["entropy"] == []
    assert record["draws"][0]["draws"][0] == [4, Rng(bytes.fromhex(record["seed"]), 0).below(4)]
    assert verify(installed(), record) == 0


# One commitment, one game


@pytest.mark.parametrize("named", [False, True], ids=["without", "with a request id"])
async def test_the_same_request_again_gives_the_same_game(desk: Desk, named: bool, store_url: str) -> None:
    promise = await committed(desk)
    request = {"commitment": promise["name"], "requestId": fresh_id() if named else "", **given(*PLAYERS)}
    first = await create(desk, **request)
    desk.clock.seconds += 1
    assert await create(desk, **request) == first
    # Once more when the day is over in which the commitment would have waited.
    note_of(store_url, promise, "claim").delete()
    assert await create(desk, **request) == first


async def test_another_request_is_refused(desk: Desk) -> None:
    promise = await committed(desk)
    request = {"commitment": promise["name"], **given(*PLAYERS)}
    first = await create(desk, **request)
    others: tuple[dict[str, Any], ...] = (
        given(b"other"),
        given(*PLAYERS, platform=b"other"),
        {**given(*PLAYERS), "keep": "3600s"},
        {**given(*PLAYERS), "requestId": fresh_id()},
        body(3, "pledge"),
    )
    for other in others:
        no = await refused(desk.client, "CreateGame", desk.home.key, commitment=promise["name"], **other)
        assert (no.code, no.reason, no.http or 400) == ("FAILED_PRECONDITION", "COMMITMENT_USED", 400)
    assert await create(desk, **request) == first
    # A game that was deleted is not made again, nor is another one.
    await desk.client.call("DeleteGame", desk.home.key, name=first["game"]["name"])
    assert await reason(desk, **request) == "COMMITMENT_USED"
    assert await reason(desk, commitment=promise["name"], **given(b"other")) == "COMMITMENT_USED"


async def test_a_request_id_stands_for_one_request_with_a_commitment_too(desk: Desk) -> None:
    request_id = fresh_id()
    one, two = await committed(desk), await committed(desk)
    first = await create(desk, requestId=request_id, commitment=one["name"], **given(b"a"))
    assert await reason(desk, requestId=request_id, commitment=two["name"], **given(b"a")) == "REQUEST_ID_REUSED"
    assert await reason(desk, requestId=request_id, **given(b"a")) == "REQUEST_ID_REUSED"
    assert await create(desk, requestId=request_id, commitment=one["name"], **given(b"a")) == first


@pytest.mark.parametrize("way", WAYS)
async def test_of_all_who_race_one_makes_the_game(way: str, store_url: str) -> None:
    """Through two processes: the same request sixteen times, and eight different ones."""
    async with desk_at(store_url, way) as desk, branch(desk, store_url, way) as elsewhere:
        for _ in range(4):
            promise = await committed(desk)
            same = {"commitment": promise["name"], **body(3, "pledge", entropy="YQ==")}
            clients = [desk.client, elsewhere] * 8
            many = await asyncio.gather(*(client.call("CreateGame", desk.home.key, **same) for client in clients))
            assert all(answer == many[0] for answer in many)

            promise = await committed(desk)
            requests = [
                {"commitment": promise["name"], "requestId": fresh_id() if i % 2 else "", **body(3, "pledge")}
                | {"annotations": {"table": str(i)}}
                for i in range(8)
            ]
            clients = [desk.client, elsewhere] * 4
            outcomes = await asyncio.gather(
                *(
                    client.call("CreateGame", desk.home.key, **request)
                    for client, request in zip(clients, requests, strict=True)
                ),
                return_exceptions=True,
            )
            made = [outcome for outcome in outcomes if isinstance(outcome, dict)]
            reasons = {getattr(outcome, "reason", "") for outcome in outcomes if not isinstance(outcome, dict)}
            assert (len(made), reasons) == (1, {"COMMITMENT_USED"})


async def test_a_store_that_fails_in_between_leaves_the_commitment_to_the_same_request(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    promise = await committed(desk)
    request = {"commitment": promise["name"], **given(*PLAYERS)}

    async def fails(*_: Any, **__: Any) -> None:
        raise Refusal(Reason.STORE_UNAVAILABLE, "gone", retry_after=1)

    with monkeypatch.context() as patch:
        patch.setattr(RedisStore, "create", fails)
        assert await reason(desk, **request) == "STORE_UNAVAILABLE"
    assert await reason(desk, commitment=promise["name"], **given(b"other")) == "COMMITMENT_USED"
    made = await create(desk, **request)
    assert (await export(desk, made))["commitment"] == promise["commitment"]


async def test_a_request_that_is_wrong_uses_nothing_up(desk: Desk) -> None:
    promise = await committed(desk)
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        (body(3, "euchre"), "INVALID_OPTIONS"),
        (body(4, "chess"), "INVALID_OPTIONS"),
        (given(bytes(65)), "MALFORMED_REQUEST"),
        ({"seed": b64encode(bytes(32)).decode(), **given()}, "INVALID_OPTIONS"),
    )
    for request, why in wrong:
        assert await reason(desk, commitment=promise["name"], **request) == why
    made = await create(desk, commitment=promise["name"], **given())
    assert (await export(desk, made))["commitment"] == promise["commitment"]


# Commitments that are not there


async def test_a_commitment_of_nobody_of_another_or_of_yesterday(desk: Desk, store_url: str) -> None:
    promise = await committed(desk)
    stranger = desk.home.tenant("stranger")
    for key, name in ((desk.home.key, f"commitments/{'a' * 26}"), (stranger, promise["name"])):
        no = await refused(desk.client, "CreateGame", key, commitment=name, **given())
        assert (no.code, no.reason, no.http or 404) == ("NOT_FOUND", "COMMITMENT_NOT_FOUND", 404)
    # It waits for a day.
    seed = note_of(store_url, promise, "seed")
    assert DAY_MS - 600_000 < seed.life <= DAY_MS
    seed.delete()
    assert await reason(desk, commitment=promise["name"], **given()) == "COMMITMENT_NOT_FOUND"


async def test_the_seed_waits_no_longer_than_for_its_game(desk: Desk, store_url: str) -> None:
    promise = await committed(desk)
    assert note_of(store_url, promise, "seed").life > 0
    await create(desk, commitment=promise["name"], **given())
    assert note_of(store_url, promise, "seed").life < 0
    # What the commitment was used for is known longer than it could have been used.
    assert note_of(store_url, promise, "claim").life > DAY_MS


class Note:
    """What the store keeps of a commitment."""

    def __init__(self, url: str, key: str) -> None:
        self._client = redis.Redis.from_url(url)
        self._key = key

    @property
    def life(self) -> int:
        """For how many milliseconds more; negative if it is gone."""
        return int(self._client.pttl(self._key))

    def delete(self) -> None:
        """As if its time had come."""
        self._client.delete(self._key)


def note_of(store_url: str, promise: dict[str, Any], kind: str) -> Note:
    made = promise["name"].removeprefix("commitments/")
    name = f"seed of {made}" if kind == "seed" else f"claim on {made}"
    return Note(store_url, note("test", name))
