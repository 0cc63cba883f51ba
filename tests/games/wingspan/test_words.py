"""Labels in English, notations, and why moves are refused."""

from __future__ import annotations

import re
from typing import Any

import pytest

from engine.core import IllegalMove
from engine.games.wingspan import GAME, events, labels, moves
from engine.games.wingspan.events import Event
from engine.games.wingspan.moves import Move
from engine.games.wingspan.terms import Action, Die, Food, Habitat
from tests.games.wingspan.table import Sitting, board, dealt, refused


@pytest.mark.parametrize(
    ("move", "notation", "text"),
    [
        (moves.PlayBird("barrows_goldeneye"), "play_bird:barrows_goldeneye", "Play Barrow's Goldeneye"),
        (moves.TakeAction(Action.LAY_EGGS), "lay_eggs", "Lay eggs"),
        (moves.ChooseHabitat(Habitat.WETLAND), "choose_habitat:wetland", "To the wetland"),
        (moves.PayFood((Food.SEED,)), "pay_food:seed", "Pay seed"),
        (moves.PayFood((Food.SEED, Food.FISH)), "pay_food:seed:fish", "Pay seed and fish"),
        (moves.TakeDie(Die.SEED, Food.SEED), "take_die:seed:seed", "Take seed"),
        (
            moves.TakeDie(Die.INVERTEBRATE_OR_SEED, Food.SEED),
            "take_die:invertebrate_or_seed:seed",
            "Take seed (double die)",
        ),
        (moves.KeepBonus("falconer"), "keep_bonus:falconer", "Keep Falconer"),
        (moves.ChooseSeat(2), "choose_seat:2", "Seat 2 goes first"),
        (moves.Decline(), "decline", "Decline"),
    ],
)
def test_a_move_has_a_notation_and_a_text(move: Move, notation: str, text: str) -> None:
    assert GAME.notation(move) == notation
    assert labels.english(GAME.label(move)) == text


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (events.CardDrawn(), "Seat 1 draws a card from the deck."),
        (events.CardDrawn(bird="osprey"), "Seat 1 draws Osprey from the deck."),
        (events.CardDrawn(0, "osprey"), "Seat 1 takes Osprey from the tray."),
        (events.CardTucked("mallard", from_hand=False), "A card from the deck is tucked behind Mallard of seat 1."),
        (events.CardTucked("mallard", from_hand=True), "Seat 1 tucks a card from the hand behind Mallard."),
        (events.CardTucked("mallard", from_hand=True, bird="osprey"), "Seat 1 tucks Osprey behind Mallard."),
        (events.Declined(), "Seat 1 does not trade."),
        (events.Declined("osprey"), "Seat 1 declines the power of Osprey."),
        (events.BonusKept(), "Seat 1 keeps a bonus card."),
        (events.FoodSpent((Food.FISH, Food.SEED)), "Seat 1 pays 🐟 🌾."),
        (
            events.BirdMoved("osprey", Habitat.FOREST, Habitat.WETLAND, 3),
            "Osprey of seat 1 moves from the forest to the wetland, column 3.",
        ),
    ],
)
def test_an_event_is_told_by_what_its_viewer_knows(event: Event, text: str) -> None:
    assert labels.english(GAME.event_label(event, 1)) == text


def test_what_nobody_does_has_no_seat() -> None:
    label = GAME.event_label(events.TrayFilled(1, "osprey"), None)
    assert dict(label.args) == {"bird": "Osprey"}
    assert labels.english(label) == "Osprey is turned up in the tray."


def test_no_text_about_a_card_has_the_wrong_article() -> None:
    texts = [
        part.attributes[key]["text"]
        for part in GAME.catalogue()
        for key in ("power", "counts")
        if key in part.attributes
    ]
    assert len(texts) == 196
    assert [text for text in texts if re.search(r"\ba [aeiou]|\ban [^aeiou]", text, re.IGNORECASE)] == []


def sitting(**seat0: Any) -> Sitting:
    return Sitting(board(seats={"0": seat0}))


@pytest.mark.parametrize(
    ("table", "move", "clause"),
    [
        (sitting(wetland=["mallard"], forest=["barred_owl e2"]).do(0, "lay_eggs"), moves.PlaceEgg("barred_owl"), "2.1"),
        (sitting(wetland=["mallard"]).do(0, "lay_eggs"), moves.PlaceEgg("osprey"), "8.1"),
        (sitting(wetland=["mallard"]).do(0, "lay_eggs"), moves.PlaceEgg("dodo"), "2.1"),
        (sitting(wetland=["mallard"]).do(0, "lay_eggs"), moves.Decline(), "4.4"),
        (sitting().do(0, "draw_cards"), moves.DrawTray("osprey"), "9.1"),
        (
            sitting(hand=["killdeer"], forest=["hooded_warbler"]).do(0, "gain_food").do(0, "pass"),
            moves.DiscardCard("osprey"),
            "7.2",
        ),
        (
            sitting(hand=["northern_cardinal"], food={"seed": 1, "fruit": 1, "fish": 2}).do(
                0, "play_bird:northern_cardinal"
            ),
            moves.PayFood((Food.FISH,)),
            "6.4",
        ),
        (sitting().do(0, "gain_food"), moves.ResetFeeder(), "5.2"),
        (sitting(), moves.ResetFeeder(), "4.5"),
        (
            sitting(wetland=["killdeer", "anhinga e1"]).do(0, "draw_cards").do(0, "pass"),
            moves.RemoveEgg("killdeer"),
            "11.21",
        ),
        (sitting(wetland=["anhinga e1"]).do(0, "draw_cards").do(0, "pass"), moves.RemoveEgg("mallard"), "9.2"),
        (sitting(hand=["killdeer", "osprey"]), moves.TuckCard("killdeer"), "4.5"),
    ],
)
def test_a_refusal_names_its_clause(table: Sitting, move: Move, clause: str) -> None:
    refusal = refused(table.state, 0, move)
    assert isinstance(refusal, IllegalMove)
    assert refusal.clause == clause
    assert refusal.reason


def test_the_bonus_card_is_asked_for_after_the_five_things() -> None:
    birds = ["mallard", "house_wren", "barn_owl", "bald_eagle", "bobolink"]
    table = Sitting(dealt({"birds": birds, "bonus": ["anatomist", "ecologist"]}, 2))
    for bird in birds:
        table.do(0, f"keep_bird:{bird}")
    refusal = refused(table.state, 0, moves.KeepFood(Food.FISH))
    assert isinstance(refusal, IllegalMove)
    assert refusal.clause == "3.4"
