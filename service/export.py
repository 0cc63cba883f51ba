"""The whole record of a game as JSON.

This is the one place that tells a seed, and the position with every secret. It is for the scope ``games.export``, and
for whoever verifies a record offline (``service/verify.py``).
"""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from engine.core import AnyGame, decode_move, encode_state, to_json, write_position
from service.fairness import Draws, chance_seed, commitment, seat_of
from service.history import History
from service.records import Batch
from service.resources import Controller, GameState, OnTimeout
from service.table import Table

FORMAT = 1


async def export_of(history: History, now: Table) -> dict[str, Any]:
    """The record of the game up to now."""
    game, meta = now.game, now.meta
    options = msgspec.msgpack.decode(meta.options, type=game.options)
    first = await history.table_at(now, 1)
    draws = Draws()
    if not meta.positioned:
        # Dealt once more, only to see what chance draws for it.
        game.setup(options, len(meta.seats), draws(chance_seed(meta.seed, meta.entropy), 0))
    moves: list[dict[str, Any]] = []
    undone: list[dict[str, Any]] = []
    states = [state_digest(game, first.state)]
    async for _, batch, table in history.replay(first, now.version, draws):
        if batch.moves or batch.seats:
            moves.append(_moves(game, table.version, batch))
        if batch.undone:
            undone.append({"version": table.version, "seat": batch.seat, "to_version": batch.undone})
        states.append(state_digest(game, table.state))
    return {
        "format": FORMAT,
        "name": now.name,
        "game_type": game.game_type,
        "rules_version": game.rules_version,
        "options": to_json(game.options, options),
        "seats": [{"display_name": seat.display_name, "external_id": seat.external_id} for seat in meta.seats],
        "state": GameState(now.live.status).name,
        "seed": meta.seed.hex(),
        "salt": meta.salt.hex(),
        "commitment": commitment(meta.seed, meta.salt),
        "entropy": [{"seat": seat_of(who), "entropy": given.hex()} for who, given in meta.entropy],
        "dealt": not meta.positioned,
        "start": write_position(game, first.state),
        "moves": moves,
        "undone": undone,
        "draws": draws.told(),
        "states": states,
        "position": write_position(game, now.state),
    }


def state_digest(game: AnyGame, state: msgspec.Struct) -> str:
    """SHA-256 of the state as it is stored, in hex."""
    return hashlib.sha256(encode_state(game, state)).hexdigest()


def _moves(game: AnyGame, version: int, batch: Batch) -> dict[str, Any]:
    notation = [game.notation(decode_move(game, blob)) for blob in batch.moves]
    told: dict[str, Any] = {"version": version, "seat": batch.seat, "moves": notation}
    if batch.timed_out:
        told["timed_out"] = OnTimeout(batch.timed_out).name
    if batch.seats:
        told["seats"] = [{"seat": seat, "controller": Controller(who).name} for seat, who, _ in batch.seats]
    return told
