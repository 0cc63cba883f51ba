"""Cups, made up for the tests of bots: a coin lies under one of three cups, and seat 0 wins if it takes it.

It may guess, or toss for it: the better chance is the toss, 1 in 2 against 1 in 3. Whoever looks into imagined worlds
as if they were the true one believes that guessing always wins.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from engine.core import Fact, Game, IllegalMove, InvalidPosition, Label, Placement, Prompt, Result, Rng, Step

CUPS = 3


class Options(msgspec.Struct, frozen=True, array_like=True):
    pass


class State(msgspec.Struct, frozen=True, array_like=True):
    options: Options
    coin: int
    guessing: bool = False
    won: bool | None = None


class Toss(msgspec.Struct, frozen=True, array_like=True, tag="toss"):
    pass


class Guess(msgspec.Struct, frozen=True, array_like=True, tag="guess"):
    pass


class Lift(msgspec.Struct, frozen=True, array_like=True, tag="lift"):
    cup: int


Move: TypeAlias = Toss | Guess | Lift


class Ended(msgspec.Struct, frozen=True, array_like=True, tag="ended"):
    won: bool


class View(msgspec.Struct, frozen=True, array_like=True):
    guessing: bool
    won: bool | None


class Cups(Game[Options, State, Move, Ended, View]):
    game_type = "cups"
    rules_version = "1.0.0"
    seat_counts = (2,)
    options = Options
    state = State
    moves = (Toss, Guess, Lift)
    events = (Ended,)
    views = View

    def setup(self, options: Options, seats: int, rng: Rng) -> State:
        return State(options, rng.below(CUPS))

    def prompts(self, state: State) -> tuple[Prompt, ...]:
        return (Prompt(0, "choose"),) if state.won is None else ()

    def legal_moves(self, state: State, seat: int) -> tuple[Move, ...]:
        if seat or state.won is not None:
            return ()
        return tuple(map(Lift, range(CUPS))) if state.guessing else (Guess(), Toss())

    def apply(self, state: State, seat: int, move: Move, rng: Rng) -> Step[State, Ended]:
        if isinstance(move, Guess):
            return Step(msgspec.structs.replace(state, guessing=True))
        won = move.cup == state.coin if isinstance(move, Lift) else rng.below(2) == 1
        return Step(msgspec.structs.replace(state, won=won), (Fact(seat, Ended(won)),))

    def view(self, state: State, seat: int | None) -> View:
        return View(state.guessing, state.won)

    def result(self, state: State) -> Result | None:
        if state.won is None:
            return None
        ranks = (1, 2) if state.won else (2, 1)
        return Result(tuple(Placement(seat, rank, 2 - rank) for seat, rank in enumerate(ranks)), "ended")

    def notation(self, move: Move) -> str:
        return str(move)

    def label(self, move: Move) -> Label:
        return Label("offer")

    def messages(self) -> dict[str, dict[str, str]]:
        return {}

    def refusal(self, state: State, seat: int, move: Move) -> IllegalMove:
        return IllegalMove("Guess or toss.", "1.1")

    def seats_of(self, state: State) -> int:
        return 2

    def check(self, state: State) -> None:
        if state.coin not in range(CUPS):
            raise InvalidPosition("coin", "must be under a cup")

    def redeal(self, state: State, seat: int | None, rng: Rng) -> State:
        return state if state.won is not None else msgspec.structs.replace(state, coin=rng.below(CUPS))


GAME = Cups()
