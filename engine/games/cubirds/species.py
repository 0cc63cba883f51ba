"""The 110 birds (1.2). A bird is the number of its species, equal to the numbers of ``rookery.cubirds.v1.Species``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, NamedTuple

from engine.core.position import named


class Printed(NamedTuple):
    """What the cards of a species have printed on them, and how many there are."""

    name: str
    code: str
    copies: int
    small_flock: int
    big_flock: int


# By number of the species, from 1.
PRINTED = (
    Printed("flamingo", "F", 7, 2, 3),
    Printed("owl", "O", 10, 3, 4),
    Printed("toucan", "T", 10, 3, 4),
    Printed("duck", "D", 13, 4, 6),
    Printed("parrot", "P", 13, 4, 6),
    Printed("magpie", "M", 17, 5, 7),
    Printed("reed_warbler", "W", 20, 6, 9),
    Printed("robin", "R", 20, 6, 9),
)

SPECIES = tuple(range(1, len(PRINTED) + 1))
PACK = tuple(species for species, printed in enumerate(PRINTED, 1) for _ in range(printed.copies))

# By number of the species; nothing has the number 0.
COPIES = (0, *(printed.copies for printed in PRINTED))
SMALL_FLOCK = (0, *(printed.small_flock for printed in PRINTED))
BIG_FLOCK = (0, *(printed.big_flock for printed in PRINTED))

NAMES = tuple(printed.name for printed in PRINTED)
CODES = "".join(printed.code for printed in PRINTED)

Species = Annotated[int, named(NAMES, first=1)]


def name_of(species: int) -> str:
    """The catalogue id: ``reed_warbler``."""
    return NAMES[species - 1]


def code_of(species: int) -> str:
    """One letter: ``W``."""
    return CODES[species - 1]


def codes_of(birds: Iterable[int]) -> str:
    """Birds in any language: ``O F F``."""
    return " ".join(map(code_of, birds))


def counts_of(birds: Iterable[int]) -> list[int]:
    """How many birds there are of each species, by its number."""
    counts = [0] * (len(PRINTED) + 1)
    for bird in birds:
        counts[bird] += 1
    return counts
