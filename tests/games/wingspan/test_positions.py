"""Section 18 of the rules: positions that cannot be are refused by the name of the field."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from typing import Any

import pytest

from engine.core import InvalidPosition, Rng, play, read_position, write_position
from engine.games.wingspan import GAME
from engine.games.wingspan.events import DeckShuffled
from engine.games.wingspan.frames import ChooseAction, DrawCards, LayEggs, TakeDice, UsePower
from engine.games.wingspan.moves import PlayBird, TakeAction
from engine.games.wingspan.rows import GOAL_IDS, GOALS
from engine.games.wingspan.state import Options, State
from engine.games.wingspan.terms import Action
from tests.games.wingspan.table import board

Position = dict[str, Any]


@cache
def game() -> tuple[State, ...]:
    """Every state of a random game for three."""
    state, number = GAME.setup(Options(), 3, Rng(b"positions", 0)), 0
    states = [state]
    while prompts := GAME.prompts(state):
        number += 1
        whim = Rng(b"positions/moves", number)
        seat = whim.choice(prompts).seat
        # Birds are played when they can be, so that there is something on the mats.
        legal = GAME.legal_moves(state, seat)
        move = legal[0] if isinstance(legal[0], PlayBird) else whim.choice(legal)
        state = play(GAME, state, seat, move, Rng(b"positions", number)).state
        states.append(state)
    return tuple(states)


def turn() -> Position:
    """The beginning of a turn late in the game."""
    found = [state for state in game() if state.agenda and isinstance(state.agenda[-1], ChooseAction)]
    return write_position(GAME, found[len(found) * 3 // 4])


def opening() -> Position:
    return write_position(GAME, game()[0])


def first_bird(position: Position) -> tuple[Position, str]:
    for seat, player in enumerate(position["players"]):
        for at, row in enumerate(player["mat"]):
            if row:
                return row[0], f"players[{seat}].mat[{at}][0]"
    raise AssertionError("no bird on any mat")


def refused_field(position: Position) -> str:
    with pytest.raises(InvalidPosition) as refused:
        read_position(GAME, position)
    assert refused.value.reason
    return refused.value.field


def test_every_position_of_a_game_is_accepted() -> None:
    for state in game():
        assert read_position(GAME, write_position(GAME, state)) == state


def test_every_position_of_a_game_with_hardly_a_card_left_is_accepted() -> None:
    """The deck is shuffled anew again and again, in the middle of powers and of hunts too."""
    hunters = ["barred_owl t50", "coopers_hawk t49", "red_shouldered_hawk t49"]
    seats = {"0": {"forest": hunters, "bonus": ["ecologist"]}, "1": {"bonus": ["oologist"]}}
    state, number, shuffled = board(seats=seats), 0, 0
    while prompts := GAME.prompts(state):
        assert read_position(GAME, write_position(GAME, state)) == state
        number += 1
        seat = prompts[0].seat
        legal = GAME.legal_moves(state, seat)
        # The hunters of seat 0 are sent out each turn.
        hunt = TakeAction(Action.GAIN_FOOD)
        move = hunt if seat == 0 and hunt in legal else Rng(b"last/moves", number).choice(legal)
        step = play(GAME, state, seat, move, Rng(b"last", number))
        shuffled += any(isinstance(fact.public, DeckShuffled) for fact in step.facts)
        state = step.state
    assert shuffled > 1


def _set(path: str, value: Any) -> Callable[[Position], None]:
    def change(position: Position) -> None:
        *way, last = [int(part) if part.isdigit() else part for part in path.split(".")]
        target: Any = position
        for part in way:
            target = target[part]
        target[last] = value(target[last]) if callable(value) else value

    return change


def _reverse_twice(goals: list[str]) -> list[str]:
    """Both sides of the same tile."""
    tile = GOALS[GOAL_IDS.index(goals[1])].tile
    other = next(goal.id for goal in GOALS if goal.tile == tile and goal.id != goals[1])
    return [other, *goals[1:]]


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        ("options.goal_board", "red", "options.goal_board"),
        ("round", 5, "round"),
        ("feeder", [], "feeder"),
        ("feeder", ["seed", "invertebrate"], "feeder"),
        ("feeder", ["seed"] * 6, "feeder"),
        ("goals", _reverse_twice, "goals"),
        ("gained", ["seed", "seed"], "gained"),
        ("debt", -1, "debt"),
        ("first_player", 3, "first_player"),
        ("active", 7, "active"),
        ("players.0.food.0", -1, "players[0].food"),
        ("players.0.goal_points.0", 9, "players[0].goal_points"),
        ("players.1.goal_points", [], "players[1].goal_points"),
        ("players.1.bonus", [], "bonus_deck"),
        ("players.0.cubes", 9, "players[0].cubes"),
        ("players.0.hand", lambda hand: [*hand, "osprey", "osprey"], "players[0].hand"),
        ("deck", lambda deck: deck[1:], "deck"),
        ("bonus_deck", lambda deck: deck[1:], "bonus_deck"),
        ("agenda", [], "agenda"),
        ("agenda.0.seat", lambda seat: (seat + 1) % 3, "agenda[0]"),
        ("agenda", lambda agenda: agenda[:1], "agenda[0]"),
        ("agenda.1.seat", 9, "agenda[1].seat"),
        ("agenda", lambda agenda: [*agenda[:1], *agenda], "agenda"),
    ],
)
def test_a_wrong_field_is_named(path: str, value: Any, field: str) -> None:
    position = turn()
    _set(path, value)(position)
    assert refused_field(position) == field


def test_a_card_shown_is_discarded_or_tucked() -> None:
    position = turn()
    position["revealed"] = position["deck"][0]
    assert refused_field(position) == "revealed"


@pytest.mark.parametrize(
    ("change", "value", "part"),
    [("eggs", 9, "eggs"), ("cached", [-1, 0, 0, 0, 0], "cached"), ("reacted", True, "reacted")],
)
def test_a_wrong_bird_is_named(change: str, value: Any, part: str) -> None:
    position = turn()
    bird, path = first_bird(position)
    bird[change] = value
    assert refused_field(position) == f"{path}.{part}"


def test_a_bird_stands_where_it_can_live() -> None:
    position = turn()
    bird, path = first_bird(position)
    habitat = int(path.split("mat[")[1][0])
    hand = position["players"][0]["hand"]
    for number, card in enumerate(position["deck"]):
        if GAME.catalogue()[_number(card)].attributes["habitats"] == [("grassland", "wetland", "forest")[habitat]]:
            position["deck"][number], bird["bird"] = bird["bird"], card
            break
    bird["eggs"], bird["reacted"] = 0, False
    assert refused_field(position) == f"{path}.bird", hand


def _number(card: str) -> int:
    return next(at for at, part in enumerate(GAME.catalogue()) if part.id == card)


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        ("keeping.0.birds", ["nobody"], "keeping[0].birds[0]"),
        ("keeping.0.foods", ["seed", "seed"], "keeping[0].foods"),
        ("keeping.0.foods", ["fish", "seed"], "keeping[0].foods"),
        ("keeping", lambda keeping: keeping[:2], "keeping"),
        ("first_player", 0, "first_player"),
        ("active", 0, "active"),
        ("round", 2, "round"),
        ("players.1.food", [2, 1, 1, 1, 1], "players[1].food"),
        ("players.1.cubes", 8, "players[1].cubes"),
        ("players.1.goal_points", [0], "players[1].goal_points"),
    ],
)
def test_a_wrong_field_of_the_set_up_is_named(path: str, value: Any, field: str) -> None:
    position = opening()
    _set(path, value)(position)
    assert refused_field(position) == field


def test_the_bonus_card_is_kept_last() -> None:
    position = opening()
    position["keeping"][0]["bonus"] = position["players"][0]["bonus"][0]
    assert refused_field(position) == "keeping[0].bonus"


def test_the_set_up_waits_for_somebody() -> None:
    position = opening()
    for keeping, player in zip(position["keeping"], position["players"], strict=True):
        keeping["birds"], keeping["bonus"] = list(player["hand"]), player["bonus"][0]
    assert refused_field(position) == "keeping"


def test_cards_lie_on_the_table_only_while_they_are_chosen_from() -> None:
    position = turn()
    position["bonus_offer"] = [position["bonus_deck"].pop()]
    assert refused_field(position) == "bonus_offer"
    position = turn()
    position["drafting"] = [position["deck"].pop()]
    assert refused_field(position) == "drafting"
    position = turn()
    position["playing"] = {"bird": position["deck"].pop(), "habitat": None}
    assert refused_field(position) == "playing"


@pytest.mark.parametrize("kind", [LayEggs, TakeDice, DrawCards, UsePower])
def test_questions_in_the_middle_of_a_turn_are_checked(kind: type) -> None:
    found = [state for state in game() if state.agenda and isinstance(state.agenda[-1], kind)]
    position = write_position(GAME, found[0])
    broken = deepcopy(position)
    broken["agenda"][-1]["seat"] = 5
    assert refused_field(broken).startswith("agenda[")


def test_the_last_position_has_no_work_left() -> None:
    position = write_position(GAME, game()[-1])
    position["agenda"] = turn()["agenda"]
    assert refused_field(position) == "agenda"


def asking(kind: type, *, power: bool = False) -> Position:
    """A position in which a question of the kind is open; of a bird's power or not."""
    tops = ((state, state.agenda[-1]) for state in game() if state.agenda)
    found = (state for state, top in tops if isinstance(top, kind) and (getattr(top, "power", None) is None) != power)
    return write_position(GAME, next(found))


