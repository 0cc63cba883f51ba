"""The check that the record of a game is what its seed and its moves make of it: offline, from the record alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from engine.core import (
    AnyGame,
    IllegalMove,
    InvalidOptions,
    InvalidPosition,
    NotAsked,
    Registry,
    from_json,
    play,
    read_position,
    to_json,
    write_position,
)
from service.export import FORMAT, state_digest
from service.fairness import (
    MOST_ENTROPY_BYTES,
    PLATFORM,
    SECRET_BYTES,
    Contributions,
    Draws,
    chance_seed,
    commitment,
)


class NoRecord(Exception):  # noqa: N818 - says what is the matter
    """What was given is no record of a game: something is missing, or of another type; the message says where."""


class OtherFormat(Exception):  # noqa: N818 - says what is the matter
    """The record has a form that this release does not know."""


class NotFair(Exception):  # noqa: N818 - says what is the matter
    """The record contradicts itself; the message says where."""


class _Given(msgspec.Struct, frozen=True):
    seat: int | None
    entropy: str


class _Moves(msgspec.Struct, frozen=True):
    version: int
    seat: int | None
    moves: tuple[str, ...]


class _Undone(msgspec.Struct, frozen=True):
    version: int
    to_version: int


class _Drawn(msgspec.Struct, frozen=True):
    step: int
    draws: tuple[tuple[int, int], ...]


class _Record(msgspec.Struct, frozen=True):
    """What a record must hold to be one. What has a default, records of older releases lack."""

    game_type: str
    rules_version: str
    options: dict[str, Any]
    seats: tuple[Any, ...]
    seed: str
    salt: str
    commitment: str
    dealt: bool
    start: dict[str, Any]
    position: dict[str, Any]
    moves: tuple[_Moves, ...]
    states: tuple[str, ...]
    entropy: tuple[_Given, ...] = ()
    undone: tuple[_Undone, ...] = ()
    draws: tuple[_Drawn, ...] | None = None


class _Form(msgspec.Struct, frozen=True):
    format: int


def verify(games: Registry, document: Any) -> int:
    """Play a record again from its seed and compare every draw and every version; the number of moves.

    Raises NoRecord, OtherFormat, UnknownGame when the game (or these rules of it) are not installed, and NotFair.
    """
    record = _read(document)
    game = games.get(record.game_type, record.rules_version)
    try:
        seed, salt = bytes.fromhex(record.seed), bytes.fromhex(record.salt)
        given = tuple(
            (PLATFORM if one.seat is None else one.seat, bytes.fromhex(one.entropy)) for one in record.entropy
        )
    except ValueError:
        raise NotFair("its seed, salt or entropy is no hex") from None
    # Of other lengths, bytes could move between salt and seed under one commitment.
    if len(seed) != SECRET_BYTES or len(salt) != SECRET_BYTES or commitment(seed, salt) != record.commitment:
        raise NotFair("seed and salt are not those of the commitment")
    _check_entropy(given, len(record.seats))
    return _Replay(game, record, chance_seed(seed, given)).whole()


def _read(document: Any) -> _Record:
    """The record in a JSON document: an export alone, or the whole answer of ExportGame."""
    try:
        whole = _whole(document)
        inner = whole.get("export", whole) if isinstance(whole, dict) else whole
        form = msgspec.convert(inner, _Form).format
        if form != FORMAT:
            raise OtherFormat(f"its format is {form}, and only {FORMAT} is known here")
        return msgspec.convert(inner, _Record)
    except msgspec.ValidationError as error:
        raise NoRecord(str(error)) from None
    except RecursionError:
        raise NoRecord("it is too deep") from None


def _whole(value: Any) -> Any:
    """Whole numbers as such: a JSON library may have written 2 as 2.0."""
    if isinstance(value, dict):
        return {key: _whole(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_whole(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _check_entropy(given: Contributions, seats: int) -> None:
    """What was given to the chance stands in the one order in which it may."""
    order = [who for who, _ in given]
    if order != sorted(set(order)) or not set(order) <= {PLATFORM, *range(seats)}:
        raise NotFair("its entropy is not in the order of platform and seats")
    if not all(1 <= len(entropy) <= MOST_ENTROPY_BYTES for _, entropy in given):
        raise NotFair(f"its entropy is not of 1 to {MOST_ENTROPY_BYTES} bytes")


class _Replay:
    """A record being played again."""

    def __init__(self, game: AnyGame, record: _Record, seed: bytes) -> None:
        self._game = game
        self._record = record
        self._seed = seed
        self._draws = Draws()

    def whole(self) -> int:
        """The number of moves. Raises NotFair."""
        record = self._record
        state = self._start()
        self._compare(state, 1)
        ply, entries, passed = 0, list(reversed(record.moves)), [state]
        undone = {entry.version: entry.to_version for entry in record.undone}
        for version in range(2, len(record.states) + 1):
            if version in undone:
                state = _earlier(passed, undone[version])
            if entries and entries[-1].version == version:
                entry = entries.pop()
                for notation in entry.moves:
                    ply += 1
                    state = self._moved(state, entry, ply, notation)
            self._compare(state, version)
            passed.append(state)
        if entries:
            raise NotFair("it has moves out of order, or of versions that it has not")
        if write_position(self._game, state) != record.position:
            raise NotFair("the moves lead to another position")
        # Records of older releases say nothing of draws; what they made of the game is compared all the same.
        if record.draws is not None and record.draws != msgspec.convert(self._draws.told(), tuple[_Drawn, ...]):
            raise NotFair("its draws are not those of the seed")
        return ply

    def _start(self) -> msgspec.Struct:
        game, record = self._game, self._record
        if len(record.seats) not in game.seat_counts:
            raise NotFair(f"{game.game_type} is not played by {len(record.seats)}")
        try:
            given: msgspec.Struct = read_position(game, record.start)
            if game.seats_of(given) != len(record.seats):
                raise NotFair("it starts with another number of seats")
            if record.options != to_json(game.options, given.options):  # type: ignore[attr-defined] # each state's
                raise NotFair("its options are not those of its start")
            if not record.dealt:
                return given
            options = from_json(game.options, record.options)
            dealt: msgspec.Struct = game.setup(options, len(record.seats), self._draws(self._seed, 0))
        except (InvalidPosition, InvalidOptions) as error:
            raise NotFair(f"start: {error}") from None
        if dealt != given:
            raise NotFair("the seed deals otherwise than the record starts")
        return dealt

    def _moved(self, state: msgspec.Struct, entry: _Moves, ply: int, notation: str) -> msgspec.Struct:
        game, seat = self._game, entry.seat
        if seat is None or not 0 <= seat < len(self._record.seats):
            raise NotFair(f"version {entry.version} is the move of no seat")
        try:
            move = _named(game, state, seat, notation)
            after: msgspec.Struct = play(game, state, seat, move, self._draws(self._seed, ply)).state
        except (IllegalMove, NotAsked) as error:
            raise NotFair(f"version {entry.version}: {error}") from None
        return after

    def _compare(self, state: msgspec.Struct, version: int) -> None:
        states = self._record.states
        if len(states) < version or states[version - 1] != state_digest(self._game, state):
            raise NotFair(f"version {version} is another state")


def _earlier(passed: list[msgspec.Struct], version: int) -> msgspec.Struct:
    """The state of a version that has passed."""
    if not 1 <= version <= len(passed):
        raise NotFair(f"version {len(passed) + 1} goes back to version {version}")
    return passed[version - 1]


def _named(game: AnyGame, state: msgspec.Struct, seat: int, notation: str) -> Any:
    found: Iterator[Any] = (move for move in game.legal_moves(state, seat) if game.notation(move) == notation)
    move = next(found, None)
    if move is None:
        raise NotFair(f"seat {seat} may not answer {notation!r} there")
    return move
