"""Two players with two cards of six each, made up for what may be taken back: each kind of move tells another thing."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from engine.core import Fact, Game, IllegalMove, Label, Placement, Prompt, Result, Rng, Step

CARDS = 6


class Options(msgspec.Struct, frozen=True, array_like=True):
    pass


class Show(msgspec.Struct, frozen=True, array_like=True, tag="show"):
    """Put a card on the table, open."""

    card: int


class Hide(msgspec.Struct, frozen=True, array_like=True, tag="hide"):
    """Choose a card in secret; everybody sees that one was chosen."""

    card: int


class Say(msgspec.Struct, frozen=True, array_like=True, tag="say"):
    """Something to say: ``pass`` always goes, ``high`` only with the highest card, ``whisper`` shows it to the other,
    ``peek`` shows one of the rest, ``roll`` rolls a die, ``note`` is heard by nobody.
    """

    word: str


Move: TypeAlias = Show | Hide | Say


class Told(msgspec.Struct, frozen=True, array_like=True, tag="told"):
    what: str
    card: int | None = None


class State(msgspec.Struct, frozen=True, array_like=True):
    hands: tuple[tuple[int, ...], ...]
    rest: tuple[int, ...]
    options: Options = Options()
    table: tuple[int, ...] = ()
    chosen: tuple[int, ...] = ()
    turn: int = 0
    notes: int = 0


class View(msgspec.Struct, frozen=True, array_like=True):
    hand: tuple[int, ...]
    table: tuple[int, ...]
    chosen: int
    turn: int


class Hands(Game[Options, State, Move, Told, View]):
    game_type = "hands"
    rules_version = "1.0.0"
    seat_counts = (2,)
    options = Options
    state = State
    moves = (Show, Hide, Say)
    events = (Told,)
    views = View

    def setup(self, options: Options, seats: int, rng: Rng) -> State:
        a, b, c, d, *rest = rng.shuffle(range(CARDS))
        return State(((a, b), (c, d)), tuple(rest))

    def prompts(self, state: State) -> tuple[Prompt, ...]:
        return (Prompt(state.turn, "play"),)

    def legal_moves(self, state: State, seat: int) -> tuple[Move, ...]:
        if seat != state.turn:
            return ()
        hand = sorted(state.hands[seat])
        words = ["pass", "whisper", "roll", "note", *["peek"][: len(state.rest)], *["high"][: hand.count(CARDS - 1)]]
        return (*map(Show, hand), *map(Hide, hand), *map(Say, words))

    def apply(self, state: State, seat: int, move: Move, rng: Rng) -> Step[State, Told]:
        following = msgspec.structs.replace(state, turn=1 - seat)
        if isinstance(move, Show):
            return Step(
                msgspec.structs.replace(following, table=(*state.table, move.card)),
                (Fact(seat, Told("show", move.card)),),
            )
        if isinstance(move, Hide):
            chosen = msgspec.structs.replace(following, chosen=(*state.chosen, move.card))
            return Step(chosen, (Fact(seat, Told("hide"), ((seat, Told("hide", move.card)),)),))
        return self._said(state, following, seat, move.word, rng)

    def _said(self, state: State, following: State, seat: int, word: str, rng: Rng) -> Step[State, Told]:
        if word == "note":
            return Step(msgspec.structs.replace(state, notes=state.notes + 1))
        if word == "whisper":
            return Step(following, (Fact(seat, Told(word), ((1 - seat, Told(word, min(state.hands[seat]))),)),))
        if word == "peek":
            return Step(following, (Fact(seat, Told(word), ((seat, Told(word, state.rest[0])),)),), reveals=True)
        return Step(following, (Fact(seat, Told(word, rng.below(6) if word == "roll" else None)),))

    def view(self, state: State, seat: int | None) -> View:
        return View(() if seat is None else state.hands[seat], state.table, len(state.chosen), state.turn)

    def result(self, state: State) -> Result | None:
        return Result((Placement(0, 1, 0), Placement(1, 1, 0)), "over") if not self.prompts(state) else None

    def notation(self, move: Move) -> str:
        return str(move)

    def label(self, move: Move) -> Label:
        return Label("move")

    def messages(self) -> dict[str, dict[str, str]]:
        return {}

    def refusal(self, state: State, seat: int, move: Move) -> IllegalMove:
        return IllegalMove("That is not yours.", "1.1")

    def seats_of(self, state: State) -> int:
        return len(state.hands)

    def check(self, state: State) -> None:
        pass

    def redeal(self, state: State, seat: int | None, rng: Rng) -> State:
        open_cards = set(state.table) | set(() if seat is None else state.hands[seat])
        pool = list(rng.shuffle(card for card in range(CARDS) if card not in open_cards))

        def dealt(cards: tuple[int, ...]) -> tuple[int, ...]:
            return tuple(card if card in open_cards else pool.pop() for card in cards)

        hands = tuple(hand if owner == seat else dealt(hand) for owner, hand in enumerate(state.hands))
        return msgspec.structs.replace(state, hands=hands, rest=dealt(state.rest))


HANDS = Hands()
