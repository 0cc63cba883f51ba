"""The codec agrees with google.protobuf.json_format, in both directions, on whatever a message may hold."""

from __future__ import annotations

import json
from typing import Any

import pytest
from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor
from google.protobuf.message_factory import GetMessageClass
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rookery.v1 import game_pb2, game_service_pb2, game_type_pb2, view_pb2
from service.errors import Refusal
from service.json_codec import AnswerWriter, parse_json, read_json, write_json

from .example_service import example
from .random_messages import messages

EXAMPLE = example().methods_by_name["Plain"].input_type
TYPES: list[Any] = [
    view_pb2.View.DESCRIPTOR,
    game_pb2.Game.DESCRIPTOR,
    game_type_pb2.GameType.DESCRIPTOR,
    game_service_pb2.CreateGameRequest.DESCRIPTOR,
    game_service_pb2.SubmitMoveRequest.DESCRIPTOR,
    game_service_pb2.SubmitMoveResponse.DESCRIPTOR,
    EXAMPLE,
]
some_message = st.sampled_from(TYPES).flatmap(messages)
some_example = messages(EXAMPLE)
relaxed = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None)


def parsed(descriptor: Descriptor, text: str) -> Any:
    message = GetMessageClass(descriptor)()
    read_json(message, parse_json(text.encode()))
    return message


def same(one: Any, other: Any) -> bool:
    """Equal as JSON: a NaN is not equal to itself."""
    return json_format.MessageToDict(one) == json_format.MessageToDict(other)


@given(some_message)
@settings(relaxed, max_examples=400)
def test_writes_what_google_writes(message: Any) -> None:
    expected = json_format.MessageToDict(message, always_print_fields_with_no_presence=True)

    assert json.loads(write_json(message)) == expected


@given(some_example)
@settings(relaxed, max_examples=300)
def test_writes_what_google_writes_of_every_kind_of_field(message: Any) -> None:
    expected = json_format.MessageToDict(message, always_print_fields_with_no_presence=True)

    assert json.loads(write_json(message)) == expected


@given(some_message, st.booleans(), st.booleans(), st.booleans())
@settings(relaxed, max_examples=400)
def test_reads_what_google_writes(message: Any, proto_names: bool, defaults: bool, numbers: bool) -> None:
    text = json_format.MessageToJson(
        message,
        preserving_proto_field_name=proto_names,
        always_print_fields_with_no_presence=defaults,
        use_integers_for_enums=numbers,
    )

    read = parsed(message.DESCRIPTOR, text)

    assert same(read, json_format.Parse(text, type(message)()))


@given(some_message)
@settings(relaxed, max_examples=200)
def test_reads_what_it_writes(message: Any) -> None:
    read = parsed(message.DESCRIPTOR, write_json(message).decode())

    assert same(read, message)


# Not `values`: json_format breaks on null for a list of google.protobuf.Value.
_names = [name for field in EXAMPLE.fields if field.name != "values" for name in (field.name, field.json_name)]
_leaves = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 5),
    st.sampled_from([2**31, -(2**31) - 1, 2**32, 2**63, 2**64, 10**400, 1.0, 1.5, 1e39, -0.0]),
    st.sampled_from(["", "1", "-1", "1.5", "1e3", " 1", "1_0", "٣", "NaN", "Infinity", "true", "COLOUR_RED", "red"]),
    st.sampled_from(
        ["YQ==", "YQ", "Y Q", "_-8=", "%%", "2026-01-31T09:30:00Z", "2026-13-31T09:30:00Z", "3s", "3", "a.b"]
    ),
    st.text(max_size=4),
)
_values = st.recursive(
    _leaves,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*_names, "text", "numbers", "1", "true"]), inner, max_size=3)
    ),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from([*_names, "nonsense"]), _values, max_size=3))
@settings(relaxed, max_examples=1500)
def test_whatever_it_accepts_google_reads_alike(value: dict[str, Any]) -> None:
    text = json.dumps(value)
    try:
        read = parsed(EXAMPLE, text)
    except Refusal:
        return
    assert same(read, json_format.Parse(text, GetMessageClass(EXAMPLE)()))


def test_the_answer_of_an_rpc_comes_with_its_etag() -> None:
    view = view_pb2.View(name="games/a", etag="x7")

    assert AnswerWriter(view.DESCRIPTOR)(view.SerializeToString()) == (write_json(view), "x7")
    assert AnswerWriter(game_pb2.Game.DESCRIPTOR)(b"")[1] == ""


def test_bytes_that_are_no_message_are_a_typed_refusal() -> None:
    with pytest.raises(Refusal, match="could not be read"):
        AnswerWriter(view_pb2.View.DESCRIPTOR)(b"\xff\xff")
