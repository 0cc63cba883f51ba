"""The resources and requests about game types: everything static.

They go on from ``service/resources.py``, by the same rules.
"""

from __future__ import annotations

from typing import Any

import msgspec

from service.resources import Label


class Messages(msgspec.Struct, frozen=True):
    """Templates of one locale."""

    templates: dict[str, str]


class Option(msgspec.Struct, frozen=True):
    """One option of a game type; ``default`` None: decided by chance."""

    name: str
    label: Label
    default: Any
    choices: tuple[Any, ...]


class Component(msgspec.Struct, frozen=True):
    """A static thing that a client draws."""

    id: str
    kind: str
    label: Label
    copies: int
    attributes: dict[str, Any]


class GameType(msgspec.Struct, frozen=True):
    """Everything static about one game type."""

    name: str
    title: Label
    seat_counts: tuple[int, ...]
    options: tuple[Option, ...]
    rules_versions: tuple[str, ...]
    catalogue: tuple[Component, ...] = ()
    messages: dict[str, Messages] = {}


class ListGameTypesRequest(msgspec.Struct, frozen=True):
    """Nothing to say."""


class ListGameTypesResponse(msgspec.Struct, frozen=True):
    """Every game type, by name."""

    game_types: tuple[GameType, ...]


class GetGameTypeRequest(msgspec.Struct, frozen=True):
    """``name`` is ``gameTypes/{game_type}``."""

    name: str
