"""What bots make of Nana Toridori: runs that grow, hands that shrink."""

from __future__ import annotations

import inspect

import pytest

from engine.core import Budget, Level, Rng, decide, play, sight_of
from engine.games.nana_toridori import GAME
from engine.games.nana_toridori.bot import burden, foresight
from engine.games.nana_toridori.state import ADVANCED, DUEL, Options, State
from tests.games.nana_toridori.table import after, board, dealt, duel


def answer(state: State, level: Level = Level.BASIC) -> str:
    """What a bot answers for the seat on turn."""
    assert state.turn is not None
    return GAME.notation(decide(level, sight_of(GAME, state, state.turn), Rng(b"", 1), Budget(100)))


@pytest.mark.parametrize("level", [Level.BASIC, Level.STRONG])
def test_it_goes_out_when_it_can(level: Level) -> None:
    assert answer(board("33", "66", "12", table="5"), level) == "play:0:2"


def test_it_leads_what_lies_between_two_equal_cards() -> None:
    assert answer(board("4247", "12")) == "play:1:1"


def test_it_beats_with_the_lower_card_rather_than_pass() -> None:
    assert answer(board("33", "561", table="4")) == "play:0:1"


def test_it_plays_a_run_as_a_whole() -> None:
    assert answer(board("33", "5551", table="4")) == "play:0:3"


def test_it_passes_where_nothing_beats() -> None:
    assert answer(board("33", "5551", table="4444")) == "pass"


@pytest.mark.parametrize(("hand", "choice"), [("542", "take:0"), ("512", "discard")])
def test_it_takes_beaten_cards_only_where_a_run_grows(hand: str, choice: str) -> None:
    assert answer(after(board("33", hand, table="4"), "play 0 1")) == choice


@pytest.mark.parametrize(("drawn", "choice"), [("2", "keep:1"), ("5", "discard")])
def test_it_keeps_a_drawn_card_only_where_a_run_grows(drawn: str, choice: str) -> None:
    state = after(board("11", "7226", table="333", deck=drawn), "pass")
    assert answer(state) == choice


def test_in_a_duel_it_keeps_front_cards_where_the_hand_suffices() -> None:
    assert answer(duel("33", "661", front=("12", "64"), table="5")) == "play:0:2"


def test_in_a_duel_it_does_not_pass_without_a_front_card() -> None:
    assert answer(duel("33", "6611", front=("12", ""), table="5")) != "pass"


def test_foresight_sees_two_runs_become_one() -> None:
    assert foresight((4, 2, 4)) < burden((4, 2, 4))
    assert foresight((4, 2, 5)) == burden((4, 2, 5))
    assert burden(()) == 0 < burden((7, 7)) < burden((7,)) + burden((7,))


def test_who_has_less_to_get_rid_of_stands_better() -> None:
    for options in ({}, {"mode": ADVANCED}):
        first, second, third = GAME.standing(board("7", "135", "1357246", turn=1, discard=[1], **options))
        assert 1 > first > second > third > 0, options
    first, second = GAME.standing(duel("77", "1357246", turn=1, discard=[1]))
    assert first > second


def test_a_lost_penguin_counts() -> None:
    fresh = GAME.standing(dealt(seats=3))
    assert fresh[0] == fresh[1] == fresh[2]
    hurt = GAME.standing(board("123", "123", "123", penguins=[2, 1, 2], turn=1))
    assert hurt[1] < min(hurt[0], hurt[2])


@pytest.mark.parametrize(
    ("options", "seats"),
    [(Options(), 2), (Options(two_player_mode=DUEL), 2), (Options(mode=ADVANCED), 4), (Options(), 6)],
)
def test_basics_win_more_often_than_seats_at_random(options: Options, seats: int) -> None:
    won = {Level.BASIC: 0, Level.RANDOM: 0}
    for number in range(4):
        levels = [Level.BASIC if (seat + number) % 2 else Level.RANDOM for seat in range(seats)]
        state = _over(options, levels, b"bots %d" % number)
        result = GAME.result(state)
        assert result is not None
        for placement in result.placements:
            won[levels[placement.seat]] += placement.rank == 1
    assert won[Level.BASIC] > won[Level.RANDOM]


def _over(options: Options, levels: list[Level], seed: bytes) -> State:
    """The end of a game of bots."""
    state, ply = GAME.setup(options, len(levels), Rng(seed, 0)), 0
    while state.turn is not None:
        ply += 1
        sight = sight_of(GAME, state, state.turn)
        move = decide(levels[state.turn], sight, Rng(seed + b"/bot", ply), Budget(1))
        state = play(GAME, state, state.turn, move, Rng(seed, ply)).state
    return state


def test_the_rule_is_told_nothing_but_seat_view_and_offers() -> None:
    assert list(inspect.signature(GAME.rule_of_thumb).parameters) == ["seat", "view", "moves"]
