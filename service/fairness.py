"""Fair deals: a commitment to the chance of a game before it begins, and the proof after it has ended."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from engine.core import RecordingRng, Rng
from service.records import Meta
from service.resources import GameState, RevealPolicy
from service.resources_live import Fairness
from service.table import Table

DOMAIN = b"rookery-fairness-1"
SECRET_BYTES = 32
"""The length of a seed, and of a salt."""

Chance = Callable[[bytes, int], Rng]
"""What makes the chance of a step, as ``Rng`` itself does."""


class Draws:
    """A ``Chance`` that writes down what is drawn."""

    def __init__(self) -> None:
        self._steps: list[tuple[int, RecordingRng]] = []

    def __call__(self, seed: bytes, step: int) -> Rng:
        """The chance of the step."""
        rng = RecordingRng(seed, step)
        self._steps.append((step, rng))
        return rng

    def told(self) -> list[dict[str, Any]]:
        """By step, in order, every pair of n and the number below it; steps that drew nothing are left out."""
        return [{"step": step, "draws": [list(draw) for draw in rng.draws]} for step, rng in self._steps if rng.draws]


def commitment(seed: bytes, salt: bytes) -> str:
    """SHA-256 of the domain, the salt and the seed, in hex: who has it before the game can check the seed after it."""
    return hashlib.sha256(DOMAIN + salt + seed).hexdigest()


def revealed(table: Table) -> bool:
    """Whether seed and salt are everybody's: the game is finished, and its policy allows it."""
    return table.meta.reveal_policy == RevealPolicy.ON_FINISH and table.status is GameState.FINISHED


def fairness_of(table: Table) -> Fairness:
    """What may be known of the chance of the game now."""
    meta: Meta = table.meta
    told = revealed(table)
    return Fairness(
        name=f"{table.name}/fairness",
        commitment=commitment(meta.seed, meta.salt),
        reveal_policy=RevealPolicy(meta.reveal_policy),
        seed=meta.seed.hex() if told else None,
        salt=meta.salt.hex() if told else None,
    )
