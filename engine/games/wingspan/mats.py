"""Reading a mat: which birds stand there, have room, hold eggs, fit a nest."""

from __future__ import annotations

from collections.abc import Iterator

from engine.games.wingspan.rows import BIRDS
from engine.games.wingspan.state import MatBird, Player
from engine.games.wingspan.terms import COLUMNS, EGG_COST, GAINS, TRADES, Habitat, Nest


def birds_of(player: Player) -> Iterator[MatBird]:
    """All birds: forest, grassland, wetland, each from left to right."""
    for row in player.mat:
        yield from row


def with_room(player: Player, nest: Nest | None = None) -> list[int]:
    """The birds that can hold one more egg, with the nest if one is asked for (2.1)."""
    return [
        on_mat.bird
        for on_mat in birds_of(player)
        if on_mat.eggs < (card := BIRDS[on_mat.bird]).egg_limit and (nest is None or card.nests_in(nest))
    ]


def with_egg(player: Player, exclude: int | None = None) -> list[int]:
    """The birds that hold an egg, without the excluded one."""
    return [on_mat.bird for on_mat in birds_of(player) if on_mat.eggs and on_mat.bird != exclude]


def eggs_on(player: Player) -> int:
    """How many eggs lie on the mat."""
    return sum(on_mat.eggs for on_mat in birds_of(player))


def egg_cost(player: Player, habitat: Habitat) -> int | None:
    """The eggs that the next bird of the row costs; None if the row is full (6.3)."""
    birds = len(player.row(habitat))
    return EGG_COST[birds] if birds < COLUMNS else None


def gains(player: Player, habitat: Habitat) -> int:
    """The dice, eggs or cards of the row's action (2.6)."""
    return GAINS[habitat][len(player.row(habitat))]


def trades(player: Player, habitat: Habitat) -> bool:
    """Whether the row's action has a trade (2.6)."""
    return TRADES[len(player.row(habitat))]
