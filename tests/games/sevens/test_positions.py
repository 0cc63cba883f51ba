"""Positions that the rules cannot reach are refused by the name of the wrong field."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.core import InvalidPosition, Rng, read_position, write_position
from engine.core.cards import card_name
from engine.games.sevens import GAME, rules
from engine.games.sevens.state import Options, State
from tests.games.sevens.test_properties import played

Change = Callable[[dict[str, Any]], object]


def whole_game() -> list[State]:
    return list(played(GAME.setup(Options(pass_limit=1), 4, Rng(b"whole", 0)), b"game"))


def somebody_out() -> State:
    return next(state for state in whole_game() if state.out and state.turn is not None)


def wrong_field(state: State, change: Change) -> str:
    document = write_position(GAME, state)
    change(document)
    with pytest.raises(InvalidPosition) as refused:
        read_position(GAME, document)
    return refused.value.field


def swap_first_two(cards: list[str]) -> None:
    cards[0], cards[1] = cards[1], cards[0]


def set_in(field: str, at: int, value: object) -> Change:
    return lambda document: document[field].__setitem__(at, value)


def test_every_state_of_a_game_is_a_position() -> None:
    for state in whole_game():
        assert read_position(GAME, write_position(GAME, state)) == state


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda document: document["options"].update(pass_limit=6), "options.pass_limit"),
        (lambda document: document["options"].update(decks=3), "options.decks"),
        (lambda document: document["options"].update(decks=2), "hands"),
        (lambda document: document["hands"].pop() and document["hands"].pop(), "hands"),
        (lambda document: document["passes"].pop(), "passes"),
        (set_in("passes", 1, 2), "passes[1]"),
        (set_in("passes", 1, -1), "passes[1]"),
        (lambda document: document.update(turn=4), "turn"),
        (lambda document: document.update(turn=-1), "turn"),
        (lambda document: document.update(turn=None), "turn"),
        (lambda document: document.update(finished=[4]), "finished[0]"),
        (lambda document: document.update(out=[0, 0]), "out[1]"),
        (lambda document: document.update(finished=[0, 1], out=[2, 3]), "out"),
        (lambda document: document.update(finished=[0, 1, 2, 3]), "finished"),
        (lambda document: document.update(finished=[0]), "hands[0]"),
        (lambda document: swap_first_two(document["hands"][1]), "hands[1]"),
        (lambda document: swap_first_two(document["table"]), "table"),
        (lambda document: document["hands"][2].append("BN"), "hands[2]"),
        (lambda document: document["table"].append("BN"), "table"),
        (lambda document: document["table"].pop(), "table"),
        (lambda document: document["hands"][0].pop(0), "hands"),
        (set_in("hands", 1, []), "hands[1]"),
    ],
)
def test_what_cannot_be_at_the_beginning(change: Change, field: str) -> None:
    assert wrong_field(whole_game()[0], change) == field


def test_a_seven_in_a_hand() -> None:
    assert wrong_field(whole_game()[0], lambda document: document["hands"][3].append("7S")).startswith("hands[")


def test_a_card_that_two_players_hold() -> None:
    def copy_a_card(document: dict[str, Any]) -> None:
        both = [*document["hands"][0][:-1], document["hands"][1][0]]
        document["hands"][0] = sorted(both, key=[card_name(card) for card in rules.PACK].index)

    assert wrong_field(whole_game()[0], copy_a_card) in {"hands", "hands[1]"}


def test_more_cards_than_were_dealt() -> None:
    def give_away(document: dict[str, Any]) -> None:
        order = [card_name(card) for card in rules.PACK]
        document["hands"][0] = sorted(document["hands"][0] + document["hands"][1][1:], key=order.index)
        document["hands"][1] = document["hands"][1][:1]

    assert wrong_field(whole_game()[0], give_away) == "hands[0]"


def test_passes_of_a_player_who_is_out() -> None:
    state = somebody_out()
    assert wrong_field(state, set_in("passes", state.out[0], 1)) == f"passes[{state.out[0]}]"


def test_the_turn_of_a_player_who_is_out() -> None:
    state = somebody_out()
    assert wrong_field(state, lambda document: document.update(turn=state.out[0])) == "turn"


def test_a_turn_after_the_end() -> None:
    last = whole_game()[-1]
    left = next(seat for seat, hand in enumerate(last.hands) if hand)
    assert wrong_field(last, lambda document: document.update(turn=left)) == "turn"


def test_an_island_although_nobody_is_out() -> None:
    def lay_a_king(document: dict[str, Any]) -> None:
        holder = next(hand for hand in document["hands"] if "KC" in hand)
        holder.remove("KC")
        document["table"].insert(1, "KC")

    assert wrong_field(whole_game()[0], lay_a_king) == "table"
