"""What may be taken back, move by move, in a game where each kind of move tells another thing."""

from __future__ import annotations

import pytest

from engine.core import IllegalMove, Lasting, NotAsked, Rng, lasting
from tests.engine.hands import HANDS, Hands, Hide, Move, Say, Show, State
from tests.engine.nim import MIDDLE, NIM, Take

TABLE = State(hands=((1, 5), (0, 3)), rest=(2, 4))


def why(state: State, seat: int, move: Move) -> Lasting | None:
    return lasting(HANDS, state, seat, move, Rng(b"undo", 1))


@pytest.mark.parametrize("move", [Say("pass"), Say("note"), Hide(1), Hide(5)], ids=str)
def test_what_shows_nothing_can_be_taken_back(move: Move) -> None:
    assert why(TABLE, 0, move) is None


@pytest.mark.parametrize("move", [Show(1), Say("high"), Say("whisper"), Say("peek")], ids=str)
def test_what_tells_anybody_anything_stays(move: Move) -> None:
    assert why(TABLE, 0, move) is Lasting.SOMETHING_LEARNED


def test_what_used_chance_stays() -> None:
    assert why(TABLE, 0, Say("roll")) is Lasting.CHANCE_USED


def test_a_card_that_everybody_knew_can_be_shown_and_taken_back() -> None:
    everything_open = State(hands=((1,), ()), rest=(), table=(0, 2, 3, 4, 5))
    assert why(everything_open, 0, Show(1)) is None


def test_one_viewer_who_learns_is_enough() -> None:
    """The other player holds all but the mover's two cards and one more, and yet a spectator learns."""
    state = State(hands=((1, 5), (0, 2, 3, 4)), rest=())
    assert why(state, 0, Show(1)) is Lasting.SOMETHING_LEARNED


def test_where_nothing_is_hidden_everything_can_be_taken_back() -> None:
    assert lasting(NIM, MIDDLE, 1, Take(2), Rng(b"undo", 1)) is None


def test_the_answer_is_the_same_in_worlds_that_the_mover_cannot_tell_apart() -> None:
    for number in range(40):
        world = HANDS.redeal(TABLE, 0, Rng(b"world", number))
        for move in HANDS.legal_moves(TABLE, 0):
            assert why(world, 0, move) is why(TABLE, 0, move)


def test_only_a_move_that_was_made_can_be_asked_about() -> None:
    with pytest.raises(IllegalMove):
        why(TABLE, 0, Show(3))
    with pytest.raises(NotAsked):
        why(TABLE, 1, Show(3))


class Deaf(Hands):
    """Its ``redeal`` leaves everything in place: nothing can be seen to be learned."""

    def redeal(self, state: State, seat: int | None, rng: Rng) -> State:
        return state


def test_it_is_the_worlds_that_tell() -> None:
    assert lasting(Deaf(), TABLE, 0, Show(1), Rng(b"undo", 1)) is None
