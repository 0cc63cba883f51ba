"""Each of the 170 birds is reached, and each op: whatever the data holds, it is used here once."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from engine.games.wingspan import GAME, effects
from engine.games.wingspan.events import Declined, Event, PowerRepeated, PowerUsed
from engine.games.wingspan.moves import Decline, Pass
from engine.games.wingspan.powers import Effect, NoPower, ReactSupplyCache, ReactSupplyGain, ReactTuckFromHand
from engine.games.wingspan.rows import BIRDS, BirdCard
from engine.games.wingspan.terms import COLUMNS, Habitat, Trigger
from tests.games.wingspan.table import Sitting, board

ACTIONS = {Habitat.FOREST: "gain_food", Habitat.GRASSLAND: "lay_eggs", Habitat.WETLAND: "draw_cards"}
FOOD = {"invertebrate": 4, "seed": 4, "fish": 4, "fruit": 4, "rodent": 4}
# Neighbours that give every power something to work on: eggs to be paid, nests to be laid in, a hunter to be repeated.
NEIGHBOURS = {
    Habitat.FOREST: ["carolina_chickadee e2"],
    Habitat.GRASSLAND: ["american_kestrel e3"],
    Habitat.WETLAND: ["anhinga e1", "mallard"],
}
NESTS = ["house_wren", "says_phoebe", "inca_dove"]


def row(habitat: Habitat) -> str:
    return habitat.name.lower()


def rich(card: BirdCard, habitat: Habitat | None) -> dict[str, Any]:
    """A player with everything that any power can ask for, and the bird where it stands."""
    mat = {row(where): [bird for bird in birds if bird.split()[0] != card.id] for where, birds in NEIGHBOURS.items()}
    if habitat is not None:
        mat[row(habitat)].append(card.id)
    nests = [bird for bird in NESTS if bird != card.id][: COLUMNS - 3]
    mat["grassland"] = [*nests, *mat["grassland"]]
    # Cheap birds for an extra play in each habitat.
    hand = [bird for bird in ("turkey_vulture", "mourning_dove", "american_crow") if bird != card.id]
    return {"food": FOOD, "hand": hand, **mat}


def told(table: Sitting) -> list[Event | None]:
    return [fact.public for fact in table.facts]


def used(table: Sitting, card: BirdCard) -> bool:
    """Answer whatever is asked, the first offer each time, until the bird has used its power or the turn is over."""
    while PowerUsed(card.id) not in told(table):
        if table.at_action():
            return False
        (prompt,) = GAME.prompts(table.state)
        power = table.question()[2]
        offers = GAME.legal_moves(table.state, prompt.seat)
        # Every other power and every trade is left alone.
        leave = power != card.id and isinstance(offers[-1], Decline | Pass)
        table.move(prompt.seat, offers[-1] if leave else offers[0])
    return True


def reacting(card: BirdCard) -> Sitting:
    """Seat 1 owns the bird; seat 0 does what it reacts to."""
    owner = rich(card, card.habitats[0])
    match card.effect:
        case ReactSupplyGain(habitat=habitat) | ReactTuckFromHand(habitat=habitat):
            newcomer = next(b for b in ("red_crossbill", "dickcissel", "osprey") if habitat in by_id(b).habitats)
            table = Sitting(board(seats={"0": {"food": FOOD, "hand": [newcomer]}, "1": owner}))
            return table.do(0, f"play_bird:{newcomer}")
        case ReactSupplyCache(food=food):
            name = food.name.lower()
            table = Sitting(board(seats={"1": owner}, feeder=[name, name]))
            return table.do(0, "gain_food").do(0, f"take_die:{name}:{name}")
    hunter = {"wetland": ["barn_owl"]}
    if "lay" in str(card.effect.__struct_config__.tag):
        return Sitting(board(seats={"1": owner})).do(0, "lay_eggs")
    table = Sitting(board(seats={"0": hunter, "1": owner}, feeder=["fish", "seed"])).do(0, "draw_cards").do(0, "pass")
    return table.do(0, "use_power:barn_owl", ["rodent", "rodent", "rodent"])


def by_id(bird: str) -> BirdCard:
    return next(card for card in BIRDS if card.id == bird)


def about_to_use(card: BirdCard) -> Sitting:
    """A board on which the power of the bird comes up next or soon."""
    habitat = card.habitats[0]
    if card.trigger is Trigger.ONCE_BETWEEN_TURNS:
        return reacting(card)
    if card.trigger is Trigger.WHEN_PLAYED:
        mine = rich(card, None)
        table = Sitting(board(seats={"0": mine | {"hand": [card.id, *mine["hand"]], "bonus": ["ecologist"]}}))
        return table.do(0, f"play_bird:{card.id}")
    feeder = ["invertebrate", "seed", "fruit"]
    return Sitting(board(seats={"0": rich(card, habitat)}, feeder=feeder)).do(0, ACTIONS[habitat])


@pytest.mark.parametrize("card", BIRDS, ids=[card.id for card in BIRDS])
def test_every_bird_uses_its_power(card: BirdCard) -> None:
    table = about_to_use(card)
    assert used(table, card) is not isinstance(card.effect, NoPower)
    while not table.at_action():
        (prompt,) = GAME.prompts(table.state)
        table.move(prompt.seat, GAME.legal_moves(table.state, prompt.seat)[0])
    assert table.state.active == 1


WITH_POWER = [card for card in BIRDS if card.trigger is not Trigger.NONE]
REPEATER = "gray_catbird"
REPEATED = [card for card in BIRDS if card.trigger is Trigger.WHEN_ACTIVATED and card.id != REPEATER]


def at_power(table: Sitting, bird: str) -> Sitting:
    """Get out of everything up to the first question of the bird's power; payments are made as they are offered."""
    while table.question()[2] != bird:
        (prompt,) = GAME.prompts(table.state)
        *others, out = GAME.legal_moves(table.state, prompt.seat)
        table.move(prompt.seat, out if isinstance(out, Decline | Pass) else [*others, out][0])
    return table


