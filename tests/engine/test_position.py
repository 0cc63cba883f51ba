"""States as JSON for people: names instead of numbers, and every mistake names its field."""

from __future__ import annotations

import copy
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core import InvalidPosition, from_json, parse_position, read_position, to_json, union_of, write_position
from tests.engine.nim import MIDDLE, NIM, Take

DOCUMENT: dict[str, Any] = {
    "heap": 3,
    "turn": 1,
    "side": "right",
    "colour": "green",
    "last": {"type": "take", "count": 2},
    "pair": [7, "b"],
    "log": [{"type": "take", "count": 2}, {"type": "skip", "reason": "tired"}],
    "open": False,
    "note": "x",
}

# Every place of the document, as keys and indexes.
PLACES: list[tuple[str | int, ...]] = [
    ("heap",),
    ("turn",),
    ("side",),
    ("colour",),
    ("last",),
    ("last", "type"),
    ("last", "count"),
    ("pair",),
    ("pair", 0),
    ("pair", 1),
    ("log",),
    ("log", 0),
    ("log", 1, "reason"),
    ("open",),
]

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def path_of(place: tuple[str | int, ...]) -> str:
    text = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in place)
    return text.removeprefix(".")


def with_value(place: tuple[str | int, ...], value: Any) -> dict[str, Any]:
    document = copy.deepcopy(DOCUMENT)
    inner: Any = document
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    return document


def test_a_state_is_written_with_names() -> None:
    assert write_position(NIM, MIDDLE) == DOCUMENT


def test_a_position_is_read_with_names() -> None:
    assert read_position(NIM, DOCUMENT) == MIDDLE


def test_a_field_with_a_default_may_be_left_out() -> None:
    document = {key: value for key, value in DOCUMENT.items() if key != "note"}
    assert read_position(NIM, document) == msgspec.structs.replace(MIDDLE, note=None)


def test_a_whole_number_may_come_as_a_double() -> None:
    assert read_position(NIM, with_value(("heap",), 3.0)) == MIDDLE


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("heap",), "three"),
        (("heap",), 3.5),
        (("heap",), True),
        (("heap",), None),
        (("turn",), []),
        (("side",), "up"),
        (("side",), 1),
        (("colour",), "yellow"),
        (("colour",), 2),
        (("last", "count"), "2"),
        (("pair",), [7]),
        (("pair",), {"0": 7}),
        (("pair", 1), 8),
        (("log",), "none"),
        (("log", 1, "reason"), 5),
        (("open",), "no"),
        (("open",), 0),
    ],
)
def test_a_wrong_value_is_refused_by_the_path_of_its_field(place: tuple[str | int, ...], value: Any) -> None:
    with pytest.raises(InvalidPosition) as refused:
        read_position(NIM, with_value(place, value))
    assert refused.value.field == path_of(place)
    assert refused.value.reason


@pytest.mark.parametrize("value", [{"type": "jump"}, {"count": 2}, 5])
def test_an_unknown_kind_is_refused_by_its_type(value: Any) -> None:
    with pytest.raises(InvalidPosition) as refused:
        read_position(NIM, with_value(("log", 0), value))
    assert refused.value.field == "log[0].type"


@pytest.mark.parametrize("place", [("depth",), ("last", "size")])
def test_an_unknown_field_is_refused(place: tuple[str | int, ...]) -> None:
    with pytest.raises(InvalidPosition) as refused:
        read_position(NIM, with_value(place, 1))
    assert refused.value.field == path_of(place)


@pytest.mark.parametrize("place", [("heap",), ("last", "count")])
def test_a_missing_field_is_refused(place: tuple[str | int, ...]) -> None:
    document = with_value(place, None)
    inner: Any = document if len(place) == 1 else document["last"]
    del inner[place[-1]]
    with pytest.raises(InvalidPosition) as refused:
        read_position(NIM, document)
    assert refused.value.field == path_of(place)


@pytest.mark.parametrize("document", [None, [], "nim", 3])
def test_what_is_no_object_is_refused(document: Any) -> None:
    with pytest.raises(InvalidPosition) as refused:
        read_position(NIM, document)
    assert refused.value.field == "position"


@given(st.sampled_from(PLACES), json_values)
def test_any_value_anywhere_is_either_read_or_refused_by_its_field(place: tuple[str | int, ...], value: Any) -> None:
    document = with_value(place, value)
    refused = field_refused(document)
    if refused is not None:
        assert refused.startswith(path_of(place).removesuffix(".type"))
    else:
        state = read_position(NIM, document)
        assert read_position(NIM, write_position(NIM, state)) == state


def field_refused(document: Any) -> str | None:
    try:
        read_position(NIM, document)
    except InvalidPosition as refused:
        return refused.field
    return None


def test_the_rules_are_asked_after_the_form() -> None:
    document = with_value(("heap",), -1)
    assert parse_position(NIM, document).heap == -1
    with pytest.raises(InvalidPosition, match="heap"):
        read_position(NIM, document)


def test_a_move_has_the_same_form() -> None:
    moves = union_of(NIM.moves)
    assert to_json(moves, Take(2)) == {"type": "take", "count": 2}
    assert from_json(moves, {"type": "take", "count": 2}) == Take(2)
