"""A game for tests only: every seat is asked at once, in secret, and comes from "another distribution".

Each seat pledges 1, 2 or 3 coins; when all have, the pledges are shown, and the rounds go on. What the game needs that
the real ones of this repository may lack: simultaneous questions, a question that stays open while others answer, a
move that reveals something to its own seat (``peek``), and no proto of its own.
"""

from __future__ import annotations

import msgspec

from engine.core import (
    Fact,
    Game,
    IllegalMove,
    InvalidPosition,
    Label,
    Placement,
    Prompt,
    Result,
    Rng,
    Step,
)

ROUNDS = 3


class Options(msgspec.Struct, frozen=True, array_like=True):
    rounds: int = ROUNDS


class Pledge(msgspec.Struct, frozen=True, array_like=True, tag="pledge"):
    coins: int


class Peek(msgspec.Struct, frozen=True, array_like=True, tag="peek"):
    """Look at the next coin of the bank, once a round; it costs nothing and the seat is asked again."""


class Pledged(msgspec.Struct, frozen=True, array_like=True, tag="pledged"):
    coins: int | None


class Peeked(msgspec.Struct, frozen=True, array_like=True, tag="peeked"):
    coin: int


class Shown(msgspec.Struct, frozen=True, array_like=True, tag="shown"):
    coins: tuple[int, ...]


class State(msgspec.Struct, frozen=True, array_like=True):
    options: Options
    bank: int
    totals: tuple[int, ...]
    pledges: tuple[int | None, ...]
    peeked: tuple[bool, ...]
    round: int = 1


class View(msgspec.Struct, frozen=True, array_like=True):
    seat: int | None
    round: int
    totals: tuple[int, ...]
    pledged: tuple[bool, ...]
    own: int | None
    bank: int | None


Move = Pledge | Peek
Event = Pledged | Peeked | Shown


class PledgeGame(Game[Options, State, Move, Event, View]):
    game_type = "pledge"
    rules_version = "1.0.0"
    seat_counts = (2, 3, 64)
    options = Options
    state = State
    moves = (Pledge, Peek)
    events = (Pledged, Peeked, Shown)
    views = View

    def setup(self, options: Options, seats: int, rng: Rng) -> State:
        return State(options, rng.below(100), (0,) * seats, (None,) * seats, (False,) * seats)

    def prompts(self, state: State) -> tuple[Prompt, ...]:
        if state.round > state.options.rounds:
            return ()
        return tuple(Prompt(seat, "pledge") for seat, coins in enumerate(state.pledges) if coins is None)

    def legal_moves(self, state: State, seat: int) -> tuple[Move, ...]:
        if state.round > state.options.rounds or state.pledges[seat] is not None:
            return ()
        pledges: tuple[Move, ...] = (Pledge(1), Pledge(2), Pledge(3))
        return pledges if state.peeked[seat] else (*pledges, Peek())

    def apply(self, state: State, seat: int, move: Move, rng: Rng) -> Step[State, Event]:
        if isinstance(move, Peek):
            peeked = tuple(was or i == seat for i, was in enumerate(state.peeked))
            fact: Fact[Event] = Fact(seat, None, ((seat, Peeked(state.bank)),))
            return Step(msgspec.structs.replace(state, peeked=peeked), (fact,), reveals=True)
        pledges = tuple(move.coins if i == seat else coins for i, coins in enumerate(state.pledges))
        told: Fact[Event] = Fact(seat, Pledged(None), ((seat, Pledged(move.coins)),))
        if None in pledges:
            return Step(msgspec.structs.replace(state, pledges=pledges), (told,))
        coins = tuple(coin for coin in pledges if coin is not None)
        totals = tuple(total + coin for total, coin in zip(state.totals, coins, strict=True))
        following = State(
            state.options, rng.below(100), totals, (None,) * len(coins), (False,) * len(coins), state.round + 1
        )
        return Step(following, (told, Fact(None, Shown(coins))))

    def view(self, state: State, seat: int | None) -> View:
        own = None if seat is None else state.pledges[seat]
        bank = state.bank if seat is not None and state.peeked[seat] else None
        return View(seat, state.round, state.totals, tuple(coins is not None for coins in state.pledges), own, bank)

    def result(self, state: State) -> Result | None:
        if self.prompts(state):
            return None
        ranked = sorted(state.totals, reverse=True)
        return Result(tuple(Placement(i, ranked.index(t) + 1, t) for i, t in enumerate(state.totals)), "rounds_over")

    def notation(self, move: Move) -> str:
        return "peek" if isinstance(move, Peek) else f"pledge:{move.coins}"

    def label(self, move: Move) -> Label:
        return Label("peek") if isinstance(move, Peek) else Label("pledge", (("coins", str(move.coins)),))

    def messages(self) -> dict[str, dict[str, str]]:
        texts = {
            "title": "Pledge",
            "peek": "Peek",
            "pledge": "Pledge {coins}",
            "prompt.pledge": "How much?",
            "event.pledged": "A pledge",
            "event.peeked": "A peek",
            "event.shown": "All pledges",
        }
        return dict.fromkeys(("en", "zh-Hans", "zh-Hant", "ja", "es"), texts)

    def refusal(self, state: State, seat: int, move: Move) -> IllegalMove:
        return IllegalMove("that is not on offer", "1.1")

    def seats_of(self, state: State) -> int:
        return len(state.totals)

    def check(self, state: State) -> None:
        if len(state.totals) not in self.seat_counts:
            raise InvalidPosition("totals", "one per seat")
        for field in ("pledges", "peeked"):
            if len(getattr(state, field)) != len(state.totals):
                raise InvalidPosition(field, "one per seat")
        if any(coins not in (None, 1, 2, 3) for coins in state.pledges) or None not in state.pledges:
            raise InvalidPosition("pledges", "each 1, 2 or 3, and one to come")
        if not (0 <= state.bank < 100 and 1 <= state.round <= state.options.rounds + 1 <= 100):
            raise InvalidPosition("round", "within the game")

    def redeal(self, state: State, seat: int | None, rng: Rng) -> State:
        pledges = tuple(
            coins if coins is None or i == seat else rng.below(3) + 1 for i, coins in enumerate(state.pledges)
        )
        bank = state.bank if seat is not None and state.peeked[seat] else rng.below(100)
        return msgspec.structs.replace(state, pledges=pledges, bank=bank)


GAME = PledgeGame()
