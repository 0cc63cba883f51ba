"""Who may react to what another player does (12)."""

from __future__ import annotations

from collections.abc import Callable

from engine.games.wingspan import frames, mats, powers
from engine.games.wingspan.powers import Effect
from engine.games.wingspan.rows import BIRDS
from engine.games.wingspan.table import Table
from engine.games.wingspan.terms import Action, Habitat, Trigger


def to_action(table: Table, action: Action) -> None:
    """Eggs laid or food gained by the action, whose benefit and trade are done (12.3)."""
    if action is Action.LAY_EGGS:
        _plan(table, lambda effect: isinstance(effect, powers.ReactLayNest))
    else:
        _plan(table, lambda effect: isinstance(effect, powers.ReactSupplyCache) and effect.food in table.gained)


def to_play(table: Table, habitat: Habitat) -> None:
    """A bird played into the habitat, by action or by a power (12.3)."""
    kinds = (powers.ReactSupplyGain, powers.ReactTuckFromHand)
    _plan(table, lambda effect: isinstance(effect, kinds) and effect.habitat == habitat)


def to_hunt(table: Table) -> None:
    """A hunt that succeeded (12.3)."""
    _plan(table, lambda effect: isinstance(effect, powers.ReactFeederDie))


def _plan(table: Table, reacts: Callable[[Effect], bool]) -> None:
    """The birds that react, clockwise from the active seat's left, each seat's in the order of its mat (12.4)."""
    assert table.active is not None  # noqa: S101 - only somebody's turn can be reacted to
    seats = len(table.players)
    birds = tuple(
        on_mat.bird
        for step in range(1, seats)
        for on_mat in mats.birds_of(table.players[(table.active + step) % seats])
        if (card := BIRDS[on_mat.bird]).trigger is Trigger.ONCE_BETWEEN_TURNS
        and not on_mat.reacted
        and reacts(card.effect)
    )
    if birds:
        table.push(frames.Reactions(birds))
