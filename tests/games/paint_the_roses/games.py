"""Whole games by players who know a little too much, so that guesses are right as often as a test wants."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from engine.core import Prompt, Rng, Step, play
from engine.games.paint_the_roses import GAME, box
from engine.games.paint_the_roses.events import Event
from engine.games.paint_the_roses.state import Move, Options, Propose, State, Vote

# More moves than any game of 16 turns can have.
BOUND = 16 * 5 * 40


class Ply(NamedTuple):
    """One move of a game."""

    number: int
    before: State
    seat: int
    move: Move
    step: Step[State, Event]


def opening(seats: int, seed: bytes) -> State:
    return GAME.setup(Options(), seats, Rng(seed, 0))


def plies(state: State, seed: bytes, skill: int) -> Iterator[Ply]:
    """A game to its end; in ``skill`` of 100 questions the players make, and agree to, a right guess."""
    for number in range(1, BOUND):
        prompts = GAME.prompts(state)
        if not prompts:
            return
        whim = Rng(seed + b"/moves", number)
        seat, move = _answer(state, prompts, whim, skill)
        step = play(GAME, state, seat, move, Rng(seed, number))
        yield Ply(number, state, seat, move, step)
        state = step.state
    raise AssertionError("the game does not end")


def states(seats: int, seed: bytes, skill: int) -> list[State]:
    """Every state of a game."""
    first = opening(seats, seed)
    return [first, *(ply.step.state for ply in plies(first, seed, skill))]


def _answer(state: State, prompts: tuple[Prompt, ...], whim: Rng, skill: int) -> tuple[int, Move]:
    knowing = whim.below(100) < skill
    if knowing:
        for prompt in prompts:
            for move in GAME.legal_moves(state, prompt.seat):
                if _is_right(state, move):
                    return prompt.seat, move
    seat = whim.choice(prompts).seat
    return seat, whim.choice(GAME.legal_moves(state, seat))


def _is_right(state: State, move: Move) -> bool:
    if isinstance(move, Vote) and state.proposal is not None:
        guess = Propose(state.proposal.target, state.proposal.pair)
        return move.accept == _is_right(state, guess)
    if not isinstance(move, Propose):
        return False
    held = state.players[move.target].whim
    return held is not None and box.pair_of(held) == move.pair
