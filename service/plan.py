"""Whether an answer may be given, and what comes of it: from a table to the write that makes the next one."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import msgspec

from engine.core import AnyGame, Fact, IllegalMove, NotAsked, Prompt, Rng, encode_move, encode_state, play
from service import projection
from service.answers import Ask, memos_of, typed_move
from service.clock import due_ms, life_ms, next_times, taken_back
from service.errors import Reason, Refusal, malformed
from service.fairness import chance_seed
from service.meter import Meter
from service.notices import notice_of
from service.records import Batch, Live, Meta, SeatMeta, Time, encode, store_facts
from service.resources import Answer, GameState, OnTimeout, SubmitMoveRequest
from service.store import Memo, Outage, Stamp, Write
from service.table import Table, asks_bot, pressing

# A past version is played again from the snapshot before it: at most so many commits.
SNAPSHOT_EVERY = 32

Entropy = Callable[[int], bytes]


class Plan(msgspec.Struct, frozen=True):
    """A change that may be committed: what to write, the table that it makes, and its log entry."""

    write: Write
    table: Table
    batch: Batch


class Stayed(msgspec.Struct, frozen=True):
    """The other seats whose question stayed: ``waiting`` as it looks from outside, ``kept`` with the very same answers.

    From move to move, not only from the first to the last: a question that went away and came back is another one.
    """

    waiting: frozenset[int]
    kept: frozenset[int]

    @classmethod
    def beside(cls, seat: int, prompts: tuple[Prompt, ...]) -> Stayed:
        """All that are asked beside the seat that is about to move."""
        others = frozenset(prompt.seat for prompt in prompts if prompt.seat != seat)
        return cls(others, others)

    def after(self, game: AnyGame, before: Any, after: Any) -> Stayed:
        """Those of them whose question a move leaves as it was."""
        if not self.waiting:
            return self
        was, now = ({prompt.seat: prompt for prompt in game.prompts(state)} for state in (before, after))
        waiting = frozenset(seat for seat in self.waiting if was.get(seat) == now.get(seat))
        kept = self.kept & waiting
        same = (seat for seat in kept if game.legal_moves(before, seat) == game.legal_moves(after, seat))
        return Stayed(waiting, frozenset(same))


class Played(msgspec.Struct, frozen=True):
    """A chain of moves, played."""

    moves: tuple[msgspec.Struct, ...]
    facts: tuple[Fact[Any], ...]
    state: msgspec.Struct
    ply: int
    stayed: Stayed


class Planner:
    """Makes plans. ``clock_us`` gives microseconds since 1970; ``entropy`` gives so many random bytes.

    ``outage`` gives the last one, which no seat has to pay for.
    """

    def __init__(
        self, clock_us: Callable[[], int], entropy: Entropy, meter: Meter, outage: Callable[[], Outage]
    ) -> None:
        self.clock_us = clock_us
        self._outage = outage
        self._entropy = entropy
        self._meter = meter

    def answer(self, ask: Ask, seat: int, table: Table) -> Plan:
        """The plan of a seat's answer. Raises the refusals of SubmitMove in the contract's order."""
        return self._written(table, seat, self.judge(ask, seat, table), memos_of(ask, seat, table))

    def judge(self, ask: Ask, seat: int, table: Table) -> Played:
        """What a seat's answer would make of the game. Raises the refusals of SubmitMove in the contract's order."""
        check_open(table)
        if seat in table.resigned:
            raise seat_resigned(seat)
        if table.prompt(seat) is None:
            raise Refusal(Reason.NOT_YOUR_DECISION, f"nothing is asked of seat {seat}")
        _check_version(ask.request.expected_version, table)
        if table.live.decisions[seat] != ask.request.decision_id:
            raise _at(table, Reason.DECISION_STALE, "the seat is asked something else by now")
        began = time.perf_counter()
        played = _play(ask, seat, table)
        self._meter.engine(table.game.game_type, time.perf_counter() - began)
        return played

    def timeout(self, table: Table, seat: int, memo: Memo) -> Plan:
        """The plan of the move that the clock makes for a seat that is asked."""
        request = SubmitMoveRequest(table.name, seat, table.live.decisions[seat])
        ask = Ask(request, (Answer(offer_id=table.timeout_offer(seat)),))
        memos = (memo, *memos_of(ask, seat, table))
        return self._written(table, seat, _play(ask, seat, table), memos, OnTimeout.TIMEOUT_MOVE)

    def seat(self, table: Table, seat: int, to: SeatMeta, memo: Memo, timed_out: int = 0) -> Plan:
        """The plan of letting somebody else answer for a seat; by the clock, if ``timed_out`` says so.

        The question stays, and the time for it begins anew. The game is over if the rules say so when a seat has left.
        """
        now = self.clock_us()
        meta = msgspec.structs.replace(table.meta, seats=(*table.meta.seats[:seat], to, *table.meta.seats[seat + 1 :]))
        times = next_times(table, table.pressing, table.pressing - {seat}, now, self._outage())
        live = msgspec.structs.replace(table.live, update_us=now, times=times)
        batch = Batch(now, seat, timed_out=timed_out, seats=((seat, to.controller, to.bot_level),))
        following = Table(table.key, table.stamp, meta, live, table.game, table.state)
        if table.game.outcome(table.state, following.resigned) is not None:
            live, batch = _ended(live), msgspec.structs.replace(batch, status=int(GameState.FINISHED))
        return self._plan(table, live, table.state, batch, (memo,), meta)

    def change(self, table: Table, memo: Memo, *, status: GameState | None = None, meta: Meta | None = None) -> Plan:
        """The plan of a change that is no move: another status, other tokens."""
        now = self.clock_us()
        live = msgspec.structs.replace(table.live, update_us=now)
        if status is not None:
            live = _ended(live, status)
        epochs = () if meta is None else (*(seat.epoch for seat in meta.seats), meta.spectator_epoch)
        batch = Batch(now, epochs=epochs, status=0 if status is None else int(status))
        return self._plan(table, live, table.state, batch, (memo,), meta)

    def undo(
        self, table: Table, seat: int, to: Table, stayed: Stayed, began: Time | None, memos: tuple[Memo, ...]
    ) -> Plan:
        """The plan of going back to an earlier version, where the seat's time ``began``. ``stayed``: all the way.

        What chance has given is not given again: ``ply`` goes on. Nor is time.
        The snapshot makes the past easy to find.
        """
        now = self.clock_us()
        decisions = self._decisions_after(table, to.state, stayed.kept)
        times = taken_back(table, _pressing(table, to.state), stayed.waiting, seat, began, now)
        live = Live(int(GameState.ACTIVE), table.live.ply, now, decisions, encode_state(table.game, to.state), times)
        return self._plan(table, live, to.state, Batch(now, seat, undone=to.version), memos)

    def first_decisions(self, prompts: tuple[Prompt, ...], seats: int) -> tuple[str, ...]:
        """The decision ids of a new game."""
        asked = {prompt.seat for prompt in prompts}
        return tuple(self._decision_id() if seat in asked else "" for seat in range(seats))

    def _written(self, table: Table, seat: int, played: Played, memos: tuple[Memo, ...], timed_out: int = 0) -> Plan:
        now = self.clock_us()
        decisions = self._decisions_after(table, played.state, played.stayed.kept)
        status = GameState.ACTIVE if any(decisions) else GameState.FINISHED
        times = next_times(table, _pressing(table, played.state), played.stayed.waiting, now, self._outage())
        live = Live(int(status), played.ply, now, decisions, encode_state(table.game, played.state), times)
        moves = tuple(encode_move(move) for move in played.moves)
        began = table.live.times[seat] if table.live.times else None
        batch = Batch(now, seat, moves, store_facts(played.facts), timed_out=timed_out, began=began)
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
        due = due_ms(following)
        write = Write(
            key=table.key,
            expected=table.stamp,
            stamp=stamp,
            live=encode(live),
            batch=encode(batch),
            memos=memos,
            ttl_ms=life_ms(following, due),
            meta=None if meta is None else encode(meta),
            notice=notice_of(following),
            snapshot=encode(live) if batch.undone or not stamp.version % SNAPSHOT_EVERY else None,
            due_ms=due,
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


def _pressing(table: Table, state: msgspec.Struct) -> frozenset[int]:
    """Whose clock runs; nobody's in a game without a clock."""
    return pressing(table.game, table.game.prompts(state)) if table.live.times else frozenset()


