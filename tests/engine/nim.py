"""Nim, made up for the tests of the core: it has every kind of field that a state may have."""

from __future__ import annotations

import enum
from typing import Annotated, Any, TypeAlias

import msgspec

from engine.core import (
    Fact,
    Game,
    IllegalMove,
    InvalidOptions,
    InvalidPosition,
    Label,
    Placement,
    Prompt,
    Result,
    Rng,
    Step,
    named,
)

COLOURS = ("red", "green", "blue")


class Side(enum.IntEnum):
    LEFT = 1
    RIGHT = 2


class Options(msgspec.Struct, frozen=True, array_like=True):
    heap: int = 5


class Take(msgspec.Struct, frozen=True, array_like=True, tag="take"):
    count: int


class Skip(msgspec.Struct, frozen=True, array_like=True, tag="skip"):
    reason: str = ""


Move: TypeAlias = Take | Skip


class Taken(msgspec.Struct, frozen=True, array_like=True, tag="taken"):
    count: int


class State(msgspec.Struct, frozen=True, array_like=True):
    heap: int
    turn: int
    side: Side
    colour: Annotated[int, named(COLOURS, first=1)]
    last: Move | None
    pair: tuple[int, str]
    log: tuple[Move, ...]
    open: bool
    note: str | None = None


class View(msgspec.Struct, frozen=True, array_like=True):
    heap: int


class Nim(Game[Options, State, Move, Taken, View]):
    game_type = "nim"
    rules_version = "1.2.0"
    seat_counts = (2,)
    options = Options
    state = State
    moves = (Take, Skip)
    events = (Taken,)
    views = View
    state_schema = 2

    def setup(self, options: Options, seats: int, rng: Rng) -> State:
        if options.heap < 1:
            raise InvalidOptions("heap", "must hold something")
        return State(options.heap, rng.below(seats), Side.LEFT, 1, None, (0, "a"), (), open=True)

    def prompts(self, state: State) -> tuple[Prompt, ...]:
        return (Prompt(state.turn, "take"),) if state.heap else ()

    def legal_moves(self, state: State, seat: int) -> tuple[Move, ...]:
        if seat != state.turn or not state.heap:
            return ()
        return tuple(Take(count) for count in range(1, min(3, state.heap) + 1))

    def apply(self, state: State, seat: int, move: Move, rng: Rng) -> Step[State, Taken]:
        assert isinstance(move, Take)
        after = msgspec.structs.replace(
            state, heap=state.heap - move.count, turn=1 - seat, last=move, log=(*state.log, move)
        )
        return Step(after, (Fact(seat, Taken(move.count)),))

    def view(self, state: State, seat: int | None) -> View:
        return View(state.heap)

    def result(self, state: State) -> Result | None:
        if state.heap:
            return None
        return Result((Placement(state.turn, 2, 0), Placement(1 - state.turn, 1, 1)), "heap_empty")

    def notation(self, move: Move) -> str:
        return str(move)

    def label(self, move: Move) -> Label:
        return Label("offer")

    def messages(self) -> dict[str, dict[str, str]]:
        return {}

    def refusal(self, state: State, seat: int, move: Move) -> IllegalMove:
        return IllegalMove("Take one to three.", "1.1")

    def seats_of(self, state: State) -> int:
        return 2

    def check(self, state: State) -> None:
        if state.heap < 0:
            raise InvalidPosition("heap", "must not be negative")

    def redeal(self, state: State, seat: int | None, rng: Rng) -> State:
        return state

    def upgrade(self, schema: int, raw: Any) -> Any:
        """Schema 1 had no colour."""
        if schema != 1:
            return super().upgrade(schema, raw)
        return [*raw[:3], 3, *raw[3:]]


NIM = Nim()
MIDDLE = State(3, 1, Side.RIGHT, 2, Take(2), (7, "b"), (Take(2), Skip("tired")), open=False, note="x")
