"""Questions about playing a bird (6)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from engine.games.wingspan import costs, frames, moves, plays
from engine.games.wingspan.moves import Move
from engine.games.wingspan.questions.base import PLAY_BIRD, Demand, Question, asks
from engine.games.wingspan.questions.eggs import removable
from engine.games.wingspan.rows import BIRD_OF
from engine.games.wingspan.table import Board, Table
from engine.games.wingspan.terms import Habitat

CHOOSE_HABITAT = {habitat: moves.ChooseHabitat(habitat) for habitat in Habitat}


@asks(frames.ExtraPlay)
class ExtraPlay(Question[frames.ExtraPlay]):
    """One more bird (11.26)."""

    kind = "extra_play"

    def offers(self, board: Board, frame: frames.ExtraPlay) -> Sequence[Move]:
        """The hand cards that can be paid and placed there."""
        return [PLAY_BIRD[bird] for bird in costs.playable(board.players[frame.seat], frame.habitat)]

    def is_asked(self, board: Board, frame: frames.ExtraPlay, answers: Sequence[Move]) -> bool:
        """Whenever any card might be played for all that others know: which ones are in the hand is hidden."""
        del answers
        player = board.players[frame.seat]
        return bool(player.hand) and costs.has_place(player, frame.habitat)

    def answer(self, table: Table, frame: frames.ExtraPlay, move: moves.PlayBird) -> None:
        """The costs are paid next."""
        plays.choose(table, frame.seat, BIRD_OF[move.bird], frame.habitat)


@asks(frames.ChooseHabitat)
class ChooseHabitat(Demand[frames.ChooseHabitat]):
    """Where the bird goes (6.2)."""

    kind = "choose_habitat"
    clause = "6.2"
    answers_itself = True

    def offers(self, board: Board, frame: frames.ChooseHabitat) -> Sequence[Move]:
        """Where it can be paid and placed."""
        assert board.playing is not None  # noqa: S101 - the frame stands only while a bird is being played
        return [CHOOSE_HABITAT[where] for where in costs.habitats_for(board.players[frame.seat], board.playing.bird)]

    def answer(self, table: Table, frame: frames.ChooseHabitat, move: moves.ChooseHabitat) -> None:
        """The costs are paid next."""
        plays.pay(table, frame.seat, move.habitat)


@asks(frames.PayEggs)
class PayEggs(Demand[frames.PayEggs]):
    """An egg of any own bird (6.3)."""

    kind = "pay_egg"
    clause = "6.3"
    answers_itself = True

    def offers(self, board: Board, frame: frames.PayEggs) -> Sequence[Move]:
        """The own birds that hold one."""
        return removable(board, frame.seat)

    def answer(self, table: Table, frame: frames.PayEggs, move: moves.RemoveEgg) -> None:
        """One at a time."""
        table.remove_egg(frame.seat, BIRD_OF[move.bird])
        if frame.left > 1:
            table.push(replace(frame, left=frame.left - 1))


@asks(frames.PayFood)
class PayFood(Demand[frames.PayFood]):
    """A symbol of the cost, or all that are left as printed (6.4, 6.5)."""

    kind = "pay_food"
    clause = "6.4"
    answers_itself = True

    def offers(self, board: Board, frame: frames.PayFood) -> Sequence[Move]:
        """Only payments after which the rest can be paid."""
        return [moves.PayFood(foods) for foods in costs.payments(board.players[frame.seat], frame)]

    def answer(self, table: Table, frame: frames.PayFood, move: moves.PayFood) -> None:
        """One symbol at a time."""
        table.spend(frame.seat, move.foods)
        left = costs.rest(frame, move.foods)
        if left is not None:
            table.push(left)
