"""Record the exports that are missing: ``python -m tests.golden``. What is there is left alone.

The games are played through the service, on a store of their own, with chance and time that come again.
"""

from __future__ import annotations

import asyncio
import json
import sys
from base64 import b64encode
from pathlib import Path
from typing import Any

from engine.core import AnyGame
from service.fairness import MOST_ENTROPY_BYTES, SECRET_BYTES
from tests.golden import FOLDER, Variant, file_of, registered, variants
from tests.service.house import counted_entropy, house, standing_clock
from tests.service.live_games.play import Table, deal
from tests.service.store.harness import Server

MOVES_BEFORE = 5


async def record(store_url: str, game: AnyGame, variant: Variant) -> dict[str, Any]:
    """The export of a game played at random."""
    name = file_of(game, variant).stem
    entropy = counted_entropy(name)

    def seed() -> str:
        return b64encode(entropy(SECRET_BYTES)).decode()

    def given() -> dict[str, str]:
        return {"entropy": b64encode(entropy(1 + entropy(1)[0] % MOST_ENTROPY_BYTES)).decode()}

    async with house(store_url, [game], clock_us=standing_clock(), entropy=entropy) as home:
        more: dict[str, Any] = {"options": {"plugin": variant.options}} if variant.options else {}
        if variant.given:
            async with deal(home, game.game_type, variant.seats, chance=name, seed=seed()) as before:
                await before.move(MOVES_BEFORE)
                more["position"] = (await _export(before))["position"]
        if variant.mixed:
            players = [given() if seat % 2 else {} for seat in range(variant.seats)]
            more |= {"players": players, **given()}
        async with deal(home, game.game_type, variant.seats, chance=name, seed=seed(), **more) as table:
            await table.move(variant.moves)
            return await _export(table)


async def _export(table: Table) -> dict[str, Any]:
    export: dict[str, Any] = (await table.get(f"{table.name}:export"))["export"]
    return export


def text_of(export: dict[str, Any]) -> str:
    """The export as JSON: a line for each field, and for each item of its lists."""
    return "{\n" + ",\n".join(f"{json.dumps(key)}: {_item(export[key])}" for key in sorted(export)) + "\n}\n"


def _item(value: Any) -> str:
    if not isinstance(value, list) or not value:
        return json.dumps(value, ensure_ascii=False, sort_keys=True)
    return "[\n" + ",\n".join(json.dumps(item, ensure_ascii=False, sort_keys=True) for item in value) + "\n]"


def missing() -> list[tuple[AnyGame, Variant, Path]]:
    """What has to be recorded."""
    wanted = [(game, variant, file_of(game, variant)) for game in registered() for variant in variants(game)]
    return [each for each in wanted if not each[2].exists()]


def main() -> None:
    """Write the missing files and name them."""
    FOLDER.mkdir(exist_ok=True)
    with Server() as store:
        for game, variant, path in missing():
            path.write_text(text_of(asyncio.run(record(store.url, game, variant))), encoding="utf-8")
            sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    main()
