"""Draw pile and discard pile while a move is carried out (section 7), and what happened so far."""

from __future__ import annotations

from engine.core.model import Fact
from engine.core.rng import Rng
from engine.games.cubirds.state import Birds, DiscardReshuffled, Event, State


class Supply:
    """Where new birds come from. ``facts`` tells what happened, in order; ``used`` whether a bird was turned or drawn.

    It lives as long as one move is carried out; the piles go back into the state at its end.
    """

    __slots__ = ("_rng", "discard_pile", "draw_pile", "facts", "used")

    def __init__(self, state: State, rng: Rng) -> None:
        self._rng = rng
        self.draw_pile = state.draw_pile
        self.discard_pile = state.discard_pile
        self.facts: list[Fact[Event]] = []
        self.used = False

    @property
    def size(self) -> int:
        """The birds in both piles."""
        return len(self.draw_pile) + len(self.discard_pile)

    def tell(self, seat: int | None, event: Event) -> None:
        """Something happened before everybody's eyes, done by ``seat``."""
        self.facts.append(Fact(seat, event))

    def tell_owner(self, seat: int, public: Event, owner: int, private: Event) -> None:
        """Something happened of which ``owner`` sees more than the others."""
        self.facts.append(Fact(seat, public, ((owner, private),)))

    def discard(self, birds: Birds) -> None:
        """Put the birds on the discard pile."""
        self.discard_pile = tuple(sorted(self.discard_pile + birds))

    def take(self, wanted: int) -> Birds:
        """Birds from the top of the draw pile; fewer than ``wanted`` only if both piles hold fewer."""
        self._replenish(wanted)
        birds, self.draw_pile = self.draw_pile[:wanted], self.draw_pile[wanted:]
        self.used = self.used or bool(birds)
        return birds

    def take_through_other(self, species: int) -> Birds:
        """Birds from the top up to and with the first that is not of ``species`` (3.4); all if there is none."""
        same = self._run(species)
        if same == len(self.draw_pile):
            self._replenish(same + 1)
            same = self._run(species)
        return self.take(same + 1)

    def _run(self, species: int) -> int:
        """How many birds of the species lie on top of the draw pile."""
        pile = self.draw_pile
        return next((at for at, bird in enumerate(pile) if bird != species), len(pile))

    def _replenish(self, wanted: int) -> None:
        """If the draw pile holds fewer birds than are wanted, the shuffled discard pile goes under it (7.1)."""
        if len(self.draw_pile) < wanted and self.discard_pile:
            self.tell(None, DiscardReshuffled(len(self.discard_pile)))
            self.draw_pile, self.discard_pile = self.draw_pile + self._rng.shuffle(self.discard_pile), ()
