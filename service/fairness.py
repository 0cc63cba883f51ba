"""Fair deals: a commitment to the chance of a game before it begins, and the proof after it has ended."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from engine.core import RecordingRng, Rng
from service.records import Meta
from service.resources import GameState, RevealPolicy
from service.resources_live import Contribution, Fairness
from service.table import Table

DOMAIN = b"rookery-fairness-1"
ENTROPY_DOMAIN = b"rookery-entropy-1"
SECRET_BYTES = 32
"""The length of a seed, and of a salt."""

Chance = Callable[[bytes, int], Rng]
"""What makes the chance of a step, as ``Rng`` itself does."""


Contributions = tuple[tuple[int, bytes], ...]
"""Who gave what to the chance of a game, in this order: ``PLATFORM``, seat 0, seat 1, ..."""

PLATFORM = -1
MOST_ENTROPY_BYTES = 64


def chance_seed(seed: bytes, entropy: Contributions) -> bytes:
    """The seed of the generator: the server's, mixed with what others gave.

    Nobody gave anything: the seed itself. Else SHA-256 of the domain, the seed, and for each contribution who (i32,
    big-endian), the number of bytes (u32, big-endian) and the bytes.
    """
    if not entropy:
        return seed
    mixed = hashlib.sha256(ENTROPY_DOMAIN + seed)
    for who, given in entropy:
        mixed.update(who.to_bytes(4, "big", signed=True) + len(given).to_bytes(4, "big") + given)
    return mixed.digest()


def seat_of(who: int) -> int | None:
    """The seat of a contribution, None for the platform."""
    return None if who == PLATFORM else who


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
        entropy=tuple(Contribution(seat_of(who), given.hex()) for who, given in meta.entropy),
    )
