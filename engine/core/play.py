"""The one way to make a move: whose turn, is it legal, then apply."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from engine.core.game import Game
from engine.core.model import IllegalMove, NotAsked, Step
from engine.core.rng import Rng

O = TypeVar("O", bound=msgspec.Struct)  # noqa: E741 - see engine.core.game
S = TypeVar("S", bound=msgspec.Struct)
M = TypeVar("M", bound=msgspec.Struct)
E = TypeVar("E", bound=msgspec.Struct)
V = TypeVar("V", bound=msgspec.Struct)


def check_legal(game: Game[O, S, M, E, V], state: S, seat: int, move: M, legal: tuple[M, ...] | None = None) -> None:
    """Return if ``seat`` may make ``move``. Raises NotAsked or IllegalMove (with the clause).

    ``legal``: what ``game.legal_moves`` says of it, from a caller that has asked before.
    """
    if legal is None:
        legal = game.legal_moves(state, seat)
    if move in legal:
        return
    if not legal:
        raise NotAsked(f"nothing is asked of seat {seat}")
    raise game.refusal(state, seat, move)


def play(
    game: Game[O, S, M, E, V], state: S, seat: int, move: M, rng: Rng, legal: tuple[M, ...] | None = None
) -> Step[S, E]:
    """Make the move. Raises NotAsked or IllegalMove; the given state is never touched. ``legal`` as in check_legal."""
    check_legal(game, state, seat, move, legal)
    return game.apply(state, seat, move, rng)


__all__ = ["IllegalMove", "NotAsked", "check_legal", "play"]
