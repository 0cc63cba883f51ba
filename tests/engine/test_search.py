"""The search finds what is provably best, within its budget, and always the same with the same chance."""

from __future__ import annotations

from itertools import count

import pytest
from msgspec.structs import replace

from engine.core import Budget, Prompt, Rng, Sight, Step, sight_of
from engine.core.search import search
from tests.engine import cups
from tests.engine.nim import MIDDLE, NIM, Move, Nim, State, Take, Taken, View


class Watched(Nim):
    """Nim that counts how many worlds are imagined and how many moves are made in them."""

    def __init__(self) -> None:
        self.worlds = -1  # the first one is the sight's own
        self.made = 0

    def redeal(self, state: State, seat: int | None, rng: Rng) -> State:
        self.worlds += 1
        return state

    def apply(self, state: State, seat: int, move: Move, rng: Rng) -> Step[State, Taken]:
        self.made += 1
        return super().apply(state, seat, move, rng)


class Brief(Watched):
    """Everything is settled after one move."""

    def settled(self, began: State, state: State) -> bool:
        return began.heap != state.heap


def _seven(game: Nim) -> Sight[State, Move, View]:
    return sight_of(game, replace(MIDDLE, heap=7), 1)


@pytest.mark.parametrize("heap", [5, 6, 7, 9, 10, 11])
def test_it_leaves_a_multiple_of_four_in_nim(heap: int) -> None:
    chosen = search(sight_of(NIM, replace(MIDDLE, heap=heap), 1), Rng(b"", heap), Budget(1500))
    assert chosen == Take(heap % 4)


@pytest.mark.parametrize("coin", range(cups.CUPS))
def test_it_does_not_count_on_knowing_what_is_hidden(coin: int) -> None:
    sight = sight_of(cups.GAME, cups.State(cups.Options(), coin), 0)
    assert search(sight, Rng(b"", 1), Budget(1000)) == cups.Toss()


def test_the_same_chance_gives_the_same_answer() -> None:
    sight = sight_of(cups.GAME, cups.State(cups.Options(), 0, guessing=True), 0)
    answers = [[search(sight, Rng(b"", step), Budget(10)) for step in range(20)] for _ in range(2)]
    assert answers[0] == answers[1]
    assert len(set(answers[0])) > 1


def test_it_imagines_as_many_worlds_as_the_budget_has_iterations() -> None:
    game = Watched()
    search(_seven(game), Rng(b"", 1), Budget(25))
    assert game.worlds == 25


def test_it_stops_when_its_time_is_over() -> None:
    game, ticks = Watched(), count()
    search(_seven(game), Rng(b"", 1), Budget(1000, 5.0, lambda: float(next(ticks))))
    assert game.worlds == 5


def test_it_imagines_one_world_even_without_time() -> None:
    game = Watched()
    assert search(_seven(game), Rng(b"", 1), Budget(1000, 0.0, lambda: 1.0)) == Take(1)
    assert game.worlds == 1


def test_an_imagined_course_stops_when_it_is_settled() -> None:
    game = Brief()
    search(_seven(game), Rng(b"", 1), Budget(25))
    assert game.made == 25


def test_a_course_that_never_ends_is_left() -> None:
    class Endless(Watched):
        def apply(self, state: State, seat: int, move: Move, rng: Rng) -> Step[State, Taken]:
            self.made += 1
            return Step(replace(state, turn=1 - seat))

        def prompts(self, state: State) -> tuple[Prompt, ...]:
            return (Prompt(state.turn, "take"),)

    game = Endless()
    assert search(_seven(game), Rng(b"", 1), Budget(3)) in _seven(NIM).moves
    assert 3 < game.made < 3 * 1000
