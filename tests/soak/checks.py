"""What must be true of every game when all is over. Each check gives what is wrong, in words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

import redis

from engine.core import AnyGame, decode_move, installed
from service.keys import DEV_TENANT
from service.records import Batch, decode
from service.redis_keys import Keys
from service.resources import Controller, OnTimeout
from service.store import GameKey
from service.verify import NotFair, verify
from tests.soak.people import Person, Told, Undone
from tests.soak.plan import Table
from tests.soak.site import Site
from tests.soak.watchers import Events, Watcher


class Played(NamedTuple):
    """A game with all who took part."""

    table: Table
    name: str
    tokens: dict[int | None, str]
    persons: list[Person]
    watchers: list[Watcher]


class Entry(NamedTuple):
    """A version of the log, and its moves as offers."""

    version: int
    batch: Batch
    offers: tuple[str, ...]


def log_of(store: redis.Redis, played: Played) -> list[Entry]:
    """The log as the store has it; it begins with version 1, and no version is missing."""
    game: AnyGame = installed().get(played.table.game_type)
    stem = Keys(GameKey(DEV_TENANT, played.name.removeprefix("games/"))).stem
    entries: Any = store.xrange(f"{stem}log")
    assert [int(entry.partition(b"-")[0]) for entry, _ in entries] == list(range(1, len(entries) + 1))
    batches = [decode(Batch, fields[b"b"]) for _, fields in entries]
    return [
        Entry(version, batch, tuple(game.notation(decode_move(game, move)) for move in batch.moves))
        for version, batch in enumerate(batches, 1)
    ]


async def events_of(site: Site, played: Played, viewer: int | None) -> dict[int, Events]:
    """What ListEvents says to a viewer, by version."""
    chance, found, page = played.table.chance_of("events"), defaultdict[int, Events](list), ""
    while True:
        asked = {"name": played.name, "pageSize": 500, **({"pageToken": page} if page else {})}
        answer = await site.call(chance, "ListEvents", played.tokens[viewer], **asked)
        for event in answer["events"]:
            found[event["version"]].append(event)
        page = answer["nextPageToken"]
        if not page:
            return found


def watched(watcher: Watcher, listed: dict[int, Events], log: list[Entry]) -> Iterator[str]:
    """The watcher heard every version to the end, and of each what ListEvents says."""
    who = f"watcher of seat {watcher.seat}"
    if watcher.ended is None or watcher.ended["version"] != len(log):
        yield f"{who} heard the end {watcher.ended}, the log has {len(log)} versions"
    known = sorted([*watcher.heard, *watcher.skipped])
    if known != list(range(min(known, default=0), len(log) + 1)) and known:
        yield f"{who} heard the versions {known} of {len(log)}"
    for version, events in watcher.heard.items():
        if events != listed.get(version, []):
            yield f"{who} heard {events} of version {version}, ListEvents says {listed.get(version, [])}"


def answered(person: Person, log: list[Entry]) -> Iterator[str]:
    """Each answer that was accepted stands in the log once, where the answer said; no other of this person does.

    Whoever answers just as the clock has just answered for the seat is told of the clock's move. And once a bot has
    taken over, the moves of both stand there: a person may still be faster than the bot.
    """
    moves = {Told(version, offers[0]): batch for version, batch, offers in log if batch.seat == person.seat and offers}
    alone = _replaced(person.seat, log)
    for told in person.told:
        if told not in moves:
            yield f"seat {person.seat} was told {told}, the log has {log[told.version - 1]}"
    for told, batch in moves.items():
        if told.version <= alone and not batch.timed_out and told not in person.told:
            yield f"seat {person.seat} was never told of {told}"
    if len(set(person.told)) != len(person.told):
        yield f"seat {person.seat} was told {person.told}"
    undone = [Undone(version, batch.undone) for version, batch, _ in log if batch.undone and batch.seat == person.seat]
    if person.undone != undone:
        yield f"seat {person.seat} took back {person.undone}, the log has {undone}"


def acted(person: Person, log: list[Entry]) -> Iterator[str]:
    """Every decision that was let pass was acted on by the clock, once it might, unless others took it away first."""
    alone = _replaced(person.seat, log)
    for lapse in person.lapses:
        following = [entry for entry in log[lapse.version : lapse.gone] if entry.batch.seat == person.seat]
        if not following or lapse.version >= alone:
            continue
        batch = following[0].batch
        deadline = datetime.fromisoformat(lapse.deadline).timestamp()
        if not batch.timed_out:
            yield f"seat {person.seat} let its decision of version {lapse.version} pass, then came {following[0]}"
        elif batch.time_us < deadline * 1e6:
            yield f"seat {person.seat}: the clock acted at {batch.time_us}, before the deadline {lapse.deadline}"


def _replaced(seat: int, log: list[Entry]) -> int:
    """The version from which on somebody else answers for the seat, too; behind the log if nobody does."""
    found = (entry.version for entry in log if any(changed == seat for changed, _, _ in entry.batch.seats))
    return next(found, len(log) + 1)


def clocks(table: Table, log: list[Entry]) -> Iterator[str]:
    """The clock does what the table's policy says to a person, and moves for everybody else; one move per decision."""
    persons = {seat for seat, chair in enumerate(table.chairs) if chair.level is None}
    for version, batch, offers in log:
        if batch.timed_out:
            policy = OnTimeout[table.on_timeout] if batch.seat in persons else OnTimeout.TIMEOUT_MOVE
            if batch.timed_out != policy or len(offers) != (policy is OnTimeout.TIMEOUT_MOVE):
                yield f"version {version}: the clock did {batch.timed_out} with {offers}, its policy is {policy.name}"
        # Whoever was replaced or has resigned is a person no more: that happens once per seat.
        persons -= {seat for seat, controller, _ in batch.seats if controller != Controller.HUMAN}


async def exported(site: Site, played: Played, log: list[Entry]) -> list[str]:
    """The game is finished, and its export is what seed and moves make of it."""
    chance = played.table.chance_of("export")
    game = await site.call(chance, "GetGame", site.key, name=played.name)
    if game["state"] != "GAME_STATE_FINISHED" or game["version"] != len(log):
        return [f"it is {game['state']} at version {game['version']}, its log has {len(log)}"]
    record = (await site.call(chance, "ExportGame", site.key, name=played.name))["export"]
    try:
        moves = verify(installed(), record)
    except NotFair as wrong:
        return [f"its export does not verify: {wrong}"]
    made = sum(len(entry.offers) for entry in log)
    return [] if moves == made else [f"its export has {moves} moves, its log {made}"]


async def problems(site: Site, played: Played, followed: list[int]) -> list[str]:
    """Everything that is wrong with a game. ``followed`` are the versions that the platform heard of."""
    with site.store.admin() as store:
        log = log_of(store, played)
    listed = {viewer: await events_of(site, played, viewer) for viewer in {one.seat for one in played.watchers}}
    found = [wrong for one in played.watchers for wrong in watched(one, listed[one.seat], log)]
    found += [wrong for one in played.persons for check in (answered, acted) for wrong in check(one, log)]
    found += [*clocks(played.table, log), *await exported(site, played, log)]
    if followed != list(range(1, len(log) + 1)):
        found.append(f"the platform heard of the versions {followed}")
    return [f"{played.name} ({played.table.game_type}, table {played.table.number}): {wrong}" for wrong in found]
