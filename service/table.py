"""A game as the use cases hold it in memory: its record decoded, and what follows from it."""

from __future__ import annotations

from functools import cached_property

import msgspec

from engine.core import AnyGame, CorruptState, Prompt, Registry, Result, StateTooNew, UnknownGame, decode_state
from service.errors import Reason, Refusal
from service.records import Batch, Live, Meta, decode, stored_by_newer
from service.resources import Controller, GameState
from service.store import GameKey, Stamp, Stored


class Table:
    """One version of one game. Never changed; the next version is another table.

    ``batch`` is its log entry, once somebody needed it; ``past`` is true when it is looked at as history. ``status``:
    whether the game goes on; ``prompts``: the open questions, none once it is finished or aborted.
    """

    def __init__(
        self,
        key: GameKey,
        stamp: Stamp,
        meta: Meta,
        live: Live,
        game: AnyGame,
        state: msgspec.Struct,
        *,
        batch: Batch | None = None,
        past: bool = False,
    ) -> None:
        self.key = key
        self.stamp = stamp
        self.meta = meta
        self.live = live
        self.game = game
        self.state = state
        self.batch = batch
        self.past = past
        self.status = GameState(live.status)
        self.prompts = game.prompts(state) if self.status is GameState.ACTIVE else ()
        self._legal: dict[int, tuple[msgspec.Struct, ...]] = {}
        self._timeout: dict[int, str] = {}

    @property
    def version(self) -> int:
        """1 at creation, one more with each commit."""
        return self.stamp.version

    @property
    def name(self) -> str:
        """The resource name."""
        return f"games/{self.key.game}"

    @cached_property
    def resigned(self) -> frozenset[int]:
        """The seats that have left the game."""
        return frozenset(i for i, seat in enumerate(self.meta.seats) if seat.controller == Controller.RESIGNED)

    @cached_property
    def result(self) -> Result | None:
        """How the game ended; None while it goes on, and if it was aborted."""
        return self.game.outcome(self.state, self.resigned) if self.live.status == GameState.FINISHED else None

    def prompt(self, seat: int | None) -> Prompt | None:
        """The open question of the seat."""
        for prompt in self.prompts:
            if prompt.seat == seat:
                return prompt
        return None

    @cached_property
    def pressing(self) -> frozenset[int]:
        """The seats that owe an answer to a question that presses."""
        return pressing(self.game, self.prompts)

    def legal(self, seat: int) -> tuple[msgspec.Struct, ...]:
        """The legal moves of the seat."""
        moves = self._legal.get(seat)
        if moves is None:
            moves = self._legal[seat] = self.game.legal_moves(self.state, seat)
        return moves

    def timeout_offer(self, seat: int) -> str:
        """The offer that the clock would play for a seat that is asked."""
        offer = self._timeout.get(seat)
        if offer is None:
            offer = self._timeout[seat] = self.game.notation(self.game.timeout_move(self.state, seat))
        return offer


def pressing(game: AnyGame, prompts: tuple[Prompt, ...]) -> frozenset[int]:
    """The seats of the questions that press: what a clock runs for, and what a bot answers."""
    return frozenset(prompt.seat for prompt in prompts if game.presses(prompt))


def bot_questions(table: Table) -> dict[int, str]:
    """The open decisions that bots owe, by seat; what does not press they leave to others."""
    owed = {
        seat: decision
        for seat, decision in enumerate(table.live.decisions)
        if decision and table.meta.seats[seat].controller == Controller.BOT
    }
    if not owed:
        return owed
    return {seat: decision for seat, decision in owed.items() if seat in table.pressing}


def asks_bot(before: Table | None, after: Table) -> bool | None:
    """Whether ``after`` asks a bot something that ``before`` did not ask a bot; None: bots owe what they owed."""
    asked, owed = bot_questions(before) if before else {}, bot_questions(after)
    if any(asked.get(seat) != decision for seat, decision in owed.items()):
        return True
    return False if asked and not owed else None


def open_table(games: Registry, key: GameKey, stored: Stored) -> Table:
    """Decode what was stored. Raises RULES_VERSION_UNSUPPORTED for what a newer release wrote."""
    meta, live = decode(Meta, stored.meta), decode(Live, stored.live)
    try:
        game = games.get(meta.game_type, meta.rules_version)
        return Table(key, stored.stamp, meta, live, game, decode_state(game, live.state))
    except (StateTooNew, UnknownGame):
        raise stored_by_newer() from None
    except CorruptState:
        raise Refusal(Reason.INTERNAL, "the stored game cannot be read") from None
