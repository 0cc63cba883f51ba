"""The server is killed while somebody moves and takes back: each was done once, whatever had to be said again."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from tests.service.client import WAYS, Client, fresh_id, transport_of, until_done
from tests.service.live import Live
from tests.service.players import Table
from tests.service.store.harness import until_async

SLIPS = 60
KILLS = 4


async def slip(client: Client, table: Table, number: int) -> tuple[int, int]:
    """Pass and take it back, each said until it is answered; the versions that they made."""
    seat = table.awaiting[0]
    token = table.tokens[seat]
    decision = (await table.view(seat))["decision"]["decisionId"]
    moved = (await table.submit(seat, decision, "pass"))["committedVersion"]
    # By its id, or by where it goes back to: either is enough.
    named = {"requestId": fresh_id()} if number % 2 else {}
    undo: dict[str, Any] = {"name": table.name, "toVersion": moved - 1, **named}
    return moved, (await until_done(client, "UndoMove", token, **undo))["committedVersion"]


async def so_many(done: list[int], enough: int, playing: asyncio.Task[None]) -> None:
    await until_async(lambda: len(done) >= enough or playing.done(), "the play goes on")


@pytest.mark.parametrize("way", WAYS)
async def test_every_undo_is_done_once(way: str, tmp_path: Path) -> None:
    rng = random.Random(f"undo {way}")
    done: list[int] = []
    with Live(tmp_path, transport=transport_of(way)) as live:
        async with Client(way, live) as client:
            table = await Table.deal(client, live.platform_key)

            async def slips() -> None:
                for number in range(SLIPS):
                    done.extend(await slip(client, table, number))

            playing = asyncio.create_task(slips())
            for kill in range(KILLS):
                await so_many(done, (kill + 1) * 2 * SLIPS // (KILLS + 2), playing)
                await asyncio.sleep(rng.uniform(0, 0.006))
                await asyncio.to_thread(live.kill)
                await asyncio.to_thread(live.start)
            await playing
            assert done == list(range(2, 2 * SLIPS + 2))
            told = await until_done(client, "ListEvents", table.tokens[1], name=table.name, pageSize=1000)
            undone = {event["version"]: event["undone"]["toVersion"] for event in told["events"] if "undone" in event}
            assert undone == {version: version - 2 for version in done[1::2]}
            record = await until_done(client, "ExportGame", live.platform_key, name=table.name)
            assert [entry["version"] for entry in record["export"]["moves"]] == done[::2]
