"""Secrecy through the adapters, for every game, seat count, option and viewer; first the spectator, who knows least."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.core import AnyGame, Rng, lasting
from tests.contract.cases import playout
from tests.service.secrecy.conftest import MakeTwins
from tests.service.secrecy.twins import Twins, lines
from tests.service.secrecy.worlds import PARTS, Moment, Pair, cases_of, every_game, kinds, moments, pair_at, pairs

GAMES = [(game, seats) for game in every_game() for seats in game.seat_counts if seats < 20]
SLIPS = 2
IDS = [f"{game.game_type}-{seats}" for game, seats in GAMES]


def chosen(game: AnyGame, seats: int) -> list[Pair]:
    """Every moment; every viewer with the default options; the spectator and one seat with each of some others."""
    plain, *others = cases_of(game, seats)
    found = [pair for pair in moments(game).values() if pair.seats == seats]
    found += [*pairs(plain, (None,), 3), *pairs(plain, tuple(range(seats)), 1, seats)]
    for turn, case in enumerate(others[:: max(1, len(others) // 3)], 1):
        found += pairs(case, (None, turn % seats), 1, turn)
    return found


# Questions that random games do not lead to; pairs made by hand are in ``tests/games/wingspan/test_secret_pairs.py``.
SELDOM = {"wingspan": {"choose_target"}}


@pytest.mark.parametrize("game", every_game(), ids=lambda game: game.game_type)
def test_every_kind_of_question_is_looked_at_in_every_part(game: AnyGame) -> None:
    often = set(kinds(game)) - SELDOM.get(game.game_type, set())
    assert {Moment(kind, part) for kind in often for part in PARTS} <= set(moments(game))


async def check(twins: Twins, pair: Pair) -> tuple[int, int]:
    """Ask everything, play on, look again; how many answers were compared, and how many moves told no difference."""
    table = await twins.deal(pair)
    await table.probe()
    # Allowed or refused: the reason counts, too.
    await table.take_back(own=True)
    quiet = await table.go_on(1) + await table.go_on(1, own=True) + await table.go_on(1)
    return table.compared, quiet


@pytest.mark.parametrize(("game", "seats"), GAMES, ids=IDS)
async def test_whatever_a_viewer_may_not_know_changes_no_byte_that_it_gets(
    twins: MakeTwins, game: AnyGame, seats: int
) -> None:
    async with twins([game]) as made:
        every = chosen(game, seats)
        checked = [await check(made, pair) for pair in every]
        assert len(every) > seats
        assert min(compared for compared, _ in checked) > 20
        assert sum(quiet for _, quiet in checked) > seats
        logs = [home.log for home in made.homes]
    # A secret that reached the log would make the two differ; and a token would stand in both.
    assert lines(logs[0]) == lines(logs[1])
    assert "eyJ" not in logs[0]
    assert made.homes[0].key not in logs[0]


def slips(game: AnyGame, seats: int, own: bool) -> Iterator[Pair]:
    """Pairs for every viewer where something can be taken back, by the viewer itself or by another."""
    case = cases_of(game, seats)[0]
    plies = playout(case).plies
    for viewer in (None, *range(seats)):
        found = 0
        for ply in plies[:: max(1, len(plies) // 100)]:
            if own != (ply.seat == viewer) or found == SLIPS:
                continue
            if lasting(game, ply.state, ply.seat, ply.move, Rng(case.seed, ply.number)) is None:
                pair = pair_at(case, ply.state, viewer, f"{case}, slip {ply.number}")
                found += pair is not None
                yield from () if pair is None else (pair,)


@pytest.mark.parametrize(("game", "seats"), GAMES, ids=IDS)
@pytest.mark.parametrize("own", [True, False])
async def test_nor_does_what_is_taken_back(twins: MakeTwins, game: AnyGame, seats: int, own: bool) -> None:
    async with twins([game]) as made:
        taken_back, every = 0, list(slips(game, seats, own))
        for pair in every:
            table = await made.deal(pair)
            taken_back += await table.take_back(own=own)
            taken_back += await table.take_back(own=own)
    # Two who paint the roses never do anything that could be taken back.
    assert taken_back > 0 or not every
    assert every or (game.game_type, seats) == ("paint_the_roses", 2)
