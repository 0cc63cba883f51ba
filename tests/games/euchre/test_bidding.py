"""Making trump, the discard and the lone defence: RULES 4 to 7."""

from __future__ import annotations

import pytest

from engine.core import InvalidOptions, Rng
from engine.core.cards import JOKER, card_of
from engine.games.euchre import GAME
from engine.games.euchre.events import HandDealt, HandScored
from engine.games.euchre.pack import pack
from engine.games.euchre.state import SEATS, Options, Outcome, Phase, Trump, UpcardState, left_of
from tests.games.euchre.table import HANDS, dealt, move, moves, names, offers, refused

ROUND_ONE_PASSED = "1:pass 2:pass 3:pass 0:pass"


def test_the_deal_gives_five_cards_each_from_the_left_of_the_dealer() -> None:
    class Unshuffled(Rng):
        def shuffle(self, items):  # type: ignore[no-untyped-def]
            return tuple(items)

    state = GAME.setup(Options(first_dealer=2), 4, Unshuffled(b"", 0))
    deck = pack(benny=False)
    assert set(state.hands[3]) == set(deck[0:20:4])
    assert set(state.hands[2]) == set(deck[3:20:4])
    assert state.upcard == deck[20]
    assert state.kitty == deck[21:]
    assert (state.phase, state.turn) == (Phase.BID1, 3)


def test_the_first_dealer_is_drawn_or_given() -> None:
    drawn = {GAME.setup(Options(), 4, Rng(b"%d" % i, 0)).dealer for i in range(40)}
    assert drawn == set(SEATS)
    assert GAME.setup(Options(first_dealer=3), 4, Rng(b"", 0)).dealer == 3


@pytest.mark.parametrize("target", [0, 1, 6, 12, 100])
def test_a_target_off_the_list_is_refused(target: int) -> None:
    with pytest.raises(InvalidOptions) as refusal:
        GAME.setup(Options(target_score=target), 4, Rng(b"", 0))
    assert refusal.value.field == "target_score"


def test_ordering_up_makes_the_upcards_suit_trump_and_the_speaker_the_maker() -> None:
    state = moves(dealt(), "1:pass 2:up")
    assert (state.trump, state.maker, state.alone) == (Trump.HEARTS, 2, False)
    assert (state.phase, state.turn, state.upcard_state) == (Phase.DISCARD, 0, UpcardState.TAKEN)
    assert card_of("9H") in state.hands[0]


def test_nobody_needs_a_card_of_the_suit_to_order_it_up() -> None:
    assert moves(dealt(), "1:pass 2:pass 3:up").trump is Trump.HEARTS
    assert not any(name.endswith("H") for name in HANDS[3].split())


def test_a_pass_in_the_first_round_binds_nobody_in_the_second() -> None:
    assert "call:D+alone" in offers(moves(dealt(), ROUND_ONE_PASSED))


def test_the_first_round_has_no_calls_and_the_second_no_ordering_up() -> None:
    assert refused(dealt(), "call:C") == "5.1"
    assert refused(moves(dealt(), ROUND_ONE_PASSED), "up") == "5.6"


def test_the_suit_turned_down_is_closed_even_for_a_stuck_dealer() -> None:
    state = moves(dealt(), ROUND_ONE_PASSED + " 1:pass 2:pass 3:pass")
    assert state.upcard_state is UpcardState.TURNED_DOWN
    assert refused(state, "call:H") == refused(state, "call:H+alone") == "5.6"
    assert refused(state, "pass") == "5.8"


def test_no_trump_needs_its_option() -> None:
    assert refused(moves(dealt(), ROUND_ONE_PASSED), "call:NT") == "5.7"
    state = moves(dealt(no_trump_call=True), ROUND_ONE_PASSED + " 1:call:NT")
    assert (state.trump, state.phase) == (Trump.NO_TRUMP, Phase.PLAY)


def test_eight_passes_throw_the_hand_in_and_pass_the_deal_on() -> None:
    before = moves(dealt(stick_the_dealer=False, scores=(4, 7)), ROUND_ONE_PASSED + " 1:pass 2:pass 3:pass")
    step = move(before, "0:pass")
    scored = next(f.public.hand for f in step.facts if isinstance(f.public, HandScored))
    assert (scored.outcome, scored.trump, scored.maker, scored.tricks) == (Outcome.PASSED_OUT, None, None, ())
    assert (step.state.dealer, step.state.scores, step.state.hand_number) == (1, (4, 7), 2)
    assert step.reveals, "the next hand is news"


def test_the_dealer_may_lay_away_the_card_he_took() -> None:
    state = moves(dealt(), "1:up 0:discard:9H")
    assert (state.discard, state.trump, len(state.hands[0])) == (card_of("9H"), Trump.HEARTS, 5)


def test_a_bower_or_the_benny_may_be_laid_away() -> None:
    state = moves(dealt(("JH KS TC 9C BN", *HANDS[1:2], "AS KH QH AD TD", HANDS[3]), benny=True), "1:up")
    assert {"discard:JH", "discard:BN"} <= set(offers(state))


