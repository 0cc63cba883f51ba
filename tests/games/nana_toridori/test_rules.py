"""One scenario per clause of RULES.md, as at a table; the worked examples are in ``examples.md``."""

from __future__ import annotations

import pytest

from engine.core import IllegalMove, InvalidOptions, NotAsked, Prompt, Rng, play
from engine.games.nana_toridori import GAME
from engine.games.nana_toridori.state import (
    ADVANCED,
    DUEL,
    HIGHEST_ONLY,
    Discard,
    DiscardFront,
    Keep,
    KeepFront,
    Move,
    Options,
    Pass,
    Phase,
    Play,
    RoundSummary,
    State,
    Take,
)
from tests.games.nana_toridori.table import after, board, cards, dealt, duel, move, offers

# Section 2: the deal.


@pytest.mark.parametrize(("seats", "pile"), [(2, 47), (3, 39), (4, 31), (5, 23), (6, 15)])
def test_everybody_gets_eight_cards_and_the_rest_is_the_draw_pile(seats: int, pile: int) -> None:
    state = dealt(seats=seats)
    assert [len(hand) for hand in state.hands] == [8] * seats
    assert len(state.draw_pile) == pile
    assert (state.table, state.discard_pile, state.owner) == ((), (), None)


def test_hands_are_blocks_of_the_shuffled_pack_from_the_leader_on() -> None:
    state = dealt(Options(first_leader=2), seats=3, seed=b"blocks")
    pack = Rng(b"blocks", 0).shuffle(tuple(value for value in range(1, 8) for _ in range(9)))
    assert state.hands == (pack[8:16], pack[16:24], pack[:8])
    assert state.draw_pile == pack[24:]
    assert (state.leader, state.turn) == (2, 2)


def test_a_duel_deals_eleven_cards_and_then_two_front_cards_each() -> None:
    state = dealt(Options(two_player_mode=DUEL, first_leader=1), seats=2, seed=b"duel")
    pack = Rng(b"duel", 0).shuffle(tuple(value for value in range(1, 8) for _ in range(9)))
    assert state.hands == (pack[11:22], pack[:11])
    assert state.front == (pack[24:26], pack[22:24])
    assert state.draw_pile == pack[26:]


def test_without_a_first_leader_every_seat_may_be_drawn() -> None:
    assert {dealt(seats=3, seed=bytes([number])).turn for number in range(40)} == {0, 1, 2}


@pytest.mark.parametrize(
    ("options", "seats", "field"),
    [
        (Options(mode="expert"), 3, "mode"),
        (Options(advanced_winner="nobody"), 3, "advanced_winner"),
        (Options(two_player_mode="team"), 2, "two_player_mode"),
        (Options(two_player_mode=DUEL), 3, "two_player_mode"),
        (Options(two_player_mode=DUEL, mode=ADVANCED), 2, "two_player_mode"),
        (Options(first_leader=3), 3, "first_leader"),
        (Options(first_leader=-1), 3, "first_leader"),
        (Options(), 1, "seats"),
        (Options(), 7, "seats"),
    ],
)
def test_options_that_cannot_be_are_refused_by_name(options: Options, seats: int, field: str) -> None:
    with pytest.raises(InvalidOptions) as refused:
        dealt(options, seats)
    assert refused.value.field == field


# Sections 4 and 5: a turn.


def test_the_prompts_tell_what_is_asked_and_of_whom() -> None:
    lead = board("7731", "22", "44", deck="65")
    assert GAME.prompts(lead) == (Prompt(0, "lead"),)
    follow = after(lead, "play 3 1")
    assert GAME.prompts(follow) == (Prompt(1, "play"),)
    assert GAME.prompts(after(follow, "play 0 1")) == (Prompt(1, "take"),)
    assert GAME.prompts(after(follow, "pass")) == (Prompt(1, "keep"),)
    assert GAME.prompts(after(duel("731", "22"), "play 2 1", "pass")) == (Prompt(1, "front"),)


def test_offers_go_from_left_to_right_and_end_with_what_needs_no_place() -> None:
    state = board("2", "2663351", "4", table="5", deck="7")
    assert offers(state) == [Play(1, 1), Play(1, 2), Play(2, 1), Play(3, 2), Pass()]
    assert offers(after(state, "pass")) == [*map(Keep, range(8)), Discard()]
    assert offers(after(state, "play 1 2")) == [*map(Take, range(6)), Discard()]


def test_a_hand_that_was_led_from_asks_for_nothing_more() -> None:
    state = after(board("77", "22", "44"), "play 0 1")
    assert (state.turn, state.phase, state.beaten) == (1, Phase.PLAY, ())


def test_players_without_cards_are_skipped() -> None:
    state = board("77", "", "", "44", turn=0)
    assert after(state, "play 0 1").turn == 3


def test_nobody_else_may_answer() -> None:
    state = board("77", "22", "44")
    with pytest.raises(NotAsked):
        play(GAME, state, 1, Play(0, 1), Rng(b"", 1))
    assert GAME.legal_moves(state, 1) == ()


