"""How the worked examples of Wingspan are set up: see ``tests.vectors``.

An example gives a position (``given``), steps (``do``) and what must be refused (``reject``). A step may answer several
questions at once; questions that no step mentions are declined or passed. Something that must be refused is tried
wherever a step of the same kind follows, and at the end if there is no such place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from engine.core import IllegalMove, NotAsked
from engine.games.wingspan import GAME, mats, moves, scoring
from engine.games.wingspan.moves import Move
from engine.games.wingspan.rows import BIRD_IDS, BONUS_IDS, GOAL_IDS
from engine.games.wingspan.setup import THINGS_KEPT, things
from engine.games.wingspan.state import State
from engine.games.wingspan.terms import CUBES, DICE, Action, Die, Food, Habitat
from tests.games.wingspan.table import Chance, Sitting, board, dealt, foods
from tests.vectors import Checks, Example, Kinds, alike

Step = dict[str, Any]
Refusals = (IllegalMove, NotAsked)


def example(given: Example) -> Checks:
    """Set the board, try what must be refused on the way, make the steps, end the turn."""
    position, steps = given.take("given"), given.take("do")
    for reject in given.take("reject", []):
        _assert_refused(position, steps, reject)
    sitting = Sitting(_position(position))
    for step, outcomes in _with_chance(steps):
        _do(sitting, step, outcomes)
    noted = len(sitting.asked)
    if not sitting.state.keeping:
        sitting.end_turn()
    return _checks(sitting, position, sitting.asked[noted:])


KINDS: Kinds = {"": example}


def _position(given: dict[str, Any]) -> State:
    if given.get("phase") == "setup":
        return dealt(given["seat0_dealt"], given["players"])
    if "goal_points" in given:
        seats = given["seats"]
        given = given | {"seats": {k: v | {"goal_points": [given["goal_points"][k]]} for k, v in seats.items()}}
    return board(**given)


def _with_chance(steps: list[Step]) -> Iterator[tuple[Step, list[list[str]]]]:
    """The steps, each with the chance that follows it."""
    for at, step in enumerate(steps):
        if "rng" in step:
            continue
        outcomes = []
        for follow in steps[at + 1 :]:
            if "rng" not in follow:
                break
            outcomes.append(follow["result"])
        yield step, outcomes


# Steps.


def _do(sitting: Sitting, step: Step, outcomes: list[list[str]]) -> None:
    """Make the answers of a step. Raises IllegalMove or NotAsked."""
    if "turn_of" in step:
        sitting.end_turn()
        assert sitting.state.active == step["turn_of"]
        sitting.idle_turn()
        return
    chance = Chance(*outcomes)
    seat = step["by"]
    for kind, value in step.items():
        if kind in _ANSWERS:
            _ANSWERS[kind](sitting, seat, value, step, chance)
    assert not chance.left, "not everything told came out"


def _reach(sitting: Sitting, seat: int, move: Move, chance: Chance | None = None) -> None:
    """Make the move at the next question where it is legal, getting out of those before it."""
    while move not in GAME.legal_moves(sitting.state, seat):
        sitting.skip()
    sitting.move(seat, move, chance)


def _now(sitting: Sitting, seat: int, move: Move, chance: Chance) -> None:
    sitting.move(seat, move, chance)


def _answer(make: Callable[[Any], Move]) -> Callable[[Sitting, int, Any, Step, Chance], None]:
    def answer(sitting: Sitting, seat: int, value: Any, step: Step, chance: Chance) -> None:
        follows = any(kind in step for kind in ("power",))
        (_now if follows else _reach)(sitting, seat, make(value), chance)

    return answer


def _action(sitting: Sitting, seat: int, value: Any, step: Step, chance: Chance) -> None:
    sitting.end_turn()
    sitting.move(seat, moves.TakeAction(Action[value.upper()]), chance)


def _take_die(sitting: Sitting, seat: int, value: Any, step: Step, chance: Chance) -> None:
    _reach(sitting, seat, moves.TakeDie(Die[value.upper()], Food[step.get("as", value).upper()]), chance)


def _draw(sitting: Sitting, seat: int, value: Any, step: Step, chance: Chance) -> None:
    if value == "deck":
        _reach(sitting, seat, moves.DrawDeck(), chance)
        return
    card = sitting.state.tray[value["tray"]]
    if card is None:
        raise IllegalMove("slot is empty", "9.1")
    _reach(sitting, seat, moves.DrawTray(BIRD_IDS[card]), chance)


def _trade(sitting: Sitting, seat: int, value: Any, step: Step, chance: Chance) -> None:
    while sitting.question()[1] != "trade":
        sitting.skip()
    match value:
        case "decline":
            sitting.move(seat, moves.Decline())
        case {"discard_card": bird}:
            sitting.move(seat, moves.DiscardCard(bird), chance)
        case {"food": food}:
            sitting.move(seat, moves.SpendFood(Food[food.upper()]), chance)
        case {"egg_from": bird}:
            sitting.move(seat, moves.RemoveEgg(bird), chance)


def _power(sitting: Sitting, seat: int, value: Any, step: Step, chance: Chance) -> None:
    """Get to the power; if its first question is whether to use it, answer that."""
    while (asked := sitting.question())[0] != seat or asked[2] != value:
        sitting.skip()
    if step.get("decline"):
        sitting.move(seat, moves.Decline())
    elif asked[1] == "use_power":
        sitting.move(seat, moves.UsePower(value), chance)


def _pass(sitting: Sitting, seat: int, value: Any, step: Step, chance: Chance) -> None:
    _reach(sitting, seat, moves.Pass(), chance)


def _setup_keep(sitting: Sitting, seat: int, value: Any, step: Step, chance: Chance) -> None:
    if isinstance(value, str):
        while legal := GAME.legal_moves(sitting.state, seat):
            sitting.move(seat, legal[0], chance)
        return
    for bird in value["birds"]:
        sitting.move(seat, moves.KeepBird(bird))
    for food in value["food"]:
        sitting.move(seat, moves.KeepFood(Food[food.upper()]))
    if sitting.state.keeping and things(sitting.state.keeping[seat]) < THINGS_KEPT:
        raise IllegalMove("not five things", "3.3")
    for card in [value["bonus"]] if isinstance(value["bonus"], str) else value["bonus"]:
        sitting.move(seat, moves.KeepBonus(card), chance)


def _play_bird(sitting: Sitting, seat: int, value: Any, step: Step, chance: Chance) -> None:
    """The bird and its payment, which must be exactly as told."""
    while moves.PlayBird(value) not in GAME.legal_moves(sitting.state, seat):
        sitting.skip()
    habitat = Habitat[step["habitat"].upper()]
    eggs = Counter({egg["from"]: egg["n"] for egg in step["eggs"]})
    paid = Counter({Food[food.upper()]: count for food, count in step["food"].items()})
    before = sitting.state
    for play in _plays(sitting, seat, moves.PlayBird(value), habitat, eggs, paid):
        player, was = play.state.players[seat], before.players[seat]
        spent = tuple(a - b for a, b in zip(was.food, player.food, strict=True))
        gone = mats.eggs_on(was) - mats.eggs_on(player)
        there = value in [BIRD_IDS[on_mat.bird] for on_mat in player.row(habitat)]
        if there and spent == foods(step["food"]) and gone == sum(eggs.values()):
            sitting.state = play.state
            sitting.asked, sitting.facts = play.asked, play.facts
            return
    raise IllegalMove("this is not the payment", "6.4")


def _plays(
    sitting: Sitting, seat: int, move: Move, habitat: Habitat, eggs: Counter[str], paid: Counter[Food]
) -> Iterator[Sitting]:
    """Every way to play the bird with no more than these payments."""
    after = Sitting(sitting.state)
    after.asked, after.facts = [*sitting.asked], [*sitting.facts]
    after.move(seat, move)
    if after.state.playing is None:
        yield after
        return
    for offer in GAME.legal_moves(after.state, seat):
        match offer:
            case moves.ChooseHabitat(habitat=where) if where is habitat:
                yield from _plays(after, seat, offer, habitat, eggs, paid)
            case moves.RemoveEgg(bird=bird) if eggs[bird]:
                yield from _plays(after, seat, offer, habitat, eggs - Counter([bird]), paid)
            case moves.PayFood(foods=tokens) if Counter(tokens) <= paid:
                yield from _plays(after, seat, offer, habitat, eggs, paid - Counter(tokens))


def _by_notation(sitting: Sitting, seat: int, value: Any, step: Step, chance: Chance) -> None:
    while value not in sitting.offers(seat):
        sitting.skip()
    move = next(move for move in GAME.legal_moves(sitting.state, seat) if GAME.notation(move) == value)
    sitting.move(seat, move, chance)


_ANSWERS: dict[str, Callable[[Sitting, int, Any, Step, Chance], None]] = {
    "setup_keep": _setup_keep,
    "action": _action,
    "power": _power,
    "pass": _pass,
    "take_die": _take_die,
    "reset": _answer(lambda _: moves.ResetFeeder()),
    "trade": _trade,
    "draw": _draw,
    "start": _answer(moves.ChooseSeat),
    "tuck": _answer(moves.TuckCard),
    "egg_from": _answer(moves.RemoveEgg),
    "to": _answer(lambda name: moves.ChooseHabitat(Habitat[name.upper()])),
    "target": _answer(moves.RepeatPower),
    "place_egg": _answer(moves.PlaceEgg),
    "extra_egg": _answer(moves.PlaceEgg),
    "keep_bonus": _answer(moves.KeepBonus),
    "discard_owed": _answer(moves.DiscardCard),
    "play_bird": _play_bird,
    "move": _by_notation,
}


# What must be refused.


def _assert_refused(given: dict[str, Any], steps: list[Step], reject: Step) -> None:
    """Fails if the step is accepted anywhere where it is tried."""
    position = dict(given)
    if "given_feeder" in reject:
        position["feeder"] = reject["given_feeder"]
    if "given_food" in reject:
        position["seats"] = {"0": given["seats"]["0"] | {"food": reject["given_food"]}}
    kinds = _kinds(reject)
    sitting = Sitting(_position(position))
    tried = 0
    for at, (step, outcomes) in enumerate(_atoms(steps)):
        too_early = "after" in reject and not any(kinds & _kinds(earlier) for earlier, _ in _atoms(steps)[:at])
        if kinds & _kinds(step) and not too_early:
            _try(sitting, reject)
            tried += 1
        try:
            _do(sitting, step, outcomes)
        except Refusals:
            break
    if not tried:
        raise AssertionError(f"nowhere to try {reject}")


def _atoms(steps: list[Step]) -> list[tuple[Step, list[list[str]]]]:
    """The steps, those with a second egg as two."""
    atoms: list[tuple[Step, list[list[str]]]] = []
    for step, outcomes in _with_chance(steps):
        if "extra_egg" in step:
            atoms.append(({key: value for key, value in step.items() if key != "extra_egg"}, outcomes))
            atoms.append(({"by": step["by"], "extra_egg": step["extra_egg"]}, []))
        else:
            atoms.append((step, outcomes))
    return atoms


def _kinds(step: Step) -> set[str]:
    return set(step) & set(_ANSWERS)


def _try(sitting: Sitting, reject: Step) -> None:
    before = sitting.state
    again = Sitting(before)
    try:
        _do(again, reject, [])
    except Refusals:
        assert sitting.state == before
        return
    raise AssertionError(f"accepted: {reject}")


# What must hold.


def _checks(sitting: Sitting, given: dict[str, Any], at_end: list[tuple[int, str, str | None]]) -> dict[str, Any]:
    state = sitting.state
    powers = [power for _, _, power in sitting.asked if power is not None]
    return {
        **{key: check for seat in range(len(state.players)) for key, check in _seat_checks(sitting, seat).items()},
        "accepted": lambda _: sitting.state.keeping[0].bonus is not None,
        "also_accepted": lambda expected: expected if _accepted(given, expected) else None,
        "discard_contains": lambda expected: [bird for bird in expected if bird in sitting.discard()],
        "bonus_discard_contains": lambda expected: [c for c in expected if c in _bonus(state.bonus_discard)],
        "discard_top": lambda _: sitting.discard()[-1],
        "discard": lambda _: sitting.discard(),
        "deck_top": lambda _: BIRD_IDS[state.deck[0]],
        "deck_exact": lambda _: [BIRD_IDS[card] for card in state.deck],
        "tray_after_turn": lambda _: [None if card is None else BIRD_IDS[card] for card in state.tray],
        "feeder": lambda expected: alike(expected, sitting.feeder()),
        "dice_outside": lambda _: DICE - len(state.feeder),
        "power_prompt": lambda _: next((power for _, _, power in at_end if power is not None), None),
        "power_order": lambda _: list(dict.fromkeys(powers)),
        "cases": lambda expected: [_scored(given, case) for case in expected],
        "goal_counts": lambda expected: {goal: _counted(state, goal) for goal in expected},
        "score0": lambda _: _score(state, 0),
        "winners": lambda _: _winners(given["totals"], given["personal_food"]),
        "if_food_equal": lambda expected: (
            {**expected, "winners": _winners(given["totals"], expected["personal_food"])}
        ),
        **_order_checks(given),
    }


def _seat_checks(sitting: Sitting, seat: int) -> dict[str, Any]:
    player = sitting.state.players[seat]
    return {
        f"seat{seat}.forest": lambda _: sitting.row(seat, "forest"),
        f"seat{seat}.grassland": lambda _: sitting.row(seat, "grassland"),
        f"seat{seat}.wetland": lambda _: sitting.row(seat, "wetland"),
        f"seat{seat}.hand": lambda expected: alike(expected, sitting.hand(seat)),
        f"seat{seat}.hand_count": lambda _: len(player.hand),
        f"seat{seat}.food": lambda _: sitting.food(seat),
        f"seat{seat}.bonus": lambda _: _bonus(player.bonus),
        f"seat{seat}.total_eggs": lambda _: mats.eggs_on(player),
        f"seat{seat}.cubes_spent": lambda _: CUBES[0] - player.cubes,
        f"seat{seat}.prompted": lambda _: (
            seat in [asked for asked, kind, _ in sitting.asked if kind != "choose_action"]
        ),
    }


def _order_checks(given: dict[str, Any]) -> dict[str, Any]:
    """Turns and first players of a whole game in which nothing else happens."""

    def course() -> list[tuple[int, int]]:
        sitting, turns = Sitting(_position(given)), []
        while sitting.state.active is not None:
            turns.append((sitting.state.round, sitting.state.active))
            sitting.idle_turn()
        return turns

    def per_player(_: Any) -> list[int]:
        return [sum(turn == (number, 0) for turn in course()) for number in (1, 2, 3, 4)]

    return {
        "turn_order_round1_first6": lambda _: [seat for _, seat in course()[:6]],
        "turns_per_player": per_player,
        "first_player_by_round": lambda _: list(dict(reversed(course())).values())[::-1],
        "total_turns": lambda _: len(course()),
    }


def _accepted(given: dict[str, Any], keep: dict[str, Any]) -> bool:
    sitting = Sitting(_position(given))
    _do(sitting, {"by": 0, "setup_keep": keep}, [])
    return bool(sitting.state.keeping[0].bonus is not None)


def _bonus(cards: tuple[int, ...]) -> list[str]:
    return [BONUS_IDS[card] for card in cards]


def _scored(given: dict[str, Any], case: dict[str, Any]) -> dict[str, Any]:
    return {**case, "points": list(scoring.goal_points(given["goal_board"], case["round"], case["counts"]))}


def _counted(state: State, goal: str) -> int:
    return scoring.goal_counts(state.players, GOAL_IDS.index(goal))[0]


def _score(state: State, seat: int) -> dict[str, int]:
    shares = scoring.shares(state.players[seat])
    return {**shares, "total": sum(shares.values())}


def _winners(totals: list[int], food: list[int]) -> list[int]:
    placements = scoring.placements([{"birds": total} for total in totals], food)
    return [placement.seat for placement in placements if placement.rank == 1]
