"""Scenes from the table, beside the worked examples in examples.md."""

from __future__ import annotations

import pytest

from engine.core import Fact, IllegalMove, InvalidOptions, NotAsked, Rng, play
from engine.core.cards import JOKER, card_of
from engine.games.sevens import GAME, rules
from engine.games.sevens.state import CardPlayed, Finished, GameEnded, Options, Pass, Passed, Play, WentOut
from tests.games.sevens.table import after, board, move, offers
from tests.games.sevens.vectors import read_cards

NOTHING_FITS = ("5D KS", "6D TC", "8S 2C")


@pytest.mark.parametrize("seats", [0, 2, 9])
def test_three_to_eight_players(seats: int) -> None:
    with pytest.raises(InvalidOptions, match="seats"):
        GAME.setup(Options(), seats, Rng(b"", 0))


@pytest.mark.parametrize(
    ("options", "field"),
    [
        (Options(pass_limit=-1), "pass_limit"),
        (Options(pass_limit=6), "pass_limit"),
        (Options(decks=0), "decks"),
        (Options(decks=3), "decks"),
    ],
)
def test_options_out_of_range_are_named(options: Options, field: str) -> None:
    with pytest.raises(InvalidOptions) as refused:
        GAME.setup(options, 4, Rng(b"", 0))
    assert refused.value.field == field


def test_the_deal_uses_every_card_as_often_as_there_are_packs() -> None:
    dealt = rules.deal(Options(decks=2), 5, Rng(b"deal", 0))
    assert sorted(card for hand in dealt for card in hand) == sorted(rules.PACK * 2)


def test_with_two_packs_the_lower_holder_of_the_seven_of_diamonds_decides_who_begins() -> None:
    opening = rules.opening(Options(decks=2), [read_cards(hand) for hand in ("6C", "7D 6D", "6H", "7D 6S")])
    assert opening.turn == 2


def test_a_player_who_is_not_on_turn_is_not_asked() -> None:
    with pytest.raises(NotAsked):
        play(GAME, board("6H", "8H", "6C"), 1, Play(card_of("8H")), Rng(b"", 1))


def test_equal_cards_are_one_offer() -> None:
    twice = board("6H 6H 9C", "8H", "6C", table="7C 7C 7D 7D 7H 7H 7S 7S", options=Options(decks=2))
    assert offers(twice) == ["play:6H", "pass"]
    assert after(twice, "play:6H").hands[0] == read_cards("6H 9C")


@pytest.mark.parametrize(
    ("text", "clause"),
    [("play:8H", "4.2"), ("play:7D", "4.2"), ("play:KS", "3.2"), ("pass", "4.3")],
)
def test_a_refusal_names_its_clause(text: str, clause: str) -> None:
    state = board("6H KS", "8H 9H", "6C", passes=(0, 3, 3))
    with pytest.raises(IllegalMove) as refused:
        move(state, text)
    assert refused.value.clause == clause


@pytest.mark.parametrize("card", [-1, 0, JOKER, 1000])
def test_what_is_no_card_of_the_pack_is_not_held(card: int) -> None:
    with pytest.raises(IllegalMove) as refused:
        play(GAME, board("6H", "8H", "6C"), 0, Play(card), Rng(b"", 1))
    assert refused.value.clause == "4.2"


def test_laying_a_card_is_one_event() -> None:
    step = move(board("6H KS", "8H", "6C"), "play:6H")
    assert step.facts == (Fact(0, CardPlayed(card_of("6H"))),)


def test_free_and_forced_passes_look_the_same() -> None:
    free = move(board("6H KS", "8H", "6C"), "pass")
    forced = move(board("5H KS", "8H", "6C"), "pass")
    assert free.facts == forced.facts == (Fact(0, Passed(2)),)


def test_going_out_tells_the_cards_and_the_place() -> None:
    step = move(board(*NOTHING_FITS, passes=(0, 3, 3)), "pass")
    assert step.facts == (Fact(0, WentOut(read_cards("5D KS"), 3)),)


def test_the_last_card_is_laid_then_the_player_has_finished() -> None:
    step = move(board("6H", "8H 9H", "6C 5C"), "play:6H")
    assert step.facts == (Fact(0, CardPlayed(card_of("6H"))), Fact(0, Finished(1)))


def test_the_end_shows_the_hand_that_is_left() -> None:
    step = move(board("6H", "8H 9H", "", finished=(2,)), "play:6H")
    assert step.facts[-1] == Fact(None, GameEnded(1, read_cards("8H 9H"), 3))
    assert step.state.turn is None
    assert GAME.prompts(step.state) == ()


def test_passes_run_out_one_by_one_and_never_come_back() -> None:
    state = board("5D KS", "6H 5H 4H 3H", "6C 5C 4C 3C")
    for left in (2, 1, 0):
        state = after(state, "pass")
        assert state.passes == (left, 3, 3)
        state = after(state, offers(state)[0], offers(after(state, offers(state)[0]))[0])
    assert after(state, "pass").out == (0,)


def test_an_island_is_joined_from_far_away() -> None:
    # K, Q and T of spades lie there since somebody went out; 8, 9 and J are missing.
    state = board("8S 2C", "9S JS 2D", "JD 2H", "", table="7C 7D 7H 7S TS QS KS", out=(3,))
    assert offers(state) == ["play:8S", "pass"]
    state = after(state, "play:8S")
    assert offers(state) == ["play:9S", "pass"]
    state = after(state, "play:9S", "pass", "pass")
    assert offers(state) == ["play:JS", "pass"]


@pytest.mark.parametrize(
    ("hand", "expected"),
    [("6H 8S KS", "play:6H"), ("6H 2C KS", "play:2C"), ("5D KS", "pass"), ("6H 8S 8D", "play:8D")],
)
def test_the_clock_plays_what_opens_least(hand: str, expected: str) -> None:
    state = board(hand, "8H", "6C", table="7C 6C 5C 4C 3C 7D 7H 7S")
    assert GAME.notation(GAME.timeout_move(state, 0)) == expected


def test_a_pass_that_is_not_needed_is_never_the_clock_s() -> None:
    state = board("6H", "8H", "6C")
    assert Pass() in GAME.legal_moves(state, 0)
    assert GAME.timeout_move(state, 0) == Play(card_of("6H"))
