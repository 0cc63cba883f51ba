"""Whole games over each transport, by a client that knows no game: it looks, chooses an offer, and goes on."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine.core import installed
from rookery.v1 import game_service_pb2 as pb
from tests.service.live import Live, body

GAMES = [(game_type, seats) for game_type in installed().game_types for seats in installed().get(game_type).seat_counts]
MOST_MOVES = 5000


@pytest.mark.parametrize(("game_type", "seats"), GAMES)
async def test_over_rest(live: Live, game_type: str, seats: int) -> None:
    rng = random.Random(f"{game_type} {seats}")
    async with live.rest() as platform:
        made = (await platform.post("games", json=body(seats, game_type))).raise_for_status().json()
        name, tokens = made["game"]["name"], [seat["token"] for seat in made["seatTokens"]]
        awaiting = made["game"]["awaiting"]
        version = 1
        for _ in range(MOST_MOVES):
            if not awaiting:
                break
            seat = awaiting[0]["seat"]
            headers = {"authorization": f"Bearer {tokens[seat]}"}
            view = (await platform.get(f"{name}/view", headers=headers)).raise_for_status().json()
            assert view["version"] == version
            answer = {
                "decisionId": view["decision"]["decisionId"],
                "offerId": rng.choice(view["decision"]["offers"])["offerId"],
            }
            done: dict[str, Any] = (
                (await platform.post(f"{name}:submitMove", json=answer, headers=headers)).raise_for_status().json()
            )
            version += 1
            assert done["committedVersion"] == done["view"]["version"] == version
            awaiting = done["view"]["awaiting"]
        game = (await platform.get(name)).raise_for_status().json()
    assert game["state"] == "GAME_STATE_FINISHED"
    assert sorted(place["seat"] for place in game["result"]["placements"]) == list(range(seats))


@pytest.mark.parametrize(("game_type", "seats"), GAMES)
async def test_over_grpc_by_typed_moves(live: Live, game_type: str, seats: int) -> None:
    rng = random.Random(f"{seats} {game_type}")
    async with live.rpc() as rpc:
        request = pb.CreateGameRequest(game_type=game_type, seats=[pb.NewSeat() for _ in range(seats)])
        made = await rpc.CreateGame(request)
        name, awaiting = made.game.name, made.game.awaiting
        for _ in range(MOST_MOVES):
            if not awaiting:
                break
            token = made.seat_tokens[awaiting[0].seat].token
            view = await rpc.GetView(pb.GetViewRequest(name=name), token)
            offer = rng.choice(view.decision.offers)
            answer = pb.SubmitMoveRequest(name=name, decision_id=view.decision.decision_id, move=offer.move)
            done = await rpc.SubmitMove(answer, token)
            awaiting = done.view.awaiting
        assert not awaiting
        assert (await rpc.GetGame(pb.GetGameRequest(name=name))).HasField("result")
