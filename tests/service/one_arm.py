"""Made-up values as messages can hold them: of a oneof, at most one arm."""

from __future__ import annotations

import itertools
from typing import Any

import msgspec

from service import resources
from service.resources_live import WatchGameResponse, WatchUpdatesResponse

_TURNS = itertools.count()


def one_answer(value: Any) -> Any:
    """Of a oneof at most one arm stands in a message: the struct with the others taken out, all the way down."""
    if isinstance(value, tuple):
        return tuple(one_answer(item) for item in value)
    if isinstance(value, dict):
        return {key: one_answer(item) for key, item in value.items()}
    if not isinstance(value, msgspec.Struct):
        return value
    changed = {name: one_answer(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, (resources.Answer, resources.SubmitMoveRequest)) and changed["move"] is not None:
        changed["offer_id"] = None
    if isinstance(value, resources.Viewer) and changed["seat"] is not None:
        changed["spectator"] = None
    if isinstance(value, (WatchGameResponse, WatchUpdatesResponse)):
        arms = [name for name in changed if name != "cursor" and changed[name] is not None]
        # One after another, so that each has its turn.
        kept = arms[next(_TURNS) % len(arms)] if arms else ""
        changed |= dict.fromkeys((name for name in arms if name != kept), None)
    return type(value)(**changed)
