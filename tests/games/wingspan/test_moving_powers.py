"""Clauses 11.1 and 11.25 to 11.27: no power, moving, playing and repeating."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core import decode_state, encode_state
from engine.games.wingspan import GAME, moves
from engine.games.wingspan.events import BirdMoved, PowerRepeated, PowerUsed
from engine.games.wingspan.terms import Habitat
from tests.games.wingspan.table import Given, Sitting, board, refused


def forest(*birds: str, **fields: Any) -> Sitting:
    """Seat 0 has taken no die and traded nothing; the first power of its forest is asked for, if any."""
    mine: Given = {key: fields.pop(key) for key in ("food", "hand", "grassland", "wetland") if key in fields}
    seats: Given = {"0": {"forest": list(birds), **mine}} | fields.pop("seats", {})
    table = Sitting(board(seats=seats, **fields)).do(0, "gain_food").do(0, "pass")
    while table.question()[1] == "trade":
        table.skip()
    return table


def test_a_bird_without_a_power_is_never_asked_about() -> None:
    assert forest("hooded_warbler", "prothonotary_warbler").question() == (1, "choose_action", None)


def test_the_rightmost_bird_moves_with_all_that_it_holds() -> None:
    table = forest("hooded_warbler", "bewicks_wren e2 t1 c:fish=1", wetland=["mallard"])
    assert table.offers(0) == ["choose_habitat:grassland", "choose_habitat:wetland", "decline"]
    table.do(0, "choose_habitat:wetland")
    assert table.row(0, "wetland") == ["mallard", "bewicks_wren e2 t1 c:fish=1"]
    assert table.row(0, "forest") == ["hooded_warbler"]
    moved = BirdMoved("bewicks_wren", Habitat.FOREST, Habitat.WETLAND, 2)
    assert moved in [fact.public for fact in table.facts]
    # No wetland power runs.
    assert table.question() == (1, "choose_action", None)


def test_a_bird_with_one_to_its_right_stays() -> None:
    assert forest("bewicks_wren", "hooded_warbler").question() == (1, "choose_action", None)


def test_full_rows_are_not_offered() -> None:
    full = ["mallard", "anhinga", "willet", "wood_duck", "osprey"]
    assert forest("bewicks_wren", wetland=full).offers(0) == ["choose_habitat:grassland", "decline"]
    grassland = ["bobolink", "dickcissel", "killdeer", "inca_dove", "horned_lark"]
    assert forest("bewicks_wren", wetland=full, grassland=grassland).question() == (1, "choose_action", None)


def test_moving_is_not_playing() -> None:
    table = forest("bewicks_wren", seats={"1": {"hand": ["osprey"], "grassland": ["horned_lark"]}})
    table.do(0, "choose_habitat:grassland")
    assert table.question() == (1, "choose_action", None)


def kinglet(**fields: Any) -> Sitting:
    mine = {"food": fields.pop("food"), "hand": ["ruby_crowned_kinglet", *fields.pop("hand")]}
    seats: Given = {"0": {**mine, **fields.pop("mat", {})}} | fields.pop("seats", {})
    table = Sitting(board(seats=seats, **fields)).do(0, "play_bird:ruby_crowned_kinglet")
    while table.question()[:2] == (0, "pay_food"):
        table.do(0, "pay_food:invertebrate")
    return table


def test_an_extra_play_is_offered_for_its_habitat_only() -> None:
    table = kinglet(
        food={"invertebrate": 2, "fish": 1}, hand=["osprey", "turkey_vulture"], mat={"wetland": ["mallard e1"]}
    )
    assert table.question() == (0, "extra_play", "ruby_crowned_kinglet")
    # The osprey lives in the wetland only.
    assert table.offers(0) == ["play_bird:turkey_vulture", "decline"]
    table.do(0, "play_bird:turkey_vulture")
    assert table.row(0, "forest") == ["ruby_crowned_kinglet", "turkey_vulture"]
    assert table.state.players[0].cubes == 7


def test_an_extra_play_needs_the_egg_of_the_new_column() -> None:
    table = kinglet(food={"invertebrate": 2}, hand=["turkey_vulture"])
    assert table.question() == (1, "choose_action", None)


def test_an_extra_play_can_be_declined() -> None:
    table = kinglet(food={"invertebrate": 1}, hand=["turkey_vulture"], mat={"wetland": ["mallard e1"]}).do(0, "decline")
    assert table.hand(0) == ["turkey_vulture"]


def test_extra_plays_go_on() -> None:
    hand = ["red_eyed_vireo", "tufted_titmouse"]
    mat = {"wetland": ["mallard e3"]}
    table = kinglet(food={"invertebrate": 3, "fruit": 1}, hand=hand, mat=mat)
    table.do(0, "play_bird:red_eyed_vireo")
    while table.question()[1] != "extra_play":
        table.do(0, table.offers(0)[0])
    assert table.question() == (0, "extra_play", "red_eyed_vireo")
    table.do(0, "play_bird:tufted_titmouse")
    while table.question()[0] == 0:
        table.do(0, table.offers(0)[0])
    assert table.row(0, "forest") == ["ruby_crowned_kinglet", "red_eyed_vireo", "tufted_titmouse"]
    assert table.state.players[0].cubes == 7


def test_the_same_habitat_is_where_the_bird_was_placed() -> None:
    seat0 = {"hand": ["house_wren", "turkey_vulture"], "food": {"invertebrate": 1}, "wetland": ["mallard e1"]}
    table = Sitting(board(seats={"0": seat0})).do(0, "play_bird:house_wren").do(0, "choose_habitat:grassland")
    table.do(0, "play_bird:turkey_vulture")
    assert table.row(0, "grassland") == ["house_wren", "turkey_vulture"]


def test_a_repeated_power_is_that_of_its_bird() -> None:
    table = forest("gray_catbird", "carolina_chickadee")
    table.do(0, "use_power:carolina_chickadee")
    assert table.question() == (0, "choose_target", "gray_catbird")
    assert table.offers(0) == ["repeat_power:carolina_chickadee", "decline"]
    table.do(0, "repeat_power:carolina_chickadee")
    assert table.row(0, "forest") == ["gray_catbird", "carolina_chickadee c:seed=2"]
    told = [fact.public for fact in table.facts]
    assert told.index(PowerRepeated("gray_catbird", "carolina_chickadee")) < len(told)
    assert told.count(PowerUsed("carolina_chickadee")) == 2


def test_birds_to_the_left_and_declined_powers_can_be_repeated() -> None:
    table = forest("carolina_chickadee", "gray_catbird").do(0, "repeat_power:carolina_chickadee")
    table.do(0, "use_power:carolina_chickadee")
    assert table.row(0, "forest") == ["carolina_chickadee c:seed=2", "gray_catbird"]
    table = forest("gray_catbird", "carolina_chickadee").do(0, "decline").do(0, "repeat_power:carolina_chickadee")
    assert table.row(0, "forest") == ["gray_catbird", "carolina_chickadee c:seed=1"]


def test_only_powers_for_when_activated_can_be_repeated() -> None:
    table = forest("gray_catbird", "black_vulture", "hooded_warbler", "cassins_finch")
    assert table.question() == (1, "choose_action", None)


def test_only_birds_that_hunt_where_the_power_says_so() -> None:
    seat0 = {"wetland": ["mallard", "anhinga", "hooded_merganser"]}
    table = Sitting(board(seats={"0": seat0}, feeder=["fish"])).do(0, "draw_cards").do(0, "pass")
    while table.question()[1] == "trade":
        table.skip()
    assert table.question() == (0, "choose_target", "hooded_merganser")
    assert table.offers(0) == ["repeat_power:anhinga", "decline"]


def test_a_bird_repeats_at_most_once_in_a_chain() -> None:
    table = forest("gray_catbird", "northern_mockingbird", "carolina_chickadee").do(0, "decline")
    assert table.question() == (0, "choose_target", "northern_mockingbird")
    assert table.offers(0) == ["repeat_power:gray_catbird", "repeat_power:carolina_chickadee", "decline"]
    table.do(0, "repeat_power:gray_catbird")
    assert table.question() == (0, "choose_target", "gray_catbird")
    assert table.offers(0) == ["repeat_power:carolina_chickadee", "decline"]
    table.do(0, "repeat_power:carolina_chickadee")
    # The catbird's own activation comes after that.
    assert table.question() == (0, "choose_target", "gray_catbird")


def test_a_repeated_power_that_cannot_be_used_does_nothing() -> None:
    seat0 = {"grassland": ["northern_mockingbird", "mourning_dove e5"]}
    table = Sitting(board(seats={"0": seat0})).do(0, "lay_eggs")
    while table.question()[1] != "choose_target":
        table.skip()
    table.do(0, "repeat_power:mourning_dove")
    assert table.question() == (1, "choose_action", None)


def test_where_the_repeated_power_begins_with_a_choice_it_can_still_be_declined() -> None:
    table = forest("american_crow", "gray_catbird", wetland=["mallard e1"]).do(0, "repeat_power:american_crow")
    assert table.offers(0) == ["remove_egg:mallard", "decline"]


def test_a_repeated_hunt_is_reacted_to_in_somebody_elses_turn_and_can_be_stored_there() -> None:
    table = forest(
        "gray_catbird", "coopers_hawk", deck=["house_wren", "bushtit"], seats={"1": {"wetland": ["turkey_vulture"]}}
    )
    table.do(0, "decline").do(0, "repeat_power:coopers_hawk")
    assert table.question() == (1, "take_die", "turkey_vulture")
    table.state = decode_state(GAME, encode_state(GAME, table.state))
    table.do(1, "take_die:fish:fish")
    assert table.food(1) == {"fish": 1}
    assert table.question() == (1, "choose_action", None)


@pytest.mark.parametrize("move", [moves.RepeatPower("gray_catbird"), moves.RepeatPower("mallard")])
def test_other_targets_are_refused(move: moves.RepeatPower) -> None:
    table = forest("gray_catbird", "carolina_chickadee", wetland=["mallard"]).do(0, "decline")
    assert getattr(refused(table.state, 0, move), "clause", None) == "11.27"
