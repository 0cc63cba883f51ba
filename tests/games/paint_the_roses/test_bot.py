"""What bots make of Paint the Roses: cubes that tell, guesses that are safe."""

from __future__ import annotations

import inspect

import pytest

from engine.core import Budget, Level, Rng, decide, next_seat, play, sight_of
from engine.games.paint_the_roses import GAME, cubes
from engine.games.paint_the_roses.state import Phase, Propose, State, Vote
from tests.games.paint_the_roses.games import opening
from tests.games.paint_the_roses.table import after, pair_of, refuting, table


def basic(state: State, seat: int) -> str:
    """What ``basic`` answers."""
    return GAME.notation(decide(Level.BASIC, sight_of(GAME, state, seat), Rng(b"", 1), Budget(1)))


def planted(state: State) -> State:
    """The state after the active seat has planted as ``basic`` does."""
    return after(state, (state.active, basic(state, state.active)))


def test_the_first_level_is_the_easiest_that_can_be_had() -> None:
    state = table(2, phase=Phase.CHOOSE_LEVEL)
    assert basic(state, 0) == "level:easy"
    assert basic(after(state, (0, "level:easy")), 1) == "level:medium"


def test_no_planting_would_tell_more_of_the_own_card() -> None:
    state = table(2, phase=Phase.PLANT, whims={0: "E-pink-red-1"})
    left = len(cubes.candidates(planted(state), 0))
    others = [
        len(cubes.candidates(play(GAME, state, 0, move, Rng(b"", 1)).state, 0)) for move in GAME.legal_moves(state, 0)
    ]
    assert left == min(others) < max(others)


def test_it_guesses_a_pair_that_agrees_with_the_cubes() -> None:
    state = planted(table(2, phase=Phase.PLANT, whims={0: "E-pink-red-1"}))
    move = decide(Level.BASIC, sight_of(GAME, state, 1), Rng(b"", 1), Budget(1))
    assert isinstance(move, Propose)
    assert move.pair in cubes.candidates(state, 0)


def known(state: State, seat: int, pair: str) -> State:
    """The state when all other pairs have been guessed wrong for the card of the seat."""
    others = [other.text for other in cubes.candidates(state, seat) if other != pair_of(pair)]
    return refuting(state, seat, *others)


def test_it_guesses_what_is_certain_and_then_stops() -> None:
    state = known(table(2, phase=Phase.GUESS, active=0, whims={1: "E-pink-red-1"}), 1, "pink/red")
    assert basic(state, 0) == "guess:1:pink/red"
    three = known(table(3, phase=Phase.GUESS, active=0, whims={1: "E-pink-red-1"}), 1, "pink/red")
    assert basic(three, 0) == "guess:1:pink/red"
    assert basic(after(three, (0, "guess:1:pink/red"), (2, "yes")), 0) == "stop"


def test_it_spends_the_clue_token_rather_than_guess_at_random() -> None:
    assert basic(table(2, phase=Phase.GUESS, active=0), 0) == "clue"


def test_it_votes_for_what_is_possible() -> None:
    state = known(table(3, phase=Phase.GUESS, whims={1: "E-pink-red-1"}), 1, "pink/red")
    assert basic(after(state, (0, "guess:1:pink/red")), 2) == "yes"
    planting = table(3, phase=Phase.PLANT, whims={1: "E-pink-red-1"})
    seen = planted(planting)
    wrong = next(
        move
        for move in GAME.legal_moves(seen, 0)
        if isinstance(move, Propose) and move.target == 1 and move.pair not in cubes.candidates(seen, 1)
    )
    proposed = play(GAME, seen, 0, wrong, Rng(b"", 1)).state
    assert basic(proposed, 2) == "no"


def test_bots_vote_on_a_proposal_before_it_is_taken_back() -> None:
    state = after(table(3), (0, "guess:1:red/red"))
    assert [prompt.kind for prompt in GAME.prompts(state)] == ["withdraw", "vote"]
    assert next_seat(GAME, GAME.prompts(state)) == 2


def test_an_imagined_vote_is_one_of_those_asked_for() -> None:
    state = after(table(3), (0, "guess:1:red/red"))
    for move in (Vote(accept=True), Vote(accept=False)):
        assert GAME.imagined_move(state, 2, (move,), Rng(b"", 1)) == move


def test_all_seats_stand_equally_and_better_the_farther_the_gardeners_are() -> None:
    near, far = (GAME.standing(table(3, gardeners=at)) for at in (0, 9))
    assert len(set(near)) == len(set(far)) == 1
    assert near[0] < far[0]
    held, caught = (GAME.standing(table(2, gardeners=20, queen=queen)) for queen in (0, 18))
    assert caught[0] < held[0]


def test_strong_guesses_what_is_certain() -> None:
    state = known(table(2, phase=Phase.GUESS, active=1, whims={0: "H-red-red-1"}), 0, "red/red")
    move = decide(Level.STRONG, sight_of(GAME, state, 1), Rng(b"", 1), Budget(60))
    assert GAME.notation(move) == "guess:0:red/red"


@pytest.mark.parametrize("seats", [2, 3])
def test_a_team_of_basics_outruns_a_team_at_random(seats: int) -> None:
    """Over a few games together; a single one may go either way."""
    score = dict.fromkeys((Level.BASIC, Level.RANDOM), 0)
    for level in score:
        for number in range(4):
            score[level] += _team(level, seats, b"team %d" % number)
    assert score[Level.BASIC] > score[Level.RANDOM]


def _team(level: Level, seats: int, seed: bytes) -> int:
    state, ply = opening(seats, seed), 0
    while prompts := GAME.prompts(state):
        ply += 1
        seat = next_seat(GAME, prompts)
        move = decide(level, sight_of(GAME, state, seat), Rng(seed + b"/bot", ply), Budget(1))
        state = play(GAME, state, seat, move, Rng(seed, ply)).state
    result = GAME.result(state)
    assert result is not None
    return result.placements[0].score


def test_the_rule_is_told_nothing_but_seat_view_and_offers() -> None:
    assert list(inspect.signature(GAME.rule_of_thumb).parameters) == ["seat", "view", "moves"]
