"""Sections 4, 5, 7 to 10 and 13 of the rules: rows, birdfeeder, cards, activation, the end of a turn."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core import IllegalMove
from engine.games.wingspan import GAME, moves
from engine.games.wingspan.events import CardDrawn, FeederRolled
from engine.games.wingspan.terms import GAINS, TRADES, Action, Die, Food, Habitat
from tests.games.wingspan.table import Sitting, board, refused

PLAIN = ["hooded_warbler", "blue_winged_warbler", "american_woodcock", "prothonotary_warbler", "wild_turkey"]


def sitting(**fields: Any) -> Sitting:
    seat0 = {key: fields.pop(key) for key in ("food", "hand", "forest", "grassland", "wetland") if key in fields}
    return Sitting(board(seats={"0": seat0}, **fields))


@pytest.mark.parametrize("birds", range(6))
def test_the_forest_gives_dice_by_its_birds(birds: int) -> None:
    # Nobody checks here where a bird may live: the mat table is what matters.
    table = sitting(forest=PLAIN[:birds]).do(0, "gain_food")
    assert GAME.view(table.state, None).questions[0].left == GAINS[Habitat.FOREST][birds]


@pytest.mark.parametrize("birds", range(6))
def test_the_grassland_gives_eggs_by_its_birds(birds: int) -> None:
    table = sitting(grassland=PLAIN[:birds], wetland=["mallard"]).do(0, "lay_eggs")
    assert GAME.view(table.state, None).questions[0].left == (2, 2, 3, 3, 4, 4)[birds]


@pytest.mark.parametrize("birds", range(6))
def test_the_wetland_gives_cards_and_perhaps_a_trade_by_its_birds(birds: int) -> None:
    table = sitting(wetland=PLAIN[:birds], forest=["barred_owl e1"]).do(0, "draw_cards")
    for _ in range((1, 1, 2, 2, 3, 3)[birds]):
        assert table.question()[1] == "draw_card"
        table.do(0, "draw_deck")
    assert (table.question()[1] == "trade") == TRADES[birds] == (birds in (1, 3, 5))


def test_every_row_can_be_chosen_even_if_it_gives_nothing() -> None:
    table = sitting(deck_exact=[], tray=[None, None, None]).do(0, "lay_eggs")
    table.do(1, "draw_cards")
    assert table.question() == (0, "choose_action", None)


def test_what_is_taken_one_at_a_time_can_be_broken_off() -> None:
    table = sitting(forest=PLAIN[:2]).do(0, "gain_food").do(0, "take_die:fish:fish").do(0, "pass")
    assert table.food(0) == {"fish": 1}
    assert table.question() == (1, "choose_action", None)


def test_equal_dice_are_one_offer_and_the_double_one_two() -> None:
    table = sitting(feeder=["seed", "seed", "invertebrate_or_seed"]).do(0, "gain_food")
    assert table.offers(0) == [
        "take_die:seed:seed",
        "take_die:invertebrate_or_seed:invertebrate",
        "take_die:invertebrate_or_seed:seed",
        "pass",
    ]


def test_a_reset_may_be_repeated_while_all_dice_are_the_same() -> None:
    table = sitting(feeder=["seed"]).do(0, "gain_food")
    table.do(0, "reset_feeder", ["fish"] * 5)
    assert table.offers(0) == ["take_die:fish:fish", "reset_feeder", "pass"]
    table.do(0, "reset_feeder", ["fish", "fish", "fish", "fish", "seed"])
    assert "reset_feeder" not in table.offers(0)


def test_a_reset_is_refused_with_its_clause() -> None:
    table = sitting(feeder=["seed", "fish"]).do(0, "gain_food")
    refusal = refused(table.state, 0, moves.ResetFeeder())
    assert isinstance(refusal, IllegalMove)
    assert refusal.clause == "5.2"


def test_the_refill_is_told_as_nobodys_doing() -> None:
    table = sitting(feeder=["seed"]).do(0, "gain_food")
    table.do(0, "take_die:seed:seed", ["rodent", "fish", "fish", "seed", "fruit"])
    rolled = next(fact for fact in table.facts if isinstance(fact.public, FeederRolled))
    assert rolled.seat is None
    assert rolled.public == FeederRolled((Die.SEED, Die.FISH, Die.FISH, Die.FRUIT, Die.RODENT), by_choice=False)


def test_the_forest_trade_takes_any_hand_card_and_the_reset_applies_to_its_die() -> None:
    table = sitting(hand=["osprey", "killdeer"], forest=PLAIN[:1], feeder=["seed", "fish"]).do(0, "gain_food")
    table.do(0, "take_die:seed:seed")
    assert table.question()[1] == "trade"
    assert table.offers(0) == ["discard_card:osprey", "discard_card:killdeer", "decline"]
    table.do(0, "discard_card:killdeer")
    assert "reset_feeder" in table.offers(0)
    table.do(0, "take_die:fish:fish")
    assert table.food(0) == {"seed": 1, "fish": 1}
    assert table.discard() == ["killdeer"]


def test_the_grassland_trade_needs_food_and_room() -> None:
    offered = sitting(food={"fish": 1, "seed": 2}, grassland=PLAIN[:1], wetland=["mallard"]).do(0, "lay_eggs")
    offered.do(0, "place_egg:mallard").do(0, "place_egg:mallard")
    assert offered.offers(0) == ["spend_food:seed", "spend_food:fish", "decline"]
    offered.do(0, "spend_food:seed").do(0, "place_egg:mallard")
    assert offered.row(0, "wetland") == ["mallard e3"]
    full = sitting(food={"fish": 1}, grassland=["bobolink e3"]).do(0, "lay_eggs")
    assert full.question() == (1, "choose_action", None)
    poor = sitting(grassland=["bobolink"]).do(0, "lay_eggs").do(0, "place_egg:bobolink").do(0, "place_egg:bobolink")
    assert poor.question() == (1, "choose_action", None)


def test_the_wetland_trade_needs_a_card() -> None:
    table = sitting(wetland=["trumpeter_swan e1"], tray=["osprey", None, None], deck_exact=[]).do(0, "draw_cards")
    table.do(0, "draw_tray:osprey")
    assert table.question() == (1, "choose_action", None)


def test_a_card_from_the_deck_is_seen_by_its_owner_only() -> None:
    table = sitting(deck=["osprey"]).do(0, "draw_cards").do(0, "draw_deck")
    (drawn,) = [fact for fact in table.facts if isinstance(fact.public, CardDrawn)]
    assert drawn.seen_by(0) == CardDrawn(bird="osprey")
    assert drawn.seen_by(1) == drawn.seen_by(None) == CardDrawn()


def test_the_discard_pile_is_shuffled_as_soon_as_the_deck_is_empty() -> None:
    table = sitting(deck_exact=["osprey"], discard=["killdeer", "mallard"]).do(0, "draw_cards")
    table.do(0, "draw_deck", ["mallard", "killdeer"])
    assert table.hand(0) == ["osprey"]
    assert table.discard() == []
    assert len(table.state.deck) == 2


def test_nothing_is_shuffled_by_discarding_onto_an_empty_deck() -> None:
    table = sitting(hand=["osprey"], forest=PLAIN[:1], deck_exact=[], feeder=["fish", "seed"]).do(0, "gain_food")
    table.do(0, "take_die:fish:fish").do(0, "discard_card:osprey")
    assert table.discard() == ["osprey"]
    assert table.state.deck == ()


def test_powers_run_from_right_to_left_and_only_those_of_the_row() -> None:
    table = sitting(forest=["northern_cardinal", "hooded_warbler", "spotted_towhee"], wetland=["mallard"])
    table.do(0, "gain_food").do(0, "pass")
    assert table.question() == (0, "use_power", "spotted_towhee")
    table.do(0, "decline")
    assert table.question() == (0, "use_power", "northern_cardinal")
    table.do(0, "use_power:northern_cardinal")
    assert table.question() == (1, "choose_action", None)
    assert table.food(0) == {"fruit": 1}


def test_a_turn_costs_a_cube_and_passes_on() -> None:
    table = sitting(players=3, active=2, first_player=2)
    table.do(2, "lay_eggs")
    assert [player.cubes for player in table.state.players] == [8, 8, 7]
    assert table.state.active == 0


def test_empty_slots_are_filled_in_order_at_the_end_of_the_turn() -> None:
    table = sitting(wetland=PLAIN[:2], tray=["osprey", "killdeer", "mallard"], deck=["bobolink", "bushtit"])
    table.do(0, "draw_cards").do(0, "draw_tray:mallard")
    assert [slot.bird for slot in GAME.view(table.state, 1).tray] == ["osprey", "killdeer", None]
    table.do(0, "draw_tray:osprey")
    assert [slot.bird for slot in GAME.view(table.state, 1).tray] == ["bobolink", "killdeer", "bushtit"]


def test_discards_that_are_due_come_before_the_tray() -> None:
    table = sitting(hand=["osprey"], wetland=["wood_duck"], tray=["killdeer", "mallard", "barn_owl"], deck=["bobolink"])
    table.do(0, "draw_cards").do(0, "draw_tray:killdeer").do(0, "draw_deck").do(0, "draw_tray:mallard")
    assert GAME.view(table.state, 1).discards_due == 0  # the one that is due is being asked for
    assert table.question() == (0, "discard_owed", None)
    assert table.state.tray[:2] == (None, None)
    table.do(0, "discard_card:osprey")
    assert table.state.debt == 0
    assert None not in table.state.tray


def test_a_hand_too_small_ends_what_is_due() -> None:
    table = sitting(wetland=["wood_duck"], tray=["killdeer", None, None], deck_exact=[])
    table.do(0, "draw_cards").do(0, "pass").do(0, "draw_tray:killdeer")
    assert table.offers(0) == ["discard_card:killdeer"]
    table.do(0, "discard_card:killdeer")
    assert table.state.debt == 0
    assert table.hand(0) == []


def test_an_answer_to_another_question_is_refused() -> None:
    table = sitting(forest=PLAIN[:1]).do(0, "gain_food")
    for move in (moves.DrawDeck(), moves.TakeAction(Action.LAY_EGGS)):
        refusal = refused(table.state, 0, move)
        assert isinstance(refusal, IllegalMove)
        assert refusal.clause == "4.5"
    refusal = refused(table.state, 0, moves.TakeDie(Die.FISH, Food.SEED))
    assert isinstance(refusal, IllegalMove)
    assert refusal.clause == "5.1"


def test_there_is_no_way_out_of_a_turn() -> None:
    refusal = refused(sitting().state, 0, moves.Pass())
    assert isinstance(refusal, IllegalMove)
    assert refusal.clause == "4.4"
