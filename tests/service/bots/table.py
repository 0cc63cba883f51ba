"""Games with bots, as a platform makes them and sees them."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import httpx
import redis

from service.redis_keys import Keys
from service.store import GameKey
from tests.service.live import Live
from tests.service.store.harness import PATIENCE
from tests.service.store.processes import children_of, command_of

LEVELS = ("BOT_LEVEL_BASIC", "BOT_LEVEL_STRONG", "BOT_LEVEL_RANDOM")
# A game of bots that cannot get on would never end.
WHOLE_GAME = 240.0


def bot(level: str = "BOT_LEVEL_RANDOM") -> dict[str, Any]:
    return {"controller": "CONTROLLER_BOT", "botLevel": level}


async def deal(platform: httpx.AsyncClient, game_type: str, seats: list[dict[str, Any]], **more: Any) -> Any:
    request = {"gameType": game_type, "seats": seats, **more}
    return (await platform.post("games", json=request)).raise_for_status().json()


async def until_over(live: Live, name: str) -> dict[str, Any]:
    """The game when it is finished, however often the server goes and comes meanwhile."""
    end = time.monotonic() + WHOLE_GAME
    while True:
        assert time.monotonic() < end, f"never over:\n{live.log.read_text()[-4000:]}"
        game = await seen(live, name)
        if game["state"] != "GAME_STATE_ACTIVE":
            return game
        await asyncio.sleep(0.05)


async def until_version(live: Live, name: str, version: int) -> int:
    """The version once it is at least so high."""
    end = time.monotonic() + PATIENCE
    while (now := int((await seen(live, name))["version"])) < version:
        assert time.monotonic() < end, f"stays at version {now}:\n{live.log.read_text()[-4000:]}"
        await asyncio.sleep(0.01)
    return now


async def seen(live: Live, name: str) -> dict[str, Any]:
    async with live.rest() as platform:
        game: dict[str, Any] = (await platform.get(name)).raise_for_status().json()
    return game


def check_log(live: Live, name: str) -> int:
    """The moves of the game's log: no version is missing, and each decision was answered in one version."""
    keys = Keys(GameKey("dev", name.removeprefix("games/")))
    with redis.Redis(unix_socket_path=live.store_socket) as admin:
        entries = [entry.partition(b"-")[0] for entry, _ in admin.xrange(keys.log)]
        memos: Any = admin.hgetall(keys.memos)
        newest = admin.hget(keys.game, "v")
    assert entries == [str(version).encode() for version in range(1, int(newest or 0) + 1)]
    decisions = [name for name in memos if not name.startswith(b"request:")]
    # One memo for each decision, at a version of its own: nothing was answered twice.
    assert len({memos[decision][:4] for decision in decisions}) == len(decisions) == len(entries) - 1
    return len(decisions)


def bot_processes(server: int) -> list[int]:
    """The bot workers of a server."""
    return [pid for pid in children_of(server) if "bots" in command_of(pid)]
