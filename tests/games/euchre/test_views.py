"""Who sees what: RULES 10."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.core import Rng, encode_move
from engine.core.cards import JOKER, Suit, card_of
from engine.games.euchre import GAME
from engine.games.euchre.events import CardDiscarded, UpcardTaken
from engine.games.euchre.state import SEATS, Phase, PlayedCard, State, Trump, UpcardState
from engine.games.euchre.view import Bid, DefendAnswer
from tests.games.euchre.table import HANDS, cards, dealt, move, moves, names, offers, views

ROUND_ONE_PASSED = "1:pass 2:pass 3:pass 0:pass"


def blobs(state: State, seats: tuple[int | None, ...]) -> list[bytes]:
    """The views as bytes, so that not even an order can differ."""
    return [msgspec.msgpack.encode(GAME.view(state, seat)) for seat in seats]


def test_after_ordering_up_the_dealer_sees_six_cards_and_the_others_their_number() -> None:
    state = moves(dealt(), "1:up")
    dealer, *others = views(state)
    assert set(dealer.hand) == set(cards(HANDS[0] + " 9H"))
    for view in others:
        assert view.hand_sizes == (6, 5, 5, 5)
        assert (view.upcard, view.trump, view.maker) == (card_of("9H"), Trump.HEARTS, 1)
        assert not set(view.hand) & set(dealer.hand)
    assert [len(GAME.legal_moves(state, seat)) for seat in SEATS] == [6, 0, 0, 0]


def test_the_discard_is_known_to_the_dealer_alone() -> None:
    nine, queen = (moves(dealt(), f"1:up 0:discard:{card}") for card in ("9H", "QD"))
    assert (GAME.view(nine, 0).discard, GAME.view(queen, 0).discard) == cards("9H QD")
    for seat in (1, 2, 3, None):
        assert (GAME.view(nine, seat).discarded, GAME.view(nine, seat).discard) == (True, None)
    assert blobs(nine, (1, 2, 3, None)) == blobs(queen, (1, 2, 3, None))


def test_the_event_of_the_discard_shows_the_card_to_the_dealer_alone() -> None:
    fact = move(moves(dealt(), "1:up"), "0:discard:QD").facts[0]
    assert [fact.seen_by(seat) for seat in (*SEATS, None)] == [CardDiscarded(card_of("QD")), *[CardDiscarded()] * 4]


def test_the_event_of_taking_up_shows_the_hand_to_the_dealer_alone() -> None:
    fact = move(dealt(), "1:up").facts[1]
    assert fact.seen_by(1) == fact.seen_by(None) == UpcardTaken(card_of("9H"))
    own = fact.seen_by(0)
    assert isinstance(own, UpcardTaken)
    assert set(own.hand) == set(cards(HANDS[0] + " 9H"))


def test_the_dealer_names_a_suit_for_the_benny_without_seeing_his_cards() -> None:
    state = dealt(upcard="BN", benny=True)
    dealer, *others = views(state)
    assert (dealer.hand, dealer.hand_masked, dealer.hand_sizes, dealer.upcard) == ((), True, (5, 5, 5, 5), JOKER)
    assert len(offers(state)) == 8
    for seat, view in enumerate(others[:3], 1):
        assert set(view.hand) == set(cards(HANDS[seat]))
        assert (view.hand_masked, GAME.legal_moves(state, seat)) == (False, ())
    after = GAME.view(moves(state, "0:name:S"), 0)
    assert (set(after.hand), after.hand_masked) == (set(cards(HANDS[0] + " BN")), False)


def test_a_blind_dealer_learns_nothing_from_his_view_offers_or_clock() -> None:
    state = dealt(upcard="BN", benny=True)
    other = GAME.redeal(state, 0, Rng(b"blind", 0))
    assert other.hands[0] != state.hands[0]
    assert blobs(other, (0, None)) == blobs(state, (0, None))
    assert GAME.legal_moves(other, 0) == GAME.legal_moves(state, 0)
    assert GAME.timeout_move(other, 0) == GAME.timeout_move(state, 0)


def test_who_sits_out_still_sees_the_own_cards() -> None:
    state = moves(dealt(), "1:pass 2:up+alone 0:discard:QD")
    assert set(GAME.view(state, 0).hand) == set(cards("AS KS TC 9C 9H"))


def test_hands_are_seen_trump_first_however_a_position_lists_them() -> None:
    state = dealt(("9C QD AS TC KS", *HANDS[1:]))
    assert names(GAME.view(state, 0).hand) == "AS KS QD TC 9C"


def test_the_whole_bidding_can_be_seen() -> None:
    state = moves(dealt(no_trump_call=True), ROUND_ONE_PASSED + " 1:pass 2:call:NT+alone")
    view = GAME.view(state, None)
    passes = tuple(Bid(seat, 1) for seat in (1, 2, 3, 0))
    assert view.bids == (*passes, Bid(1, 2), Bid(2, 2, Trump.NO_TRUMP, alone=True))
    assert (view.upcard, view.upcard_state) == (card_of("9H"), UpcardState.TURNED_DOWN)


def test_bids_grow_one_by_one() -> None:
    state, told = dealt(stick_the_dealer=False), 0
    for seat in (1, 2, 3, 0) * 2:
        view = GAME.view(state, None)
        assert len(view.bids) == told
        assert all(bid.trump is None for bid in view.bids)
        state, told = moves(state, f"{seat}:pass"), told + 1


def test_naming_for_the_benny_is_the_only_bid_of_its_hand() -> None:
    state = dealt(upcard="BN", benny=True, dealer=2)
    assert GAME.view(state, None).bids == ()
    assert GAME.view(moves(state, "2:name:D"), None).bids == (Bid(2, 1, Trump.DIAMONDS),)


def test_answers_to_the_lone_defence_can_be_seen() -> None:
    asked = moves(dealt(lone_defender=True), "1:up 0:discard:QD")
    no, yes = DefendAnswer(2, alone=False), DefendAnswer(0, alone=True)
    assert GAME.view(asked, None).defend_answers == ()
    assert GAME.view(moves(asked, "2:nodefend"), None).defend_answers == (no,)
    assert GAME.view(moves(asked, "2:nodefend 0:defend"), None).defend_answers == (no, yes)
    assert GAME.view(moves(asked, "2:nodefend 0:nodefend"), None).defend_answers == (no, DefendAnswer(0, alone=False))
    assert GAME.view(moves(asked, "2:defend"), None).defend_answers == (DefendAnswer(2, alone=True),)


def test_the_trick_tells_who_played_what_and_which_suit_to_follow() -> None:
    state = moves(dealt(), "1:up 0:discard:QD 1:play:JD 2:play:JH")
    view = GAME.view(state, None)
    assert view.trick == (PlayedCard(1, card_of("JD")), PlayedCard(2, card_of("JH")))
    assert (view.led_suit, view.turn) == (Suit.HEARTS, 3), "the left bower was led"
    after = GAME.view(moves(state, "3:play:9S 0:play:9H"), None)
    assert (after.trick, after.led_suit, after.tricks_by_seat, after.tricks_by_team) == ((), None, (0, 0, 1, 0), (1, 0))
    assert after.finished_tricks[0].winner == 2


def test_cards_that_were_not_played_stay_unknown_when_the_match_is_over() -> None:
    state = moves(dealt(scores=(9, 9)), "1:pass 2:up+alone 0:discard:QD")
    while state.turn is not None:
        state = moves(state, f"{state.turn}:{offers(state)[0]}")
    assert state.phase is Phase.MATCH_OVER
    for seat in (1, 2, 3, None):
        view = GAME.view(state, seat)
        assert (view.hand, view.discard, view.hand_sizes) == ((), None, (5, 0, 0, 0))
    assert GAME.view(state, 1).winning_team is not None


def test_a_scene_shows_own_cards_face_up_and_all_others_as_backs() -> None:
    state = moves(dealt(), "1:up 0:discard:QD 1:play:JD")
    zones = {zone.id: zone for zone in GAME.scene(GAME.view(state, 0)).zones}
    assert [piece.piece for piece in zones["hand/0"].pieces] == ["9H", "AS", "KS", "TC", "9C"]
    assert [(p.piece, p.count) for p in zones["hand/1"].pieces] == [("", 4)]
    assert [piece.piece for piece in zones["trick/1"].pieces] == ["JD"]
    assert [piece.piece for piece in zones["discard"].pieces] == ["QD"]
    assert [(p.piece, p.count) for p in zones["kitty"].pieces] == [("", 3)]
    assert zones["upcard"].pieces == ()
    hidden = {zone.id: zone for zone in GAME.scene(GAME.view(state, None)).zones}
    assert [(p.piece, p.count) for p in hidden["discard"].pieces] == [("", 1)]


def test_a_blind_dealers_hand_lies_face_down() -> None:
    zones = {zone.id: zone for zone in GAME.scene(GAME.view(dealt(upcard="BN", benny=True), 0)).zones}
    assert [(p.piece, p.count) for p in zones["hand/0"].pieces] == [("", 5)]
    assert [p.piece for p in zones["upcard"].pieces] == ["BN"]


def test_no_event_outside_the_private_ones_tells_a_hidden_card() -> None:
    """A whole hand: what everybody is told holds only cards that were turned up or played."""
    state: State = dealt(lone_defender=True)
    hidden = set(cards("AS KS TC 9C")) | set(state.kitty)
    for text in ["1:up+alone", "0:discard:AS", "2:defend", "1:play:JD", "2:play:JH"]:
        step = move(state, text)
        for fact in step.facts:
            assert fact.public is not None
            assert not hidden & set(_numbers_under_cards(msgspec.msgpack.decode(encode_move(fact.public))))
        state = step.state


def _numbers_under_cards(value: Any) -> list[int]:
    """Every number in an encoded event that can only be a card."""
    if isinstance(value, list):
        return [number for item in value for number in _numbers_under_cards(item)]
    return [value] if isinstance(value, int) and not isinstance(value, bool) and value > 8 else []
