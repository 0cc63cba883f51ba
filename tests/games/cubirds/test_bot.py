"""What bots make of CuBirds: the hand grows towards flocks, and flocks go home."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.core import Budget, Level, Rng, decide, sight_of
from engine.games.cubirds import GAME
from engine.games.cubirds.state import Phase, State
from tests.games.cubirds.table import after, full, table


def basic(state: State) -> str:
    """What ``basic`` answers for the player on turn."""
    return _chosen(Level.BASIC, state)


def _chosen(level: Level, state: State) -> str:
    assert state.turn is not None
    return GAME.notation(decide(level, sight_of(GAME, state, state.turn), Rng(b"", 1), Budget(200)))


def test_it_lays_where_the_catch_completes_a_flock() -> None:
    # The robin encloses the flamingo, which is the second one.
    assert basic(table("FR WW", rows="FDR TOW DMP WDM", deck="WW")) == "lay:R:0:left"
    assert basic(table("FR WW", rows="TOW RDF DMP WDM", deck="WW")) == "lay:R:1:right"


def test_it_keeps_what_is_nearly_a_flock() -> None:
    # Without a catch one of the species has to go: rather the single magpie than three of four ducks.
    assert basic(table("DDDM WW", rows="TOW OTR TOW OTR", deck="WW")).startswith("lay:M:")


def test_it_draws_while_it_holds_birds() -> None:
    assert basic(table("FFM RR", deck="WW", phase=Phase.DRAW)) == "draw:yes"


def test_with_an_empty_hand_it_lets_the_round_end() -> None:
    state = replace(table("F RRW", deck="WW", phase=Phase.DRAW), hands=((), (7, 8, 8)))
    assert basic(state) == "draw:no"


@pytest.mark.parametrize(
    ("hand", "collection", "answer"),
    [
        ("RRRRRR", "O", "flock:R"),
        # One more makes it a big flock.
        ("RRRRRRRR", "O", "flock:none"),
        # But the seventh species wins.
        ("RRRRRRRR", "OTDMPW", "flock:R"),
        # A new species rather than a second bird of the same.
        ("FFOOO", "O", "flock:F"),
    ],
)
def test_it_sends_a_flock_home(hand: str, collection: str, answer: str) -> None:
    state = table(f"{hand} WW", collections=f"{collection} T", deck="WW", phase=Phase.FLOCK)
    assert basic(state) == answer


def test_strong_sends_the_flock_home_that_wins() -> None:
    state = full(table("FFOOO WWWWWWWW", collections="OTDMPR T", phase=Phase.FLOCK))
    assert _chosen(Level.STRONG, state) == "flock:F"


def test_who_has_more_at_home_stands_better_and_the_winner_best() -> None:
    ahead = GAME.standing(full(table("FRW RRW", collections="OTD M")))
    assert 1 > ahead[0] > 0.5 > ahead[1] > 0
    won = after(full(table("FF WW", collections="OTDMPR T", phase=Phase.FLOCK)), "flock:F")
    assert GAME.standing(won) == (1.0, 0.0)


def test_a_course_is_settled_when_enough_birds_came_home_or_the_round_is_over() -> None:
    began = full(table("FFM WW", collections="O T", phase=Phase.FLOCK))
    assert not GAME.settled(began, after(began, "flock:F"))
    assert GAME.settled(began, replace(began, collections=((1, 1, 2, 3), (3, 4))))
    assert GAME.settled(began, replace(began, round=2))
    assert GAME.settled(began, replace(began, turn=None))
