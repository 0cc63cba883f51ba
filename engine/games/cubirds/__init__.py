"""CuBirds: rows, flocks and collections; the rules are in RULES.md."""

from __future__ import annotations

from engine.core.game import Game
from engine.core.model import Component, IllegalMove, Label, OptionSpec, Prompt, Ref, Result, Scene, Step
from engine.core.rng import Rng
from engine.games.cubirds import answers, bot, deal, invariants, labels, rules, scoring, texts
from engine.games.cubirds import view as viewing
from engine.games.cubirds.state import (
    BirdsDealt,
    BirdsDrawn,
    BirdsLaid,
    BirdsTaken,
    DiscardReshuffled,
    Draw,
    DrawDeclined,
    Event,
    Flock,
    FlockCompleted,
    FlockDeclined,
    GameEnded,
    Lay,
    Move,
    NoDraw,
    NoFlock,
    Options,
    RoundBegan,
    RoundEnded,
    RowRefilled,
    State,
)
from engine.games.cubirds.view import View


class CuBirds(Game[Options, State, Move, Event, View]):
    """Birds enclose others in rows, flocks fly home; seven species or twice three birds win."""

    game_type = "cubirds"
    rules_version = "1.0.0"
    seat_counts = deal.SEAT_COUNTS
    options = Options
    state = State
    moves = (Lay, Draw, NoDraw, Flock, NoFlock)
    events = (
        BirdsLaid,
        BirdsTaken,
        RowRefilled,
        BirdsDrawn,
        DrawDeclined,
        FlockCompleted,
        FlockDeclined,
        RoundEnded,
        RoundBegan,
        BirdsDealt,
        DiscardReshuffled,
        GameEnded,
    )
    views = View

    def setup(self, options: Options, seats: int, rng: Rng) -> State:
        """Rows, hands and first birds (section 2). Raises InvalidOptions."""
        return deal.setup(options, seats, rng)

    def prompts(self, state: State) -> tuple[Prompt, ...]:
        """One question, to the player on turn; none when the game is over."""
        return rules.prompts(state)

    def legal_moves(self, state: State, seat: int) -> tuple[Move, ...]:
        """What the player on turn may answer (3.1, 4.1, 5.1)."""
        return rules.legal_moves(state, seat)

    def apply(self, state: State, seat: int, move: Move, rng: Rng) -> Step[State, Event]:
        """The state and the events after the move, the next deal included."""
        return rules.apply(state, seat, move, rng)

    def view(self, state: State, seat: int | None) -> View:
        """What ``seat`` may know (section 8)."""
        return viewing.view(state, seat)

    def result(self, state: State) -> Result | None:
        """Winners, ranks and birds (6.5)."""
        return scoring.result(state)

    def seats_of(self, state: State) -> int:
        """How many play."""
        return len(state.hands)

    def notation(self, move: Move) -> str:
        """``lay:P:0:left``, ``draw:yes``, ``draw:no``, ``flock:P``, ``flock:none``."""
        return labels.notation(move)

    def label(self, move: Move) -> Label:
        """What to write on the button of the move."""
        return labels.move_label(move)

    def messages(self) -> dict[str, dict[str, str]]:
        """The words in five languages."""
        return texts.MESSAGES

    def refusal(self, state: State, seat: int, move: Move) -> IllegalMove:
        """Which clause forbids the move."""
        return answers.refusal(state, seat, move)

    def event_label(self, event: Event, seat: int | None) -> Label:
        """How to tell the event, done by ``seat``."""
        return labels.event_label(event, seat)

    def refs(self, move: Move) -> tuple[Ref, ...]:
        """The species and the row, or the draw pile."""
        return viewing.refs(move)

    def option_specs(self) -> tuple[OptionSpec, ...]:
        """The first dealer: the choices are the seats that every game has; larger games take their others (2.1)."""
        every_game = tuple(range(deal.SEAT_COUNTS[0]))
        return (OptionSpec("first_dealer", Label("option.first_dealer"), Options().first_dealer, every_game),)

    def catalogue(self) -> tuple[Component, ...]:
        """The eight species."""
        return viewing.components()

    def scene(self, view: View) -> Scene:
        """Rows, piles, hands and collections as zones."""
        return viewing.scene(view)

    def check(self, state: State) -> None:
        """Raise InvalidPosition, naming the field, unless the rules can reach the position (10.1)."""
        invariants.check(state)

    def redeal(self, state: State, seat: int | None, rng: Rng) -> State:
        """Hidden hands and both piles, shuffled."""
        return invariants.redeal(state, seat, rng)

    def points(self, state: State) -> tuple[int, ...]:
        """The birds collected (11.2)."""
        return tuple(len(collection) for collection in state.collections)

    def timeout_move(self, state: State, seat: int) -> Move:
        """The largest catch, two birds from the pile, the best flock (section 9)."""
        return answers.timeout_move(state, seat)

    def rule_of_thumb(self, seat: int, view: View, moves: tuple[Move, ...]) -> Move:
        """The move after which the own birds are nearest to flocks."""
        return bot.rule_of_thumb(seat, view, moves)

    def imagined_move(self, state: State, seat: int, moves: tuple[Move, ...], rng: Rng) -> Move:
        """The rule of thumb."""
        del rng
        return bot.imagined_move(state, seat, moves)

    def settled(self, began: State, state: State) -> bool:
        """Some birds were sent home, a round ended, or the game."""
        return bot.settled(began, state)

    def standing(self, state: State) -> tuple[float, ...]:
        """By how far a seat is ahead of the others."""
        return bot.standing(state)


GAME = CuBirds()
