"""How the worked examples of CuBirds are set up: see ``tests.vectors``.

There is one kind: a position, perhaps of fewer birds than the box holds, and moves by whoever is on turn. Birds are
written by their letters, moves with spaces instead of colons. ``taken``, ``refill`` and ``drawn`` tell of the last lay
or draw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from engine.core import IllegalMove, Rng, play
from engine.games.cubirds import GAME
from engine.games.cubirds.scoring import winners
from engine.games.cubirds.species import CODES, SPECIES, code_of
from engine.games.cubirds.state import (
    BirdsDrawn,
    BirdsTaken,
    Draw,
    Event,
    Flock,
    Lay,
    Move,
    NoDraw,
    NoFlock,
    Options,
    Phase,
    RowRefilled,
    Side,
    State,
)
from tests.vectors import Checks, Example, Kinds, alike

# Every move there is, by its notation: what a refused move looks like has to be found without the engine's list.
_EVERY_MOVE: tuple[Move, ...] = (
    *(Lay(species, row, side) for species in SPECIES for row in range(4) for side in Side),
    Draw(),
    NoDraw(),
    *map(Flock, SPECIES),
    NoFlock(),
)
MOVES = {GAME.notation(move): move for move in _EVERY_MOVE}


def state(example: Example) -> Checks:
    """A position and moves; the last one may be refused."""
    position = read_state(example.take("state"))
    told: list[Event] = []
    refused = False
    for number, text in enumerate(example.take("moves"), 1):
        assert not refused, "only the last move may be refused"
        assert position.turn is not None
        move = MOVES[text.replace(" ", ":")]
        try:
            step = play(GAME, position, position.turn, move, Rng(b"example", number))
        except IllegalMove:
            assert example.expect.get("illegal"), f"{text} is refused"
            refused = True
            continue
        if isinstance(move, Lay | Draw):
            told = [event for fact in step.facts if (event := fact.seen_by(position.turn)) is not None]
        position = step.state
    return _checks(position, told, refused=refused)


KINDS: Kinds = {"": state}


def read_birds(letters: str) -> tuple[int, ...]:
    """``OFP`` in that order."""
    return tuple(1 + CODES.index(letter) for letter in letters)


def write_birds(birds: Iterable[int]) -> str:
    """The letters, in order."""
    return "".join(map(code_of, birds))


def read_state(fields: dict[str, Any]) -> State:
    """A position in short: what is left out is empty, or as it is at the beginning."""
    known = {"players", "rows", "hands", "collections", "deck", "discard", "turn", "phase"}
    assert fields.keys() <= known, fields.keys() - known
    assert fields["players"] == len(fields["hands"])
    return State(
        options=Options(),
        phase=Phase[fields.get("phase", "lay").upper()],
        turn=fields["turn"],
        dealer=0,
        round=1,
        rows=tuple(map(read_birds, fields["rows"])),
        hands=tuple(tuple(sorted(read_birds(hand))) for hand in fields["hands"]),
        collections=tuple(tuple(sorted(read_birds(birds))) for birds in fields["collections"]),
        draw_pile=read_birds(fields["deck"]),
        discard_pile=tuple(sorted(read_birds(fields.get("discard", "")))),
    )


def _checks(position: State, told: list[Event], *, refused: bool) -> Checks:
    offers = [] if position.turn is None else GAME.legal_moves(position, position.turn)
    legal = [GAME.notation(move).replace(":", " ") for move in offers]
    over = position.phase is Phase.OVER
    result = GAME.result(position)
    return {
        "illegal": lambda _: refused,
        "rows": lambda _: list(map(write_birds, position.rows)),
        "hands": _multisets(position.hands),
        "collections": _multisets(position.collections),
        "deck": lambda _: write_birds(position.draw_pile),
        "deck_count": lambda _: len(position.draw_pile),
        "discard": lambda expected: "".join(alike(expected, write_birds(position.discard_pile))),
        "discard_count": lambda _: len(position.discard_pile),
        "taken": lambda _: _of(told, BirdsTaken),
        "refill": lambda _: _of(told, RowRefilled),
        "drawn": lambda _: _of(told, BirdsDrawn),
        "turn": lambda _: position.turn,
        "phase": lambda _: position.phase.name.lower(),
        "dealer": lambda _: position.dealer,
        "round": lambda _: position.round,
        "legal": lambda expected: alike(expected, legal),
        "legal_count": lambda _: len(legal),
        "legal_has": lambda expected: [text for text in expected if text in legal],
        "legal_lacks": lambda expected: [text for text in expected if text not in legal],
        "winners": lambda _: winners(position.collections) if over else None,
        "reason": lambda _: result.reason if result else None,
    }


def _multisets(places: tuple[tuple[int, ...], ...]) -> Callable[[list[str]], list[str]]:
    """The letters of each place in the order of the expected ones; ``*`` is not compared."""

    def check(expected: list[str]) -> list[str]:
        actual = list(map(write_birds, places))
        assert len(expected) == len(actual)
        pairs = zip(expected, actual, strict=True)
        return ["*" if wanted == "*" else "".join(alike(wanted, found)) for wanted, found in pairs]

    return check


def _of(told: list[Event], kind: type[BirdsTaken | RowRefilled | BirdsDrawn]) -> str:
    return "".join(write_birds(event.birds) for event in told if isinstance(event, kind))
