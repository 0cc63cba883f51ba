"""What is stored of a game: the parts that seldom change (``Meta``), the rest (``Live``), the log (``Batch``).

What the platform is told of it is a ``Notice``. All are array-like msgpack behind one byte of record format. Fields
are only ever appended, with defaults. A release refuses a record with more fields than it knows: its next commit would
lose them. So one that appends a field leaves it out of records where it is the default, and old and new go on together.
A new meaning of an old field is another format. A notice is never written back, so it may say more than one knows.
"""

from __future__ import annotations

from typing import TypeVar

import msgspec

from engine.core import Fact, Result, encode_move
from service.errors import Reason, Refusal

FORMAT = 1


class SeatMeta(msgspec.Struct, frozen=True, array_like=True, cache_hash=True, forbid_unknown_fields=True):
    """A seat: who sits there, and how often its tokens were revoked (``epoch``)."""

    display_name: str
    external_id: str
    controller: int
    epoch: int = 0
    bot_level: int = 0


class Clock(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The time of every seat in milliseconds, -1 where there is no such limit; ``on_timeout`` is an OnTimeout."""

    per_decision_ms: int
    per_game_ms: int
    on_timeout: int


class Time(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The time of one seat: when its open decision was asked, and what was left then of its time for the game."""

    asked_us: int
    left_ms: int


class Meta(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Who plays what. ``options`` and ``seed`` never leave the store; times are microseconds since 1970, UTC.

    ``request`` is the digest of the request that made the game, for replays of CreateGame. ``keep_ms`` is how long
    the game is kept after a commit. ``positioned``: it began from a given position, not from the seed's deal.
    ``entropy``: what others gave to the chance, (seat, or -1 for the platform; bytes) pairs. ``forked``: the game and
    version that it began from.
    """

    game_type: str
    rules_version: str
    options: bytes
    seats: tuple[SeatMeta, ...]
    seed: bytes
    salt: bytes
    create_us: int
    keep_ms: int
    request: bytes
    annotations: dict[str, str] = {}
    spectators_off: bool = False
    spectator_epoch: int = 0
    reveal_policy: int = 1
    positioned: bool = False
    clock: Clock | None = None
    entropy: tuple[tuple[int, bytes], ...] = ()
    forked: tuple[str, int] | None = None


class Live(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """How the game stands. ``status`` is a GameState; ``ply`` counts moves and is the step of the chance.

    ``decisions`` holds the open decision's id per seat, empty where nothing is asked; ``times`` the time of each seat,
    none without a clock.
    """

    status: int
    ply: int
    update_us: int
    decisions: tuple[str, ...]
    state: bytes
    times: tuple[Time, ...] = ()


class StoredFact(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A fact with its events encoded."""

    seat: int | None
    public: bytes | None
    private: tuple[tuple[int, bytes], ...] = ()

    def seen_by(self, seat: int | None) -> bytes | None:
        """The encoded event as ``seat`` (None: a spectator) may know it, or None."""
        for owner, event in self.private:
            if owner == seat:
                return event
        return self.public


class Batch(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The log entry of one version: when, who moved what (encoded moves), and what happened.

    ``epochs``: those of the seats and, last, of the spectators, if this version revoked tokens.
    ``status`` is the GameState that a commit without moves set, 0 if it left it alone. ``timed_out`` is the OnTimeout
    that the clock did to ``seat``, 0 if the seat itself acted. ``seats`` are (seat, Controller, BotLevel) for each seat
    that somebody else answers for now. ``undone`` is the version that the game went back to. ``began``: the seat's
    time when the question was asked that the moves answer; None without a clock.
    """

    time_us: int
    seat: int | None = None
    moves: tuple[bytes, ...] = ()
    facts: tuple[StoredFact, ...] = ()
    epochs: tuple[int, ...] = ()
    status: int = 0
    timed_out: int = 0
    seats: tuple[tuple[int, int, int], ...] = ()
    undone: int = 0
    began: Time | None = None


class Secrets(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Seed and salt of a commitment whose game is still to come."""

    seed: bytes
    salt: bytes


class Notice(msgspec.Struct, frozen=True, array_like=True):
    """What a commit tells the platform, without a secret: ``status`` is a GameState, ``awaiting`` (seat, kind) pairs.

    ``deadlines``: theirs, in the same order; 0 where there is none. Version 0: the game was deleted.
    """

    game: str
    version: int = 0
    status: int = 0
    awaiting: tuple[tuple[int, str], ...] = ()
    result: Result | None = None
    deadlines: tuple[int, ...] = ()


R = TypeVar("R", Meta, Live, Batch, Notice, Secrets)

_ENCODER = msgspec.msgpack.Encoder()
_DECODERS = {kind: msgspec.msgpack.Decoder(kind) for kind in (Meta, Live, Batch, Notice, Secrets)}


def encode(record: Meta | Live | Batch | Notice | Secrets) -> bytes:
    """The record as bytes."""
    return bytes((FORMAT,)) + _ENCODER.encode(record)


def decode(kind: type[R], blob: bytes) -> R:
    """The record of the bytes. Raises RULES_VERSION_UNSUPPORTED for what a newer release wrote."""
    if blob[:1] > bytes((FORMAT,)):
        raise stored_by_newer()
    try:
        return _DECODERS[kind].decode(blob[1:])  # type: ignore[return-value] # the table pairs kind and decoder
    except msgspec.MsgspecError as error:
        if _is_a_record(blob):
            raise stored_by_newer() from error
        raise Refusal(Reason.INTERNAL, "the stored game cannot be read") from error


def stored_by_newer() -> Refusal:
    """The refusal of a game that cannot be handled here, and must be left alone."""
    text = "this game was stored by a newer release, or its rules are not installed"
    return Refusal(Reason.RULES_VERSION_UNSUPPORTED, text)


def _is_a_record(blob: bytes) -> bool:
    """Whether the bytes are a record at all, though of no form that is known here."""
    try:
        return isinstance(msgspec.msgpack.decode(blob[1:]), list)
    except msgspec.MsgspecError:
        return False


def store_facts(facts: tuple[Fact[msgspec.Struct], ...]) -> tuple[StoredFact, ...]:
    """The facts of a step with their events encoded."""
    return tuple(
        StoredFact(
            fact.seat,
            None if fact.public is None else encode_move(fact.public),
            tuple((seat, encode_move(event)) for seat, event in fact.private),
        )
        for fact in facts
    )


def facts_seen(batch: Batch, seat: int | None) -> list[tuple[int | None, bytes]]:
    """What ``seat`` (None: a spectator) may know of a batch: (whose doing, encoded event) pairs, in order."""
    seen = ((fact.seat, fact.seen_by(seat)) for fact in batch.facts)
    return [(actor, blob) for actor, blob in seen if blob is not None]
