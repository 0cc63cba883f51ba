"""What a game is: six functions, and a few small things around them that have sensible defaults.

A game is one object without state of its own. Every function is pure: the same arguments give the same answer, in any
process, and no argument is changed.
"""

from __future__ import annotations

import abc
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from engine.core.leaving import RESIGNED, losers, ranked
from engine.core.model import (
    Component,
    IllegalMove,
    Label,
    OptionSpec,
    Placement,
    Prompt,
    Ref,
    Result,
    Scene,
    Step,
)
from engine.core.rng import Rng

O = TypeVar("O", bound=msgspec.Struct)  # noqa: E741 - options, state, move, event, view: the five types of a game
S = TypeVar("S", bound=msgspec.Struct)
M = TypeVar("M", bound=msgspec.Struct)
E = TypeVar("E", bound=msgspec.Struct)
V = TypeVar("V", bound=msgspec.Struct)


class Game(abc.ABC, Generic[O, S, M, E, V]):
    """A game by its rules. The class attributes are its record of facts.

    ``seat_counts`` are the allowed numbers of seats, ascending. ``moves`` and ``events`` are the struct types of the
    tagged unions. A state keeps its options in the field ``options``. ``state_schema``
    grows when the stored form of the state changes (see ``engine.core.codec``).
    """

    game_type: ClassVar[str]
    rules_version: ClassVar[str]
    seat_counts: ClassVar[tuple[int, ...]]
    options: ClassVar[type[msgspec.Struct]]
    state: ClassVar[type[msgspec.Struct]]
    moves: ClassVar[tuple[type[msgspec.Struct], ...]]
    events: ClassVar[tuple[type[msgspec.Struct], ...]]
    views: ClassVar[type[msgspec.Struct]]
    state_schema: ClassVar[int] = 1

    # The six.

    @abc.abstractmethod
    def setup(self, options: O, seats: int, rng: Rng) -> S:
        """The first state. Raises InvalidOptions for values that the types alone do not exclude."""

    @abc.abstractmethod
    def prompts(self, state: S) -> tuple[Prompt, ...]:
        """The open questions, by seat; empty when the game is finished."""

    @abc.abstractmethod
    def legal_moves(self, state: S, seat: int) -> tuple[M, ...]:
        """Every answer of ``seat`` to its open question, in a fixed order; empty if nothing is asked of it."""

    @abc.abstractmethod
    def apply(self, state: S, seat: int, move: M, rng: Rng) -> Step[S, E]:
        """What the move makes of the state. Only ``play`` calls this, after checking turn and legality."""

    @abc.abstractmethod
    def view(self, state: S, seat: int | None) -> V:
        """What ``seat`` (None: a spectator) may know, built from nothing."""

    @abc.abstractmethod
    def result(self, state: S) -> Result | None:
        """The outcome; None while anything is still asked."""

    # Around the six: words.

    @abc.abstractmethod
    def notation(self, move: M) -> str:
        """The move as a short text, unique among the legal moves: the ``offer_id``, and the form in worked examples."""

    @abc.abstractmethod
    def label(self, move: M) -> Label:
        """What to write on the button of the move."""

    @abc.abstractmethod
    def messages(self) -> dict[str, dict[str, str]]:
        """Templates by locale (en, zh-Hans, zh-Hant, ja, es), then by key; every locale has every key."""

    @abc.abstractmethod
    def refusal(self, state: S, seat: int, move: M) -> IllegalMove:
        """Why ``move`` is not legal, from what ``seat`` itself knows, naming the clause of RULES.md."""

    def prompt_label(self, prompt: Prompt) -> Label:
        """How to ask the question."""
        return Label(f"prompt.{prompt.kind}")

    def event_label(self, event: E, seat: int | None) -> Label:
        """How to tell the event, done by ``seat``."""
        del seat
        return Label(f"event.{event.__struct_config__.tag}")

    def refs(self, move: M) -> tuple[Ref, ...]:
        """The pieces and zones that the move is about."""
        del move
        return ()

    # Around the six: what a client may know before any game.

    def option_specs(self) -> tuple[OptionSpec, ...]:
        """The options with their defaults and choices."""
        return ()

    def catalogue(self) -> tuple[Component, ...]:
        """Everything static that a client draws."""
        return ()

    def scene(self, view: V) -> Scene:
        """The table as zones and pieces, from a view alone, so that it can tell no more than the view does."""
        del view
        return Scene()

    # Around the six: positions, tests, old records.

    @abc.abstractmethod
    def seats_of(self, state: S) -> int:
        """How many seats the state has."""

    @abc.abstractmethod
    def check(self, state: S) -> None:
        """Raise InvalidPosition, naming the field, unless the state keeps every invariant of the rules."""

    @abc.abstractmethod
    def redeal(self, state: S, seat: int | None, rng: Rng) -> S:
        """A state that looks the same to ``seat`` (None: a spectator), with everything it cannot know permuted."""

    def timeout_move(self, state: S, seat: int) -> M:
        """What the clock plays for an absent seat, chosen from what the seat itself knows."""
        return self.legal_moves(state, seat)[0]

    # Around the six: players who leave.

    def sides(self, state: S) -> tuple[tuple[int, ...], ...]:
        """The seats that win or lose together; by default each seat plays for itself."""
        return tuple((seat,) for seat in range(self.seats_of(state)))

    def points(self, state: S) -> tuple[int, ...]:
        """The score of each seat in an unfinished game, as everybody knows it; by default there is none yet."""
        return (0,) * self.seats_of(state)

    def forfeit(self, state: S, resigned: frozenset[int]) -> Result | None:
        """How an unfinished game ends because these seats have left it; None if it goes on without them.

        By default a side that somebody has left has lost, and the game ends when fewer than two sides are left.
        """
        sides = self.sides(state)
        if sum(resigned.isdisjoint(side) for side in sides) > 1:
            return None
        placements = (Placement(seat, 1, score) for seat, score in enumerate(self.points(state)))
        return Result(ranked(placements, losers(sides, resigned)), RESIGNED)

    def outcome(self, state: S, resigned: frozenset[int]) -> Result | None:
        """The outcome when these seats have left: they come behind all others, whatever was played for them.

        None while the game goes on. Scores stay what they were.
        """
        played = self.result(state)
        if not resigned:
            return played
        if played is None:
            return self.forfeit(state, resigned)
        return Result(ranked(played.placements, losers(self.sides(state), resigned)), played.reason)

    # Around the six: for bots.

    def rule_of_thumb(self, seat: int, view: V, moves: tuple[M, ...]) -> M:
        """What a sensible beginner plays, from the seat's view and its offers alone; ``moves`` is never empty."""
        del seat, view
        return moves[0]

    def imagined_move(self, state: S, seat: int, moves: tuple[M, ...], rng: Rng) -> M:
        """What ``seat`` may play in an imagined world, quickly; better moves more often.

        ``moves`` are some or all of its legal ones, never none.
        """
        del state, seat
        return rng.choice(moves)

    def presses(self, prompt: Prompt) -> bool:
        """Whether the question must be answered. If not, neither a bot nor the clock does: others are asked besides.

        Say False where the only answers take back what others are just about to answer. There is always another
        question, then, that presses.
        """
        del prompt
        return True

    def settled(self, began: S, state: S) -> bool:
        """Whether an imagined course that began in ``began`` may stop in ``state``: a hand or round later, say."""
        del began
        return not self.prompts(state)

    def standing(self, state: S) -> tuple[float, ...]:
        """How well each seat stands, by seat, from 0 (lost) to 1 (won): where an imagined course stops.

        By default the share of the others that a seat has beaten, ties half; 0.5 each while the game goes on.
        """
        result = self.result(state)
        if result is None:
            return (0.5,) * self.seats_of(state)
        ranks = [placement.rank for placement in sorted(result.placements, key=lambda placement: placement.seat)]
        others = max(1, len(ranks) - 1)
        return tuple((sum(r > rank for r in ranks) + (ranks.count(rank) - 1) / 2) / others for rank in ranks)

    def upgrade(self, schema: int, raw: Any) -> Any:
        """Turn the decoded blob of an older ``schema`` into the newest form. Raises ValueError if it never existed."""
        raise ValueError(f"{self.game_type} never had a state schema {schema}: {type(raw).__name__}")


AnyGame = Game[Any, Any, Any, Any, Any]
