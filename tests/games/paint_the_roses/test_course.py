"""The rules of the course, clause by clause: the Queen, the end of a turn and of the game, absent players."""

from __future__ import annotations

from engine.core import Placement, Share
from engine.games.paint_the_roses import GAME
from engine.games.paint_the_roses.events import (
    GameEnded,
    GreenhouseRefilled,
    QueenMoved,
    ShownWhim,
    TurnStarted,
    WhimCard,
)
from engine.games.paint_the_roses.state import Phase, State
from engine.games.paint_the_roses.symbols import Level
from tests.games.paint_the_roses.table import (
    after,
    asked,
    move,
    offers,
    opening,
    pair_of,
    right,
    table,
    told,
    wrong,
)

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
