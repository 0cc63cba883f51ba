"""The record of a game and its proof: exported, verified offline, and found out when it lies."""

from __future__ import annotations

import copy
import hashlib
import json
import random
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format

from engine.core import UnknownGame, installed
from rookery.v1 import game_service_pb2 as pb
from service.callers import ALL_SCOPES
from service.main import main
from service.verify import NoRecord, NotFair, OtherFormat, verify
from tests.service.client import WAYS, Client
from tests.service.house import House, house
from tests.service.live_games.play import Table, deal
from tests.service.players import refused
from tests.service.pledge import PledgeGame

SEED = bytes(range(32))


async def export(table: Table) -> dict[str, Any]:
    record: dict[str, Any] = (await table.get(f"{table.name}:export"))["export"]
    return record


def rookery(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """The command's exit code and what it says."""
    with pytest.raises(SystemExit) as left:
        main([*arguments])
    said = capsys.readouterr()
    return int(left.value.code or 0), (said.out + said.err).strip()


@pytest.mark.parametrize("game_type", installed().game_types)
async def test_every_game_s_record_proves_itself(plain: House, game_type: str) -> None:
    seats = installed().get(game_type).seat_counts[-1]
    async with deal(plain, game_type, seats, chance=f"{game_type} export") as table:
        for moves in (0, 1, 40, 200):
            await table.move(moves)
            assert verify(installed(), await export(table)) == table.version - 1


async def test_a_record_holds_what_it_says(plain: House) -> None:
    players = [{"displayName": "Ada", "externalId": "u1"}, {}, {}, {}]
    async with deal(plain, "euchre", players=players, seed=b64encode(SEED).decode()) as table:
        await table.move(10)
        await table.post(f"{table.name}:issueTokens", seats=[0], revoke=True)
        record = await export(table)
        fairness = await table.get(f"{table.name}/fairness")
    assert record["seed"] == SEED.hex()
    assert record["commitment"] == fairness["commitment"]
    assert (
        record["commitment"] == hashlib.sha256(b"rookery-fairness-1" + bytes.fromhex(record["salt"]) + SEED).hexdigest()
    )
    assert (record["format"], record["game_type"], record["dealt"]) == (1, "euchre", True)
    assert record["seats"][0] == {"display_name": "Ada", "external_id": "u1"}
    assert [move["version"] for move in record["moves"]] == list(range(2, 12))
    assert len(record["states"]) == 12
    assert record["states"][-1] == record["states"][-2]
    assert type(record["moves"][0]["version"]) is int


async def test_both_transports_export_the_same(plain: House) -> None:
    async with deal(plain, "euchre", 4) as table, plain.rpc() as rpc:
        await table.move(30)
        answer = await rpc.ExportGame(pb.ExportGameRequest(name=table.name))
        record = json_format.MessageToDict(answer)["export"]
        assert record == await export(table)
        # A client's JSON library may write whole numbers as 2.0.
        assert verify(installed(), json.loads(json.dumps(record), parse_int=float)) == 30


async def test_a_game_from_a_position_proves_itself_from_there(plain: House) -> None:
    async with deal(plain, "euchre", 4) as first:
        await first.move(7)
        position = (await export(first))["position"]
    async with deal(plain, "euchre", 4, position=position) as table:
        await table.move(10)
        record = await export(table)
        assert not record["dealt"]
        assert record["start"] == position
        assert verify(installed(), record) == 10


async def test_an_export_needs_its_scope(plain: House) -> None:
    poor = plain.tenant("test", ALL_SCOPES - {"games.export"})
    other = plain.tenant("other")
    async with deal(plain) as table:
        spectator = await table.spectator()
        expected = {
            poor: (403, "SCOPE_MISSING"),
            other: (404, "GAME_NOT_FOUND"),
            table.tokens[0]: (403, "SEAT_FORBIDDEN"),
            spectator: (403, "SEAT_FORBIDDEN"),
        }
        for token, (status, reason) in expected.items():
            async with plain.rest(token) as client:
                answer = await client.get(f"{table.name}:export")
            assert (answer.status_code, answer.json()["error"]["details"][0]["reason"]) == (status, reason)
            assert "seed" not in answer.text


async def test_the_command_says_whether_a_game_was_fair(
    plain: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with deal(plain, "sevens", 3) as table:
        await table.move(12)
        whole = await table.get(f"{table.name}:export")
    for document in (whole, whole["export"]):
        (tmp_path / "game.json").write_text(json.dumps(document))
        code, said = rookery(capsys, "verify", str(tmp_path / "game.json"))
        assert (code, said) == (0, f"{tmp_path}/game.json: fair: 12 moves make every one of its 13 versions")


async def test_the_command_says_what_is_wrong(plain: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with deal(plain, "sevens", 3) as table:
        await table.move(12)
        record = await export(table)
    file = tmp_path / "game.json"
    lies: list[tuple[dict[str, Any], int, str]] = [
        ({"seed": "00" * 32}, 1, "not fair: seed and salt are not those of the commitment"),
        ({"seed": "ab"}, 1, "not fair: seed and salt are not those of the commitment"),
        ({"states": [*record["states"][:5], "00" * 32, *record["states"][6:]]}, 1, "version 6 is another state"),
        ({"format": 2}, 2, "its format is 2, and only 1 is known here"),
        ({"moves": record["moves"][1:]}, 1, "not fair"),
        ({"moves": "all of them"}, 3, "is no record of a game: Expected `array`, got `str` - at `$.moves`"),
        ({"game_type": "chess"}, 2, "game_type 'chess' is not installed here"),
        ({"rules_version": "99.0.0"}, 2, "rules_version '99.0.0' is not installed here"),
    ]
    for lie, code, words in lies:
        file.write_text(json.dumps({"export": record | lie}))
        found, said = rookery(capsys, "verify", str(file))
        assert (found, words in said) == (code, True), said
    for content in (b"{", b"[]", b"{}", b"\x89PNG", b"", b"[" * 100_000):
        file.write_bytes(content)
        found, said = rookery(capsys, "verify", str(file))
        assert (found, f"rookery: {file}: is no record of a game: " in said) == (3, True), said
    found, said = rookery(capsys, "verify", str(tmp_path / "none"))
    assert (found, "No such file" in said) == (2, True)


async def test_no_broken_record_breaks_the_verifier(plain: House) -> None:
    chance = random.Random(7)
    async with deal(plain, "euchre", 4) as table:
        await table.move(20)
        record = await export(table)
    told = 0
    for _ in range(400):
        broken = copy.deepcopy(record)
        _spoil(broken, chance)
        try:
            verify(installed(), broken)
        except (NotFair, NoRecord, OtherFormat, UnknownGame):
            told += 1
    # The rest is what proves nothing: names.
    assert told > 200


def _spoil(value: Any, chance: random.Random) -> None:
    """Change one thing somewhere inside."""
    while True:
        key = chance.choice(list(value)) if isinstance(value, dict) else chance.randrange(len(value))
        inner = value[key]
        if isinstance(inner, dict | list) and inner and chance.random() < 0.8:
            value = inner
            continue
        value[key] = chance.choice([None, -1, 10**12, 1.5, "", "x", [], {}, [None], {"a": 1}, True])
        return


# Fairness


@pytest.mark.parametrize(
    ("policy", "told"),
    [("REVEAL_POLICY_NEVER", False), ("REVEAL_POLICY_UNSPECIFIED", False), ("REVEAL_POLICY_ON_FINISH", True)],
)
async def test_the_seed_is_told_when_the_policy_says_so(plain: House, policy: str, told: bool) -> None:
    async with deal(plain, revealPolicy=policy) as table:
        viewers = [None, *table.tokens, await table.spectator()]
        first = [await table.get(f"{table.name}/fairness", token) for token in viewers]
        assert all(one == first[0] for one in first)
        assert first[0].keys() == {"name", "commitment", "revealPolicy", "entropy"}
        assert first[0]["name"] == f"{table.name}/fairness"
        assert first[0]["revealPolicy"] == policy.replace("UNSPECIFIED", "NEVER")
        record = await export(table)
        await table.move(1000)
        for token in viewers:
            last = await table.get(f"{table.name}/fairness", token)
            assert last["commitment"] == first[0]["commitment"]
            if told:
                assert (last["seed"], last["salt"]) == (record["seed"], record["salt"])
                proof = hashlib.sha256(
                    b"rookery-fairness-1" + bytes.fromhex(last["salt"]) + bytes.fromhex(last["seed"])
                )
                assert proof.hexdigest() == last["commitment"]
            else:
                assert last == first[0]


@pytest.mark.parametrize("way", WAYS[1:])
async def test_fairness_is_found_by_its_own_name(store_url: str, way: str) -> None:
    async with (
        house(store_url, [PledgeGame()], transport=way) as home,
        deal(home) as table,
        Client(way, home) as client,
    ):
        told = await client.call("GetFairness", table.tokens[0], name=table.name)
        assert await client.call("GetFairness", table.tokens[0], name=told["name"]) == told
        for wrong in (f"{told['name']}/fairness", f"{table.name}/", f"{table.name}/view", "/fairness"):
            refusal = await refused(client, "GetFairness", table.tokens[0], name=wrong)
            assert (refusal.reason, refusal.fields) == ("MALFORMED_REQUEST", ["name"])


async def test_an_aborted_game_reveals_nothing(plain: House) -> None:
    async with deal(plain, revealPolicy="REVEAL_POLICY_ON_FINISH") as table:
        before = await table.get(f"{table.name}/fairness")
        await table.post(f"{table.name}:abort")
        assert await table.get(f"{table.name}/fairness") == before
