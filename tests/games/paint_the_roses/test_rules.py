"""The rules, clause by clause: a position in a line, a move, what follows."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.core import IllegalMove, InvalidOptions, NotAsked, Placement, Rng, Share
from engine.games.paint_the_roses import GAME, box
from engine.games.paint_the_roses.events import (
    ClueTokenUsed,
    DeckReshuffled,
    FlowerGained,
    GameEnded,
    GardenersMoved,
    GreenhouseRefilled,
    GuessedRight,
    GuessedWrong,
    GuessProposed,
    ProposalClosed,
    ProposalWithdrawn,
    QueenMoved,
    ShownWhim,
    Stopped,
    TilePlanted,
    TurnStarted,
    Voted,
    WhimCard,
    WhimDrawn,
    card,
)
from engine.games.paint_the_roses.state import Options, Phase, Player, State
from engine.games.paint_the_roses.symbols import Level
from tests.games.paint_the_roses.table import (
    after,
    agree,
    asked,
    move,
    offers,
    pair_of,
    refuting,
    right,
    space_of,
    table,
    tile_of,
    told,
    whim_of,
    wrong,
)


def clause(state: State, seat: int, text: str) -> str:
    with pytest.raises(IllegalMove) as refused:
        move(state, seat, text)
    return refused.value.clause


def opening(seats: int = 3) -> State:
    return GAME.setup(Options(), seats, Rng(b"opening", 0))


# Set-up (section 3).


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_table_is_laid(seats: int) -> None:
    state = opening(seats)
    assert state.garden == box.START
    assert None not in state.greenhouse
    assert (len(state.greenhouse), len(state.bag)) == (4, 20)
    assert [len(deck) for deck in state.decks] == [20, 40, 72]
    assert (state.gardeners, state.queen) == (0, -6)
    assert state.clue_tokens == (1 if seats == 2 else 0)
    assert asked(state) == [(0, "choose_level")]


@pytest.mark.parametrize("seats", [0, 1, 6])
def test_no_other_number_of_players(seats: int) -> None:
    with pytest.raises(InvalidOptions) as refused:
        opening(seats)
    assert refused.value.field == "seats"


def test_levels_are_chosen_in_seat_order_then_seat_0_plants() -> None:
    state = opening()
    for seat in range(3):
        assert asked(state) == [(seat, "choose_level")]
        state = move(state, seat, "level:hard").state
    assert asked(state) == [(0, "plant")]
    assert [player.serial for player in state.players] == [1, 2, 3]


# Levels and cards (section 4).


def test_the_top_card_of_the_deck_is_drawn_and_only_its_holder_sees_it() -> None:
    state = opening()
    top = state.decks[Level.MEDIUM - 1][0]
    step = move(state, 0, "level:medium")
    assert step.state.players[0] == Player(top, 1)
    assert step.state.decks[Level.MEDIUM - 1] == state.decks[Level.MEDIUM - 1][1:]
    assert told(step, 0) == [WhimDrawn(Level.MEDIUM, 1, card(top))]
    assert told(step, 1) == told(step, None) == [WhimDrawn(Level.MEDIUM, 1, None)]
    assert step.reveals


def test_the_last_card_drawn_begins_the_first_turn() -> None:
    step = move(after(opening(2), (0, "level:hard")), 1, "level:hard")
    assert told(step)[-1] == TurnStarted(1)
    assert step.facts[-1].seat == 0


def test_only_one_easy_card_is_out() -> None:
    state = after(opening(), (0, "level:easy"))
    assert offers(state, 1) == ["level:medium", "level:hard"]
    assert clause(state, 1, "level:easy") == "4.2"


def test_an_empty_deck_is_made_of_its_discards() -> None:
    state = opening()
    pile = state.decks[Level.EASY - 1][:3]
    state = replace(state, decks=((), *state.decks[1:]), discards=(pile, (), ()))
    step = move(state, 0, "level:easy")
    assert told(step)[0] == DeckReshuffled(Level.EASY, 3)
    drawn = step.state.players[0].whim
    assert drawn is not None
    assert sorted((drawn, *step.state.decks[Level.EASY - 1])) == sorted(pile)
    assert step.state.discards[Level.EASY - 1] == ()


def test_a_level_without_cards_cannot_be_chosen() -> None:
    state = replace(opening(), decks=(opening().decks[0], (), opening().decks[2]))
    assert offers(state, 0) == ["level:easy", "level:hard"]
    assert clause(state, 0, "level:medium") == "4.3"


# Planting (section 5).


def test_any_tile_goes_to_any_empty_space() -> None:
    state = table(phase=Phase.PLANT)
    empty = [box.space_name(space) for space in box.SPACES if box.START[space - 1] is None]
    assert offers(state, 0) == [f"plant:{slot}:{space}" for slot in range(4) for space in empty]
    assert asked(state) == [(0, "plant")]


def test_the_tile_leaves_the_greenhouse_and_everybody_gets_a_cube() -> None:
    whims = {0: "E-pink-yellow-1", 1: "M-heart-heart-1", 2: "H-club-spade-1"}
    state = table(phase=Phase.PLANT, greenhouse=["red-club", "yellow-heart"], whims=whims)
    step = move(state, 0, "plant:1:A2")
    assert told(step) == [TilePlanted(1, space_of("A2"), tile_of("yellow-heart"), (1, 2, 0))]
    assert step.state.greenhouse[1] is None
    assert step.state.garden[space_of("A2") - 1] == tile_of("yellow-heart")
    assert [cube.number for cube in step.state.plantings[0].cubes] == [1, 2, 0]
    assert [cube.serial for cube in step.state.plantings[0].cubes] == [1, 2, 3]
    assert step.reveals
    assert step.state.phase is Phase.GUESS


@pytest.mark.parametrize(
    ("text", "expected"), [("plant:4:A2", "5.1"), ("plant:-1:A2", "5.1"), ("plant:0:A1", "5.1"), ("stop", "1.4")]
)
def test_refused_while_planting(text: str, expected: str) -> None:
    assert clause(table(phase=Phase.PLANT), 0, text) == expected


def test_a_space_needs_a_neighbour_with_a_tile() -> None:
    bare = replace(table(phase=Phase.PLANT), garden=(box.START[0], *[None] * 23))
    assert {text.split(":")[2] for text in offers(bare, 0)} == {"A2", "B1", "B2"}
    assert clause(bare, 0, "plant:0:E4") == "5.2"


def test_only_the_active_player_plants() -> None:
    with pytest.raises(NotAsked):
        move(table(phase=Phase.PLANT), 1, "plant:0:A2")


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


# The Queen, the end of a turn, the end (sections 9, 10, 12).


def test_a_caught_team_has_lost_and_all_cards_lie_open() -> None:
    step = move(after(table(gardeners=3, queen=1), (1, "guess:2:pink/heart")), 0, "yes")
    assert told(step)[-2:] == [
        QueenMoved(1, 3),
        GameEnded(
            won=False,
            whims=(
                ShownWhim(0, WhimCard(Level.HARD, pair_of("pink/pink"), 4)),
                ShownWhim(1, WhimCard(Level.HARD, pair_of("red/red"), 4)),
                ShownWhim(2, WhimCard(Level.HARD, pair_of("yellow/yellow"), 4)),
            ),
        ),
    ]
    result = GAME.result(step.state)
    assert result is not None
    assert result.reason == "queen_caught_gardeners"
    assert result.placements[2] == Placement(2, 1, 3, (Share("gardeners", 3),))
    assert asked(step.state) == []


def test_a_full_garden_wins_once_the_queen_has_moved() -> None:
    state = right(table(full=True, gardeners=5, queen=3), 2)
    assert GAME.result(state) is None
    step = move(state, 0, "stop")
    assert step.reveals
    result = GAME.result(step.state)
    assert result is not None
    assert result.reason == "garden_full"
    assert [(placement.rank, placement.score) for placement in result.placements] == [(1, 9)] * 3
    assert (step.state.bag, step.state.greenhouse) == (state.bag, state.greenhouse)


def test_a_full_garden_is_lost_to_the_queen_all_the_same() -> None:
    assert wrong(table(full=True, gardeners=5, queen=3), 2).queen == 5
    result = GAME.result(wrong(table(full=True, gardeners=5, queen=3), 2))
    assert result is not None
    assert result.reason == "queen_caught_gardeners"


def test_guessed_players_draw_clockwise_from_the_active_one_then_the_next_turn_begins() -> None:
    state = after(right(right(table(4, active=2), 1), 3), (2, "stop"))
    assert asked(state) == [(3, "choose_level")]
    state = after(state, (3, "level:hard"))
    assert asked(state) == [(1, "choose_level")]
    step = move(state, 1, "level:hard")
    assert told(step)[1:] == [GreenhouseRefilled(0, state.bag[0]), TurnStarted(1)]
    assert step.state.greenhouse[0] == state.bag[0]
    assert step.state.bag == state.bag[1:]
    assert asked(step.state) == [(3, "plant")]


def test_a_guessed_easy_card_can_be_drawn_by_somebody_else() -> None:
    state = after(right(right(table(whims={0: "E-pink-red-1"}), 0), 2), (0, "stop"), (0, "level:hard"))
    assert offers(state, 2) == ["level:easy", "level:medium", "level:hard"]


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


# Absent players (section 14).


def timeout(state: State, seat: int) -> str:
    return GAME.notation(GAME.timeout_move(state, seat))


def test_the_clock_takes_the_easiest_level() -> None:
    assert timeout(opening(), 0) == "level:easy"
    assert timeout(after(opening(), (0, "level:easy")), 1) == "level:medium"


def test_the_clock_plants_where_most_neighbours_have_tiles() -> None:
    state = table(phase=Phase.PLANT, garden={"B1": "red-club", "C2": "red-heart"})
    # B2 touches A1, B1, B3 and C2.
    assert timeout(state, 0) == "plant:0:B2"


def test_the_clock_guesses_what_agrees_with_the_cubes() -> None:
    state = table(phase=Phase.PLANT, greenhouse=["yellow-heart"], whims={1: "E-purple-purple-1", 2: "M-heart-heart-1"})
    state = after(state, (0, "plant:0:A2"))
    # Seat 2 has 2 on A2, beside two hearts: heart/heart is the only medium pair that gives it.
    assert timeout(state, 0) == "guess:2:heart/heart"
    assert timeout(after(state, (1, "guess:2:heart/heart")), 0) == "yes"
    assert timeout(after(state, (1, "guess:2:club/heart")), 0) == "no"
    assert timeout(after(state, (1, "guess:2:club/heart")), 1) == "withdraw"


def test_the_clock_stops_and_saves_itself_by_the_clue_token() -> None:
    assert timeout(right(table(), 2), 0) == "stop"
    assert timeout(right(table(), 2), 1) == "guess:0:pink/pink"
    assert timeout(table(2), 0) == "clue"
    assert timeout(table(2), 1) == "guess:0:pink/pink"
