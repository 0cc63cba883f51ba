"""What the clocks do, looked at round by round; and what they do not: act twice, act early, stop for one bad game."""

from __future__ import annotations

import asyncio
import time
from datetime import datetime
from typing import Any

import pytest
import redis.asyncio

from engine.core import Registry, Rng, play, write_position
from service.redis_keys import SHARDS, due
from service.redis_store import RedisStore
from service.sweep import LOOK_SECONDS
from service.verify import verify
from tests.service.client import Client
from tests.service.clocks.rounds import BOT, MOVE, RESIGN, ROSES, SECOND, SEVENS, Rounds, rounds, until_over
from tests.service.house import house
from tests.service.players import history, refused

SEED = "c2VlZHNlZWRzZWVkc2VlZHNlZWRzZWVkc2VlZHNlZWQ="
RAW_SEED = b"seed" * 8


async def waiting(url: str) -> int:
    """How many games are on the clocks' list."""
    async with redis.asyncio.Redis.from_url(url) as admin:
        found = [await admin.zcard(due(shard)) for shard in SHARDS]
    return sum(found)


async def test_the_clock_plays_the_move_that_every_decision_announces(own_url: str) -> None:
    async with rounds(own_url) as made:
        table = await made.deal("sevens", clock=SECOND, seed=SEED)
        seat = table.awaiting[0]
        announced = (await table.view(seat))["decision"]["timeoutOfferId"]
        await made.look()
        first = (await made.events(table))[0]
        assert first["timedOut"] == {"onTimeout": MOVE}
        assert (first["seat"], first["version"], first["text"]["key"]) == (seat, 2, "table.timed_out.timeout_move")
        (said,) = await history(own_url, "test", SEVENS, table.name)
        assert said.offers == (announced,)
        await until_over(made, table)


async def test_a_late_answer_is_told_so_and_changes_nothing(own_url: str) -> None:
    async with rounds(own_url) as made:
        table = await made.deal("sevens", clock=SECOND)
        seat = table.awaiting[0]
        decision = (await table.view(seat))["decision"]
        await made.look()
        before = await made.game(table)
        late = {"name": table.name, "decisionId": decision["decisionId"]}
        other = next(o["offerId"] for o in decision["offers"] if o["offerId"] != decision["timeoutOfferId"])
        refusal = await refused(made.client, "SubmitMove", table.tokens[seat], offerId=other, **late)
        assert refusal.reason == "DECISION_ALREADY_ANSWERED"
        same = await made.client.call("SubmitMove", table.tokens[seat], offerId=decision["timeoutOfferId"], **late)
        assert (same["replayed"], same["committedVersion"]) == (True, 2)
        assert await made.game(table) == before
        await until_over(made, table)


async def test_until_the_clock_has_acted_an_answer_counts(own_url: str) -> None:
    async with rounds(own_url) as made:
        table = await made.deal("sevens", clock=SECOND)
        # By the store's time the deadline is long over.
        assert await table.move()
        assert (await made.game(table))["version"] == 2
        assert not [event for event in await made.events(table) if "timedOut" in event]
        await until_over(made, table)


@pytest.mark.parametrize("game_type", ["pledge", "sevens"])
async def test_two_sweepers_on_two_connections_never_act_twice(own_url: str, game_type: str) -> None:
    async with rounds(own_url) as here, rounds(own_url) as there:
        table = await here.deal(game_type, clock=SECOND, seed=SEED)
        async with asyncio.timeout(60):
            while (await here.game(table))["state"] == "GAME_STATE_ACTIVE":
                await asyncio.gather(here.look(), there.look(), here.look(), there.look())
        acted = (await here.actions(), await there.actions())
        game = await here.game(table)
        assert sum(one.get("timeout_move", 0) for one in acted) == game["version"] - 1
        timed = [event["version"] for event in await here.events(table) if "timedOut" in event]
        assert timed == list(range(2, game["version"] + 1))
        assert await waiting(own_url) == 0


async def test_what_the_clocks_play_together_is_what_one_would_play_alone(own_url: str) -> None:
    async with rounds(own_url) as here, rounds(own_url) as there:
        table = await here.deal("sevens", clock=SECOND, seed=SEED)
        while (await here.game(table))["state"] == "GAME_STATE_ACTIVE":
            await asyncio.gather(here.look(), there.look())
        exported = await here.client.call("ExportGame", here.home.key, name=table.name)
    state, ply = SEVENS.setup(SEVENS.options(), 3, Rng(RAW_SEED, 0)), 0
    while SEVENS.prompts(state):
        ply += 1
        seat = SEVENS.prompts(state)[0].seat
        state = play(SEVENS, state, seat, SEVENS.timeout_move(state, seat), Rng(RAW_SEED, ply)).state
    assert len(exported["export"]["moves"]) == ply
    assert exported["export"]["position"] == write_position(SEVENS, state)


