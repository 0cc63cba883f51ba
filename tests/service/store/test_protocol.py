from __future__ import annotations

import msgspec
import pytest

from service.redis_keys import Keys
from service.redis_store import TOMBSTONE_MS, RedisStore
from service.store import (
    Answer,
    Clash,
    Committed,
    Conflict,
    Created,
    Exists,
    GameKey,
    Memo,
    Missing,
    Replayed,
    Stamp,
    Stored,
    Write,
)
from tests.service.store.harness import HOUR_MS, Server, at, now_us, until_async, version_of, write


async def make(store: RedisStore, key: GameKey, live: bytes = b"live") -> Created | Exists:
    return await store.create(key, stamp=at(1), meta=b"meta", live=live, batch=b"first", rank=now_us(), ttl_ms=HOUR_MS)


async def test_a_new_game_is_at_version_1(store: RedisStore, key: GameKey) -> None:
    assert await make(store, key) == Created()
    assert await store.load(key) == Stored(at(1), b"meta", b"live")
    assert await version_of(store, key) == 1
    assert await store.batches(key, 1, 9, 9) == ((1, b"first"),)


async def test_an_id_is_given_once(store: RedisStore, game: GameKey) -> None:
    assert await make(store, game, b"other") == Exists(Stored(at(1), b"meta", b"live"))
    assert await store.load(game) == Stored(at(1), b"meta", b"live")


async def test_a_game_that_never_was(store: RedisStore, key: GameKey) -> None:
    assert await store.load(key) is None
    assert await version_of(store, key) is None
    assert await store.recall(key, ("d1",)) == (None, (None,))
    assert await store.batches(key, 1, 9, 9) == ()
    assert await store.commit(write(key, 1)) == Missing()
    assert await store.delete(key) is False


async def test_the_same_version_of_another_history_is_a_conflict(store: RedisStore, game: GameKey) -> None:
    """A store that lost its last writes counts the same versions again; the mark tells them apart."""
    remembered = Write(game, Stamp(1, b"lost"), Stamp(2, b"mine"), b"live", b"batch", (Memo("d", b"x"),), HOUR_MS)
    assert await store.commit(remembered) == Conflict()
    assert await store.stamp(game) == at(1)
    assert await store.commit(msgspec.structs.replace(remembered, expected=at(1))) == Committed(2)
    assert await store.stamp(game) == Stamp(2, b"mine")


async def test_a_commit_makes_the_next_version(store: RedisStore, game: GameKey) -> None:
    assert await store.commit(write(game, 1, live=b"two", batch=b"second")) == Committed(2)
    assert await store.load(game) == Stored(at(2), b"meta", b"two")
    assert await store.commit(write(game, 2, live=b"three", batch=b"third", meta=b"new")) == Committed(3)
    assert await store.load(game) == Stored(at(3), b"new", b"three")
    assert await store.batches(game, 1, 9, 9) == ((1, b"first"), (2, b"second"), (3, b"third"))


async def test_a_conflict_says_no_version_and_writes_nothing(store: RedisStore, game: GameKey) -> None:
    await store.commit(write(game, 1, live=b"two"))
    for if_version in (1, 3, 0):
        assert await store.commit(write(game, if_version, ("x", b"x"), live=b"lost")) == Conflict()
    assert await store.load(game) == Stored(at(2), b"meta", b"two")
    assert await store.recall(game, ("x",)) == (Stored(at(2), b"meta", b"two"), (None,))
    assert len(await store.batches(game, 1, 9, 9)) == 2


async def test_the_first_remembered_memo_decides(store: RedisStore, game: GameKey) -> None:
    await store.commit(write(game, 1, ("a", b"1"), ("b", b"2")))
    assert await store.commit(write(game, 2, ("c", b"3"))) == Committed(3)
    cases = {
        (("a", b"1"), ("b", b"other")): Replayed(2),
        (("a", b"other"), ("b", b"2")): Clash("a"),
        (("new", b"1"), ("b", b"other")): Clash("b"),
        (("new", b"1"), ("c", b"3"), ("a", b"other")): Replayed(3),
    }
    for memos, verdict in cases.items():
        for if_version in (1, 3):  # a replay comes before the version check
            assert await store.commit(write(game, if_version, *memos)) == verdict
    assert await version_of(store, game) == 3


async def test_recall_reads_game_and_memos(store: RedisStore, game: GameKey) -> None:
    await store.commit(write(game, 1, ("a", b"\x00\xff"), ("b", b"")))
    stored = Stored(at(2), b"meta", b"live")
    assert await store.recall(game, ()) == (stored, ())
    assert await store.recall(game, ("b", "no", "a")) == (stored, (Answer(2, b""), None, Answer(2, b"\x00\xff")))


