"""Whether an answer may be given, and what comes of it: from a table to the write that makes the next one."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import msgspec

from engine.core import AnyGame, Fact, IllegalMove, NotAsked, Prompt, Rng, encode_move, encode_state, play
from service import projection
from service.answers import Ask, memos_of, typed_move
from service.errors import Reason, Refusal, malformed
from service.meter import Meter
from service.notices import notice_of
from service.records import Batch, Live, Meta, encode, store_facts
from service.resources import Answer, GameState
from service.store import Memo, Stamp, Write
from service.table import Table, asks_bot

# A past version is played again from the snapshot before it: at most so many commits.
SNAPSHOT_EVERY = 32

Entropy = Callable[[int], bytes]


def now_us() -> int:
    """Microseconds since 1970."""
    return time.time_ns() // 1000


class Plan(msgspec.Struct, frozen=True):
    """A change that may be committed: what to write, the table that it makes, and its log entry."""

    write: Write
    table: Table
    batch: Batch


class Played(msgspec.Struct, frozen=True):
    """A chain of moves, played. ``kept`` are the other seats whose question stayed the same after every one of them."""

    moves: tuple[msgspec.Struct, ...]
    facts: tuple[Fact[Any], ...]
    state: msgspec.Struct
    ply: int
    kept: frozenset[int]


class Planner:
    """Makes plans. ``clock_us`` gives microseconds since 1970; ``entropy`` gives so many random bytes."""

    def __init__(self, clock_us: Callable[[], int], entropy: Entropy, meter: Meter) -> None:
        self.clock_us = clock_us
        self._entropy = entropy
        self._meter = meter

    def answer(self, ask: Ask, seat: int, table: Table) -> Plan:
        """The plan of a seat's answer. Raises the refusals of SubmitMove in the contract's order."""
        check_open(table)
        if table.prompt(seat) is None:
            raise Refusal(Reason.NOT_YOUR_DECISION, f"nothing is asked of seat {seat}")
        _check_version(ask.request.expected_version, table)
        if table.live.decisions[seat] != ask.request.decision_id:
            self._meter.stale(table.game.game_type)
            raise _at(table, Reason.DECISION_STALE, "the seat is asked something else by now")
        memos = memos_of(ask, seat, table)
        began = time.perf_counter()
        played = _play(ask, seat, table)
        self._meter.engine(table.game.game_type, time.perf_counter() - began)
        return self._written(table, seat, played, memos)

    def change(self, table: Table, memo: Memo, *, status: GameState | None = None, meta: Meta | None = None) -> Plan:
        """The plan of a change that is no move: another status, other seats."""
        now = self.clock_us()
        live = msgspec.structs.replace(table.live, update_us=now)
        if status is not None:
            live = msgspec.structs.replace(live, status=int(status), decisions=("",) * len(live.decisions))
        epochs = () if meta is None else (*(seat.epoch for seat in meta.seats), meta.spectator_epoch)
        batch = Batch(now, epochs=epochs, status=0 if status is None else int(status))
        return self._plan(table, live, table.state, batch, (memo,), meta)

    def undo(self, table: Table, seat: int, to: Table, kept: frozenset[int], memos: tuple[Memo, ...]) -> Plan:
        """The plan of going back to an earlier version. ``kept`` are as in ``Played``, for the whole way.

        What chance has given is not given again: ``ply`` goes on. The snapshot makes the past easy to find.
        """
        now = self.clock_us()
        decisions = self._decisions_after(table, to.state, kept)
        live = Live(int(GameState.ACTIVE), table.live.ply, now, decisions, encode_state(table.game, to.state))
        return self._plan(table, live, to.state, Batch(now, seat, undone=to.version), memos)

    def first_decisions(self, prompts: tuple[Prompt, ...], seats: int) -> tuple[str, ...]:
        """The decision ids of a new game."""
        asked = {prompt.seat for prompt in prompts}
        return tuple(self._decision_id() if seat in asked else "" for seat in range(seats))

    def _written(self, table: Table, seat: int, played: Played, memos: tuple[Memo, ...]) -> Plan:
        now = self.clock_us()
        decisions = self._decisions_after(table, played.state, played.kept)
        status = GameState.ACTIVE if any(decisions) else GameState.FINISHED
        live = Live(int(status), played.ply, now, decisions, encode_state(table.game, played.state))
        batch = Batch(now, seat, tuple(encode_move(move) for move in played.moves), store_facts(played.facts))
        return self._plan(table, live, played.state, batch, memos)

    def _plan(
        self,
        table: Table,
        live: Live,
        state: msgspec.Struct,
        batch: Batch,
        memos: tuple[Memo, ...],
        meta: Meta | None = None,
    ) -> Plan:
        stamp = Stamp(table.version + 1, self._entropy(8))
        following = Table(table.key, stamp, meta or table.meta, live, table.game, state, batch=batch)
        write = Write(
            key=table.key,
            expected=table.stamp,
            stamp=stamp,
            live=encode(live),
            batch=encode(batch),
            memos=memos,
            ttl_ms=following.meta.keep_ms,
            meta=None if meta is None else encode(meta),
            notice=notice_of(following),
            snapshot=encode(live) if batch.undone or not stamp.version % SNAPSHOT_EVERY else None,
            bots=asks_bot(table, following),
        )
        return Plan(write, following, batch)

    def _decisions_after(self, table: Table, state: msgspec.Struct, kept: frozenset[int]) -> tuple[str, ...]:
        """New ids where the question is new, the old ones where it stayed the same; empty where nothing is asked."""
        asked = {prompt.seat for prompt in table.game.prompts(state)}
        return tuple(
            "" if seat not in asked else old if seat in kept else self._decision_id()
            for seat, old in enumerate(table.live.decisions)
        )

    def _decision_id(self) -> str:
        # 80 random bits: it says nothing, and it names one question of one game's one history.
        return self._entropy(10).hex()


def check_open(table: Table) -> None:
    """Return while the game goes on. Raises GAME_ABORTED and GAME_OVER."""
    if table.status is GameState.ABORTED:
        raise Refusal(Reason.GAME_ABORTED, "the game was aborted")
    if table.status is GameState.FINISHED:
        raise Refusal(Reason.GAME_OVER, "the game is finished")


def _check_version(expected: int | None, table: Table) -> None:
    if expected is not None and expected != table.version:
        reason = Reason.VERSION_MISMATCH if expected < table.version else Reason.VERSION_AHEAD
        raise _at(table, reason, f"the game is at version {table.version}")


def _at(table: Table, reason: Reason, text: str) -> Refusal:
    return Refusal(reason, text, metadata={"current_version": str(table.version)})


def _play(ask: Ask, seat: int, table: Table) -> Played:
    """Play the chain. Raises NOT_YOUR_DECISION, ILLEGAL_MOVE, MALFORMED_MOVE."""
    state, ply = table.state, table.live.ply
    moves: list[msgspec.Struct] = []
    facts: list[Fact[Any]] = []
    kept = frozenset(prompt.seat for prompt in table.prompts if prompt.seat != seat)
    for i, answer in enumerate(ask.answers):
        field = ask.field(i)
        ply += 1
        rng = Rng(table.meta.seed, ply)
        try:
            move = _chosen(table, state, seat, answer, field)
            step = play(table.game, state, seat, move, rng)
        except NotAsked:
            raise Refusal(Reason.NOT_YOUR_DECISION, f"{field}: nothing is asked of seat {seat} then") from None
        except IllegalMove as error:
            raise _illegal(table, f"{field}: {error.reason}", error.clause) from None
        if i + 1 < len(ask.answers) and (step.reveals or rng.used):
            # To go on would tell, by a refusal, what only a commit may tell.
            text = "a chain cannot go on behind this move, which tells the seat something new"
            raise malformed(field, text, Reason.MALFORMED_MOVE)
        moves.append(move)
        facts.extend(step.facts)
        kept = still_asked(table.game, state, step.state, kept)
        state = step.state
    return Played(tuple(moves), tuple(facts), state, ply, kept)


def still_asked(game: AnyGame, before: Any, after: Any, seats: frozenset[int]) -> frozenset[int]:
    """Those of the seats that a move asks the very same thing as before.

    After every move, not only at the end of a chain: a question that went away and came back is another one.
    """
    if not seats:
        return seats
    was, now = ({prompt.seat: prompt for prompt in game.prompts(state)} for state in (before, after))
    return frozenset(
        seat
        for seat in seats
        if was.get(seat) == now.get(seat) and game.legal_moves(before, seat) == game.legal_moves(after, seat)
    )


def _chosen(table: Table, state: msgspec.Struct, seat: int, answer: Answer, field: str) -> msgspec.Struct:
    """The move that an answer means. Raises NotAsked, and ILLEGAL_MOVE for an offer that there is not."""
    if answer.move is not None:
        return typed_move(table, answer.move, field)
    legal = table.legal(seat) if state is table.state else table.game.legal_moves(state, seat)
    if not legal:
        raise NotAsked
    for move in legal:
        if projection.offer_of(table.game, move).offer_id == answer.offer_id:
            return move
    raise _illegal(table, f"{field}: there is no such offer", "")


def _illegal(table: Table, text: str, clause: str) -> Refusal:
    return Refusal(Reason.ILLEGAL_MOVE, text, clause=clause, subject=table.game.game_type)
