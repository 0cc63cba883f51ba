"""What a platform is told of every commit it may pass on to anybody: it is the same where a spectator sees the same."""

from __future__ import annotations

from contextlib import aclosing

import msgspec
import pytest

from engine.core import AnyGame
from service import notices
from service.callers import ALL_SCOPES, Platform
from service.records import Notice, decode, encode
from service.resources_live import Update, WatchUpdatesRequest
from service.table import Table as ServiceTable
from tests.service.secrecy.conftest import MakeTwins
from tests.service.secrecy.inner import Inner
from tests.service.secrecy.test_clocks import POLICIES, clock
from tests.service.secrecy.twins import Leak, Twins
from tests.service.secrecy.worlds import Pair, every_game, moments

GAMES = every_game()
IDS = [game.game_type for game in GAMES]
PLATFORM = Platform("test", ALL_SCOPES, "key")


async def here(home: Inner) -> str:
    """The cursor of all that was told so far."""
    async with aclosing(home.app.watch_updates(PLATFORM, WatchUpdatesRequest())) as stream:
        return (await anext(stream)).cursor


async def told(home: Inner, cursor: str, count: int) -> list[Update]:
    """So many updates behind the cursor."""
    found: list[Update] = []
    async with aclosing(home.app.watch_updates(PLATFORM, WatchUpdatesRequest(cursor=cursor))) as stream:
        while len(found) < count:
            update = (await anext(stream)).update
            found += [] if update is None else [update]
    return found


async def compare_updates(made: Twins, pair: Pair) -> None:
    """Play on where a spectator sees no difference, and compare what the platforms are told of it. Raises Leak."""
    homes = [home for home in made.homes if isinstance(home, Inner)]
    cursors = [await here(home) for home in homes]
    table = await made.deal(pair, clock(POLICIES[0]))
    commits = 1 + await table.go_on(2)
    one, other = [await told(home, cursor, commits) for home, cursor in zip(homes, cursors, strict=True)]
    assert [update.version for update in one] == list(range(1, commits + 1))
    if one != other:
        raise Leak(f"{pair.name}: updates\n{one}\n{other}")


def unseen(game: AnyGame) -> list[Pair]:
    """Some moments of a spectator."""
    found = [pair for moment, pair in moments(game).items() if moment.part == "spectator"]
    return found[:: 1 + len(found) // 8]


async def compare_all(made: Twins, game: AnyGame) -> None:
    """Compare the updates of some moments. Raises Leak."""
    for pair in unseen(game):
        await compare_updates(made, pair)


@pytest.mark.parametrize("game", GAMES, ids=IDS)
async def test_updates_tell_no_secret(twins: MakeTwins, game: AnyGame) -> None:
    async with twins([game]) as made:
        await compare_all(made, game)


async def test_updates_that_leak_are_caught(twins: MakeTwins, monkeypatch: pytest.MonkeyPatch) -> None:
    (game,) = [game for game in GAMES if game.game_type == "pledge"]
    honest = notices.notice_of

    def leak(table: ServiceTable) -> bytes:
        notice = decode(Notice, honest(table))
        way = 1 if table.state.bank % 2 else -1  # type: ignore[attr-defined]
        return encode(msgspec.structs.replace(notice, awaiting=notice.awaiting[::way]))

    for module in ("create", "plan"):
        monkeypatch.setattr(f"service.{module}.notice_of", leak)
    async with twins([game]) as made:
        with pytest.raises(Leak):
            await compare_all(made, game)
