"""Games from positions and from seeds."""

from __future__ import annotations

import base64
import copy
from collections.abc import AsyncIterator
from typing import Any

import pytest

from engine.core import AnyGame, write_position
from service.create import CreateRules
from tests.contract.cases import Case, games, playout
from tests.service.client import WAYS, Client, fresh_id, transport_of
from tests.service.house import House, house
from tests.service.live import body
from tests.service.players import refused

SEED = base64.b64encode(b"s" * 32).decode()


@pytest.fixture(params=WAYS)
async def room(request: pytest.FixtureRequest, store_url: str) -> AsyncIterator[tuple[House, Client]]:
    way = request.param
    async with house(store_url, games(), transport=transport_of(way)) as home, Client(way, home) as client:
        yield home, client


def states_of(game: AnyGame) -> list[tuple[int, Any]]:
    """Some states of random games, with the number of seats: the first, some later ones, the last."""
    found = []
    for seats in (game.seat_counts[0], game.seat_counts[-1]):
        states = playout(Case(game, seats, (), b"position")).states
        found += [(seats, states[i]) for i in (0, len(states) // 3, len(states) // 2, len(states) - 1)]
    return found


@pytest.mark.parametrize("game", games(), ids=lambda game: game.game_type)
async def test_a_game_goes_on_from_a_position(room: tuple[House, Client], game: AnyGame) -> None:
    """Each seat sees what the engine shows it of that state, and is asked what the engine asks it."""
    home, client = room
    for seats, state in states_of(game):
        request = body(seats, game.game_type, position=write_position(game, state))
        made = await client.call("CreateGame", home.key, **request)
        asked = {prompt.seat: prompt for prompt in game.prompts(state)}
        assert made["game"]["state"] == ("GAME_STATE_ACTIVE" if asked else "GAME_STATE_FINISHED")
        assert [awaited["seat"] for awaited in made["game"]["awaiting"]] == list(asked)
        assert ("result" in made["game"]) is not bool(asked)
        for seat in range(seats):
            view = await client.call("GetView", made["seatTokens"][seat]["token"], name=made["game"]["name"])
            offers = [offer["offerId"] for offer in view.get("decision", {}).get("offers", ())]
            assert offers == [game.notation(move) for move in game.legal_moves(state, seat)]
        if asked:
            seat = next(iter(asked))
            token, name = made["seatTokens"][seat]["token"], made["game"]["name"]
            view = await client.call("GetView", token, name=name)
            answer = {"decisionId": view["decision"]["decisionId"], "offerId": view["decision"]["offers"][0]["offerId"]}
            assert (await client.call("SubmitMove", token, name=name, **answer))["committedVersion"] == 2


@pytest.mark.parametrize("game", games(), ids=lambda game: game.game_type)
async def test_what_is_wrong_with_a_position_is_named(room: tuple[House, Client], game: AnyGame) -> None:
    home, client = room
    seats, state = states_of(game)[1]
    good = write_position(game, state)
    for field in good:
        for spoiled in ({k: v for k, v in good.items() if k != field}, {**good, field: {"no": "such thing"}}):
            if field not in spoiled and _has_default(game, field):
                continue
            request = body(seats, game.game_type, position=spoiled)
            no = await refused(client, "CreateGame", home.key, **request)
            assert (no.code, no.reason) == ("INVALID_ARGUMENT", "INVALID_OPTIONS")
            (named,) = no.fields
            assert named == f"position.{field}" or named.startswith((f"position.{field}.", f"position.{field}["))
    no = await refused(client, "CreateGame", home.key, **body(seats, game.game_type, position={**good, "more": 1}))
    assert (no.reason, no.fields) == ("INVALID_OPTIONS", ["position.more"])
    # Another number of seats than the position has.
    others = [count for count in game.seat_counts if count != seats]
    if others:
        no = await refused(client, "CreateGame", home.key, **body(others[0], game.game_type, position=good))
        assert (no.reason, no.fields) == ("INVALID_OPTIONS", ["seats"])


def _has_default(game: AnyGame, field: str) -> bool:
    import msgspec

    found = next(known for known in msgspec.structs.fields(game.state) if known.encode_name == field)
    return not found.required


async def test_options_beside_a_position_must_be_its_own(room: tuple[House, Client]) -> None:
    home, client = room
    game = next(game for game in games() if game.game_type == "sevens")
    seats, state = states_of(game)[0]
    request = body(seats, "sevens", position=write_position(game, state))
    same = await client.call("CreateGame", home.key, **request)
    made = await client.call("CreateGame", home.key, **request, options={"sevens": {}})
    assert made["game"]["options"] == same["game"]["options"]
    limit = same["game"]["options"]["sevens"]["passLimit"]
    no = await refused(client, "CreateGame", home.key, **request, options={"sevens": {"passLimit": limit + 1}})
    assert (no.reason, no.fields) == ("INVALID_OPTIONS", ["options"])


async def test_seeds_and_positions_are_refused_unless_allowed(store_url: str) -> None:
    game = next(game for game in games() if game.game_type == "euchre")
    seats, state = states_of(game)[0]
    async with house(store_url, games(), rules=CreateRules()) as home, Client("rest", home) as client:
        for field, more in (("seed", {"seed": SEED}), ("position", {"position": write_position(game, state)})):
            no = await refused(client, "CreateGame", home.key, **body(seats, "euchre", **more))
            assert (no.code, no.reason, no.fields) == ("INVALID_ARGUMENT", "INVALID_OPTIONS", [field])


@pytest.mark.parametrize("game", games(), ids=lambda game: game.game_type)
async def test_a_seed_decides_the_deal(room: tuple[House, Client], game: AnyGame) -> None:
    """The same seed, the same game, move for move; another seed, another game. Names and tokens are never the same."""
    home, client = room
    told = []
    for seed in (SEED, SEED, base64.b64encode(b"t" * 32).decode()):
        made = await client.call(
            "CreateGame", home.key, **body(game.seat_counts[0], game.game_type, seed=seed, requestId=fresh_id())
        )
        said = []
        awaiting = made["game"]["awaiting"]
        for _ in range(6):
            token = made["seatTokens"][awaiting[0]["seat"]]["token"]
            view = await client.call("GetView", token, name=made["game"]["name"])
            decision = view["decision"]
            answer = {"decisionId": decision["decisionId"], "offerId": decision["offers"][-1]["offerId"]}
            done = await client.call("SubmitMove", token, name=made["game"]["name"], **answer)
            awaiting = done["view"]["awaiting"]
            said.append((view[_arm(game)], [offer["offerId"] for offer in decision["offers"]]))
        told.append((copy.deepcopy(said), made["game"]["name"], made["seatTokens"][0]["token"]))
    assert told[0][0] == told[1][0] != told[2][0]
    assert len({name for _, name, _ in told}) == len({token for _, _, token in told}) == 3


def _arm(game: AnyGame) -> str:
    """The name of the game's arm in JSON."""
    head, *rest = game.game_type.split("_")
    return head + "".join(word.capitalize() for word in rest)
