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
    """Nim that counts the moves made in imagined worlds."""

    def __init__(self) -> None:
        self.made = 0

    def apply(self, state: State, seat: int, move: Move, rng: Rng) -> Step[State, Taken]:
        self.made += 1
        return super().apply(state, seat, move, rng)


class Brief(Watched):
    """Everything is settled after one move, so that moves are iterations."""

    def settled(self, began: State, state: State) -> bool:
        return began.heap != state.heap


def _seven(game: Nim) -> Sight[State, Move, View]:
    return sight_of(game, replace(MIDDLE, heap=7), 1)


@pytest.mark.parametrize("heap", [5, 6, 7, 9, 10, 11])
def test_it_leaves_a_multiple_of_four_in_nim(heap: int) -> None:
    chosen = search(sight_of(NIM, replace(MIDDLE, heap=heap), 1), Rng(b"", heap), Budget(4000))
    assert chosen == Take(heap % 4)


@pytest.mark.parametrize("coin", range(cups.CUPS))
def test_it_does_not_count_on_knowing_what_is_hidden(coin: int) -> None:
    sight = sight_of(cups.GAME, cups.State(cups.Options(), coin), 0)
    assert search(sight, Rng(b"", 1), Budget(1000)) == cups.Toss()


def test_the_same_chance_gives_the_same_answer() -> None:
    answers = [[search(_seven(NIM), Rng(b"", step), Budget(40)) for step in range(20)] for _ in range(2)]
    assert answers[0] == answers[1]
    assert len(set(answers[0])) > 1


def test_it_makes_as_many_iterations_as_the_budget_has() -> None:
    game = Brief()
    search(_seven(game), Rng(b"", 1), Budget(25))
    assert game.made == 25


def test_it_stops_when_its_time_is_over() -> None:
    game, ticks = Brief(), count()
    search(_seven(game), Rng(b"", 1), Budget(1000, 5.0, lambda: float(next(ticks))))
    assert game.made == 5


@pytest.mark.parametrize("budget", [Budget(1000, 0.0, lambda: 1.0), Budget(0)])
def test_with_an_empty_budget_it_plays_the_rule_of_thumb(budget: Budget) -> None:
    game = Brief()
    assert search(_seven(game), Rng(b"", 1), budget) == Take(1)
    assert game.made == 1


def test_all_offers_left_are_tried_in_the_same_worlds() -> None:
    class Dealt(Brief):
        worlds = -1  # the first one is the sight's own

        def redeal(self, state: State, seat: int | None, rng: Rng) -> State:
            self.worlds += 1
            return state

        def imagined_move(self, state: State, seat: int, moves: tuple[Move, ...], rng: Rng) -> Move:
            return moves[0]

    game = Dealt()
    search(_seven(game), Rng(b"", 1), Budget(30))
    # Three offers in five worlds, then two in seven and a half.
    assert game.worlds == 5 + 8


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
