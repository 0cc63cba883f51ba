"""What a question is: what it offers, and what an answer does."""

from __future__ import annotations

import abc
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from engine.games.wingspan import moves
from engine.games.wingspan.moves import Move
from engine.games.wingspan.rows import BIRD_IDS
from engine.games.wingspan.table import Board, Table

F = TypeVar("F")
Q = TypeVar("Q", bound="type[Question[Any]]")


class Question(abc.ABC, Generic[F]):
    """One kind of *ask* frame."""

    # The kind of the prompt; everybody sees it.
    kind: ClassVar[str]
    # The clause that the question rests on where it belongs to an action, not to a power: for refusals.
    clause: ClassVar[str] = "4.5"
    # Whether the only possible answer is given at once: only where nothing hidden decides about it.
    answers_itself: ClassVar[bool] = False

    @abc.abstractmethod
    def offers(self, board: Board, frame: F) -> Sequence[Move]:
        """The answers besides the way out."""

    def is_asked(self, board: Board, frame: F, answers: Sequence[Move]) -> bool:
        """Whether to ask, by default if there is an answer. Everybody sees it: nothing hidden may decide it (16.3)."""
        del board, frame
        return len(answers) > 1 or (bool(answers) and not self.answers_itself)

    def way_out(self, frame: F) -> Move | None:
        """How to get out of it: by declining, by passing, or not at all (4.4)."""
        return moves.PASS if getattr(frame, "begun", False) else moves.DECLINE

    @abc.abstractmethod
    def answer(self, table: Table, frame: F, move: Any) -> None:
        """Do what the answer says; the frame is off the agenda already."""


class Demand(Question[F]):
    """A question that must be answered."""

    def way_out(self, frame: F) -> Move | None:
        """There is none."""
        del frame
        return None


QUESTIONS: dict[type, Question[Any]] = {}


def asks(frame: type) -> Callable[[Q], Q]:
    """Register the question of a frame."""

    def register(question: Q) -> Q:
        QUESTIONS[frame] = question()
        return question

    return register


def by_bird(make: Callable[[str], Move]) -> tuple[Move, ...]:
    """The move about each bird, made once."""
    return tuple(make(bird) for bird in BIRD_IDS)


DRAW_DECK = moves.DrawDeck()
RESET_FEEDER = moves.ResetFeeder()
DISCARD_CARD = by_bird(moves.DiscardCard)
DRAFT_CARD = by_bird(moves.DraftCard)
DRAW_TRAY = by_bird(moves.DrawTray)
PLACE_EGG = by_bird(moves.PlaceEgg)
PLAY_BIRD = by_bird(moves.PlayBird)
REMOVE_EGG = by_bird(moves.RemoveEgg)
REPEAT_POWER = by_bird(moves.RepeatPower)
TUCK_CARD = by_bird(moves.TuckCard)
USE_POWER = by_bird(moves.UsePower)
