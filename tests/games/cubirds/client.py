"""A client that keeps its own table by the events alone, once it has seen the opening."""

from __future__ import annotations

from collections import Counter

from engine.games.cubirds.state import (
    BirdsDealt,
    BirdsDrawn,
    BirdsLaid,
    BirdsTaken,
    DiscardReshuffled,
    Event,
    FlockCompleted,
    GameEnded,
    RoundBegan,
    RoundEnded,
    RowRefilled,
    Side,
)
from engine.games.cubirds.view import View


class Client:
    """The viewer's own hand as birds, everything else as everybody sees it."""

    def __init__(self, view: View) -> None:
        self.viewer = view.seat
        self.rows = [list(row.birds) for row in view.rows]
        self.hand_sizes = [player.hand_size for player in view.players]
        self.collections = [Counter(player.collection) for player in view.players]
        self.draw_pile, self.discard_pile = view.draw_pile_size, view.discard_pile_size
        self.hand = Counter(view.hand)
        self.round, self.dealer = view.round, view.dealer
        self.winners: tuple[int, ...] = ()
        self.laid: BirdsLaid | None = None

    def assert_as_seen(self, view: View) -> None:
        """The client's table is what the view shows."""
        assert [list(row.birds) for row in view.rows] == self.rows
        assert [player.hand_size for player in view.players] == self.hand_sizes
        assert [Counter(player.collection) for player in view.players] == self.collections
        assert (view.draw_pile_size, view.discard_pile_size) == (self.draw_pile, self.discard_pile)
        assert Counter(view.hand) == +self.hand
        assert (view.round, view.dealer, view.winners) == (self.round, self.dealer, self.winners)

    def learn(self, seat: int | None, event: Event) -> None:
        """Something happened, done by ``seat``."""
        if seat is None:
            self._learn_of_the_game(event)
        elif isinstance(event, BirdsLaid | BirdsTaken | RowRefilled):
            self._learn_of_a_row(seat, event)
        else:
            self._learn_of_a_hand(seat, event)

    def _learn_of_the_game(self, event: Event) -> None:
        match event:
            case DiscardReshuffled(count=count):
                assert count == self.discard_pile
                self.draw_pile, self.discard_pile = self.draw_pile + count, 0
            case GameEnded(winners=winners, collected=collected):
                assert list(collected) == [birds.total() for birds in self.collections]
                self.winners = winners
            case _:
                raise AssertionError(event)

    def _learn_of_a_row(self, seat: int, event: BirdsLaid | BirdsTaken | RowRefilled) -> None:
        row = self.rows[event.row]
        match event:
            case BirdsLaid(species=species, count=count, side=side):
                self._lose(seat, species, count)
                self.laid = event
                row[:] = [species] * count + row if side is Side.LEFT else row + [species] * count
            case BirdsTaken(birds=birds):
                # They lay beside the birds just laid.
                assert self.laid is not None
                inner = self.laid.count
                first = inner if self.laid.side is Side.LEFT else len(row) - inner - len(birds)
                assert tuple(row[first : first + len(birds)]) == birds
                del row[first : first + len(birds)]
                self._gain(seat, len(birds), birds)
            case RowRefilled(side=side, birds=birds):
                for bird in birds:
                    row.insert(0 if side is Side.LEFT else len(row), bird)
                self.draw_pile -= len(birds)

    def _learn_of_a_hand(self, seat: int, event: Event) -> None:
        match event:
            case BirdsDrawn(count=count, birds=birds):
                self._gain_hidden(seat, count, birds)
            case BirdsDealt(player=player, count=count, birds=birds):
                self._gain_hidden(player, count, birds)
            case FlockCompleted(species=species, revealed=revealed, banked=banked, discarded=discarded):
                assert revealed == banked + discarded
                self._lose(seat, species, revealed)
                self.collections[seat][species] += banked
                self.discard_pile += discarded
            case RoundEnded(discarded=by_seat):
                assert list(by_seat) == self.hand_sizes
                self.discard_pile += sum(by_seat)
                self.hand_sizes = [0] * len(by_seat)
                self.hand.clear()
            case RoundBegan(round=number):
                self.round, self.dealer = number, seat

    def _lose(self, seat: int, species: int, count: int) -> None:
        self.hand_sizes[seat] -= count
        if seat == self.viewer:
            self.hand[species] -= count

    def _gain(self, seat: int, count: int, birds: tuple[int, ...]) -> None:
        self.hand_sizes[seat] += count
        if seat == self.viewer:
            assert len(birds) == count, "a viewer sees what comes into the own hand"
            self.hand.update(birds)

    def _gain_hidden(self, seat: int, count: int, birds: tuple[int, ...]) -> None:
        assert seat == self.viewer or not birds, "nobody sees what comes into another hand"
        self.draw_pile -= count
        self._gain(seat, count, birds)