async def test_a_bot_takes_over_once_and_if_it_is_silent_the_clock_moves_for_it(own_url: str) -> None:
    async with rounds(own_url) as made:
        table = await made.deal("sevens", clock={**SECOND, "onTimeout": BOT})
        seat = table.awaiting[0]
        decision = (await table.view(seat))["decision"]["decisionId"]
        await made.look()
        game = await made.game(table)
        assert (game["version"], game["seats"][seat]["controller"]) == (2, "CONTROLLER_BOT")
        assert game["seats"][seat]["botLevel"] == "BOT_LEVEL_BASIC"
        # The question stays as it was, and the seat may still answer it.
        view = await table.view(seat)
        assert view["decision"]["decisionId"] == decision
        keys = [event["text"]["key"] for event in await made.events(table)]
        assert keys == ["table.timed_out.bot_takes_over", "table.seat_changed.bot"]
        await made.look()
        assert (await made.events(table))[2]["timedOut"] == {"onTimeout": MOVE}
        await until_over(made, table)
        assert (await made.actions())["bot_takes_over"] == 3


async def test_who_resigns_by_the_clock_is_played_for_and_comes_last(own_url: str) -> None:
    async with rounds(own_url) as made:
        table = await made.deal("sevens", clock={**SECOND, "onTimeout": RESIGN})
        first = table.awaiting[0]
        await made.look()
        game = await made.game(table)
        assert game["seats"][first]["controller"] == "CONTROLLER_RESIGNED"
        assert game["state"] == "GAME_STATE_ACTIVE"
        keys = [event["text"]["key"] for event in await made.events(table)]
        assert keys == ["table.timed_out.resign", "table.seat_changed.resigned"]
        assert "decision" not in await table.view(first)
        game = await until_over(made, table)
        ranks = {place["seat"]: place["rank"] for place in game["result"]["placements"]}
        assert game["result"]["reason"] == "resigned"
        assert sorted(ranks.values()) == [1, 2, 2]
        assert ranks[first] == 2


async def test_the_last_but_one_who_resigns_ends_a_game_of_two(own_url: str) -> None:
    async with rounds(own_url) as made:
        table = await made.deal("pledge", seats=2, clock={**SECOND, "onTimeout": RESIGN})
        await made.look()
        game = await made.game(table)
        assert (game["state"], game["version"], game["awaiting"]) == ("GAME_STATE_FINISHED", 2, [])
        assert [place["rank"] for place in game["result"]["placements"]] == [2, 1]
        assert game["result"]["reason"] == "resigned"
        assert await waiting(own_url) == 0


