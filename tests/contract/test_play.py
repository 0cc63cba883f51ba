"""Playing: answers are complete, moves are functions, refusals are reasoned, games end."""

from __future__ import annotations

from itertools import islice

import pytest

from engine.core import IllegalMove, NotAsked, Rng, encode_state, play
from tests.contract.cases import Playout, Ply, absent, clauses

# Illegal moves tried in each state.
ATTEMPTS = 4


def test_every_question_has_answers_and_no_answer_comes_twice(played: Playout) -> None:
    game = played.case.game
    for ply in played.plies:
        assert game.legal_moves(ply.state, ply.seat) == ply.legal
        assert len(set(ply.legal)) == len(ply.legal)
        assert len(set(map(game.notation, ply.legal))) == len(ply.legal)


def test_a_seat_is_asked_one_question_at_a_time_in_seat_order(played: Playout) -> None:
    for state in played.states:
        asked = [prompt.seat for prompt in played.case.game.prompts(state)]
        assert asked == sorted(set(asked))
        assert all(0 <= seat < played.case.seats for seat in asked)


def test_the_same_move_gives_the_same_state_and_the_same_facts(played: Playout) -> None:
    game = played.case.game
    for ply in played.plies:
        again = play(game, ply.state, ply.seat, ply.move, Rng(played.case.seed, ply.number))
        assert again == ply.step
        assert encode_state(game, again.state) == encode_state(game, ply.step.state)


def test_a_move_leaves_the_given_state_alone(played: Playout) -> None:
    game = played.case.game
    for ply in played.plies:
        before = encode_state(game, ply.state)
        play(game, ply.state, ply.seat, ply.move, Rng(played.case.seed, ply.number))
        assert encode_state(game, ply.state) == before


def test_a_seat_that_is_not_asked_has_no_moves_and_is_refused(played: Playout) -> None:
    game = played.case.game
    for ply in played.plies:
        asked = {prompt.seat for prompt in game.prompts(ply.state)}
        for seat in {-1, *range(played.case.seats + 1)} - asked:
            assert game.legal_moves(ply.state, seat) == ()
            with pytest.raises(NotAsked):
                play(game, ply.state, seat, ply.move, Rng(played.case.seed, ply.number))


def test_an_illegal_move_is_refused_with_a_clause_of_the_rules(played: Playout) -> None:
    game = played.case.game
    moves = list(dict.fromkeys(move for ply in played.plies for move in ply.legal))
    for ply in played.plies:
        legal = set(ply.legal)
        # Another part of the list in each state.
        start = ply.number * ATTEMPTS % len(moves)
        others = (move for move in moves[start:] + moves[:start] if move not in legal)
        for move in islice(others, ATTEMPTS):
            with pytest.raises(IllegalMove) as refused:
                play(game, ply.state, ply.seat, move, Rng(played.case.seed, ply.number))
            assert refused.value.clause in clauses(game)
            assert refused.value.reason


def test_the_clock_plays_a_legal_move(played: Playout) -> None:
    game = played.case.game
    for ply in played.plies:
        assert game.timeout_move(ply.state, ply.seat) in ply.legal


def test_a_game_that_everybody_has_left_to_the_clock_ends(played: Playout) -> None:
    """Nobody would stop it: it would be played, and grow, for ever."""
    assert absent(played.case) > 0


def test_a_result_comes_at_the_end_and_not_before(played: Playout) -> None:
    game = played.case.game
    assert all(game.result(ply.state) is None for ply in played.plies)
    result = game.result(played.states[-1])
    assert result is not None
    assert result.reason
    assert [placement.seat for placement in result.placements] == list(range(played.case.seats))
    for placement in result.placements:
        better = [other.rank for other in result.placements if other.rank < placement.rank]
        # Partners share a rank, and the rank behind them is the next number or leaves theirs out: both are known.
        assert 1 + len(set(better)) <= placement.rank <= 1 + len(better)
        assert sum(share.points for share in placement.breakdown) == placement.score


def test_nothing_can_be_played_after_the_end(played: Playout) -> None:
    game, last = played.case.game, played.states[-1]
    for seat in range(played.case.seats):
        assert game.legal_moves(last, seat) == ()
        with pytest.raises(NotAsked):
            play(game, last, seat, played.plies[-1].move, Rng(played.case.seed, 1))


def test_every_event_is_one_of_the_game_and_every_private_one_has_a_seat(played: Playout) -> None:
    for ply in played.plies:
        for fact in ply.step.facts:
            owners = [owner for owner, _ in fact.private]
            assert len(owners) == len(set(owners))
            assert set(owners) <= set(range(played.case.seats))
            assert fact.public is not None or fact.private
            events = [event for _, event in fact.private] + [fact.public] * (fact.public is not None)
            assert all(type(event) in played.case.game.events for event in events)


def test_some_event_tells_of_every_move(played: Playout) -> None:
    assert all(_told(ply) for ply in played.plies)


def _told(ply: Ply) -> bool:
    return any(fact.seen_by(ply.seat) is not None for fact in ply.step.facts)
