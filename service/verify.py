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


class NotFair(Exception):  # noqa: N818 - says what is the matter
    """The record contradicts itself; the message says where."""


def verify(games: Registry, record: Any) -> int:
    """Play a record again from its seed and compare every draw and every version; the number of moves.

    Raises NotFair, and UnknownGame when the game (or these rules of it) are not installed.
    """
    try:
        record = _whole(record)
        if not (record["game_type"] and record["rules_version"] and type(record["dealt"]) is bool):
            raise NotFair("it does not say what was played, or whether it was dealt")
        game = games.get(record["game_type"], record["rules_version"])
        if record["format"] != FORMAT:
            raise NotFair(f"its format is {record['format']!r}, not {FORMAT}")
        seed, salt = bytes.fromhex(record["seed"]), bytes.fromhex(record["salt"])
        # Of other lengths, bytes could move between salt and seed under one commitment.
        if len(seed) != SECRET_BYTES or len(salt) != SECRET_BYTES or commitment(seed, salt) != record["commitment"]:
            raise NotFair("seed and salt are not those of the commitment")
        return _Replay(game, record, chance_seed(seed, _entropy(record))).whole()
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise NotFair(f"this is no record of a game: {type(error).__name__}") from None


def _whole(value: Any) -> Any:
    """Whole numbers as such: a JSON library may have written 2 as 2.0."""
    if isinstance(value, dict):
        return {key: _whole(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_whole(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _entropy(record: dict[str, Any]) -> Contributions:
    """What was given to the chance, in the one order in which it may be. Records of older releases tell none."""
    given = tuple(
        (PLATFORM if entry["seat"] is None else entry["seat"], bytes.fromhex(entry["entropy"]))
        for entry in record.get("entropy", ())
    )
    order = [who for who, _ in given]
    if order != sorted(set(order)) or not set(order) <= {PLATFORM, *range(len(record["seats"]))}:
        raise NotFair("its entropy is not in the order of platform and seats")
    if not all(1 <= len(entropy) <= MOST_ENTROPY_BYTES for _, entropy in given):
        raise NotFair(f"its entropy is not of 1 to {MOST_ENTROPY_BYTES} bytes")
    return given


class _Replay:
    """A record being played again."""

    def __init__(self, game: AnyGame, record: dict[str, Any], seed: bytes) -> None:
        self._game = game
        self._record = record
        self._seed = seed
        self._draws = Draws()

    def whole(self) -> int:
        """The number of moves. Raises NotFair."""
        record = self._record
        state = self._start()
        self._compare(state, 1)
        ply, entries, passed = 0, list(reversed(record["moves"])), [state]
        # Records of older releases know no undo.
        undone = {entry["version"]: entry["to_version"] for entry in record.get("undone", ())}
        for version in range(2, len(record["states"]) + 1):
            if version in undone:
                state = _earlier(passed, undone[version])
            if entries and entries[-1]["version"] == version:
                entry = entries.pop()
                for notation in entry["moves"]:
                    ply += 1
                    state = self._moved(state, version, ply, entry["seat"], notation)
            self._compare(state, version)
            passed.append(state)
        if entries:
            raise NotFair("it has moves out of order, or of versions that it has not")
        if write_position(self._game, state) != record["position"]:
            raise NotFair("the moves lead to another position")
        # Records of older releases say nothing of draws; what they made of the game is compared all the same.
        if "draws" in record and record["draws"] != self._draws.told():
            raise NotFair("its draws are not those of the seed")
        return ply

    def _start(self) -> msgspec.Struct:
        game, record = self._game, self._record
        try:
            given: msgspec.Struct = read_position(game, record["start"])
            if record["options"] != to_json(game.options, given.options):  # type: ignore[attr-defined] # each state's
                raise NotFair("its options are not those of its start")
            if len(record["seats"]) != game.seats_of(given):
                raise NotFair("its seats are not as many as those of its start")
            if not record["dealt"]:
                return given
            options = from_json(game.options, record["options"])
            dealt: msgspec.Struct = game.setup(options, len(record["seats"]), self._draws(self._seed, 0))
        except (InvalidPosition, InvalidOptions) as error:
            raise NotFair(f"start: {error}") from None
        if dealt != given:
            raise NotFair("the seed deals otherwise than the record starts")
        return dealt

    def _moved(self, state: msgspec.Struct, version: int, ply: int, seat: int, notation: str) -> msgspec.Struct:
        game = self._game
        try:
            after: msgspec.Struct = play(
                game, state, seat, _named(game, state, seat, notation), self._draws(self._seed, ply)
            ).state
        except (IllegalMove, NotAsked) as error:
            raise NotFair(f"version {version}: {error}") from None
        return after

    def _compare(self, state: msgspec.Struct, version: int) -> None:
        if self._record["states"][version - 1] != state_digest(self._game, state):
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
