"""Storage: states, moves and events survive as bytes and as JSON, and each state keeps the invariants."""

from __future__ import annotations

import msgspec

from engine.core import (
    decode_event,
    decode_move,
    decode_state,
    encode_move,
    encode_state,
    read_position,
    write_position,
)
from tests.contract.cases import Playout, options_of


def test_a_state_survives_as_bytes(played: Playout) -> None:
    game = played.case.game
    for state in played.states:
        blob = encode_state(game, state)
        assert decode_state(game, blob) == state
        assert encode_state(game, decode_state(game, blob)) == blob


def test_a_state_keeps_every_invariant(played: Playout) -> None:
    for state in played.states:
        played.case.game.check(state)


def test_a_state_knows_its_seats_and_its_options(played: Playout) -> None:
    for state in played.states:
        assert played.case.game.seats_of(state) == played.case.seats
        assert state.options == options_of(played.case)


def test_a_state_survives_as_a_json_position(played: Playout) -> None:
    game = played.case.game
    for state in played.states:
        text = msgspec.json.encode(write_position(game, state))
        assert read_position(game, msgspec.json.decode(text)) == state


def test_moves_and_events_survive_as_bytes(played: Playout) -> None:
    game = played.case.game
    for ply in played.plies:
        assert decode_move(game, encode_move(ply.move)) == ply.move
        for fact in ply.step.facts:
            for seat in (None, *range(played.case.seats)):
                event = fact.seen_by(seat)
                assert event is None or decode_event(game, encode_move(event)) == event
