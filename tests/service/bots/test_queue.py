"""The queue: everything is given out, to one worker at a time, until it is done."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import msgspec
import pytest

from service import redis_bots
from service.errors import Refusal
from service.redis_bots import BotQueue
from service.redis_keys import BOTS_CHANNEL, Keys, bots
from service.redis_store import RedisStore
from service.store import Errand, GameKey
from tests.service.store.harness import HOUR_MS, PATIENCE, Server, at, now_us, until_async, write

QUICK = 0.05


def game(letter: str) -> GameKey:
    """A game of the letter's shard."""
    return GameKey("tenant", letter * 26)


async def ask(store: RedisStore, key: GameKey) -> None:
    """Make a game that asks a bot."""
    await store.create(
        key, stamp=at(1), meta=b"meta", live=b"live", batch=b"first", rank=now_us(), ttl_ms=HOUR_MS, bots=True
    )


def worker(store: RedisStore, patience: float = PATIENCE) -> BotQueue:
    return BotQueue(store._talk, store._wake, patience)


async def take(queue: BotQueue) -> Errand:
    errand = await queue.take(PATIENCE)
    assert errand is not None
    return errand


def silent(server: Server, worker: BotQueue, errand: Errand, seconds: float) -> None:
    """Let it be so long since the worker took the errand or held it."""
    admin = server.admin()
    idle = int(seconds * 1000)
    admin.xclaim(errand.stream, redis_bots.GROUP, worker.name, 0, [errand.entry], idle=idle, justid=True)


def workers_of(server: Server, letter: str) -> set[bytes]:
    return {facts["name"] for facts in server.admin().xinfo_consumers(bots(letter), redis_bots.GROUP)}


async def test_each_is_given_out_once_and_gone_when_it_is_done(store: RedisStore) -> None:
    for letter in "abc":
        await ask(store, game(letter))
    queues = [worker(store), worker(store)]
    errands = [await take(queues[i % 2]) for i in range(3)]

    assert sorted(errand.key for errand in errands) == [game(letter) for letter in "abc"]
    assert [await queue.take(0.01) for queue in queues] == [None, None]
    assert await store.bots.length() == 3
    for errand in errands:
        # By another worker than the one that holds it, or twice: it is gone all the same.
        await queues[0].done(errand)
        await queues[0].done(errand)
    assert await store.bots.length() == 0


async def test_a_commit_that_asks_a_bot_puts_the_game_in_line_again(store: RedisStore) -> None:
    await ask(store, game("a"))
    await store.bots.done(await take(store.bots))
    await store.commit(write(game("a"), 1))
    assert await store.bots.take(0.01) is None
    await store.commit(msgspec.structs.replace(write(game("a"), 2), bots=True))
    assert (await take(store.bots)).key == game("a")


async def test_who_waits_is_woken(store: RedisStore) -> None:
    with store.bots.attend():
        waiting = asyncio.create_task(store.bots.take(PATIENCE))
        # Until it waits: everything is set up and the queue was looked at.
        await until_async(lambda: bool(store._wake._channels[BOTS_CHANNEL].waiting), "it waits")
        await ask(store, game("a"))
        errand = await waiting
    assert errand is not None
    assert errand.key == game("a")


async def test_what_a_dead_worker_held_is_given_to_another(store: RedisStore) -> None:
    await ask(store, game("a"))
    held = await take(worker(store, QUICK))
    again = await take(worker(store, QUICK))
    assert again == held


async def test_a_worker_that_shows_life_is_not_robbed(store: RedisStore, server: Server) -> None:
    await ask(store, game("a"))
    slow = worker(store)
    errand = await take(slow)
    for _ in range(3):
        silent(server, slow, errand, PATIENCE * 2)
        await slow.hold(errand)
        assert await worker(store).take(0.01) is None
    # And now it shows none.
    silent(server, slow, errand, PATIENCE * 2)
    assert await take(worker(store)) == errand


async def test_a_worker_that_leaves_gives_back_at_once_what_it_holds(store: RedisStore, server: Server) -> None:
    await ask(store, game("a"))
    await ask(store, game("b"))
    leaving = worker(store)
    held = [await take(leaving), await take(leaving)]
    await leaving.done(held[0])
    await leaving.leave()
    assert (await take(worker(store))).key == held[1].key
    # Where it holds nothing it is forgotten; elsewhere it would take along what it holds.
    done = held[0].key.game[0]
    assert leaving.name.encode() not in workers_of(server, done)


async def test_leaving_where_nothing_was_ever_asked(store: RedisStore) -> None:
    await worker(store).leave()
    assert await store.bots.length() == 0


async def test_what_nobody_can_finish_keeps_nobody_waiting(store: RedisStore) -> None:
    await ask(store, game("a"))
    queue = worker(store, QUICK)
    stuck = await take(queue)
    await ask(store, game("b"))
    taken = [await take(queue), await take(queue)]
    assert sorted(errand.key for errand in taken) == [game("a"), game("b")]
    assert stuck.key == game("a")


async def test_what_nobody_can_finish_is_tried_less_and_less_often(store: RedisStore, server: Server) -> None:
    await ask(store, game("a"))
    entry = (await take(worker(store))).entry
    claim: Any = server.admin().xclaim
    for _ in range(3):
        claim(bots("a"), redis_bots.GROUP, "other", 0, [entry], retrycount=7)
        claim(bots("a"), redis_bots.GROUP, "other", 0, [entry], idle=30_000, justid=True)
        # Thirty seconds would do for the first time, not for the eighth.
        assert await worker(store, 2.0).take(0.01) is None
    claim(bots("a"), redis_bots.GROUP, "other", 0, [entry], idle=130_000, justid=True)
    assert (await take(worker(store, 2.0))).entry == entry


