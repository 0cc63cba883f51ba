"""Section 6 of the rules: playing birds and paying for them."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core import IllegalMove
from engine.games.wingspan import GAME, costs, moves
from engine.games.wingspan.events import ActionTaken, BirdChosen, BirdPlayed, EggRemoved, FoodSpent, HabitatChosen
from engine.games.wingspan.frames import PayFood
from engine.games.wingspan.rows import BIRDS
from engine.games.wingspan.state import Player
from engine.games.wingspan.terms import Action, Food, Habitat
from tests.games.wingspan.table import Foods, Sitting, board, foods, refused


def sitting(**seat0: Any) -> Sitting:
    return Sitting(board(seats={"0": seat0}))


def test_only_hand_cards_that_can_be_paid_are_offered() -> None:
    hand = ["osprey", "mallard", "bald_eagle"]
    table = sitting(hand=hand, food={"fish": 2})
    assert table.offers(0) == ["play_bird:osprey", "play_bird:mallard", "gain_food", "lay_eggs", "draw_cards"]
    assert sitting(hand=hand).offers(0) == ["gain_food", "lay_eggs", "draw_cards"]


def test_the_habitat_is_asked_for_only_if_there_are_several() -> None:
    table = sitting(hand=["american_crow"], food={"fish": 1}).do(0, "play_bird:american_crow")
    assert table.offers(0) == ["choose_habitat:forest", "choose_habitat:grassland", "choose_habitat:wetland"]
    # In the second column an egg would be due, and there is none.
    table = sitting(hand=["american_crow"], food={"fish": 1}, forest=["barred_owl"])
    assert table.do(0, "play_bird:american_crow").offers(0) == ["choose_habitat:grassland", "choose_habitat:wetland"]


def test_a_bird_on_its_way_is_seen_by_all_and_is_no_hand_card_any_more() -> None:
    table = sitting(hand=["american_crow", "osprey"], food={"fish": 1}).do(0, "play_bird:american_crow")
    seen = GAME.view(table.state, None)
    assert seen.playing is not None
    assert seen.playing.bird == "american_crow"
    assert seen.players[0].hand_size == 1


def test_what_is_told_of_a_play() -> None:
    table = sitting(hand=["american_crow"], food={"fish": 1}, forest=["barred_owl e1"])
    table.do(0, "play_bird:american_crow").do(0, "choose_habitat:forest")
    assert [fact.public for fact in table.facts][:6] == [
        ActionTaken(Action.PLAY_BIRD, 7),
        BirdChosen("american_crow"),
        HabitatChosen("american_crow", Habitat.FOREST),
        EggRemoved("barred_owl"),
        FoodSpent((Food.FISH,)),
        BirdPlayed("american_crow", Habitat.FOREST, 2),
    ]


@pytest.mark.parametrize(("birds", "eggs"), [(0, 0), (1, 1), (2, 1), (3, 2), (4, 2)])
def test_the_eggs_by_column(birds: int, eggs: int) -> None:
    row = ["hooded_warbler", "barred_owl", "blue_winged_warbler", "prothonotary_warbler"][:birds]
    table = sitting(hand=["mourning_dove"], food={"seed": 1}, forest=row, wetland=["mallard e2", "killdeer e2"])
    table.do(0, "play_bird:mourning_dove").do(0, "choose_habitat:forest")
    for left in range(eggs, 0, -1):
        assert table.question() == (0, "pay_egg", None)
        assert GAME.view(table.state, 0).questions[0].left == left
        assert table.offers(0) == ["remove_egg:mallard", "remove_egg:killdeer"]
        table.do(0, "remove_egg:mallard")
    assert table.row(0, "forest") == [*row, "mourning_dove"]


def test_the_food_is_asked_for_symbol_by_symbol_or_at_one_go() -> None:
    table = sitting(hand=["northern_cardinal"], food={"seed": 1, "fruit": 1, "fish": 2})
    table.do(0, "play_bird:northern_cardinal")
    assert table.question()[1] == "pay_food"
    # Fish and fruit may stand for the seed, too: seed and fish then stand for the fruit.
    one_go, *by_symbol = table.offers(0)
    assert one_go == "pay_food:seed:fruit"
    assert by_symbol == ["pay_food:seed", "pay_food:fish:fish", "pay_food:fish:fruit"]
    # After the two fish only the fruit can pay for the fruit: that is not asked any more.
    assert table.do(0, "pay_food:fish:fish").row(0, "forest") == ["northern_cardinal"]
    assert table.food(0) == {"seed": 1}


def test_what_is_left_must_stay_payable() -> None:
    table = sitting(hand=["northern_cardinal"], food={"seed": 1, "fish": 2}).do(0, "play_bird:northern_cardinal")
    # The seed pays itself, the two fish pay the fruit: no other way, so nothing is asked.
    assert table.row(0, "forest") == ["northern_cardinal"]
    assert table.food(0) == {}


def test_a_wild_symbol_takes_any_one_token() -> None:
    table = sitting(hand=["black_billed_magpie"], food={"seed": 1, "fish": 1, "rodent": 1})
    table.do(0, "play_bird:black_billed_magpie")
    assert table.offers(0) == ["pay_food:seed", "pay_food:fish", "pay_food:rodent"]
    assert table.do(0, "pay_food:fish").offers(0) == ["pay_food:seed", "pay_food:rodent"]


def test_a_bird_without_a_cost_costs_nothing() -> None:
    table = sitting(hand=["black_vulture"]).do(0, "play_bird:black_vulture")
    assert table.row(0, "forest") == ["black_vulture"]


def test_neither_brown_nor_pink_powers_do_anything_when_played() -> None:
    for bird, row in (("mallard", "wetland"), ("eastern_kingbird", "forest")):
        table = sitting(hand=[bird], food={"seed": 1, "invertebrate": 2}).do(0, f"play_bird:{bird}")
        while table.question()[1] in ("choose_habitat", "pay_food"):
            table.do(0, next(o for o in table.offers(0) if row in o or "pay" in o))
        assert table.question() == (1, "choose_action", None)


def test_no_row_is_activated_by_a_play() -> None:
    table = sitting(hand=["black_vulture"], food={}, forest=["northern_cardinal e1"]).do(0, "play_bird:black_vulture")
    assert table.question() == (1, "choose_action", None)
    assert table.food(0) == {}


@pytest.mark.parametrize(
    ("given_", "clause"),
    [
        ({"hand": []}, "6.1"),
        ({"hand": ["osprey"], "food": {"seed": 1}}, "6.4"),
        ({"hand": ["osprey"], "food": {"fish": 1}, "wetland": ["mallard"]}, "6.3"),
        (
            {
                "hand": ["osprey"],
                "food": {"fish": 1},
                "wetland": ["mallard", "killdeer", "anhinga", "wood_duck", "willet"],
            },
            "6.2",
        ),
    ],
)
def test_a_refused_play_says_what_is_missing(given_: dict[str, Any], clause: str) -> None:
    refusal = refused(sitting(**given_).state, 0, moves.PlayBird("osprey"))
    assert isinstance(refusal, IllegalMove)
    assert refusal.clause == clause


# An oracle of its own: every way to split a cost into tokens, by brute force.

Payment = tuple[int, ...]


def brute(have: Foods, shown: Foods, wild: int, *, alternatives: bool) -> set[Payment]:
    """Every multiset of tokens that pays, from the words of 6.4 and 6.5."""
    if alternatives:
        groups = [_group([food for food in Food if shown[food - 1]])]
    else:
        groups = [_group([food]) for food in Food for _ in range(shown[food - 1])] + [[(food,) for food in Food]] * wild
    payments: set[Payment] = {(0,) * 5}
    for group in groups:
        payments = {
            tuple(paid[food - 1] + tokens.count(food) for food in Food) for paid in payments for tokens in group
        }
    return {paid for paid in payments if all(a <= b for a, b in zip(paid, have, strict=True))}


def _group(wanted: list[Food]) -> list[tuple[Food, ...]]:
    others = [food for food in Food if food not in wanted]
    return [*((food,) for food in wanted), *combinations_with_replacement(others, 2)]


def reached(have: Foods, frame: PayFood) -> set[Payment]:
    """Every multiset of tokens that some chain of answers pays."""
    found = set()
    for tokens in costs.payments(Player(have, (), ()), frame):
        spent = Counter(tokens)
        left = tuple(count - spent[food] for food, count in zip(Food, have, strict=True))
        rest = costs.rest(frame, tokens)
        after = {(0,) * 5} if rest is None else reached(left, rest)  # type: ignore[arg-type]
        found |= {tuple(paid[food - 1] + spent[food] for food in Food) for paid in after}
    return found


COSTS = sorted({(b.food_cost.foods, b.food_cost.wild, b.food_cost.alternatives) for b in BIRDS})


@given(st.tuples(*[st.integers(0, 3)] * 5), st.sampled_from(COSTS))
@settings(max_examples=300, deadline=None)
def test_payments_are_those_that_the_words_of_the_rules_allow(have: Foods, cost: tuple[Foods, int, bool]) -> None:
    shown, wild, alternatives = cost
    expected = brute(have, shown, wild, alternatives=alternatives)
    assert costs.can_pay(have, shown, wild, alternatives=alternatives) == bool(expected)
    if sum(shown) + wild:
        assert reached(have, PayFood(0, shown, wild, alternatives)) == expected


def test_the_oracle_knows_what_was_paid_in_the_rules() -> None:
    assert brute(foods({"fish": 1, "fruit": 1}), foods({"rodent": 1}), 0, alternatives=False) == {(0, 0, 1, 1, 0)}
    assert not brute(foods({"fish": 1}), foods({"rodent": 1}), 0, alternatives=False)
