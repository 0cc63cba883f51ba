"""States as bytes: they come back, old ones are lifted, and nothing else is taken for one."""

from __future__ import annotations

import contextlib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core import (
    CorruptState,
    StateTooNew,
    decode_event,
    decode_move,
    decode_state,
    encode_move,
    encode_state,
)
from tests.engine.nim import MIDDLE, NIM, Skip, Take, Taken


def as_schema(schema: int, raw: object) -> bytes:
    return bytes((schema,)) + msgspec.msgpack.encode(raw)


def test_the_first_byte_is_the_schema() -> None:
    assert encode_state(NIM, MIDDLE)[0] == NIM.state_schema


def test_a_state_comes_back() -> None:
    assert decode_state(NIM, encode_state(NIM, MIDDLE)) == MIDDLE


def test_an_older_form_is_lifted() -> None:
    old = as_schema(1, [3, 1, 2, ["take", 2], [7, "b"], [["take", 2], ["skip", "tired"]], False, "x"])
    assert decode_state(NIM, old) == msgspec.structs.replace(MIDDLE, colour=3)


def test_a_field_that_was_added_with_a_default_may_be_missing() -> None:
    shorter = msgspec.msgpack.decode(encode_state(NIM, MIDDLE)[1:])[:-1]
    assert decode_state(NIM, as_schema(2, shorter)) == msgspec.structs.replace(MIDDLE, note=None)


def test_a_newer_form_is_refused_as_such() -> None:
    with pytest.raises(StateTooNew):
        decode_state(NIM, as_schema(3, []))


@pytest.mark.parametrize(
    "blob",
    [
        b"",
        b"\x02",
        as_schema(0, [1]),
        as_schema(1, []),
        as_schema(1, {"heap": 3}),
        as_schema(1, 5),
        as_schema(2, []),
        as_schema(2, {"heap": 3}),
        as_schema(2, [3, 1, 2, 4, None, [7, "b"], [], False]),  # there is no fourth colour
        as_schema(2, [3, 1, 9, 2, None, [7, "b"], [], False]),  # nor a ninth side
        b"\x01" + b"\x91" * 100_000,  # deeper than anything can be decoded
        encode_state(NIM, MIDDLE) + b"\x00",
        encode_state(NIM, MIDDLE)[:-1],
    ],
)
def test_what_is_no_state_is_refused(blob: bytes) -> None:
    with pytest.raises(CorruptState):
        decode_state(NIM, blob)


@given(st.binary(max_size=200))
def test_random_bytes_raise_nothing_else(blob: bytes) -> None:
    with contextlib.suppress(CorruptState, StateTooNew):
        decode_state(NIM, blob)
    with contextlib.suppress(CorruptState):
        decode_move(NIM, blob)
    with contextlib.suppress(CorruptState):
        decode_event(NIM, blob)


@given(st.sampled_from([1, 2]), st.integers(0, 60), st.binary(max_size=8))
def test_damaged_states_raise_nothing_else(schema: int, at: int, splice: bytes) -> None:
    blob = bytes((schema,)) + encode_state(NIM, MIDDLE)[1:]
    with contextlib.suppress(CorruptState, StateTooNew):
        decode_state(NIM, blob[:at] + splice + blob[at + len(splice) :])


@pytest.mark.parametrize("move", [Take(2), Skip("tired")])
def test_a_move_comes_back(move: Take | Skip) -> None:
    assert decode_move(NIM, encode_move(move)) == move


def test_an_event_comes_back() -> None:
    assert decode_event(NIM, encode_move(Taken(1))) == Taken(1)


def test_a_move_is_no_event() -> None:
    with pytest.raises(CorruptState):
        decode_event(NIM, encode_move(Take(1)))
