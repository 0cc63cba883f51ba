"""Set-up: section 2 of RULES.md."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.core import InvalidOptions, Rng
from engine.games.cubirds import GAME, deal
from engine.games.cubirds.species import CODES, PACK
from engine.games.cubirds.state import Options, Phase
from tests.games.cubirds.vectors import read_birds, write_birds


def test_there_are_110_birds_of_eight_species() -> None:
    assert Counter(write_birds(PACK)) == {"F": 7, "O": 10, "T": 10, "D": 13, "P": 13, "M": 17, "W": 20, "R": 20}
    assert len(PACK) == 110


def test_the_catalogue_tells_what_is_printed_on_the_cards() -> None:
    flocks = {
        part.attributes["letter"]: (part.attributes["small_flock"], part.attributes["big_flock"], part.copies)
        for part in GAME.catalogue()
    }
    assert flocks == {
        "F": (2, 3, 7),
        "O": (3, 4, 10),
        "T": (3, 4, 10),
        "D": (4, 6, 13),
        "P": (4, 6, 13),
        "M": (5, 7, 17),
        "W": (6, 9, 20),
        "R": (6, 9, 20),
    }
    assert [part.attributes["number"] for part in GAME.catalogue()] == [1, 2, 3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize(("seats", "left"), [(2, 80), (3, 71), (4, 62), (5, 53)])
def test_everybody_starts_with_eight_birds_and_one_collected(seats: int, left: int) -> None:
    state = GAME.setup(Options(), seats, Rng(b"setup", 0))
    assert [len(row) for row in state.rows] == [3, 3, 3, 3]
    assert [len(hand) for hand in state.hands] == [8] * seats
    assert [len(collection) for collection in state.collections] == [1] * seats
    assert len(state.draw_pile) == left
    assert (state.discard_pile, state.round, state.phase) == ((), 1, Phase.LAY)
    assert state.turn == state.dealer


def test_a_row_sets_aside_what_it_shows_already() -> None:
    pack = read_birds("RRRWT" + "RWM" + "WWP" + "R" + "FO" + "DDD")
    rows, rest = deal.lay_out(pack)
    assert list(map(write_birds, rows)) == ["RWT", "RWM", "WPR", "FOD"]
    # Set aside: two robins in the first row, a reed warbler in the third.
    assert write_birds(rest) == "RRW" + "DD"


def test_hands_are_dealt_in_blocks_from_the_dealer_on_and_then_one_bird_each() -> None:
    dealt = _dealt_from(Options(first_dealer=1))
    assert [dealt.pop(0) for _ in range(3)] == [1, 2, 0]


def _dealt_from(options: Options) -> list[int]:
    """In which order the seats got their blocks, found by the birds of the second shuffle."""
    state = GAME.setup(options, 3, Rng(b"blocks", 0))
    rng = Rng(b"blocks", 0)
    _, rest = deal.lay_out(rng.shuffle(PACK))
    pile = rng.shuffle(rest)
    order = [state.hands.index(tuple(sorted(pile[at : at + 8]))) for at in (0, 8, 16)]
    assert [state.collections[seat] for seat in order] == [(bird,) for bird in pile[24:27]]
    assert state.draw_pile == pile[27:]
    return order


def test_the_first_dealer_is_drawn_and_every_seat_may_be() -> None:
    dealers = {GAME.setup(Options(), 5, Rng(b"dealer%d" % number, 0)).dealer for number in range(60)}
    assert dealers == {0, 1, 2, 3, 4}


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_caller_may_name_any_seat_of_the_game_as_the_first_dealer(seats: int) -> None:
    for seat in range(seats):
        state = GAME.setup(Options(first_dealer=seat), seats, Rng(b"named", 0))
        assert (state.dealer, state.turn) == (seat, seat)
    for wrong in (-1, seats):
        with pytest.raises(InvalidOptions) as refused:
            GAME.setup(Options(first_dealer=wrong), seats, Rng(b"named", 0))
        assert refused.value.field == "first_dealer"


def test_rows_show_every_species_and_the_first_birds_too() -> None:
    """A slip in drawing lots would leave a species out, or favour one."""
    seen: Counter[str] = Counter()
    for number in range(200):
        state = GAME.setup(Options(), 2, Rng(b"lots%d" % number, 0))
        seen.update(write_birds(bird for row in state.rows for bird in row))
    assert set(seen) == set(CODES)
    # 2400 birds in rows: the 20 robins come more often than the 7 flamingos, but not three times as often, as a row
    # takes each species once only.
    assert 1 < seen["R"] / seen["F"] < 3
