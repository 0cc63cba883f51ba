"""States as JSON for people: named fields, enum names, card names; every mistake names the field.

The form follows from the state's types: a struct is an object, a tagged struct has its tag under ``type``, a tuple
is an array, an enum is its member's name in lower case, an integer annotated with ``named(...)`` is one of the names.
"""

from __future__ import annotations

import enum
from functools import cache
from typing import Any, TypeVar, cast

import msgspec
from msgspec import inspect as mi

from engine.core.game import Game
from engine.core.model import InvalidPosition

O = TypeVar("O", bound=msgspec.Struct)  # noqa: E741 - see engine.core.game
S = TypeVar("S", bound=msgspec.Struct)
M = TypeVar("M", bound=msgspec.Struct)
E = TypeVar("E", bound=msgspec.Struct)
V = TypeVar("V", bound=msgspec.Struct)

TAG = "type"


def named(names: tuple[str, ...], first: int = 0) -> msgspec.Meta:
    """Metadata of an integer from ``first`` on that a position writes as a name: ``Annotated[int, named(NAMES)]``."""
    return msgspec.Meta(ge=first, lt=first + len(names), extra={"names": names, "first": first})


def write_position(game: Game[O, S, M, E, V], state: S) -> dict[str, Any]:
    """The state as plain JSON values."""
    return cast("dict[str, Any]", _write(_info(game.state), state))


def read_position(game: Game[O, S, M, E, V], document: Any) -> S:
    """The state of a JSON document, validated by ``check``. Raises InvalidPosition with the path of the wrong field."""
    state = parse_position(game, document)
    game.check(state)
    return state


def parse_position(game: Game[O, S, M, E, V], document: Any) -> S:
    """The state of a JSON document, by form alone: worked examples may be cut-down positions."""
    return cast("S", _read(_info(game.state), document, ""))


def to_json(of: Any, value: msgspec.Struct) -> Any:
    """A struct of the type ``of`` (or of a tagged union) as plain JSON values, in the same form."""
    return _write(_info(of), value)


def from_json(of: Any, document: Any) -> Any:
    """The struct of a JSON document. Raises InvalidPosition with the path of the wrong field."""
    return _read(_info(of), document, "")


@cache
def _info(of: Any) -> mi.Type:
    return mi.type_info(of)


def _names(info: mi.Type) -> tuple[tuple[str, ...], int] | None:
    if isinstance(info, mi.Metadata) and info.extra and "names" in info.extra:
        return info.extra["names"], info.extra["first"]
    return None


def _inner(info: mi.Type) -> mi.Type:
    return _inner(info.type) if isinstance(info, mi.Metadata) else info


def _write(info: mi.Type, value: Any) -> Any:
    if value is None:
        return None
    names = _names(info)
    if names is not None:
        return names[0][value - names[1]]
    info = _inner(info)
    if isinstance(info, mi.UnionType):
        return _write(_member(info, value), value)
    if isinstance(info, mi.StructType):
        return _write_struct(info, value)
    if isinstance(info, mi.VarTupleType):
        return [_write(info.item_type, item) for item in value]
    if isinstance(info, mi.TupleType):
        return [_write(of, item) for of, item in zip(info.item_types, value, strict=True)]
    if isinstance(value, enum.Enum):
        return value.name.lower()
    return value


def _write_struct(info: mi.StructType, value: Any) -> dict[str, Any]:
    tag = {TAG: info.tag} if info.tag is not None else {}
    return tag | {f.name: _write(f.type, getattr(value, f.name)) for f in info.fields}


def _member(info: mi.UnionType, value: Any) -> mi.Type:
    for of in info.types:
        inner = _inner(of)
        if isinstance(inner, mi.StructType):
            if type(value) is inner.cls:
                return of
        elif not isinstance(inner, mi.NoneType) and not isinstance(value, msgspec.Struct):
            return of
    raise TypeError(f"{type(value).__name__} is no member of the union")


