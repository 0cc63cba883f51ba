"""What a seat sees, and worlds as it may imagine them: all that a bot ever gets."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import msgspec

from engine.core.game import Game
from engine.core.model import NotAsked, Prompt
from engine.core.rng import Rng

S = TypeVar("S", bound=msgspec.Struct)
M = TypeVar("M", bound=msgspec.Struct)
V = TypeVar("V", bound=msgspec.Struct)

_FORGET = b"rookery-sight"


class Sight(msgspec.Struct, Generic[S, M, V], frozen=True):
    """The question to a seat: its view, its offers, and a state that it cannot tell from the true one.

    The true state is not in here, nor anything that follows from what the seat does not know: ``base`` is dealt anew
    with a fixed chance, and ``redeal`` depends on nothing but what the seat knows.
    """

    game: Game[Any, S, M, Any, V]
    seat: int
    view: V
    moves: tuple[M, ...]
    base: S

    def world(self, rng: Rng) -> S:
        """A state that looks the same to the seat; everything that it cannot know is dealt anew."""
        return self.game.redeal(self.base, self.seat, rng)


def sight_of(game: Game[Any, S, M, Any, V], state: S, seat: int) -> Sight[S, M, V]:
    """What ``seat`` sees of ``state``. Raises NotAsked if nothing is asked of it."""
    moves = game.legal_moves(state, seat)
    if not moves:
        raise NotAsked(f"nothing is asked of seat {seat}")
    return Sight(game, seat, game.view(state, seat), moves, game.redeal(state, seat, Rng(_FORGET, 0)))


def next_seat(game: Game[Any, S, M, Any, V], prompts: tuple[Prompt, ...]) -> int:
    """The first of the seats that are asked something that presses; ``prompts`` is never empty."""
    if len(prompts) == 1:
        return prompts[0].seat
    return next(prompt.seat for prompt in prompts if game.presses(prompt))
