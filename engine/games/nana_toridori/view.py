"""What a viewer may know of a game of Nana Toridori (section 11), and the same as zones and pieces."""

from __future__ import annotations

import msgspec

from engine.core.model import Component, Label, Piece, Ref, Scene, Zone
from engine.games.nana_toridori import rounds
from engine.games.nana_toridori.state import (
    BASIC,
    HIGHEST,
    Card,
    Cards,
    Discard,
    DiscardFront,
    Keep,
    Move,
    Options,
    Phase,
    Play,
    RoundSummary,
    State,
    Take,
)

PENGUIN = "penguin"
POINT = "point"
MOST_POINTS = rounds.TARGET + rounds.IN_BETWEEN

_PIECES = tuple(Piece(str(value)) for value in range(HIGHEST + 1))


class Player(msgspec.Struct, frozen=True, array_like=True):
    """A player as everybody sees him. ``known`` cards are in the hand for certain, whatever their place (11.3)."""

    hand_size: int
    known: Cards
    front: Cards
    penguins: int
    points: int
    place: int | None


class View(msgspec.Struct, frozen=True, array_like=True):
    """The table as ``seat`` (None: a spectator) sees it. Only ``seat``, ``hand``, ``drawn`` differ between viewers."""

    seat: int | None
    options: Options
    phase: Phase
    round_number: int
    leader: int
    turn: int | None
    hand: Cards
    players: tuple[Player, ...]
    table: Cards
    owner: int | None
    passes: int
    beaten: Cards
    drawn: Card | None
    draw_pile: int
    discard_pile: Cards
    last_round: RoundSummary | None


def view(state: State, seat: int | None) -> View:
    """Built from nothing: hand and drawn card are the viewer's own, the draw pile is a number (11.1, 11.2, 11.4)."""
    return View(
        seat=seat,
        options=state.options,
        phase=state.phase,
        round_number=state.round_number,
        leader=state.leader,
        turn=state.turn,
        hand=() if seat is None else state.hands[seat],
        players=tuple(_player(state, other) for other in range(len(state.hands))),
        table=state.table,
        owner=state.owner,
        passes=state.passes,
        beaten=state.beaten,
        drawn=state.drawn if seat is not None and seat == state.turn else None,
        draw_pile=len(state.draw_pile),
        discard_pile=state.discard_pile,
        last_round=state.last_round,
    )


def _player(state: State, seat: int) -> Player:
    return Player(
        hand_size=len(state.hands[seat]),
        known=state.known[seat],
        front=state.front[seat],
        penguins=state.penguins[seat],
        points=state.points[seat],
        place=state.finished.index(seat) + 1 if seat in state.finished else None,
    )


def scene(seen: View) -> Scene:
    """The middle of the table, then for each player the hand, the front cards, and penguins or points."""
    middle = (
        Zone("table", "table", seen.owner, Label("zone.table"), _face_up(seen.table)),
        Zone("beaten", "beaten", None, Label("zone.beaten"), _face_up(seen.beaten)),
        Zone("drawn", "drawn", seen.turn if seen.phase is Phase.KEEP else None, Label("zone.drawn"), _drawn(seen)),
        Zone("draw_pile", "draw_pile", None, Label("zone.draw_pile"), _several("", seen.draw_pile)),
        Zone("discard_pile", "discard_pile", None, Label("zone.discard_pile"), _face_up(seen.discard_pile)),
    )
    return Scene((*middle, *(zone for seat in range(len(seen.players)) for zone in _player_zones(seen, seat))))


def _drawn(seen: View) -> tuple[Piece, ...]:
    if seen.phase is not Phase.KEEP:
        return ()
    return (Piece(),) if seen.drawn is None else _face_up((seen.drawn,))


def _player_zones(seen: View, seat: int) -> tuple[Zone, ...]:
    player = seen.players[seat]
    whose = (("seat", str(seat)),)
    cards = _face_up(seen.hand) if seat == seen.seat else _several("", player.hand_size)
    hand = Zone(f"hand/{seat}", "hand", seat, Label("zone.hand", whose), cards)
    basic = seen.options.mode == BASIC
    token, number = (PENGUIN, player.penguins) if basic else (POINT, player.points)
    score = Zone(f"{token}s/{seat}", f"{token}s", seat, Label(f"zone.{token}s", whose), _several(token, number))
    if not rounds.is_duel(seen.options):
        return (hand, score)
    return (hand, Zone(f"front/{seat}", "front", seat, Label("zone.front", whose), _face_up(player.front)), score)


def _several(piece: str, number: int) -> tuple[Piece, ...]:
    return (Piece(piece, number),) if number else ()


def _face_up(cards: Cards) -> tuple[Piece, ...]:
    return tuple([_PIECES[card] for card in cards])


def refs(move: Move) -> tuple[Ref, ...]:
    """The places in the middle of the table that the move is about; a pass and the front cards have none there."""
    match move:
        case Play():
            return (Ref(zone="table"),)
        case Take():
            return (Ref(zone="beaten"),)
        case Keep():
            return (Ref(zone="drawn"),)
        case Discard() | DiscardFront():
            return (Ref(zone="discard_pile"),)
        case _:
            return ()


def catalogue() -> tuple[Component, ...]:
    """The cards by value, and what is counted: penguins and points."""
    cards = [
        Component(str(value), "card", Label("card", (("card", str(value)),)), rounds.COPIES, {"value": value})
        for value in rounds.VALUES
    ]
    most = rounds.SEAT_COUNTS[-1]
    penguins = Component(PENGUIN, "token", Label("token.penguin"), most * rounds.PENGUINS)
    return (*cards, penguins, Component(POINT, "token", Label("token.point"), most * MOST_POINTS))