async def test_nothing_happens_before_its_time_by_the_store_s_time(own_url: str) -> None:
    # This house lives a minute ahead of the store: its clock would act, and the store does not let it.
    ahead = await RedisStore.open(own_url)
    ahead.clocks.now_us = lambda: (time.time_ns() // 1000) + 60_000_000  # type: ignore[method-assign]
    async with (
        house(ahead, [SEVENS], clock_us=lambda: time.time_ns() // 1000 + 30_000_000) as home,
        Client("rest", home) as client,
    ):
        made = Rounds(home, client)
        table = await made.deal("sevens", clock=SECOND)
        assert await made.look() < LOOK_SECONDS
        assert (await made.game(table))["version"] == 1
        assert await made.actions() == {}
        await client.call("DeleteGame", home.key, name=table.name)
    await ahead.close()


async def test_a_game_that_cannot_be_opened_stops_no_other_and_is_told_once(own_url: str) -> None:
    async with rounds(own_url) as made, rounds(own_url) as other:
        bad = await made.deal("sevens", clock=SECOND)
        good = await made.deal("sevens", clock=SECOND)
        key = f"rookery:test:{{{bad.name[6]}}}:{bad.name.removeprefix('games/')}:game"
        async with redis.asyncio.Redis.from_url(own_url) as admin:
            was = await admin.hget(key, "live")
            await admin.hset(key, "live", b"\x01nonsense")
            for _ in range(3):
                await other.look()
            assert [(key.game, why) for key, why in other.told] == [(bad.name.removeprefix("games/"), "INTERNAL")]
            assert (await other.game(good))["version"] == 4
            await admin.hset(key, "live", was)
        # Whoever can open it goes on with it.
        await until_over(made, bad)
        await until_over(made, good)


async def test_a_game_that_is_gone_leaves_the_list(own_url: str) -> None:
    async with rounds(own_url) as made:
        table = await made.deal("sevens", clock=SECOND)
        assert await waiting(own_url) == 1
        async with redis.asyncio.Redis.from_url(own_url) as admin:
            key = f"rookery:test:{{{table.name[6]}}}:{table.name.removeprefix('games/')}:game"
            await admin.delete(key)
        await made.look()
        assert await waiting(own_url) == 0
        assert made.told == []


async def test_what_is_over_or_aborted_or_deleted_is_on_no_list(own_url: str) -> None:
    async with rounds(own_url) as made:
        finished, aborted, deleted = [await made.deal("sevens", clock=SECOND) for _ in range(3)]
        await made.client.call("AbortGame", made.home.key, name=aborted.name)
        await made.client.call("DeleteGame", made.home.key, name=deleted.name)
        assert await waiting(own_url) == 1
        await until_over(made, finished)
        assert await waiting(own_url) == 0


async def test_a_game_lives_until_its_clock_has_acted_however_soon_it_is_forgotten_then(own_url: str) -> None:
    now = time.time_ns() // 1_000_000 * 1000
    async with rounds(own_url, clock_us=lambda: now) as made, redis.asyncio.Redis.from_url(own_url) as admin:
        hour = await made.deal("sevens", clock={"perDecision": "3600s"}, keep="60s")
        key = f"rookery:test:{{{hour.name[6]}}}:{hour.name.removeprefix('games/')}:game"
        for _ in range(2):
            assert 3_600_000 < await admin.pttl(key) <= 3_660_000
            assert span(await made.game(hour)) == 3660
            await hour.move()
        await made.client.call("AbortGame", made.home.key, name=hour.name)
        assert await admin.pttl(key) <= 60_000
        assert span(await made.game(hour)) == 60
        assert span(await made.game(await made.deal("sevens", keep="60s"))) == 60


def span(game: dict[str, Any]) -> float:
    """The seconds that a game will be kept after its last commit."""
    expires, updated = (datetime.fromisoformat(game[name]) for name in ("expireTime", "updateTime"))
    return (expires - updated).total_seconds()


async def test_a_game_without_a_clock_is_never_looked_at(own_url: str) -> None:
    async with rounds(own_url) as made:
        table = await made.deal("sevens")
        assert await waiting(own_url) == 0
        view = await made.view(table)
        assert "deadline" not in view["awaiting"][0]
        assert view["clocks"] == []
        assert "clock" not in await made.game(table)


async def test_deadlines_and_time_left_are_told_to_all_alike_and_not_of_the_past(own_url: str) -> None:
    clock = {"perDecision": "10s", "perGame": "60s"}
    async with rounds(own_url) as made:
        table = await made.deal("sevens", clock=clock)
        game = await made.game(table)
        assert game["clock"] == {**clock, "onTimeout": MOVE}
        seat = table.awaiting[0]
        own, spectator = await table.view(seat), await made.view(table)
        assert own["decision"]["deadline"] == own["awaiting"][0]["deadline"] == game["awaiting"][0]["deadline"]
        assert spectator["awaiting"] == own["awaiting"]
        assert own["clocks"] == spectator["clocks"] == [{"seat": i, "timeLeft": "60s"} for i in range(3)]
        past = await made.view(table, spectator="true", version=1)
        assert "deadline" not in past["awaiting"][0]
        assert past["clocks"] == []
        await until_over(made, table)


async def test_the_time_told_is_the_store_s_and_goes_on_from_the_last_measurement(own_url: str) -> None:
    store = await RedisStore.open(own_url)
    told = 5_000_000

    async def ask(*command: object) -> object:
        assert command == ("TIME",)
        return [b"%d" % told, b"250000"]

    store._talk.ask = ask  # type: ignore[method-assign]
    for seconds in (5_000_000, 4_000_000):
        told = seconds
        await store.clocks.measure()
        assert seconds * 1_000_000 + 250_000 <= store.clocks.now_us() < (seconds + 600) * 1_000_000
    await store.close()


async def test_the_clock_s_work_in_a_record_is_verified(own_url: str) -> None:
    async with rounds(own_url) as made:
        table = await made.deal("sevens", clock={**SECOND, "onTimeout": BOT})
        await made.look()
        await made.look()
        await made.seat(table, 0, "RESIGNED")
        await until_over(made, table)
        record = (await made.client.call("ExportGame", made.home.key, name=table.name))["export"]
        moves = record["moves"]
        assert verify(Registry([SEVENS]), record) == sum(len(entry["moves"]) for entry in moves)
        taken = moves[0]
        assert taken["timed_out"] == "BOT_TAKES_OVER"
        assert taken["seats"] == [{"seat": taken["seat"], "controller": "BOT"}]
        assert {"seat": 0, "controller": "RESIGNED"} in [seat for entry in moves for seat in entry.get("seats", ())]
        for version in range(1, int(record["moves"][-1]["version"]) + 1):
            assert (await made.view(table, spectator="true", version=version))["version"] == version


@pytest.mark.parametrize("seats", [3, 4])
async def test_the_clock_never_takes_back_what_the_others_are_asked_about(own_url: str, seats: int) -> None:
    """Proposer and voters of Paint the Roses are asked at the same moment, and all of them are absent."""
    async with rounds(own_url) as made:
        table = await made.deal("paint_the_roses", seats, clock={"perDecision": "1s", "perGame": "60s"}, seed=SEED)
        asked: set[tuple[str, bool]] = set()
        async with asyncio.timeout(100):
            while (game := await made.game(table))["state"] == "GAME_STATE_ACTIVE":
                for waiting_for in game["awaiting"]:
                    asked.add((waiting_for["kind"], "deadline" in waiting_for))
                await made.look()
        said = await history(own_url, "test", ROSES, table.name)
        assert [offer for answer in said for offer in answer.offers if offer.startswith("guess")]
        assert not [offer for answer in said for offer in answer.offers if offer == "withdraw"]
        assert ("withdraw", False) in asked
        assert {kind for kind, hurried in asked if not hurried} == {"withdraw"}
