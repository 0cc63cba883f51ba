"""Labels, refusals and the clock: RULES 10.4 and 11."""

from __future__ import annotations

import string

import pytest

from engine.core import IllegalMove, Label, Rng
from engine.core.cards import card_of
from engine.games.euchre import GAME
from engine.games.euchre.events import CardDiscarded, DefendAnswered, HandScored, MatchOver, TrumpMade
from engine.games.euchre.pack import BENNY_PACK
from engine.games.euchre.state import Call, Discard, Move, Outcome, Play, State, Trump
from tests.games.euchre.table import HANDS, dealt, in_play, move, moves, read_move

ROUND_ONE_PASSED = "1:pass 2:pass 3:pass 0:pass"
EVERY_MOVE = [
    *("pass", "up", "up+alone", "defend", "nodefend"),
    *(f"{kind}:{suit}{alone}" for kind in ("call", "name") for suit in "CDHS" for alone in ("", "+alone")),
    *("call:NT", "call:NT+alone", "discard:9H", "play:TD", "play:BN"),
]


def said(label: Label, locale: str = "en") -> str:
    """The label as a person reads it."""
    templates = GAME.messages()[locale]
    args = {name: templates[value[1:]] if value.startswith("$") else value for name, value in label.args}
    return templates[label.key].format(**args)


@pytest.mark.parametrize("text", EVERY_MOVE)
def test_a_move_is_written_as_it_is_read(text: str) -> None:
    assert GAME.notation(read_move(text)) == text


@pytest.mark.parametrize("locale", ["en", "zh-Hans", "zh-Hant", "ja", "es"])
def test_every_move_has_a_button_of_its_own_in_every_language(locale: str) -> None:
    buttons = {said(GAME.label(read_move(text)), locale) for text in EVERY_MOVE}
    assert len(buttons) == len(EVERY_MOVE)


def test_every_language_fills_the_same_places() -> None:
    english = GAME.messages()["en"]
    for templates in GAME.messages().values():
        assert templates.keys() == english.keys()
        for key, template in templates.items():
            assert fields(template) == fields(english[key]), key


def fields(template: str) -> set[str]:
    """The arguments of a template."""
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


@pytest.mark.parametrize(
    ("label", "text"),
    [
        (GAME.label(Call(Trump.NO_TRUMP, alone=True)), "Call no trump and play alone"),
        (GAME.label(Play(card_of("TD"))), "Play 10♦"),
        (GAME.event_label(TrumpMade(Trump.HEARTS, alone=False, round=1), 2), "Seat 2 makes trump: hearts ♥."),
        (GAME.event_label(CardDiscarded(), 3), "Seat 3 lays a card away."),
        (GAME.event_label(CardDiscarded(card_of("9H")), 3), "Seat 3 lays 9♥ away."),
        (GAME.event_label(DefendAnswered(alone=True), 1), "Seat 1 defends alone."),
        (GAME.event_label(MatchOver(1, (8, 11)), None), "Seats 1 and 3 win the match 8:11."),
    ],
)
def test_what_is_said_in_english(label: Label, text: str) -> None:
    assert said(label) == text


@pytest.mark.parametrize("outcome", Outcome)
def test_every_outcome_is_told(outcome: Outcome) -> None:
    assert f"event.hand_scored.{outcome.name.lower()}" in GAME.messages()["es"]


def test_a_finished_hand_is_told_with_points_and_score() -> None:
    state = in_play(("AC", "9D", "9S", "9H"), "C", 0, leader=0, won=(0, 0, 0, 0), scores=(3, 1))
    state = moves(state, "0:play:AC 1:play:9D 2:play:9S")
    told = [f for f in move(state, "3:play:9H").facts if isinstance(f.public, HandScored)]
    assert told[0].public is not None
    assert (
        said(GAME.event_label(told[0].public, None)) == "March! Seats 0 and 2 took all tricks and score 2. Match 5:1."
    )


def test_the_catalogue_has_every_card_once() -> None:
    assert [part.copies for part in GAME.catalogue()] == [1] * 25
    assert len({part.id for part in GAME.catalogue()}) == 25


@pytest.mark.parametrize("card", [0, 54, -1, 999])
def test_a_card_that_does_not_exist_is_refused_like_any_other(card: int) -> None:
    asked: list[tuple[str, Move]] = [("1:up", Discard(card)), ("1:up 0:discard:QD", Play(card))]
    for text, wrong in asked:
        state = moves(dealt(), text)
        assert state.turn is not None
        refusal = GAME.refusal(state, state.turn, wrong)
        assert isinstance(refusal, IllegalMove)
        assert refusal.clause == "3.1"


def test_a_blind_dealer_is_refused_without_a_word_about_his_cards() -> None:
    state = dealt(upcard="BN", benny=True)
    told = {str(GAME.refusal(state, 0, Discard(card))) for card in BENNY_PACK}
    assert len(told) == 1


def test_refusals_follow_from_the_own_cards_alone() -> None:
    state = in_play(HANDS, "H", 1, trick=((0, "9C"),))
    for card in BENNY_PACK:
        wrong = Play(card)
        if wrong not in GAME.legal_moves(state, 1):
            other = GAME.redeal(state, 1, Rng(b"refusal", card))
            assert str(GAME.refusal(state, 1, wrong)) == str(GAME.refusal(other, 1, wrong))


class TestClock:
    def clock(self, state: State) -> str:
        assert state.turn is not None
        return GAME.notation(GAME.timeout_move(state, state.turn))

    def test_it_passes_if_possible(self) -> None:
        assert self.clock(dealt()) == "pass"
        assert self.clock(moves(dealt(), ROUND_ONE_PASSED)) == "pass"

    @pytest.mark.parametrize("stick", [True, False])
    def test_a_dealer_asked_last_calls_his_longest_suit_and_never_alone(self, stick: bool) -> None:
        stuck = ROUND_ONE_PASSED + " 1:pass 2:pass 3:pass"
        asked = dealt(no_trump_call=True, stick_the_dealer=stick)
        assert self.clock(moves(asked, stuck)) == "call:S", "two spades beat two lower clubs"
        weak = ("9S 9C TC 9D QD", *HANDS[1:2], "JH KH QH AD KS", "AC JC QS TS AS")
        assert self.clock(moves(dealt(weak), stuck)) == "call:D"

    def test_the_benny_is_named_clubs(self) -> None:
        assert self.clock(dealt(upcard="BN", benny=True)) == "name:C"

    def test_the_lowest_card_goes_trumps_last(self) -> None:
        assert self.clock(moves(dealt(), "1:up")) == "discard:9C"
        assert self.clock(moves(dealt(), "1:up 0:discard:QD")) == "play:QC"

    def test_nobody_defends_alone(self) -> None:
        assert self.clock(moves(dealt(lone_defender=True), "1:up 0:discard:QD")) == "nodefend"
