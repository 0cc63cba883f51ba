"""The table, the offers and the result as lines of text, from a view alone."""

from __future__ import annotations

from collections.abc import Sequence

from clients.text.page import columns, flow, rule
from clients.text.words import Words
from rookery.v1 import event_pb2, game_pb2, move_pb2, view_pb2


class Drawing:
    """How one viewer's game looks."""

    def __init__(self, words: Words, title: str, seat: int) -> None:
        self._words = words
        self._title = title
        self._seat = seat

    def name(self, view: view_pb2.View, seat: int) -> str:
        """Who sits there."""
        return f"{view.seats[seat].display_name} ({self._words.own('seat', seat=seat)})"

    def table(self, view: view_pb2.View) -> list[str]:
        """The zones: what is common first, one's own last, next to the question."""
        seats = [seat.seat for seat in view.seats]
        others = [seat for seat in seats if seat != self._seat]
        lines = ["", rule(self._title)]
        common = [zone for zone in view.scene.zones if not zone.HasField("seat")]
        lines += flow(map(self._zone, filter(_filled, common)))
        for seat in (*others, self._seat):
            own = [zone for zone in view.scene.zones if zone.HasField("seat") and zone.seat == seat]
            lines += flow([self.name(view, seat), *map(self._zone, filter(_filled, own))], hang="  ")
        return lines

    def _zone(self, zone: view_pb2.Zone) -> str:
        return f"{self._words.label(zone.label)}: {_joined([self._piece(piece) for piece in zone.pieces])}"

    def _piece(self, piece: view_pb2.Piece) -> str:
        if not piece.piece:
            return self._words.own("face_down", count=piece.count)
        name = self._words.piece(piece.piece)
        return name if piece.count == 1 else f"{name} ×{piece.count}"

    def events(self, events: Sequence[event_pb2.Event]) -> list[str]:
        """What happened."""
        return [line for event in events for line in flow([self._words.label(event.text)], "  ")]

    def question(self, decision: move_pb2.Decision) -> list[str]:
        """The prompt and the offers, numbered from 1."""
        offers = [f"{i:>3} {self._words.label(offer.label)}" for i, offer in enumerate(decision.offers, 1)]
        return [*flow([self._words.label(decision.prompt)]), *columns(offers)]

    def names(self, decision: move_pb2.Decision) -> list[str]:
        """The offers with the names that can be typed instead of their numbers."""
        offers = enumerate(decision.offers, 1)
        return columns([f"{i:>3} {self._words.label(offer.label)} [{offer.offer_id}]" for i, offer in offers])

    def waiting(self, view: view_pb2.View) -> list[str]:
        """Whom one waits for."""
        names = ", ".join(self.name(view, awaited.seat) for awaited in view.awaiting)
        return flow([self._words.own("waiting", names=names)])

    def result(self, view: view_pb2.View) -> list[str]:
        """How it ended, the best first."""
        if view.state == game_pb2.GAME_STATE_ABORTED:
            return [self._words.own("aborted")]
        reason = self._words.message(f"reason.{view.result.reason}")
        lines = [rule(self._words.own("over")), *flow([reason])]
        for place in sorted(view.result.placements, key=lambda place: (place.rank, place.seat)):
            said = self._words.own("points", name=self.name(view, place.seat), score=place.score)
            shares = [f"{self._words.message(f'share.{share.key}')} {share.points}" for share in place.breakdown]
            lines += flow([f"{place.rank}. {said}", *([f"({', '.join(shares)})"] if shares else [])])
        return lines


def _filled(zone: view_pb2.Zone) -> bool:
    return bool(zone.pieces)


def _joined(pieces: list[str]) -> str:
    """Short names stand side by side, longer ones need commas."""
    return (" " if all(len(piece) <= 3 for piece in pieces) else ", ").join(pieces)
