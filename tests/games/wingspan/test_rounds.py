"""Sections 13 to 15 of the rules: rounds, goals, final scores."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core import Rng, play, write_position
from engine.games.wingspan import GAME, scoring
from engine.games.wingspan.events import BonusRevealed, GameEnded, GoalScored, RoundStarted, TrayCleared, TrayFilled
from engine.games.wingspan.rows import BIRDS, BONUS_CARDS, GOAL_IDS
from engine.games.wingspan.state import Options
from engine.games.wingspan.terms import CUBES
from tests.games.wingspan.table import Sitting, board


def at_round_end(number: int = 1, **fields: Any) -> Sitting:
    """Two players; seat 1 has the last cube of the round."""
    scored = {"goal_points": [0] * (number - 1)}
    seats = {"0": {"cubes": 0, **scored}, "1": {"cubes": 1, **scored}}
    for seat, given_ in fields.pop("seats", {}).items():
        seats[seat] |= given_
    return Sitting(board(round=number, seats=seats, active=1, first_player=0, **fields))


def test_the_round_ends_when_nobody_has_a_cube() -> None:
    table = at_round_end().do(1, "lay_eggs")
    state = table.state
    assert (state.round, state.first_player, state.active) == (2, 1, 1)
    assert [player.cubes for player in state.players] == [7, 7]
    assert RoundStarted(2, 1, 7) in [fact.public for fact in table.facts]


def test_all_tray_cards_are_replaced_after_the_slots_were_filled() -> None:
    table = at_round_end(tray=["osprey", "killdeer", "mallard"], deck=["bushtit", "willet", "anhinga", "wood_duck"])
    table.do(1, "draw_cards").do(1, "draw_tray:killdeer")
    told = [fact.public for fact in table.facts]
    assert told.index(TrayFilled(1, "bushtit")) < told.index(TrayCleared(("osprey", "bushtit", "mallard")))
    assert [slot.bird for slot in GAME.view(table.state, 0).tray] == ["willet", "anhinga", "wood_duck"]
    assert table.discard() == ["osprey", "bushtit", "mallard"]


def test_a_goal_once_scored_never_changes() -> None:
    # Goal 0 counts birds in the forest.
    table = at_round_end(seats={"0": {"forest": ["barred_owl"], "wetland": ["mallard"]}}).do(1, "lay_eggs")
    assert [player.goal_points for player in table.state.players] == [(4,), (0,)]
    assert GoalScored(1, "birds_in_forest", (1, 0), (4, 0)) in [fact.public for fact in table.facts]
    scored = GAME.view(table.state, None).goals[0]
    assert (scored.scored, scored.points) == (True, (4, 0))


def test_goals_to_come_show_how_they_stand() -> None:
    standing = GAME.view(board(seats={"0": {"grassland": ["bobolink"]}}, goal_board="blue"), None).goals[1]
    assert (standing.goal, standing.scored, standing.counts, standing.points) == (
        "birds_in_grassland",
        False,
        (1, 0),
        (1, 0),
    )


def test_the_game_ends_after_four_rounds_and_shows_the_bonus_cards() -> None:
    table = at_round_end(4, seats={"0": {"bonus": ["anatomist"], "wetland": ["mallard e2"]}})
    hidden = GAME.view(table.state, 1).players[0]
    assert hidden.bonus_shown == ()
    assert hidden.points.bonus is None
    table.do(1, "lay_eggs")
    assert GAME.prompts(table.state) == ()
    told = [fact.public for fact in table.facts]
    assert BonusRevealed(("anatomist",), (0,)) in told
    assert told[-1] == GameEnded(tuple(placement.score for placement in GAME.result(table.state).placements))  # type: ignore[union-attr]
    assert [card.bonus for card in GAME.view(table.state, 1).players[0].bonus_shown] == ["anatomist"]


def test_turns_by_round_for_every_number_of_players() -> None:
    for seats in GAME.seat_counts:
        state = board(players=seats)
        table = Sitting(state)
        turns: dict[tuple[int, int], int] = {}
        while table.state.active is not None:
            key = (table.state.round, table.state.active)
            turns[key] = turns.get(key, 0) + 1
            table.idle_turn()
        assert turns == {(number, seat): CUBES[number - 1] for number in (1, 2, 3, 4) for seat in range(seats)}


# The green side by an oracle of its own: hand out the places one by one.

TABLE = {1: [4, 1], 2: [5, 2, 1], 3: [6, 3, 2], 4: [7, 4, 3]}


def green(number: int, counts: list[int]) -> list[int]:
    places = [*TABLE[number], 0, 0, 0, 0, 0]
    points = [0] * len(counts)
    for count in sorted({count for count in counts if count > 0}, reverse=True):
        tied = [seat for seat, other in enumerate(counts) if other == count]
        pot = sum(places.pop(0) for _ in tied)
        for seat in tied:
            points[seat] = pot // len(tied)
    return points


@given(st.integers(1, 4), st.lists(st.integers(0, 6), min_size=2, max_size=5))
def test_green_points_are_those_of_places_handed_out_one_by_one(number: int, counts: list[int]) -> None:
    assert list(scoring.goal_points("green", number, counts)) == green(number, counts)


@given(st.integers(1, 4), st.lists(st.integers(0, 20), min_size=2, max_size=5))
def test_blue_points_are_counts_up_to_five(number: int, counts: list[int]) -> None:
    assert list(scoring.goal_points("blue", number, counts)) == [min(5, count) for count in counts]


# Final scores by a plain second implementation on the JSON position and the data files.

DATA = files("engine.games.wingspan") / "data"
ROWS = {row["id"]: row for row in json.loads((DATA / "birds.json").read_text(encoding="utf-8"))}
ELIGIBLE = json.loads((Path(__file__).parent / "eligible.json").read_text(encoding="utf-8"))
# What each card pays, written down from the cards: per thing, or (least, points) from the highest tier on.
PAYS: dict[str, int | list[tuple[int, int]]] = {
    "anatomist": [(4, 7), (2, 3)],
    "backyard_birder": [(7, 6), (5, 3)],
    "bird_counter": 2,
    "bird_feeder": [(8, 7), (5, 3)],
    "breeding_manager": 1,
    "cartographer": [(4, 7), (2, 3)],
    "ecologist": 2,
    "enclosure_builder": [(6, 7), (4, 4)],
    "falconer": 2,
    "fishery_manager": [(4, 8), (2, 3)],
    "food_web_expert": 2,
    "forester": [(5, 8), (3, 4)],
    "historian": 2,
    "large_bird_specialist": [(6, 6), (4, 3)],
    "nest_box_builder": [(6, 7), (4, 4)],
    "omnivore_expert": 2,
    "oologist": [(9, 6), (7, 3)],
    "passerine_specialist": [(6, 6), (4, 3)],
    "photographer": [(6, 6), (4, 3)],
    "platform_builder": [(6, 7), (4, 4)],
    "prairie_manager": [(4, 8), (2, 3)],
    "rodentologist": 2,
    "visionary_leader": [(8, 7), (5, 4)],
    "viticulturalist": [(4, 7), (2, 3)],
    "wetland_scientist": [(5, 7), (3, 3)],
    "wildlife_gardener": [(6, 7), (4, 4)],
}


def plain_bonus(player: dict[str, Any], card: str) -> int:
    birds = [bird for row in player["mat"] for bird in row]
    if card in ELIGIBLE:
        count = sum(bird["bird"] in ELIGIBLE[card] for bird in birds)
    else:
        count = {
            "breeding_manager": sum(bird["eggs"] >= 4 for bird in birds),
            "oologist": sum(bird["eggs"] >= 1 for bird in birds),
            "ecologist": min(len(row) for row in player["mat"]),
            "visionary_leader": len(player["hand"]),
        }[card]
    pays = PAYS[card]
    if isinstance(pays, int):
        return pays * count
    return next((points for least, points in pays if count >= least), 0)


def plain_score(player: dict[str, Any]) -> dict[str, int]:
    birds = [bird for row in player["mat"] for bird in row]
    return {
        "birds": sum(ROWS[bird["bird"]]["points"] for bird in birds),
        "bonus": sum(plain_bonus(player, card) for card in player["bonus"]),
        "goals": sum(player["goal_points"]),
        "eggs": sum(bird["eggs"] for bird in birds),
        "cached": sum(sum(bird["cached"]) for bird in birds),
        "tucked": sum(len(bird["tucked"]) for bird in birds),
    }


def plain_goal(player: dict[str, Any], goal: str) -> int:
    rows = dict(zip(("forest", "grassland", "wetland"), player["mat"], strict=True))
    birds = [bird for row in rows.values() for bird in row]
    eggs = {habitat: sum(bird["eggs"] for bird in row) for habitat, row in rows.items()}
    if goal == "total_birds":
        return len(birds)
    if goal == "egg_sets_across_habitats":
        return int(min(eggs.values()))
    for habitat, row in rows.items():
        if goal.endswith(habitat):
            return len(row) if goal.startswith("birds") else int(eggs[habitat])
    nest = next(nest for nest in ("bowl", "cavity", "ground", "platform") if nest in goal)
    found = [bird for bird in birds if ROWS[bird["bird"]]["nest"] in (nest, "star")]
    return sum(int(bird["eggs"]) if goal.startswith("eggs") else bird["eggs"] > 0 for bird in found)


def test_the_oracle_knows_every_bonus_card_and_every_bird() -> None:
    assert PAYS.keys() == {card.id for card in BONUS_CARDS}
    assert set(ROWS) == {card.id for card in BIRDS}


@pytest.mark.parametrize("seed", range(12))
def test_scores_and_goals_agree_with_a_plain_second_implementation(seed: int) -> None:
    seats, number = 2 + seed % 4, 0
    state = GAME.setup(Options(("green", "blue")[seed % 2]), seats, Rng(b"score%d" % seed, 0))
    while prompts := GAME.prompts(state):
        number += 1
        whim = Rng(b"score%d/moves" % seed, number)
        seat = whim.choice(prompts).seat
        state = play(
            GAME, state, seat, whim.choice(GAME.legal_moves(state, seat)), Rng(b"score%d" % seed, number)
        ).state
        if number % 25 == 0 or not GAME.prompts(state):
            players = write_position(GAME, state)["players"]
            for at, goal in enumerate(GOAL_IDS):
                assert scoring.goal_counts(state.players, at) == tuple(plain_goal(p, goal) for p in players)
            assert [scoring.shares(player) for player in state.players] == [plain_score(player) for player in players]
    result = GAME.result(state)
    assert result is not None
    players = write_position(GAME, state)["players"]
    totals = [(sum(plain_score(player).values()), sum(player["food"])) for player in players]
    assert [placement.score for placement in result.placements] == [total for total, _ in totals]
    assert [placement.rank for placement in result.placements] == [
        1 + sum(other > mine for other in totals) for mine in totals
    ]


def test_equal_totals_are_told_apart_by_food_and_shared_otherwise() -> None:
    ranks = [placement.rank for placement in scoring.placements([{"birds": 9}] * 3, [1, 4, 4])]
    assert ranks == [3, 1, 1]


def test_cached_tokens_are_no_food_that_tells_equal_totals_apart() -> None:
    """Each has three points of a bird and one of a token or an egg; seat 1 has a token left."""
    seats = {
        "0": {"forest": ["barred_owl c:rodent=1"], "bonus": ["anatomist"]},
        "1": {"wetland": ["american_coot e1"], "food": {"fish": 1}, "bonus": ["ecologist"]},
    }
    table = at_round_end(4, seats=seats, goal_board="blue").do(1, "draw_cards").end_turn()
    result = GAME.result(table.state)
    assert result is not None
    assert [(placement.score, placement.rank) for placement in result.placements] == [(4, 2), (4, 1)]
