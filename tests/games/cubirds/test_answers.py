"""Refusals with their clauses, and what the clock plays: sections 3 to 5 and 9 of RULES.md."""

from __future__ import annotations

import pytest

from engine.core import IllegalMove, NotAsked, Rng, encode_state, play
from engine.games.cubirds import GAME
from engine.games.cubirds.state import Lay, Move, Phase, Side, State
from tests.games.cubirds.table import table
from tests.games.cubirds.vectors import MOVES

LAY = table("FFM RR", deck="WW")
DRAW = table("FFM RR", deck="WW", phase=Phase.DRAW)
FLOCK = table("FFM RR", deck="WW", phase=Phase.FLOCK)


def refused(state: State, move: Move) -> tuple[str, str]:
    before = encode_state(GAME, state)
    with pytest.raises(IllegalMove) as refusal:
        play(GAME, state, 0, move, Rng(b"refused", 1))
    assert encode_state(GAME, state) == before
    return refusal.value.clause, refusal.value.reason


@pytest.mark.parametrize(
    ("state", "move", "clause"),
    [
        (LAY, "lay:R:0:left", "3.1"),
        (LAY, "draw:yes", "3.1"),
        (LAY, "draw:no", "3.1"),
        (LAY, "flock:F", "3.1"),
        (LAY, "flock:none", "3.1"),
        (DRAW, "lay:F:0:left", "4.1"),
        (DRAW, "flock:F", "4.1"),
        (DRAW, "flock:none", "4.1"),
        (FLOCK, "lay:M:0:left", "5.1"),
        (FLOCK, "draw:yes", "4.1"),
        (FLOCK, "draw:no", "4.1"),
        (FLOCK, "flock:M", "5.1"),
        (FLOCK, "flock:O", "5.1"),
    ],
)
def test_a_move_out_of_place_is_refused_by_its_clause(state: State, move: str, clause: str) -> None:
    assert refused(state, MOVES[move])[0] == clause


@pytest.mark.parametrize("row", [-1, 4, 2**31 - 1])
def test_there_are_four_rows(row: int) -> None:
    assert refused(LAY, Lay(1, row, Side.LEFT)) == ("1.3", f"There is no row {row}; the rows are 0 to 3.")


def test_a_row_has_two_ends() -> None:
    assert refused(LAY, Lay(1, 0, 3)) == ("3.1", "A row has a left and a right end.")  # type: ignore[arg-type]


def test_a_flock_is_refused_with_the_own_numbers() -> None:
    assert refused(FLOCK, MOVES["flock:M"]) == ("5.1", "You hold 1 of them; a small flock needs 5.")


def test_a_seat_that_is_not_on_turn_is_not_asked() -> None:
    with pytest.raises(NotAsked):
        play(GAME, LAY, 1, MOVES["lay:R:0:left"], Rng(b"refused", 1))


def test_nothing_is_asked_after_the_end() -> None:
    over = table("FF RR", collections="FFFOOO D", phase=Phase.OVER, turn=None)
    for seat in (0, 1):
        with pytest.raises(NotAsked):
            play(GAME, over, seat, MOVES["flock:F"], Rng(b"refused", 1))


def clock(state: State) -> str:
    assert state.turn is not None
    return GAME.notation(GAME.timeout_move(state, state.turn))


def test_the_clock_takes_up_the_most_birds() -> None:
    assert clock(table("FOP RR", rows="OFPM DMRO TWO FRWTDP")) == "lay:F:3:right"


def test_the_clock_lays_the_fewest_birds_where_none_can_be_taken() -> None:
    assert clock(table("DDMM RR", rows="OFP TWR TWO FRW")) == "lay:D:0:left"
    assert clock(table("DDM RR", rows="OFP TWR TWO FRW")) == "lay:M:0:left"


def test_the_clock_draws() -> None:
    assert clock(DRAW) == "draw:yes"


@pytest.mark.parametrize(
    ("hand", "collection", "move"),
    [
        ("FOT", "O", "flock:none"),
        ("FFOOOO", "O", "flock:O"),  # two home rather than one
        ("FFOOOO", "FFDDD", "flock:F"),  # the goal before anything else
        ("OOOTTT", "O", "flock:T"),  # a new species
        ("OOOTTT", "D", "flock:O"),  # the rarer one
    ],
)
def test_the_clock_completes_the_best_flock(hand: str, collection: str, move: str) -> None:
    assert clock(table(f"{hand} RR", collections=f"{collection} D", phase=Phase.FLOCK)) == move
