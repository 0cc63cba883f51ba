"""Valid requests made wrong: JSON values and bytes with something changed in them."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from hypothesis import strategies as st

from rookery.v1 import game_service_pb2 as pb


class Raw(str):
    """Text that goes into the JSON as it is."""

    __slots__ = ()


RAW = [
    Raw(text)
    for text in (
        *("NaN", "-Infinity", "1e999", "-0", "01", "1.0", "1" * 400, "1" * 5000, "0x1", "+1", "tru", "nul", "'a'"),
        *(
            '"\\ud800"',
            '"\\udc00\\ud800"',
            '"\\u0000"',
            '"\x07"',
            "[" * 3000,
            "{" * 3000,
            '{"a":' * 40 + "1" + "}" * 40,
        ),
        *('{"a":1,"a":2}', '{"sevens":{},"sevens":{}}', "", ",", "[1,]", '{"a":1,}', "{}{}", "/* */ 1", "\ufeff1"),
    )
]
PLAIN: list[Any] = [
    *(None, True, False, 0, 1, -1, 99, 2**31 - 1, 2**31, -(2**31) - 1, 2**63, 2**64, 10**30, 1.5, -0.0, 1e308, 5e-324),
    *("", "x", "0", "1", "-1", "1e3", "NaN", "7H", "PART_SCENE", "part_scene", "3s", "-3s", "1e9s", "99999999999999s"),
    *("games/x", "games/" + "a" * 26, "gameTypes/sevens", "é", "\u202e", "😀", "a" * 10_000, "../..", "%2e", "\n", " "),
    *(
        [],
        {},
        [[]],
        [{}],
        [None],
        {"": ""},
        {"@type": "x"},
        {"type": "pass"},
        {"plugin": {}},
        {"euchre": {}, "sevens": {}},
    ),
    *({"plugin": {"type": "play", "card": "QQ"}}, {"plugin": {"type": 7}}, {"plugin": None}, {"sevens": {"play": {}}}),
    *([0] * 1001, [{}] * 1001, {str(i): "" for i in range(2000)}),
]


def names(descriptor: Descriptor | Any, seen: set[str]) -> set[str]:
    """Every field name under a message, in both spellings."""
    if descriptor.full_name in seen:
        return set()
    seen.add(descriptor.full_name)
    found: set[str] = set()
    for field in descriptor.fields:
        found |= {field.name, field.json_name}
        if field.message_type is not None:
            found |= names(field.message_type, seen)
    return found


NAMES = sorted(names(pb.SubmitMoveRequest.DESCRIPTOR, set()) | names(pb.CreateGameRequest.DESCRIPTOR, set()))

leaves = st.one_of(
    st.sampled_from(RAW), st.sampled_from(PLAIN), st.integers(), st.floats(allow_nan=False), st.text(max_size=6)
)
values = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=5,
)


def change(value: Any, chance: random.Random, wrong: Any) -> Any:
    """The JSON value with ``wrong`` somewhere in it: instead of something, beside it, under another name, or twice."""
    if isinstance(value, dict) and value and chance.random() < 0.8:
        key = chance.choice(list(value))
        kind = chance.randrange(8)
        if kind == 0:
            return {**value, chance.choice(NAMES): wrong}
        if kind == 1:
            return {**value, chance.choice(["", "a", "Name", "__proto__", "é", "name "]): wrong}
        if kind == 2:
            rest = {k: v for k, v in value.items() if k != key}
            return rest if chance.random() < 0.5 else {**rest, key.upper(): value[key]}
        return {**value, key: change(value[key], chance, wrong)}
    if isinstance(value, list) and value and chance.random() < 0.8:
        at = chance.randrange(len(value))
        return [*value[:at], change(value[at], chance, wrong), *value[at + 1 :]]
    return [value] if chance.random() < 0.1 else wrong


def text(value: Any) -> str:
    """The JSON text, raw pieces as they are."""
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(key)}:{text(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(text, value)) + "]"
    return json.dumps(value)


def harm(blob: bytes, chance: random.Random) -> bytes:
    """The bytes with something done to them: cut, flipped, doubled, or garbage put in."""
    made = bytearray(blob)
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(made) + 1)
        kind = chance.randrange(6)
        if kind == 0:
            del made[at:]
        elif kind == 1 and at < len(made):
            made[at] ^= 1 << chance.randrange(8)
        elif kind == 2 and at < len(made):
            made[at] = chance.choice([0, 1, 0x7F, 0x80, 0xFF])
        elif kind == 3:
            made[at:at] = chance.randbytes(chance.randrange(9))
        elif kind == 4:
            made += made[at:]
        else:
            del made[at : at + chance.randrange(4)]
    return bytes(made)


def twist(message: Any, chance: random.Random) -> None:
    """Do something to one field of the message, or of one inside it, that the message type allows."""
    fields = message.DESCRIPTOR.fields
    if not fields:
        return
    field = chance.choice(fields)
    held = field.message_type
    if held is not None and not field.is_repeated and chance.random() < 0.8:
        inner = getattr(message, field.name)
        inner.SetInParent()
        twist(inner, chance)
    elif chance.random() < 0.3:
        message.ClearField(field.name)
    elif field.is_repeated:
        _twist_list(message, field, chance)
    elif held is None:
        setattr(message, field.name, _extreme(field, chance))


def _twist_list(message: Any, field: FieldDescriptor, chance: random.Random) -> None:
    items = getattr(message, field.name)
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        return
    if field.message_type is None:
        items.extend([_extreme(field, chance)] * chance.choice([1, 2, 1001]))
    elif items and chance.random() < 0.7:
        twist(chance.choice(items), chance)
    else:
        for _ in range(chance.choice([1, 2, 1001])):
            items.add()


def _extreme(field: FieldDescriptor, chance: random.Random) -> Any:
    if field.enum_type is not None:
        return chance.choice([0, 1, 2, 99, -1, 2**31 - 1])
    return {
        FieldDescriptor.CPPTYPE_INT32: chance.choice([0, 1, -1, 5, 99, 2**31 - 1, -(2**31)]),
        FieldDescriptor.CPPTYPE_BOOL: chance.random() < 0.5,
        FieldDescriptor.CPPTYPE_STRING: chance.choice(["", "x", "\n", "\u202e", "é" * 3000, "games/x", "0"])
        if field.type == FieldDescriptor.TYPE_STRING
        else chance.choice([b"", b"x", b"\xff" * 33]),
    }.get(field.cpp_type, 0)


def shuffle_position(value: Any, chance: random.Random) -> Any:
    """A position with one thing in it that might be right: a value from elsewhere in it, or one more or one less."""
    leaves = list(_leaves(value))
    return _replaced(value, chance.randrange(len(leaves)), chance.choice(leaves), chance)


def _leaves(value: Any) -> Iterator[Any]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for item in inner:
        yield item
        yield from _leaves(item)


def _replaced(value: Any, at: int, other: Any, chance: random.Random) -> Any:
    """The value with its leaf number ``at`` changed, counted as ``_leaves`` counts."""
    counter = itertools.count()

    def walk(item: Any) -> Any:
        if isinstance(item, dict):
            return {key: found for key, inner in item.items() if (found := step(inner)) is not _GONE}
        if isinstance(item, list):
            return [found for inner in item if (found := step(inner)) is not _GONE]
        return item

    def step(inner: Any) -> Any:
        number = next(counter)
        walked = walk(inner)
        if number != at:
            return walked
        near = [inner + 1, inner - 1, -inner] if type(inner) is int else []
        twice = [[*inner, inner[-1]], inner[:-1], inner[::-1]] if isinstance(inner, list) and inner else []
        return chance.choice([other, _GONE, None, *near * 2, *twice * 2])

    return walk(value)


_GONE = object()
