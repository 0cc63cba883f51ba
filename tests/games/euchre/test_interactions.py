"""Two variants at a time."""

from __future__ import annotations

import pytest

from engine.games.euchre.bidding import first_leader
from engine.games.euchre.state import Outcome, Phase, Trump, inactive_seats
from tests.games.euchre.table import dealt, in_play, moves, offers, refused

ROUND_ONE_PASSED = "1:pass 2:pass 3:pass 0:pass"


def test_the_partner_alone_makes_the_dealer_take_up_discard_and_sit_out() -> None:
    state = moves(dealt(), "1:pass 2:up+alone")
    assert (state.phase, state.turn, len(state.hands[0])) == (Phase.DISCARD, 0, 6)
    state = moves(state, "0:discard:9H")
    assert (state.phase, state.turn, inactive_seats(state)) == (Phase.PLAY, 1, (0,))


def test_a_sleeping_partner_does_not_lead() -> None:
    state = moves(dealt(), "1:pass 2:pass 3:up+alone 0:discard:QD")
    assert (state.turn, inactive_seats(state)) == (2, (1,))


class TestLonerStartsLast:
    @pytest.mark.parametrize(
        ("bids", "leader"),
        [
            ("1:up+alone 0:discard:QD", 2),
            ("1:pass 2:up+alone 0:discard:QD", 3),
            ("1:pass 2:pass 3:up+alone 0:discard:QD", 0),
            ("1:pass 2:pass 3:pass 0:up+alone 0:discard:QD", 1),
            ("1:pass 2:pass 3:pass 0:pass 1:pass 2:pass 3:call:S+alone", 0),
        ],
    )
    def test_the_seat_on_the_makers_left_leads(self, bids: str, leader: int) -> None:
        assert moves(dealt(loner_starts_last=True), bids).turn == leader

    def test_on_the_dealers_right_the_loner_leaves_the_lead_to_the_dealer_who_defends(self) -> None:
        state = moves(dealt(loner_starts_last=True), "1:pass 2:pass 3:up+alone 0:discard:QD")
        assert (state.turn, state.dealer, inactive_seats(state)) == (0, 0, (1,))

    def test_a_dealer_alone_changes_nothing(self) -> None:
        bids = "1:pass 2:pass 3:pass 0:up+alone 0:discard:QD"
        assert moves(dealt(loner_starts_last=True), bids).turn == moves(dealt(), bids).turn

    def test_a_lone_defender_does_not_bring_it_about(self) -> None:
        bids = "1:pass 2:up 0:discard:QD 1:nodefend 3:defend"
        state = moves(dealt(loner_starts_last=True, lone_defender=True), bids)
        assert (state.turn, inactive_seats(state)) == (2, (1,)), "left of the dealer sleeps"

    def test_a_sleeping_defender_on_the_makers_left_leaves_the_lead_to_the_lone_one(self) -> None:
        bids = "1:pass 2:up+alone 0:discard:QD 1:defend"
        state = moves(dealt(loner_starts_last=True, lone_defender=True), bids)
        assert (inactive_seats(state), state.turn) == ((0, 3), 1)

    def test_the_benny_named_alone_is_led_to_from_the_left(self) -> None:
        bids = "0:name:S+alone 0:discard:QD"
        assert moves(dealt(upcard="BN", benny=True, loner_starts_last=True), bids).turn == 1


