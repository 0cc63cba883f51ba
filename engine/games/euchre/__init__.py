"""Euchre: two partnerships, five tricks, bowers and loners. RULES.md beside this file says exactly what is played."""

from __future__ import annotations

from engine.core import Component, Game, IllegalMove, Label, OptionSpec, Prompt, Ref, Result, Rng, Scene, Step
from engine.core.cards import card_component, card_name
from engine.core.leaving import losers
from engine.games.euchre import bot, deal, labels, refusal, rules, scoring, texts, timeout
from engine.games.euchre import check as invariants
from engine.games.euchre import redeal as secrets
from engine.games.euchre import scene as table
from engine.games.euchre import view as sight
from engine.games.euchre.events import EVENTS, Event
from engine.games.euchre.pack import BENNY_PACK
from engine.games.euchre.state import (
    MOVES,
    SEATS,
    TARGET_SCORES,
    Discard,
    Move,
    Options,
    OrderUp,
    Play,
    State,
    team_of,
)
from engine.games.euchre.view import View


class Euchre(Game[Options, State, Move, Event, View]):
    """Four seats, 24 or 25 cards, the first team to the target score wins."""

    game_type = "euchre"
    rules_version = "1.0.0"
    seat_counts = (4,)
    options = Options
    state = State
    moves = MOVES
    events = EVENTS
    views = View

    def setup(self, options: Options, seats: int, rng: Rng) -> State:
        """The first deal (RULES 4). Raises InvalidOptions."""
        return deal.setup(options, seats, rng)

    def prompts(self, state: State) -> tuple[Prompt, ...]:
        """One question, to the seat on turn; none when the match is over."""
        return rules.prompts(state)

    def legal_moves(self, state: State, seat: int) -> tuple[Move, ...]:
        """Every answer of the seat on turn: passes first, cards as they are held."""
        return rules.legal_moves(state, seat)

    def apply(self, state: State, seat: int, move: Move, rng: Rng) -> Step[State, Event]:
        """The state after the move, the next deal included."""
        return rules.apply(state, seat, move, rng)

    def view(self, state: State, seat: int | None) -> View:
        """What ``seat`` may know (RULES 10)."""
        return sight.view(state, seat)

    def result(self, state: State) -> Result | None:
        """The match by teams (RULES 9.4)."""
        return scoring.result(state)

    def notation(self, move: Move) -> str:
        """``pass``, ``up+alone``, ``call:NT``, ``name:H``, ``discard:9H``, ``nodefend``, ``play:BN``."""
        return labels.notation(move)

    def label(self, move: Move) -> Label:
        """What to write on the button."""
        return labels.move_label(move)

    def messages(self) -> dict[str, dict[str, str]]:
        """The words in five languages."""
        return texts.MESSAGES

    def refusal(self, state: State, seat: int, move: Move) -> IllegalMove:
        """Which clause the move breaks."""
        return refusal.refusal(state, seat, move)

    def event_label(self, event: Event, seat: int | None) -> Label:
        """How to tell the event."""
        return labels.event_label(event, seat)

    def refs(self, move: Move) -> tuple[Ref, ...]:
        """The card of a discard or a play; the upcard when it is ordered up."""
        if isinstance(move, Discard | Play):
            return (Ref(piece=card_name(move.card)),)
        return (Ref(zone="upcard"),) if isinstance(move, OrderUp) else ()

    def option_specs(self) -> tuple[OptionSpec, ...]:
        """The options (RULES 2), all independent of each other."""
        choices: dict[str, tuple[bool | int | str, ...]] = {"target_score": TARGET_SCORES, "first_dealer": SEATS}
        defaults = Options()
        return tuple(
            OptionSpec(name, Label(f"option.{name}"), getattr(defaults, name), choices.get(name, (False, True)))
            for name in Options.__struct_fields__
        )

    def catalogue(self) -> tuple[Component, ...]:
        """The 24 cards and the Benny, which is in play only with its option."""
        return tuple(map(card_component, BENNY_PACK))

    def scene(self, view: View) -> Scene:
        """Hands, trick, tricks won, upcard, kitty and discard."""
        return table.scene(view)

    def seats_of(self, state: State) -> int:
        """Always four (RULES 1.1)."""
        del state
        return len(SEATS)

    def check(self, state: State) -> None:
        """Raise InvalidPosition, naming the field, unless the rules could have led here (RULES 12)."""
        invariants.check(state)

    def redeal(self, state: State, seat: int | None, rng: Rng) -> State:
        """Everything mixed that ``seat`` cannot know (RULES 10)."""
        return secrets.redeal(state, seat, rng)

    def sides(self, state: State) -> tuple[tuple[int, ...], ...]:
        """The two teams (RULES 13.1)."""
        del state
        return tuple(tuple(seat for seat in SEATS if team_of(seat) == team) for team in (0, 1))

    def forfeit(self, state: State, resigned: frozenset[int]) -> Result | None:
        """The other team has won (RULES 13.1)."""
        return scoring.forfeit(state, losers(self.sides(state), resigned))

    def timeout_move(self, state: State, seat: int) -> Move:
        """What the clock plays for an absent seat (RULES 11)."""
        return timeout.timeout_move(state, seat)

    def rule_of_thumb(self, seat: int, view: View, moves: tuple[Move, ...]) -> Move:
        """Three trumps make trump; take tricks cheaply."""
        return bot.rule_of_thumb(seat, view, moves)

    def imagined_move(self, state: State, seat: int, moves: tuple[Move, ...], rng: Rng) -> Move:
        """As the rule of thumb, with better bids."""
        del rng
        return bot.imagined_move(state, seat, moves)

    def settled(self, began: State, state: State) -> bool:
        """A hand is finished."""
        return bot.settled(began, state)

    def standing(self, state: State) -> tuple[float, ...]:
        """By the lead in points."""
        return bot.standing(state)


GAME = Euchre()
