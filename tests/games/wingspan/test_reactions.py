"""Section 12 of the rules: reactions in other players' turns."""

from __future__ import annotations

from engine.games.wingspan import GAME
from tests.games.wingspan.table import Sitting, board


def reacted(table: Sitting, seat: int, row: int) -> bool:
    return GAME.view(table.state, None).players[seat].rows[row].birds[0].reacted


def test_eggs_are_laid_on_another_own_bird_with_the_nest() -> None:
    mine = {"grassland": ["brown_headed_cowbird"], "forest": ["blue_jay", "hermit_thrush e2", "barred_owl"]}
    table = Sitting(board(seats={"1": mine})).do(0, "lay_eggs")
    assert table.question() == (1, "place_egg", "brown_headed_cowbird")
    # The thrush is full, the owl has another nest.
    assert table.offers(1) == ["place_egg:blue_jay", "decline"]
    table.do(1, "place_egg:blue_jay")
    assert table.row(1, "forest")[0] == "blue_jay e1"


def test_a_reaction_without_a_target_is_passed_over() -> None:
    table = Sitting(board(seats={"1": {"wetland": ["american_avocet"]}})).do(0, "lay_eggs")
    assert table.question() == (1, "choose_action", None)


def test_it_comes_after_base_and_trade_and_before_the_powers() -> None:
    seats = {
        "0": {"grassland": ["mourning_dove"], "food": {"fish": 1}},
        "1": {"wetland": ["american_avocet", "mallard"]},
    }
    table = Sitting(board(seats=seats)).do(0, "lay_eggs")
    order = []
    while table.question()[1] != "choose_action":
        order.append(table.question())
        table.skip()
    assert order == [
        (0, "place_egg", None),
        (0, "trade", None),
        (1, "place_egg", "american_avocet"),
        (0, "use_power", "mourning_dove"),
    ]


def test_it_comes_even_if_no_egg_was_laid() -> None:
    table = Sitting(board(seats={"1": {"wetland": ["american_avocet", "mallard"]}})).do(0, "lay_eggs")
    assert table.question() == (1, "place_egg", "american_avocet")


def test_the_own_action_is_no_reason_to_react() -> None:
    table = Sitting(board(seats={"0": {"wetland": ["american_avocet", "mallard"]}})).do(0, "lay_eggs")
    table.end_turn()
    assert all(power is None for _, _, power in table.asked)


def test_once_until_the_own_next_turn() -> None:
    mine = {"wetland": ["american_avocet", "mallard"]}
    table = Sitting(board(players=3, seats={"2": mine})).do(0, "lay_eggs").do(2, "place_egg:mallard")
    assert reacted(table, 2, 2)
    table.do(1, "lay_eggs")
    assert table.question() == (2, "choose_action", None)
    assert not reacted(table, 2, 2)


def test_declining_does_not_use_it_up() -> None:
    mine = {"wetland": ["american_avocet", "mallard"]}
    table = Sitting(board(players=3, seats={"2": mine})).do(0, "lay_eggs").do(2, "decline").do(1, "lay_eggs")
    assert table.question() == (2, "place_egg", "american_avocet")


def test_clockwise_from_the_left_and_by_the_order_of_the_mat() -> None:
    seats = {
        "0": {"wetland": ["american_avocet", "mallard"]},
        "1": {"grassland": ["bronzed_cowbird", "brown_headed_cowbird"], "forest": ["yellow_billed_cuckoo", "blue_jay"]},
        "2": {"hand": [], "food": {}},
    }
    table = Sitting(board(players=3, seats=seats, active=2, first_player=2)).do(2, "lay_eggs")
    order = []
    while table.question()[1] == "place_egg":
        order.append(table.question()[2])
        table.do(table.question()[0], table.offers(table.question()[0])[0])
    assert order[0] == "american_avocet"
    assert order[1:] == ["yellow_billed_cuckoo", "bronzed_cowbird"]
    # The jay is full after that: nothing is left for the third bird.


