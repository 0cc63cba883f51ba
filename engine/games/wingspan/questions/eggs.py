"""Questions about eggs."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from engine.games.wingspan import effects, frames, mats, moves
from engine.games.wingspan.moves import Move
from engine.games.wingspan.questions.base import PLACE_EGG, REMOVE_EGG, Question, asks
from engine.games.wingspan.rows import BIRD_OF
from engine.games.wingspan.table import Board, Table


@asks(frames.LayEggs)
class LayEggs(Question[frames.LayEggs]):
    """One egg at a time (8.1)."""

    kind = "place_egg"
    clause = "8.1"

    def offers(self, board: Board, frame: frames.LayEggs) -> Sequence[Move]:
        """The own birds with room that fit."""
        birds = mats.with_room(board.players[frame.seat], frame.nest)
        return [
            PLACE_EGG[bird]
            for bird in birds
            if (frame.only is None or bird == frame.only) and (frame.exclude is None or bird != frame.exclude)
        ]

    def answer(self, table: Table, frame: frames.LayEggs, move: moves.PlaceEgg) -> None:
        """The owner's additional egg of a common laying goes onto another bird (11.12)."""
        bird = BIRD_OF[move.bird]
        table.lay(frame.seat, bird)
        if frame.left > 1:
            table.push(replace(frame, left=frame.left - 1, begun=True))
        elif frame.owner_extra:
            table.push(replace(frame, exclude=bird, owner_extra=False))


@asks(frames.RemoveEgg)
class RemoveEgg(Question[frames.RemoveEgg]):
    """The egg that a power costs (11.20, 11.21)."""

    kind = "remove_egg"

    def offers(self, board: Board, frame: frames.RemoveEgg) -> Sequence[Move]:
        """The own birds that hold one."""
        return removable(board, frame.seat, frame.exclude)

    def answer(self, table: Table, frame: frames.RemoveEgg, move: moves.RemoveEgg) -> None:
        """Then the power goes on."""
        table.remove_egg(frame.seat, BIRD_OF[move.bird])
        effects.resolve(table, frame.seat, frame.power)


def removable(board: Board, seat: int, exclude: int | None = None) -> list[Move]:
    """The own birds that hold an egg."""
    return [REMOVE_EGG[bird] for bird in mats.with_egg(board.players[seat], exclude)]
