"""Two worlds of a game that differ in a chosen secret, played side by side through gRPC and REST.

``tests/service/secrecy`` looks at random moments; here a test names the secret and says what is played.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from engine.core import AnyGame, Rng, play
from rookery.v1 import game_service_pb2 as pb
from tests.service.secrecy.asks import Ask, typed
from tests.service.secrecy.conftest import MakeTwins
from tests.service.secrecy.twins import SEED, Table, by_http, by_rpc
from tests.service.secrecy.worlds import Pair


class Act(NamedTuple):
    """``seat`` makes the move; in the other world it makes ``there``, if that is given."""

    seat: int
    move: Any
    there: Any = None


async def nobody_can_tell(
    twins: MakeTwins, game: AnyGame, worlds: Sequence[Any], *acts: Act, viewers: tuple[int | None, ...]
) -> None:
    """Whatever each viewer may ask, before and after every act, it gets the same bytes from both. Raises Leak."""
    state, other = worlds
    assert state != other, "there is no secret"
    async with twins([game]) as made:
        for viewer in viewers:
            pair = Pair(game, game.seats_of(state), viewer, state, other, f"viewer {viewer}")
            table = await made.deal(pair)
            await table.probe()
            for act in acts:
                await _play(table, act)
                await table.probe()
            assert table.compared > 20 * (1 + len(acts))


async def _play(table: Table, act: Act) -> None:
    pair, homes, seat = table.pair, table.twins.homes, act.seat
    way = (by_rpc, by_http)[table.ply % 2]
    moves = act.move, act.move if act.there is None else act.there
    worlds, replies = [], []
    for home, view, world, move in zip(homes, await table.views(seat), pair[3:5], moves, strict=True):
        request = pb.SubmitMoveRequest(
            name=table.name, decision_id=view.decision.decision_id, move=typed(pair.game, move)
        )
        replies.append(await way(home, Ask("act", "SubmitMove", request), table.tokens[seat]))
        worlds.append(play(pair.game, world, seat, move, Rng(SEED, table.ply + 1)).state)
    assert all(reply.ok for reply in replies), replies
    table.ply += 1
    table.pair = pair._replace(state=worlds[0], other=worlds[1])
