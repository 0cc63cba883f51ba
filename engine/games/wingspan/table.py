"""A state while one move changes it, and the deeds that every part of the rules is made of.

A ``Table`` lives only inside ``apply``: made from a frozen state, changed, turned into a new frozen state. Whatever
only reads takes a ``Board``, which a state and a table both are.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec.structs import replace

from engine.core import agenda
from engine.core.model import Fact
from engine.core.rng import Rng
from engine.games.wingspan import events
from engine.games.wingspan.events import Event
from engine.games.wingspan.frames import Frame
from engine.games.wingspan.rows import BIRD_IDS
from engine.games.wingspan.state import MatBird, State
from engine.games.wingspan.terms import DICE, TRAY_SLOTS, Die, Food, Habitat


class Table:
    """The state in the middle of the move of ``actor``; ``facts`` are what happened so far.

    ``reveals`` is set as soon as the actor learns what it could not have worked out.
    """

    def __init__(self, state: State, actor: int, rng: Rng) -> None:
        self.options = state.options
        self.players = list(state.players)
        self.deck = state.deck
        self.discard = state.discard
        self.tray = list(state.tray)
        self.bonus_deck = state.bonus_deck
        self.bonus_discard = state.bonus_discard
        self.feeder = state.feeder
        self.goals = state.goals
        self.round = state.round
        self.first_player = state.first_player
        self.active = state.active
        self.keeping = state.keeping
        self.agenda = state.agenda
        self.debt = state.debt
        self.gained = state.gained
        self.playing = state.playing
        self.drafting = state.drafting
        self.bonus_offer = state.bonus_offer
        self.revealed = state.revealed
        self.actor = actor
        self.rng = rng
        self.facts: list[Fact[Event]] = []
        self.reveals = False

    def freeze(self) -> State:
        """The state as it is now."""
        first, second, third = self.tray
        return State(
            self.options,
            tuple(self.players),
            self.deck,
            self.discard,
            (first, second, third),
            self.bonus_deck,
            self.bonus_discard,
            self.feeder,
            self.goals,
            self.round,
            self.first_player,
            self.active,
            self.keeping,
            self.agenda,
            self.debt,
            self.gained,
            self.playing,
            self.drafting,
            self.bonus_offer,
            self.revealed,
        )

    # Telling and planning.

    def tell(self, seat: int | None, event: Event) -> None:
        """Everybody learns of it."""
        self.facts.append(Fact(seat, event))

    def tell_owner(self, seat: int, public: Event | None, private: Event) -> None:
        """The seat learns more than the others."""
        self.facts.append(Fact(seat, public, ((seat, private),)))

    def push(self, *frames: Frame) -> None:
        """Plan work to be done before everything that is planned already; the first frame first."""
        self.agenda = agenda.push(self.agenda, *frames)

    # Players and birds.

    def change(self, seat: int, **fields: Any) -> None:
        """Replace fields of a player."""
        self.players[seat] = replace(self.players[seat], **fields)

    def stands(self, seat: int, bird: int) -> tuple[Habitat, int, MatBird]:
        """Where the bird stands on the mat of the seat: habitat and column from 0."""
        for row, habitat in zip(self.players[seat].mat, Habitat, strict=True):
            for column, on_mat in enumerate(row):
                if on_mat.bird == bird:
                    return habitat, column, on_mat
        raise LookupError(f"{BIRD_IDS[bird]} does not stand on the mat of seat {seat}")

    def set_row(self, seat: int, habitat: Habitat, row: tuple[MatBird, ...]) -> None:
        """Replace a row of a mat."""
        mat = self.players[seat].mat
        self.change(seat, mat=(*mat[: habitat - 1], row, *mat[habitat:]))

    def change_bird(self, seat: int, bird: int, **fields: Any) -> None:
        """Replace fields of a bird on the mat."""
        habitat, column, on_mat = self.stands(seat, bird)
        row = self.players[seat].row(habitat)
        self.set_row(seat, habitat, (*row[:column], replace(on_mat, **fields), *row[column + 1 :]))

    # Food.

    def gain(self, seat: int, food: Food, count: int = 1) -> None:
        """Take tokens from the supply (5.5)."""
        self._add_food(seat, food, count)
        self.tell(seat, events.FoodGained(food, count))

    def spend(self, seat: int, foods: tuple[Food, ...]) -> None:
        """Give tokens to the supply."""
        for food in foods:
            self._add_food(seat, food, -1)
        self.tell(seat, events.FoodSpent(foods))

    def cache(self, seat: int, bird: int, food: Food, count: int = 1, *, from_supply: bool = True) -> None:
        """Put tokens onto a bird, from the supply or from personal food (2.3)."""
        if not from_supply:
            self._add_food(seat, food, -count)
        cached = _plus(self.stands(seat, bird)[2].cached, food, count)
        self.change_bird(seat, bird, cached=cached)
        self.tell(seat, events.FoodCached(BIRD_IDS[bird], food, count, from_supply))

    def _add_food(self, seat: int, food: Food, count: int) -> None:
        self.change(seat, food=_plus(self.players[seat].food, food, count))

    # The feeder.

    def roll(self, dice: int) -> tuple[Die, ...]:
        """So many dice at random, ascending."""
        self.reveals = True
        return tuple(sorted(Die(1 + self.rng.below(len(Die))) for _ in range(dice)))

    def roll_feeder(self, seat: int | None, *, by_choice: bool) -> None:
        """Roll all five dice into the feeder (5.2, 5.3)."""
        self.feeder = self.roll(DICE)
        self.tell(seat, events.FeederRolled(self.feeder, by_choice))

    def take_die(self, seat: int, die: Die, food: Food) -> None:
        """Take a die as the food; the caller refills the feeder (5.1, 5.4)."""
        at = self.feeder.index(die)
        self.feeder = self.feeder[:at] + self.feeder[at + 1 :]
        self._add_food(seat, food, 1)
        self.tell(seat, events.DieTaken(die, food))

    def refill_feeder(self) -> None:
        """An empty feeder is rolled at once (5.3)."""
        if not self.feeder:
            self.roll_feeder(None, by_choice=False)

    # Eggs.

    def lay(self, seat: int, bird: int) -> None:
        """Lay an egg on a bird of the seat that has room."""
        self.change_bird(seat, bird, eggs=self.stands(seat, bird)[2].eggs + 1)
        self.tell(seat, events.EggLaid(BIRD_IDS[bird]))

    def remove_egg(self, seat: int, bird: int) -> None:
        """Take an egg off a bird of the seat."""
        self.change_bird(seat, bird, eggs=self.stands(seat, bird)[2].eggs - 1)
        self.tell(seat, events.EggRemoved(BIRD_IDS[bird]))

    # Cards.

    def take_top(self) -> int | None:
        """The top card of the deck; it belongs to nobody yet. None if there is no card anywhere (9.3)."""
        self._shuffle_if_empty()
        if not self.deck:
            return None
        card, self.deck = self.deck[0], self.deck[1:]
        self._shuffle_if_empty()
        return card

    def _shuffle_if_empty(self) -> None:
        if not self.deck and self.discard:
            if self.revealed in self.discard:
                # From here on nobody knows where the card is that a hunter showed (16.4).
                self.revealed = None
            self.deck, self.discard = self.rng.shuffle(self.discard), ()
            self.tell(None, events.DeckShuffled(len(self.deck)))

    def draw_deck(self, seat: int) -> None:
        """Draw the top card of the deck, if there is one; only the seat sees it."""
        card = self.take_top()
        if card is None:
            return
        self.reveals |= seat == self.actor
        self.add_to_hand(seat, card)
        self.tell_owner(seat, events.CardDrawn(), events.CardDrawn(bird=BIRD_IDS[card]))

    def draw_tray(self, seat: int, card: int) -> None:
        """Draw a card from the tray; its slot stays empty (9.1)."""
        slot = self.tray.index(card)
        self.tray[slot] = None
        self.add_to_hand(seat, card)
        self.tell(seat, events.CardDrawn(slot, BIRD_IDS[card]))

    def add_to_hand(self, seat: int, card: int) -> None:
        """Put a card into the hand, behind the others."""
        self.change(seat, hand=(*self.players[seat].hand, card))

    def leave_hand(self, seat: int, card: int) -> None:
        """Take a card out of the hand."""
        self.change(seat, hand=tuple(other for other in self.players[seat].hand if other != card))

    def discard_card(self, seat: int, card: int) -> None:
        """Discard a hand card, face up."""
        self.leave_hand(seat, card)
        self.discard = (*self.discard, card)
        self.tell(seat, events.CardDiscarded(BIRD_IDS[card]))

    def tuck_from_hand(self, seat: int, bird: int, card: int) -> None:
        """Tuck a hand card behind a bird; only the seat sees it."""
        self.leave_hand(seat, card)
        self.tuck(seat, bird, card)
        hidden = events.CardTucked(BIRD_IDS[bird], from_hand=True)
        self.tell_owner(seat, hidden, replace(hidden, bird=BIRD_IDS[card]))

    def tuck_top(self, seat: int, bird: int) -> None:
        """Tuck the top card of the deck, if there is one, behind a bird; nobody sees it."""
        card = self.take_top()
        if card is not None:
            self.tuck(seat, bird, card)
            self.tell(seat, events.CardTucked(BIRD_IDS[bird], from_hand=False))

    def tuck(self, seat: int, bird: int, card: int) -> None:
        """Put a card behind a bird."""
        self.change_bird(seat, bird, tucked=(*self.stands(seat, bird)[2].tucked, card))

    def fill_tray(self) -> None:
        """Turn up a card of the deck in each empty slot, in order (13.2)."""
        for slot in TRAY_SLOTS:
            if self.tray[slot] is None:
                card = self.take_top()
                if card is None:
                    return
                self.reveals = True
                self.tray[slot] = card
                self.tell(None, events.TrayFilled(slot, BIRD_IDS[card]))


Board: TypeAlias = State | Table


def _plus(foods: tuple[int, int, int, int, int], food: Food, count: int) -> tuple[int, int, int, int, int]:
    a, b, c, d, e = (have + count if number == food else have for number, have in enumerate(foods, 1))
    return a, b, c, d, e


def card_to_be_had(board: Board) -> bool:
    """Whether a card can be drawn, from wherever (9.3)."""
    return deck_to_be_had(board) or any(card is not None for card in board.tray)


def deck_to_be_had(board: Board) -> bool:
    """Whether the deck has a card or can be shuffled anew (9.3)."""
    return bool(board.deck or board.discard)
