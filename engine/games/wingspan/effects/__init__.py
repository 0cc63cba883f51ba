"""What the powers of birds do: one handler for each op, grouped by family. No bird is known here by name."""

from __future__ import annotations

from typing import get_args

from engine.games.wingspan.effects import cards, eggs, food, hunting, moving, reacting, trading, tucking
from engine.games.wingspan.effects.base import OPS, begin, resolve
from engine.games.wingspan.powers import Effect

__all__ = ["OPS", "begin", "cards", "eggs", "food", "hunting", "moving", "reacting", "resolve", "trading", "tucking"]

if set(OPS) != set(get_args(Effect)):
    raise TypeError(f"ops without a handler: {set(get_args(Effect)) ^ set(OPS)}")
