"""What the type hints of a struct say, as the codec needs to know it."""

from __future__ import annotations

import types
import typing
from typing import Any

import msgspec
from google.protobuf.descriptor import Descriptor


def by_value(of: Any) -> bool:
    """Whether it is a struct of plain values all through: equal ones, in whatever game, have equal bytes."""
    return typing.get_origin(of) is None and issubclass(of, msgspec.Struct) and _plain(of)


def _plain(hint: Any, inside: tuple[type, ...] = ()) -> bool:
    _, hint = limits(not_none(hint))
    if typing.get_origin(hint) is tuple:
        return all(arg is ... or _plain(arg, inside) for arg in typing.get_args(hint))
    if not isinstance(hint, type):
        return False
    if issubclass(hint, msgspec.Struct):
        fields = typing.get_type_hints(hint, include_extras=True).values()
        return hint in inside or all(_plain(field, (*inside, hint)) for field in fields)
    return issubclass(hint, (bool, int, str, bytes))


def defaults(of: type[msgspec.Struct]) -> dict[str, Any]:
    """The default of each field that has one."""
    return {
        field.name: field.default if field.default is not msgspec.NODEFAULT else field.default_factory()
        for field in msgspec.structs.fields(of)
        if field.default is not msgspec.NODEFAULT or field.default_factory is not msgspec.NODEFAULT
    }


def limits(hint: Any) -> tuple[msgspec.Meta | None, Any]:
    """The limits that stand beside a type, None without, and the type itself."""
    if typing.get_origin(hint) is not typing.Annotated:
        return None, hint
    of, *notes = typing.get_args(hint)
    return next((note for note in notes if isinstance(note, msgspec.Meta)), None), of


def takes_none(hint: Any) -> bool:
    """Whether the value may be missing."""
    _, hint = limits(hint)
    return hint is Any or type(None) in typing.get_args(hint)


def not_none(hint: Any) -> Any:
    """The type, if its value is there."""
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        rest = tuple(arg for arg in typing.get_args(hint) if arg is not type(None))
        return rest[0] if len(rest) == 1 else hint
    return hint


def tagged(of: Any, descriptor: Descriptor) -> dict[str, type[msgspec.Struct]]:
    """The members of a tagged union by tag; empty if it is none."""
    several = typing.get_origin(of) in (typing.Union, types.UnionType)
    members = typing.get_args(of) if several else (of,)
    tags = {str(member.__struct_config__.tag): member for member in members}
    # A union of one type is that type: then only the message can tell.
    return tags if several or set(tags) <= {f.name for f in descriptor.fields} else {}


def classes(of: Any) -> tuple[type[msgspec.Struct], ...]:
    """The members of a union, or the struct itself."""
    return typing.get_args(of) or (of,)
