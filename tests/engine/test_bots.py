"""Three levels of bots, and what a bot gets to decide from."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.core import Budget, Level, NotAsked, Rng, Sight, decide, sight_of
from tests.engine import cups
from tests.engine.nim import MIDDLE, NIM, Move, Nim, State, Take, View

BUDGET = Budget(20)
SEVEN_LEFT = replace(MIDDLE, heap=7)


class Thoughtless(Nim):
    """Nim that nobody may think about."""

    def rule_of_thumb(self, seat: int, view: View, moves: tuple[Move, ...]) -> Move:
        raise AssertionError("there is nothing to decide")

    def imagined_move(self, state: State, seat: int, moves: tuple[Move, ...], rng: Rng) -> Move:
        raise AssertionError("there is nothing to imagine")


class Greedy(Nim):
    """Nim with a rule of thumb: take as many as possible."""

    def rule_of_thumb(self, seat: int, view: View, moves: tuple[Move, ...]) -> Move:
        assert (seat, view) == (1, View(7))
        return moves[-1]


@pytest.mark.parametrize("level", Level)
def test_a_single_offer_is_answered_at_once(level: Level) -> None:
    rng = Rng(b"", 1)
    assert decide(level, sight_of(Thoughtless(), replace(MIDDLE, heap=1), 1), rng, BUDGET) == Take(1)
    assert not rng.used


def test_random_plays_every_offer() -> None:
    sight = sight_of(NIM, SEVEN_LEFT, 1)
    assert {decide(Level.RANDOM, sight, Rng(b"", step), BUDGET) for step in range(50)} == set(sight.moves)


def test_basic_plays_the_rule_of_thumb_from_seat_view_and_offers() -> None:
    assert decide(Level.BASIC, sight_of(Greedy(), SEVEN_LEFT, 1), Rng(b"", 1), BUDGET) == Take(3)


def test_without_a_rule_of_thumb_basic_plays_the_first_offer() -> None:
    assert decide(Level.BASIC, sight_of(NIM, SEVEN_LEFT, 1), Rng(b"", 1), BUDGET) == Take(1)


def test_strong_searches() -> None:
    assert decide(Level.STRONG, sight_of(NIM, SEVEN_LEFT, 1), Rng(b"", 1), Budget(300)) == Take(3)


def test_what_a_bot_gets_is_the_same_wherever_the_secret_lies() -> None:
    sights = [sight_of(cups.GAME, cups.State(cups.Options(), coin), 0) for coin in range(cups.CUPS)]
    assert sights[0] == sights[1] == sights[2]
    assert Sight.__struct_fields__ == ("game", "seat", "view", "moves", "base")


def test_imagined_worlds_look_the_same_and_differ_in_the_secret() -> None:
    sight = sight_of(cups.GAME, cups.State(cups.Options(), 1), 0)
    worlds = [sight.world(Rng(b"", step)) for step in range(50)]
    assert all(cups.GAME.view(world, 0) == sight.view for world in worlds)
    assert {world.coin for world in worlds} == set(range(cups.CUPS))


@pytest.mark.parametrize("seat", [0, 2])
def test_a_seat_that_is_not_asked_has_nothing_to_decide(seat: int) -> None:
    with pytest.raises(NotAsked):
        sight_of(NIM, SEVEN_LEFT, seat)


def test_a_standing_counts_who_is_beaten() -> None:
    assert NIM.standing(SEVEN_LEFT) == (0.5, 0.5)
    assert NIM.standing(replace(MIDDLE, heap=0)) == (1.0, 0.0)
