"""Engine and API values to protobuf and back: one generic codec by equal field names.

Out goes the binary form itself (``service/wire_bytes.py``), in comes a parsed message.

At start every struct is compared with its message, field by field, in both directions; a difference is a
``WireMismatch`` there and then. The rules versions of a game share its messages: each may lack fields and arms that
another has, together they have all, and a value goes out as its own version's type has it. The kinds of field:

=====================  =========================================================
struct                 message
=====================  =========================================================
bool, int, str, bytes  the same scalar
IntEnum                enum with the same numbers
datetime, timedelta    Timestamp, Duration
X | None               optional field, or arm of a oneof
tuple[X, ...]          repeated
dict[str, X]           map; of plain JSON values: google.protobuf.Struct
Any                    google.protobuf.Value
struct                 message
tagged union           message whose only oneof has an arm per tag
Detail                 oneof ``detail`` with an arm per game type, and ``plugin``
=====================  =========================================================
"""

from __future__ import annotations

import enum
import typing
from collections.abc import Callable, Iterable
from functools import lru_cache
from operator import attrgetter
from typing import Any, cast

import msgspec
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from engine.core import AnyGame, to_json, union_of
from service import wire_bytes, wire_types
from service.calls import MOST_ITEMS
from service.resources import Detail
from service.wire_bytes import Encode, Put
from service.wire_known import WELL_KNOWN, Decode, Malformed, read_json, write_json

__all__ = ["Codec", "Malformed", "Wire", "WireMismatch"]

PLUGIN = "plugin"
DETAIL = "detail"


class WireMismatch(Exception):  # noqa: N818 - says what is the matter
    """A struct and its message differ."""


class Codec(typing.NamedTuple):
    """Both directions of one type: to the bytes of a message, and from a parsed one."""

    encode: Encode
    decode: Decode


