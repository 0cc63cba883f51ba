"""The questions that begin a turn and follow its benefit (4.1, 7.2, 8.2, 9.2)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.games.wingspan import costs, frames, mats, moves, turns
from engine.games.wingspan.moves import Move
from engine.games.wingspan.questions.base import DISCARD_CARD, PLAY_BIRD, Demand, Question, asks
from engine.games.wingspan.questions.dice import spendable
from engine.games.wingspan.questions.eggs import removable
from engine.games.wingspan.rows import BIRD_OF
from engine.games.wingspan.table import Board, Table, card_to_be_had
from engine.games.wingspan.terms import ROW_OF, Habitat

_ROW_ACTIONS = tuple(moves.TakeAction(action) for action in ROW_OF)


@asks(frames.ChooseAction)
class ChooseAction(Demand[frames.ChooseAction]):
    """One of four actions (4.1)."""

    kind = "choose_action"
    clause = "4.1"

    def offers(self, board: Board, frame: frames.ChooseAction) -> Sequence[Move]:
        """The hand cards that can be played, then the three rows."""
        return [*(PLAY_BIRD[bird] for bird in costs.playable(board.players[frame.seat])), *_ROW_ACTIONS]

    def answer(self, table: Table, frame: frames.ChooseAction, move: moves.PlayBird | moves.TakeAction) -> None:
        """Costs a cube."""
        if isinstance(move, moves.PlayBird):
            turns.play_bird(table, frame.seat, BIRD_OF[move.bird])
        else:
            turns.take_action(table, frame.seat, move.action)


@asks(frames.Trade)
class Trade(Question[frames.Trade]):
    """Something given for one more die, egg or card (7.2, 8.2, 9.2)."""

    kind = "trade"

    def offers(self, board: Board, frame: frames.Trade) -> Sequence[Move]:
        """What the player has of what the row asks for, if it brings anything."""
        player = board.players[frame.seat]
        if frame.habitat is Habitat.FOREST:
            return [DISCARD_CARD[card] for card in player.hand]
        if frame.habitat is Habitat.GRASSLAND:
            return spendable(board, frame.seat) if mats.with_room(player) else []
        return removable(board, frame.seat) if card_to_be_had(board) else []

    def answer(
        self, table: Table, frame: frames.Trade, move: moves.DiscardCard | moves.SpendFood | moves.RemoveEgg
    ) -> None:
        """The benefit is taken next."""
        match move:
            case moves.DiscardCard(bird=bird):
                table.discard_card(frame.seat, BIRD_OF[bird])
            case moves.SpendFood(food=food):
                table.spend(frame.seat, (food,))
            case moves.RemoveEgg(bird=bird):
                table.remove_egg(frame.seat, BIRD_OF[bird])
        table.push(turns.benefit(frame.seat, frame.habitat, 1))
