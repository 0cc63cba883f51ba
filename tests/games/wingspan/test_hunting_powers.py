"""Clauses 11.23 and 11.24: birds that hunt."""

from __future__ import annotations

from typing import Any

from engine.games.wingspan import GAME
from engine.games.wingspan.events import CardRevealed, DiceRolled
from engine.games.wingspan.rows import BIRD_OF
from engine.games.wingspan.terms import Die
from tests.games.wingspan.table import Sitting, board


def forest(*birds: str, **fields: Any) -> Sitting:
    """Seat 0 has taken no die; the first power of its forest is asked for, if any."""
    seats = {"0": {"forest": list(birds)}, **fields.pop("seats", {})}
    return Sitting(board(seats=seats, **fields)).do(0, "gain_food").do(0, "pass")


def test_a_small_card_is_tucked() -> None:
    table = forest("coopers_hawk", deck=["house_wren", "osprey"]).do(0, "use_power:coopers_hawk")
    assert table.row(0, "forest") == ["coopers_hawk t1"]
    assert table.discard() == []
    assert CardRevealed("coopers_hawk", "house_wren", success=True) in [fact.public for fact in table.facts]


def test_a_large_card_is_discarded() -> None:
    table = forest("coopers_hawk", deck=["osprey"]).do(0, "use_power:coopers_hawk")
    assert table.row(0, "forest") == ["coopers_hawk"]
    assert table.discard() == ["osprey"]


def test_the_limit_is_the_one_of_the_bird() -> None:
    # 79 cm: too large for 75, small enough for 100.
    assert forest("coopers_hawk", deck=["american_avocet"]).do(0, "use_power:coopers_hawk").discard()
    assert not forest("great_horned_owl", deck=["american_avocet"]).do(0, "use_power:great_horned_owl").discard()


def test_nothing_is_shown_if_it_is_declined() -> None:
    table = forest("coopers_hawk", deck=["house_wren"]).do(0, "decline")
    assert GAME.view(table.state, 0).revealed is None
    assert len(table.state.deck) + len(table.state.discard) == 170 - 1 - 3


def test_everybody_sees_the_card_until_the_next_cube() -> None:
    table = forest("coopers_hawk", deck=["house_wren"]).do(0, "use_power:coopers_hawk")
    assert [GAME.view(table.state, seat).revealed for seat in (None, 0, 1)] == ["house_wren"] * 3
    table.do(1, "lay_eggs")
    assert GAME.view(table.state, 0).revealed is None


def test_the_last_card_of_the_deck_is_not_shuffled_in_again() -> None:
    table = forest("coopers_hawk", deck_exact=["osprey"], discard=["house_wren", "bushtit"])
    table.do(0, "use_power:coopers_hawk", ["bushtit", "house_wren"])
    assert table.discard() == ["osprey"]
    assert len(table.state.deck) == 2


def test_a_card_that_was_shown_is_forgotten_when_it_is_shuffled_into_the_deck() -> None:
    tray = ["killdeer", None, "mallard"]
    table = forest("coopers_hawk", deck_exact=["osprey"], tray=tray).do(0, "use_power:coopers_hawk")
    # The slot of the tray is filled at the end of the turn: from the pile, on which nothing but the shown card lay.
    assert table.state.tray[1] == BIRD_OF["osprey"]
    assert GAME.view(table.state, None).revealed is None


def test_no_card_to_hunt() -> None:
    assert forest("coopers_hawk", deck_exact=[]).question() == (1, "choose_action", None)


def test_a_die_that_shows_the_food_is_cached_once() -> None:
    table = Sitting(board(seats={"0": {"wetland": ["anhinga"]}}, feeder=["seed", "fish"]))
    table.do(0, "draw_cards").do(0, "pass").do(0, "use_power:anhinga", ["fish", "fish", "rodent"])
    assert table.row(0, "wetland") == ["anhinga c:fish=1"]
    assert table.feeder() == ["seed", "fish"]
    rolled = DiceRolled("anhinga", (Die.FISH, Die.FISH, Die.RODENT), success=True)
    assert rolled in [fact.public for fact in table.facts]


def test_the_double_die_is_no_fish() -> None:
    table = Sitting(board(seats={"0": {"wetland": ["anhinga"]}}, feeder=["seed", "fish"]))
    table.do(0, "draw_cards").do(0, "pass")
    table.do(0, "use_power:anhinga", ["invertebrate_or_seed", "rodent", "seed"])
    assert table.row(0, "wetland") == ["anhinga"]


def test_no_die_outside_no_hunt() -> None:
    table = Sitting(board(seats={"0": {"wetland": ["anhinga"]}})).do(0, "draw_cards").do(0, "pass")
    assert table.question() == (1, "choose_action", None)


def test_each_success_is_reacted_to_once_per_bird() -> None:
    vultures = {"1": {"forest": ["black_vulture"], "wetland": ["turkey_vulture"]}}
    table = forest("barred_owl", "coopers_hawk", seats=vultures, deck=["house_wren", "bushtit"])
    table.do(0, "use_power:coopers_hawk")
    assert table.question() == (1, "take_die", "black_vulture")
    table.do(1, "take_die:fish:fish")
    assert table.question() == (1, "take_die", "turkey_vulture")
    # Declined, so that it may react to the next hunt.
    table.do(1, "decline").do(0, "use_power:barred_owl")
    assert table.question() == (1, "take_die", "turkey_vulture")
    table.do(1, "take_die:seed:seed")
    assert table.food(1) == {"fish": 1, "seed": 1}


def test_a_hunt_by_dice_is_reacted_to_before_the_next_power() -> None:
    seats = {"0": {"wetland": ["mallard", "anhinga"]}, "1": {"forest": ["black_vulture"]}}
    table = Sitting(board(seats=seats, feeder=["seed", "fish"])).do(0, "draw_cards").do(0, "pass")
    table.do(0, "use_power:anhinga", ["fish", "rodent", "seed"])
    assert table.question() == (1, "take_die", "black_vulture")
    # The dice that were rolled stay outside.
    assert table.offers(1) == ["take_die:seed:seed", "take_die:fish:fish", "decline"]
    table.do(1, "take_die:seed:seed")
    assert table.question() == (0, "draw_card", "mallard")


def test_a_reset_uses_the_reaction_up() -> None:
    hawks, vulture = ("barred_owl", "coopers_hawk"), {"1": {"forest": ["black_vulture"]}}
    table = forest(*hawks, feeder=["fish"], deck=["house_wren", "bushtit"], seats=vulture)
    table.do(0, "use_power:coopers_hawk")
    table.do(1, "reset_feeder", ["fish", "seed", "seed", "seed", "seed"]).do(1, "pass")
    table.do(0, "use_power:barred_owl")
    assert table.row(0, "forest") == ["barred_owl t1", "coopers_hawk t1"]
    assert table.question() == (1, "choose_action", None)


def test_a_failed_hunt_is_not_reacted_to() -> None:
    table = forest("coopers_hawk", deck=["osprey"], seats={"1": {"forest": ["black_vulture"]}})
    table.do(0, "use_power:coopers_hawk")
    assert table.question() == (1, "choose_action", None)
