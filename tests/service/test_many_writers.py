"""Many write at once, to one game and to many, through one process and through several: every move counts once."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from typing import Any, NamedTuple

import pytest

from engine.core import installed
from tests.service.client import WAYS, Client, Refused, fresh_id, transport_of, until_done
from tests.service.house import house
from tests.service.live import Live
from tests.service.players import Table, history
from tests.service.pledge import GAME

WRITERS = 64
CLIENTS = 8
MOVES = 16
EUCHRE = installed().get("euchre")
# What whoever comes too late may hear.
LATE = {"DECISION_ALREADY_ANSWERED", "DECISION_STALE", "NOT_YOUR_DECISION", "GAME_OVER"}


class Crowd(NamedTuple):
    """A server and several clients of it, each with connections of its own."""

    live: Live
    clients: list[Client]


@pytest.fixture(scope="module", params=[*((way, 1) for way in WAYS), ("rest", 2), ("native", 2)], ids=str)
def crowded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Live]]:
    way, workers = request.param
    flags = ("--workers", str(workers))
    with Live(tmp_path_factory.mktemp("many"), *flags, transport=transport_of(way)) as live:
        yield way, live


@pytest.fixture
async def crowd(crowded: tuple[str, Live]) -> AsyncIterator[Crowd]:
    way, live = crowded
    async with AsyncExitStack() as stack:
        yield Crowd(live, [await stack.enter_async_context(Client(way, live)) for _ in range(CLIENTS)])


async def twice(client: Client, rpc: str, token: str, **request: Any) -> dict[str, Any]:
    """Say the same thing twice at once, as a nervous client does; the answer, which both times is the same."""
    both = await asyncio.gather(*(until_done(client, rpc, token, **request) for _ in range(2)))
    assert sorted(answer["replayed"] for answer in both) == [False, True]
    first, again = both
    for part in ("committedVersion", "events"):
        assert first[part] == again[part]
    return first


async def log_of(crowd: Crowd, table: Table) -> Any:
    return await history(f"unix://{crowd.live.store_socket}", "dev", EUCHRE, table.name)


async def test_64_writers_on_64_games(crowd: Crowd) -> None:
    """Each game has a writer who repeats everything; nobody disturbs anybody."""

    async def play(i: int) -> Table:
        client = crowd.clients[i % CLIENTS]
        table = await Table.deal(client, crowd.live.platform_key, seed=str(i))
        for version in range(2, 6):
            seat = table.awaiting[0]
            view = await table.view(seat)
            assert view["version"] == version - 1
            offer = view["decision"]["offers"][i % len(view["decision"]["offers"])]["offerId"]
            asked = {"name": table.name, "decisionId": view["decision"]["decisionId"], "offerId": offer}
            answer = await twice(client, "SubmitMove", table.tokens[seat], requestId=fresh_id(), **asked)
            assert answer["committedVersion"] == version
            table.told.append((version, seat, (offer,)))  # type: ignore[arg-type]
            table.awaiting = [waited["seat"] for waited in answer["view"]["awaiting"]]
        return table

    for table in await asyncio.gather(*(play(i) for i in range(WRITERS))):
        assert await log_of(crowd, table) == table.told


async def test_64_writers_on_one_game(crowd: Crowd) -> None:
    """Sixteen for each seat, all at once, each with an answer of its own: every question is answered by one of them."""
    table = await Table.deal(crowd.clients[0], crowd.live.platform_key)
    won: list[tuple[int, int, str]] = []
    heard: Counter[str] = Counter()

    async def write(i: int) -> None:
        client, seat = crowd.clients[i % CLIENTS], i // CLIENTS % 4
        token, seen, beyond = table.tokens[seat], 1, 0
        while seen <= MOVES:
            asked: dict[str, Any] = {"name": table.name, "newerThan": beyond, "wait": "10s"}
            view = await until_done(client, "GetView", token, **asked)
            # Nobody ever sees an older version than before.
            assert view["version"] >= seen
            seen = beyond = view["version"]
            if "decision" not in view or seen > MOVES:
                continue
            offers = view["decision"]["offers"]
            offer = offers[i % len(offers)]["offerId"]
            mine = {"name": table.name, "decisionId": view["decision"]["decisionId"], "offerId": offer}
            try:
                answer = await until_done(client, "SubmitMove", token, **mine)
            except Refused as no:
                assert no.reason in LATE  # noqa: PT017 - one of them, or an answer
                heard[no.reason] += 1
                continue
            if not answer["replayed"]:
                won.append((answer["committedVersion"], seat, offer))
            heard["replayed" if answer["replayed"] else "committed"] += 1
            assert answer["view"]["version"] >= seen
            # Perhaps the next question is to this seat again.
            seen, beyond = answer["view"]["version"], answer["view"]["version"] - 1

    await asyncio.gather(*(write(i) for i in range(WRITERS)))
    logged = await log_of(crowd, table)
    # Whoever was told to have moved has, and nobody else; no version is missing, none was made twice.
    assert sorted(won) == [(said.version, said.seat, said.offers[0]) for said in logged]
    assert [said.version for said in logged] == list(range(2, len(logged) + 2))
    assert len(logged) >= MOVES
    # It was a race: most came too late.
    assert heard["committed"] == len(logged) < sum(heard.values())


@pytest.mark.parametrize("way", WAYS)
async def test_all_seats_answer_at_once_in_two_processes(way: str, store_url: str) -> None:
    """64 seats, each asked at the same time, each answering twice; odd ones through another process."""
    async with AsyncExitStack() as stack:
        homes = [
            await stack.enter_async_context(house(store_url, [GAME], transport=transport_of(way))) for _ in range(2)
        ]
        homes[1].credentials.replace(homes[0].keys)
        clients = [await stack.enter_async_context(Client(way, home)) for home in homes]
        table = await Table.deal(clients[0], homes[0].key, "pledge", WRITERS)
        views = await asyncio.gather(*(table.view(seat) for seat in range(WRITERS)))

        async def answer(seat: int) -> dict[str, Any]:
            asked = {"decisionId": views[seat]["decision"]["decisionId"], "offerId": f"pledge:{seat % 3 + 1}"}
            return await twice(clients[seat % 2], "SubmitMove", table.tokens[seat], name=table.name, **asked)

        answers = await asyncio.gather(*(answer(seat) for seat in range(WRITERS)))
        versions = [answer["committedVersion"] for answer in answers]
        assert sorted(versions) == list(range(2, WRITERS + 2))
        logged = await history(store_url, "test", GAME, table.name)
        assert {said.version: (said.seat, said.offers) for said in logged} == {
            version: (seat, (f"pledge:{seat % 3 + 1}",)) for seat, version in enumerate(versions)
        }
        for client in clients:
            view = await client.call("GetView", table.tokens[0], name=table.name)
            assert (view["version"], view["plugin"]["totals"]) == (
                WRITERS + 1,
                [seat % 3 + 1 for seat in range(WRITERS)],
            )


@pytest.mark.parametrize("way", WAYS)
async def test_two_seats_that_answer_at_once_both_succeed(way: str, store_url: str) -> None:
    async with house(store_url, [GAME], transport=transport_of(way)) as home, Client(way, home) as client:
        for _ in range(10):
            table = await Table.deal(client, home.key, "pledge", 3)
            decisions = [(await table.view(seat))["decision"]["decisionId"] for seat in range(2)]
            both = await asyncio.gather(
                *(
                    client.call(
                        "SubmitMove", table.tokens[seat], name=table.name, decisionId=decision, offerId="pledge:2"
                    )
                    for seat, decision in enumerate(decisions)
                )
            )
            assert sorted(answer["committedVersion"] for answer in both) == [2, 3]
            assert [answer["replayed"] for answer in both] == [False, False]
