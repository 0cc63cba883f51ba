"""Clauses 11.2 to 11.8, 11.20 and 11.22: powers about food."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core import Ref
from engine.games.wingspan import GAME, moves
from engine.games.wingspan.terms import Food
from tests.games.wingspan.table import Sitting, board


def forest(*birds: str, **fields: Any) -> Sitting:
    """Seat 0 has taken no die; the first power of its forest is asked for."""
    seat0 = {"forest": list(birds)} | {key: fields.pop(key) for key in ("food", "hand", "wetland") if key in fields}
    seats = {"0": seat0, **fields.pop("seats", {})}
    return Sitting(board(seats=seats, **fields)).do(0, "gain_food").do(0, "pass")


def test_supply_gain_takes_all_or_nothing() -> None:
    table = Sitting(board(seats={"0": {"hand": ["american_goldfinch"], "food": {"seed": 2}}}))
    table.do(0, "play_bird:american_goldfinch")
    assert table.offers(0) == ["use_power:american_goldfinch", "decline"]
    table.do(0, "use_power:american_goldfinch")
    assert table.food(0) == {"seed": 3}


def test_supply_gain_can_be_declined() -> None:
    table = forest("northern_cardinal").do(0, "decline")
    assert table.food(0) == {}
    assert table.question() == (1, "choose_action", None)


def test_supply_gain_touches_no_die() -> None:
    table = forest("northern_cardinal", feeder=["seed"])
    assert table.offers(0) == ["use_power:northern_cardinal", "decline"]


def test_everyone_gains_without_being_asked() -> None:
    table = forest("baltimore_oriole", players=4).do(0, "use_power:baltimore_oriole")
    assert [table.food(seat) for seat in range(4)] == [{"fruit": 1}] * 4
    assert {seat for seat, kind, _ in table.asked if kind != "choose_action"} == {0}


def test_declining_it_stops_it_for_all() -> None:
    table = forest("baltimore_oriole", players=3).do(0, "decline")
    assert [table.food(seat) for seat in range(3)] == [{}] * 3


def test_supply_cache_goes_straight_onto_the_bird() -> None:
    table = forest("carolina_chickadee c:seed=2").do(0, "use_power:carolina_chickadee")
    assert table.row(0, "forest") == ["carolina_chickadee c:seed=3"]
    assert table.food(0) == {}


@pytest.mark.parametrize(
    ("bird", "feeder", "offers"),
    [
        ("great_crested_flycatcher", ["invertebrate", "fish"], ["take_die:invertebrate:invertebrate"]),
        (
            "great_crested_flycatcher",
            ["invertebrate_or_seed", "fish"],
            ["take_die:invertebrate_or_seed:invertebrate"],
        ),
        ("western_tanager", ["fruit", "invertebrate"], ["take_die:invertebrate:invertebrate", "take_die:fruit:fruit"]),
        ("great_crested_flycatcher", ["fish", "fish"], ["reset_feeder"]),
    ],
)
def test_feeder_gain_offers_only_its_foods(bird: str, feeder: list[str], offers: list[str]) -> None:
    table = forest(bird, feeder=feeder)
    assert table.question() == (0, "take_die", bird)
    assert table.offers(0) == [*offers, "decline"]


def test_feeder_gain_without_a_suitable_die_is_passed_over() -> None:
    assert forest("great_crested_flycatcher", feeder=["fish", "seed"]).question() == (1, "choose_action", None)


def test_feeder_gain_ends_with_nothing_if_the_reset_does_not_help() -> None:
    table = forest("great_crested_flycatcher", feeder=["fish", "fish"])
    table.do(0, "reset_feeder", ["fish", "fish", "seed", "seed", "rodent"])
    assert table.question() == (1, "choose_action", None)
    assert table.food(0) == {}


def test_after_a_reset_the_way_out_is_to_pass() -> None:
    table = forest("great_crested_flycatcher", feeder=["fish"])
    table.do(0, "reset_feeder", ["invertebrate", "fish", "seed", "seed", "rodent"])
    assert table.offers(0) == ["take_die:invertebrate:invertebrate", "pass"]


def test_the_last_die_of_a_power_refills_the_feeder_before_the_token_is_cached() -> None:
    table = forest("blue_jay", feeder=["seed"])
    table.do(0, "take_die:seed:seed", ["fish", "fish", "fish", "seed", "rodent"])
    assert len(table.feeder()) == 5
    assert table.question() == (0, "cache_or_keep", "blue_jay")
    assert table.offers(0) == ["cache_token", "keep_token"]


@pytest.mark.parametrize(
    ("answer", "row", "food"),
    [("cache_token", ["blue_jay c:seed=1"], {}), ("keep_token", ["blue_jay"], {"seed": 1})],
)
def test_the_token_is_cached_or_kept(answer: str, row: list[str], food: dict[str, int]) -> None:
    table = forest("blue_jay", feeder=["seed", "fish"]).do(0, "take_die:seed:seed").do(0, answer)
    assert table.row(0, "forest") == row
    assert table.food(0) == food


def eagle(feeder: list[str]) -> Sitting:
    table = Sitting(board(seats={"0": {"hand": ["bald_eagle"], "food": {"fish": 2, "rodent": 1}}}, feeder=feeder))
    return table.do(0, "play_bird:bald_eagle")


def test_feeder_gain_all_takes_every_die_of_the_food() -> None:
    table = eagle(["fish", "fish", "seed"])
    assert table.offers(0) == ["take_all_dice:fish", "decline"]
    table.do(0, "take_all_dice:fish")
    assert table.food(0) == {"fish": 2}
    assert table.feeder() == ["seed"]


def test_feeder_gain_all_takes_the_double_dice_as_well() -> None:
    flicker = {"hand": ["northern_flicker"], "food": {"invertebrate": 1, "fish": 1}}
    feeder = ["invertebrate", "invertebrate_or_seed", "invertebrate_or_seed", "seed", "fish"]
    table = Sitting(board(seats={"0": flicker}, feeder=feeder)).do(0, "play_bird:northern_flicker")
    while table.question()[1] != "take_all":
        table.do(0, table.offers(0)[0])
    before = table.food(0).get("invertebrate", 0)
    table.do(0, "take_all_dice:invertebrate")
    assert table.food(0)["invertebrate"] == before + 3
    assert table.food(0).get("seed", 0) == 0
    assert table.feeder() == ["seed", "fish"]


@pytest.mark.parametrize(
    ("food", "dice"),
    [
        (Food.FISH, ["die_fish"]),
        (Food.INVERTEBRATE, ["die_invertebrate", "die_invertebrate_or_seed"]),
        (Food.SEED, ["die_seed", "die_invertebrate_or_seed"]),
    ],
)
def test_feeder_gain_all_is_about_the_dice_and_not_about_tokens(food: Food, dice: list[str]) -> None:
    assert GAME.refs(moves.TakeAllDice(food)) == tuple(Ref(die, "feeder") for die in dice)


def test_feeder_gain_all_does_not_go_on_with_new_dice() -> None:
    table = eagle(["fish", "fish"]).do(0, "take_all_dice:fish", ["fish", "fish", "seed", "seed", "seed"])
    assert table.food(0) == {"fish": 2}
    assert table.question() == (1, "choose_action", None)


def test_feeder_gain_all_without_such_a_die_is_passed_over() -> None:
    assert eagle(["seed", "fruit"]).question() == (1, "choose_action", None)


def test_feeder_gain_all_offers_only_the_reset_if_there_is_another_single_face() -> None:
    table = eagle(["seed", "seed"])
    assert table.offers(0) == ["reset_feeder", "decline"]
    table.do(0, "reset_feeder", ["fish", "seed", "seed", "seed", "seed"])
    assert table.offers(0) == ["take_all_dice:fish", "pass"]


def test_everyone_takes_a_die_from_whom_the_owner_names() -> None:
    table = forest("annas_hummingbird", players=3, feeder=["fish", "seed", "rodent", "fruit"])
    assert table.offers(0) == ["choose_seat:0", "choose_seat:1", "choose_seat:2", "decline"]
    table.do(0, "choose_seat:1")
    assert table.question() == (1, "take_die", "annas_hummingbird")
    table.do(1, "take_die:fish:fish").do(2, "pass")
    assert table.question()[0] == 0
    table.do(0, "take_die:seed:seed")
    assert [table.food(seat) for seat in range(3)] == [{"seed": 1}, {"fish": 1}, {}]


def test_each_of_them_may_reset() -> None:
    table = forest("annas_hummingbird", feeder=["fish"]).do(0, "choose_seat:1")
    table.do(1, "reset_feeder", ["seed", "seed", "fish", "fish", "fruit"]).do(1, "take_die:fruit:fruit")
    assert table.food(1) == {"fruit": 1}
    assert table.question() == (0, "take_die", "annas_hummingbird")


def test_the_fewest_birds_get_a_die_each() -> None:
    others = {"1": {"forest": ["barred_owl", "coopers_hawk"]}, "2": {"forest": ["hooded_warbler"]}}
    table = forest("hermit_thrush", players=3, seats=others)
    assert table.offers(0) == ["choose_seat:0", "choose_seat:2", "decline"]
    table.do(0, "choose_seat:2").do(2, "take_die:fish:fish").do(0, "take_die:seed:seed")
    assert table.food(1) == {}
    assert table.question() == (1, "choose_action", None)


def test_the_owner_gets_nothing_if_others_have_fewer() -> None:
    table = forest("hermit_thrush").do(0, "choose_seat:1").do(1, "pass")
    assert table.question() == (1, "choose_action", None)


def test_an_egg_of_another_bird_for_any_food() -> None:
    table = forest("american_crow e1", "hooded_warbler e1", wetland=["mallard e2"])
    assert table.question() == (0, "remove_egg", "american_crow")
    assert table.offers(0) == ["remove_egg:hooded_warbler", "remove_egg:mallard", "decline"]
    table.do(0, "remove_egg:mallard")
    assert table.offers(0) == [f"gain_food:{food}" for food in ("invertebrate", "seed", "fish", "fruit", "rodent")]
    table.do(0, "gain_food:rodent")
    assert table.food(0) == {"rodent": 1}
    assert table.row(0, "wetland") == ["mallard e1"]


def test_two_foods_may_differ() -> None:
    table = forest("common_raven", "hooded_warbler e1").do(0, "remove_egg:hooded_warbler")
    table.do(0, "gain_food:fish").do(0, "gain_food:seed")
    assert table.food(0) == {"fish": 1, "seed": 1}


def test_its_own_egg_does_not_count() -> None:
    assert forest("american_crow e2").question() == (1, "choose_action", None)


def test_a_swap_is_for_another_food() -> None:
    table = Sitting(board(seats={"0": {"wetland": ["green_heron"], "food": {"seed": 1, "fish": 2}}}))
    table.do(0, "draw_cards").do(0, "pass")
    assert table.offers(0) == ["spend_food:seed", "spend_food:fish", "decline"]
    table.do(0, "spend_food:fish")
    assert table.offers(0) == [f"gain_food:{food}" for food in ("invertebrate", "seed", "fruit", "rodent")]
    table.do(0, "gain_food:rodent")
    assert table.food(0) == {"seed": 1, "fish": 1, "rodent": 1}


def test_a_swap_needs_a_token() -> None:
    table = Sitting(board(seats={"0": {"wetland": ["green_heron"]}})).do(0, "draw_cards").do(0, "pass")
    assert table.question() == (1, "choose_action", None)


def test_the_view_names_the_bird_that_asks() -> None:
    asked = GAME.view(forest("blue_jay", feeder=["seed", "fish"]).state, None).questions
    assert [(q.seat, q.kind, q.power) for q in asked] == [(0, "take_die", "blue_jay")]
