"""Two rules versions of one game side by side: each game is played on by the rules that it began with."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from engine.core import AnyGame, Registry, installed
from engine.games.sevens import Sevens
from engine.games.sevens.state import Move, Pass, State
from service.main import main
from service.verify import verify
from tests.service.client import WAYS, Client, Refused, fresh_id, transport_of
from tests.service.house import House, house
from tests.service.live import body
from tests.service.old_sevens import OLD
from tests.service.players import refused
from tests.service.pledge import GAME as PLEDGE
from tests.service.pledge import PledgeGame

NEW = installed().get("sevens")
BOTH = (OLD, NEW)
# Whoever is asked in these tests has a card to lay.
SEED = b64encode(bytes(32)).decode()
PASS: dict[str, Any] = {"sevens": {"pass": {}}}


class Service:
    """A service that plays some rules versions, and a client of it."""

    def __init__(self, home: House, client: Client) -> None:
        self.home = home
        self.client = client

    async def create(self, seats: int = 3, **more: Any) -> dict[str, Any]:
        return await self.client.call("CreateGame", self.home.key, **body(seats, "sevens", **more))

    async def refused(self, rpc: str, **request: Any) -> Refused:
        return await refused(self.client, rpc, self.home.key, **request)

    async def view(self, name: str, seat: int, **more: Any) -> dict[str, Any]:
        return await self.client.call("GetView", self.home.key, name=name, seat=seat, **more)

    async def decision(self, name: str) -> tuple[int, dict[str, Any]]:
        """Who is asked, and the question."""
        seat = (await self.client.call("GetGame", self.home.key, name=name))["awaiting"][0].get("seat", 0)
        return seat, (await self.view(name, seat))["decision"]

    async def submit(self, name: str, seat: int, decision: dict[str, Any], **answer: Any) -> dict[str, Any]:
        said = {"decisionId": decision["decisionId"], **answer}
        return await self.client.call("SubmitMove", self.home.key, name=name, seat=seat, **said)

    async def play(self, name: str, moves: int) -> None:
        for _ in range(moves):
            seat, decision = await self.decision(name)
            await self.submit(name, seat, decision, offerId=decision["offers"][0]["offerId"])

    async def export(self, name: str) -> dict[str, Any]:
        record: dict[str, Any] = (await self.client.call("ExportGame", self.home.key, name=name))["export"]
        return record


@asynccontextmanager
async def serving(store_url: str, way: str, *games: AnyGame) -> AsyncIterator[Service]:
    async with house(store_url, games, transport=transport_of(way)) as home, Client(way, home) as client:
        yield Service(home, client)


@asynccontextmanager
async def another(store_url: str, way: str, before: Service, *games: AnyGame) -> AsyncIterator[Service]:
    """Another release on the same store, with the same keys."""
    async with serving(store_url, way, *games) as after:
        after.home.credentials.replace(before.home.keys)
        after.home.key = before.home.key
        yield after


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
async def both(way: str, store_url: str) -> AsyncIterator[Service]:
    async with serving(store_url, way, *BOTH) as service:
        yield service


async def test_both_are_told_and_a_new_game_has_the_newest(both: Service) -> None:
    (listed,) = (await both.client.call("ListGameTypes", None))["gameTypes"]
    assert listed["rulesVersions"] == ["0.9.0", "1.0.0"]
    whole = await both.client.call("GetGameType", None, name="gameTypes/sevens")
    assert whole["rulesVersions"] == ["0.9.0", "1.0.0"]
    made = [(await both.create(rulesVersion=version))["game"] for version in ("", "1.0.0", "0.9.0")]
    assert [game["rulesVersion"] for game in made] == ["1.0.0", "1.0.0", "0.9.0"]
    no = await both.refused("CreateGame", **body(3, "sevens", rulesVersion="0.8.0"))
    assert (no.reason, no.fields) == ("INVALID_OPTIONS", ["rules_version"])


async def test_each_has_its_options_its_seats_and_its_defaults(both: Service) -> None:
    old, new = [(await both.create(rulesVersion=version))["game"] for version in ("0.9.0", "1.0.0")]
    assert old["options"] == {"sevens": {"passLimit": 2}}
    assert new["options"] == {"sevens": {"passLimit": 3, "decks": 1}}
    for version, limit in (("0.9.0", 3), ("1.0.0", 2), ("0.9.0", 0)):
        chosen = {"sevens": {"passLimit": limit}}
        made = (await both.create(rulesVersion=version, options=chosen))["game"]
        assert made["options"]["sevens"]["passLimit"] == limit
        assert (await both.view(made["name"], 0))["sevens"]["options"]["passLimit"] == limit
    two_packs = {"sevens": {"decks": 2}}
    assert (await both.create(options=two_packs))["game"]["options"]["sevens"]["decks"] == 2
    no = await both.refused("CreateGame", **body(3, "sevens", rulesVersion="0.9.0", options=two_packs))
    assert (no.reason, no.fields) == ("INVALID_OPTIONS", ["options.sevens"])
    assert (await both.create(5))["game"]["rulesVersion"] == "1.0.0"
    no = await both.refused("CreateGame", **body(5, "sevens", rulesVersion="0.9.0"))
    assert (no.reason, no.fields) == ("INVALID_OPTIONS", ["seats"])


async def test_each_is_played_by_its_rules(both: Service) -> None:
    """With a card to lay, today's players may pass; those of 0.9.0 may not, and hear which clause says so."""
    old, new = [(await both.create(rulesVersion=version, seed=SEED))["game"]["name"] for version in ("0.9.0", "1.0.0")]
    seat, decision = await both.decision(new)
    assert [offer["offerId"] for offer in decision["offers"]][-1] == "pass"
    assert len(decision["offers"]) > 1
    await both.submit(new, seat, decision, move=PASS)
    seat, decision = await both.decision(old)
    assert "pass" not in [offer["offerId"] for offer in decision["offers"]]
    said = {"name": old, "seat": seat, "decisionId": decision["decisionId"]}
    no = await both.refused("SubmitMove", **said, move=PASS)
    assert (no.reason, no.message) == ("ILLEGAL_MOVE", "answer: You can lay a card, so you must.")
    assert (await both.refused("SubmitMove", **said, offerId="pass")).reason == "ILLEGAL_MOVE"
    # The typed move of an offer is an answer in both.
    done = await both.submit(old, seat, decision, move=decision["offers"][0]["move"])
    assert done["events"][0]["sevens"].keys() == {"cardPlayed"}


