"""Whether a move may be taken back: not once chance was used or anybody learned something.

What somebody learned is asked of worlds. A viewer learns nothing from a move if in every world that looked the same to
it before, the mover could have made some move after which everything looks the same to it again. Such worlds are dealt
by ``redeal`` with a fixed chance. They are dealt for the other viewers out of worlds that the mover itself cannot tell
from the true one, so the answer is a function of what the mover knows: to ask whether a move may be taken back tells it
nothing.

It is a sample. A world that is rarer than about one in ``WORLDS * DEALS`` may be missed, and what ``redeal`` leaves in
place cannot be seen to be learned. How likely a world is does not count: to pass tells something about a hand, but it
excludes none. Nor does silence: whoever is shown nothing has learned nothing, so that one of several secret answers can
be taken back although it could not have been the last of them.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from typing import Any, TypeVar

import msgspec

from engine.core.game import Game
from engine.core.model import Step
from engine.core.play import play
from engine.core.rng import Rng

S = TypeVar("S", bound=msgspec.Struct)
M = TypeVar("M", bound=msgspec.Struct)

WORLDS = 8
"""Worlds in which the mover may be."""
DEALS = 4
"""Worlds in which another viewer may be, in each of those."""

_WORLD = b"rookery-undo-world"
_DEAL = b"rookery-undo-deal"
_CHANCE = b"rookery-undo-chance"


class Lasting(enum.StrEnum):
    """Why a move stays made."""

    CHANCE_USED = "CHANCE_USED"
    SOMETHING_LEARNED = "SOMETHING_LEARNED"


def lasting(game: Game[Any, S, M, Any, Any], state: S, seat: int, move: M, rng: Rng) -> Lasting | None:
    """Why ``seat`` cannot take back the move that it made in ``state``; None if it can.

    ``rng`` is the chance that the move had. A function of what the seat knows, of the move, and of whether it drew.
    Raises what ``play`` raises.
    """
    step = play(game, state, seat, move, rng)
    if rng.used:
        return Lasting.CHANCE_USED
    if step.reveals or _tells(game, state, seat, move, step):
        return Lasting.SOMETHING_LEARNED
    return None


def _tells(game: Game[Any, S, M, Any, Any], state: S, seat: int, move: M, step: Step[S, Any]) -> bool:
    shown = _shown(game, step, seat)
    others = (None, *(other for other in range(game.seats_of(state)) if other != seat))
    for number in range(WORLDS):
        world = game.redeal(state, seat, Rng(_WORLD, number))
        there = _made(game, world, seat, move) if move in game.legal_moves(world, seat) else None
        if there is None or _shown(game, there, seat) != shown:
            return True
        if any(_learns(game, world, seat, move, there, other, number) for other in others):
            return True
    return False


def _learns(  # the world, and what the mover did there
    game: Game[Any, S, M, Any, Any], world: S, seat: int, move: M, step: Step[S, Any], viewer: int | None, number: int
) -> bool:
    """Whether the viewer could exclude a world by what it is shown of the move."""
    shown = _shown(game, step, viewer)
    if shown == _shown(game, Step(world), viewer):
        return False
    for deal in range(number * DEALS, (number + 1) * DEALS):
        other = game.redeal(world, viewer, Rng(_DEAL, deal))
        if not any(_shown(game, there, viewer) == shown for there in _courses(game, other, seat, move)):
            return True
    return False


def _courses(game: Game[Any, S, M, Any, Any], state: S, seat: int, move: M) -> Iterator[Step[S, Any]]:
    """What the seat could have done there without chance: first the same move, then any other."""
    legal = game.legal_moves(state, seat)
    first = (move,) if move in legal else ()
    for choice in (*first, *(other for other in legal if other != move)):
        step = _made(game, state, seat, choice)
        if step is not None:
            yield step


def _made(game: Game[Any, S, M, Any, Any], state: S, seat: int, move: M) -> Step[S, Any] | None:
    """What a legal move makes; None if it needs chance."""
    rng = Rng(_CHANCE, 0)
    step = play(game, state, seat, move, rng)
    return None if rng.used else step


def _shown(game: Game[Any, S, M, Any, Any], step: Step[S, Any], viewer: int | None) -> tuple[Any, ...]:
    """All that the viewer is shown of a move: what happened, the table after it, who is asked, its own choice."""
    return (
        [(fact.seat, event) for fact in step.facts if (event := fact.seen_by(viewer)) is not None],
        game.prompts(step.state),
        game.view(step.state, viewer),
        () if viewer is None else game.legal_moves(step.state, viewer),
    )
