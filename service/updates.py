"""WatchUpdates: every commit of every game of one platform, so that it need not ask for any of them.

The notices are stored with the commits, in a feed per shard. A cursor is the position in each of them.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
from collections import Counter
from collections.abc import AsyncGenerator, Iterator

from service.callers import Platform
from service.errors import Reason, Refusal, malformed
from service.notices import update_of
from service.resources_live import CaughtUp, WatchUpdatesRequest, WatchUpdatesResponse
from service.store import Positions, Store, Told
from service.waiting import Drain

BOOKMARK_SECONDS = 15.0
MOST_STREAMS = 64
"""Of one tenant, in one process."""
# What comes within this time is read together, behind the first.
_GATHER_SECONDS = 0.02
_READ_AHEAD = 32
_DIGEST = 6
_LONGEST_CURSOR = 1024


class Updates:
    """The use case, with what it needs. ``drain`` ends every stream."""

    def __init__(self, store: Store, drain: Drain) -> None:
        self._feeds = store.feeds
        self._drain = drain
        self._streams: Counter[str] = Counter()

    async def __call__(
        self, platform: Platform, request: WatchUpdatesRequest
    ) -> AsyncGenerator[WatchUpdatesResponse, None]:
        """The updates behind the cursor, then each as it happens. Raises every refusal of the RPC's comment."""
        tenant = platform.tenant
        if self._streams[tenant] >= MOST_STREAMS:
            text = f"a platform has at most {MOST_STREAMS} streams here"
            raise Refusal(Reason.TOO_MANY_STREAMS, text, retry_after=5)
        self._streams[tenant] += 1
        try:
            with self._feeds.attend(tenant):
                cursor = request.cursor
                told = dict(read_cursor(tenant, cursor) if cursor else await self._feeds.ends(tenant))
                yield _caught_up(tenant, told)
                while True:
                    entries = await self._next(tenant, told)
                    for entry in entries:
                        told[entry.shard] = entry.position
                        yield WatchUpdatesResponse(write_cursor(tenant, told), update=update_of(entry.notice))
                    if not entries:
                        yield _caught_up(tenant, told)
                    await asyncio.sleep(_GATHER_SECONDS)
        finally:
            self._streams[tenant] -= 1
            if not self._streams[tenant]:
                del self._streams[tenant]

    async def _next(self, tenant: str, told: Positions) -> tuple[Told, ...]:
        """The next entries, or none after ``BOOKMARK_SECONDS``. Raises DRAINING and CURSOR_EXPIRED."""
        found: tuple[Told, ...] = ()

        async def read() -> None:
            nonlocal found
            found = await self._feeds.read(tenant, told, _READ_AHEAD, BOOKMARK_SECONDS)

        await self._drain.ends(read())
        # Only behind a whole page may something be forgotten. Looked at after it was read: what is there now was then.
        pages = Counter(entry.shard for entry in found)
        if max(pages.values(), default=0) == _READ_AHEAD and not await self._feeds.kept(tenant, told):
            raise Refusal(Reason.CURSOR_EXPIRED, "what followed is not kept any more; list the games and begin now")
        return found


def write_cursor(tenant: str, told: Positions) -> str:
    """A position in every feed as text. Good for this tenant only."""
    newest = max((time for time, _ in told.values()), default=0)
    raw = bytearray(_bound_to(tenant))
    raw += newest.to_bytes(6, "big")
    for shard, (time, number) in sorted(told.items()):
        raw += shard.encode()
        _put(raw, newest - time)
        _put(raw, number)
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def read_cursor(tenant: str, cursor: str) -> Positions:
    """The position in every feed. Raises MALFORMED_REQUEST."""
    try:
        if len(cursor) > _LONGEST_CURSOR:
            raise ValueError(cursor)
        raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        newest, rest = int.from_bytes(raw[_DIGEST : _DIGEST + 6], "big"), iter(raw[_DIGEST + 6 :])
        told = {chr(shard): (newest - _get(rest), _get(rest)) for shard in rest}
    except (ValueError, StopIteration):
        raise malformed("cursor", "is not a cursor") from None
    if raw[:_DIGEST] != _bound_to(tenant):
        raise malformed("cursor", "is not a cursor of this platform")
    if any(not 0 <= time < 1 << 48 or number >= 1 << 63 for time, number in told.values()):
        raise malformed("cursor", "is not a cursor")
    return told


def _caught_up(tenant: str, told: Positions) -> WatchUpdatesResponse:
    return WatchUpdatesResponse(write_cursor(tenant, told), bookmark=CaughtUp())


def _bound_to(tenant: str) -> bytes:
    return hashlib.sha256(f"updates|{tenant}".encode()).digest()[:_DIGEST]


def _put(raw: bytearray, number: int) -> None:
    while number > 0x7F:
        raw.append(number & 0x7F | 0x80)
        number >>= 7
    raw.append(number)


def _get(raw: Iterator[int]) -> int:
    number = shift = 0
    for byte in raw:
        number |= (byte & 0x7F) << shift
        if byte <= 0x7F:
            return number
        shift += 7
    raise ValueError("cut off")
