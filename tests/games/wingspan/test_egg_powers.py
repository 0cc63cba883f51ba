"""Clauses 11.9 to 11.12: powers that lay eggs."""

from __future__ import annotations

from typing import Any

from tests.games.wingspan.table import Sitting, board


def grassland(*birds: str, **fields: Any) -> Sitting:
    """Seat 0 has laid no egg; the first power of its grassland is asked for, if any."""
    seat0 = {"grassland": list(birds)} | {key: fields.pop(key) for key in ("forest", "wetland") if key in fields}
    table = Sitting(board(seats={"0": seat0, **fields.pop("seats", {})}, **fields)).do(0, "lay_eggs")
    while table.question() == (0, "place_egg", None) or table.question()[1] == "trade":
        table.skip()
    return table


def test_lay_self_lays_on_the_bird_itself() -> None:
    table = grassland("mourning_dove e4").do(0, "use_power:mourning_dove")
    assert table.row(0, "grassland") == ["mourning_dove e5"]


def test_lay_self_on_a_full_bird_is_passed_over() -> None:
    assert grassland("mourning_dove e5").question() == (1, "choose_action", None)


def test_lay_any_lays_anywhere() -> None:
    table = grassland("chipping_sparrow e3", wetland=["mallard"], forest=["barred_owl e2"])
    assert table.question() == (0, "place_egg", "chipping_sparrow")
    assert table.offers(0) == ["place_egg:mallard", "decline"]
    assert table.do(0, "place_egg:mallard").row(0, "wetland") == ["mallard e1"]


def test_lay_any_without_room_is_passed_over() -> None:
    assert grassland("chipping_sparrow e3").question() == (1, "choose_action", None)


def test_lay_each_nest_fills_what_has_room() -> None:
    seat0 = {
        "hand": ["ash_throated_flycatcher"],
        "food": {"invertebrate": 2, "fruit": 1},
        "forest": ["pileated_woodpecker e2", "blue_jay"],
        "wetland": ["barn_swallow", "wood_duck e1"],
    }
    table = Sitting(board(seats={"0": seat0})).do(0, "play_bird:ash_throated_flycatcher")
    table.do(0, "use_power:ash_throated_flycatcher")
    assert table.row(0, "grassland") == ["ash_throated_flycatcher e1"]
    assert table.row(0, "forest") == ["pileated_woodpecker e2", "blue_jay"]
    # A star nest counts.
    assert table.row(0, "wetland") == ["barn_swallow e1", "wood_duck e2"]


def test_lay_each_nest_can_be_declined() -> None:
    seat0 = {"hand": ["inca_dove"], "food": {"seed": 2}}
    table = Sitting(board(seats={"0": seat0})).do(0, "play_bird:inca_dove").do(0, "decline")
    assert table.row(0, "grassland") == ["inca_dove"]


def test_everyone_lays_and_the_owner_once_more_on_another_bird() -> None:
    others = {"1": {"forest": ["barred_owl"]}, "2": {"wetland": ["barn_swallow", "mallard"]}}
    table = grassland("western_meadowlark", "savannah_sparrow", players=3, seats=others)
    table.do(0, "use_power:western_meadowlark")
    assert table.offers(0) == ["place_egg:western_meadowlark", "place_egg:savannah_sparrow", "pass"]
    table.do(0, "place_egg:savannah_sparrow")
    assert table.offers(0) == ["place_egg:western_meadowlark", "pass"]
    table.do(0, "place_egg:western_meadowlark")
    # Seat 1 has only a cavity nest and is passed over.
    assert table.question() == (2, "place_egg", "western_meadowlark")
    assert table.offers(2) == ["place_egg:barn_swallow", "place_egg:mallard", "pass"]
    table.do(2, "pass")
    assert table.question() == (1, "choose_action", None)


def test_the_owner_who_passes_the_first_egg_has_no_second_one() -> None:
    table = grassland("western_meadowlark", seats={"1": {"wetland": ["mallard"]}}).do(0, "use_power:western_meadowlark")
    table.do(0, "pass")
    assert table.question() == (1, "place_egg", "western_meadowlark")


def test_it_can_be_used_for_others_alone() -> None:
    table = grassland("western_meadowlark e4", seats={"1": {"wetland": ["mallard"]}})
    table.do(0, "use_power:western_meadowlark")
    assert table.question() == (1, "place_egg", "western_meadowlark")


def test_it_is_passed_over_if_nobody_has_room() -> None:
    assert grassland("western_meadowlark e4").question() == (1, "choose_action", None)


def test_nobody_reacts_to_it() -> None:
    others = {"1": {"wetland": ["american_avocet"], "forest": ["hermit_thrush"]}}
    table = Sitting(board(seats={"0": {"grassland": ["western_meadowlark e4"]}, **others})).do(0, "lay_eggs")
    # To the action itself seat 1 may react, before the power.
    assert table.question() == (1, "place_egg", "american_avocet")
    table.do(1, "decline").do(0, "use_power:western_meadowlark").do(1, "pass")
    assert table.question() == (1, "choose_action", None)
