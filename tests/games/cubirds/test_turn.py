"""Laying, drawing, flocks: sections 3 to 5 and 7 of RULES.md, beside the worked examples."""

from __future__ import annotations

import pytest

from engine.games.cubirds import GAME
from engine.games.cubirds.state import (
    BirdsDrawn,
    BirdsLaid,
    BirdsTaken,
    DiscardReshuffled,
    DrawDeclined,
    FlockCompleted,
    FlockDeclined,
    Phase,
    RowRefilled,
    Side,
    State,
)
from tests.games.cubirds.table import after, heap, step, table, told
from tests.games.cubirds.vectors import read_birds, write_birds


def offers(state: State) -> list[str]:
    assert state.turn is not None
    return [GAME.notation(move) for move in GAME.legal_moves(state, state.turn)]


def test_the_offers_to_lay_stand_in_a_fixed_order() -> None:
    state = table("OFO MM")
    assert offers(state) == [
        f"lay:{species}:{row}:{side}" for species in "FO" for row in range(4) for side in ("left", "right")
    ]


def test_only_the_seat_on_turn_has_moves() -> None:
    assert GAME.legal_moves(table("OFO MM"), 1) == ()


def test_a_lay_that_takes_is_told_as_laid_taken_refilled() -> None:
    state = table("PPM RR", rows="OFP DMR TWO FRW", deck="PDW")
    assert told(state, "lay:P:0:left") == [
        (0, BirdsLaid(5, 2, 0, Side.LEFT)),
        (0, BirdsTaken(0, read_birds("OF"))),
        (0, RowRefilled(0, Side.LEFT, read_birds("PD"))),
    ]
    assert write_birds(after(state, "lay:P:0:left").rows[0]) == "DPPPP"


def test_a_refill_goes_on_through_the_reshuffled_discard_pile() -> None:
    state = table("PPM RR", rows="OFP DMR TWO FRW", deck="P", discard="DDDD")
    assert told(state, "lay:P:0:right") == [(0, BirdsLaid(5, 2, 0, Side.RIGHT))]
    assert told(state, "lay:P:0:left")[2:] == [
        (None, DiscardReshuffled(4)),
        (0, RowRefilled(0, Side.LEFT, read_birds("PD"))),
    ]


def test_drawn_birds_are_shown_to_the_player_alone_and_in_the_order_of_the_species() -> None:
    state = table("PM RR", deck="WDF", phase=Phase.DRAW)
    assert told(state, "draw:yes", viewer=0) == [(0, BirdsDrawn(2, heap("DW")))]
    assert told(state, "draw:yes", viewer=1) == [(0, BirdsDrawn(2))]
    assert told(state, "draw:yes", viewer=None) == [(0, BirdsDrawn(2))]


def test_the_discard_pile_goes_under_what_is_left_of_the_draw_pile() -> None:
    state = table("PM RR", deck="W", discard="DDDD", phase=Phase.DRAW)
    assert told(state, "draw:yes", viewer=0) == [(None, DiscardReshuffled(4)), (0, BirdsDrawn(2, heap("WD")))]
    drawn = after(state, "draw:yes")
    assert (drawn.draw_pile, drawn.discard_pile) == (heap("DDD"), ())


def test_a_draw_pile_that_just_suffices_is_not_refilled() -> None:
    drawn = after(table("PM RR", deck="WD", discard="FF", phase=Phase.DRAW), "draw:yes")
    assert (drawn.draw_pile, drawn.discard_pile) == ((), heap("FF"))


def test_the_reshuffle_mixes_and_keeps_every_bird() -> None:
    state = table("PM RR", deck="", discard="FFOODDPPMMWWRR", phase=Phase.DRAW)
    drawn = after(state, "draw:yes")
    assert heap(write_birds(drawn.draw_pile) + write_birds(drawn.hands[0])) == heap("FFOODDPPMMWWRRPM")
    assert list(drawn.draw_pile) != sorted(drawn.draw_pile)


def test_declining_is_told() -> None:
    state = table("PM RR", deck="WD", phase=Phase.DRAW)
    assert told(state, "draw:no") == [(0, DrawDeclined())]
    assert told(after(state, "draw:no"), "flock:none") == [(0, FlockDeclined())]


def test_a_flock_is_told_with_all_its_numbers() -> None:
    state = table("PPPPPPPM RR", phase=Phase.FLOCK, deck="W")
    assert told(state, "flock:P") == [(0, FlockCompleted(5, 7, 2, 5))]


@pytest.mark.parametrize(
    ("species", "small", "big"),
    [("F", 2, 3), ("O", 3, 4), ("T", 3, 4), ("D", 4, 6), ("P", 4, 6), ("M", 5, 7), ("W", 6, 9), ("R", 6, 9)],
)
def test_each_species_has_its_own_numbers(species: str, small: int, big: int) -> None:
    other = "F" if species != "F" else "O"
    for count in range(1, big + 2):
        state = table(f"{species * count}{other} RR", collections="DDP TTP", phase=Phase.FLOCK, deck="W")
        assert (f"flock:{species}" in offers(state)) == (count >= small)
        if count >= small:
            done = after(state, f"flock:{species}")
            home = 2 if count >= big else 1
            assert done.collections[0] == heap("DDP" + species * home)
            assert done.discard_pile == heap(species * (count - home))
            assert done.hands[0] == heap(other)


def test_the_flock_is_asked_about_in_every_way_of_a_turn() -> None:
    took = after(table("PM RR", rows="OFPW DMR TWO FRW"), "lay:P:0:left")
    drew = after(table("PM RR", deck="WDF"), "lay:P:1:left", "draw:yes")
    declined = after(table("PM RR", deck="WDF"), "lay:P:1:left", "draw:no")
    skipped = after(table("PM RR"), "lay:P:1:left")
    for state in (took, drew, declined, skipped):
        assert [(prompt.seat, prompt.kind) for prompt in GAME.prompts(state)] == [(0, "flock")]
        assert offers(state) == ["flock:none"]


def test_a_row_without_refill_is_mended_by_another_species_and_never_refilled() -> None:
    bare = after(table("PW RR"), "lay:P:0:left", "flock:none")
    assert write_birds(bare.rows[0]) == "PP"
    assert write_birds(after(bare, "lay:R:0:left").rows[0]) == "RRPP"
    # With birds on the pile again, the same species takes nothing and turns nothing up.
    again = after(table("PW RR", rows="PP DMR TWO FRW", deck="DD"), "lay:P:0:left")
    assert write_birds(again.rows[0]) == "PPP"
    assert again.phase is Phase.DRAW


def test_a_move_reveals_exactly_if_a_new_bird_comes_up() -> None:
    assert not step(table("PM RR", deck="WW"), "lay:P:1:left").reveals
    assert not step(table("PM RR", rows="OFPW DMR TWO FRW", deck="WW"), "lay:P:0:left").reveals
    assert step(table("PM RR", rows="OFP DMR TWO FRW", deck="WW"), "lay:P:0:left").reveals
    assert not step(table("PM RR", rows="OFP DMR TWO FRW"), "lay:P:0:left").reveals
    assert step(table("PM RR", deck="WW", phase=Phase.DRAW), "draw:yes").reveals
    assert not step(table("PM RR", deck="WW", phase=Phase.DRAW), "draw:no").reveals
    assert not step(table("FFM RR", deck="WW", phase=Phase.FLOCK), "flock:F").reveals
    assert step(table("FF RR", deck="W" * 16, phase=Phase.FLOCK), "flock:F").reveals
    assert not step(table("FF RR", deck="W" * 11, phase=Phase.FLOCK), "flock:F").reveals
