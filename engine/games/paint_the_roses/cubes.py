"""The number on a cube, and what the numbers say about a card (section 6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.games.paint_the_roses import box
from engine.games.paint_the_roses.state import Planting, State
from engine.games.paint_the_roses.symbols import PAIRS, Level, Pair

Garden = tuple[int | None, ...]


def make_whim(new: int, neighbour: int, pair: Pair) -> bool:
    """Whether the new tile shows one half and the neighbour the other one (6.2)."""
    one_way = box.matches(new, pair.a) and box.matches(neighbour, pair.b)
    other_way = box.matches(new, pair.b) and box.matches(neighbour, pair.a)
    return one_way or other_way


# A number for every pair at once: three bits each, in the order of PAIRS, since a number is 6 at most.
_BITS = 3
_MOST = (1 << _BITS) - 1
_PLACE = {pair: _BITS * at for at, pair in enumerate(PAIRS)}

# By new tile and neighbour: 1 for each pair that they make. No tile, number 0, makes none.
_MADE = (
    (0,) * (len(box.TILES) + 1),
    *(
        (0, *(sum(make_whim(tile, other, pair) << _PLACE[pair] for pair in PAIRS) for other in box.TILES))
        for tile in box.TILES
    ),
)


def cube_numbers(garden: Garden, space: int, tile: int) -> int:
    """The numbers of all pairs for ``tile`` planted at ``space``; ``number_of`` reads one of them (6.2, 6.3)."""
    made = _MADE[tile]
    return sum([made[garden[neighbour - 1] or 0] for neighbour in box.NEIGHBOURS[space]])


def number_of(pair: Pair, numbers: int) -> int:
    """The number of the pair, 0 to 6."""
    return numbers >> _PLACE[pair] & _MOST


def cube_number(garden: Garden, space: int, tile: int, pair: Pair) -> int:
    """How many neighbours of ``space`` make ``pair`` together with ``tile`` planted there: 0 to 6 (6.2, 6.3)."""
    return number_of(pair, cube_numbers(garden, space, tile))


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
    return agreeing(state.plantings, seat, player.serial, box.level_of(player.whim), player.refuted)


def agreeing(
    plantings: Sequence[Planting], seat: int, serial: int | None, level: Level, refuted: Sequence[Pair]
) -> tuple[Pair, ...]:
    """The pairs of the level that agree with the cubes about the card ``serial`` of ``seat``, and are not refuted."""
    left = [pair for pair in box.PAIRS_OF[level] if pair not in refuted]
    for garden, planting in replant(plantings):
        cube = planting.cubes[seat]
        if cube.serial == serial:
            numbers = cube_numbers(garden, planting.space, planting.tile)
            left = [pair for pair in left if number_of(pair, numbers) == cube.number]
    return tuple(left)