async def test_dead_workers_are_forgotten_unless_they_hold_something(
    store: RedisStore, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    await ask(store, game("a"))
    idle, holding = worker(store), worker(store)
    await idle.done(await take(idle))
    await ask(store, GameKey("tenant", "a" * 25 + "b"))
    await take(holding)
    assert workers_of(server, "a") == {idle.name.encode(), holding.name.encode()}
    monkeypatch.setattr(redis_bots, "FORGET", 0.0)
    await asyncio.sleep(0.01)
    alive = worker(store)
    assert await alive.take(0.01) is None
    assert workers_of(server, "a") == {holding.name.encode(), alive.name.encode()}


async def test_a_store_that_was_emptied(store: RedisStore, server: Server) -> None:
    await ask(store, game("a"))
    lost = await take(store.bots)
    server.admin().flushall()
    server.admin().script_flush()
    with pytest.raises(Refusal):
        await store.bots.hold(lost)
    await store.bots.done(lost)
    assert await store.bots.take(0.01) is None
    await ask(store, game("a"))
    assert (await take(store.bots)).key == game("a")


async def test_a_game_has_one_entry_the_newest(store: RedisStore, server: Server) -> None:
    await ask(store, game("a"))
    for version in range(1, 6):
        await store.commit(msgspec.structs.replace(write(game("a"), version), bots=True))
    await store.commit(write(game("a"), 6))
    assert await store.bots.length() == 1
    (entry,) = server.admin().xrange(bots("a"))
    assert (await take(store.bots)).entry == entry[0].decode()


async def test_a_game_that_asks_no_bot_any_more_leaves_the_queue(store: RedisStore) -> None:
    await ask(store, game("a"))
    await ask(store, game("b"))
    await store.commit(msgspec.structs.replace(write(game("a"), 1), bots=False))
    assert await store.bots.length() == 1
    await store.delete(game("b"))
    assert await store.bots.length() == 0
    # And comes back into it.
    await store.commit(msgspec.structs.replace(write(game("a"), 2), bots=True))
    assert (await take(store.bots)).key == game("a")


async def test_what_is_superseded_while_it_is_held_is_nobody_s(store: RedisStore, server: Server) -> None:
    await ask(store, game("a"))
    alive, dead = worker(store, QUICK), worker(store, QUICK)
    old = await take(dead)
    await store.commit(msgspec.structs.replace(write(game("a"), 1), bots=True))
    new = await take(alive)
    assert new.entry != old.entry
    await dead.hold(old)
    await dead.done(old)
    assert await store.bots.length() == 1
    await alive.done(new)
    # One that died with it leaves nothing behind either, once somebody looks.
    await store.commit(msgspec.structs.replace(write(game("a"), 2), bots=True))
    await take(dead)
    await store.commit(msgspec.structs.replace(write(game("a"), 3), bots=True))
    await alive.done(await take(alive))
    await ask(store, GameKey("tenant", "a" * 25 + "b"))
    other = worker(store, 0.001)
    await other.done(await take(other))
    (group,) = server.admin().xinfo_groups(bots("a"))
    assert group["pending"] == 0


@pytest.mark.parametrize("seed", range(5))
async def test_whatever_happens_what_is_asked_stays_in_line(store: RedisStore, seed: int) -> None:
    """A game that asks at random, workers that take, finish and die: an entry, and one alone, until all is answered."""
    chance, version, asked, answered = random.Random(seed), 1, 1, 0
    held: list[tuple[BotQueue, Errand, int]] = []
    await ask(store, game("a"))
    for _ in range(200):
        step = chance.choice(("ask", "ask", "none", "other", "take", "take", "done", "done", "die"))
        if step in ("ask", "none", "other"):
            bots_owe = {"ask": True, "none": False, "other": None}[step]
            await store.commit(msgspec.structs.replace(write(game("a"), version), bots=bots_owe))
            version += 1
            asked = version if step == "ask" else asked
            answered = asked if step == "none" else answered
        elif step == "take":
            queue = worker(store, 0.001)
            errand = await queue.take(0.01)
            held += [(queue, errand, version)] if errand else []
        elif held:
            queue, errand, seen = held.pop(chance.randrange(len(held)))
            if step == "done":
                await queue.done(errand)
                answered = max(answered, min(seen, asked))
        length = await store.bots.length()
        assert length <= 1
        assert length == 1 or answered >= asked


async def test_what_is_left_of_games_that_are_gone_is_tidied_up(
    store: RedisStore, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_bots, "TIDY", 3)
    gone, there = [[GameKey("tenant", f"a{i}{letter}") for i in range(5)] for letter in "gt"]
    for pair in zip(gone, there, strict=True):
        for key in pair:
            await ask(store, key)
    await ask(store, game("b"))
    for key in gone:
        # It has expired.
        server.admin().delete(*Keys(key).all[:4])
    held = await take(store.bots)
    for _ in range(5):
        await store.bots.tidy()
    assert await store.bots.length() == 6
    left = [server.admin().xrange(bots(letter)) for letter in "ab"]
    assert [len(entries) for entries in left] == [5, 1]
    assert held.key in {game("b"), *gone, *there}
