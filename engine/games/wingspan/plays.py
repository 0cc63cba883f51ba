"""Playing a bird: from the hand, through its costs, onto the mat (6)."""

from __future__ import annotations

from msgspec.structs import replace

from engine.games.wingspan import events, frames, mats, reactions
from engine.games.wingspan.rows import BIRD_IDS, BIRDS
from engine.games.wingspan.state import MatBird, Playing
from engine.games.wingspan.table import Table
from engine.games.wingspan.terms import Habitat, Trigger


def choose(table: Table, seat: int, bird: int, habitat: Habitat | None) -> None:
    """The bird leaves the hand, for the habitat if it is settled already (6.1)."""
    table.leave_hand(seat, bird)
    table.playing = Playing(bird)
    table.tell(seat, events.BirdChosen(BIRD_IDS[bird]))
    if habitat is None:
        table.push(frames.ChooseHabitat(seat))
    else:
        pay(table, seat, habitat)


def pay(table: Table, seat: int, habitat: Habitat) -> None:
    """Plan eggs, food and the placing (6.3 to 6.6)."""
    assert table.playing is not None  # noqa: S101 - only a bird being played has a habitat to be chosen
    table.playing = replace(table.playing, habitat=habitat)
    table.tell(seat, events.HabitatChosen(BIRD_IDS[table.playing.bird], habitat))
    table.push(frames.PlaceBird(seat))
    cost = BIRDS[table.playing.bird].food_cost
    if sum(cost.foods) + cost.wild:
        a, b, c, d, e = cost.foods
        table.push(frames.PayFood(seat, (a, b, c, d, e), cost.wild, cost.alternatives))
    eggs = mats.egg_cost(table.players[seat], habitat)
    if eggs:
        table.push(frames.PayEggs(seat, eggs))


def place(table: Table, frame: frames.PlaceBird) -> None:
    """The bird goes to the leftmost free column; then reactions, then its own power (6.2, 6.6)."""
    assert table.playing is not None  # noqa: S101
    assert table.playing.habitat is not None  # noqa: S101 - both were settled before the costs were paid
    bird, habitat = table.playing.bird, table.playing.habitat
    table.playing = None
    row = (*table.players[frame.seat].row(habitat), MatBird(bird))
    table.set_row(frame.seat, habitat, row)
    table.tell(frame.seat, events.BirdPlayed(BIRD_IDS[bird], habitat, len(row)))
    if BIRDS[bird].trigger is Trigger.WHEN_PLAYED:
        table.push(frames.Power(frame.seat, bird))
    reactions.to_play(table, habitat)
