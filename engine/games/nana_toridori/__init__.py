"""Nana Toridori, a climbing game with hands that must not be sorted: the rules are in RULES.md."""

from __future__ import annotations

from engine.core.game import Game
from engine.core.model import Component, IllegalMove, Label, OptionSpec, Prompt, Ref, Result, Scene, Step
from engine.core.rng import Rng
from engine.games.nana_toridori import advice, bot, invariants, labels, rounds, rules, words
from engine.games.nana_toridori import view as viewing
from engine.games.nana_toridori.state import (
    ADVANCED_WINNERS,
    MODES,
    TWO_PLAYER_MODES,
    BeatenDiscarded,
    BeatenTaken,
    Discard,
    DiscardFront,
    Drawn,
    DrawnDiscarded,
    DrawnKept,
    Event,
    FrontDiscarded,
    FrontKept,
    GameEnded,
    Keep,
    KeepFront,
    Move,
    Options,
    Pass,
    Passed,
    Play,
    Played,
    RoundDealt,
    RoundEnded,
    State,
    Take,
    TrickEnded,
    WentOut,
)
from engine.games.nana_toridori.view import View


class NanaToridori(Game[Options, State, Move, Event, View]):
    """Be rid of your cards in time: only neighbours of one value may be played, and no hand is ever sorted."""

    game_type = "nana_toridori"
    rules_version = "1.0.0"
    seat_counts = rounds.SEAT_COUNTS
    options = Options
    state = State
    moves = (Play, Pass, Take, Keep, Discard, KeepFront, DiscardFront)
    events = (
        Played,
        BeatenTaken,
        BeatenDiscarded,
        Passed,
        Drawn,
        DrawnKept,
        DrawnDiscarded,
        FrontKept,
        FrontDiscarded,
        WentOut,
        TrickEnded,
        RoundEnded,
        RoundDealt,
        GameEnded,
    )
    views = View

    def setup(self, options: Options, seats: int, rng: Rng) -> State:
        """Find the leader and deal (2.2, 2.3). Raises InvalidOptions."""
        return rounds.setup(options, seats, rng)

    def prompts(self, state: State) -> tuple[Prompt, ...]:
        """One question at a time, to the seat on turn (4.1)."""
        return rules.prompts(state)

    def legal_moves(self, state: State, seat: int) -> tuple[Move, ...]:
        """Every answer, from left to right; what needs no place in the hand comes last."""
        return rules.legal_moves(state, seat)

    def apply(self, state: State, seat: int, move: Move, rng: Rng) -> Step[State, Event]:
        """The state and the events after the move; chance is used when a new round is dealt."""
        return rules.apply(state, seat, move, rng)

    def view(self, state: State, seat: int | None) -> View:
        """What ``seat`` may know (section 11)."""
        return viewing.view(state, seat)

    def result(self, state: State) -> Result | None:
        """Winners and the others, with penguins or points (8.3, 9.3)."""
        return rounds.result(state)

    def notation(self, move: Move) -> str:
        """``play:1:2``, ``pass``, ``take:3``, ``keep:0``, ``discard``, ``front:0:keep:3``, ``front:0:discard``."""
        return labels.notation(move)

    def label(self, move: Move) -> Label:
        """What to write on the button of the move."""
        return labels.move_label(move)

    def messages(self) -> dict[str, dict[str, str]]:
        """The words in five languages."""
        return words.MESSAGES

    def refusal(self, state: State, seat: int, move: Move) -> IllegalMove:
        """Which clause forbids the move, told from the hand of ``seat`` and the table."""
        return advice.refusal(state, seat, move)

    def event_label(self, event: Event, seat: int | None) -> Label:
        """How to tell the event, done by ``seat``."""
        return labels.event_label(event, seat)

    def refs(self, move: Move) -> tuple[Ref, ...]:
        """The places in the middle of the table that the move is about."""
        return viewing.refs(move)

    def option_specs(self) -> tuple[OptionSpec, ...]:
        """The options 1.4 to 1.7; messages like ``option.mode.basic`` name the choices."""
        default = Options()
        seats = tuple(range(rounds.SEAT_COUNTS[-1]))
        return (
            OptionSpec("mode", Label("option.mode"), default.mode, MODES),
            OptionSpec("advanced_winner", Label("option.advanced_winner"), default.advanced_winner, ADVANCED_WINNERS),
            OptionSpec("two_player_mode", Label("option.two_player_mode"), default.two_player_mode, TWO_PLAYER_MODES),
            OptionSpec("first_leader", Label("option.first_leader"), default.first_leader, seats),
        )

    def catalogue(self) -> tuple[Component, ...]:
        """The cards by value, penguins, points."""
        return viewing.catalogue()

    def scene(self, view: View) -> Scene:
        """The middle of the table, then hands, front cards, penguins or points."""
        return viewing.scene(view)

    def seats_of(self, state: State) -> int:
        """One hand each."""
        return len(state.hands)

    def check(self, state: State) -> None:
        """Raise InvalidPosition, naming the field, unless the rules can reach the position."""
        invariants.check(state)

    def redeal(self, state: State, seat: int | None, rng: Rng) -> State:
        """Everything that ``seat`` cannot know, dealt anew."""
        return invariants.redeal(state, seat, rng)

    def points(self, state: State) -> tuple[int, ...]:
        """Penguins or points (13.2)."""
        return rounds.scores(state)

    def forfeit(self, state: State, resigned: frozenset[int]) -> Result | None:
        """A basic game is over when anybody has lost it (13.1)."""
        return rounds.forfeit(state, resigned) or super().forfeit(state, resigned)

    def timeout_move(self, state: State, seat: int) -> Move:
        """As many cards of the hand as may be played; nothing is taken into it (section 12)."""
        return advice.timeout_move(state, seat)

    def rule_of_thumb(self, seat: int, view: View, moves: tuple[Move, ...]) -> Move:
        """The move that leaves the hand easiest to get rid of."""
        return bot.rule_of_thumb(seat, view, moves)

    def imagined_move(self, state: State, seat: int, moves: tuple[Move, ...], rng: Rng) -> Move:
        """Mostly the rule of thumb."""
        return bot.imagined_move(state, seat, moves, rng)

    def settled(self, began: State, state: State) -> bool:
        """At the end of a trick."""
        return bot.settled(began, state)

    def standing(self, state: State) -> tuple[float, ...]:
        """The chance of each seat to be among the winners."""
        return bot.standing(state)


GAME = NanaToridori()