def test_a_bird_played_into_the_habitat() -> None:
    seats = {
        "0": {"hand": ["osprey"], "food": {"fish": 1}},
        "1": {"wetland": ["belted_kingfisher"], "forest": ["eastern_kingbird"]},
    }
    table = Sitting(board(seats=seats)).do(0, "play_bird:osprey")
    assert table.question() == (1, "use_power", "belted_kingfisher")
    table.do(1, "use_power:belted_kingfisher")
    assert table.food(1) == {"fish": 1}
    assert table.question() == (1, "choose_action", None)


def test_it_comes_before_the_power_of_the_bird_played() -> None:
    seats = {
        "0": {"hand": ["american_goldfinch"], "food": {"seed": 2}},
        "1": {"grassland": ["horned_lark"], "hand": ["osprey", "willet"]},
    }
    table = Sitting(board(seats=seats)).do(0, "play_bird:american_goldfinch")
    assert table.question() == (1, "tuck_card", "horned_lark")
    table.do(1, "tuck_card:willet")
    assert table.row(1, "grassland") == ["horned_lark t1"]
    assert table.question() == (0, "use_power", "american_goldfinch")


def test_tucking_needs_a_hand() -> None:
    seats = {"0": {"hand": ["american_goldfinch"], "food": {"seed": 2}}, "1": {"grassland": ["horned_lark"]}}
    table = Sitting(board(seats=seats)).do(0, "play_bird:american_goldfinch")
    assert table.question()[0] == 0


def test_each_play_of_a_chain_is_reacted_to_but_once_by_each_bird() -> None:
    seats = {
        "0": {
            "hand": ["ruby_crowned_kinglet", "turkey_vulture"],
            "food": {"invertebrate": 1},
            "wetland": ["mallard e1"],
        },
        "1": {"forest": ["eastern_kingbird"]},
    }
    table = Sitting(board(seats=seats)).do(0, "play_bird:ruby_crowned_kinglet").do(1, "decline")
    table.do(0, "play_bird:turkey_vulture")
    # It was declined the first time: so it may react the second time.
    assert table.question() == (1, "use_power", "eastern_kingbird")
    table.do(1, "use_power:eastern_kingbird")
    assert table.food(1) == {"invertebrate": 1}


def test_food_gained_by_dice_of_base_and_trade_counts() -> None:
    seats = {"0": {"forest": ["hooded_warbler"], "hand": ["osprey"]}, "1": {"grassland": ["loggerhead_shrike"]}}
    table = Sitting(board(seats=seats, feeder=["fish", "rodent", "seed"])).do(0, "gain_food")
    table.do(0, "take_die:fish:fish").do(0, "discard_card:osprey").do(0, "take_die:rodent:rodent")
    assert table.question() == (1, "use_power", "loggerhead_shrike")
    table.do(1, "use_power:loggerhead_shrike")
    assert table.row(1, "grassland") == ["loggerhead_shrike c:rodent=1"]


def test_food_of_another_kind_or_by_a_power_does_not_count() -> None:
    seats = {"0": {"forest": ["annas_hummingbird"]}, "1": {"grassland": ["loggerhead_shrike"]}}
    table = Sitting(board(seats=seats, feeder=["fish", "rodent", "seed"])).do(0, "gain_food")
    table.do(0, "take_die:fish:fish").do(0, "choose_seat:0").do(0, "take_die:rodent:rodent").do(1, "pass")
    assert table.question() == (1, "choose_action", None)
    assert table.row(1, "grassland") == ["loggerhead_shrike"]


def test_reactions_are_possible_after_the_own_last_turn() -> None:
    seats = {"0": {"cubes": 0, "wetland": ["american_avocet", "mallard"]}, "1": {"cubes": 1}}
    table = Sitting(board(round=4, seats=seats, active=1, first_player=0)).do(1, "lay_eggs")
    assert table.question() == (0, "place_egg", "american_avocet")
