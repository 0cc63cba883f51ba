"""The binary form of protobuf fields, made directly: a ``Put`` gives a field with its tag, ready to be joined.

Building message objects first costs several times as much, since every level is copied into the one around it. Parsing
stays with the library: what comes in is not ours to trust.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

Put = Callable[[Any], bytes]
Encode = Callable[[Any], bytes]
"""Gives the fields of a message, without the tag and the length that make them a field themselves."""

_VARINT: Final = 0
_LENGTH: Final = 2
_KEY: Final = 1
# Numbers below this are looked up.
_FEW: Final = 4096


def _spelled(number: int) -> bytes:
    made = bytearray()
    while number > 0x7F:
        made.append(number & 0x7F | 0x80)
        number >>= 7
    made.append(number)
    return bytes(made)


_SPELLED: Final = [_spelled(number) for number in range(_FEW)]


def varint(number: int) -> bytes:
    """A number; a negative one in two's complement of 64 bits."""
    return _SPELLED[number] if 0 <= number < _FEW else _spelled(number & 0xFFFF_FFFF_FFFF_FFFF)


def _sized(tag: bytes, content: bytes) -> bytes:
    size = len(content)
    return tag + (_SPELLED[size] if size < _FEW else _spelled(size)) + content


def number(field: FieldDescriptor) -> Put:
    """A bool, an enum or an int."""
    tag = varint(field.number << 3 | _VARINT)
    return lambda value: tag + varint(value)


def numbers(field: FieldDescriptor) -> Put:
    """Several of them, packed."""
    tag = varint(field.number << 3 | _LENGTH)

    def put(values: Sequence[int]) -> bytes:
        # Cards and seats are small numbers, which stand for themselves.
        small = max(values) < 0x80 and min(values) >= 0
        return _sized(tag, bytes(values) if small else b"".join(map(varint, values)))

    return put


def text(field: FieldDescriptor) -> Put:
    """A string."""
    tag = varint(field.number << 3 | _LENGTH)
    return lambda value: _sized(tag, value.encode())


def blob(field: FieldDescriptor) -> Put:
    """Bytes."""
    tag = varint(field.number << 3 | _LENGTH)
    return lambda value: _sized(tag, value)


def message(field: FieldDescriptor, encode: Encode) -> Put:
    """A message."""
    tag = varint(field.number << 3 | _LENGTH)
    return lambda value: _sized(tag, encode(value))


def library(field: FieldDescriptor, make: Callable[[Any], Message]) -> Put:
    """A message that the library makes."""
    return message(field, lambda value: make(value).SerializeToString(deterministic=True))


def several(put: Put) -> Put:
    """A repeated field that is not packed."""
    return lambda values: b"".join(map(put, values))


def mapping(field: FieldDescriptor, value: Put) -> Put:
    """A map with strings as keys, in their order; ``value`` puts the field ``value`` of an entry."""
    tag, key = varint(field.number << 3 | _LENGTH), bytes((_KEY << 3 | _LENGTH,))
    return lambda items: b"".join(
        _sized(tag, _sized(key, name.encode()) + value(items[name])) for name in sorted(items)
    )
