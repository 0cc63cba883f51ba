"""A client that looks once and then only listens: it knows the events, not the rules, and keeps its own table."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.games.nana_toridori.state import (
    BeatenDiscarded,
    BeatenTaken,
    Drawn,
    DrawnDiscarded,
    DrawnKept,
    Event,
    FrontDiscarded,
    FrontKept,
    GameEnded,
    Passed,
    Played,
    RoundDealt,
    RoundEnded,
    TrickEnded,
    WentOut,
)
from engine.games.nana_toridori.view import View


class Follower:
    """The table as one viewer remembers it."""

    def __init__(self, view: View) -> None:
        self.seat = view.seat
        self.hand = list(view.hand)
        self.sizes = [player.hand_size for player in view.players]
        self.known: list[list[int]] = [[] for _ in view.players]
        self.front = [list(player.front) for player in view.players]
        self.places: list[int | None] = [None for _ in view.players]
        self.penguins = tuple(player.penguins for player in view.players)
        self.points = tuple(player.points for player in view.players)
        self.table: list[int] = []
        self.owner: int | None = None
        self.beaten: list[int] = []
        self.drawn: int | None = None
        self.discard_pile: list[int] = []
        self.draw_pile = view.draw_pile
        self.passes = 0

    def remembers(self) -> dict[str, Any]:
        """What can be compared with a view."""
        return {
            "hand": self.hand,
            "hand_size": self.sizes,
            "known": [sorted(known) for known in self.known],
            "front": self.front,
            "place": self.places,
            "penguins": list(self.penguins),
            "points": list(self.points),
            "table": self.table,
            "owner": self.owner,
            "beaten": self.beaten,
            "drawn": self.drawn,
            "discard_pile": self.discard_pile,
            "draw_pile": self.draw_pile,
            "passes": self.passes,
        }

    def hear(self, event: Event, seat: int | None) -> None:
        """Move the pieces as the event says."""
        if isinstance(event, TrickEnded | RoundEnded | RoundDealt | GameEnded):
            self._hear_frame(event)
        elif seat is not None:
            self._hear_player(event, seat)

    def _hear_player(self, event: Event, seat: int) -> None:
        match event:
            case Played(cards=played, front=front, start=start):
                self._play(seat, list(played), front, start)
            case BeatenTaken(cards=taken, position=position):
                self._gain(seat, list(taken), position, shown=True)
                self.beaten = []
            case BeatenDiscarded(cards=cards):
                self.discard_pile += cards
                self.beaten = []
            case Passed(passes=passes):
                self.passes = passes
            case WentOut(place=place):
                self.places[seat] = place
            case _:
                self._hear_single(event, seat)

    def _hear_single(self, event: Event, seat: int) -> None:
        """What is about one card."""
        match event:
            case Drawn(card=card, draw_pile=left):
                self.drawn, self.draw_pile = card, left
            case DrawnKept(card=card, position=position):
                self._gain(seat, [card or 0], position, shown=False)
                self.drawn = None
            case DrawnDiscarded(card=card):
                self.discard_pile.append(card)
                self.drawn = None
            case FrontKept(index=index, position=position):
                self._gain(seat, [self.front[seat].pop(index)], position, shown=True)
            case FrontDiscarded(index=index):
                self.discard_pile.append(self.front[seat].pop(index))
            case _:
                raise TypeError(f"nobody said what to do about {type(event).__name__}")

    def _play(self, seat: int, cards: list[int], front: tuple[int, ...], start: int | None) -> None:
        from_hand = len(cards) - len(front)
        for index in sorted(front, reverse=True):
            del self.front[seat][index]
        self.sizes[seat] -= from_hand
        for _ in range(from_hand):
            if cards[0] in self.known[seat]:
                self.known[seat].remove(cards[0])
        if start is not None:
            del self.hand[start : start + from_hand]
        self.beaten, self.table, self.owner, self.passes = self.table, cards, seat, 0

    def _gain(self, seat: int, cards: list[int], position: int | None, *, shown: bool) -> None:
        self.sizes[seat] += len(cards)
        if shown:
            self.known[seat] += cards
        if position is not None:
            self.hand[position:position] = cards

    def _hear_frame(self, event: TrickEnded | RoundEnded | RoundDealt | GameEnded) -> None:
        match event:
            case TrickEnded(cards=cards):
                self.discard_pile += cards
                self.table, self.owner, self.passes = [], None, 0
            case RoundEnded(penguins=penguins, points=points):
                self.penguins, self.points, self.passes = penguins, points, 0
            case RoundDealt():
                seats = len(self.sizes)
                self.hand = list(event.hand)
                self.sizes = [event.hand_size] * seats
                self.known = [[] for _ in range(seats)]
                self.front = [list(front.cards) for front in event.front] or [[] for _ in range(seats)]
                self.places = [None] * seats
                self.table, self.owner, self.discard_pile = [], None, []
                self.draw_pile = event.draw_pile
            case GameEnded():
                pass


def compared(view: View) -> dict[str, Any]:
    """The same parts of a view."""
    plain = msgspec.structs.asdict(view)
    players = [msgspec.structs.asdict(player) for player in view.players]
    own = ("hand_size", "known", "front", "place", "penguins", "points")
    parts = {name: [player[name] for player in players] for name in own}
    parts |= {name: plain[name] for name in ("hand", "table", "owner", "beaten", "drawn", "discard_pile")}
    parts |= {name: plain[name] for name in ("draw_pile", "passes")}
    return {name: _listed(value) for name, value in parts.items()}


def _listed(value: Any) -> Any:
    return [_listed(item) for item in value] if isinstance(value, tuple | list) else value
