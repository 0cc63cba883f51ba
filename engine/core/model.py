"""The values that every game speaks in: prompts, facts, steps, results, labels.

All are frozen. Seats are numbered from 0. Integers fit into 32 bits.
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import msgspec

S = TypeVar("S")
E = TypeVar("E")


class Prompt(msgspec.Struct, frozen=True, array_like=True):
    """One open question: ``seat`` owes an answer. ``kind`` is public, so it must not tell a secret."""

    seat: int
    kind: str


class Fact(msgspec.Struct, Generic[E], frozen=True, array_like=True):
    """Something that happened, as each viewer may know it.

    ``seat`` did it (None: the game itself). ``public`` is what everybody learns; None means that nobody outside
    ``private`` learns that anything happened. ``private`` are (seat, event) pairs: what these seats learn instead.
    """

    seat: int | None
    public: E | None
    private: tuple[tuple[int, E], ...] = ()

    def seen_by(self, seat: int | None) -> E | None:
        """The event as ``seat`` (None: a spectator) learns it, or None."""
        for owner, event in self.private:
            if owner == seat:
                return event
        return self.public


class Step(msgspec.Struct, Generic[S, E], frozen=True):
    """What a move made of a state.

    ``reveals`` says that the acting seat learned something that it could not have worked out from its view and its own
    move (a card drawn, a hand uncovered). A chain of moves stops there: what comes after must be asked again.
    """

    state: S
    facts: tuple[Fact[E], ...] = ()
    reveals: bool = False


class Share(msgspec.Struct, frozen=True, array_like=True):
    """One line of a score's breakdown."""

    key: str
    points: int


class Placement(msgspec.Struct, frozen=True, array_like=True):
    """Where a seat came out: ``rank`` 1 is best, ties share a rank."""

    seat: int
    rank: int
    score: int
    breakdown: tuple[Share, ...] = ()


class Result(msgspec.Struct, frozen=True, array_like=True):
    """The end of a game: one placement per seat, in seat order, and why it ended (a key like ``target_reached``)."""

    placements: tuple[Placement, ...]
    reason: str


class Label(msgspec.Struct, frozen=True, array_like=True):
    """A text by key and arguments, to be said in any language: ``messages()`` of the game holds the templates.

    ``args`` are (name, value) pairs; a value is language-neutral (a card ``7♦``) or, after a ``$``, a message key.
    """

    key: str
    args: tuple[tuple[str, str], ...] = ()


class Ref(msgspec.Struct, frozen=True, array_like=True):
    """What an offer is about: a piece of the catalogue (``piece``), a place on the table (``zone``), or both."""

    piece: str = ""
    zone: str = ""


class Component(msgspec.Struct, frozen=True, array_like=True):
    """A static thing that a client draws: a card, a tile, a die. ``attributes`` are plain JSON values."""

    id: str
    kind: str
    label: Label
    copies: int = 1
    attributes: dict[str, Any] = {}


class OptionSpec(msgspec.Struct, frozen=True, array_like=True):
    """An option as a client may offer it; ``choices`` are the allowed values, ``default`` one of them (or None)."""

    name: str
    label: Label
    default: bool | int | str | None
    choices: tuple[bool | int | str, ...]


class Piece(msgspec.Struct, frozen=True, array_like=True):
    """A piece in a scene: ``piece`` is a catalogue id, empty when face down; ``count`` equal ones lie together."""

    piece: str = ""
    count: int = 1


class Zone(msgspec.Struct, frozen=True, array_like=True):
    """A place on the table, for clients that know no game. ``seat`` owns it, None: it is common."""

    id: str
    kind: str
    seat: int | None
    label: Label
    pieces: tuple[Piece, ...] = ()


class Scene(msgspec.Struct, frozen=True, array_like=True):
    """The table as zones and pieces, made from a view and from nothing else."""

    zones: tuple[Zone, ...] = ()


class IllegalMove(Exception):  # noqa: N818 - the term of the engine contract
    """The move breaks a rule: ``clause`` of the game's RULES.md. ``reason`` tells own-side facts only."""

    def __init__(self, reason: str, clause: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.clause = clause


class NotAsked(Exception):  # noqa: N818 - a refusal, not a breakdown
    """Nothing is asked of this seat."""


class InvalidOptions(Exception):  # noqa: N818
    """The options (or the number of seats) are not of this game. ``field`` names the wrong one."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


class InvalidPosition(Exception):  # noqa: N818
    """A state that the rules cannot reach or that is not a state at all. ``field`` is the path of the wrong field."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason
