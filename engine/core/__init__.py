"""The engine contract, for games and for whoever plays them. Pure: no I/O, no clock, no global chance."""

from engine.core.bots import Level, decide
from engine.core.budget import Budget
from engine.core.codec import (
    CorruptState,
    StateTooNew,
    decode_event,
    decode_move,
    decode_state,
    encode_move,
    encode_state,
    union_of,
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
from engine.core.position import from_json, named, parse_position, read_position, to_json, write_position
from engine.core.registry import Registry, UnknownGame, installed
from engine.core.rng import RecordingRng, Rng
from engine.core.sight import Sight, next_seat, sight_of
from engine.core.undo import Lasting, lasting

__all__ = [
    "AnyGame",
    "Budget",
    "Component",
    "CorruptState",
    "Fact",
    "Game",
    "IllegalMove",
    "InvalidOptions",
    "InvalidPosition",
    "Label",
    "Lasting",
    "Level",
    "NotAsked",
    "OptionSpec",
    "Piece",
    "Placement",
    "Prompt",
    "RecordingRng",
    "Ref",
    "Registry",
    "Result",
    "Rng",
    "Scene",
    "Share",
    "Sight",
    "StateTooNew",
    "Step",
    "UnknownGame",
    "Zone",
    "check_legal",
    "decide",
    "decode_event",
    "decode_move",
    "decode_state",
    "encode_move",
    "encode_state",
    "from_json",
    "installed",
    "lasting",
    "named",
    "next_seat",
    "parse_position",
    "play",
    "read_position",
    "sight_of",
    "to_json",
    "union_of",
    "write_position",
]