class Wire:
    """The codecs of one process, made on demand and kept, for ``games`` in all their rules versions, the newest last.

    ``kept`` names the structs whose bytes are made once per value and then reused: values that live long and come
    again, as the offers and the seats do. They are recognised by identity.
    """

    def __init__(self, games: Iterable[AnyGame], kept: tuple[type, ...] = ()) -> None:
        self._games: dict[str, list[AnyGame]] = {}
        for game in games:
            self._games.setdefault(game.game_type, []).insert(0, game)
        self._kept = kept
        self._without: dict[str, set[str]] = {}
        self._codecs: dict[tuple[Any, str], Codec] = {}

    def codec(self, struct: type[msgspec.Struct], message: type[Message]) -> Codec:
        """The codec of a struct and its message. Raises WireMismatch."""
        made = self._message(struct, cast("Descriptor", message.DESCRIPTOR))
        for name, fields in self._without.items():
            if fields:
                raise WireMismatch(f"{name}: no type has {fields}")
        return made

    def _message(self, of: Any, descriptor: Descriptor) -> Codec:
        key = (of, descriptor.full_name)
        if key not in self._codecs:
            made: list[Codec] = []
            # A type may contain itself: while it is being made, it stands for whatever it will be.
            self._codecs[key] = Codec(lambda v: made[0].encode(v), lambda m, p: made[0].decode(m, p))  # noqa: PLW0108
            tags = wire_types.tagged(of, descriptor)
            made.append(self._union(tags, descriptor) if tags else self._struct(of, descriptor))
            self._codecs[key] = made[0]
        return self._codecs[key]

    def _struct(self, of: type[msgspec.Struct], descriptor: Descriptor) -> Codec:
        hints = typing.get_type_hints(of, include_extras=True)
        names = list(of.__struct_fields__)
        arms = DETAIL in names and hints[DETAIL] == Detail | None
        plain = [name for name in names if not (arms and name == DETAIL)]
        detail = descriptor.oneofs_by_name[DETAIL] if arms else None
        fields = {f.name: f for f in descriptor.fields if detail is None or f.containing_oneof is not detail}
        self._match(of.__name__, set(plain), descriptor, set(fields))
        defaults = wire_types.defaults(of)
        plans = [(name, *self._field(hints[name], fields[name]), defaults.get(name)) for name in plain]
        encode = _struct_encoder([(name, put, fields[name].has_presence) for name, put, *_ in plans])
        needed = {name for name in plain if name not in defaults and not wire_types.takes_none(hints[name])}
        decode = _struct_decoder(of, [(p[0], p[2], fields[p[0]].has_presence, p[3]) for p in plans], needed)
        if set(fields) - set(plain):
            decode = _whole(decode, set(plain) | ({DETAIL} if arms else set()))
        if arms:
            encode, decode = self._with_detail(encode, decode, descriptor)
        return Codec(self._keeping(encode) if of in self._kept else encode, decode)

    def _match(self, name: str, known: set[str], descriptor: Descriptor, there: set[str]) -> None:
        """Note what a type lacks of its message; another rules version's may have it. Raises WireMismatch."""
        if known - there:
            raise WireMismatch(f"{name} and {descriptor.full_name}: {known - there}")
        self._without.setdefault(descriptor.full_name, there).intersection_update(there - known)

    def _keeping(self, encode: Encode) -> Encode:
        kept: dict[int, tuple[Any, bytes]] = {}

        def encode_once(value: Any) -> bytes:
            found = kept.get(id(value))
            if found is not None:
                return found[1]
            if len(kept) >= _KEPT_AT_MOST:
                kept.clear()
            made = encode(value)
            # The value is held too, so that its identity is not given to another one.
            kept[id(value)] = (value, made)
            return made

        return encode_once

    def _union(self, tags: dict[str, type[msgspec.Struct]], descriptor: Descriptor) -> Codec:
        (oneof,) = descriptor.oneofs
        arms = {f.name: f for f in oneof.fields}
        self._match("its union", set(tags), descriptor, {f.name for f in descriptor.fields})
        codecs = {tag: self._message(of, _type_of(arms[tag])) for tag, of in tags.items()}
        by_type = {of: wire_bytes.message(arms[tag], codecs[tag].encode) for tag, of in tags.items()}

        def encode(value: Any) -> bytes:
            return by_type[type(value)](value)

        def decode(message: Message, path: str) -> Any:
            tag = message.WhichOneof(oneof.name)
            if tag is None:
                raise Malformed(path, f"needs one of {', '.join(tags)}")
            if tag not in codecs:
                raise Malformed(f"{path}.{tag}", _OTHER_RULES)
            return codecs[tag].decode(getattr(message, tag), f"{path}.{tag}")

        return Codec(encode, decode)

    def _with_detail(self, encode: Encode, decode: Decode, descriptor: Descriptor) -> tuple[Encode, Decode]:
        arms = {f.name: f for f in descriptor.oneofs_by_name[DETAIL].fields}
        codecs: dict[str, list[Codec]] = {}
        puts: dict[str, Put] = {}
        for name, games in self._games.items():
            of = list(dict.fromkeys(_arm_type(game, descriptor) for game in games))
            if name in arms:
                codecs[name] = [self._message(each, _type_of(arms[name])) for each in of]
                puts[name] = _by_class(of, [wire_bytes.message(arms[name], codec.encode) for codec in codecs[name]])
            else:
                puts[name] = _by_class(of, [wire_bytes.library(arms[PLUGIN], _json_struct(each)) for each in of])

        def encode_all(value: Any) -> bytes:
            detail = value.detail
            return encode(value) if detail is None else encode(value) + puts[detail.arm](detail.value)

        def decode_all(message: Any, path: str) -> Any:
            value = decode(message, path)
            arm = message.WhichOneof(DETAIL)
            if arm is None:
                return value
            where = _below(path, arm)
            known = codecs.get(arm)
            if known is None and arm != PLUGIN:
                raise Malformed(where, "this server does not play this game")
            raw = getattr(message, arm)
            readings = (read_json(raw, where),) if known is None else _readings(known, raw, where)
            return msgspec.structs.replace(value, detail=Detail(arm, readings[0], readings[1:]))

        return encode_all, decode_all

    def _field(self, hint: Any, field: FieldDescriptor) -> tuple[Put, Decode]:
        hint = wire_types.not_none(hint)
        where = field.full_name
        if _is_map(field):
            return self._map(hint, field)
        if field.is_repeated:
            if typing.get_origin(hint) is not tuple:
                raise WireMismatch(f"{where} is repeated, {hint} is no tuple")
            put, decode = self._single(typing.get_args(hint)[0], field)
            several = wire_bytes.numbers(field) if field.type in _NUMBERS else wire_bytes.several(put)
            return several, _list_decoder(decode)
        return self._single(hint, field)

    def _map(self, hint: Any, field: FieldDescriptor) -> tuple[Put, Decode]:
        if typing.get_origin(hint) is not dict:
            raise WireMismatch(f"{field.full_name} is a map, {hint} is none")
        value = _type_of(field).fields_by_name["value"]
        put, decode = self._single(typing.get_args(hint)[1], value)
        return (
            wire_bytes.mapping(field, put),
            lambda items, path: {key: decode(item, f"{path}.{key}") for key, item in items.items()},
        )

    def _single(self, hint: Any, field: FieldDescriptor) -> tuple[Put, Decode]:
        limits, hint = wire_types.limits(wire_types.not_none(hint))
        if field.message_type is None:
            put, decode = _scalar(hint, field)
            return put, decode if limits is None else _within(limits)
        special = WELL_KNOWN.get(field.message_type.full_name)
        if special is not None:
            return wire_bytes.library(field, special[0]), special[1]
        codec = self._message(hint, _type_of(field))
        put = wire_bytes.message(field, codec.encode)
        return lru_cache(_ALIKE_AT_MOST)(put) if wire_types.by_value(hint) else put, codec.decode


_OTHER_RULES = "is not of these rules"
_KEPT_AT_MOST = 50_000
_ALIKE_AT_MOST = 2048
_NUMBERS = frozenset({FieldDescriptor.TYPE_BOOL, FieldDescriptor.TYPE_INT32, FieldDescriptor.TYPE_ENUM})


