"""Random messages of any type, for comparing with google's own JSON."""

from __future__ import annotations

from typing import Any

from google.protobuf import duration_pb2, field_mask_pb2, struct_pb2, timestamp_pb2, wrappers_pb2
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message_factory import GetMessageClass
from hypothesis import strategies as st

F = FieldDescriptor
_SCALARS: dict[int, st.SearchStrategy[Any]] = {
    F.TYPE_STRING: st.text(max_size=8),
    F.TYPE_BYTES: st.binary(max_size=8),
    F.TYPE_BOOL: st.booleans(),
    F.TYPE_DOUBLE: st.floats(),
    F.TYPE_FLOAT: st.floats(width=32),
}
_RANGES = {
    F.CPPTYPE_INT32: st.integers(-(2**31), 2**31 - 1),
    F.CPPTYPE_UINT32: st.integers(0, 2**32 - 1),
    F.CPPTYPE_INT64: st.integers(-(2**63), 2**63 - 1),
    F.CPPTYPE_UINT64: st.integers(0, 2**64 - 1),
}
_JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def _struct(value: dict[str, Any]) -> struct_pb2.Struct:
    made = struct_pb2.Struct()
    made.update(value)
    return made


def _value(value: Any) -> struct_pb2.Value:
    made = struct_pb2.Struct()
    made.update({"value": value})
    return made.fields["value"]


_WELL_KNOWN: dict[str, st.SearchStrategy[Any]] = {
    "google.protobuf.Timestamp": st.builds(
        timestamp_pb2.Timestamp, seconds=st.integers(-62135596800, 253402300799), nanos=st.integers(0, 999_999_999)
    ),
    "google.protobuf.Duration": st.one_of(
        st.builds(duration_pb2.Duration, seconds=st.integers(0, 10**11), nanos=st.integers(0, 999_999_999)),
        st.builds(duration_pb2.Duration, seconds=st.integers(-(10**11), 0), nanos=st.integers(-999_999_999, 0)),
    ),
    "google.protobuf.Struct": st.dictionaries(st.text(max_size=5), _JSON, max_size=3).map(_struct),
    "google.protobuf.Value": _JSON.map(_value),
    "google.protobuf.ListValue": st.lists(_JSON, max_size=3).map(lambda items: _value(items).list_value),
    "google.protobuf.FieldMask": st.lists(st.sampled_from(["name", "odd_name", "inner.text"]), max_size=3).map(
        lambda paths: field_mask_pb2.FieldMask(paths=paths)
    ),
    "google.protobuf.Int32Value": st.builds(wrappers_pb2.Int32Value, value=_RANGES[F.CPPTYPE_INT32]),
}


def messages(descriptor: Descriptor, depth: int = 4) -> st.SearchStrategy[Any]:
    """Messages of a type, nested at most so deep."""
    if descriptor.full_name in _WELL_KNOWN:
        return _WELL_KNOWN[descriptor.full_name]

    @st.composite
    def build(draw: st.DrawFn) -> Any:
        message: Any = GetMessageClass(descriptor)()
        fields = [f for f in descriptor.fields if depth > 0 or f.message_type is None]
        for field in draw(st.lists(st.sampled_from(fields), max_size=5, unique=True)) if fields else []:
            _set(draw, message, field, depth)
        return message

    return build()


def _set(draw: st.DrawFn, message: Any, field: FieldDescriptor, depth: int) -> None:
    entry = field.message_type
    target = getattr(message, field.name)
    if entry is not None and entry.GetOptions().map_entry:
        key, value = entry.fields_by_name["key"], entry.fields_by_name["value"]
        for name in draw(st.lists(_single(key, depth), max_size=3)):
            found = draw(_single(value, depth - 1))
            if value.message_type is None:
                target[name] = found
            else:
                target[name].CopyFrom(found)
    elif field.is_repeated:
        target.extend(draw(st.lists(_single(field, depth - 1), max_size=3)))
    elif entry is not None:
        target.CopyFrom(draw(_single(field, depth - 1)))
        target.SetInParent()
    else:
        setattr(message, field.name, draw(_single(field, depth)))


def _single(field: FieldDescriptor, depth: int) -> st.SearchStrategy[Any]:
    if field.message_type is not None:
        return messages(field.message_type, depth)
    if field.enum_type is not None:
        return st.sampled_from([value.number for value in field.enum_type.values])
    return _RANGES[field.cpp_type] if field.cpp_type in _RANGES else _SCALARS[field.type]
