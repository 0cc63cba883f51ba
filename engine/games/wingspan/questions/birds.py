"""Questions about powers and the birds that have them."""

from __future__ import annotations

from collections.abc import Sequence

from engine.games.wingspan import effects, events, frames, moves
from engine.games.wingspan.moves import Move
from engine.games.wingspan.powers import RepeatPower as Repeating
from engine.games.wingspan.questions.base import REPEAT_POWER, USE_POWER, Question, asks
from engine.games.wingspan.questions.playing import CHOOSE_HABITAT
from engine.games.wingspan.rows import BIRD_IDS, BIRD_OF, BIRDS
from engine.games.wingspan.state import MatBird
from engine.games.wingspan.table import Board, Table
from engine.games.wingspan.terms import COLUMNS, Habitat, Tag, Trigger


@asks(frames.UsePower)
class UsePower(Question[frames.UsePower]):
    """Whether to use it (10.2)."""

    kind = "use_power"

    def offers(self, board: Board, frame: frames.UsePower) -> Sequence[Move]:
        """To use it."""
        del board
        return [USE_POWER[frame.power]]

    def answer(self, table: Table, frame: frames.UsePower, move: moves.UsePower) -> None:
        """The power goes on."""
        del move
        effects.resolve(table, frame.seat, frame.power)


@asks(frames.Relocate)
class Relocate(Question[frames.Relocate]):
    """Where the bird moves (11.25)."""

    kind = "relocate"

    def offers(self, board: Board, frame: frames.Relocate) -> Sequence[Move]:
        """The other rows with a free column."""
        player = board.players[frame.seat]
        here = standing(board, frame.seat, frame.power)
        free = [where for where in BIRDS[frame.power].habitats if where != here and len(player.row(where)) < COLUMNS]
        return [CHOOSE_HABITAT[where] for where in free]

    def answer(self, table: Table, frame: frames.Relocate, move: moves.ChooseHabitat) -> None:
        """With all that it holds, behind the birds there."""
        here, _, on_mat = table.stands(frame.seat, frame.power)
        player = table.players[frame.seat]
        table.set_row(frame.seat, here, player.row(here)[:-1])
        row = (*player.row(move.habitat), on_mat)
        table.set_row(frame.seat, move.habitat, row)
        table.tell(frame.seat, events.BirdMoved(BIRD_IDS[frame.power], here, move.habitat, len(row)))


@asks(frames.RepeatPower)
class RepeatPower(Question[frames.RepeatPower]):
    """Whose power is used again (11.27)."""

    kind = "choose_target"

    def offers(self, board: Board, frame: frames.RepeatPower) -> Sequence[Move]:
        """The other birds of the row with such a power that do not repeat already."""
        row = board.players[frame.seat].row(standing(board, frame.seat, frame.power))
        effect = BIRDS[frame.power].effect
        hunters = isinstance(effect, Repeating) and effect.only_predators
        return [REPEAT_POWER[on_mat.bird] for on_mat in row if _repeatable(on_mat, frame, only_hunters=hunters)]

    def answer(self, table: Table, frame: frames.RepeatPower, move: moves.RepeatPower) -> None:
        """It runs as if its bird were activated."""
        table.tell(frame.seat, events.PowerRepeated(BIRD_IDS[frame.power], move.bird))
        table.push(frames.Power(frame.seat, BIRD_OF[move.bird], frame.chain))


def _repeatable(on_mat: MatBird, frame: frames.RepeatPower, *, only_hunters: bool) -> bool:
    card = BIRDS[on_mat.bird]
    return (
        card.trigger is Trigger.WHEN_ACTIVATED
        and on_mat.bird not in frame.chain
        and (not only_hunters or Tag.PREDATOR in card.tags)
    )


def standing(board: Board, seat: int, bird: int) -> Habitat:
    """The row in which a bird of the seat stands."""
    mat = board.players[seat].mat
    return next(where for where, row in zip(Habitat, mat, strict=True) if any(on.bird == bird for on in row))
