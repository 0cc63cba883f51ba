"""The test of the tests: every leak that is put in is found, by whoever may not know, and nothing is found without."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec import structs

from engine.core import AnyGame, Lasting, encode_state
from service import projection, submit, trace, undo, watch
from service.errors import Reason, Refusal
from service.resources import Decision, Label
from service.table import Table as ServiceTable
from tests.contract.cases import Case
from tests.service.pledge import GAME
from tests.service.secrecy.conftest import MakeTwins
from tests.service.secrecy.leaky import LEAKY
from tests.service.secrecy.twins import Leak, Twins, Way, by_http, by_rpc, lines
from tests.service.secrecy.worlds import Pair, pairs

SEATS = 3


def some_pairs(game: AnyGame, games: int) -> Iterator[Pair]:
    """Pairs of several random games, for the spectator and for each seat."""
    for number in range(games):
        yield from pairs(Case(game, SEATS, (), b"leak%d" % number), (None, *range(SEATS)), 3, number)


async def search(twins: Twins, game: AnyGame, games: int = 4) -> None:
    """Look for a leak. Raises Leak."""
    for pair in some_pairs(game, games):
        table = await twins.deal(pair)
        await table.probe()
        await table.go_on(1)
        await table.go_on(1, own=True)
        await table.go_on(1)


async def test_nothing_is_found_where_nothing_leaks(twins: MakeTwins) -> None:
    async with twins([GAME]) as made:
        await search(made, GAME, 2)


@pytest.mark.parametrize("way", [by_rpc, by_http])
@pytest.mark.parametrize("game", LEAKY, ids=lambda game: type(game).__name__)
async def test_a_game_that_leaks_is_caught(twins: MakeTwins, game: AnyGame, way: Way) -> None:
    async with twins([game]) as made:
        with pytest.raises(Leak):
            await search(made._replace(ways=(way,)), game)


def _state_of(table: ServiceTable) -> str:
    return hashlib.sha256(encode_state(table.game, table.state)).hexdigest()[:8]


def etag_leak(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(projection, "etag_of", lambda table, seat: f'W/"{_state_of(table)}"')


def prompt_leak(patch: pytest.MonkeyPatch) -> None:
    made = projection.decision_of

    def leak(table: ServiceTable, seat: int | None, *, offers: bool) -> object:
        found = made(table, seat, offers=offers)
        return found and structs.replace(found, prompt=Label("prompt.pledge", {}, _state_of(table)))

    patch.setattr(projection, "decision_of", leak)


def game_leak(patch: pytest.MonkeyPatch) -> None:
    made = projection.game_of

    def leak(table: ServiceTable, *, platform: bool) -> object:
        return structs.replace(made(table, platform=platform), annotations={"": _state_of(table)})

    patch.setattr(projection, "game_of", leak)


def seed_leak(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(projection, "etag_of", lambda table, seat: f'W/"{table.meta.seed.hex()}"')


def salt_leak(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(projection, "etag_of", lambda table, seat: f'W/"{table.meta.salt.hex()}"')


def stream_leak(patch: pytest.MonkeyPatch) -> None:
    made = watch.Watch._changes

    async def leak(self: watch.Watch, table: ServiceTable, *rest: Any) -> object:
        found = await made(self, table, *rest)
        # The number of messages is the leak.
        return found + found[-1:] * (int(_state_of(table), 16) % 2)

    patch.setattr(watch.Watch, "_changes", leak)


def past_leak(patch: pytest.MonkeyPatch) -> None:
    made = projection.decision_of

    def leak(table: ServiceTable, seat: int | None, *, offers: bool) -> object:
        found = made(table, seat, offers=offers)
        return Decision(_state_of(table), "", Label("", {}, "")) if table.past else found

    patch.setattr(projection, "decision_of", leak)


def repeat_leak(patch: pytest.MonkeyPatch) -> None:
    made = submit.Submit._replay

    async def leak(self: submit.Submit, ask: Any, seat: int, table: ServiceTable, version: int) -> object:
        found = await made(self, ask, seat, table, version)
        return structs.replace(found, replayed=bool(int(_state_of(table), 16) % 2))

    patch.setattr(submit.Submit, "_replay", leak)


def clash_leak(patch: pytest.MonkeyPatch) -> None:
    def leak(name: str, table: ServiceTable) -> Refusal:
        return Refusal(Reason.DECISION_ALREADY_ANSWERED, _state_of(table))

    patch.setattr(submit, "clash", leak)


LEAKS = (
    etag_leak,
    prompt_leak,
    game_leak,
    seed_leak,
    salt_leak,
    stream_leak,
    past_leak,
    repeat_leak,
    clash_leak,
)


@pytest.mark.parametrize("leak", LEAKS)
async def test_a_service_that_leaks_is_caught(
    twins: MakeTwins, monkeypatch: pytest.MonkeyPatch, leak: Callable[[pytest.MonkeyPatch], None]
) -> None:
    leak(monkeypatch)
    async with twins([GAME]) as made:
        with pytest.raises(Leak):
            await search(made, GAME)


async def slips(twins: Twins) -> None:
    """Let every viewer take something back. Raises Leak."""
    for pair in some_pairs(GAME, 4):
        await (await twins.deal(pair)).take_back(own=True)


async def test_an_undo_that_leaks_is_caught(twins: MakeTwins, monkeypatch: pytest.MonkeyPatch) -> None:
    def leak(game: AnyGame, state: Any, *rest: object) -> Lasting | None:
        return None if state.bank % 2 else Lasting.SOMETHING_LEARNED

    monkeypatch.setattr(undo, "lasting", leak)
    async with twins([GAME]) as made:
        with pytest.raises(Leak):
            await slips(made)


async def test_a_log_that_leaks_is_caught(twins: MakeTwins, monkeypatch: pytest.MonkeyPatch) -> None:
    made = projection.view_of

    def leak(table: ServiceTable, *rest: object) -> object:
        trace.note(state=_state_of(table))
        return made(table, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(projection, "view_of", leak)
    async with twins([GAME]) as both:
        await search(both, GAME, 1)
        assert lines(both.homes[0].log) != lines(both.homes[1].log)
