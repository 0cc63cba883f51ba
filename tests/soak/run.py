"""A soak from its beginning to its end."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

from service.resources import OnTimeout
from tests.service.client import fresh_id
from tests.service.store.harness import until_async
from tests.soak.checks import Entry, Played, log_of, problems
from tests.soak.people import Person
from tests.soak.plan import KILL_SECONDS, VICTIMS, Plan, Table, tables
from tests.soak.site import Site
from tests.soak.watchers import Follower, Watcher

# After the last kill, what is still going on gets so much time for each second before.
_DRAIN = 1.0
_LEAST_DRAIN = 180.0


class Outcome(msgspec.Struct):
    """What happened, and what was wrong with it."""

    problems: list[str]
    games: Counter[str]
    commits: int
    moves: int
    timeouts: Counter[str]
    lapses: int
    undone: int
    killed: Counter[str]
    opened: Counter[str]
    skipped: int
    seconds: float

    @property
    def summary(self) -> str:
        """In a few lines."""
        counts = {
            "games": self.games,
            "killed": self.killed,
            "streams": self.opened,
            "clocks acted": {OnTimeout(int(policy)).name: count for policy, count in self.timeouts.items()},
        }
        lines = [f"{name}: {', '.join(f'{key} {n}' for key, n in sorted(of.items()))}" for name, of in counts.items()]
        head = f"{self.commits:,} commits, {self.moves:,} moves in {self.seconds:.0f} s"
        return "\n  ".join(
            [
                head,
                *lines,
                f"decisions let pass: {self.lapses}, taken back: {self.undone}",
                f"versions skipped: {self.skipped}",
                f"problems: {len(self.problems)}",
            ]
        )


async def soak(plan: Plan, folder: Path) -> Outcome:
    """Play every game while processes are killed, then let all of it end, then check it."""
    began = time.monotonic()
    async with Site(folder) as site:
        follower = Follower(site, plan.chance("follower"))
        following = asyncio.create_task(follower.listen("WatchUpdates"))
        await follower.began.wait()
        waiting = tables(plan)
        playing = [asyncio.create_task(play(site, table)) for table in waiting]
        killing = asyncio.create_task(kill(site, plan))
        everybody = asyncio.gather(asyncio.gather(*playing), killing)
        try:
            time_left = plan.seconds + max(_LEAST_DRAIN, plan.seconds * _DRAIN)
            await asyncio.wait((everybody, following), timeout=time_left, return_when=asyncio.FIRST_COMPLETED)
            if following.done():
                following.result()
            going = [str(table) for table, task in zip(waiting, playing, strict=True) if not task.done()]
            assert everybody.done(), f"{len(going)} games did not end: {going}"
            played, _ = everybody.result()
            await until_async(lambda: {one.name for one in played} <= follower.finished, "the platform heard of all")
        finally:
            everybody.cancel()
            following.cancel()
            await asyncio.gather(everybody, following, return_exceptions=True)
        return await _outcome(site, played, follower, time.monotonic() - began)


async def play(site: Site, table: Table) -> Played:
    """One game, when its time has come, until everybody at it has heard its end."""
    chance = table.chance_of("table")
    await asyncio.sleep(table.delay)
    made = await site.call(chance, "CreateGame", site.key, requestId=fresh_id(), **table.request)
    name = made["game"]["name"]
    issued = await site.call(chance, "IssueTokens", site.key, name=name, spectator=True)
    tokens: dict[int | None, str] = {seat["seat"]: seat["token"] for seat in made["seatTokens"]}
    tokens[None] = issued["spectatorToken"]["token"]
    persons = [
        Person(site, name, seat, tokens[seat], chair, table.chance_of(f"seat {seat}"))
        for seat, chair in enumerate(table.chairs)
        if chair.level is None
    ]
    viewers = [chance.choice(list(tokens)) for _ in range(table.watchers)]
    watchers = [
        Watcher(site, name, viewer, tokens[viewer], table.chance_of(f"watcher {number}"))
        for number, viewer in enumerate(viewers)
    ]
    async with asyncio.TaskGroup() as group:
        for person in persons:
            group.create_task(person.play())
        for watcher in watchers:
            group.create_task(watcher.listen("WatchGame"))
    return Played(table, name, tokens, persons, watchers)


async def kill(site: Site, plan: Plan) -> None:
    """Kill now and then; whatever was killed is there again when this returns."""
    chance, deck = plan.chance("kills"), list[str]()
    loop = asyncio.get_running_loop()
    end = loop.time() + plan.seconds
    while loop.time() < end:
        await asyncio.sleep(chance.uniform(0, 2 * KILL_SECONDS))
        # Every kind has its turn, and now and then two at once.
        deck = deck or chance.sample(VICTIMS, len(VICTIMS))
        victims = {deck.pop() for _ in range(min(len(deck), chance.choice((1, 1, 2))))}
        await asyncio.gather(*(site.kill(victim, chance) for victim in sorted(victims)))


async def _outcome(site: Site, played: list[Played], follower: Follower, seconds: float) -> Outcome:
    found: list[str] = []
    logs: list[Entry] = []
    with site.store.admin() as store:
        for one in played:
            found += await problems(site, one, follower.heard.get(one.name, []))
            logs += log_of(store, one)
    watchers: list[Any] = [follower, *(watcher for one in played for watcher in one.watchers)]
    return Outcome(
        problems=found,
        games=Counter(one.table.game_type for one in played),
        commits=len(logs),
        moves=sum(len(entry.offers) for entry in logs),
        timeouts=Counter(str(entry.batch.timed_out) for entry in logs if entry.batch.timed_out),
        lapses=sum(len(person.lapses) for one in played for person in one.persons),
        undone=sum(1 for entry in logs if entry.batch.undone),
        killed=site.killed,
        opened=sum((watcher.opened for watcher in watchers), Counter()),
        skipped=sum(len(watcher.skipped) for one in played for watcher in one.watchers),
        seconds=seconds,
    )
