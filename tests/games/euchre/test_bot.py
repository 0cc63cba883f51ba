"""What bots make of Euchre: bids by the worth of the hand, and the play of a careful beginner."""

from __future__ import annotations

import pytest

from engine.core import Budget, Level, Rng, decide, sight_of
from engine.core.cards import Suit, suit_of
from engine.games.euchre import GAME
from engine.games.euchre.state import State
from tests.games.euchre.table import dealt, in_play, moves


def basic(state: State) -> str:
    """What ``basic`` answers for the seat on turn."""
    return _chosen(Level.BASIC, state)


def _chosen(level: Level, state: State) -> str:
    assert state.turn is not None
    return GAME.notation(decide(level, sight_of(GAME, state, state.turn), Rng(b"", 1), Budget(300)))


def imagined(state: State) -> str:
    """What the seat on turn answers in an imagined world."""
    assert state.turn is not None
    legal = GAME.legal_moves(state, state.turn)
    return GAME.notation(GAME.imagined_move(state, state.turn, legal, Rng(b"", 1)))


def hand_of(seat: int, hand: str, upcard: str, dealer: int = 0) -> State:
    """The seat has the hand and the first bid or, as the dealer, the last one of the first round."""
    hands = ["TS JS QS KS QC", "KC AC JC AD TD", "9S TC QD TH QH"]
    state = dealt((*hands[:seat], hand, *hands[seat:]), upcard=upcard, dealer=dealer)
    return moves(state, "2:pass 3:pass 0:pass") if seat == dealer else state


@pytest.mark.parametrize(
    ("hand", "beginner", "better"),
    [
        ("9C AS KD 9D JD", "pass", "pass"),
        ("JH AH AS 9C 9D", "pass", "up"),
        ("JH AH KH 9C 9D", "up", "up"),
        ("JH JD AH KH AS", "up", "up+alone"),
    ],
)
def test_a_beginner_counts_trumps_and_the_better_player_what_they_are_worth(
    hand: str, beginner: str, better: str
) -> None:
    state = hand_of(1, hand, upcard="9H")
    assert (basic(state), imagined(state)) == (beginner, better)


def test_the_better_player_counts_the_upcard_for_the_dealer_and_against_the_others() -> None:
    hand = "AH KH AS 9C 9D"
    assert (basic(hand_of(1, hand, "JH", dealer=2)), imagined(hand_of(1, hand, "JH", dealer=2))) == ("pass", "pass")
    assert (basic(hand_of(1, hand, "JH", dealer=1)), imagined(hand_of(1, hand, "JH", dealer=1))) == ("pass", "up")


def test_the_second_bid_names_the_best_suit() -> None:
    hands = ("9D TD KD QC KC", "JS JC AS 9S AD", "QD AC TS 9C TC", "AH KH QH TH QS")
    state = moves(dealt(hands), "1:pass 2:pass 3:pass 0:pass")
    assert (basic(state), imagined(state)) == ("call:S", "call:S+alone")


def test_a_stuck_dealer_calls_something() -> None:
    assert basic(moves(dealt(), "1:pass 2:pass 3:pass 0:pass 1:pass 2:pass 3:pass")).startswith("call:")


def test_the_dealer_lays_away_what_is_missed_least() -> None:
    hands = ("JH AH TH KC 9D", "9C TC QD KD 9S", "TS JS QS KS QC", "AC JC AD TD JD")
    assert basic(moves(dealt(hands, upcard="9H"), "1:pass 2:pass 3:pass 0:up")) == "discard:9D"


def test_the_makers_draw_trump_with_a_bower() -> None:
    assert basic(in_play(("9C", "JH AS 9S", "9D", "TC"), "H", maker=1)) == "play:JH"


def test_the_defenders_lead_an_ace_rather_than_trump() -> None:
    assert basic(in_play(("9C", "JH AS 9S", "9D", "TC"), "H", maker=2)) == "play:AS"


def test_trump_is_led_to_a_partner_who_made_it() -> None:
    assert basic(in_play(("9C", "QH KS 9S", "9D", "TC"), "H", maker=3)) == "play:QH"


def test_the_last_seat_takes_a_trick_as_cheaply_as_it_can() -> None:
    trick = ((1, "9S"), (2, "QS"), (3, "TS"))
    assert basic(in_play(("AS KS 9C", "9D", "TD", "TC"), "H", maker=1, trick=trick)) == "play:KS"


def test_the_partner_keeps_the_trick_that_is_his() -> None:
    trick = ((1, "9S"), (2, "AS"), (3, "TS"))
    assert basic(in_play(("9H JH 9C", "9D", "TD", "TC"), "H", maker=1, trick=trick)) == "play:9C"


def test_a_trick_that_cannot_be_won_costs_the_lowest_card() -> None:
    trick = ((1, "JH"),)
    assert basic(in_play(("9C", "9D", "AH KH 9H", "TC"), "H", maker=1, trick=trick)) == "play:9H"


@pytest.mark.parametrize(("hand", "answer"), [("JC JS KC QC AH", "defend"), ("9H TC QD KD 9S", "nodefend")])
def test_only_a_strong_hand_defends_alone(hand: str, answer: str) -> None:
    hands = ("TS QS KS AS AD", hand, "KH QH TH JD TD", "9D 9C JH QC KC")
    state = moves(dealt(hands, lone_defender=True, upcard="AC"), "1:pass 2:pass 3:pass 0:up 0:discard:TS")
    assert basic(state) == answer


def test_a_dealer_who_has_not_seen_his_cards_names_a_suit_without_them() -> None:
    assert {basic(dealt(hands, upcard="BN", benny=True)) for hands in (_FIRST, _FIRST[::-1])} == {"name:C"}


_FIRST = ("AS KS TC 9C QD", "JD AH TH KC QC", "JH KH QH AD TD", "AC JC QS TS 9S")


def test_strong_wins_the_trick_that_decides_the_hand() -> None:
    # Two tricks each, the last one counts: the ace takes it, the king does not.
    state = in_play(("AS 9C", "KS QD", "TD JS", "QS 9D"), "H", maker=0, leader=0, won=(0, 1, 2))
    assert _chosen(Level.STRONG, state) == "play:AS"


def test_a_lead_in_points_is_a_better_standing_and_a_won_match_the_best() -> None:
    ahead = GAME.standing(dealt(scores=(6, 2)))
    assert ahead[0] == ahead[2] > 0.5 > ahead[1] == ahead[3]
    assert GAME.standing(dealt()) == (0.5, 0.5, 0.5, 0.5)


def test_a_course_is_settled_when_the_hand_is_over() -> None:
    state = in_play(("AS", "KS", "TD", "QS"), "H", maker=0, leader=0, won=(0, 1, 2, 1))
    assert not GAME.settled(state, moves(state, "0:play:AS 1:play:KS"))
    assert GAME.settled(state, moves(state, "0:play:AS 1:play:KS 2:play:TD 3:play:QS"))


def test_nobody_is_imagined_to_hold_what_he_failed_to_follow() -> None:
    began = in_play(("AS 9S", "KS QD", "TD JD", "9D QC"), "H", maker=0, leader=0)
    worlds = [GAME.redeal(moves(began, "0:play:AS 1:play:KS 2:play:TD"), 3, Rng(b"", step)) for step in range(40)]
    assert not any(suit_of(card) == Suit.SPADES for world in worlds for card in world.hands[2])
    assert len({world.hands for world in worlds}) > 1
