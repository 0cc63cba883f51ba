"""Clauses 11.13 to 11.19 and 11.21: powers that draw, draft and tuck cards."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.wingspan import GAME
from engine.games.wingspan.events import CardTucked
from engine.games.wingspan.rows import BIRD_IDS
from tests.games.wingspan.table import Given, Sitting, board

TRAY = ["killdeer", "barn_owl", "bobolink"]


def wetland(*birds: str, **fields: Any) -> Sitting:
    """Seat 0 has drawn no card; the first power of its wetland is asked for, if any."""
    mine: Given = {key: fields.pop(key) for key in ("food", "hand", "forest", "bonus") if key in fields}
    seats: Given = {"0": {"wetland": list(birds), **mine}} | fields.pop("seats", {})
    table = Sitting(board(seats=seats, **({"tray": TRAY} | fields))).do(0, "draw_cards")
    while table.question()[1:] in (("draw_card", None), ("trade", None)):
        table.skip()
    return table


def played(bird: str, food: dict[str, int], **fields: Any) -> Sitting:
    """Seat 0 has played the bird, as cheaply as possible."""
    mine: Given = {key: fields.pop(key) for key in ("bonus", "hand") if key in fields}
    seats: Given = {"0": {"food": food, **mine, "hand": [bird, *mine.get("hand", [])]}} | fields.pop("seats", {})
    return Sitting(board(seats=seats, **({"tray": TRAY} | fields))).do(0, f"play_bird:{bird}")


def test_draw_cards_from_tray_or_deck() -> None:
    table = wetland("mallard", deck=["osprey"])
    assert table.offers(0) == ["draw_tray:killdeer", "draw_tray:barn_owl", "draw_tray:bobolink", "draw_deck", "decline"]
    assert table.do(0, "draw_deck").hand(0) == ["osprey"]


def test_two_cards_may_be_one() -> None:
    table = played("black_necked_stilt", {"invertebrate": 2}).do(0, "draw_tray:barn_owl")
    assert table.offers(0)[-1] == "pass"
    assert table.do(0, "pass").hand(0) == ["barn_owl"]


def test_no_card_anywhere() -> None:
    assert wetland("mallard", tray=[None] * 3, deck_exact=[]).question() == (1, "choose_action", None)


def test_the_discard_pile_counts_as_a_card() -> None:
    table = wetland("mallard", tray=[None] * 3, deck_exact=[], discard=["osprey"])
    assert table.offers(0) == ["draw_deck", "decline"]
    table.do(0, "draw_deck")
    assert table.hand(0) == ["osprey"]


def test_a_discard_is_due_for_each_use() -> None:
    table = wetland("wood_duck", "black_tern", deck=["osprey", "bushtit", "willet"])
    table.do(0, "draw_deck").do(0, "draw_deck").do(0, "draw_deck")
    assert table.state.debt == 1
    assert table.question() == (0, "discard_owed", None)
    table.do(0, "discard_card:osprey").do(0, "discard_card:willet")
    assert table.hand(0) == ["bushtit"]
    assert table.discard() == ["osprey", "willet"]


def test_declining_owes_nothing() -> None:
    table = wetland("wood_duck", hand=["osprey"]).do(0, "decline")
    assert table.question() == (1, "choose_action", None)


def test_one_card_of_two_owes_the_discard_all_the_same() -> None:
    table = wetland("wood_duck").do(0, "draw_deck").do(0, "pass")
    assert table.question() == (0, "discard_owed", None)


def test_everyone_draws_unseen_in_order() -> None:
    table = wetland("purple_gallinule", players=3, deck=["osprey", "bushtit", "willet"])
    table.do(0, "use_power:purple_gallinule")
    assert [table.hand(seat) for seat in range(3)] == [["osprey"], ["bushtit"], ["willet"]]
    seen = [fact.seen_by(1) for fact in table.facts if fact.private]
    assert [getattr(event, "bird", None) for event in seen] == [None, "bushtit", None]


def test_everyone_draws_as_long_as_there_are_cards() -> None:
    table = wetland("purple_gallinule", players=3, deck_exact=["osprey"]).do(0, "use_power:purple_gallinule")
    assert [table.hand(seat) for seat in range(3)] == [["osprey"], [], []]


def test_everyone_draws_from_the_deck_only() -> None:
    assert wetland("purple_gallinule", deck_exact=[]).question() == (1, "choose_action", None)


def draft(**fields: Any) -> Sitting:
    table = played("american_oystercatcher", {"invertebrate": 2}, **fields)
    return table.do(0, "use_power:american_oystercatcher")


def test_a_draft_takes_one_card_more_than_players_and_everybody_one() -> None:
    table = draft(players=3, deck=["osprey", "bushtit"])
    assert table.question() == (0, "set_aside", "american_oystercatcher")
    assert "pass" not in table.offers(0)
    table.do(0, "draw_deck").do(0, "draw_tray:killdeer").do(0, "draw_deck").do(0, "draw_tray:bobolink")
    assert table.offers(0) == ["draft_card:osprey", "draft_card:killdeer", "draft_card:bushtit", "draft_card:bobolink"]
    table.do(0, "draft_card:bushtit").do(1, "draft_card:osprey").do(2, "draft_card:killdeer")
    assert [table.hand(seat) for seat in range(3)] == [["bushtit", "bobolink"], ["osprey"], ["killdeer"]]
    assert table.state.drafting == ()


def test_only_who_picks_sees_the_draft() -> None:
    table = draft(players=3, deck=["osprey", "bushtit", "willet", "anhinga"])
    for _ in range(4):
        table.do(0, "draw_deck")
    assert [len(GAME.view(table.state, seat).draft) for seat in (None, 0, 1, 2)] == [0, 4, 0, 0]
    table.do(0, "draft_card:osprey")
    assert [len(GAME.view(table.state, seat).draft) for seat in (None, 0, 1, 2)] == [0, 0, 3, 0]
    assert [GAME.view(table.state, seat).set_aside for seat in (None, 0, 1, 2)] == [3] * 4


def test_a_short_draft_ends_with_its_last_card() -> None:
    table = draft(players=4, tray=["killdeer", None, None], deck_exact=["osprey"])
    table.do(0, "draw_deck").do(0, "draw_tray:killdeer")
    table.do(0, "draft_card:killdeer").do(1, "draft_card:osprey")
    assert [table.hand(seat) for seat in range(4)] == [["killdeer"], ["osprey"], [], []]
    assert table.question() == (1, "choose_action", None)


def test_a_draft_without_cards_is_passed_over() -> None:
    table = played("american_oystercatcher", {"invertebrate": 2}, tray=[None] * 3, deck_exact=[])
    assert table.question() == (1, "choose_action", None)


def finch(**fields: Any) -> Sitting:
    return played("cassins_finch", {"seed": 1, "fruit": 1}, **fields)


def test_new_bonus_cards_are_seen_by_their_owner_only() -> None:
    table = finch(bonus=["anatomist"], bonus_deck=["falconer", "oologist"]).do(0, "use_power:cassins_finch")
    assert GAME.view(table.state, 0).bonus_offer == ("falconer", "oologist")
    assert GAME.view(table.state, 1).bonus_offer == ()
    assert table.offers(0) == ["keep_bonus:falconer", "keep_bonus:oologist"]
    table.do(0, "keep_bonus:falconer")
    assert [card.bonus for card in GAME.view(table.state, 0).bonus] == ["anatomist", "falconer"]
    assert GAME.view(table.state, 1).players[0].bonus_count == 2
    assert len(table.state.bonus_discard) == 1


def test_discarded_bonus_cards_are_shuffled_when_the_deck_runs_out() -> None:
    table = finch(bonus_exact=True, bonus_deck=["falconer"], bonus_discard=["oologist", "ecologist"])
    table.do(0, "use_power:cassins_finch")
    first, second = GAME.view(table.state, 0).bonus_offer
    assert first == "falconer"
    assert second in ("oologist", "ecologist")
    assert len(table.state.bonus_deck) == 1


def test_a_single_bonus_card_is_kept_without_a_question() -> None:
    table = finch(bonus_exact=True, bonus_deck=["falconer"]).do(0, "use_power:cassins_finch")
    assert [card.bonus for card in GAME.view(table.state, 0).bonus] == ["falconer"]
    assert table.question() == (1, "choose_action", None)


def test_without_a_bonus_card_it_is_passed_over() -> None:
    assert finch(bonus_exact=True).question() == (1, "choose_action", None)


def test_a_tucked_card_is_seen_by_its_owner_only_and_then_by_nobody() -> None:
    table = wetland("american_coot", hand=["osprey", "willet"])
    assert table.offers(0) == ["tuck_card:osprey", "tuck_card:willet", "decline"]
    table.do(0, "tuck_card:willet")
    told = next(fact for fact in table.facts if isinstance(fact.public, CardTucked))
    assert told.seen_by(0) == CardTucked("american_coot", from_hand=True, bird="willet")
    assert told.seen_by(1) == CardTucked("american_coot", from_hand=True)
    bird = GAME.view(table.state, 0).players[0].rows[2].birds[0]
    assert bird.tucked == 1
    assert table.question() == (0, "draw_card", "american_coot")
    assert table.do(0, "pass").hand(0) == ["osprey"]


def test_without_a_hand_nothing_is_tucked() -> None:
    assert wetland("american_coot").question() == (1, "choose_action", None)


def test_a_full_bird_tucks_but_lays_nothing() -> None:
    seat0 = {"grassland": ["common_grackle e3"], "hand": ["osprey"]}
    table = Sitting(board(seats={"0": seat0})).do(0, "lay_eggs").do(0, "tuck_card:osprey")
    assert table.row(0, "grassland") == ["common_grackle e3 t1"]
    assert table.question() == (1, "choose_action", None)


def test_the_egg_after_a_tuck_may_be_left() -> None:
    seat0 = {"grassland": ["common_grackle e1"], "hand": ["osprey"], "wetland": ["mallard"]}
    table = Sitting(board(seats={"0": seat0})).do(0, "lay_eggs").do(0, "pass").do(0, "tuck_card:osprey")
    assert table.offers(0) == ["place_egg:common_grackle", "pass"]
    assert table.do(0, "place_egg:common_grackle").row(0, "grassland") == ["common_grackle e2 t1"]


@pytest.mark.parametrize(
    ("bird", "food"), [("cedar_waxwing", {"fruit": 1}), ("dark_eyed_junco", {"seed": 1}), ("pine_siskin", {"seed": 1})]
)
def test_a_single_food_after_a_tuck_comes_by_itself(bird: str, food: dict[str, int]) -> None:
    seat0 = {"forest": [bird], "hand": ["osprey"]}
    table = Sitting(board(seats={"0": seat0})).do(0, "gain_food").do(0, "pass")
    while table.question()[1] == "trade":
        table.skip()
    assert table.do(0, "tuck_card:osprey").food(0) == food


def test_two_foods_after_a_tuck_are_asked_for() -> None:
    seat0 = {"forest": ["pygmy_nuthatch"], "hand": ["osprey"]}
    table = Sitting(board(seats={"0": seat0})).do(0, "gain_food").do(0, "pass").do(0, "decline")
    table.do(0, "tuck_card:osprey")
    assert table.offers(0) == ["gain_food:invertebrate", "gain_food:seed"]
    assert table.do(0, "gain_food:seed").food(0) == {"seed": 1}


def test_a_token_for_two_cards_of_the_deck_unseen() -> None:
    table = wetland("canada_goose", food={"seed": 1, "fish": 1}, deck=["osprey", "bushtit", "willet"])
    table.do(0, "use_power:canada_goose")
    assert table.food(0) == {"fish": 1}
    assert table.row(0, "wetland") == ["canada_goose t2"]
    assert BIRD_IDS[table.state.deck[0]] == "willet"
    tucked = [fact for fact in table.facts if isinstance(fact.public, CardTucked)]
    assert [(fact.public, fact.private) for fact in tucked] == [(CardTucked("canada_goose", from_hand=False), ())] * 2


def test_exactly_that_food() -> None:
    assert wetland("canada_goose", food={"fish": 2}).question() == (1, "choose_action", None)


def test_as_many_cards_as_there_are() -> None:
    table = wetland("canada_goose", food={"seed": 1}, deck_exact=["osprey"]).do(0, "use_power:canada_goose")
    assert table.row(0, "wetland") == ["canada_goose t1"]


def test_the_deck_is_shuffled_between_two_tucks() -> None:
    table = wetland("canada_goose", food={"seed": 1}, deck_exact=["osprey"], discard=["bushtit", "willet"])
    table.do(0, "use_power:canada_goose", ["willet", "bushtit"])
    assert table.row(0, "wetland") == ["canada_goose t2"]
    assert [BIRD_IDS[card] for card in table.state.deck] == ["bushtit"]


def test_no_card_no_payment() -> None:
    assert wetland("canada_goose", food={"seed": 1}, deck_exact=[]).question() == (1, "choose_action", None)


def test_an_egg_of_any_bird_for_cards() -> None:
    table = wetland("killdeer e1", forest=["barred_owl e1"], tray=["mallard", "barn_owl", "bobolink"], deck=["osprey"])
    assert table.offers(0) == ["remove_egg:barred_owl", "remove_egg:killdeer", "decline"]
    table.do(0, "remove_egg:killdeer").do(0, "draw_deck").do(0, "draw_tray:mallard")
    assert table.hand(0) == ["osprey", "mallard"]


def test_no_egg_for_no_card() -> None:
    table = wetland("killdeer e1", tray=[None] * 3, deck_exact=[])
    assert table.question() == (1, "choose_action", None)


def test_the_fewest_in_the_wetland_draw_from_the_owner_on() -> None:
    others = {"1": {"wetland": ["willet", "anhinga"]}, "2": {"wetland": ["wood_duck"]}}
    table = wetland("common_loon", players=3, seats=others).do(0, "use_power:common_loon")
    assert table.question() == (0, "draw_card", "common_loon")
    table.do(0, "draw_tray:barn_owl")
    assert table.question() == (2, "draw_card", "common_loon")
    assert table.do(2, "pass").hand(2) == []
