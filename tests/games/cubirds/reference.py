"""CuBirds once more, slowly and in another way: the oracle of the property tests. Nothing of the engine is in here.

Birds are letters, a hand is a ``Counter``, a row a string, and everything is changed in place, as cards on a table are.
Rows are only ever worked on from the right: a lay on the left is done in the mirror.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

# Letter: birds, small flock, big flock.
BOX = {
    "F": (7, 2, 3),
    "O": (10, 3, 4),
    "T": (10, 3, 4),
    "D": (13, 4, 6),
    "P": (13, 4, 6),
    "M": (17, 5, 7),
    "W": (20, 6, 9),
    "R": (20, 6, 9),
}
ORDER = "".join(BOX)

# Gives the discard pile, which comes in the order of the box, in the order in which it is to be drawn.
Shuffle = Callable[[str], str]


class Table:
    """A game of CuBirds on a table; ``question`` is lay, draw, flock or over."""

    def __init__(
        self, rows: list[str], hands: list[str], collections: list[str], deck: str, discard: str, player: int
    ) -> None:
        self.rows = rows
        self.hands = [Counter(hand) for hand in hands]
        self.collections = [Counter(birds) for birds in collections]
        self.deck = list(deck)
        self.discard = Counter(discard)
        self.player = player
        self.dealer = player
        self.round = 1
        self.question = "lay"
        self.winners: list[int] = []

    def answers(self) -> set[str]:
        """What the player may say."""
        hand = +self.hands[self.player]
        if self.question == "lay":
            return {f"lay:{bird}:{row}:{side}" for bird in hand for row in "0123" for side in ("left", "right")}
        if self.question == "draw":
            return {"draw:yes", "draw:no"}
        if self.question == "flock":
            return {"flock:none"} | {f"flock:{bird}" for bird, count in hand.items() if count >= BOX[bird][1]}
        return set()

    def say(self, answer: str, shuffle: Shuffle) -> None:
        """Carry out the answer."""
        word, *rest = answer.split(":")
        if word == "lay":
            self._lay(rest[0], int(rest[1]), mirrored=rest[2] == "left", shuffle=shuffle)
        elif word == "draw":
            if rest == ["yes"]:
                for _ in range(min(2, len(self.deck) + self.discard.total())):
                    self.hands[self.player][self._turn_up(shuffle)] += 1
            self._after_drawing(shuffle)
        else:
            if rest != ["none"]:
                self._flock(rest[0])
            self._finish_turn(shuffle)

    def _turn_up(self, shuffle: Shuffle) -> str:
        """The next bird; one at a time, shuffling only when there is none left."""
        if not self.deck:
            self.deck = list(shuffle("".join(bird * self.discard[bird] for bird in ORDER)))
            self.discard.clear()
        return self.deck.pop(0)

    def _lay(self, bird: str, at: int, *, mirrored: bool, shuffle: Shuffle) -> None:
        row = self.rows[at][::-1] if mirrored else self.rows[at]
        count = self.hands[self.player].pop(bird)
        caught = ""
        if bird in row:
            # Walk in from the right until the first bird of the kind.
            while not row.endswith(bird):
                caught = row[-1] + caught
                row = row[:-1]
        row += bird * count
        self.hands[self.player].update(caught)
        if caught:
            while len(set(row)) < 2 and (self.deck or self.discard.total()):
                row += self._turn_up(shuffle)
        self.rows[at] = row[::-1] if mirrored else row
        if not caught and (self.deck or self.discard.total()):
            self.question = "draw"
        else:
            self._after_drawing(shuffle)

    def _after_drawing(self, shuffle: Shuffle) -> None:
        if self.hands[self.player].total():
            self.question = "flock"
        else:
            self._finish_turn(shuffle)

    def _flock(self, bird: str) -> None:
        count = self.hands[self.player].pop(bird)
        home = 2 if count >= BOX[bird][2] else 1
        self.collections[self.player][bird] += home
        self.discard[bird] += count - home

    def _finish_turn(self, shuffle: Shuffle) -> None:
        mine = self.collections[self.player]
        threes = [bird for bird in ORDER if mine[bird] > 2]
        if len(+mine) > 6 or len(threes) > 1:
            self.question, self.winners = "over", [self.player]
        elif self.hands[self.player].total():
            self.question, self.player = "lay", (self.player + 1) % len(self.hands)
        else:
            self._new_round(shuffle)

    def _new_round(self, shuffle: Shuffle) -> None:
        for hand in self.hands:
            self.discard.update(hand)
            hand.clear()
        if len(self.deck) + self.discard.total() < 8 * len(self.hands):
            sizes = [birds.total() for birds in self.collections]
            self.question, self.winners = "over", [seat for seat, size in enumerate(sizes) if size == max(sizes)]
            return
        for step in range(len(self.hands)):
            for _ in range(8):
                self.hands[(self.player + step) % len(self.hands)][self._turn_up(shuffle)] += 1
        self.question, self.dealer, self.round = "lay", self.player, self.round + 1
