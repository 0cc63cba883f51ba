"""The engine contract, for games and for whoever plays them. Pure: no I/O, no clock, no global chance."""

from engine.core.codec import (
    CorruptState,
    StateTooNew,
    decode_event,
    decode_move,
    decode_state,
    encode_move,
    encode_state,
)
from engine.core.game import AnyGame, Game
from engine.core.model import (
    Component,
    Fact,
    IllegalMove,
    InvalidOptions,
    InvalidPosition,
    Label,
    NotAsked,
    OptionSpec,
    Piece,
    Placement,
    Prompt,
    Ref,
    Result,
    Scene,
    Share,
    Step,
    Zone,
)
from engine.core.play import check_legal, play
from engine.core.position import named, parse_position, read_position, write_position
from engine.core.registry import Registry, UnknownGame, installed
from engine.core.rng import Rng

__all__ = [
    "AnyGame",
    "Component",
    "CorruptState",
    "Fact",
    "Game",
    "IllegalMove",
    "InvalidOptions",
    "InvalidPosition",
    "Label",
    "NotAsked",
    "OptionSpec",
    "Piece",
    "Placement",
    "Prompt",
    "Ref",
    "Registry",
    "Result",
    "Rng",
    "Scene",
    "Share",
    "StateTooNew",
    "Step",
    "UnknownGame",
    "Zone",
    "check_legal",
    "decode_event",
    "decode_move",
    "decode_state",
    "encode_move",
    "encode_state",
    "installed",
    "named",
    "parse_position",
    "play",
    "read_position",
    "write_position",
]