async def test_the_record_of_each_is_proved_by_its_own_rules(both: Service) -> None:
    for version, other in (("0.9.0", NEW), ("1.0.0", OLD)):
        name = (await both.create(rulesVersion=version, seed=SEED))["game"]["name"]
        await both.play(name, 12)
        record = await both.export(name)
        assert record["rules_version"] == version
        assert verify(Registry(BOTH), record) == 12
        # A view of the past is played again by those rules too.
        assert (await both.view(name, 0, version=7))["rulesVersion"] == version
        with pytest.raises(Exception, match="rules_version"):
            verify(Registry([other]), record)


class Strict(Sevens):
    """Sevens by the types of today, but whoever can lay a card must: what a release may have had alone."""

    rules_version = "0.9.5"

    def legal_moves(self, state: State, seat: int) -> tuple[Move, ...]:
        moves = super().legal_moves(state, seat)
        return moves if len(moves) == 1 else tuple(move for move in moves if not isinstance(move, Pass))


async def test_a_game_goes_on_by_its_rules_when_newer_ones_come(way: str, store_url: str) -> None:
    strict = Strict()
    async with serving(store_url, way, strict) as before:
        request: dict[str, Any] = {
            "requestId": fresh_id(),
            "seed": SEED,
            "options": {"sevens": {"passLimit": 1, "decks": 1}},
        }
        name = (await before.create(**request))["game"]["name"]
        await before.play(name, 3)
        async with another(store_url, way, before, strict, NEW) as after:
            assert (await after.create())["game"]["rulesVersion"] == "1.0.0"
            # Who says the old request again gets the old game, though a new one would have newer rules.
            assert (await after.create(**request))["game"]["name"] == name
            assert (await after.view(name, 0))["rulesVersion"] == "0.9.5"
            _, decision = await after.decision(name)
            assert "pass" not in [offer["offerId"] for offer in decision["offers"]]
            await after.play(name, 3)
            # Both releases serve it while the one gives way to the other.
            await before.play(name, 3)
            assert verify(Registry((strict, NEW)), await after.export(name)) == 9
            while (game := await after.client.call("GetGame", after.home.key, name=name))["awaiting"]:
                await after.play(name, 1)
            assert (game["state"], game["rulesVersion"]) == ("GAME_STATE_FINISHED", "0.9.5")


