"""A table in a few letters, for scenario tests: ``table("FFM RRR", rows="OFP DMR TWO FRW")``."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core import Rng, Step, play
from engine.games.cubirds import GAME
from engine.games.cubirds.species import PACK
from engine.games.cubirds.state import Event, Options, Phase, State
from tests.games.cubirds.vectors import MOVES, read_birds

ROWS = "OFP DMR TWO FRW"


def table(
    hands: str,
    rows: str = ROWS,
    collections: str = "O T D M R",
    deck: str = "",
    discard: str = "",
    turn: int | None = 0,
    phase: Phase = Phase.LAY,
) -> State:
    """A cut-down position: a bird that is not mentioned is nowhere."""
    seats = hands.split()
    return State(
        options=Options(),
        phase=phase,
        turn=turn,
        dealer=0,
        round=1,
        rows=tuple(map(read_birds, rows.split())),
        hands=tuple(map(heap, seats)),
        collections=tuple(map(heap, collections.split()[: len(seats)])),
        draw_pile=read_birds(deck),
        discard_pile=heap(discard),
    )


def full(state: State) -> State:
    """The same with all birds that are nowhere yet under the draw pile."""
    missing = list(PACK)
    places = (*state.rows, *state.hands, *state.collections, state.draw_pile, state.discard_pile)
    for bird in (bird for place in places for bird in place):
        missing.remove(bird)
    return replace(state, draw_pile=state.draw_pile + tuple(missing))


def heap(letters: str) -> tuple[int, ...]:
    """Birds whose order does not matter."""
    return tuple(sorted(read_birds(letters)))


def step(state: State, move: str) -> Step[State, Event]:
    """What the move of the player on turn does."""
    assert state.turn is not None
    return play(GAME, state, state.turn, MOVES[move], Rng(b"table", 1))


def after(state: State, *moves: str) -> State:
    """The state after the moves of whoever is on turn."""
    for move in moves:
        state = step(state, move).state
    return state


def told(state: State, move: str, viewer: int | None = None) -> list[tuple[int | None, Event]]:
    """What ``viewer`` learns of the move: who did it, and what."""
    facts = step(state, move).facts
    return [(fact.seat, event) for fact in facts if (event := fact.seen_by(viewer)) is not None]
