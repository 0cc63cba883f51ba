"""Sevens as it might have been before 1.0.0, for tests of two rules versions side by side: other rules, other types.

One pack only, so there is no option ``decks``; two passes unless told otherwise; and whoever can lay a card must
(clause 4.3 of this version). Its options, states and views are types of its own, with fewer fields than those of today.
"""

from __future__ import annotations

import msgspec

from engine.core import Fact, Game, IllegalMove, InvalidOptions, OptionSpec, Prompt, Result, Rng, Scene, Step
from engine.core.cards import Card
from engine.games.sevens import GAME, rules, state
from engine.games.sevens import view as today
from engine.games.sevens.state import Event, Move, Pass


class Options(msgspec.Struct, frozen=True, array_like=True):
    pass_limit: int = 2


class State(msgspec.Struct, frozen=True, array_like=True):
    options: Options
    turn: int | None
    hands: tuple[tuple[Card, ...], ...]
    table: tuple[Card, ...]
    passes: tuple[int, ...]
    finished: tuple[int, ...] = ()
    out: tuple[int, ...] = ()


class View(msgspec.Struct, frozen=True, array_like=True):
    seat: int | None
    options: Options
    rows: tuple[today.Row, ...]
    players: tuple[today.Player, ...]
    turn: int | None
    hand: tuple[Card, ...]


class OldSevens(Game[Options, State, Move, Event, View]):
    game_type = "sevens"
    rules_version = "0.9.0"
    seat_counts = (3, 4)
    options = Options
    state = State
    moves = GAME.moves
    events = GAME.events
    views = View

    def setup(self, options: Options, seats: int, rng: Rng) -> State:
        if seats not in self.seat_counts:
            raise InvalidOptions("seats", "3 or 4")
        dealt = GAME.setup(state.Options(options.pass_limit, 1), seats, rng)
        return State(options, dealt.turn, dealt.hands, dealt.table, dealt.passes)

    def prompts(self, state: State) -> tuple[Prompt, ...]:
        return GAME.prompts(_today(state))

    def legal_moves(self, state: State, seat: int) -> tuple[Move, ...]:
        moves = GAME.legal_moves(_today(state), seat)
        return moves if len(moves) == 1 else tuple(move for move in moves if not isinstance(move, Pass))

    def apply(self, state: State, seat: int, move: Move, rng: Rng) -> Step[State, Event]:
        step = GAME.apply(_today(state), seat, move, rng)
        made = step.state
        facts: tuple[Fact[Event], ...] = step.facts
        after = State(state.options, made.turn, made.hands, made.table, made.passes, made.finished, made.out)
        return Step(after, facts)

    def view(self, state: State, seat: int | None) -> View:
        shown = GAME.view(_today(state), seat)
        return View(shown.seat, state.options, shown.rows, shown.players, shown.turn, shown.hand)

    def result(self, state: State) -> Result | None:
        return GAME.result(_today(state))

    def refusal(self, state: State, seat: int, move: Move) -> IllegalMove:
        if isinstance(move, Pass):
            return IllegalMove("You can lay a card, so you must.", "4.3")
        return GAME.refusal(_today(state), seat, move)

    def option_specs(self) -> tuple[OptionSpec, ...]:
        (limit, _) = GAME.option_specs()
        return (OptionSpec(limit.name, limit.label, Options().pass_limit, rules.PASS_LIMITS),)

    def seats_of(self, state: State) -> int:
        return len(state.hands)

    def check(self, state: State) -> None:
        GAME.check(_today(state))

    def redeal(self, state: State, seat: int | None, rng: Rng) -> State:
        return msgspec.structs.replace(state, hands=GAME.redeal(_today(state), seat, rng).hands)

    def scene(self, view: View) -> Scene:
        options = state.Options(view.options.pass_limit, 1)
        return GAME.scene(today.View(view.seat, options, view.rows, view.players, view.turn, view.hand))

    notation = staticmethod(GAME.notation)
    label = staticmethod(GAME.label)
    messages = staticmethod(GAME.messages)
    event_label = staticmethod(GAME.event_label)
    refs = staticmethod(GAME.refs)
    catalogue = staticmethod(GAME.catalogue)


def _today(old: State) -> state.State:
    options = state.Options(old.options.pass_limit, 1)
    return state.State(options, old.turn, old.hands, old.table, old.passes, old.finished, old.out)


OLD = OldSevens()
