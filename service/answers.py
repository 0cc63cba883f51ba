"""What a SubmitMove request asks, read once, and what remembers it."""

from __future__ import annotations

import hashlib

import msgspec

from engine.core import InvalidPosition, from_json, union_of
from service.errors import Reason, Refusal, malformed, request_id_reused
from service.names import read_request_id
from service.resources import Answer, Move, SubmitMoveRequest
from service.store import Memo
from service.table import Table

LONGEST_CHAIN = 100
_LONGEST_ID = 200


class Ask(msgspec.Struct, frozen=True):
    """A request with its answers in order; a single answer is a chain of one."""

    request: SubmitMoveRequest
    answers: tuple[Answer, ...]

    def field(self, i: int) -> str:
        """The path of an answer in the request, for refusals."""
        return f"moves[{i}]" if self.request.moves else "answer"


def read_ask(request: SubmitMoveRequest) -> Ask:
    """The request, if its form is right. Raises MALFORMED_REQUEST and MALFORMED_MOVE."""
    read_request_id(request.request_id)
    if not 0 < len(request.decision_id) <= _LONGEST_ID:
        raise malformed("decision_id", "is needed: the id of the open decision in the view")
    ask = Ask(request, request.moves or (Answer(request.move, request.offer_id),))
    if request.moves and (request.move is not None or request.offer_id is not None):
        raise malformed("moves", "must not stand beside move or offer_id", Reason.MALFORMED_MOVE)
    if len(request.moves) > LONGEST_CHAIN:
        raise malformed("moves", f"are more than {LONGEST_CHAIN}", Reason.MALFORMED_MOVE)
    for i, answer in enumerate(ask.answers):
        if answer.offer_id is None and (answer.move is None or answer.move.detail is None):
            raise malformed(ask.field(i), "needs a move or an offer_id", Reason.MALFORMED_MOVE)
        if answer.offer_id is not None and not 0 < len(answer.offer_id) <= _LONGEST_ID:
            raise malformed(ask.field(i), "is no offer_id", Reason.MALFORMED_MOVE)
    return ask


def typed_move(table: Table, move: Move, field: str) -> msgspec.Struct:
    """The game's own move in a Move. Raises MALFORMED_MOVE."""
    detail, game = move.detail, table.game
    if detail is not None and detail.arm == game.game_type:
        typed: msgspec.Struct | None = detail.reading(game.moves)
        if typed is None:
            raise malformed(field, f"is no move of {game.game_type} {game.rules_version}", Reason.MALFORMED_MOVE)
        return typed
    if detail is None or detail.arm != "plugin":
        raise malformed(field, f"is no move of {game.game_type}", Reason.MALFORMED_MOVE)
    try:
        plugin: msgspec.Struct = from_json(union_of(game.moves), detail.value)
    except InvalidPosition as error:
        raise malformed(f"{field}.plugin.{error.field}", error.reason, Reason.MALFORMED_MOVE) from None
    return plugin


def memos_of(ask: Ask, seat: int, table: Table) -> tuple[Memo, ...]:
    """What a commit of this request leaves behind: by request id if there is one, then by decision.

    The same move is the same answer, however it was written. Names hold the seat: nobody finds another's answers.
    """
    said = "\n".join(_notation(table, answer, ask.field(i)) for i, answer in enumerate(ask.answers))
    request = ask.request
    by_decision = Memo(f"{seat}:{request.decision_id}", _digest(said))
    if not request.request_id:
        return (by_decision,)
    whole = f"{request.decision_id}\n{request.expected_version}\n{said}"
    return Memo(f"{_BY_REQUEST}{seat}:{request.request_id.lower()}", _digest(whole)), by_decision


def clash(name: str, table: Table) -> Refusal:
    """The refusal of a request that meets a memo with another digest."""
    if name.startswith(_BY_REQUEST):
        return request_id_reused()
    return Refusal(
        Reason.DECISION_ALREADY_ANSWERED,
        "this decision was answered otherwise",
        metadata={"current_version": str(table.version)},
    )


# Other memos begin with a number: a decision id, which may be any text, is never taken for a request id.
_BY_REQUEST = "request:"


def _notation(table: Table, answer: Answer, field: str) -> str:
    if answer.move is None:
        return answer.offer_id or ""
    return table.game.notation(typed_move(table, answer.move, field))


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=12).digest()
