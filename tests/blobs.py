"""Stored states of every schema that was ever released, so that old games go on. ``python -m tests.blobs GAME``.

Each is a pair in ``tests/games/<game>/blobs/schema-<n>/``: ``NAME.bin`` as it was stored, ``NAME.json`` as a position.
They are recorded once for a schema and never again: a release that cannot read them has to grow ``state_schema``.
"""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from engine.core import AnyGame, encode_state, installed, write_position
from tests.contract.cases import GAME_TESTS, Case, playout


def folder_of(game: AnyGame, schema: int) -> Path:
    """Where the blobs of a schema are kept."""
    return GAME_TESTS / game.game_type / "blobs" / f"schema-{schema}"


def record(game: AnyGame) -> list[Path]:
    """Store the first, a middle and the last state for the fewest and the most seats. Raises FileExistsError."""
    folder = folder_of(game, game.state_schema)
    folder.mkdir(parents=True)
    written = []
    for seats in dict.fromkeys((game.seat_counts[0], game.seat_counts[-1])):
        states = playout(Case(game, seats, (), b"blob")).states
        for name, state in (("first", states[0]), ("middle", states[len(states) // 2]), ("last", states[-1])):
            blob = folder / f"{seats}-seats-{name}.bin"
            blob.write_bytes(encode_state(game, state))
            position = msgspec.json.format(msgspec.json.encode(write_position(game, state)))
            blob.with_suffix(".json").write_bytes(position + b"\n")
            written.append(blob)
    return written


if __name__ == "__main__":
    for path in record(installed().get(sys.argv[1])):
        sys.stdout.write(f"{path}\n")