@pytest.mark.parametrize("cubes", [-1, 1])
def test_the_cubes_follow_from_whose_turn_it_is_and_whether_its_action_is_taken(cubes: int) -> None:
    position = asking(LayEggs)
    position["players"][position["active"]]["cubes"] += cubes
    assert refused_field(position).endswith(".cubes")
    # Nobody takes an action without a cube.
    position = turn()
    position["active"] = position["first_player"]
    position["agenda"] = [{"type": "end_turn", "seat": position["active"]}]
    position["agenda"].append({"type": "choose_action", "seat": position["active"]})
    for player in position["players"]:
        player["cubes"] = 0
    assert refused_field(position).endswith(".cubes")


@pytest.mark.parametrize("most", [10_000, 2**31 - 1])
def test_no_number_is_so_large_that_it_cannot_be_counted_on(most: int) -> None:
    position = turn()
    position["players"][1]["food"][2] = most
    assert refused_field(position) == "players[1].food"
    position = turn()
    bird, field = first_bird(position)
    bird["cached"][0] = most
    assert refused_field(position) == f"{field}.cached"
    position = turn()
    position["debt"] = most
    assert refused_field(position) == "debt"


def test_only_the_owner_is_asked_about_a_power() -> None:
    position = asking(UsePower, power=True)
    top = len(position["agenda"]) - 1
    position["agenda"][top]["seat"] = (position["agenda"][top]["seat"] + 1) % 3
    assert refused_field(position) == f"agenda[{top}].seat"