def test_an_older_combination_is_gone_when_the_next_but_one_is_beaten() -> None:
    state = after(board("21", "31", "41"), "play 0 1", "play 0 1", "discard", "play 0 1")
    assert (state.beaten, state.table, state.discard_pile) == ((3,), (4,), (2,))


REFUSALS: list[tuple[State, Move, str]] = [
    (board("77", "22", "44"), Pass(), "4.3"),
    (board("77", "22", "44"), Discard(), "4.1"),
    (board("77", "22", "44"), Keep(0), "4.1"),
    (board("77", "22", "44"), Play(0, 0), "4.2"),
    (board("77", "22", "44"), Play(0, -1), "4.2"),
    (board("77", "22", "44"), Play(-1, 1), "4.2"),
    (board("77", "22", "44"), Play(0, 3), "4.2"),
    (board("77", "22", "44"), Play(2, 1), "4.2"),
    (board("171", "22", "44"), Play(0, 2), "3.1"),
    (board("171", "22", "44"), Play(0, 1, (0,)), "10.2"),
    (board("77", "22", "44", table="2"), Play(0, 1), "3.3"),
    (after(board("7", "226", "44", table="1"), "play 0 2"), Play(0, 1), "4.5"),
    (after(board("7", "226", "44", table="1"), "play 0 2"), Take(2), "4.5"),
    (after(board("7", "226", "44", table="1"), "play 0 2"), Take(-1), "4.5"),
    (after(board("7", "226", "44", table="1"), "play 0 2"), Pass(), "4.5"),
    (after(board("7", "226", "44", table="1", deck="5"), "pass"), Play(0, 1), "5.2"),
    (after(board("7", "226", "44", table="1", deck="5"), "pass"), Keep(4), "5.2"),
    (after(board("7", "226", "44", table="1", deck="5"), "pass"), Keep(-1), "5.2"),
    (after(board("7", "226", "44", table="1", deck="5"), "pass"), Take(0), "5.2"),
    (duel("43", "44", table="7"), Play(0, 0, (0,)), "10.3"),
    (duel("43", "44", table="7"), Play(0, 1, (1,)), "10.3"),
    (duel("43", "44", table="7"), Play(0, 1, (0, 0)), "10.3"),
    (duel("43", "44", table="7"), Play(0, 1, (1, 0)), "10.3"),
    (duel("43", "44", table="7"), Play(0, 1, (2,)), "10.3"),
    (duel("43", "44", table="7"), Play(0, 1, (-1,)), "10.3"),
    (duel("43", "44", table="777"), Play(0, 2, (0,)), "3.3"),
    (after(duel("43", "44", table="7"), "pass"), Play(0, 1), "10.4"),
    (after(duel("43", "44", table="7"), "pass"), Discard(), "10.4"),
    (after(duel("43", "44", table="7"), "pass"), KeepFront(2, 0), "10.4"),
    (after(duel("43", "44", table="7"), "pass"), KeepFront(-1, 0), "10.4"),
    (after(duel("43", "44", table="7"), "pass"), KeepFront(0, 3), "10.4"),
    (after(duel("43", "44", table="7"), "pass"), DiscardFront(2), "10.4"),
]


@pytest.mark.parametrize(("state", "wrong", "clause"), REFUSALS)
def test_a_refusal_names_its_clause(state: State, wrong: Move, clause: str) -> None:
    assert state.turn is not None
    with pytest.raises(IllegalMove) as refused:
        play(GAME, state, state.turn, wrong, Rng(b"", 1))
    assert refused.value.clause == clause
    assert refused.value.reason


def test_a_refusal_shows_the_own_cards_and_the_table() -> None:
    with pytest.raises(IllegalMove, match=r"^2 2 does not beat 6 6\.$"):
        move(board("77", "22", "44", table="66"), "play 0 2")


# Sections 6 and 7: the end of a trick and of a round.


def test_a_drawn_card_is_decided_on_before_the_table_is_cleared() -> None:
    state = after(board("77", "22", "44", table="7", owner=0, turn=2, passes=1, deck="5"), "pass")
    assert (state.phase, state.table, state.passes) == (Phase.KEEP, (7,), 2)
    assert after(state, "keep 0").table == ()


def test_the_owner_leads_again_and_may_not_pass() -> None:
    state = after(board("31", "22", "44", table="7"), "pass", "pass")
    assert (state.turn, offers(state)) == (0, [Play(0, 1), Play(1, 1)])


def test_while_the_owner_is_out_the_player_after_that_seat_leads_even_if_another_passed_last() -> None:
    state = board("", "22", "44", "55", table="66", owner=0, turn=2)
    state = after(state, "pass", "pass")
    assert (state.turn, state.table) == (1, (6, 6))
    assert after(state, "pass").turn == 1


