"""The rules versions of a game share its messages, although their types may differ."""

from __future__ import annotations

from typing import Any

import pytest
from google.protobuf import json_format

from engine.core import AnyGame
from rookery.v1 import move_pb2
from service import resources
from service.wire import Malformed, Wire, WireMismatch
from tests.contract.cases import games
from tests.service.test_wire_parity import ARMS, Doctored, with_more, without


@pytest.mark.parametrize("game", games(), ids=lambda game: game.game_type)
def test_what_one_version_lacks_another_must_have(game: AnyGame) -> None:
    """A field or a kind may be missing in one version; what none of them has is found at the start."""
    for name, attribute in (("GameOptions", "options"), ("View", "views")):
        of = getattr(game, attribute)
        for field in of.__struct_fields__:
            older: Any = Doctored(game, **{attribute: without(of, field)})
            Wire([older, game]).codec(*ARMS[name])
            Wire([game, older]).codec(*ARMS[name])
            with pytest.raises(WireMismatch):
                Wire([older, older]).codec(*ARMS[name])
        more: Any = Doctored(game, **{attribute: with_more(of)})
        with pytest.raises(WireMismatch):
            Wire([more, game]).codec(*ARMS[name])
    for name, attribute in (("Move", "moves"), ("Event", "events")):
        kinds = getattr(game, attribute)
        for i in range(len(kinds)):
            older = Doctored(game, **{attribute: (*kinds[:i], *kinds[i + 1 :])})
            Wire([older, game]).codec(*ARMS[name])
            with pytest.raises(WireMismatch):
                Wire([older]).codec(*ARMS[name])


def test_a_move_is_read_as_each_version_reads_it() -> None:
    """Sevens without the pass, and with it: each has its own reading, and a move that it does not know is none."""
    game = next(game for game in games() if game.game_type == "sevens")
    play, passing = game.moves
    strict: Any = Doctored(game, moves=(play,))
    for versions in ([strict, game], [game, strict]):
        codec = Wire(versions).codec(resources.Move, move_pb2.Move)
        for said, wanted in (({"play": {"card": 7}}, play(7)), ({"pass": {}}, passing())):
            message: Any = json_format.ParseDict({"sevens": said}, move_pb2.Move())
            detail = codec.decode(message, "").detail
            assert detail.reading(game.moves) == wanted
            assert detail.reading(strict.moves) == (wanted if "play" in said else None)
            assert codec.encode(resources.Move(resources.Detail("sevens", wanted))) == message.SerializeToString()
        nothing: Any = json_format.ParseDict({"sevens": {}}, move_pb2.Move())
        with pytest.raises(Malformed) as refused:
            codec.decode(nothing, "move")
        assert refused.value.field == "move.sevens"
