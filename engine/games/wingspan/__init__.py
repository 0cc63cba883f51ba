"""Wingspan, the base game: the rules are in RULES.md, the cards are rows in ``data``."""

from __future__ import annotations

from typing import get_args

from engine.core.game import Game
from engine.core.model import Component, IllegalMove, Label, OptionSpec, Prompt, Ref, Result, Scene, Step
from engine.core.rng import Rng
from engine.games.wingspan import bot, flow, invariants, labels, prospects, scoring, setup, timeouts
from engine.games.wingspan import catalogue as components
from engine.games.wingspan import redeal as redealing
from engine.games.wingspan import refusals as refusing
from engine.games.wingspan import scene as scenery
from engine.games.wingspan import view as viewing
from engine.games.wingspan.events import Event
from engine.games.wingspan.moves import Move
from engine.games.wingspan.state import Options, State
from engine.games.wingspan.table import Table
from engine.games.wingspan.terms import GOAL_BOARDS
from engine.games.wingspan.view import View
from engine.games.wingspan.words import MESSAGES


class Wingspan(Game[Options, State, Move, Event, View]):
    """Birds in three habitats: food, eggs and cards make them possible, and each makes the next turns better."""

    game_type = "wingspan"
    rules_version = "1.0.0"
    seat_counts = setup.SEAT_COUNTS
    options = Options
    state = State
    moves = get_args(Move)
    events = get_args(Event)
    views = View

    def setup(self, options: Options, seats: int, rng: Rng) -> State:
        """Everything dealt (3.1, 3.2). Raises InvalidOptions."""
        return setup.opening(options, seats, rng)

    def prompts(self, state: State) -> tuple[Prompt, ...]:
        """At first a question to every seat (3.5), then one at a time (4.5)."""
        return tuple(Prompt(question.seat, question.kind) for question in viewing.questions(state))

    def legal_moves(self, state: State, seat: int) -> tuple[Move, ...]:
        """Every answer, the way out last."""
        if state.keeping:
            return setup.offers(state, seat) if 0 <= seat < len(state.players) else ()
        asking = flow.asking(state)
        return flow.offers(state, asking) if asking is not None and asking.seat == seat else ()

    def apply(self, state: State, seat: int, move: Move, rng: Rng) -> Step[State, Event]:
        """The answer and everything that follows from it, up to the next question."""
        table = Table(state, seat, rng)
        if state.keeping:
            setup.answer(table, seat, move)
        else:
            flow.answer(table, move)
        return Step(table.freeze(), tuple(table.facts), table.reveals)

    def view(self, state: State, seat: int | None) -> View:
        """What ``seat`` may know (16)."""
        return viewing.view(state, seat)

    def result(self, state: State) -> Result | None:
        """Places and points by category (15)."""
        return scoring.result(state)

    def notation(self, move: Move) -> str:
        """``play_bird:…``, ``gain_food``, ``take_die:seed:seed``, ``decline``."""
        return labels.notation(move)

    def label(self, move: Move) -> Label:
        """What to write on the button of the move."""
        return labels.move_label(move)

    def messages(self) -> dict[str, dict[str, str]]:
        """The words in five languages."""
        return MESSAGES

    def refusal(self, state: State, seat: int, move: Move) -> IllegalMove:
        """Which clause forbids the move, from what the seat knows."""
        return refusing.refusal(state, seat, move)

    def event_label(self, event: Event, seat: int | None) -> Label:
        """How to tell the event, done by ``seat``."""
        return labels.event_label(event, seat)

    def refs(self, move: Move) -> tuple[Ref, ...]:
        """The birds, tokens and dice that the move is about, and the common place where they lie."""
        return scenery.refs(move)

    def option_specs(self) -> tuple[OptionSpec, ...]:
        """The side of the goal board (1.3)."""
        return (OptionSpec("goal_board", Label("option.goal_board"), Options().goal_board, GOAL_BOARDS),)

    def catalogue(self) -> tuple[Component, ...]:
        """Birds, bonus cards, goals, habitats with the mat table, tokens and dice."""
        return components.catalogue()

    def scene(self, view: View) -> Scene:
        """The table as zones and pieces."""
        return scenery.scene(view)

    def seats_of(self, state: State) -> int:
        """As many as players."""
        return len(state.players)

    def check(self, state: State) -> None:
        """Raise InvalidPosition, naming the field, unless the rules can reach the position."""
        invariants.check(state)

    def redeal(self, state: State, seat: int | None, rng: Rng) -> State:
        """Everything that ``seat`` cannot know, permuted."""
        return redealing.redeal(state, seat, rng)

    def points(self, state: State) -> tuple[int, ...]:
        """What lies open: no bonus cards (19.2)."""
        return tuple(sum(scoring.open_shares(player).values()) for player in state.players)

    def timeout_move(self, state: State, seat: int) -> Move:
        """A move that costs nothing needlessly (17)."""
        return timeouts.timeout_move(state, seat)

    def rule_of_thumb(self, seat: int, view: View, moves: tuple[Move, ...]) -> Move:
        """The action that brings most for its cube, and the small choices that go with it."""
        return bot.rule_of_thumb(seat, view, moves)

    def imagined_move(self, state: State, seat: int, moves: tuple[Move, ...], rng: Rng) -> Move:
        """Mostly the rule of thumb."""
        return bot.imagined_move(state, seat, moves, rng)

    def settled(self, began: State, state: State) -> bool:
        """Some turns later, or at the end of the round."""
        return prospects.settled(began, state)

    def standing(self, state: State) -> tuple[float, ...]:
        """By how many points each seat may come out ahead of the others."""
        return prospects.standing(state)


GAME = Wingspan()
