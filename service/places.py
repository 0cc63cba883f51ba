"""Places of streams: how many a viewer may have, and how a client's next stream supersedes its last one."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from service.errors import Reason, Refusal, malformed
from service.store import GameKey, Store

MOST_STREAMS = 16
"""Of one seat, in one process."""
MOST_SHARED = 4096
"""Of all who watch as spectators or through a platform, who cannot be told apart."""
_LONGEST_CLIENT_ID = 100
_LOOK_SECONDS = 60.0

Viewer = tuple[GameKey, int | None]


class Place:
    """One stream's place. ``client_id`` is empty when nobody may take it over."""

    def __init__(self, store: Store, key: GameKey, name: str, number: int) -> None:
        self._store = store
        self._key = key
        self._name = name
        self._number = number

    @property
    def named(self) -> bool:
        """Whether a newer stream can take the place over."""
        return bool(self._name)

    async def lost(self) -> None:
        """Raise SUPERSEDED as soon as a newer stream has taken the place over, in whatever process."""
        while not await self._store.superseded(self._key, self._name, self._number, _LOOK_SECONDS):
            pass
        raise Refusal(Reason.SUPERSEDED, "another stream with this client_id took over")


class Places:
    """The places of one process."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._taken: dict[Viewer, Counter[object]] = {}

    @property
    def streams(self) -> int:
        """How many streams are open."""
        return sum(taken.total() for taken in self._taken.values())

    @asynccontextmanager
    async def take(self, viewer: Viewer, client_id: str, *, shared: bool) -> AsyncIterator[Place]:
        """Hold a place until the block ends. Raises MALFORMED_REQUEST and TOO_MANY_STREAMS.

        ``shared``: many may be watching under the same credential.
        """
        if len(client_id) > _LONGEST_CLIENT_ID:
            raise malformed("client_id", f"is longer than {_LONGEST_CLIENT_ID} characters")
        most = MOST_SHARED if shared else MOST_STREAMS
        taken = self._taken.setdefault(viewer, Counter())
        # Streams of one client_id are one place: the older one is about to leave it.
        slot = client_id or object()
        if len(taken) >= most and slot not in taken:
            raise Refusal(Reason.TOO_MANY_STREAMS, f"a viewer has at most {most} streams here", retry_after=5)
        taken[slot] += 1
        try:
            key, seat = viewer
            name = f"{'s' if seat is None else seat}:{client_id}" if client_id else ""
            number = await self._store.claim(key, name) if name else 0
            with self._store.attend(key, name):
                yield Place(self._store, key, name, number)
        finally:
            taken[slot] -= 1
            if not taken[slot]:
                del taken[slot]
            if not taken:
                self._taken.pop(viewer, None)