def test_the_discard_pile_is_not_shuffled_again() -> None:
    state = after(board("31", "22", "44", table="7", discard=[1, 1, 1]), "pass")
    assert (state.draw_pile, state.discard_pile, state.turn) == ((), (1, 1, 1), 2)


def test_a_new_round_leaves_nothing_of_the_old_one() -> None:
    ended = after(board("777", "", "4", table="3", owner=0, turn=2, discard=[1], deck="5"), "play 0 1")
    assert (ended.table, ended.owner, ended.beaten, ended.drawn) == ((), None, (), None)
    assert (ended.discard_pile, ended.finished, ended.passes) == ((), (), 0)
    assert ended.last_round == RoundSummary(1, (1, 2), 0, (4,))
    assert (ended.leader, ended.turn, ended.known) == (0, 0, ((), (), ()))


# Sections 8 and 9: the games.


def ranks_and_scores(state: State) -> list[tuple[int, int]]:
    result = GAME.result(state)
    assert result is not None
    return [(placement.rank, placement.score) for placement in result.placements]


def test_all_but_the_loser_share_the_first_rank() -> None:
    state = board("777", "", "4", "", table="3", owner=0, turn=2, finished=[1, 3], penguins=[1, 1, 2, 2])
    ended = after(state, "play 0 1")
    assert ranks_and_scores(ended) == [(4, 0), (1, 1), (1, 2), (1, 2)]
    assert GAME.prompts(ended) == ()


def test_with_penguins_left_there_is_no_result() -> None:
    assert GAME.result(after(board("777", "", "4", table="3", owner=0, turn=2), "play 0 1")) is None


@pytest.mark.parametrize(
    ("options", "points", "expected"),
    [
        ({}, [0, 8, 6, 8], [(4, 0), (1, 12), (3, 8), (1, 10)]),
        ({"advanced_winner": HIGHEST_ONLY}, [0, 8, 6, 8], [(4, 0), (1, 12), (3, 8), (2, 10)]),
        ({"advanced_winner": HIGHEST_ONLY}, [0, 6, 2, 8], [(4, 0), (1, 10), (3, 4), (1, 10)]),
        ({}, [4, 6, 2, 2], [(2, 4), (1, 10), (2, 4), (2, 4)]),
    ],
)
def test_points_make_ranks(options: dict[str, str], points: list[int], expected: list[tuple[int, int]]) -> None:
    state = board(
        "777", "", "4", "", table="3", owner=0, turn=2, finished=[1, 3], mode=ADVANCED, points=points, **options
    )
    assert ranks_and_scores(after(state, "play 0 1")) == expected


def test_ten_points_count_only_once_the_round_is_over() -> None:
    state = board("77", "22", "43", table="3", owner=0, turn=2, mode=ADVANCED, points=[0, 4, 8])
    state = after(state, "play 0 1", "discard", "pass")
    assert (state.phase, GAME.result(state)) == (Phase.PLAY, None)


# Section 10: the duel.


def test_a_round_of_a_duel_can_end_with_the_second_penguin() -> None:
    ended = after(duel("43", "43", front=("46", ""), table="7", penguins=[2, 1]), "pass")
    assert (ended.phase, ended.penguins, ended.turn) == (Phase.OVER, (2, 0), None)
    assert ended.last_round == RoundSummary(1, (), 1, (7,))
    assert ranks_and_scores(ended) == [(1, 2), (2, 0)]


def test_a_pass_without_a_front_card_is_the_only_offer_if_nothing_beats_the_table() -> None:
    assert offers(duel("43", "43", front=("46", ""), table="7")) == [Pass()]


def test_front_cards_stay_out_of_the_hand_and_of_the_gap() -> None:
    state = after(duel("43", "6446", table="3"), "play 1 2 +0")
    assert (state.table, state.hands[1], state.front[1]) == (cards("444"), cards("66"), cards("1"))


def test_both_front_cards_may_join() -> None:
    state = after(duel("43", "46", front=("46", "44"), table="77"), "play 0 1 +0,1")
    assert (state.table, state.front[1], state.phase) == (cards("444"), (), Phase.TAKE)


# Section 12: the clock.


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (board("3322266", "1", "1"), Play(2, 3)),
        (board("3322", "1", "1"), Play(2, 2)),
        (board("1", "3533", "1", table="2"), Play(2, 2)),
        (board("1", "37", "1", table="33"), Pass()),
        (after(board("1", "336", "1", table="2"), "play 0 2"), Discard()),
        (after(board("1", "336", "1", table="2", deck="5"), "pass"), Discard()),
        (duel("1", "4433", table="2"), Play(2, 2)),
        (duel("1", "41", front=("", "44"), table="22"), Play(0, 1, (0,))),
        (after(duel("1", "43", table="2"), "pass"), DiscardFront(0)),
    ],
)
def test_the_clock_sheds_as_many_cards_as_it_can(state: State, expected: Move) -> None:
    assert state.turn is not None
    assert GAME.timeout_move(state, state.turn) == expected
