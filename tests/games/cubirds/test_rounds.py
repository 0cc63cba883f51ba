"""Goal, rounds and end: section 6 of RULES.md, beside the worked examples."""

from __future__ import annotations

from itertools import combinations

import pytest

from engine.games.cubirds import GAME
from engine.games.cubirds.scoring import reached_goal
from engine.games.cubirds.species import CODES
from engine.games.cubirds.state import (
    BirdsDealt,
    DiscardReshuffled,
    DrawDeclined,
    End,
    FlockCompleted,
    GameEnded,
    Phase,
    RoundBegan,
    RoundEnded,
    State,
)
from tests.games.cubirds.table import after, heap, table, told


def placings(ended: State) -> list[tuple[int, int]]:
    result = GAME.result(ended)
    assert result is not None
    return [(placement.rank, placement.score) for placement in result.placements]


def test_any_seven_species_are_the_goal_and_no_six() -> None:
    assert all(reached_goal(heap("".join(species))) for species in combinations(CODES, 7))
    assert reached_goal(heap(CODES))
    assert not any(reached_goal(heap("".join(species) * 2)) for species in combinations(CODES, 6))


def test_three_each_of_any_two_species_are_the_goal() -> None:
    for one, other in combinations(CODES, 2):
        assert reached_goal(heap(one * 3 + other * 3))
        assert not reached_goal(heap(one * 3 + other * 2))
        assert not reached_goal(heap(one * 7 + other * 2))


def test_the_end_of_a_round_is_told_with_new_hands_for_their_owners_alone() -> None:
    state = after(table("W RRR MM", deck="DDDDDDDDPPPPPPPPOOOOOOOOF"), "lay:W:0:left")
    public = [
        (0, DrawDeclined()),
        (0, RoundEnded(1, (0, 3, 2))),
        (0, RoundBegan(2)),
        (0, BirdsDealt(0, 8)),
        (0, BirdsDealt(1, 8)),
        (0, BirdsDealt(2, 8)),
    ]
    assert told(state, "draw:no") == public
    seen = {0: "DDDDDDDD", 1: "PPPPPPPP", 2: "OOOOOOOO"}
    for seat, hand in seen.items():
        own = [*public]
        own[3 + seat] = (0, BirdsDealt(seat, 8, heap(hand)))
        assert told(state, "draw:no", viewer=seat) == own


def test_the_deal_goes_on_with_the_discard_pile_under_the_draw_pile() -> None:
    state = after(table("W RRR", deck="MMMMMMMMMM", discard="WWWWWW"), "lay:W:0:left")
    assert told(state, "draw:no")[3:] == [
        (0, BirdsDealt(0, 8)),
        (None, DiscardReshuffled(9)),
        (0, BirdsDealt(1, 8)),
    ]
    dealt = after(state, "draw:no")
    assert dealt.hands[0] == heap("MMMMMMMM")
    assert dealt.hands[1][:2] == heap("MM")
    assert len(dealt.draw_pile) == 3


def test_a_round_goes_on_while_birds_are_in_hand() -> None:
    state = after(table("WD RRR", deck="MM"), "lay:W:0:left", "draw:no", "flock:none")
    assert (state.round, state.turn, state.phase) == (1, 1, Phase.LAY)


def test_a_flock_from_the_new_hand_must_wait() -> None:
    state = after(table("W RRR", deck="F" * 7 + "O" * 9), "lay:W:0:left", "draw:no")
    assert {GAME.notation(move)[:3] for move in GAME.legal_moves(state, 0)} == {"lay"}


def test_the_win_is_told_with_the_flock_and_nothing_else_happens() -> None:
    state = table("FFF RR", collections="FTTT O", phase=Phase.FLOCK, deck="W" * 16)
    assert told(state, "flock:F") == [
        (0, FlockCompleted(1, 3, 2, 1)),
        (None, GameEnded(End.OBJECTIVE, (0,), (6, 1))),
    ]
    ended = after(state, "flock:F")
    assert GAME.prompts(ended) == ()
    assert (ended.round, ended.hands, ended.turn) == (1, (heap(""), heap("RR")), None)


def test_a_goal_is_looked_for_in_the_collection_of_the_player_on_turn_only() -> None:
    state = table("FFM RR", collections="O FTTT", phase=Phase.FLOCK)
    assert after(state, "flock:F").phase is Phase.LAY


@pytest.mark.parametrize(("deck", "possible"), [(12, False), (13, True)])
def test_a_deal_needs_eight_birds_for_each_player(deck: int, possible: bool) -> None:
    state = after(table("W RRR", deck="M" * deck), "lay:W:0:left", "draw:no")
    assert (state.phase is Phase.LAY) == possible
    assert (state.phase is Phase.OVER) != possible


def test_an_impossible_deal_is_told_and_deals_nothing() -> None:
    state = after(table("W RRR", collections="OO TT", deck="M"), "lay:W:0:left")
    assert told(state, "draw:no") == [
        (0, DrawDeclined()),
        (0, RoundEnded(1, (0, 3))),
        (None, GameEnded(End.DEAL_IMPOSSIBLE, (0, 1), (2, 2))),
    ]
    ended = after(state, "draw:no")
    assert (ended.hands, ended.draw_pile, ended.discard_pile) == (((), ()), heap("M"), heap("RRR"))


def test_the_winner_is_first_and_the_others_follow_by_their_birds() -> None:
    won = after(
        table("OOOD M M M M", collections="FTDPMR TTWWWWWW D RR WW", phase=Phase.FLOCK, deck="W"),
        "flock:O",
    )
    assert placings(won) == [(1, 7), (2, 8), (5, 1), (3, 2), (3, 2)]


def test_most_birds_win_an_impossible_deal_and_equal_ones_share() -> None:
    over = after(table("W R M D", collections="OO T DD P"), "lay:W:0:left")
    result = GAME.result(over)
    assert result is not None
    assert result.reason == "deal_impossible"
    assert placings(over) == [(1, 2), (3, 1), (1, 2), (3, 1)]
    assert GAME.view(over, None).winners == (0, 2)
