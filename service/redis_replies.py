"""What the store's replies mean: rows and records as the types of ``service.store``."""

from __future__ import annotations

import struct
from typing import Final

from service.store import Answer, Stamp, Stored

_STAMP: Final = struct.Struct(">I")


def stored_of(fields: list[bytes | None]) -> Stored | None:
    """A game from its fields; None if there is no such game, or only its tombstone."""
    version, mark, meta, live = fields
    if version is None or mark is None or meta is None or live is None:
        return None
    return Stored(Stamp(int(version), mark), meta, live)


def answer_of(packed: bytes | None) -> Answer | None:
    """What a memo remembers, None if nothing."""
    return None if packed is None else Answer(_STAMP.unpack_from(packed)[0], packed[_STAMP.size :])


def ranked(rows: list[list[bytes | float]]) -> list[tuple[int, str]]:
    """Rows of an index, as (rank, game)."""
    return [(int(float(rank)), str(game, "utf-8")) for game, rank in rows if isinstance(game, bytes)]
