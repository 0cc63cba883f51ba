"""What a hand brings and how a match ends: RULES 9."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core import Rng, Share, encode_state, read_position, write_position
from engine.games.euchre import GAME
from engine.games.euchre.events import HandDealt, HandScored, MatchOver
from engine.games.euchre.scoring import outcome_of, points_of
from engine.games.euchre.state import Options, Outcome, Phase, State, Tally
from tests.games.euchre.table import in_play, move, offers

# (makers' tricks, maker alone, lone defender) and what follows: the outcome, makers' points, defenders' points.
SCORES = [
    (5, False, False, Outcome.MARCH, 2, 0),
    (4, False, False, Outcome.POINT, 1, 0),
    (3, False, False, Outcome.POINT, 1, 0),
    (2, False, False, Outcome.EUCHRE, 0, 2),
    (0, False, False, Outcome.EUCHRE, 0, 2),
    (5, True, False, Outcome.LONE_MARCH, 4, 0),
    (4, True, False, Outcome.POINT, 1, 0),
    (3, True, False, Outcome.POINT, 1, 0),
    (2, True, False, Outcome.EUCHRE, 0, 2),
    (0, True, False, Outcome.EUCHRE, 0, 2),
    (5, False, True, Outcome.MARCH, 2, 0),
    (3, False, True, Outcome.POINT, 1, 0),
    (2, False, True, Outcome.LONE_EUCHRE, 0, 4),
    (0, False, True, Outcome.LONE_EUCHRE, 0, 4),
    (5, True, True, Outcome.LONE_MARCH, 4, 0),
    (4, True, True, Outcome.POINT, 1, 0),
    (1, True, True, Outcome.LONE_EUCHRE, 0, 4),
]


@pytest.mark.parametrize(("tricks", "alone", "lone_defender", "outcome", "makers", "defenders"), SCORES)
@pytest.mark.parametrize("team", [0, 1])
def test_a_hand_is_scored_by_the_table(
    tricks: int, alone: bool, lone_defender: bool, outcome: Outcome, makers: int, defenders: int, team: int
) -> None:
    assert outcome_of(tricks, alone=alone, lone_defender=lone_defender) is outcome
    points = points_of(outcome, team)
    assert (points[team], points[1 - team]) == (makers, defenders)


def last_trick(scores: tuple[int, int], *, won: tuple[int, ...], **fields: Any) -> State:
    """Seat 0 is the maker and about to win the last trick, with one card left in each hand."""
    return in_play(
        ("AC", "9D", "9S", "9H"), "C", 0, trick=((1, "9D"), (2, "9S"), (3, "9H")), won=won, scores=scores, **fields
    )


def test_the_next_hand_is_dealt_at_once_and_the_last_one_summed_up() -> None:
    step = move(last_trick((3, 3), won=(0, 1, 2, 1)), "0:play:AC")
    kinds = [type(fact.public).__name__ for fact in step.facts]
    assert kinds == ["CardPlayed", "TrickWon", "HandScored", "HandDealt"]
    state = step.state
    assert (state.phase, state.hand_number, state.dealer, state.scores) == (Phase.BID1, 2, 1, (4, 3))
    assert (state.trump, state.maker, state.tricks, state.discard) == (None, None, (), None)
    assert state.last_hand is not None
    assert (state.last_hand.outcome, state.last_hand.points_by_team) == (Outcome.POINT, (1, 0))
    assert state.tallies == (Tally(point=1), Tally())
    assert step.reveals


def test_a_side_at_the_target_ends_the_match_and_points_above_it_count() -> None:
    step = move(last_trick((9, 9), won=(0, 0, 0, 0), alone=True), "0:play:AC")
    assert not any(isinstance(fact.public, HandDealt) for fact in step.facts)
    assert step.facts[-1].public == MatchOver(0, (13, 9))
    state = step.state
    assert (state.phase, state.turn, state.scores) == (Phase.MATCH_OVER, None, (13, 9))
    assert (GAME.prompts(state), offers(state)) == ((), [])
    assert not step.reveals


def test_below_the_target_the_match_goes_on() -> None:
    assert move(last_trick((9, 9), won=(1, 1, 1, 0), options={"target_score": 15}), "0:play:AC").state.scores == (9, 11)


@pytest.mark.parametrize("target", [5, 7, 10, 11, 15])
def test_every_target_ends_a_match(target: int) -> None:
    before = last_trick((target - 1, 0), won=(0, 0, 1, 1), options={"target_score": target})
    assert move(before, "0:play:AC").state.phase is Phase.MATCH_OVER


def test_both_partners_of_the_winning_side_are_first_and_the_others_second() -> None:
    result = GAME.result(move(last_trick((9, 8), won=(0, 0, 1, 1)), "0:play:AC").state)
    assert result is not None
    assert [(p.seat, p.rank, p.score) for p in result.placements] == [(0, 1, 10), (1, 2, 8), (2, 1, 10), (3, 2, 8)]
    assert result.reason == "target_reached"


def test_the_breakdown_tells_how_points_were_won_and_what_was_there_before() -> None:
    state = last_trick((9, 8), won=(0, 0, 1, 1), tallies=(Tally(march=4), Tally(euchre=2, lone_euchre=4)))
    result = GAME.result(move(state, "0:play:AC").state)
    assert result is not None
    assert result.placements[2].breakdown == (Share("point", 1), Share("march", 4), Share("carried", 5))
    assert result.placements[3].breakdown == (Share("euchre", 2), Share("lone_euchre", 4), Share("carried", 2))


def test_nobody_has_won_before_the_match_is_over() -> None:
    assert GAME.result(GAME.setup(Options(), 4, Rng(b"", 0))) is None


def test_a_finished_match_survives_storage() -> None:
    state = GAME.setup(Options(target_score=5), 4, Rng(b"storage", 0))
    number = 0
    while state.turn is not None:
        number += 1
        legal = GAME.legal_moves(state, state.turn)
        step = GAME.apply(state, state.turn, legal[number % len(legal)], Rng(b"storage", number))
        state = step.state
    scored = [fact.public.hand for fact in step.facts if isinstance(fact.public, HandScored)]
    assert state.last_hand == scored[-1]
    assert encode_state(GAME, read_position(GAME, write_position(GAME, state))) == encode_state(GAME, state)
