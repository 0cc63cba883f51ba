"""The secrets of section 16 through gRPC and REST: two games that differ in one of them, byte for byte."""

from __future__ import annotations

import json
import re
from typing import Any

from msgspec.structs import replace

from engine.core import Rng, play, read_position, write_position
from engine.games.wingspan import GAME, moves
from engine.games.wingspan.moves import Move
from engine.games.wingspan.rows import BONUS_IDS
from engine.games.wingspan.state import Options, State
from engine.games.wingspan.terms import Action
from tests.games.apart import Act, nobody_can_tell
from tests.games.wingspan.table import Given, Sitting, board
from tests.service.secrecy.conftest import MakeTwins

BONUS = ("anatomist", "ecologist", "forester")
TRAY = ["killdeer", "barn_owl", "bobolink"]
LAY, DRAW = moves.TakeAction(Action.LAY_EGGS), moves.TakeAction(Action.DRAW_CARDS)


def three(*seats: Given, **fields: Any) -> State:
    """Three players with a bonus card each; seat 0 is on turn."""
    given = {str(at): {"bonus": [card]} | (seats[at] if at < len(seats) else {}) for at, card in enumerate(BONUS)}
    return board(players=3, seats=given, **({"tray": TRAY} | fields))


def swapped(state: State, *pairs: tuple[str, str]) -> State:
    """The same position with the two cards of each pair in each other's place."""
    other = {a: b for pair in pairs for a, b in (pair, pair[::-1])}
    text = re.sub(
        r'"(\w+)"', lambda found: f'"{other.get(found[1], found[1])}"', json.dumps(write_position(GAME, state))
    )
    swap: State = read_position(GAME, json.loads(text))
    return swap


def acts(seat: int, *answers: Move) -> list[Act]:
    return [Act(seat, move) for move in answers]


async def test_a_hand_while_others_play_and_while_it_is_played_from(twins: MakeTwins) -> None:
    """The hand of seat 0 holds a card that it can play, or one that it cannot."""
    one = three({"hand": ["osprey", "turkey_vulture"], "food": {"fish": 1}}, deck=["bushtit", "bald_eagle"])
    other = swapped(one, ("osprey", "bald_eagle"))
    assert len(GAME.legal_moves(one, 0)) > len(GAME.legal_moves(other, 0))
    played = acts(0, DRAW, moves.DrawDeck())
    await nobody_can_tell(twins, GAME, (one, other), *played, Act(1, LAY), viewers=(None, 1, 2))


async def test_bonus_cards_in_front_of_a_player_and_in_both_piles(twins: MakeTwins) -> None:
    one = three({"forest": ["barred_owl"]}, bonus_deck=["oologist", "falconer"])
    one = replace(one, bonus_deck=one.bonus_deck[:-3], bonus_discard=one.bonus_deck[-3:])
    discarded = BONUS_IDS[one.bonus_discard[0]]
    other = swapped(one, ("anatomist", discarded), ("oologist", "falconer"))
    await nobody_can_tell(twins, GAME, (one, other), Act(0, LAY), Act(0, moves.Pass()), viewers=(None, 1, 2))


async def test_new_bonus_cards_and_the_one_that_is_kept(twins: MakeTwins) -> None:
    finch = {"hand": ["cassins_finch"], "food": {"seed": 1, "fruit": 1}}
    one = three(finch, bonus_deck=["falconer", "oologist"])
    other = swapped(one, ("falconer", "historian"), ("oologist", "rodentologist"))
    kept = Act(0, moves.KeepBonus("oologist"), moves.KeepBonus("historian"))
    at_power = [Sitting(world).do(0, "play_bird:cassins_finch") for world in (one, other)]
    while at_power[0].question()[1] != "use_power":
        for table in at_power:
            table.do(0, table.offers(0)[0])
    worlds = [table.state for table in at_power]
    await nobody_can_tell(twins, GAME, worlds, Act(0, moves.UsePower("cassins_finch")), kept, viewers=(None, 1, 2))


async def test_cards_tucked_from_hand_and_deck(twins: MakeTwins) -> None:
    """What lies behind a bird already, what a seat tucks, and what comes from the deck unseen."""
    birds = {"wetland": ["canada_goose", "american_coot t1"], "hand": ["osprey", "willet"], "food": {"seed": 1}}
    one = three(birds, deck=["bushtit", "mallard", "anhinga", "house_wren"])
    other = swapped(one, ("osprey", "anhinga"), ("bushtit", "house_wren"))
    tucked = Act(0, moves.TuckCard("osprey"), moves.TuckCard("anhinga"))
    turn = (*acts(0, DRAW, moves.Pass()), tucked, *acts(0, moves.Pass(), moves.UsePower("canada_goose")))
    await nobody_can_tell(twins, GAME, (one, other), *turn, viewers=(None, 1, 2))


async def test_the_owner_cannot_tell_what_is_tucked_either(twins: MakeTwins) -> None:
    goose = {"wetland": ["canada_goose t1"], "food": {"seed": 1}}
    one = three(goose, deck=["bushtit", "mallard", "anhinga", "house_wren"])
    other = swapped(one, ("bushtit", "house_wren"), (behind(one, "canada_goose"), "anhinga"))
    turn = acts(0, DRAW, moves.Pass(), moves.UsePower("canada_goose"))
    await nobody_can_tell(twins, GAME, (one, other), *turn, viewers=(None, 0, 1, 2))


def behind(state: State, bird: str) -> str:
    """The card tucked behind the bird of seat 0."""
    mat = write_position(GAME, state)["players"][0]["mat"]
    (card,) = next(on_mat["tucked"] for row in mat for on_mat in row if on_mat["bird"] == bird)
    return str(card)


