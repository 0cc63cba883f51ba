"""What holds in every game: counted here by other means than the engine's own check."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core import Rng, decode_state, encode_state, play, write_position
from engine.games.wingspan import GAME
from engine.games.wingspan.events import ActionTaken
from engine.games.wingspan.rows import BIRD_IDS, BIRDS, BONUS_IDS
from engine.games.wingspan.state import Options

LIMITS = {card.id: card.egg_limit for card in BIRDS}
CUBES = (8, 7, 6, 5)


def assert_sound(position: dict[str, Any]) -> None:
    """Cards, eggs, food, dice and cubes of a JSON position."""
    mats = [bird for player in position["players"] for row in player["mat"] for bird in row]
    cards = [
        *position["deck"],
        *position["discard"],
        *position["drafting"],
        *(card for card in position["tray"] if card is not None),
        *([position["playing"]["bird"]] if position["playing"] else []),
        *(card for player in position["players"] for card in player["hand"]),
        *(bird["bird"] for bird in mats),
        *(card for bird in mats for card in bird["tucked"]),
    ]
    assert Counter(cards) == Counter(BIRD_IDS)
    bonus = [
        *position["bonus_deck"],
        *position["bonus_discard"],
        *position["bonus_offer"],
        *(card for player in position["players"] for card in player["bonus"]),
    ]
    assert Counter(bonus) == Counter(BONUS_IDS)
    assert all(0 <= bird["eggs"] <= LIMITS[bird["bird"]] for bird in mats)
    assert all(min(bird["cached"]) >= 0 for bird in mats)
    assert 1 <= len(position["feeder"]) <= 5
    for player in position["players"]:
        assert min(player["food"]) >= 0
        assert all(len(row) <= 5 for row in player["mat"])
        assert 0 <= player["cubes"] <= CUBES[position["round"] - 1]


@given(
    seed=st.binary(min_size=1, max_size=8),
    seats=st.sampled_from(GAME.seat_counts),
    board=st.sampled_from(["green", "blue"]),
    data=st.data(),
)
@settings(max_examples=15, deadline=None)
def test_every_position_of_every_game_is_sound(seed: bytes, seats: int, board: str, data: st.DataObject) -> None:
    state = GAME.setup(Options(board), seats, Rng(seed, 0))
    whims = data.draw(st.randoms(use_true_random=False))
    number = 0
    goals: list[tuple[int, ...]] = [()] * seats
    cubes: list[tuple[int, int]] = []
    while prompts := GAME.prompts(state):
        number += 1
        seat = whims.choice(prompts).seat
        step = play(GAME, state, seat, whims.choice(GAME.legal_moves(state, seat)), Rng(seed, number))
        cubes += [(state.round, seat)] * any(isinstance(fact.public, ActionTaken) for fact in step.facts)
        state = step.state
        if number % 5 == 0:
            assert_sound(write_position(GAME, state))
            assert len(encode_state(GAME, state)) < 8192
            assert decode_state(GAME, encode_state(GAME, state)) == state
        for at, player in enumerate(state.players):
            # Goals, once scored, stay.
            assert player.goal_points[: len(goals[at])] == goals[at]
            goals[at] = player.goal_points
    assert_sound(write_position(GAME, state))
    assert Counter(cubes) == {(turn, seat): CUBES[turn - 1] for turn in (1, 2, 3, 4) for seat in range(seats)}
    result = GAME.result(state)
    assert result is not None
    for placement in result.placements:
        assert sum(share.points for share in placement.breakdown) == placement.score
        assert [share.key for share in placement.breakdown] == ["birds", "bonus", "goals", "eggs", "cached", "tucked"]