def _by_class(of: list[Any], puts: list[Put]) -> Put:
    """What puts a value of any of the types: the newest one that knows its class."""
    if len(puts) == 1:
        return puts[0]
    known: dict[type, Put] = {}
    for each, put in zip(of, puts, strict=True):
        for member in wire_types.classes(each):
            known.setdefault(member, put)
    return lambda value: known[type(value)](value)


def _readings(codecs: list[Codec], raw: Message, path: str) -> tuple[Any, ...]:
    """The value as each rules version reads it, the newest first; without those that cannot. Raises Malformed."""
    found, refused = [], []
    for codec in codecs:
        try:
            found.append(codec.decode(raw, path))
        except Malformed as error:
            refused.append(error)
    if not found:
        raise refused[0]
    return tuple(found)


def _whole(decode: Decode, known: set[str]) -> Decode:
    """Decode unless the message says something that the struct does not know."""

    def decode_whole(message: Message, path: str) -> Any:
        for field, _ in message.ListFields():
            if field.name not in known:
                raise Malformed(_below(path, field.name), _OTHER_RULES)
        return decode(message, path)

    return decode_whole


def _struct_encoder(plans: list[tuple[str, Put, bool]]) -> Encode:
    items = _items([name for name, *_ in plans])
    puts = [(put, presence) for _, put, presence in plans]

    def encode(value: Any) -> bytes:
        # An absent field is None; a field without presence is left out when it has its default.
        return b"".join(
            [
                put(item)
                for item, (put, presence) in zip(items(value), puts)  # noqa: B905 - as many, and it costs
                if item or (presence and item is not None)
            ]
        )

    return encode


def _items(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    # With one name, attrgetter gives no tuple.
    return attrgetter(*names) if len(names) > 1 else lambda value: tuple(getattr(value, name) for name in names)


def _struct_decoder(of: type[msgspec.Struct], plans: list[tuple[str, Decode, bool, Any]], needed: set[str]) -> Decode:
    def decode(message: Message, path: str) -> Any:
        values = {}
        for name, inner, optional, default in plans:
            if optional and not message.HasField(name):
                if name in needed:
                    raise Malformed(_below(path, name), "is missing")
                values[name] = default
            elif inner is _same_in:
                values[name] = getattr(message, name)
            else:
                values[name] = inner(getattr(message, name), _below(path, name))
        return of(**values)

    return decode


def _below(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _list_decoder(decode: Decode) -> Decode:
    def decode_all(items: Any, path: str) -> Any:
        if not items:
            return ()
        if len(items) > MOST_ITEMS:
            raise Malformed(path, f"has more than {MOST_ITEMS} items")
        return tuple(decode(item, f"{path}[{i}]") for i, item in enumerate(items))

    return decode_all


def _scalar(hint: Any, field: FieldDescriptor) -> tuple[Put, Decode]:
    if isinstance(hint, type) and issubclass(hint, enum.IntEnum):
        if field.enum_type is None or {m.value for m in hint} - {v.number for v in field.enum_type.values}:
            raise WireMismatch(f"{field.full_name} and {hint.__name__} differ")
        return wire_bytes.number(field), _enum_decoder(hint)
    kinds = {
        FieldDescriptor.TYPE_BOOL: bool,
        FieldDescriptor.TYPE_INT32: int,
        FieldDescriptor.TYPE_ENUM: int,
        FieldDescriptor.TYPE_STRING: str,
        FieldDescriptor.TYPE_BYTES: bytes,
    }
    if kinds.get(field.type) is not hint:
        raise WireMismatch(f"{field.full_name} is no {hint}")
    put = wire_bytes.text if hint is str else wire_bytes.blob if hint is bytes else wire_bytes.number
    return put(field), _same_in


def _enum_decoder(of: type[enum.IntEnum]) -> Decode:
    def decode(number: int, path: str) -> Any:
        try:
            return of(number)
        except ValueError:
            raise Malformed(path, f"{number} is not known") from None

    return decode


def _same_in(value: Any, path: str) -> Any:
    del path
    return value


def _type_of(field: FieldDescriptor) -> Descriptor:
    if field.message_type is None:
        raise WireMismatch(f"{field.full_name} is no message")
    return field.message_type


def _arm_type(game: AnyGame, descriptor: Descriptor) -> Any:
    """The game's own type that stands in the message's ``detail``."""
    return {
        "GameOptions": game.options,
        "Move": union_of(game.moves),
        "View": game.views,
        "Event": union_of(game.events),
    }[descriptor.name]


def _json_struct(of: Any) -> Callable[[Any], Message]:
    return lambda value: write_json(to_json(of, value))


def _within(limits: msgspec.Meta) -> Decode:
    low = limits.ge if limits.ge is not None else float("-inf")
    high = limits.lt if limits.lt is not None else float("inf")

    def decode(value: Any, path: str) -> Any:
        if not low <= value < high:
            raise Malformed(path, f"{value} is not known" if value else "is missing")
        return value

    return decode


def _is_map(field: FieldDescriptor) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry
