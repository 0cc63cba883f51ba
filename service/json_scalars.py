"""Single JSON values into the values of protobuf's scalars and enums, and the error that says what is wrong."""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Callable
from typing import Any

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor

Read = Callable[[Any], Any]
"""From a JSON value to a scalar. Raises Wrong."""

_KEY_SHOWN = 64
_NAMES_SHOWN = 12
_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,19})", re.ASCII)
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?", re.ASCII)
_FLOAT_WORDS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
_FLOAT32_MAX = 3.4028234663852886e38


class Wrong(Exception):  # noqa: N818 - becomes a Refusal at the edge, which knows the path only then
    """A JSON value is not what its field needs. ``path`` grows from the inside out while the error rises."""

    def __init__(self, description: str, field: str = "", *, unknown: bool = False) -> None:
        super().__init__(description)
        self.description = description
        self.unknown = unknown
        self._steps = [f".{field}"] if field else []

    def under(self, field: str) -> Wrong:
        """The same error, seen from the message that holds the field."""
        self._steps.append(f".{field}")
        return self

    def at(self, index: int | str) -> Wrong:
        """The same error, seen from the array or map that holds the value."""
        self._steps.append(f"[{index}]")
        return self

    @property
    def path(self) -> str:
        """Where it is wrong, for example ``moves[1].move.sevens``; empty for the whole."""
        return "".join(reversed(self._steps)).removeprefix(".")


class Repeated:
    """Stands for an object that had a key twice."""

    def __init__(self, key: str) -> None:
        self.key = key


class NotJson:
    """Stands for NaN, Infinity and -Infinity, which Python's parser knows and JSON does not."""


def shown(key: str) -> str:
    """A key that somebody sent, fit for an error text: short and printable."""
    return "".join(char if " " < char < "\x7f" else "?" for char in key[:_KEY_SHOWN])


def bad_object(value: Any) -> Wrong:
    """The error of something that should be an object."""
    if isinstance(value, Repeated):
        return Wrong("is given twice", shown(value.key))
    return Wrong("must be an object")


def scalar_reader(field: FieldDescriptor) -> Read:
    """What reads the field's type (of a list: one element)."""
    if field.enum_type is not None:
        return _enum_reader(field.enum_type)
    if field.cpp_type in _INTEGER_RANGES:
        return _integer_reader(*_INTEGER_RANGES[field.cpp_type])
    return _READERS[field.type]


def key_reader(field: FieldDescriptor) -> Read:
    """What reads a key of a map, which JSON always writes as a string."""
    if field.type == FieldDescriptor.TYPE_BOOL:
        return _read_bool_key
    return scalar_reader(field)


def read_string(value: Any) -> str:
    """A string that can be written as UTF-8."""
    if type(value) is not str:
        raise Wrong("must be a string")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise Wrong("holds half of a surrogate pair") from None
    return value


def read_double(value: Any) -> float:
    """A number; as a string also the ones that JSON has no word for."""
    if type(value) is str:
        if value in _FLOAT_WORDS:
            return _FLOAT_WORDS[value]
        if not _NUMBER.fullmatch(value):
            raise Wrong("must be a number")
    elif type(value) not in (int, float):
        raise Wrong("must be a number")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if math.isinf(number):
        raise Wrong("is out of range")
    return number


def _read_float(value: Any) -> float:
    number = read_double(value)
    if math.isfinite(number) and abs(number) > _FLOAT32_MAX:
        raise Wrong("is out of range")
    return number


def _read_bool(value: Any) -> bool:
    if type(value) is not bool:
        raise Wrong("must be true or false")
    return value


def _read_bool_key(value: Any) -> bool:
    if value not in ("true", "false"):
        raise Wrong("must have the keys true and false")
    return bool(value == "true")


def _read_bytes(value: Any) -> bytes:
    if type(value) is not str:
        raise Wrong("must be a string of base64")
    plain = value.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except ValueError:
        raise Wrong("is not base64") from None


def _integer_reader(low: int, high: int) -> Read:
    def read(value: Any) -> int:
        kind = type(value)
        if (kind is float and value.is_integer()) or (kind is str and _INTEGER.fullmatch(value)):
            value = int(value)
        elif kind is not int:
            raise Wrong("must be an integer")
        if not low <= value <= high:
            raise Wrong(f"must be from {low} to {high}")
        return int(value)

    return read


def _enum_reader(enum: EnumDescriptor) -> Read:
    numbers = {value.name: value.number for value in enum.values}
    names = [value.name for value in enum.values[:_NAMES_SHOWN]] + ["…"] * (len(enum.values) > _NAMES_SHOWN)
    description = f"must be one of {', '.join(name for name in names if not name.endswith('_UNSPECIFIED'))}"

    def read(value: Any) -> int:
        if type(value) is str and value in numbers:
            return numbers[value]
        if type(value) is int and value in enum.values_by_number:
            return value
        raise Wrong(description)

    return read


_INTEGER_RANGES = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
}

_READERS: dict[int, Read] = {
    FieldDescriptor.TYPE_STRING: read_string,
    FieldDescriptor.TYPE_BYTES: _read_bytes,
    FieldDescriptor.TYPE_BOOL: _read_bool,
    FieldDescriptor.TYPE_DOUBLE: read_double,
    FieldDescriptor.TYPE_FLOAT: _read_float,
}
