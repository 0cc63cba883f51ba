"""The same through real sockets: REST, and gRPC on both transports, with every header and every trailer."""

from __future__ import annotations

import uuid

import pytest

from engine.core import AnyGame
from tests.service.live import TRANSPORTS
from tests.service.secrecy.outer import outer
from tests.service.secrecy.twins import Twins, by_http, by_rpc, lines
from tests.service.secrecy.worlds import cases_of, every_game, pairs


def tables(game: AnyGame) -> list[int]:
    """The smallest and the largest table."""
    counts = [seats for seats in game.seat_counts if seats < 20]
    return sorted({counts[0], counts[-1]})


GAMES = [(game, seats) for game in every_game() for seats in tables(game)]
IDS = [f"{game.game_type}-{seats}" for game, seats in GAMES]


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize(("game", "seats"), GAMES, ids=IDS)
async def test_no_byte_on_the_wire_tells_a_viewer_more(
    store_url: str, game: AnyGame, seats: int, transport: str
) -> None:
    case = cases_of(game, seats)[0]
    ways = (by_rpc, by_http) if transport == TRANSPORTS[0] else (by_rpc,)
    turn = TRANSPORTS.index(transport) + 1
    async with outer(store_url, [game], transport) as here, outer(f"{store_url}?db=1", [game], transport) as there:
        there.share(here)
        twins = Twins((here, there), ways, f"{uuid.uuid4()} ")
        some = tuple(range(seats)) if seats == tables(game)[0] else (turn % seats,)
        every = [*pairs(case, (None,), 2, turn), *pairs(case, some, 1, turn)]
        assert len(every) > 1
        for pair in every:
            table = await twins.deal(pair)
            await table.probe()
            await table.go_on(2)
            assert table.refused > 10
        tokens = list(table.tokens.values())
    assert len(lines(here.log)) > 100
    assert lines(here.log) == lines(there.log)
    assert not [secret for secret in (*tokens, here.key, there.key) if secret in here.log + there.log]
