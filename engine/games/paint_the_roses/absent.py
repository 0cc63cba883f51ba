"""What the clock does for an absent player (section 14)."""

from __future__ import annotations

from engine.games.paint_the_roses import box, course, guessing, rules
from engine.games.paint_the_roses.cubes import candidates
from engine.games.paint_the_roses.state import ChooseLevel, Move, Phase, Plant, Propose, State, Stop, UseClueToken, Vote
from engine.games.paint_the_roses.symbols import Pair


def timeout_move(state: State, seat: int) -> Move:
    """A legal move of ``seat``, from what everybody sees."""
    match state.phase:
        case Phase.CHOOSE_LEVEL | Phase.REDRAW:
            return ChooseLevel(course.levels(state)[0])
        case Phase.PLANT:
            return _planting(state)
        case _ if state.proposal is None:
            return _guess(state, seat)
        case _ if seat != state.proposal.seat:
            return Vote(state.proposal.pair in candidates(state, state.proposal.target))
        case _:
            return rules.legal_moves(state, seat)[0]


def _planting(state: State) -> Plant:
    """Where most neighbours have tiles (14.2)."""

    def neighbours(space: int) -> int:
        return sum(state.garden[neighbour - 1] is not None for neighbour in box.NEIGHBOURS[space])

    slot = next(slot for slot, tile in enumerate(state.greenhouse) if tile is not None)
    return Plant(slot, max(rules.spaces(state), key=neighbours))


def _guess(state: State, seat: int) -> Move:
    """Stop if that is possible; else the card with the fewest pairs that agree with the cubes (14.3)."""
    if guessing.may_stop(state, seat):
        return Stop()
    left: dict[int, tuple[Pair, ...]] = {target: candidates(state, target) for target in guessing.targets(state, seat)}
    target = min(left, key=lambda of: len(left[of]))
    if len(left[target]) > 1 and guessing.may_use_clue_token(state, seat):
        return UseClueToken()
    return Propose(target, left[target][0])
