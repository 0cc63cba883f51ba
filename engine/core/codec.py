"""States as bytes: one byte of schema number (1 to 255), then array-like msgpack.

Fields are positional. A change of form is either a field appended with a default (same schema) or a new
``state_schema`` with an ``upgrade`` of the game. Blobs of each released schema are kept in the tests and must decode.
"""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar, Union, cast

import msgspec

from engine.core.game import AnyGame, Game

O = TypeVar("O", bound=msgspec.Struct)  # noqa: E741 - see engine.core.game
S = TypeVar("S", bound=msgspec.Struct)
M = TypeVar("M", bound=msgspec.Struct)
E = TypeVar("E", bound=msgspec.Struct)
V = TypeVar("V", bound=msgspec.Struct)

_ENCODER = msgspec.msgpack.Encoder()

# What decoding bytes that are no state can raise, an upgrade that looks for a field in them included.
_UNREADABLE = (msgspec.MsgspecError, ValueError, TypeError, LookupError, RecursionError)


class StateTooNew(Exception):  # noqa: N818 - says what is the matter
    """The blob was written by a newer release of the rules."""


class CorruptState(Exception):  # noqa: N818
    """The blob is not a state of this game."""


@cache
def _decoder(of: Any) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(of)


@cache
def union_of(types: tuple[type[msgspec.Struct], ...]) -> Any:
    """The tagged union of the struct types, as a type that msgspec decodes."""
    return Union[types]  # noqa: UP007 - built at run time


def encode_state(game: Game[O, S, M, E, V], state: S) -> bytes:
    """The state as bytes."""
    return bytes((game.state_schema,)) + _ENCODER.encode(state)


def decode_state(game: Game[O, S, M, E, V], blob: bytes) -> S:
    """The state of ``blob``. Raises StateTooNew for a newer schema, CorruptState for anything that is no state."""
    if not blob:
        raise CorruptState("an empty blob is no state")
    schema = blob[0]
    if schema > game.state_schema:
        raise StateTooNew(f"state schema {schema} is newer than {game.state_schema}")
    try:
        if schema == game.state_schema:
            return cast("S", _decoder(game.state).decode(blob[1:]))
        raw = game.upgrade(schema, msgspec.msgpack.decode(blob[1:]))
        return cast("S", msgspec.convert(raw, game.state))
    except _UNREADABLE as error:
        raise CorruptState(f"not a {game.game_type} state") from error


def encode_move(move: msgspec.Struct) -> bytes:
    """A move or an event as bytes."""
    return _ENCODER.encode(move)


def decode_move(game: AnyGame, blob: bytes) -> msgspec.Struct:
    """The move of ``blob``. Raises CorruptState."""
    return _decode_union(game, game.moves, blob)


def decode_event(game: AnyGame, blob: bytes) -> msgspec.Struct:
    """The event of ``blob``. Raises CorruptState."""
    return _decode_union(game, game.events, blob)


def _decode_union(game: AnyGame, types: tuple[type[msgspec.Struct], ...], blob: bytes) -> msgspec.Struct:
    try:
        return cast("msgspec.Struct", _decoder(union_of(types)).decode(blob))
    except _UNREADABLE as error:
        raise CorruptState(f"not a move or event of {game.game_type}") from error
