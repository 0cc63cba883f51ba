"""The table as zones and pieces, made from a view alone."""

from __future__ import annotations

from engine.core import Label, Piece, Scene, Zone
from engine.core.cards import Card, card_name
from engine.games.euchre.state import SEATS, UpcardState
from engine.games.euchre.view import View


def scene(view: View) -> Scene:
    """Hands, the trick, tricks won, the upcard, the kitty and the dealer's discard."""
    hands = tuple(_owned("hand", seat, _hand(view, seat)) for seat in SEATS)
    tricks = tuple(_owned("trick", seat, _played(view, seat)) for seat in SEATS)
    won = tuple(_owned("won", seat, _won(view, seat)) for seat in SEATS)
    return Scene((*hands, *tricks, *won, *_middle(view)))


def _owned(kind: str, seat: int, pieces: tuple[Piece, ...]) -> Zone:
    return Zone(f"{kind}/{seat}", kind, seat, Label(f"zone.{kind}", (("seat", str(seat)),)), pieces)


def _face_up(card: Card) -> Piece:
    return Piece(card_name(card))


def _face_down(count: int) -> tuple[Piece, ...]:
    return (Piece("", count),) if count else ()


def _hand(view: View, seat: int) -> tuple[Piece, ...]:
    if seat == view.seat and not view.hand_masked:
        return tuple(map(_face_up, view.hand))
    return _face_down(view.hand_sizes[seat])


def _played(view: View, seat: int) -> tuple[Piece, ...]:
    return tuple(_face_up(played.card) for played in view.trick if played.seat == seat)


def _won(view: View, seat: int) -> tuple[Piece, ...]:
    return tuple(_face_up(p.card) for trick in view.finished_tricks if trick.winner == seat for p in trick.cards)


def _middle(view: View) -> tuple[Zone, ...]:
    """The upcard stays in sight as long as it lies there, the kitty and the discard lie face down."""
    lies_there = view.upcard_state is not UpcardState.TAKEN
    discard = (_face_up(view.discard),) if view.discard is not None else _face_down(int(view.discarded))
    return (
        Zone("upcard", "upcard", None, Label("zone.upcard"), (_face_up(view.upcard),) if lies_there else ()),
        Zone("kitty", "kitty", None, Label("zone.kitty"), _face_down(view.kitty_size)),
        Zone("discard", "discard", view.dealer, Label("zone.discard"), discard),
    )
