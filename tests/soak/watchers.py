"""Those who watch: they go away at random, come back to any server by any way, and write down what they hear."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from typing import Any

from service.watch import LAG
from tests.service.client import Refused, Unanswered
from tests.service.live_games.streams import stream
from tests.soak.site import Site

WAYS = ("ndjson", "sse", "grpc")
Events = list[dict[str, Any]]


class Listener:
    """Opens streams one after another until it has heard everything."""

    def __init__(self, site: Site, token: str, chance: random.Random) -> None:
        self.opened: Counter[str] = Counter()
        self._site = site
        self._token = token
        self._chance = chance

    async def listen(self, rpc: str) -> None:
        """Listen until ``over``."""
        while not self.over:
            way = self._chance.choice(WAYS)
            self.opened[way] += 1
            try:
                async with asyncio.timeout(self._chance.uniform(0.2, 10)):
                    server = self._chance.choice(self._site.servers)
                    async with stream(way, server, self._token, rpc, **self.asking()) as messages:
                        async for message in messages:
                            self.hear(message)
            except (TimeoutError, Unanswered):
                pass
            except Refused as refused:
                if refused.code != "UNAVAILABLE":
                    raise
            await asyncio.sleep(self._chance.uniform(0, 0.2))

    @property
    def over(self) -> bool:
        """Whether there is nothing more to hear."""
        raise NotImplementedError

    def asking(self) -> dict[str, Any]:
        """The request, which resumes behind what was heard."""
        raise NotImplementedError

    def hear(self, message: dict[str, Any]) -> None:
        """Write a message down."""
        raise NotImplementedError


class Watcher(Listener):
    """Watches a game as ``seat`` (None: as a spectator). ``heard`` has the events of each version, in order.

    Some begin with a snapshot and some with the first version; whoever resumes must hear exactly the next version.
    ``skipped`` are the versions instead of which there was a snapshot, because this watcher was so far behind.
    """

    def __init__(self, site: Site, name: str, seat: int | None, token: str, chance: random.Random) -> None:
        super().__init__(site, token, chance)
        self.seat = seat
        self.heard: dict[int, Events] = {}
        self.skipped: list[int] = []
        self.ended: dict[str, Any] | None = None
        self._name = name
        self._told = 0 if chance.random() < 0.5 else None

    @property
    def over(self) -> bool:
        """Whether the game's end was heard."""
        return self.ended is not None

    def asking(self) -> dict[str, Any]:
        """Behind the newest version; without one, a snapshot."""
        return {"name": self._name, **({} if self._told is None else {"after_version": self._told})}

    def hear(self, message: dict[str, Any]) -> None:
        """Take a message; nothing may be missing before it, and nothing may come twice."""
        if "snapshot" in message:
            version = message["snapshot"]["view"]["version"]
            if self._told is not None:
                assert version > self._told + LAG, f"a snapshot of {version} after {self._told}"
                self.skipped += range(self._told + 1, version + 1)
            self._told = version
        elif "change" in message:
            change = message["change"]
            assert self._told is not None
            assert change["version"] == self._told + 1, f"{change['version']} after {self._told}"
            self._told = change["version"]
            self.heard[change["version"]] = change["events"]
        else:
            (kind,) = message.keys() & {"bookmark", "ended"}
            assert message[kind]["version"] == self._told
            self.ended = message["ended"] if kind == "ended" else None


class Follower(Listener):
    """Follows every game of the platform until it is cancelled. ``heard`` has the versions of each game, in order."""

    def __init__(self, site: Site, chance: random.Random) -> None:
        super().__init__(site, site.key, chance)
        self.heard: dict[str, list[int]] = {}
        self.finished: set[str] = set()
        self.began = asyncio.Event()
        self._cursor = ""

    @property
    def over(self) -> bool:
        """Never."""
        return False

    def asking(self) -> dict[str, Any]:
        """Behind the last message."""
        return {"cursor": self._cursor} if self._cursor else {}

    def hear(self, message: dict[str, Any]) -> None:
        """Take a message."""
        self._cursor = message["cursor"] if "cursor" in message else message["id"]
        self.began.set()
        if "update" in message:
            update = message["update"]
            self.heard.setdefault(update["game"], []).append(update["version"])
            if update["state"] != "GAME_STATE_ACTIVE":
                self.finished.add(update["game"])
