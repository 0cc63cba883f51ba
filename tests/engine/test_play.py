"""``play``: whose turn, is it legal, then apply; and what each viewer learns of a fact."""

from __future__ import annotations

import pytest

from engine.core import Fact, IllegalMove, Label, NotAsked, Prompt, Rng, check_legal, play
from tests.engine.nim import NIM, Options, Skip, Take, Taken

RNG = Rng(b"", 1)
STATE = NIM.setup(Options(), 2, Rng(b"", 0))
MOVER = STATE.turn


def test_a_legal_move_is_made() -> None:
    step = play(NIM, STATE, MOVER, Take(2), RNG)
    assert step.state.heap == 3
    assert step.facts == (Fact(MOVER, Taken(2)),)
    assert not step.reveals


def test_the_given_state_stays() -> None:
    play(NIM, STATE, MOVER, Take(2), RNG)
    assert STATE.heap == 5


@pytest.mark.parametrize("seat", [1 - MOVER, 2, -1])
def test_a_seat_that_is_not_asked_is_refused(seat: int) -> None:
    with pytest.raises(NotAsked):
        play(NIM, STATE, seat, Take(1), RNG)


@pytest.mark.parametrize("move", [Take(4), Take(0), Skip()])
def test_an_illegal_move_is_refused_with_its_clause(move: Take | Skip) -> None:
    with pytest.raises(IllegalMove) as refused:
        play(NIM, STATE, MOVER, move, RNG)
    assert (refused.value.reason, refused.value.clause) == ("Take one to three.", "1.1")


def test_legality_can_be_asked_without_playing() -> None:
    check_legal(NIM, STATE, MOVER, Take(3))
    with pytest.raises(IllegalMove):
        check_legal(NIM, STATE, MOVER, Take(4))


def test_a_private_fact_is_seen_by_its_owners_and_as_the_public_one_by_the_others() -> None:
    fact = Fact(0, Taken(0), ((0, Taken(3)),))
    assert [fact.seen_by(seat) for seat in (0, 1, None)] == [Taken(3), Taken(0), Taken(0)]


def test_a_fact_without_a_public_side_does_not_exist_for_the_others() -> None:
    fact = Fact(0, None, ((1, Taken(3)),))
    assert [fact.seen_by(seat) for seat in (0, 1, None)] == [None, Taken(3), None]


def test_a_game_need_not_say_more_than_its_rules() -> None:
    assert NIM.prompt_label(Prompt(0, "take")) == Label("prompt.take")
    assert NIM.event_label(Taken(1), 0) == Label("event.taken")
    assert NIM.timeout_move(STATE, MOVER) == Take(1)
    assert (NIM.refs(Take(1)), NIM.option_specs(), NIM.catalogue()) == ((), (), ())
    assert NIM.scene(NIM.view(STATE, None)).zones == ()