async def test_a_game_whose_rules_are_gone_says_so_and_the_others_go_on(way: str, store_url: str) -> None:
    async with serving(store_url, way, *BOTH, PLEDGE) as before:
        gone = (await before.create(rulesVersion="0.9.0"))["game"]["name"]
        there = (await before.create())["game"]["name"]
        async with another(store_url, way, before, NEW, PLEDGE) as after:
            for rpc, more in (
                ("GetGame", {}),
                ("GetView", {"seat": 0}),
                ("SubmitMove", {"seat": 0, "decisionId": "a", "offerId": "pass"}),
                ("GetFairness", {}),
                ("ExportGame", {}),
                ("ListEvents", {"seat": 0}),
                ("AbortGame", {}),
            ):
                no = await after.refused(rpc, name=gone, **more)
                assert (no.code, no.reason) == ("FAILED_PRECONDITION", "RULES_VERSION_UNSUPPORTED"), rpc
            await after.play(there, 4)
            listed = await after.client.call("ListGames", after.home.key, pageSize=1000)
            names = [game["name"] for game in listed["games"]]
            assert there in names
            assert gone not in names
            # It waits for its rules: where they are, it goes on.
            await before.play(gone, 2)
            # And it can be forgotten anywhere.
            await after.client.call("DeleteGame", after.home.key, name=gone)


class Richer(PledgeGame):
    """Pledge with a rule changed that needs no other type: the first round is for two coins at most."""

    rules_version = "1.10.0"

    def legal_moves(self, state: Any, seat: int) -> Any:
        moves = super().legal_moves(state, seat)
        return tuple(move for move in moves if state.round > 1 or getattr(move, "coins", 0) < 3)


async def test_versions_of_a_game_of_another_distribution(way: str, store_url: str) -> None:
    """In the arm for such games too; and 1.10.0 is newer than 1.9.0."""
    nine = type("Nine", (PledgeGame,), {"rules_version": "1.9.0"})()
    async with serving(store_url, way, nine, Richer(), PLEDGE) as service:
        client, key = service.client, service.home.key
        (listed,) = (await client.call("ListGameTypes", None))["gameTypes"]
        assert listed["rulesVersions"] == ["1.0.0", "1.9.0", "1.10.0"]
        offers = []
        for version in ("", "1.9.0", "1.0.0"):
            made = await client.call("CreateGame", key, **body(2, "pledge", rulesVersion=version))
            view = await client.call("GetView", made["seatTokens"][0]["token"], name=made["game"]["name"])
            offers.append([offer["offerId"] for offer in view["decision"]["offers"]])
        assert offers[0] == ["pledge:1", "pledge:2", "peek"]
        assert offers[1] == offers[2] == ["pledge:1", "pledge:2", "pledge:3", "peek"]


def test_the_command_knows_only_what_is_installed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = json.loads((Path(__file__).parents[1] / "golden/exports/sevens-1.0.0-3-seats-whole.json").read_text())
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record | {"rules_version": "0.9.0"}))
    with pytest.raises(SystemExit) as left:
        main(["verify", str(file)])
    assert left.value.code == 2
    assert "rules_version '0.9.0' is not installed here" in capsys.readouterr().err
