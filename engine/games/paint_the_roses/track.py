"""The track: gardeners, rabbit spaces, Queen (2.6, 2.7, section 9)."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.model import Fact
from engine.games.paint_the_roses.box import TRACK
from engine.games.paint_the_roses.events import Event, FlowerGained, GardenersMoved, QueenMoved
from engine.games.paint_the_roses.state import State

SINGLE = 1
DOUBLE = 2

Facts = tuple[Fact[Event], ...]


def flowers(gardeners: int) -> int:
    """The Queen's speed: one flower, and one for each rabbit space that the gardeners have passed (2.7)."""
    return TRACK.flowers_start + sum([gardeners >= rabbit for rabbit in TRACK.rabbits])


def rabbit(gardeners: int) -> int | None:
    """The number at which the White Rabbit stands; None when it is off the track (2.7)."""
    return next((number for number in TRACK.rabbits if number > gardeners), None)


def printed(position: int) -> int:
    """The printed space of a position (2.6)."""
    return position % TRACK.spaces


def move_gardeners(state: State, steps: int) -> tuple[State, Facts]:
    """The gardeners move on; flowers come at once (7.7)."""
    start, end = state.gardeners, state.gardeners + steps
    facts: list[Fact[Event]] = [Fact(None, GardenersMoved(start, end))]
    facts += [Fact(None, FlowerGained(flowers(at), rabbit(at))) for at in TRACK.rabbits if start < at <= end]
    return replace(state, gardeners=end), tuple(facts)


def move_queen(state: State, speed: int) -> tuple[State, Facts]:
    """The Queen moves with the flowers that she has now (9.1, 9.2)."""
    end = state.queen + speed * flowers(state.gardeners)
    return replace(state, queen=end), (Fact(None, QueenMoved(state.queen, end)),)


def caught(state: State) -> bool:
    """Whether the Queen has reached or passed the gardeners (9.3)."""
    return state.queen >= state.gardeners
