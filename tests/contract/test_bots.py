"""Bots: what they get depends on nothing that their seat cannot know, so neither does what they do."""

from __future__ import annotations

from engine.core import Budget, Level, Rng, decide, encode_state, sight_of
from tests.contract.cases import Playout

# Searches take long: some plies of each game, and iterations for a few offers.
SEARCHED = 3
ITERATIONS = 30


def test_dealing_anew_depends_on_what_the_viewer_knows_and_on_chance_alone(played: Playout) -> None:
    game = played.case.game
    for number, state in enumerate(played.states):
        for seat in (None, *range(played.case.seats)):
            other = game.redeal(state, seat, Rng(b"other", number))
            once, twice = (game.redeal(of, seat, Rng(b"anew", number)) for of in (state, other))
            assert encode_state(game, once) == encode_state(game, twice), f"ply {number}, viewer {seat}"


def test_a_bot_sees_the_same_in_states_that_look_the_same(played: Playout) -> None:
    game = played.case.game
    for ply in played.plies:
        other = game.redeal(ply.state, ply.seat, Rng(b"other", ply.number))
        sight, twin = sight_of(game, ply.state, ply.seat), sight_of(game, other, ply.seat)
        assert (sight.view, sight.moves) == (twin.view, twin.moves), f"ply {ply.number}"
        assert encode_state(game, sight.base) == encode_state(game, twin.base), f"ply {ply.number}"


def test_every_level_decides_equally_in_states_that_look_the_same(played: Playout) -> None:
    game = played.case.game
    plies = [ply for ply in played.plies if len(ply.legal) > 1]
    for ply in plies[:: len(plies) // SEARCHED + 1]:
        other = game.redeal(ply.state, ply.seat, Rng(b"other", ply.number))
        for level in Level:
            chosen, again = (
                decide(level, sight_of(game, state, ply.seat), Rng(b"bot", ply.number), Budget(ITERATIONS))
                for state in (ply.state, other)
            )
            assert chosen == again, f"ply {ply.number}, {level.name}"
            assert chosen in ply.legal, f"ply {ply.number}, {level.name}"


def test_standings_are_a_part_of_one_for_each_seat(played: Playout) -> None:
    game = played.case.game
    for number, state in enumerate(played.states):
        standing = game.standing(state)
        assert len(standing) == played.case.seats, f"ply {number}"
        assert all(0 <= part <= 1 for part in standing), f"ply {number}"


def test_an_imagined_move_is_one_of_those_given_and_the_rule_of_thumb_an_offer(played: Playout) -> None:
    game = played.case.game
    for ply in played.plies:
        # The search asks for the next best of the moves that are left.
        left = ply.legal[ply.number % len(ply.legal) :]
        for moves in (ply.legal, left):
            assert game.imagined_move(ply.state, ply.seat, moves, Rng(b"imagined", ply.number)) in moves
        assert game.rule_of_thumb(ply.seat, game.view(ply.state, ply.seat), ply.legal) in ply.legal


def test_while_anything_is_asked_something_presses(played: Playout) -> None:
    game = played.case.game
    for number, state in enumerate(played.states):
        prompts = game.prompts(state)
        assert not prompts or any(game.presses(prompt) for prompt in prompts), f"ply {number}"
