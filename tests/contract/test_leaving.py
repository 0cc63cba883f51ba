"""Players who leave: whoever left comes last, the others go on as long as it is a game, and nothing is given away."""

from __future__ import annotations

from itertools import combinations

from engine.core import AnyGame, Result, Rng
from engine.core.leaving import losers
from tests.contract.cases import Playout

# States of each random game that are looked at.
STATES = 6


def some(played: Playout) -> list[object]:
    return list(played.states[:: max(1, len(played.states) // STATES)])


def leavings(seats: int) -> list[frozenset[int]]:
    """Nobody, each alone, some pairs, and all but the last."""
    pairs = list(combinations(range(seats), 2))[:4]
    found = [(), *((seat,) for seat in range(seats)), *pairs, tuple(range(seats - 1))]
    return [frozenset(seats) for seats in dict.fromkeys(found)]


def ranks(result: Result) -> dict[int, int]:
    return {placement.seat: placement.rank for placement in result.placements}


def test_the_sides_hold_every_seat_once(played: Playout) -> None:
    game = played.case.game
    for state in some(played):
        assert sorted(seat for side in game.sides(state) for seat in side) == list(range(played.case.seats))
        assert len(game.points(state)) == played.case.seats


def test_without_anybody_leaving_the_outcome_is_the_result(played: Playout) -> None:
    game = played.case.game
    for state in played.states:
        assert game.outcome(state, frozenset()) == game.result(state)


def test_whoever_left_comes_behind_all_others(played: Playout) -> None:
    game = played.case.game
    for state in (*some(played), played.states[-1]):
        for resigned in leavings(played.case.seats):
            result = game.outcome(state, resigned)
            if result is not None:
                lost = losers(game.sides(state), resigned)
                assert_standing(game, result, lost, played.case.seats)


def assert_standing(game: AnyGame, result: Result, lost: frozenset[int], seats: int) -> None:
    found = ranks(result)
    assert [placement.seat for placement in result.placements] == list(range(seats))
    assert min(found.values()) == 1
    if len(lost) < seats:
        assert max(found[seat] for seat in found if seat not in lost) < min([found[seat] for seat in lost] or [99])


def test_a_game_ends_when_one_side_is_left(played: Playout) -> None:
    game, seats = played.case.game, played.case.seats
    for state in some(played):
        if game.result(state) is None:
            sides = game.sides(state)
            gone = frozenset(seat for side in sides[1:] for seat in side) or frozenset(range(seats))
            result = game.outcome(state, gone)
            assert result is not None
            assert result.reason == "resigned"
            assert set(sides[0]) == {seat for seat, rank in ranks(result).items() if rank == 1}


def test_at_the_natural_end_scores_and_reason_stay(played: Playout) -> None:
    game, last = played.case.game, played.states[-1]
    plain = game.result(last)
    assert plain is not None
    for resigned in leavings(played.case.seats):
        result = game.outcome(last, resigned)
        assert result is not None
        assert result.reason == plain.reason
        assert [one.score for one in result.placements] == [one.score for one in plain.placements]


def test_how_a_game_ends_for_those_who_left_tells_no_secret(played: Playout) -> None:
    game, seats = played.case.game, played.case.seats
    for number, state in enumerate(some(played)):
        if game.result(state) is None:
            other = game.redeal(state, None, Rng(played.case.seed, number))
            for resigned in leavings(seats):
                assert game.outcome(state, resigned) == game.outcome(other, resigned)
