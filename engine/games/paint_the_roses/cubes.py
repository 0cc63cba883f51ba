"""The number on a cube, and what the numbers say about a card (section 6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.games.paint_the_roses import box
from engine.games.paint_the_roses.state import Planting, State
from engine.games.paint_the_roses.symbols import PAIRS, Pair

Garden = tuple[int | None, ...]


def make_whim(new: int, neighbour: int, pair: Pair) -> bool:
    """Whether the new tile shows one half and the neighbour the other one (6.2)."""
    one_way = box.matches(new, pair.a) and box.matches(neighbour, pair.b)
    other_way = box.matches(new, pair.b) and box.matches(neighbour, pair.a)
    return one_way or other_way


# For each pair and each new tile: the neighbours that count. Asked for each cube, so worked out once.
_FITTING = {
    pair: (
        frozenset[int](),
        *(frozenset(other for other in box.TILES if make_whim(tile, other, pair)) for tile in box.TILES),
    )
    for pair in PAIRS
}


def cube_number(garden: Garden, space: int, tile: int, pair: Pair) -> int:
    """How many neighbours of ``space`` make ``pair`` together with ``tile`` planted there: 0 to 6 (6.2, 6.3)."""
    fitting = _FITTING[pair][tile]
    return sum([garden[neighbour - 1] in fitting for neighbour in box.NEIGHBOURS[space]])


def with_tile(garden: Garden, space: int, tile: int) -> Garden:
    """The garden with one tile more."""
    return (*garden[: space - 1], tile, *garden[space:])


def replant(plantings: Sequence[Planting]) -> Iterator[tuple[Garden, Planting]]:
    """Each planting, oldest first, with the garden as it was before."""
    garden = box.START
    for planting in plantings:
        yield garden, planting
        garden = with_tile(garden, planting.space, planting.tile)


def candidates(state: State, seat: int) -> tuple[Pair, ...]:
    """The pairs that the secret card of ``seat`` may show, by its level, its cubes and the wrong guesses.

    All of these are public, so that the answer is the same for every viewer.
    """
    player = state.players[seat]
    if player.whim is None:
        return ()
    left = [pair for pair in box.PAIRS_OF[box.level_of(player.whim)] if pair not in player.refuted]
    for garden, planting in replant(state.plantings):
        cube = planting.cubes[seat]
        if cube.serial == player.serial:
            left = [p for p in left if cube_number(garden, planting.space, planting.tile, p) == cube.number]
    return tuple(left)
