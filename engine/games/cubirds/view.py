"""What a viewer may know of a game of CuBirds (section 8), and the same as zones and pieces."""

from __future__ import annotations

from itertools import groupby

import msgspec

from engine.core.model import Component, Label, Piece, Ref, Scene, Zone
from engine.games.cubirds.scoring import winners
from engine.games.cubirds.species import COPIES, PRINTED, SPECIES, code_of, name_of
from engine.games.cubirds.state import Birds, Draw, Flock, Lay, Move, NoDraw, Phase, State

DRAW_PILE = "draw_pile"
DISCARD_PILE = "discard_pile"


class Row(msgspec.Struct, frozen=True, array_like=True):
    """A row on the table, from left to right."""

    birds: Birds


class Player(msgspec.Struct, frozen=True, array_like=True):
    """A player as everybody sees him."""

    hand_size: int
    collection: Birds


class View(msgspec.Struct, frozen=True, array_like=True):
    """The table as ``seat`` (None: a spectator) sees it. Only ``seat`` and ``hand`` differ between viewers."""

    seat: int | None
    phase: Phase
    round: int
    dealer: int
    turn: int | None
    rows: tuple[Row, ...]
    players: tuple[Player, ...]
    hand: Birds
    draw_pile_size: int
    discard_pile_size: int
    winners: tuple[int, ...]


def view(state: State, seat: int | None) -> View:
    """Built from nothing: rows, collections and sizes are public, the hand is the viewer's own (8.1, 8.4, 8.5)."""
    return View(
        seat=seat,
        phase=state.phase,
        round=state.round,
        dealer=state.dealer,
        turn=state.turn,
        rows=tuple(map(Row, state.rows)),
        players=tuple(
            Player(len(hand), collection) for hand, collection in zip(state.hands, state.collections, strict=True)
        ),
        hand=() if seat is None else state.hands[seat],
        draw_pile_size=len(state.draw_pile),
        discard_pile_size=len(state.discard_pile),
        winners=winners(state.collections) if state.phase is Phase.OVER else (),
    )


def scene(seen: View) -> Scene:
    """The rows, both piles, then for each player the hand and the collection."""
    rows = [
        Zone(f"row/{at}", "row", None, Label("zone.row", (("row", str(at)),)), _face_up(row.birds))
        for at, row in enumerate(seen.rows)
    ]
    piles = [
        Zone(pile, pile, None, Label(f"zone.{pile}"), _face_down(size))
        for pile, size in ((DRAW_PILE, seen.draw_pile_size), (DISCARD_PILE, seen.discard_pile_size))
    ]
    players = [zone for seat in range(len(seen.players)) for zone in _player_zones(seen, seat)]
    return Scene((*rows, *piles, *players))


def _player_zones(seen: View, seat: int) -> tuple[Zone, Zone]:
    player = seen.players[seat]
    hand = _face_up(seen.hand) if seat == seen.seat else _face_down(player.hand_size)
    whose = (("seat", str(seat)),)
    return (
        Zone(f"hand/{seat}", "hand", seat, Label("zone.hand", whose), hand),
        Zone(f"collection/{seat}", "collection", seat, Label("zone.collection", whose), _face_up(player.collection)),
    )


def _face_up(birds: Birds) -> tuple[Piece, ...]:
    """Equal neighbours lie together."""
    return tuple(Piece(name_of(bird), len(tuple(block))) for bird, block in groupby(birds))


def _face_down(count: int) -> tuple[Piece, ...]:
    return (Piece(count=count),) if count else ()


def refs(move: Move) -> tuple[Ref, ...]:
    """The species, the row, the draw pile. Declining a flock is about nothing in sight."""
    match move:
        case Lay(species=species, row=row):
            return (Ref(piece=name_of(species)), Ref(zone=f"row/{row}"))
        case Flock(species=species):
            return (Ref(piece=name_of(species)),)
        case Draw() | NoDraw():
            return (Ref(zone=DRAW_PILE),)
    return ()


def components() -> tuple[Component, ...]:
    """The eight species: ``attributes`` tell the letter in offer ids and the sizes of the flocks (1.2)."""
    return tuple(
        Component(
            id=printed.name,
            kind="bird",
            label=Label("bird", (("name", f"$bird.{printed.name}"), ("letter", code_of(species)))),
            copies=COPIES[species],
            attributes={
                "letter": printed.code,
                "number": species,
                "small_flock": printed.small_flock,
                "big_flock": printed.big_flock,
            },
        )
        for species, printed in zip(SPECIES, PRINTED, strict=True)
    )