def test_a_power_asks_nothing_that_it_does_not_say() -> None:
    position = asking(UsePower, power=True)
    top = len(position["agenda"]) - 1
    seat, power = position["agenda"][top]["seat"], position["agenda"][top]["power"]
    position["agenda"][top] = {"type": "keep_bonus", "seat": seat, "power": power}
    position["bonus_offer"] = [position["bonus_deck"].pop()]
    assert refused_field(position) == f"agenda[{top}].power"


def test_no_bird_is_due_twice_and_no_turn_goes_on_for_ever() -> None:
    position = asking(UsePower, power=True)
    top = len(position["agenda"]) - 1
    waiting = {"type": "reactions", "birds": [position["agenda"][top]["power"]] * 2}
    position["agenda"].insert(top, waiting)
    assert refused_field(position) == f"agenda[{top}].birds"
    power = {"type": "power", "seat": position["active"], "bird": position["agenda"][-1]["power"]}
    position["agenda"][top:top] = [power] * 40
    assert refused_field(position) == "agenda"


def test_a_bird_that_acts_for_one_seat_does_not_stand_on_the_mat_of_another() -> None:
    position = asking(UsePower, power=True)
    seat, power = position["agenda"][-1]["seat"], position["agenda"][-1]["power"]
    row = next(row for row in position["players"][seat]["mat"] if any(bird["bird"] == power for bird in row))
    other = position["players"][(seat + 1) % 3]
    at = position["players"][seat]["mat"].index(row)
    row.reverse()
    other["mat"][at], position["players"][seat]["mat"][at] = row, other["mat"][at]
    assert refused_field(position).startswith("agenda[")


def test_whatever_is_changed_the_answer_is_a_refusal_or_a_state_that_can_be_played() -> None:
    """Values are swapped for others of their kind; nothing but InvalidPosition may come of it, then or later."""
    chance, accepted = random.Random(11), 0
    for number in range(500):
        document = write_position(GAME, chance.choice(game()))
        for _ in range(chance.choice((1, 1, 2))):
            mutate(document, chance)
        try:
            state = read_position(GAME, document)
        except InvalidPosition:
            continue
        accepted += 1
        for step in range(12):
            prompts = GAME.prompts(state)
            if not prompts:
                break
            seat = chance.choice(prompts).seat
            move = chance.choice(GAME.legal_moves(state, seat))
            state = play(GAME, state, seat, move, Rng(b"%d" % number, step)).state
            GAME.check(state)
    assert accepted > 20


def mutate(document: Position, chance: random.Random) -> None:
    """Change one value somewhere, or let two parts of the same form change places."""
    parts = list(parts_of(document))
    holder, key = chance.choice(parts)
    value = holder[key]
    if chance.random() < 0.6:
        like = [part for part in parts if form_of(part[0][part[1]]) == form_of(value)]
        other, at = chance.choice(like)
        holder[key], other[at] = deepcopy(other[at]), deepcopy(value)
    elif type(value) is int:
        holder[key] = chance.choice((value + 1, value - 1, 0, 2**31 - 1, -(2**31)))
    elif isinstance(value, bool):
        holder[key] = not value
    elif isinstance(value, list) and value:
        chance.choice((value.pop, value.reverse, value.clear))()


def parts_of(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every value within, as what holds it and under which key."""
    for key in value if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], dict | list):
            yield from parts_of(value[key])


def form_of(value: Any) -> Any:
    """Kind and fields of a value."""
    return (dict, *sorted(value)) if isinstance(value, dict) else type(value)
