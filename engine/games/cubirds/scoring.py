"""The goal, the winners and the result (section 6)."""

from __future__ import annotations

from engine.core.model import Placement, Result, Share
from engine.games.cubirds.species import counts_of
from engine.games.cubirds.state import Birds, Phase, State

GOAL_SPECIES = 7
GOAL_PAIR = 2
GOAL_EACH = 3


def reached_goal(collection: Birds) -> bool:
    """Seven different species, or three birds each of two (6.1)."""
    counts = counts_of(collection)
    different = sum(count > 0 for count in counts)
    return different >= GOAL_SPECIES or sum(count >= GOAL_EACH for count in counts) >= GOAL_PAIR


def winners(collections: tuple[Birds, ...]) -> tuple[int, ...]:
    """Of a game that is over: whoever reached the goal, or else everybody with the most birds (6.1, 6.2)."""
    reached = tuple(seat for seat, collection in enumerate(collections) if reached_goal(collection))
    most = max(map(len, collections))
    return reached or tuple(seat for seat, collection in enumerate(collections) if len(collection) == most)


def result(state: State) -> Result | None:
    """Winners first, the others by the number of birds collected (6.5)."""
    if state.phase is not Phase.OVER:
        return None
    won = winners(state.collections)
    standing = [(seat in won, len(collection)) for seat, collection in enumerate(state.collections)]
    placements = tuple(
        Placement(seat, 1 + sum(other > mine for other in standing), mine[1], (Share("collection", mine[1]),))
        for seat, mine in enumerate(standing)
    )
    reason = "objective" if reached_goal(state.collections[won[0]]) else "deal_impossible"
    return Result(placements, reason)
