"""Proto JSON into messages, strictly: every wrong thing is refused, and the refusal knows the path of its field.

Accepts what ``google.protobuf.json_format`` accepts (lowerCamelCase and snake_case names, integers as strings, enum
values by name or number, null for "not given") with these differences, all on the strict side: no key and no field
twice, no enum number without a name, no blanks or underscores in numbers, a limit on depth.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor

from service.calls import MOST_ITEMS
from service.json_scalars import NotJson, Wrong, bad_object, key_reader, read_double, read_string, scalar_reader, shown
from service.json_writer import is_map, map_entry

MAX_DEPTH = 32
"""Levels of objects and arrays. One level of a ``Struct`` is three of messages, and protobuf stops at 100."""

Put = Callable[[Any, Any, int], None]
"""Puts a JSON value that stands at a depth into a message (or a list or a map of one). Raises Wrong."""


class FieldReader:
    """How one field is read: ``put`` sets it in the message that holds it."""

    __slots__ = ("descriptor", "name", "oneof", "put", "takes_null")

    def __init__(self, descriptor: FieldDescriptor) -> None:
        self.descriptor = descriptor
        self.name = descriptor.name
        oneof = descriptor.containing_oneof
        self.oneof = oneof if oneof is not None and len(oneof.fields) > 1 else None
        held = descriptor.message_type
        self.takes_null = held is not None and held.full_name == "google.protobuf.Value" and not descriptor.is_repeated
        self.put = _field_putter(descriptor)


@cache
def fields_of(descriptor: Descriptor) -> dict[str, FieldReader]:
    """Readers of the fields of a message type, by both of their names."""
    readers = [FieldReader(field) for field in descriptor.fields]
    return {r.name: r for r in readers} | {r.descriptor.json_name: r for r in readers}


def fill(message: Any, value: Any, depth: int = 1) -> None:
    """Set the fields of a message from a JSON object. Raises Wrong."""
    if type(value) is not dict:
        raise bad_object(value)
    _check_depth(depth)
    fields = fields_of(message.DESCRIPTOR)
    seen: set[str] = set()  # of fields and oneofs: a message has no name for two things
    for key, item in value.items():
        field = fields.get(key)
        if field is None:
            raise Wrong("there is no such field", shown(key), unknown=True)
        if field.name in seen:
            raise Wrong("is given twice", field.name)
        seen.add(field.name)
        if item is None and not field.takes_null:
            continue
        if field.oneof is not None:
            if field.oneof.name in seen:
                raise Wrong(f"only one of {', '.join(f.name for f in field.oneof.fields)} may be given", field.name)
            seen.add(field.oneof.name)
        try:
            field.put(message, item, depth)
        except Wrong as wrong:
            raise wrong.under(field.name) from None


def _check_depth(depth: int) -> None:
    if depth > MAX_DEPTH:
        raise Wrong(f"is nested more than {MAX_DEPTH} levels deep")


def _field_putter(field: FieldDescriptor) -> Put:
    name = field.name
    if field.is_repeated:
        put_all = _map_putter(field) if is_map(field) else _list_putter(field)
        return lambda message, value, depth: put_all(getattr(message, name), value, depth + 1)
    if field.message_type is None:
        read = scalar_reader(field)
        return lambda message, value, _depth: setattr(message, name, read(value))
    put_message = message_putter(field.message_type)

    def put(message: Any, value: Any, depth: int) -> None:
        held = getattr(message, name)
        held.SetInParent()
        put_message(held, value, depth + 1)

    return put


def message_putter(descriptor: Descriptor) -> Put:
    """What fills a message of this type: from an object, or from the form of a well-known type."""
    if descriptor.full_name.startswith("google.protobuf."):
        return _WELL_KNOWN.get(descriptor.full_name, _put_other_well_known)
    return fill


def _list_putter(field: FieldDescriptor) -> Put:
    add = _adder(field)

    def put(target: Any, value: Any, depth: int) -> None:
        if type(value) is not list:
            raise Wrong("must be an array")
        _check_depth(depth)
        if len(value) > MOST_ITEMS:
            raise Wrong(f"has more than {MOST_ITEMS} items")
        for index, item in enumerate(value):
            try:
                add(target, item, depth + 1)
            except Wrong as wrong:
                raise wrong.at(index) from None

    return put


def _adder(field: FieldDescriptor) -> Put:
    if field.message_type is None:
        read = scalar_reader(field)
        return lambda target, item, _depth: target.append(read(item))
    put_message = message_putter(field.message_type)
    return lambda target, item, depth: put_message(target.add(), item, depth)


def _map_putter(field: FieldDescriptor) -> Put:
    key_field, value_field = map_entry(field)
    read_key = key_reader(key_field)
    held = value_field.message_type
    put_message = None if held is None else message_putter(held)
    read = scalar_reader(value_field) if held is None else None

    def put(target: Any, value: Any, depth: int) -> None:
        if type(value) is not dict:
            raise bad_object(value)
        _check_depth(depth)
        for key, item in value.items():
            try:
                found = read_key(key)
                if read is not None:
                    target[found] = read(item)
                elif put_message is not None:
                    put_message(target[found], item, depth + 1)
            except Wrong as wrong:
                raise wrong.at(shown(key)) from None

    return put


def _put_struct(message: Any, value: Any, depth: int) -> None:
    if type(value) is not dict:
        raise bad_object(value)
    _check_depth(depth)
    for key, item in value.items():
        try:
            _put_value(message.fields[read_string(key)], item, depth + 1)
        except Wrong as wrong:
            raise wrong.under(shown(key)) from None


def _put_list_value(message: Any, value: Any, depth: int) -> None:
    if type(value) is not list:
        raise Wrong("must be an array")
    _check_depth(depth)
    message.SetInParent()
    for index, item in enumerate(value):
        try:
            _put_value(message.values.add(), item, depth + 1)
        except Wrong as wrong:
            raise wrong.at(index) from None


def _put_value(message: Any, value: Any, depth: int) -> None:
    kind = type(value)
    if kind is dict:
        message.struct_value.SetInParent()
        _put_struct(message.struct_value, value, depth)
    elif kind is list:
        _put_list_value(message.list_value, value, depth)
    elif kind is str:
        message.string_value = read_string(value)
    elif kind is bool:
        message.bool_value = value
    elif value is None:
        message.null_value = 0
    elif isinstance(value, NotJson):
        raise Wrong("must be a number that JSON knows")
    elif kind in (int, float):
        message.number_value = read_double(value)
    else:
        raise bad_object(value)


def _put_text_form(message: Any, value: Any, _depth: int) -> None:
    form, description = _TEXT_FORMS[message.DESCRIPTOR.full_name]
    if type(value) is not str or not form.fullmatch(value):
        raise Wrong(description)
    try:
        message.FromJsonString(value)
    except (ValueError, OverflowError):
        raise Wrong("is out of range") from None


def _put_other_well_known(message: Any, value: Any, _depth: int) -> None:
    try:
        json_format.ParseDict(value, message)
    except (json_format.ParseError, ValueError, TypeError, AttributeError):
        raise Wrong("is not of its type's form") from None


_TEXT_FORMS = {
    "google.protobuf.Duration": (
        re.compile(r"-?[0-9]{1,12}(\.[0-9]{1,9})?s"),
        "must be a duration in seconds, for example 2.5s",
    ),
    "google.protobuf.Timestamp": (
        re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})"),
        "must be a time of RFC 3339, for example 2026-01-31T09:30:00Z",
    ),
}

_WELL_KNOWN: dict[str, Put] = dict.fromkeys(_TEXT_FORMS, _put_text_form) | {
    "google.protobuf.Struct": _put_struct,
    "google.protobuf.ListValue": _put_list_value,
    "google.protobuf.Value": _put_value,
}
