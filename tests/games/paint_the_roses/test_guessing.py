"""The rules of guessing, clause by clause: guesses, agreeing, two players (sections 7, 8 and 11)."""

from __future__ import annotations

import pytest

from engine.games.paint_the_roses import GAME
from engine.games.paint_the_roses.events import (
    ClueTokenUsed,
    FlowerGained,
    GardenersMoved,
    GreenhouseRefilled,
    GuessedRight,
    GuessedWrong,
    GuessProposed,
    ProposalClosed,
    ProposalWithdrawn,
    QueenMoved,
    Stopped,
    TurnStarted,
    Voted,
    WhimCard,
)
from engine.games.paint_the_roses.state import Phase, Player, State
from engine.games.paint_the_roses.symbols import Level
from tests.games.paint_the_roses.table import (
    after,
    agree,
    asked,
    clause,
    move,
    offers,
    pair_of,
    refuting,
    right,
    table,
    told,
    whim_of,
    wrong,
)

# Guessing (section 7).


def test_all_may_propose_about_all_others_in_their_levels() -> None:
    state = table(whims={0: "E-pink-red-1", 1: "M-pink-red-1", 2: "H-pink-red-1"})
    assert asked(state) == [(0, "guess"), (1, "guess"), (2, "guess")]
    assert [len(offers(state, seat)) for seat in range(3)] == [20 + 36, 10 + 36, 10 + 20]
    assert not any(text.startswith("guess:0:") for text in offers(state, 0))


@pytest.mark.parametrize(
    ("seat", "text", "expected"),
    [
        (0, "guess:0:pink/red", "7.2"),
        (0, "guess:3:pink/red", "7.1"),
        (0, "guess:-1:pink/red", "7.1"),
        (0, "guess:1:club/heart", "7.4"),
        (0, "guess:2:red/heart", "7.4"),
        (0, "guess:2:yellow/red", "7.5"),
        (0, "stop", "7.9"),
        (1, "stop", "7.9"),
        (0, "clue", "3.4"),
        (0, "yes", "8.1"),
        (0, "withdraw", "8.1"),
        (0, "level:easy", "1.4"),
        (0, "plant:0:A2", "1.4"),
    ],
)
def test_refused_while_guessing(seat: int, text: str, expected: str) -> None:
    state = refuting(table(whims={1: "E-pink-red-1", 2: "M-pink-red-1"}), 2, "red/yellow")
    assert clause(state, seat, text) == expected


def test_the_order_of_the_halves_does_not_matter() -> None:
    state = table(whims={1: "E-pink-red-1"})
    assert move(state, 0, "guess:1:red/pink") == move(state, 0, "guess:1:pink/red")


def test_a_guess_against_the_cubes_is_not_refused() -> None:
    # Seat 1 has 2 on yellow heart at A2, so the card is no pair with club or spade.
    state = after(
        table(phase=Phase.PLANT, greenhouse=["yellow-heart"], whims={1: "M-heart-heart-1"}), (0, "plant:0:A2")
    )
    assert "guess:1:club/spade" in offers(state, 0)


def test_a_right_guess_turns_the_card_up_and_moves_the_gardeners() -> None:
    state = after(table(whims={2: "H-pink-heart-2"}, gardeners=8, queen=0), (1, "guess:2:pink/heart"))
    step = move(state, 0, "yes")
    assert told(step, 2) == [
        Voted(accept=True),
        GuessedRight(2, WhimCard(Level.HARD, pair_of("pink/heart"), 5)),
        GardenersMoved(8, 13),
        FlowerGained(2, 20),
    ]
    assert step.facts[1].seat == 1
    assert step.state.players[2] == Player()
    assert step.state.discards[Level.HARD - 1] == (whim_of("H-pink-heart-2"),)
    assert (step.state.gardeners, step.state.queen, step.state.phase) == (13, 0, Phase.GUESS)


def test_a_card_is_guessed_once_in_a_turn() -> None:
    state = right(table(), 2)
    assert asked(state) == [(0, "guess_or_stop"), (1, "guess"), (2, "guess")]
    assert not any(text.startswith("guess:2:") for seat in range(3) for text in offers(state, seat))
    assert clause(state, 0, "guess:2:yellow/yellow") == "7.3"


def test_a_wrong_guess_ends_the_guessing_and_doubles_the_queen() -> None:
    state = after(table(), (1, "guess:2:pink/heart"))
    step = move(state, 0, "yes")
    assert [type(event) for event in told(step)] == [Voted, GuessedWrong, QueenMoved, GreenhouseRefilled, TurnStarted]
    assert told(step)[2] == QueenMoved(-6, -4)
    assert step.state.players[2] == Player(whim_of("H-yellow-yellow-1"), 3, (pair_of("pink/heart"),))
    assert step.state.phase is Phase.PLANT
    assert step.reveals


def test_what_right_guesses_brought_stays_after_a_wrong_one_and_their_players_draw() -> None:
    state = wrong(right(table(), 2), 1)
    assert (state.gardeners, state.queen) == (4, -4)
    assert asked(state) == [(2, "choose_level")]


def test_the_active_player_stops_after_a_right_guess() -> None:
    state = right(table(), 2)
    assert clause(state, 1, "stop") == "7.9"
    step = move(state, 0, "stop")
    assert told(step) == [Stopped(), QueenMoved(-6, -5)]
    assert step.state.phase is Phase.REDRAW
    assert not step.reveals


def test_the_active_players_own_card_may_be_guessed_too() -> None:
    state = right(table(), 0)
    assert state.players[0] == Player()
    assert asked(state) == [(0, "guess_or_stop"), (1, "guess"), (2, "guess")]


