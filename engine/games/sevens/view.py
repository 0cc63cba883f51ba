"""What a viewer may know of a game of Sevens (section 7), and the same as zones and pieces."""

from __future__ import annotations

import enum
from bisect import bisect_left
from functools import lru_cache

import msgspec

from engine.core.cards import SUITS, SYMBOLS, Card, Suit, card_name, suit_of
from engine.core.model import Component, Label, Piece, Ref, Scene, Zone
from engine.games.sevens import rules
from engine.games.sevens.state import Move, Options, Play, State

# Their numbers: to hash an enum costs a call.
_SUITS = tuple(map(int, Suit))
PASS_TOKEN = "pass"  # noqa: S105 - a token to play with


class Status(enum.IntEnum):
    """How a player stands: the numbers of ``rookery.sevens.v1.Status``."""

    PLAYING = 1
    FINISHED = 2
    OUT = 3
    LAST = 4


class Row(msgspec.Struct, frozen=True, array_like=True, cache_hash=True):
    """One suit on the table. ``islands`` are the cards not connected with the seven (3.3), ``open`` may come next."""

    suit: Suit
    cards: tuple[Card, ...]
    lowest: Card
    highest: Card
    islands: tuple[Card, ...]
    open: tuple[Card, ...]


class Player(msgspec.Struct, frozen=True, array_like=True):
    """A player as everybody sees him; ``shown`` is the last player's hand at the end (7.4)."""

    hand_size: int
    passes_left: int
    status: Status
    place: int | None
    shown: tuple[Card, ...]


class View(msgspec.Struct, frozen=True, array_like=True):
    """The table as ``seat`` (None: a spectator) sees it. Only ``seat`` and ``hand`` differ between viewers."""

    seat: int | None
    options: Options
    rows: tuple[Row, ...]
    players: tuple[Player, ...]
    turn: int | None
    hand: tuple[Card, ...]


def view(state: State, seat: int | None) -> View:
    """Built from nothing: the table and the counts are public, the hand is the viewer's own (7.1, 7.2)."""
    places = rules.places(state)
    return View(
        seat=seat,
        options=state.options,
        rows=_rows(state.table),
        players=tuple(_player(state, other, place) for other, place in enumerate(places)),
        turn=state.turn,
        hand=() if seat is None else state.hands[seat],
    )


def _player(state: State, seat: int, place: int | None) -> Player:
    hand = state.hands[seat]
    status = _status(state, seat)
    return Player(len(hand), state.passes[seat], status, place, hand if status is Status.LAST else ())


def _status(state: State, seat: int) -> Status:
    if seat in state.finished:
        return Status.FINISHED
    if seat in state.out:
        return Status.OUT
    return Status.LAST if state.turn is None else Status.PLAYING


# Every player looks at the same table, and later ones at the same row: three in four stay with a move.
@lru_cache(maxsize=4096)
def _rows(table: tuple[int, ...]) -> tuple[Row, ...]:
    """The four rows. A table is ascending, so each suit is a slice of it."""
    ends = [0, *(bisect_left(table, 13 * suit + 1) for suit in _SUITS)]
    return tuple(_row(suit, table[ends[suit - 1] : ends[suit]]) for suit in _SUITS)


@lru_cache(maxsize=16_384)
def _row(suit: int, lying_here: tuple[int, ...]) -> Row:
    lying = rules.copies(lying_here)
    connected = rules.connected(lying_here)
    following = rules.open_cards(lying_here)
    cards = [card for card in rules.PACK if suit_of(card) == suit]
    run = [card for card in cards if connected[card]]
    return Row(
        suit=Suit(suit),
        cards=tuple(card for card in cards for _ in range(lying[card])),
        lowest=run[0],
        highest=run[-1],
        islands=tuple(card for card in cards for _ in range(lying[card] - connected[card])),
        open=tuple(card for card in cards if card in following),
    )


def scene(seen: View) -> Scene:
    """Four rows, then for each player the hand and the passes left."""
    rows = [
        Zone(_row_id(row.suit), "row", None, Label("zone.row", (("suit", SYMBOLS[row.suit - 1]),)), _face_up(row.cards))
        for row in seen.rows
    ]
    players = [zone for seat in range(len(seen.players)) for zone in _player_zones(seen, seat)]
    return Scene((*rows, *players))


def _player_zones(seen: View, seat: int) -> tuple[Zone, Zone]:
    player = seen.players[seat]
    known = seen.hand if seat == seen.seat else player.shown
    hidden = (Piece(count=player.hand_size),) if player.hand_size else ()
    tokens = (Piece(PASS_TOKEN, player.passes_left),) if player.passes_left else ()
    whose = (("seat", str(seat)),)
    return (
        Zone(f"hand/{seat}", "hand", seat, Label("zone.hand", whose), _face_up(known) or hidden),
        Zone(f"passes/{seat}", "passes", seat, Label("zone.passes", whose), tokens),
    )


def _face_up(cards: tuple[int, ...]) -> tuple[Piece, ...]:
    return tuple(Piece(card_name(card)) for card in cards)


def _row_id(suit: int) -> str:
    return f"row/{SUITS[suit - 1]}"


def refs(move: Move) -> tuple[Ref, ...]:
    """The card and the row it goes to; the token that a pass costs."""
    if isinstance(move, Play):
        return (Ref(piece=card_name(move.card)), Ref(zone=_row_id(suit_of(move.card))))
    return (Ref(piece=PASS_TOKEN),)


def pass_component() -> Component:
    """The token that stands for a pass; as many as the largest game can need."""
    return Component(PASS_TOKEN, "token", Label("token.pass"), rules.SEAT_COUNTS[-1] * rules.PASS_LIMITS[-1])
