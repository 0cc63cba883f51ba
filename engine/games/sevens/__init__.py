"""Sevens, with a limited number of passes: the rules are in RULES.md."""

from __future__ import annotations

from engine.core.cards import card_component, card_name
from engine.core.game import Game
from engine.core.model import Component, IllegalMove, Label, OptionSpec, Prompt, Ref, Result, Scene, Step
from engine.core.rng import Rng
from engine.games.sevens import bot, invariants, labels, rules
from engine.games.sevens import view as viewing
from engine.games.sevens.state import (
    CardPlayed,
    Event,
    Finished,
    GameEnded,
    Move,
    Options,
    Pass,
    Passed,
    Play,
    State,
    WentOut,
)
from engine.games.sevens.view import View


class Sevens(Game[Options, State, Move, Event, View]):
    """Every suit grows outward from its seven; whoever needs a pass and has none left is out."""

    game_type = "sevens"
    rules_version = "1.0.0"
    seat_counts = rules.SEAT_COUNTS
    options = Options
    state = State
    moves = (Play, Pass)
    events = (CardPlayed, Passed, WentOut, Finished, GameEnded)
    views = View

    def setup(self, options: Options, seats: int, rng: Rng) -> State:
        """Deal, lay the sevens (2.1, 2.2). Raises InvalidOptions."""
        return rules.opening(options, rules.deal(options, seats, rng))

    def prompts(self, state: State) -> tuple[Prompt, ...]:
        """One question at a time, to the seat on turn (4.1)."""
        return () if state.turn is None else (Prompt(state.turn, "play"),)

    def legal_moves(self, state: State, seat: int) -> tuple[Move, ...]:
        """Playable cards in ascending order, then the pass if it is allowed (4.2, 4.3)."""
        return rules.legal_moves(state, seat)

    def apply(self, state: State, seat: int, move: Move, rng: Rng) -> Step[State, Event]:
        """The state and the events after the move; there is no chance after the deal."""
        del rng
        return rules.apply(state, seat, move)

    def view(self, state: State, seat: int | None) -> View:
        """What ``seat`` may know (section 7)."""
        return viewing.view(state, seat)

    def result(self, state: State) -> Result | None:
        """Places and points (6.2, 6.3)."""
        return rules.result(state)

    def notation(self, move: Move) -> str:
        """``play:6H`` or ``pass``."""
        return f"play:{card_name(move.card)}" if isinstance(move, Play) else "pass"

    def label(self, move: Move) -> Label:
        """What to write on the button of the move."""
        return labels.move_label(move)

    def messages(self) -> dict[str, dict[str, str]]:
        """The words in five languages."""
        return labels.MESSAGES

    def refusal(self, state: State, seat: int, move: Move) -> IllegalMove:
        """Which of 3.2, 4.2 and 4.3 forbids the move."""
        return rules.refusal(state, seat, move)

    def event_label(self, event: Event, seat: int | None) -> Label:
        """How to tell the event, done by ``seat``."""
        return labels.event_label(event, seat)

    def refs(self, move: Move) -> tuple[Ref, ...]:
        """The card and its row, or the token that a pass costs."""
        return viewing.refs(move)

    def option_specs(self) -> tuple[OptionSpec, ...]:
        """The pass limit (1.3) and the packs (1.4)."""
        default = Options()
        return (
            OptionSpec("pass_limit", Label("option.pass_limit"), default.pass_limit, rules.PASS_LIMITS),
            OptionSpec("decks", Label("option.decks"), default.decks, rules.DECKS),
        )

    def catalogue(self) -> tuple[Component, ...]:
        """The cards of two packs, and the tokens that stand for passes."""
        cards = (card_component(card, copies=rules.DECKS[-1]) for card in rules.PACK)
        return (*cards, viewing.pass_component())

    def scene(self, view: View) -> Scene:
        """Rows, hands and passes as zones."""
        return viewing.scene(view)

    def seats_of(self, state: State) -> int:
        """One per hand."""
        return len(state.hands)

    def check(self, state: State) -> None:
        """Raise InvalidPosition, naming the field, unless the rules can reach the position."""
        invariants.check(state)

    def redeal(self, state: State, seat: int | None, rng: Rng) -> State:
        """The hands that ``seat`` cannot see, shuffled among their holders."""
        return invariants.redeal(state, seat, rng)

    def forfeit(self, state: State, resigned: frozenset[int]) -> Result | None:
        """The game ends when only one player is left over who still has cards to play (8.2)."""
        return rules.forfeit(state, resigned)

    def timeout_move(self, state: State, seat: int) -> Move:
        """The playable card farthest from its seven, or else the pass (4.6)."""
        return rules.timeout_move(state, seat)

    def rule_of_thumb(self, seat: int, view: View, moves: tuple[Move, ...]) -> Move:
        """The card that opens most for the own hand and least for the others."""
        del seat
        return bot.rule_of_thumb(view, moves)

    def imagined_move(self, state: State, seat: int, moves: tuple[Move, ...], rng: Rng) -> Move:
        """As the rule of thumb, but holding back with a pass."""
        del rng
        return bot.imagined_move(state, seat, moves)


GAME = Sevens()
