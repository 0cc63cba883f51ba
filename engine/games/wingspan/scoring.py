"""Counting: goals, bonus cards, final scores (14.1 to 14.3, 15)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.model import Placement, Result, Share
from engine.games.wingspan import mats
from engine.games.wingspan.rows import BIRDS, BONUS_CARDS, GOALS, Condition
from engine.games.wingspan.state import Player, State
from engine.games.wingspan.terms import GREEN, Counted

# Green side: points by round, then by place (14.2).
PLACES = ((4, 1, 0, 0, 0), (5, 2, 1, 0, 0), (6, 3, 2, 0, 0), (7, 4, 3, 0, 0))
# Blue side: points for each thing counted, up to this (14.3).
MOST_ON_BLUE = 5

# Which birds each condition asks for, as far as their cards decide it.
_FITTING: dict[Condition, frozenset[int]] = {
    condition: frozenset(number for number, card in enumerate(BIRDS) if condition.fits(card))
    for condition in [*(goal.condition for goal in GOALS), *(card.condition for card in BONUS_CARDS)]
}


def count(player: Player, condition: Condition) -> int:
    """How much of what the condition asks for the player has."""
    if condition.count is Counted.HAND:
        return len(player.hand)
    if condition.count is Counted.BIRDS_IN_SMALLEST_HABITAT:
        return min(len(row) for row in player.mat)
    if condition.count is Counted.EGG_SETS:
        return min(sum(on_mat.eggs for on_mat in row) for row in player.mat)
    fitting = _FITTING[condition]
    rows = player.mat if condition.habitat is None else (player.row(condition.habitat),)
    birds = [on for row in rows for on in row if on.bird in fitting and on.eggs >= condition.eggs_at_least]
    return sum(on_mat.eggs for on_mat in birds) if condition.count is Counted.EGGS else len(birds)


def goal_counts(players: Sequence[Player], goal: int) -> tuple[int, ...]:
    """What the goal counts, by seat (14.1)."""
    return tuple(count(player, GOALS[goal].condition) for player in players)


def goal_points(board: str, number: int, counts: Sequence[int]) -> tuple[int, ...]:
    """The points of the goal of a round, by seat (14.2, 14.3)."""
    if board != GREEN:
        return tuple(min(counted, MOST_ON_BLUE) for counted in counts)
    return tuple(_place_points(PLACES[number - 1], counted, counts) for counted in counts)


def _place_points(places: Sequence[int], counted: int, counts: Sequence[int]) -> int:
    """Those who tie share the places that they take up, rounded down; a count of 0 takes none."""
    if not counted:
        return 0
    ahead = sum(other > counted for other in counts)
    tied = sum(other == counted for other in counts)
    return sum(places[ahead : ahead + tied]) // tied


def bonus_count(player: Player, bonus: int) -> int:
    """What the bonus card counts (15.3)."""
    return count(player, BONUS_CARDS[bonus].condition)


def bonus_points(player: Player) -> int:
    """What all bonus cards of the player are worth (15.3)."""
    return sum(BONUS_CARDS[card].worth(bonus_count(player, card)) for card in player.bonus)


def open_shares(player: Player) -> dict[str, int]:
    """The points of the player that everybody can count at any time, by category (15.2)."""
    points = {"birds": 0, "goals": sum(player.goal_points), "eggs": 0, "cached": 0, "tucked": 0}
    for on_mat in mats.birds_of(player):
        points["birds"] += BIRDS[on_mat.bird].points
        points["eggs"] += on_mat.eggs
        points["cached"] += sum(on_mat.cached)
        points["tucked"] += len(on_mat.tucked)
    return points


def shares(player: Player) -> dict[str, int]:
    """All points of the player, by category (15.2)."""
    points = open_shares(player)
    return {"birds": points.pop("birds"), "bonus": bonus_points(player), **points}


def result(state: State) -> Result | None:
    """Highest total first, then most food; who ties in both shares the place (15.4)."""
    if state.keeping or state.active is not None:
        return None
    found = [shares(player) for player in state.players]
    return Result(placements(found, [sum(player.food) for player in state.players]), "rounds_played")


def placements(found: Sequence[dict[str, int]], foods: Sequence[int]) -> tuple[Placement, ...]:
    """The places by points, by category, and by food left (15.4)."""
    standing = [(sum(points.values()), food) for points, food in zip(found, foods, strict=True)]
    return tuple(
        Placement(
            seat,
            1 + sum(other > mine for other in standing),
            mine[0],
            tuple(Share(key, points) for key, points in found[seat].items()),
        )
        for seat, mine in enumerate(standing)
    )
