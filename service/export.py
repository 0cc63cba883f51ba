"""The whole record of a game as JSON, and the check that a record is what its seed and its moves make of it.

This is the one place that tells a seed, and the position with every secret. It is for the scope ``games.export``, and
for whoever verifies a record offline.
"""

from __future__ import annotations

import hashlib
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
    Rng,
    decode_move,
    encode_state,
    from_json,
    play,
    read_position,
    to_json,
    write_position,
)
from service.fairness import commitment
from service.history import History
from service.records import Batch
from service.resources import Controller, GameState, OnTimeout
from service.table import Table

FORMAT = 1


class NotFair(Exception):  # noqa: N818 - says what is the matter
    """The record contradicts itself; the message says where."""


async def export_of(history: History, now: Table) -> dict[str, Any]:
    """The record of the game up to now."""
    game, meta = now.game, now.meta
    first = await history.table_at(now, 1)
    moves: list[dict[str, Any]] = []
    undone: list[dict[str, Any]] = []
    states = [_digest(game, first.state)]
    async for _, batch, table in history.replay(first, now.version):
        if batch.moves or batch.seats:
            moves.append(_moves(game, table.version, batch))
        if batch.undone:
            undone.append({"version": table.version, "seat": batch.seat, "to_version": batch.undone})
        states.append(_digest(game, table.state))
    return {
        "format": FORMAT,
        "name": now.name,
        "game_type": game.game_type,
        "rules_version": game.rules_version,
        "options": to_json(game.options, msgspec.msgpack.decode(meta.options, type=game.options)),
        "seats": [{"display_name": seat.display_name, "external_id": seat.external_id} for seat in meta.seats],
        "state": GameState(now.live.status).name,
        "seed": meta.seed.hex(),
        "salt": meta.salt.hex(),
        "commitment": commitment(meta.seed, meta.salt),
        "dealt": not meta.positioned,
        "start": write_position(game, first.state),
        "moves": moves,
        "undone": undone,
        "states": states,
        "position": write_position(game, now.state),
    }


def _moves(game: AnyGame, version: int, batch: Batch) -> dict[str, Any]:
    notation = [game.notation(decode_move(game, blob)) for blob in batch.moves]
    told: dict[str, Any] = {"version": version, "seat": batch.seat, "moves": notation}
    if batch.timed_out:
        told["timed_out"] = OnTimeout(batch.timed_out).name
    if batch.seats:
        told["seats"] = [{"seat": seat, "controller": Controller(who).name} for seat, who, _ in batch.seats]
    return told


def _digest(game: AnyGame, state: msgspec.Struct) -> str:
    return hashlib.sha256(encode_state(game, state)).hexdigest()


def verify(games: Registry, record: Any) -> int:
    """Play a record again from its seed and compare every version; the number of moves.

    Raises NotFair, and UnknownGame when the game (or these rules of it) are not installed.
    """
    try:
        record = _whole(record)
        game = games.get(record["game_type"], record["rules_version"])
        if record["format"] != FORMAT:
            raise NotFair(f"its format is {record['format']!r}, not {FORMAT}")
        seed, salt = bytes.fromhex(record["seed"]), bytes.fromhex(record["salt"])
        if commitment(seed, salt) != record["commitment"]:
            raise NotFair("seed and salt are not those of the commitment")
        state = _start(game, record, seed)
        _compare(game, state, record["states"], 1)
        return _replay(game, state, seed, record)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise NotFair(f"this is no record of a game: {type(error).__name__}") from None


def _whole(value: Any) -> Any:
    """Whole numbers as such: a JSON library may have written 2 as 2.0."""
    if isinstance(value, dict):
        return {key: _whole(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_whole(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _start(game: AnyGame, record: dict[str, Any], seed: bytes) -> msgspec.Struct:
    try:
        given: msgspec.Struct = read_position(game, record["start"])
        if not record["dealt"]:
            return given
        options = from_json(game.options, record["options"])
        dealt: msgspec.Struct = game.setup(options, len(record["seats"]), Rng(seed, 0))
    except (InvalidPosition, InvalidOptions) as error:
        raise NotFair(f"start: {error}") from None
    if dealt != given:
        raise NotFair("the seed deals otherwise than the record starts")
    return dealt


def _replay(game: AnyGame, state: msgspec.Struct, seed: bytes, record: dict[str, Any]) -> int:
    ply, told, passed = 0, {entry["version"]: entry for entry in record["moves"]}, [state]
    # Records of older releases know no undo.
    undone = {entry["version"]: entry["to_version"] for entry in record.get("undone", ())}
    for version in range(2, len(record["states"]) + 1):
        if version in undone:
            state = _earlier(passed, undone[version])
        for notation in told[version]["moves"] if version in told else ():
            ply += 1
            seat = told[version]["seat"]
            try:
                state = play(game, state, seat, _named(game, state, seat, notation), Rng(seed, ply)).state
            except (IllegalMove, NotAsked) as error:
                raise NotFair(f"version {version}: {error}") from None
        _compare(game, state, record["states"], version)
        passed.append(state)
    if write_position(game, state) != record["position"]:
        raise NotFair("the moves lead to another position")
    return ply


def _earlier(passed: list[Any], version: int) -> Any:
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


def _compare(game: AnyGame, state: msgspec.Struct, states: list[str], version: int) -> None:
    if states[version - 1] != _digest(game, state):
        raise NotFair(f"version {version} is another state")