def _read(info: mi.Type, value: Any, path: str) -> Any:
    names = _names(info)
    if names is not None:
        return _read_name(*names, value, path)
    inner = _inner(info)
    if isinstance(inner, mi.UnionType):
        return _read_union(inner, value, path)
    if isinstance(inner, mi.StructType):
        return _read_struct(inner, value, path)
    if isinstance(inner, mi.VarTupleType):
        items = _list(value, path)
        return tuple(_read(inner.item_type, item, f"{path}[{i}]") for i, item in enumerate(items))
    if isinstance(inner, mi.TupleType):
        items = _list(value, path)
        if len(items) != len(inner.item_types):
            raise InvalidPosition(path, f"takes {len(inner.item_types)} items, not {len(items)}")
        return tuple(
            _read(of, item, f"{path}[{i}]") for i, (of, item) in enumerate(zip(inner.item_types, items, strict=True))
        )
    if isinstance(inner, mi.EnumType):
        return _read_enum(inner, value, path)
    return _read_plain(inner, value, path)


def _read_name(names: tuple[str, ...], first: int, value: Any, path: str) -> int:
    if not isinstance(value, str) or value not in names:
        raise InvalidPosition(path, f"is none of the {len(names)} names ({names[0]} … {names[-1]})")
    return first + names.index(value)


def _read_union(info: mi.UnionType, value: Any, path: str) -> Any:
    if value is None:
        if any(isinstance(of, mi.NoneType) for of in info.types):
            return None
        raise InvalidPosition(path, "must not be null")
    members = [of for of in info.types if not isinstance(of, mi.NoneType)]
    if len(members) == 1:
        return _read(members[0], value, path)
    tag = value.get(TAG) if isinstance(value, dict) else None
    for of in members:
        inner = _inner(of)
        if isinstance(inner, mi.StructType) and inner.tag == tag:
            return _read_struct(inner, value, path)
    tags = ", ".join(str(i.tag) for i in map(_inner, members) if isinstance(i, mi.StructType))
    raise InvalidPosition(_join(path, TAG), f"must be one of {tags}")


def _read_struct(info: mi.StructType, value: Any, path: str) -> Any:
    if not isinstance(value, dict):
        raise InvalidPosition(path or "position", "must be an object")
    known = {f.name for f in info.fields} | ({TAG} if info.tag is not None else set())
    for key in value:
        if key not in known:
            raise InvalidPosition(_join(path, str(key)), "is not a field")
    fields = {}
    for f in info.fields:
        if f.name in value:
            fields[f.name] = _read(f.type, value[f.name], _join(path, f.name))
        elif f.required:
            raise InvalidPosition(_join(path, f.name), "is missing")
    return info.cls(**fields)


def _read_enum(info: mi.EnumType, value: Any, path: str) -> Any:
    members = {member.name.lower(): member for member in info.cls}
    if not isinstance(value, str) or value not in members:
        raise InvalidPosition(path, f"must be one of {', '.join(members)}")
    return members[value]


def _read_plain(inner: mi.Type, value: Any, path: str) -> Any:
    # google.protobuf.Struct knows only doubles: 3.0 is the integer 3.
    if isinstance(inner, mi.IntType) and isinstance(value, float) and value.is_integer():
        value = int(value)
    if type(value) is int and not -_FIRST_TOO_LARGE <= value < _FIRST_TOO_LARGE:
        raise InvalidPosition(path, "must fit into 32 bits")
    try:
        return msgspec.convert(value, _PLAIN[type(inner)])
    except msgspec.ValidationError:
        raise InvalidPosition(path, f"must be {_WORDS[type(inner)]}") from None


_FIRST_TOO_LARGE = 2**31
_PLAIN: dict[type[mi.Type], Any] = {mi.IntType: int, mi.StrType: str, mi.BoolType: bool}
_WORDS: dict[type[mi.Type], str] = {mi.IntType: "a whole number", mi.StrType: "a text", mi.BoolType: "true or false"}


def _list(value: Any, path: str) -> list[Any]:
    if not isinstance(value, list):
        raise InvalidPosition(path, "must be an array")
    return value


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
