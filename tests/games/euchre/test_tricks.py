"""Following, winning and leading: RULES 3 and 8."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.euchre.events import PlayBegan
from tests.games.euchre.table import dealt, in_play, move, moves, offers, refused

HELD = ("AS KS TC 9C 9H", "JD AH TH KC QC", "JH KH QH AD TD", "AC JC QS TS 9S")
NO_TRUMP = {"benny": True, "no_trump_call": True}
BENNY = {"benny": True}


def winner(trump: str, trick: str, **fields: Any) -> int | None:
    """Who wins when the four seats, from seat 0 on, play the cards of ``trick``."""
    played = trick.split()
    hands = tuple(f"{card} 9D" for card in played)
    state = in_play(hands, trump, 0, leader=0, **fields)
    after = moves(state, " ".join(f"{seat}:play:{card}" for seat, card in enumerate(played)))
    assert after.turn == after.tricks[-1].winner
    return after.turn


@pytest.mark.parametrize(
    ("trump", "trick", "wins"),
    [
        ("H", "JD JH AH KH", 1),
        ("H", "AH JD KH QH", 1),
        ("H", "AH KH QH TH", 0),
        ("H", "AS KS 9H QS", 2),
        ("H", "9S AC AD KC", 0),
        ("H", "TC JC QC 9C", 2),
        ("H", "TS JS 9S AD", 1),
        ("S", "AS JC 9S TS", 1),
        ("C", "JS JC AC KC", 1),
        ("D", "JH AD JD KD", 2),
        ("NT", "JH AH JD KH", 1),
        ("NT", "9C AS AH AD", 0),
    ],
)
def test_the_highest_card_wins(trump: str, trick: str, wins: int) -> None:
    assert winner(trump, trick) == wins


@pytest.mark.parametrize(("trump", "trick", "wins"), [("H", "JH BN AH JD", 1), ("NT", "AS KS QS BN", 3)])
def test_the_benny_wins_whatever_is_played(trump: str, trick: str, wins: int) -> None:
    assert winner(trump, trick, options=NO_TRUMP) == wins


def test_who_can_follow_must_and_the_refusal_says_so() -> None:
    state = in_play(HELD, "H", 1, trick=((0, "9C"),))
    assert offers(state) == ["play:KC", "play:QC"]
    assert refused(state, "play:AH") == "8.4"
    assert refused(state, "play:JD") == "8.4"
    assert refused(state, "play:AD") == "8.8"
    assert refused(state, "pass") == "8.7"


def test_the_left_bower_follows_trump_and_not_its_printed_suit() -> None:
    assert offers(in_play(("JD KC", "9H", "9S", "9C"), "H", 1, trick=((3, "AH"),))) == ["play:JD"]
    assert offers(in_play(("JD KC", "9H", "9S", "9C"), "H", 1, trick=((3, "AD"),))) == ["play:JD", "play:KC"]


def test_the_jack_of_the_mate_suit_is_plain_again_under_another_trump() -> None:
    assert offers(in_play(("JD KC", "9H", "9S", "9C"), "S", 1, trick=((3, "AD"),))) == ["play:JD"]


def test_who_is_void_need_not_trump() -> None:
    assert len(offers(in_play(HELD, "H", 1, trick=((1, "KC"),)))) == 5


class TestBenny:
    def test_it_follows_trump(self) -> None:
        state = in_play(("BN KC", "9H", "9S", "9C"), "H", 1, trick=((3, "AH"),), options=BENNY)
        assert offers(state) == ["play:BN"]

    def test_led_it_calls_for_trump(self) -> None:
        state = in_play(("9H KC", "BN", "9S", "9C"), "H", 1, trick=((3, "BN"),), options=BENNY)
        assert offers(state) == ["play:9H"]

    def test_in_no_trump_it_waits_until_nothing_follows(self) -> None:
        state = in_play(("BN KC", "9H", "9S", "9C"), "NT", 1, trick=((3, "AC"),), options=NO_TRUMP)
        assert offers(state) == ["play:KC"]
        assert refused(state, "play:BN") == "8.5"

    def test_in_no_trump_it_never_has_to_be_played(self) -> None:
        state = in_play(("BN KC", "9H", "9S", "9C"), "NT", 1, trick=((3, "AD"),), options=NO_TRUMP)
        assert offers(state) == ["play:BN", "play:KC"]

    def test_in_no_trump_it_may_be_led_and_frees_everybody(self) -> None:
        state = in_play(("BN KC", "9H AD", "9S", "9C"), "NT", 1, leader=0, options=NO_TRUMP)
        assert offers(state) == ["play:BN", "play:KC"]
        assert offers(moves(state, "0:play:BN")) == ["play:9H", "play:AD"]

    def test_as_the_last_card_it_can_be_played(self) -> None:
        state = in_play(("BN", "9H", "9S", "9C"), "NT", 1, trick=((3, "AC"),), options=NO_TRUMP)
        assert offers(state) == ["play:BN"]


class TestWhoPlays:
    def test_the_winner_leads_the_next_trick(self) -> None:
        state = moves(in_play(HELD, "H", 1, leader=3), "3:play:AC 0:play:TC 1:play:KC 2:play:QH")
        assert (state.turn, state.trick, len(state.tricks)) == (2, (), 1)

    @pytest.mark.parametrize(
        ("fields", "order"),
        [
            ({}, (1, 2, 3, 0)),
            ({"alone": True}, (1, 2, 0)),
            ({"lone_defender": 2}, (1, 2, 3)),
            ({"alone": True, "lone_defender": 2}, (1, 2)),
        ],
    )
    def test_partners_of_who_plays_alone_are_passed_over(self, fields: dict[str, Any], order: tuple[int, ...]) -> None:
        state = in_play(HELD, "H", 1, leader=1, **fields)
        asked = []
        while not state.tricks:
            assert state.turn is not None
            asked.append(state.turn)
            state = moves(state, f"{state.turn}:{offers(state)[0]}")
        assert tuple(asked) == order
        assert [played.seat for played in state.tricks[0].cards] == asked

    def test_who_sits_out_keeps_the_cards(self) -> None:
        state = moves(dealt(), "1:pass 2:up+alone 0:discard:QD")
        while state.hand_number == 1:
            assert len(state.hands[0]) == 5
            state = moves(state, f"{state.turn}:{offers(state)[0]}")

    def test_the_first_lead_is_told_with_the_seats_that_sit_out(self) -> None:
        step = move(moves(dealt(lone_defender=True), "1:up+alone 0:discard:QD"), "2:defend")
        assert step.facts[-1].public == PlayBegan(1, (0, 3))

    def test_single_cards_are_played_out(self) -> None:
        state = in_play(("9C", "9D", "9S", "9H"), "C", 0, leader=0, won=(0, 0, 0, 0))
        assert offers(state) == ["play:9C"]
        after = moves(state, "0:play:9C 1:play:9D 2:play:9S 3:play:9H")
        assert after.last_hand is not None
        assert after.last_hand.tricks_by_team == (5, 0)