class TestBothAlone:
    @pytest.mark.parametrize(
        ("won", "points", "outcome"),
        [
            ((1, 1, 1, 1), (0, 4), Outcome.LONE_MARCH),
            ((1, 1, 1, 2), (0, 1), Outcome.POINT),
            ((1, 1, 2, 2), (0, 1), Outcome.POINT),
            ((1, 2, 2, 2), (4, 0), Outcome.LONE_EUCHRE),
        ],
    )
    def test_tricks_of_two_cards_are_scored_as_usual(
        self, won: tuple[int, ...], points: tuple[int, int], outcome: Outcome
    ) -> None:
        state = in_play(
            ("", "JH", "9C", ""),
            "H",
            1,
            leader=1,
            won=won,
            alone=True,
            lone_defender=2,
            options={"lone_defender": True},
        )
        after = moves(state, "1:play:JH 2:play:9C")
        assert after.last_hand is not None
        assert (after.last_hand.outcome, after.last_hand.points_by_team) == (outcome, points)

    def test_one_of_the_two_leads(self) -> None:
        state = moves(dealt(lone_defender=True), "1:pass 2:pass 3:up+alone 0:discard:QD 2:defend")
        assert (first_leader(state), inactive_seats(state)) == (2, (0, 1))


class TestCanadianLoner:
    def test_a_stuck_dealer_is_stuck_all_the_same(self) -> None:
        state = moves(dealt(canadian_loner=True), ROUND_ONE_PASSED + " 1:pass 2:pass 3:pass")
        assert refused(state, "pass") == "5.8"

    def test_the_partner_calls_as_usual_in_round_two(self) -> None:
        state = moves(dealt(canadian_loner=True), ROUND_ONE_PASSED + " 1:pass 2:call:D")
        assert (state.maker, state.alone, state.trump) == (2, False, Trump.DIAMONDS)

    @pytest.mark.parametrize("dealer", [0, 1, 2, 3])
    def test_it_binds_the_dealers_partner_alone(self, dealer: int) -> None:
        state = dealt(dealer=dealer, canadian_loner=True)
        for seat in [(dealer + i) % 4 for i in (1, 2, 3, 4)]:
            bound = seat == (dealer + 2) % 4
            assert offers(state) == (["pass", "up+alone"] if bound else ["pass", "up", "up+alone"])
            assert refused(state, "up") == ("5.4" if bound else None)
            state = moves(state, f"{seat}:pass")


class TestNoTrump:
    def test_alone_is_scored_like_any_loner(self) -> None:
        state = in_play(
            ("AC", "9D", "", "9H"), "NT", 0, leader=0, won=(0, 0, 0, 0), alone=True, options={"no_trump_call": True}
        )
        after = moves(state, "0:play:AC 1:play:9D 3:play:9H")
        assert after.scores == (4, 0)

    def test_a_lone_defender_gets_four_for_the_euchre(self) -> None:
        options = {"no_trump_call": True, "lone_defender": True}
        state = in_play(("9C", "AC", "9H", ""), "NT", 0, leader=0, won=(0, 0, 1, 1), lone_defender=1, options=options)
        assert moves(state, "0:play:9C 1:play:AC 2:play:9H").scores == (0, 4)

    def test_a_stuck_dealer_may_call_it(self) -> None:
        state = moves(dealt(no_trump_call=True), ROUND_ONE_PASSED + " 1:pass 2:pass 3:pass 0:call:NT+alone")
        assert (state.trump, state.maker, inactive_seats(state)) == (Trump.NO_TRUMP, 0, (2,))

    def test_a_lone_defence_follows_at_once(self) -> None:
        state = moves(dealt(no_trump_call=True, lone_defender=True), ROUND_ONE_PASSED + " 1:call:NT")
        assert (state.phase, state.turn) == (Phase.DEFEND, 2)


class TestBenny:
    def test_a_suit_turned_down_is_closed_as_usual(self) -> None:
        state = moves(dealt(benny=True), ROUND_ONE_PASSED)
        assert offers(state) == ["pass", *(f"call:{suit}{alone}" for suit in "CDS" for alone in ("", "+alone"))]

    def test_naming_is_followed_by_the_lone_defence(self) -> None:
        state = moves(dealt(upcard="BN", benny=True, lone_defender=True), "0:name:S 0:discard:QD")
        assert (state.phase, state.turn) == (Phase.DEFEND, 1)

    def test_the_kitty_has_four_cards(self) -> None:
        assert (len(dealt(benny=True).kitty), len(dealt().kitty)) == (4, 3)