def test_whoever_has_nothing_left_to_guess_is_not_asked() -> None:
    state = right(right(table(), 0), 2)
    assert asked(state) == [(0, "guess_or_stop"), (2, "guess")]
    assert offers(state, 1) == []


def test_guessing_is_over_when_all_cards_are_guessed() -> None:
    state = right(right(right(table(), 2), 1), 0)
    assert (state.phase, state.gardeners, state.queen) == (Phase.REDRAW, 12, -4)
    assert asked(state) == [(0, "choose_level")]


# Agreeing (section 8).


def test_a_proposal_is_seen_by_all_and_answered_by_the_voters_alone() -> None:
    step = move(table(5), 3, "guess:1:pink/heart")
    for viewer in (None, *range(5)):
        assert told(step, viewer) == [GuessProposed(1, pair_of("pink/heart"))]
    assert not step.reveals
    assert asked(step.state) == [(0, "vote"), (2, "vote"), (3, "withdraw"), (4, "vote")]
    assert offers(step.state, 1) == []
    assert offers(step.state, 2) == ["yes", "no"]
    assert offers(step.state, 3) == ["withdraw"]


def test_the_last_yes_makes_the_guess() -> None:
    state = after(table(5), (3, "guess:1:pink/heart"), (4, "yes"))
    assert asked(state) == [(0, "vote"), (2, "vote"), (3, "withdraw")]
    state = after(state, (0, "yes"))
    assert state.players[1].refuted == ()
    state = after(state, (2, "yes"))
    assert state.players[1].refuted == (pair_of("pink/heart"),)


def test_the_first_no_rejects_it() -> None:
    step = move(after(table(5), (3, "guess:1:pink/heart"), (4, "yes")), 0, "no")
    assert told(step) == [Voted(accept=False), ProposalClosed(1)]
    assert step.state.proposal is None
    assert step.state.rejections == 1
    assert not step.reveals
    assert "guess:1:pink/heart" in offers(step.state, 3)


def test_withdrawing_counts_as_a_rejection() -> None:
    step = move(after(table(), (1, "guess:2:pink/heart")), 1, "withdraw")
    assert told(step) == [ProposalWithdrawn(), ProposalClosed(1)]
    assert step.state.rejections == 1


@pytest.mark.parametrize(
    ("seat", "text", "expected"),
    [
        (1, "guess:3:pink/heart", "8.1"),
        (1, "withdraw", "8.4"),
        (0, "stop", "8.7"),
        (0, "clue", "3.4"),
        (2, "yes", "8.1"),
        (2, "no", "8.1"),
    ],
)
def test_refused_while_a_proposal_is_open(seat: int, text: str, expected: str) -> None:
    assert clause(after(right(table(5), 4), (2, "guess:3:pink/heart")), seat, text) == expected


def rejected(state: State, times: int = 3) -> State:
    for _ in range(times):
        state = after(state, (1, "guess:2:pink/heart"), (0, "no"))
    return state


def test_after_three_rejections_only_captains_guess() -> None:
    assert asked(rejected(table(), 2)) == [(0, "guess"), (1, "guess"), (2, "guess")]
    state = rejected(table())
    assert asked(state) == [(0, "guess"), (1, "guess")]
    assert {text.split(":")[1] for text in offers(state, 0)} == {"1", "2"}
    assert {text.split(":")[1] for text in offers(state, 1)} == {"0"}
    assert clause(state, 1, "guess:2:pink/heart") == "8.5"


def test_a_captain_guesses_at_once() -> None:
    step = move(rejected(table()), 0, "guess:1:red/red")
    assert [type(event) for event in told(step)] == [GuessProposed, GuessedRight, GardenersMoved]
    assert step.reveals
    assert step.state.rejections == 0
    assert asked(step.state) == [(0, "guess_or_stop"), (1, "guess"), (2, "guess")]


def test_the_next_seat_is_captain_for_the_active_players_card() -> None:
    state = move(rejected(table()), 1, "guess:0:pink/pink").state
    assert state.players[0] == Player()


def test_rejections_do_not_go_on_to_the_next_turn() -> None:
    state = wrong(rejected(table(), 2), 1)
    state = move(state, 1, offers(state, 1)[0]).state
    assert state.rejections == 0


# Two players (section 11).


def test_two_players_guess_without_a_vote() -> None:
    step = move(table(2), 1, "guess:0:pink/pink")
    assert [type(event) for event in told(step)] == [GuessProposed, GuessedRight, GardenersMoved]
    assert step.reveals


def test_the_clue_token_replaces_the_guess_once() -> None:
    state = table(2)
    assert asked(state) == [(0, "guess_or_clue_token"), (1, "guess")]
    step = move(state, 0, "clue")
    assert told(step)[:2] == [ClueTokenUsed(), QueenMoved(-6, -5)]
    assert step.reveals
    later = move(step.state, 1, offers(step.state, 1)[0]).state
    assert asked(later) == [(0, "guess"), (1, "guess")]
    assert clause(later, 1, "clue") == "11.1"


def test_the_clue_token_is_the_active_players_and_comes_before_any_guess() -> None:
    assert clause(table(2), 1, "clue") == "11.1"
    assert clause(agree(table(2), 1, "red/red"), 0, "clue") == "11.1"


def test_the_clue_token_is_good_in_the_last_turn_too() -> None:
    state = move(table(2, full=True), 0, "clue").state
    result = GAME.result(state)
    assert result is not None
    assert result.reason == "garden_full"
