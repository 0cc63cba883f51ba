"""The store on Redis or Valkey: every game is four keys in one hash slot, changed by one Lua script.

The names of the keys are in ``service/redis_keys.py``. Every script may be run again when its answer was lost, because
it knows its own work: a commit by its memos, a creation by a random mark, a deletion by its tombstone. Errors are
``Refusal`` as ``service.store`` promises.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final, Self

from service.redis_bots import BotQueue
from service.redis_clock import Clocks
from service.redis_endpoint import Endpoint
from service.redis_feed import FEED_LENGTH, Feeds
from service.redis_fit import StoreUnfit, require_fit
from service.redis_keys import BOTS_CHANNEL, feed_channel, index_of, keys_of, member
from service.redis_link import Dropped, Link, Reply, Unreachable, Wire
from service.redis_notes import Notes
from service.redis_replies import answer_of, ranked, stored_of
from service.redis_talk import Counted, Observe, Script, Talk, unavailable
from service.redis_wake import Wake
from service.store import (
    Answer,
    Clash,
    Committed,
    Conflict,
    Created,
    Exists,
    GameKey,
    Listed,
    Memo,
    Missing,
    Replayed,
    Stamp,
    Store,
    Stored,
    Untimely,
    Verdict,
    Write,
)
from service.together import Together

__all__ = ["Counted", "Observe", "RedisStore", "StoreUnfit"]

TOMBSTONE_MS: Final = 24 * 60 * 60 * 1000
DANGLING_US: Final = 60 * 1_000_000
"""Age in microseconds from which an index row without a game is rubbish, not a creation under way."""
OPEN_PATIENCE: Final = 5.0
"""Seconds that ``open`` waits for a store that does not answer yet."""
LINE_MS: Final = 600_000
"""How long a counter of streams outlives the last look at it."""
PAGE_STEP: Final = 64
SWEEP: Final = 2
"""Rows that each creation checks at random: rubbish stays below half of an index that nobody lists."""
_MARK_BYTES: Final = 12
_BOTS: Final = {True: b"1", False: b"0", None: b""}


class RedisStore(Store):
    """``service.store.Store`` on one primary. Make it with ``open`` inside the event loop that uses it."""

    def __init__(self, endpoint: Endpoint, observe: Observe | None = None) -> None:
        self._observe: Observe = observe or _ignore
        self._ups = 0
        self._link = Link(endpoint, on_up=self._count_up)
        self._talk = Talk(self._link, self._observe)
        self._wake = Wake(endpoint)
        self._versions: Together[GameKey, int | None] = Together()
        self._feeds = Feeds(self._talk, self._wake)
        self._notes = Notes(self._talk)
        self._clocks = Clocks(self._talk)
        self._bots = BotQueue(self._talk, self._wake)
        self.feed_length = FEED_LENGTH
        self._commit = Script.named("commit")
        self._create = Script.named("create")
        self._delete = Script.named("delete")
        self._recall = Script.named("recall")
        self._remember = Script.named("remember")

    @classmethod
    async def open(cls, url: str, *, observe: Observe | None = None, patience: float = OPEN_PATIENCE) -> Self:
        """Connect and check the server.

        ``StoreUnfit`` when it must not be used, ``Refusal`` (``STORE_UNAVAILABLE``) when it does not answer within
        ``patience`` seconds, ``ValueError`` when the URL is none.
        """
        store = cls(Endpoint.parse(url), observe)
        try:
            await store._begin(patience)
        except BaseException:
            await store.close()
            raise
        return store

    async def _begin(self, patience: float) -> None:
        self._link.start()
        try:
            await self._link.wire(patience)
            await require_fit(self._link)
        except (Dropped, Unreachable) as error:
            raise unavailable(
                f"the store at {self._link.endpoint} cannot be reached: {error or 'the connection was lost'}"
            ) from None
        for script in (self._commit, self._create, self._delete, self._recall, self._remember):
            await self._talk.load(script)
        await self._clocks.begin()

    async def close(self) -> None:
        """Give back both connections."""
        self._clocks.close()
        await self._wake.close()
        await self._link.close()

    @property
    def clocks(self) -> Clocks:
        """Its time, and who is running out of it."""
        return self._clocks

    @property
    def feeds(self) -> Feeds:
        """The feeds of the tenants."""
        return self._feeds

    @property
    def notes(self) -> Notes:
        """Small values under names."""
        return self._notes

    @property
    def bots(self) -> BotQueue:
        """The queue of the bots."""
        return self._bots

    async def ping(self) -> None:
        """Return when the store answers and the commit script is loaded."""
        await self._talk.require(self._commit)

    # -- one game

    async def create(
        self,
        key: GameKey,
        *,
        stamp: Stamp,
        meta: bytes,
        live: bytes,
        batch: bytes,
        rank: int,
        ttl_ms: int,
        notice: bytes = b"",
        due_ms: int | None = None,
        bots: bool = False,
    ) -> Created | Exists:
        """Make the game at version 1 and put it into the index, the index first: no game is ever unlisted."""
        index = index_of(key.tenant)
        birth = secrets.token_bytes(_MARK_BYTES)
        # NX: a creation that finds the id taken must not move the other game's row.
        await self._talk.ask("ZADD", index, "NX", rank, key.game)
        await self._sweep(key.tenant)
        (word, *found), _ = await self._talk.run(
            self._create,
            keys_of(key).all,
            birth,
            ttl_ms,
            meta,
            live,
            batch,
            stamp.mark,
            *self._told(key, notice),
            member(key),
            due_ms or b"",
            b"1" if bots else b"0",
            BOTS_CHANNEL,
        )
        if word == b"exists":
            return Exists(stored_of(found))
        if word == b"gone":
            return Exists(None)
        # Again: the row may have been a leftover with another rank, or was removed as one (see ``_discard``).
        await self._talk.ask("ZADD", index, rank, key.game)
        return Created()

    async def load(self, key: GameKey) -> Stored | None:
        """Read the newest version; None if there is no such game."""
        return stored_of(await self._talk.ask("HMGET", keys_of(key).game, "v", "mark", "meta", "live"))

    async def stamp(self, key: GameKey) -> Stamp | None:
        """Read the newest stamp alone; None if there is no such game."""
        version, mark = await self._talk.ask("HMGET", keys_of(key).game, "v", "mark")
        return None if version is None else Stamp(int(version), mark)

    async def _version(self, key: GameKey) -> int | None:
        found = await self._talk.ask("HGET", keys_of(key).game, "v")
        return None if found is None else int(found)

    async def recall(self, key: GameKey, names: tuple[str, ...]) -> tuple[Stored | None, tuple[Answer | None, ...]]:
        """Read the game and what is remembered under each of ``names``, at one instant."""
        if not names:
            return await self.load(key), ()
        keys = keys_of(key)
        (game, memos), _ = await self._talk.run(self._recall, (keys.game, keys.memos), *names)
        return stored_of(game), tuple(answer_of(memo) for memo in memos)

    async def commit(self, write: Write) -> Verdict:
        """Do the compare-and-set.

        The script looks the memos up before anything else. So when an answer was lost, running it again is the
        settlement: work that was done answers "replayed", work that was not done is done now.
        """
        keys = keys_of(write.key)
        memos = [part for memo in write.memos for part in memo]
        changes_meta, meta = (b"0", b"") if write.meta is None else (b"1", write.meta)
        (word, *detail), lost = await self._talk.run(
            self._commit,
            keys.all,
            keys.wake,
            write.expected.version,
            write.expected.mark,
            write.stamp.mark,
            write.ttl_ms,
            write.live,
            write.batch,
            changes_meta,
            meta,
            write.snapshot or b"",
            *self._told(write.key, write.notice),
            member(write.key),
            b"" if write.due_ms is None else write.due_ms,
            write.not_before_ms,
            write.not_after_ms,
            _BOTS[write.bots],
            BOTS_CHANNEL,
            *memos,
        )
        if word == b"committed":
            return Committed(write.stamp.version)
        if word == b"conflict":
            self._observe(Counted.CONFLICT, 1)
            return Conflict()
        if word == b"untimely":
            return Untimely()
        if word == b"replayed":
            mine = lost and detail[0] == write.stamp.version
            return Committed(detail[0]) if mine else Replayed(detail[0])
        return Clash(write.memos[detail[0]].name) if word == b"clash" else Missing()

    async def remember(self, key: GameKey, at: Stamp, memo: Memo, version: int) -> Verdict:
        """Remember ``version`` as the answer to a request that changes nothing, while the game stands ``at`` this."""
        keys = keys_of(key)
        (word, *detail), _ = await self._talk.run(
            self._remember, (keys.game, keys.memos), at.version, at.mark, *memo, version
        )
        if word == b"replayed":
            return Replayed(detail[0])
        if word == b"conflict":
            self._observe(Counted.CONFLICT, 1)
            return Conflict()
        return Clash(memo.name) if word == b"clash" else Missing()

    def _told(self, key: GameKey, notice: bytes) -> tuple[str, bytes, int]:
        """What each script needs to know of the feed."""
        return feed_channel(key.tenant), notice, self.feed_length

    async def batches(self, key: GameKey, first: int, last: int, limit: int) -> tuple[tuple[int, bytes], ...]:
        """Log entries of the versions ``first`` to ``last`` (both included), ascending, at most ``limit``."""
        if first > last or limit < 1:
            return ()
        entries = await self._talk.ask(
            "XRANGE", keys_of(key).log, f"{max(first, 1)}-0", f"{max(last, 0)}-0", "COUNT", limit
        )
        return tuple((int(entry.partition(b"-")[0]), fields[1]) for entry, fields in entries)

    async def snapshot(self, key: GameKey, at_most: int) -> tuple[int, bytes] | None:
        """The newest snapshot of a version not above ``at_most``; None if there is no such game."""
        entries = await self._talk.ask("XREVRANGE", keys_of(key).snaps, f"{max(at_most, 0)}-0", "-", "COUNT", 1)
        return next(((int(entry.partition(b"-")[0]), fields[1]) for entry, fields in entries), None)

    async def delete(self, key: GameKey, notice: bytes = b"") -> bool:
        """Remove the game, its log and its index row; True within a day of a deletion too, False if there was none."""
        keys = keys_of(key)
        told = self._told(key, notice)
        removed, _ = await self._talk.run(self._delete, keys.all, keys.wake, TOMBSTONE_MS, *told, member(key))
        # After the game: a row without a game is harmless, a game without a row would be lost from the list.
        await self._talk.ask("ZREM", index_of(key.tenant), key.game)
        return bool(removed)

    async def changed(self, key: GameKey, newer_than: int, timeout: float) -> None:
        """Return when the game may have a version above ``newer_than``, at the latest after ``timeout`` seconds."""
        await self._wake.wait(
            keys_of(key).wake, newer_than, timeout, lambda: self._versions.get(key, lambda: self._version(key))
        )

    @contextmanager
    def attend(self, key: GameKey, name: str = "") -> Iterator[None]:
        """Listen until the block ends, so that ``changed`` (and ``superseded`` of the name) need not begin to anew."""
        keys = keys_of(key)
        with ExitStack() as listening:
            for channel in (keys.wake, keys.line(name)) if name else (keys.wake,):
                listening.enter_context(self._wake.listening(channel))
            yield

    async def claim(self, key: GameKey, name: str) -> int:
        """Take the next number under ``name``. It is kept while somebody waits in ``superseded`` under it."""
        line = keys_of(key).line(name)
        # Counted twice when an answer was lost: that skips a number, and nobody minds.
        number, _ = await asyncio.gather(self._talk.ask("INCR", line), self._talk.ask("PEXPIRE", line, LINE_MS))
        await self._talk.ask("PUBLISH", line, number)
        return int(number)

    async def superseded(self, key: GameKey, name: str, number: int, timeout: float) -> bool:
        """Return True when somebody has claimed a number above ``number``, False after ``timeout`` seconds."""
        line, newest = keys_of(key).line(name), 0

        async def look() -> int:
            nonlocal newest
            newest = int(await self._talk.ask("GETEX", line, "PX", LINE_MS) or 0)
            return newest

        await self._wake.wait(line, number, timeout, look)
        return newest > number

    # -- the index

    async def page(self, tenant: str, below: tuple[int, str] | None, limit: int) -> tuple[Listed, ...]:
        """Up to ``limit`` games of the tenant, newest first, after the row ``below`` (rank, game)."""
        listed: list[Listed] = []
        while len(listed) < limit:
            rows = await self._rows(tenant, below, max(limit - len(listed), min(limit, PAGE_STEP)))
            if not rows:
                break
            below = rows[-1]
            listed += await self._existing(tenant, rows)
        return tuple(listed[:limit])

    async def _rows(self, tenant: str, below: tuple[int, str] | None, count: int) -> list[tuple[int, str]]:
        """The next rows of the index, newest first; rows of one rank in descending order of their names."""
        index = index_of(tenant)
        if below is None:
            return ranked(await self._range(index, "+inf", count))
        rank, game = below
        ties, rest = await asyncio.gather(
            self._talk.ask("ZRANGE", index, rank, rank, "BYSCORE", "REV", "WITHSCORES"),
            self._range(index, f"({rank}", count),
        )
        return [row for row in ranked(ties) if row[1] < game] + ranked(rest)

    async def _range(self, index: str, top: str, count: int) -> Reply:
        return await self._talk.ask("ZRANGE", index, top, "-inf", "BYSCORE", "REV", "LIMIT", 0, count, "WITHSCORES")

    async def _existing(self, tenant: str, rows: list[tuple[int, str]]) -> list[Listed]:
        """The rows that have a game; old rows that have none are removed on the way."""
        games = await asyncio.gather(*(self.load(GameKey(tenant, game)) for _, game in rows))
        await self._discard(tenant, [row for row, stored in zip(rows, games, strict=True) if stored is None])
        return [
            Listed(game, rank, stored) for (rank, game), stored in zip(rows, games, strict=True) if stored is not None
        ]

    async def _sweep(self, tenant: str) -> None:
        """Check a few rows at random, so that an index that nobody lists does not keep expired games for ever."""
        rows = ranked(await self._talk.ask("ZRANDMEMBER", index_of(tenant), SWEEP, "WITHSCORES"))
        versions = await asyncio.gather(*(self._version(GameKey(tenant, game)) for _, game in rows))
        await self._discard(tenant, [row for row, version in zip(rows, versions, strict=True) if version is None])

    async def _discard(self, tenant: str, rows: list[tuple[int, str]]) -> None:
        """Remove index rows without a game, except young ones, whose game may be about to be made.

        No clock is trusted for more than that: a game that was made since the look gets its row back, and a creator
        writes the row once more after the game. So in whatever order these four steps come, the row is there.
        """
        oldest = self._clocks.now_us() - DANGLING_US
        rows = [row for row in rows if row[0] < oldest]
        if not rows:
            return
        await self._talk.ask("ZREM", index_of(tenant), *(game for _, game in rows))
        versions = await asyncio.gather(*(self._version(GameKey(tenant, game)) for _, game in rows))
        for row, version in zip(rows, versions, strict=True):
            if version is not None:
                await self._talk.ask("ZADD", index_of(tenant), "NX", *row)

    def _count_up(self, wire: Wire) -> None:  # noqa: ARG002 - only that there is one
        if self._ups:
            self._observe(Counted.RECONNECT, 1)
        self._ups += 1


def _ignore(name: str, amount: float) -> None:
    """Count nothing."""
