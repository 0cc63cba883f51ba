"""Questions about dice and food tokens."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from engine.games.wingspan import events, frames, moves
from engine.games.wingspan.moves import Move
from engine.games.wingspan.questions.base import RESET_FEEDER, Demand, Question, asks
from engine.games.wingspan.rows import BIRD_IDS
from engine.games.wingspan.table import Board, Table
from engine.games.wingspan.terms import GIVES, Food

_TAKE_DIE = {(die, food): moves.TakeDie(die, food) for die, foods in GIVES.items() for food in foods}
_GAIN_FOOD = {food: moves.GainFood(food) for food in Food}
_SPEND_FOOD = {food: moves.SpendFood(food) for food in Food}
_CACHE, _KEEP = moves.CacheToken(), moves.KeepToken()


def _reset(board: Board) -> list[Move]:
    """All dice inside show the same face (5.2)."""
    return [RESET_FEEDER] if len(set(board.feeder)) == 1 else []


@asks(frames.TakeDice)
class TakeDice(Question[frames.TakeDice]):
    """One die at a time (5.1)."""

    kind = "take_die"
    clause = "5.1"

    def offers(self, board: Board, frame: frames.TakeDice) -> Sequence[Move]:
        """The dice inside by face, each as each food asked for; then the reset."""
        dice = sorted(set(board.feeder))
        taking = [_TAKE_DIE[die, food] for die in dice for food in GIVES[die] if food in frame.foods]
        return [*taking, *_reset(board)]

    def answer(self, table: Table, frame: frames.TakeDice, move: moves.TakeDie | moves.ResetFeeder) -> None:
        """After a reset the question comes again."""
        if isinstance(move, moves.ResetFeeder):
            table.roll_feeder(frame.seat, by_choice=True)
            table.push(replace(frame, begun=True))
            return
        table.take_die(frame.seat, move.die, move.food)
        table.refill_feeder()
        if frame.power is None:
            table.gained = tuple(sorted({*table.gained, move.food}))
        if frame.left > 1:
            table.push(replace(frame, left=frame.left - 1, begun=True))
        if frame.may_cache and frame.power is not None:
            table.push(frames.CacheToken(frame.seat, frame.power, move.food))


@asks(frames.TakeAllDice)
class TakeAllDice(Question[frames.TakeAllDice]):
    """All dice of a food at once (11.6)."""

    kind = "take_all"

    def offers(self, board: Board, frame: frames.TakeAllDice) -> Sequence[Move]:
        """To take them if there are any; the reset."""
        there = any(frame.food in GIVES[die] for die in board.feeder)
        return [*([moves.TakeAllDice(frame.food)] if there else []), *_reset(board)]

    def answer(self, table: Table, frame: frames.TakeAllDice, move: moves.TakeAllDice | moves.ResetFeeder) -> None:
        """Dice rolled because the feeder is empty are not taken any more."""
        if isinstance(move, moves.ResetFeeder):
            table.roll_feeder(frame.seat, by_choice=True)
            table.push(replace(frame, begun=True))
            return
        for die in table.feeder:
            if frame.food in GIVES[die]:
                table.take_die(frame.seat, die, frame.food)
        table.refill_feeder()


@asks(frames.CacheToken)
class CacheToken(Demand[frames.CacheToken]):
    """Onto the bird or not (11.5)."""

    kind = "cache_or_keep"

    def offers(self, board: Board, frame: frames.CacheToken) -> Sequence[Move]:
        """Both."""
        del board, frame
        return [_CACHE, _KEEP]

    def answer(self, table: Table, frame: frames.CacheToken, move: moves.CacheToken | moves.KeepToken) -> None:
        """A token that is kept is in personal food already."""
        if isinstance(move, moves.CacheToken):
            table.cache(frame.seat, frame.power, frame.food, from_supply=False)
        else:
            table.tell(frame.seat, events.TokenKept(BIRD_IDS[frame.power], frame.food))


@asks(frames.GainFood)
class GainFood(Demand[frames.GainFood]):
    """A token of one of these foods (11.18, 11.20, 11.22)."""

    kind = "choose_food"

    def offers(self, board: Board, frame: frames.GainFood) -> Sequence[Move]:
        """Each food."""
        del board
        return [_GAIN_FOOD[food] for food in frame.foods]

    def answer(self, table: Table, frame: frames.GainFood, move: moves.GainFood) -> None:
        """One at a time."""
        table.gain(frame.seat, move.food)
        if frame.left > 1:
            table.push(replace(frame, left=frame.left - 1))


@asks(frames.SpendFood)
class SpendFood(Question[frames.SpendFood]):
    """A token given for one of another food (11.22)."""

    kind = "spend_food"

    def offers(self, board: Board, frame: frames.SpendFood) -> Sequence[Move]:
        """Each food that the player has."""
        return spendable(board, frame.seat)

    def answer(self, table: Table, frame: frames.SpendFood, move: moves.SpendFood) -> None:
        """The other food is chosen next."""
        table.spend(frame.seat, (move.food,))
        others = tuple(food for food in Food if food != move.food)
        table.push(frames.GainFood(frame.seat, frame.power, 1, others))


def spendable(board: Board, seat: int) -> list[Move]:
    """Each food that the player has."""
    return [_SPEND_FOOD[food] for food, have in zip(Food, board.players[seat].food, strict=True) if have]


@asks(frames.ChooseStart)
class ChooseStart(Question[frames.ChooseStart]):
    """Who takes the first die (11.7, 11.8)."""

    kind = "choose_start"

    def offers(self, board: Board, frame: frames.ChooseStart) -> Sequence[Move]:
        """Each of those who take one."""
        del board
        return [moves.ChooseSeat(seat) for seat in sorted(frame.seats)]

    def answer(self, table: Table, frame: frames.ChooseStart, move: moves.ChooseSeat) -> None:
        """A die each, clockwise from that seat."""
        table.tell(frame.seat, events.StartChosen(move.seat))
        at = frame.seats.index(move.seat)
        order = (*frame.seats[at:], *frame.seats[:at])
        table.push(*(frames.TakeDice(seat, 1, frame.power) for seat in order))
