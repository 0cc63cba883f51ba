"""From an answer to the next question: the agenda is worked on until it asks (4.5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from msgspec.structs import replace

from engine.core import agenda
from engine.games.wingspan import effects, events, frames, mats, moves, plays, reactions, turns
from engine.games.wingspan.frames import Ask, Frame
from engine.games.wingspan.moves import Move
from engine.games.wingspan.questions import QUESTIONS
from engine.games.wingspan.questions.cards import take_drafted
from engine.games.wingspan.rows import BIRD_IDS, BIRDS
from engine.games.wingspan.state import State
from engine.games.wingspan.table import Board, Table
from engine.games.wingspan.terms import Trigger


def asking(state: State) -> Ask | None:
    """The question that is open: the agenda always rests on one (4.5)."""
    return cast("Ask", state.agenda[-1]) if state.agenda else None


def offers(board: Board, frame: Frame) -> tuple[Move, ...]:
    """Every answer to the question of the frame, the way out last."""
    question = QUESTIONS[type(frame)]
    out = question.way_out(frame)
    return tuple(question.offers(board, frame)) if out is None else (*question.offers(board, frame), out)


def answer(table: Table, move: Move) -> None:
    """Take the answer to the question on top of the agenda and go on to the next question."""
    frame, table.agenda = agenda.pop(table.agenda)
    take(table, frame, move)
    agenda.settle(table, _advance)


def take(table: Table, frame: Any, move: Move) -> None:
    """Do what one answer says."""
    if isinstance(move, moves.Pass):
        table.tell(frame.seat, events.Passed())
        return
    power = getattr(frame, "power", None)
    if isinstance(move, moves.Decline):
        table.tell(frame.seat, events.Declined(None if power is None else BIRD_IDS[power]))
        return
    question = QUESTIONS[type(frame)]
    if power is not None and question.way_out(frame) == moves.DECLINE:
        _begin(table, frame.seat, power)
    question.answer(table, frame, move)


def _begin(table: Table, seat: int, bird: int) -> None:
    """The owner uses the power; a reaction is used up by that (12.2)."""
    table.tell(seat, events.PowerUsed(BIRD_IDS[bird]))
    if BIRDS[bird].trigger is Trigger.ONCE_BETWEEN_TURNS:
        table.change_bird(seat, bird, reacted=True)


def _advance(table: Table) -> Table | None:
    """Resolve the top frame; None if it asks or there is none."""
    if not table.agenda:
        return None
    frame = table.agenda[-1]
    step = _STEPS.get(type(frame))
    if step is not None:
        table.agenda = table.agenda[:-1]
        step(table, frame)
        return table
    question = QUESTIONS[type(frame)]
    possible = question.offers(table, frame)
    if question.is_asked(table, frame, possible):
        return None
    # Nothing to choose from: the question is passed over, or its only answer is given.
    table.agenda = table.agenda[:-1]
    for move in possible:
        take(table, frame, move)
    return table


def _react(table: Table, frame: frames.Reactions) -> None:
    """The next bird that reacts, whoever owns it (12.4)."""
    bird, *others = frame.birds
    if others:
        table.push(replace(frame, birds=tuple(others)))
    for seat, player in enumerate(table.players):
        if any(on_mat.bird == bird for on_mat in mats.birds_of(player)):
            table.push(frames.Power(seat, bird))


def _after_benefit(table: Table, frame: frames.AfterBenefit) -> None:
    reactions.to_action(table, frame.action)


def _draft_rest(table: Table, frame: frames.DraftRest) -> None:
    """The card left over is the owner's (11.16)."""
    for card in table.drafting:
        take_drafted(table, frame.seat, card)


_STEPS: dict[type, Callable[[Table, Any], None]] = {
    frames.PlaceBird: plays.place,
    frames.DraftRest: _draft_rest,
    frames.Power: effects.begin,
    frames.Activation: turns.activate,
    frames.AfterBenefit: _after_benefit,
    frames.Reactions: _react,
    frames.EndTurn: turns.end_turn,
}