@pytest.mark.parametrize("card", WITH_POWER, ids=[card.id for card in WITH_POWER])
def test_every_power_can_be_declined_before_anything_happens(card: BirdCard) -> None:
    table = at_power(about_to_use(card), card.id)
    seat, before = table.question()[0], table.state
    assert table.offers(seat)[-1] == "decline"
    table.do(seat, "decline")
    assert PowerUsed(card.id) not in told(table)
    assert Declined(card.id) in told(table)
    after = table.state
    assert (after.deck, after.discard, after.feeder, after.bonus_deck) == (
        before.deck,
        before.discard,
        before.feeder,
        before.bonus_deck,
    )
    assert [(p.food, p.hand, p.mat, p.bonus) for p in after.players] == [
        (p.food, p.hand, p.mat, p.bonus) for p in before.players
    ]


@pytest.mark.parametrize("card", REPEATED, ids=[card.id for card in REPEATED])
def test_every_brown_power_can_be_repeated_by_another_bird(card: BirdCard) -> None:
    habitat = card.habitats[0]
    mine = rich(card, habitat)
    mine[row(habitat)].insert(-1, REPEATER)
    feeder = ["invertebrate", "seed", "fruit"]
    table = Sitting(board(seats={"0": mine}, feeder=feeder)).do(0, ACTIONS[habitat])
    at_power(table, card.id).do(0, "decline")
    at_power(table, REPEATER).do(0, f"repeat_power:{card.id}")
    assert PowerRepeated(REPEATER, card.id) in told(table)
    assert used(table, card)


def test_every_op_has_a_bird_and_a_handler() -> None:
    assert {type(card.effect) for card in BIRDS} == set(get_args(Effect)) == set(effects.OPS)


@pytest.mark.parametrize("trigger", list(Trigger))
def test_triggers_fit_the_ops(trigger: Trigger) -> None:
    tags = {str(card.effect.__struct_config__.tag) for card in BIRDS if card.trigger is trigger}
    assert tags
    if trigger is Trigger.ONCE_BETWEEN_TURNS:
        assert all(tag.startswith("react_") for tag in tags)
    else:
        assert not any(tag.startswith("react_") for tag in tags)
    assert (tags == {"none"}) == (trigger is Trigger.NONE)