async def test_what_changes_nothing_is_remembered_where_the_game_stands(store: RedisStore, game: GameKey) -> None:
    await store.commit(write(game, 1, ("a", b"1")))
    before = await store.load(game)
    assert await store.remember(game, at(1), Memo("b", b"2"), 1) == Conflict()
    assert await store.remember(game, at(2), Memo("b", b"2"), 1) == Replayed(1)
    # Wherever the game stands by now, and whatever else comes by that name.
    assert await store.remember(game, at(9), Memo("b", b"2"), 2) == Replayed(1)
    assert await store.remember(game, at(2), Memo("b", b"3"), 2) == Clash("b")
    assert await store.remember(game, at(2), Memo("a", b"1"), 9) == Replayed(2)
    assert await store.commit(write(game, 2, ("b", b"2"))) == Replayed(1)
    assert await store.load(game) == before
    assert await store.remember(GameKey("tenant", "none"), at(1), Memo("b", b"2"), 1) == Missing()


async def test_what_is_remembered_of_a_new_game_vanishes_with_it(
    store: RedisStore, server: Server, game: GameKey
) -> None:
    assert await store.remember(game, at(1), Memo("b", b"2"), 1) == Replayed(1)
    keys = Keys(game)
    with server.admin() as admin:
        assert admin.pexpiretime(keys.memos) == admin.pexpiretime(keys.game) > 0


async def test_bytes_stay_as_they_are(store: RedisStore, key: GameKey) -> None:
    every = bytes(range(256)) * 300 + b"\r\n$-1\r\n"
    await store.create(key, stamp=at(1), meta=every, live=b"", batch=every, rank=1, ttl_ms=HOUR_MS)
    assert await store.load(key) == Stored(at(1), every, b"")
    assert await store.batches(key, 1, 1, 1) == ((1, every),)


async def test_batches_are_a_window(store: RedisStore, game: GameKey) -> None:
    for version in range(1, 12):
        await store.commit(write(game, version, batch=b"%d" % (version + 1)))
    assert await store.batches(game, 9, 11, 99) == ((9, b"9"), (10, b"10"), (11, b"11"))
    assert await store.batches(game, 2, 11, 2) == ((2, b"2"), (3, b"3"))
    assert await store.batches(game, -5, 1, 9) == ((1, b"first"),)
    for first, last, limit in ((3, 2, 9), (13, 99, 9), (1, 9, 0), (-9, -1, 9)):
        assert await store.batches(game, first, last, limit) == ()


async def test_a_deleted_game_leaves_a_tombstone(store: RedisStore, server: Server, game: GameKey) -> None:
    await store.commit(write(game, 1))
    assert await store.delete(game) is True
    assert await store.load(game) is None
    assert await version_of(store, game) is None
    assert await store.recall(game, ("d1",)) == (None, (None,))
    assert await store.batches(game, 1, 9, 9) == ()
    assert await store.commit(write(game, 2)) == Missing()
    assert await store.page(game.tenant, None, 10) == ()
    assert await make(store, game) == Exists(None)
    assert await store.delete(game) is True
    (left,) = server.admin().keys(f"rookery:{game.tenant}:{{*")
    assert TOMBSTONE_MS - 60_000 < server.admin().pttl(left) <= TOMBSTONE_MS


async def test_a_tombstone_ends(store: RedisStore, server: Server, game: GameKey) -> None:
    await store.delete(game)
    server.admin().delete(f"rookery:{game.tenant}:{{{game.game[0]}}}:{game.game}:game")  # as its expiry does
    assert await make(store, game) == Created()


async def test_a_game_lives_from_its_last_commit(store: RedisStore, server: Server, game: GameKey) -> None:
    await store.commit(write(game, 1, ttl_ms=HOUR_MS * 5))
    keys = server.admin().keys(f"rookery:{game.tenant}:{{*")
    assert len(keys) == 4
    for name in keys:
        assert HOUR_MS * 4 < server.admin().pttl(name) <= HOUR_MS * 5


async def test_an_expired_game_is_gone_as_a_whole(store: RedisStore, server: Server, game: GameKey) -> None:
    await store.commit(write(game, 1, ttl_ms=1))
    await until_async(lambda: not server.admin().keys(f"rookery:{game.tenant}:{{*"), "the game expires")
    assert await store.recall(game, ("d1",)) == (None, (None,))
    assert await store.batches(game, 1, 9, 9) == ()
    assert await make(store, game) == Created()
    assert await store.commit(write(game, 1)) == Committed(2)


async def test_tenants_do_not_meet(store: RedisStore, game: GameKey) -> None:
    other = GameKey(game.tenant + "x", game.game)
    assert await store.load(other) is None
    assert await make(store, other) == Created()
    assert await store.delete(other) is True
    assert await version_of(store, game) == 1


async def test_all_keys_of_a_game_share_a_slot(store: RedisStore, server: Server, game: GameKey) -> None:
    await store.commit(write(game, 1))
    keys = server.admin().keys(f"rookery:{game.tenant}:{{*")
    tags = {name.decode().partition("{")[2].partition("}")[0] for name in keys}
    assert tags == {game.game[0]}


async def test_names_cannot_choose_a_slot(store: RedisStore) -> None:
    for key in (GameKey("{x}", "g"), GameKey("t", "}g"), GameKey("t", "{g")):
        with pytest.raises(ValueError, match="braces"):
            await store.load(key)


async def test_two_stores_see_one_truth(store: RedisStore, server: Server, game: GameKey) -> None:
    second = await RedisStore.open(server.url)
    assert await second.commit(write(game, 1)) == Committed(2)
    assert await version_of(store, game) == 2
    await second.close()
