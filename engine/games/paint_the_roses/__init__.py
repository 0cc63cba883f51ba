"""Paint the Roses, the base game: the rules are in RULES.md."""

from __future__ import annotations

from engine.core.game import Game
from engine.core.model import Component, IllegalMove, Label, Prompt, Ref, Result, Scene, Step
from engine.core.rng import Rng
from engine.games.paint_the_roses import absent, bot, invariants, labels, refusals, rules
from engine.games.paint_the_roses import redeal as redealing
from engine.games.paint_the_roses import scene as drawing
from engine.games.paint_the_roses import view as viewing
from engine.games.paint_the_roses.events import (
    ClueTokenUsed,
    DeckReshuffled,
    Event,
    FlowerGained,
    GameEnded,
    GardenersMoved,
    GreenhouseRefilled,
    GuessedRight,
    GuessedWrong,
    GuessProposed,
    ProposalClosed,
    ProposalWithdrawn,
    QueenMoved,
    Stopped,
    TilePlanted,
    TurnStarted,
    Voted,
    WhimDrawn,
)
from engine.games.paint_the_roses.state import (
    ChooseLevel,
    Move,
    Options,
    Plant,
    Propose,
    State,
    Stop,
    UseClueToken,
    Vote,
    Withdraw,
)
from engine.games.paint_the_roses.view import View


class PaintTheRoses(Game[Options, State, Move, Event, View]):
    """The team fills a garden before the Queen catches its gardeners, guessing each other's secret whims."""

    game_type = "paint_the_roses"
    rules_version = "1.0.0"
    seat_counts = rules.SEAT_COUNTS
    options = Options
    state = State
    moves = (ChooseLevel, Plant, Propose, Vote, Withdraw, Stop, UseClueToken)
    events = (
        WhimDrawn,
        DeckReshuffled,
        TurnStarted,
        TilePlanted,
        GuessProposed,
        Voted,
        ProposalWithdrawn,
        ProposalClosed,
        GuessedRight,
        GuessedWrong,
        GardenersMoved,
        FlowerGained,
        Stopped,
        ClueTokenUsed,
        QueenMoved,
        GreenhouseRefilled,
        GameEnded,
    )
    views = View

    def setup(self, options: Options, seats: int, rng: Rng) -> State:
        """Bag and decks shuffled (section 3). Raises InvalidOptions."""
        return rules.setup(options, seats, rng)

    def prompts(self, state: State) -> tuple[Prompt, ...]:
        """One seat chooses or plants; several may guess, and several vote."""
        return rules.prompts(state)

    def legal_moves(self, state: State, seat: int) -> tuple[Move, ...]:
        """Every answer, in the order of levels, slots and spaces, seats and pairs."""
        return rules.legal_moves(state, seat)

    def apply(self, state: State, seat: int, move: Move, rng: Rng) -> Step[State, Event]:
        """The state and the events after the move; chance only shuffles discards (4.3)."""
        return rules.apply(state, seat, move, rng)

    def view(self, state: State, seat: int | None) -> View:
        """What ``seat`` may know (section 13)."""
        return viewing.view(state, seat)

    def result(self, state: State) -> Result | None:
        """The same for everybody (section 12)."""
        return rules.result(state)

    def notation(self, move: Move) -> str:
        """``level:easy``, ``plant:2:B4``, ``guess:1:pink/red``, ``yes``, ``no``, ``withdraw``, ``stop``, ``clue``."""
        return labels.notation(move)

    def label(self, move: Move) -> Label:
        """What to write on the button of the move."""
        return labels.move_label(move)

    def messages(self) -> dict[str, dict[str, str]]:
        """The words in five languages."""
        return labels.MESSAGES

    def refusal(self, state: State, seat: int, move: Move) -> IllegalMove:
        """Which clause forbids the move."""
        return refusals.refusal(state, seat, move)

    def event_label(self, event: Event, seat: int | None) -> Label:
        """How to tell the event, done by ``seat``."""
        return labels.event_label(event, seat)

    def refs(self, move: Move) -> tuple[Ref, ...]:
        """The deck, the slot and the space, or the card and the symbols that the move is about."""
        return drawing.refs(move)

    def catalogue(self) -> tuple[Component, ...]:
        """Symbols, spaces, tiles, whim cards, cubes, figures and tokens."""
        return drawing.catalogue()

    def scene(self, view: View) -> Scene:
        """Garden, greenhouse, supplies, whims and track as zones."""
        return drawing.scene(view)

    def seats_of(self, state: State) -> int:
        """One per player."""
        return len(state.players)

    def check(self, state: State) -> None:
        """Raise InvalidPosition, naming the field, unless the rules can reach the position."""
        invariants.check(state)

    def redeal(self, state: State, seat: int | None, rng: Rng) -> State:
        """Other cards that agree with all that ``seat`` has seen, other orders of decks and bag."""
        return redealing.redeal(state, seat, rng)

    def sides(self, state: State) -> tuple[tuple[int, ...], ...]:
        """One team (15.1)."""
        return (tuple(range(len(state.players))),)

    def points(self, state: State) -> tuple[int, ...]:
        """The position of the gardeners, for all (12.2)."""
        return (state.gardeners,) * len(state.players)

    def timeout_move(self, state: State, seat: int) -> Move:
        """What the clock does for an absent player (section 14)."""
        return absent.timeout_move(state, seat)

    def rule_of_thumb(self, seat: int, view: View, moves: tuple[Move, ...]) -> Move:
        """The planting whose cube tells most of the own card, the guess that is safest."""
        return bot.rule_of_thumb(seat, view, moves)

    def imagined_move(self, state: State, seat: int, moves: tuple[Move, ...], rng: Rng) -> Move:
        """The rule of thumb, loosened by chance."""
        return bot.imagined_move(state, seat, moves, rng)

    def presses(self, prompt: Prompt) -> bool:
        """Nobody takes a proposal back before the others have voted on it."""
        return prompt.kind != rules.WITHDRAW

    def settled(self, began: State, state: State) -> bool:
        """Some turns later."""
        return bot.settled(began, state)

    def standing(self, state: State) -> tuple[float, ...]:
        """How far the gardeners may come, the same for all."""
        return bot.standing(state)


GAME = PaintTheRoses()