async def test_the_order_of_the_deck(twins: MakeTwins) -> None:
    one = three({"forest": ["carolina_chickadee"]}, deck=["bushtit", "mallard", "anhinga", "house_wren"])
    other = swapped(one, ("bushtit", "house_wren"), ("mallard", "anhinga"))
    await nobody_can_tell(twins, GAME, (one, other), Act(0, LAY), Act(0, moves.Pass()), viewers=(None, 0, 1, 2))


async def test_what_is_kept_in_the_set_up_until_everybody_has_chosen(twins: MakeTwins) -> None:
    """Seat 0 keeps other things and another bonus card; the last seat has not chosen yet."""
    state = GAME.setup(Options(), 3, Rng(b"kept", 0))
    things = GAME.legal_moves(state, 0)
    kept = [Act(0, here, there) for here, there in zip(things[:5], things[5:], strict=True)]
    bonus = [moves.KeepBonus(dealt.bonus) for dealt in GAME.view(state, 0).bonus]
    one = play(GAME, state, 0, kept[0].move, Rng(b"", 0)).state
    other = play(GAME, state, 0, kept[0].there, Rng(b"", 0)).state
    rest = (*kept[1:], Act(0, bonus[0], bonus[1]), *acts(1, GAME.legal_moves(state, 1)[0]))
    await nobody_can_tell(twins, GAME, (one, other), *rest, viewers=(None, 1, 2))


def drafting(**fields: Any) -> State:
    """Seat 0 is about to set four cards aside."""
    oystercatcher = {"hand": ["american_oystercatcher"], "food": {"invertebrate": 2}}
    table = Sitting(three(oystercatcher, **fields)).do(0, "play_bird:american_oystercatcher")
    while table.question()[1] != "use_power":
        table.do(0, table.offers(0)[0])
    return table.do(0, "use_power:american_oystercatcher").state


async def test_a_draft_in_the_middle(twins: MakeTwins) -> None:
    """Seats 0 and 1 take the cards that differ before seat 2 looks at the set."""
    one = drafting(deck=["bushtit", "mallard", "anhinga", "house_wren"])
    other = swapped(one, ("bushtit", "anhinga"), ("mallard", "house_wren"))
    aside = acts(0, moves.DrawDeck(), moves.DrawTray("killdeer"), moves.DrawDeck(), moves.DrawTray("bobolink"))
    first = Act(0, moves.DraftCard("bushtit"), moves.DraftCard("anhinga"))
    second = Act(1, moves.DraftCard("mallard"), moves.DraftCard("house_wren"))
    await nobody_can_tell(twins, GAME, (one, other), *aside, first, viewers=(None, 2))
    await nobody_can_tell(twins, GAME, (one, other), *aside, first, second, viewers=(None, 2))


async def test_the_first_card_of_a_draft_is_hidden_from_the_second_player(twins: MakeTwins) -> None:
    one = drafting(deck=["bushtit", "mallard", "anhinga", "house_wren"])
    other = swapped(one, ("bushtit", "anhinga"))
    aside = acts(0, moves.DrawDeck(), *map(moves.DrawTray, TRAY))
    first = Act(0, moves.DraftCard("bushtit"), moves.DraftCard("anhinga"))
    await nobody_can_tell(
        twins, GAME, (one, other), *aside, first, *acts(1, moves.DraftCard("killdeer")), viewers=(None, 1, 2)
    )


async def test_who_took_what_of_a_draft_from_somebody_who_saw_the_set(twins: MakeTwins) -> None:
    """Seat 1 has seen both cards that are left: seat 2 takes one of them, the other is the rest, for seat 0."""
    one = drafting(deck=["bushtit", "mallard", "dickcissel", "osprey", "anhinga", "house_wren"])
    other = swapped(one, ("anhinga", "house_wren"))
    aside = acts(0, moves.DrawDeck(), moves.DrawTray("killdeer"), moves.DrawDeck(), moves.DrawTray("bobolink"))
    picks = *acts(0, moves.DraftCard("killdeer")), *acts(1, moves.DraftCard("bobolink"))
    last = Act(2, moves.DraftCard("bushtit"), moves.DraftCard("mallard"))
    await nobody_can_tell(twins, GAME, (one, other), *aside, *picks, last, viewers=(None, 1))


async def test_the_hand_of_a_seat_that_reacts_in_another_turn(twins: MakeTwins) -> None:
    seats: tuple[Given, ...] = (
        {"hand": ["american_goldfinch"], "food": {"seed": 2}},
        {"grassland": ["horned_lark"], "hand": ["osprey", "willet"]},
    )
    one = three(*seats, deck=["bushtit", "mallard"])
    other = swapped(one, ("osprey", "mallard"))
    tucked = Act(1, moves.TuckCard("osprey"), moves.TuckCard("mallard"))
    played = acts(0, moves.PlayBird("american_goldfinch"))
    await nobody_can_tell(twins, GAME, (one, other), *played, tucked, viewers=(None, 0, 2))


async def test_whether_a_card_in_hand_could_be_played_as_one_more(twins: MakeTwins) -> None:
    """The kinglet lets seat 0 play another bird into the forest: it holds one that costs nothing, or none of those."""
    kinglet = {
        "hand": ["ruby_crowned_kinglet", "turkey_vulture"],
        "food": {"invertebrate": 1},
        "wetland": ["mallard e1"],
    }
    one = three(kinglet, deck=["bald_eagle", "bushtit"])
    other = swapped(one, ("turkey_vulture", "bald_eagle"))
    played = acts(0, moves.PlayBird("ruby_crowned_kinglet"), moves.Decline())
    await nobody_can_tell(twins, GAME, (one, other), *played, viewers=(None, 1, 2))