def test_the_dealer_can_lay_away_only_what_he_holds() -> None:
    state = moves(dealt(), "1:up")
    assert refused(state, "discard:AH") == "6.1"
    assert refused(state, "play:9H") == "6.1"


def test_after_a_call_nobody_takes_the_upcard() -> None:
    state = moves(dealt(), ROUND_ONE_PASSED + " 1:call:S")
    assert state.phase is Phase.PLAY
    assert state.discard is None
    assert [len(hand) for hand in state.hands] == [5, 5, 5, 5]


def test_hands_are_held_trump_first_and_from_high_to_low() -> None:
    state = moves(dealt(), "1:up")
    assert names(state.hands[1]) == "JD AH TH KC QC"
    assert names(state.hands[2]) == "JH KH QH AD TD"


class TestBennyTurnedUp:
    def test_the_dealer_alone_names_one_of_four_suits(self) -> None:
        state = dealt(upcard="BN", benny=True, no_trump_call=True, dealer=2)
        assert (state.phase, state.turn) == (Phase.BENNY, 2)
        assert offers(state) == [f"name:{suit}{alone}" for suit in "CDHS" for alone in ("", "+alone")]
        assert refused(state, "name:NT") == refused(state, "pass") == refused(state, "discard:BN") == "5.10"

    def test_he_is_the_maker_takes_it_and_discards(self) -> None:
        state = moves(dealt(upcard="BN", benny=True), "0:name:S+alone")
        assert (state.phase, state.turn, state.maker, state.alone) == (Phase.DISCARD, 0, 0, True)
        assert (state.trump, state.hands[0][0]) == (Trump.SPADES, JOKER)
        assert moves(state, "0:discard:BN").discard == JOKER

    def test_naming_shows_him_his_hand(self) -> None:
        assert move(dealt(upcard="BN", benny=True), "0:name:S").reveals
        assert not move(dealt(), "1:up").reveals

    def test_variants_of_the_bidding_have_no_effect(self) -> None:
        plain = dealt(upcard="BN", benny=True)
        every = dealt(upcard="BN", benny=True, canadian_loner=True, no_trump_call=True, stick_the_dealer=False)
        assert offers(every) == offers(plain)

    def test_it_can_come_with_a_later_deal(self) -> None:
        blind = None
        for seed in range(60):
            before = moves(dealt(benny=True, stick_the_dealer=False), ROUND_ONE_PASSED + " 1:pass 2:pass 3:pass")
            step = move(before, "0:pass", seed=b"%d" % seed)
            if step.state.phase is Phase.BENNY:
                blind = step
                break
        assert blind is not None
        assert (blind.state.turn, blind.state.dealer) == (1, 1)
        seen = [blind.facts[-1].seen_by(seat) for seat in SEATS]
        assert [len(event.hand) for event in seen if isinstance(event, HandDealt)] == [5, 0, 5, 5]


class TestLoneDefender:
    def test_both_defenders_are_asked_from_the_left_of_the_dealer(self) -> None:
        state = moves(dealt(lone_defender=True), "1:pass 2:up 0:discard:QD")
        assert (state.phase, state.turn) == (Phase.DEFEND, 1)
        state = moves(state, "1:nodefend")
        assert (state.phase, state.turn) == (Phase.DEFEND, 3)
        state = moves(state, "3:nodefend")
        assert (state.phase, state.turn, state.lone_defender) == (Phase.PLAY, 1, None)

    @pytest.mark.parametrize(("answers", "alone"), [("2:defend", 2), ("2:nodefend 0:defend", 0)])
    def test_the_first_yes_closes_the_question(self, answers: str, alone: int) -> None:
        state = moves(dealt(lone_defender=True), "1:up 0:discard:QD " + answers)
        assert (state.phase, state.lone_defender) == (Phase.PLAY, alone)

    def test_it_comes_after_a_call_too(self) -> None:
        state = moves(dealt(lone_defender=True), ROUND_ONE_PASSED + " 1:pass 2:pass 3:call:S")
        assert (state.phase, state.turn, state.discard) == (Phase.DEFEND, 2, None)

    def test_only_yes_or_no_answers_it(self) -> None:
        state = moves(dealt(lone_defender=True), "1:up 0:discard:QD")
        assert refused(state, "pass") == refused(state, "play:JH") == "7.1"

    def test_without_the_option_nobody_is_asked(self) -> None:
        assert moves(dealt(), "1:up 0:discard:QD").phase is Phase.PLAY


def test_the_deal_goes_round_the_table() -> None:
    state = dealt(stick_the_dealer=False)
    dealers = []
    for _ in range(5):
        dealers.append(state.dealer)
        order = [(state.dealer + i) % 4 for i in (1, 2, 3, 4)]
        state = moves(state, " ".join(f"{seat}:pass" for seat in order * 2))
    assert dealers == [0, 1, 2, 3, 0]
    assert state.turn == left_of(state.dealer)