def _ended(live: Live, status: GameState = GameState.FINISHED) -> Live:
    """Nothing is asked any more."""
    return msgspec.structs.replace(live, status=int(status), decisions=("",) * len(live.decisions))


def check_open(table: Table) -> None:
    """Return while the game goes on. Raises GAME_ABORTED and GAME_OVER."""
    if table.status is GameState.ABORTED:
        raise Refusal(Reason.GAME_ABORTED, "the game was aborted")
    if table.status is GameState.FINISHED:
        raise Refusal(Reason.GAME_OVER, "the game is finished")


def seat_resigned(seat: int) -> Refusal:
    """Whoever has left a game does not come back."""
    return Refusal(Reason.SEAT_RESIGNED, f"seat {seat} has left the game")


def _check_version(expected: int | None, table: Table) -> None:
    if expected is not None and expected != table.version:
        reason = Reason.VERSION_MISMATCH if expected < table.version else Reason.VERSION_AHEAD
        raise _at(table, reason, f"the game is at version {table.version}")


def _at(table: Table, reason: Reason, text: str) -> Refusal:
    return Refusal(reason, text, metadata={"current_version": str(table.version)})


def _play(ask: Ask, seat: int, table: Table) -> Played:
    """Play the chain. Raises NOT_YOUR_DECISION, ILLEGAL_MOVE, MALFORMED_MOVE."""
    state, ply = table.state, table.live.ply
    seed = chance_seed(table.meta.seed, table.meta.entropy)
    moves: list[msgspec.Struct] = []
    facts: list[Fact[Any]] = []
    stayed = Stayed.beside(seat, table.prompts)
    for i, answer in enumerate(ask.answers):
        field = ask.field(i)
        ply += 1
        rng = Rng(seed, ply)
        try:
            legal = table.legal(seat) if state is table.state else table.game.legal_moves(state, seat)
            move = _chosen(table, legal, answer, field)
            step = play(table.game, state, seat, move, rng, legal)
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
        stayed = stayed.after(table.game, state, step.state)
        state = step.state
    return Played(tuple(moves), tuple(facts), state, ply, stayed)


def _chosen(table: Table, legal: tuple[msgspec.Struct, ...], answer: Answer, field: str) -> msgspec.Struct:
    """The move that an answer means. Raises NotAsked, and ILLEGAL_MOVE for an offer that there is not."""
    if answer.move is not None:
        return typed_move(table, answer.move, field)
    if not legal:
        raise NotAsked
    for move in legal:
        if projection.offer_of(table.game, move).offer_id == answer.offer_id:
            return move
    raise _illegal(table, f"{field}: there is no such offer", "")


def _illegal(table: Table, text: str, clause: str) -> Refusal:
    return Refusal(Reason.ILLEGAL_MOVE, text, clause=clause, subject=table.game.game_type)
