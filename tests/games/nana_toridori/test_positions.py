"""Positions: what the rules can reach is accepted, anything else is refused by the name of the field."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.core import InvalidPosition, Rng, parse_position, read_position, write_position
from engine.games.nana_toridori import GAME
from engine.games.nana_toridori.state import ADVANCED, DUEL, Options, Phase, State
from tests.games.nana_toridori.table import after, dealt

Position = dict[str, Any]


def ordered(options: Options | None = None, seats: int = 3) -> Position:
    """A game before its first move, all cards in ascending order, dealt from seat 0 on."""
    position = write_position(GAME, dealt(options or Options(first_leader=0), seats))
    pack = [value for value in range(1, 8) for _ in range(9)]
    for field in ("hands", "front"):
        for at, cards in enumerate(position[field]):
            position[field][at], pack = pack[: len(cards)], pack[len(cards) :]
    position["draw_pile"] = pack
    return position


def reached(position: Position, *moves: str) -> Position:
    """The same after some moves."""
    return write_position(GAME, after(parse_position(GAME, position), *moves))


def following() -> Position:
    """Seat 0 has led a 1; seat 1 is to beat it."""
    return reached(ordered(), "play 0 1")


def taking() -> Position:
    """Seat 1 has beaten it with a 2."""
    return reached(following(), "play 1 1")


def keeping() -> Position:
    """Seat 1 has passed and drawn."""
    return reached(following(), "pass")


def duelling() -> Position:
    return ordered(Options(two_player_mode=DUEL, first_leader=0), seats=2)


def fronting() -> Position:
    """In a duel seat 1 has passed."""
    return reached(duelling(), "play 0 1", "pass")


def second_round() -> Position:
    """Seat 2 has lost a round."""
    return ordered() | {
        "round_number": 2,
        "leader": 2,
        "turn": 2,
        "penguins": [2, 2, 1],
        "last_round": {"round_number": 1, "finished": [1, 0], "loser": 2, "table": [4]},
    }


def advanced() -> Position:
    options = ordered()["options"] | {"mode": ADVANCED}
    return second_round() | {"options": options, "penguins": [2, 2, 2], "points": [2, 4, 0]}


def over() -> Position:
    """Seat 2 has lost the second round, too; it still has seven cards and the others none."""
    position = second_round()
    position["discard_pile"] = position["hands"][0] + position["hands"][1][1:]
    position["table"], position["owner"] = position["hands"][1][:1], 1
    position["hands"][:2] = [[], []]
    return position | {
        "phase": "over",
        "turn": None,
        "finished": [0, 1],
        "penguins": [2, 2, 0],
        "last_round": {"round_number": 2, "finished": [0, 1], "loser": 2, "table": position["table"]},
    }


POSSIBLE = [ordered, following, taking, keeping, duelling, fronting, second_round, advanced, over]


@pytest.mark.parametrize("position", POSSIBLE)
def test_what_can_be_reached_is_accepted(position: Callable[[], Position]) -> None:
    assert isinstance(read_position(GAME, position()), State)


@pytest.mark.parametrize("position", POSSIBLE)
def test_a_redeal_of_what_can_be_reached_can_be_reached(position: Callable[[], Position]) -> None:
    state = read_position(GAME, position())
    for viewer in (None, *range(len(state.hands))):
        redealt = GAME.redeal(state, viewer, Rng(b"redeal", 0))
        GAME.check(redealt)
        assert GAME.view(redealt, viewer) == GAME.view(state, viewer)


def changed(position: Position, path: str, value: Any) -> Position:
    """The position with one field replaced; ``hands.0`` is an element, ``hands.0.+`` a further card in it."""
    *way, last = path.split(".")
    at: Any = position
    for step in way:
        at = at[int(step)] if isinstance(at, list) else at[step]
    if last == "+":
        at.append(value)
    elif isinstance(at, list):
        at[int(last)] = value
    else:
        at[last] = value
    return position


WRONG: list[tuple[Callable[[], Position], str, Any, str]] = [
    # Options and seats.
    (ordered, "options.mode", "expert", "options.mode"),
    (ordered, "options.two_player_mode", DUEL, "options.two_player_mode"),
    (ordered, "options.first_leader", 3, "options.first_leader"),
    (ordered, "options.first_leader", 1, "leader"),
    (ordered, "hands", [[1]], "hands"),
    (ordered, "known", [[], []], "known"),
    (ordered, "penguins", [2, 2], "penguins"),
    # Cards.
    (ordered, "hands.0.0", 0, "hands[0]"),
    (ordered, "hands.0.0", 8, "hands[0]"),
    (ordered, "hands.0.0", 2, "hands[2]"),
    (ordered, "draw_pile.+", 7, "draw_pile"),
    (ordered, "discard_pile", [7], "draw_pile"),
    (ordered, "hands.0", [1] * 7, "draw_pile"),
    (ordered, "front", [[1], [], []], "front[0]"),
    (ordered, "known", [[2], [], []], "known[0]"),
    (ordered, "known", [[], [2, 1], []], "known[1]"),
    # Table and turn.
    (ordered, "turn", None, "turn"),
    (ordered, "turn", 3, "turn"),
    (ordered, "leader", 3, "leader"),
    (ordered, "owner", 0, "owner"),
    (ordered, "passes", 1, "passes"),
    (ordered, "phase", "take", "phase"),
    (ordered, "phase", "over", "turn"),
    (ordered, "finished", [0], "hands[0]"),
    (ordered, "finished", [3], "finished[0]"),
    (following, "owner", None, "owner"),
    (following, "owner", 3, "owner"),
    (following, "owner", 1, "turn"),
    (following, "turn", 2, "turn"),
    (following, "passes", 1, "turn"),
    (following, "passes", 2, "passes"),
    (following, "passes", -1, "passes"),
    (following, "phase", "take", "turn"),
    (following, "phase", "keep", "passes"),
    (following, "phase", "front", "passes"),
    (taking, "phase", "play", "turn"),
    (taking, "turn", 2, "turn"),
    (taking, "passes", 1, "passes"),
    (keeping, "phase", "front", "drawn"),
    (keeping, "turn", 2, "turn"),
    (keeping, "passes", 0, "passes"),
    (duelling, "front.0", [], "draw_pile"),
    (fronting, "phase", "keep", "drawn"),
    # Rounds and scores.
    (ordered, "round_number", 2, "last_round"),
    (ordered, "round_number", 0, "round_number"),
    (ordered, "penguins.1", 1, "penguins"),
    (ordered, "points.1", 2, "points"),
    (second_round, "last_round", None, "last_round"),
    (second_round, "last_round.round_number", 2, "last_round.round_number"),
    (second_round, "last_round.loser", 3, "last_round.loser"),
    (second_round, "last_round.loser", 1, "last_round.finished"),
    (second_round, "last_round.finished", [], "last_round.finished"),
    (second_round, "last_round.finished", [1, 1], "last_round.finished"),
    (second_round, "last_round.table", [], "last_round.table"),
    (second_round, "last_round.table", [4, 5], "last_round.table"),
    (second_round, "last_round.table", [9], "last_round.table"),
    (second_round, "leader", 1, "leader"),
    (second_round, "penguins", [2, 2, 0], "penguins[2]"),
    (second_round, "penguins", [2, 2, 3], "penguins[2]"),
    (second_round, "penguins", [2, 2, 2], "penguins"),
    (advanced, "points", [4, 4, 0], "points"),
    (advanced, "points", [3, 3, 0], "points[0]"),
    (advanced, "points", [14, 0, 0], "points[0]"),
    (advanced, "penguins", [2, 2, 1], "penguins"),
    (over, "turn", 2, "turn"),
    (over, "passes", 1, "passes"),
    (over, "finished", [1, 0], "finished"),
    (over, "penguins", [2, 0, 2], "penguins[1]"),
    (over, "phase", "play", "finished"),
    (over, "last_round.table", [2], "table"),
]


@pytest.mark.parametrize(("position", "path", "value", "field"), WRONG)
def test_what_cannot_be_is_refused_by_its_field(
    position: Callable[[], Position], path: str, value: Any, field: str
) -> None:
    with pytest.raises(InvalidPosition) as refused:
        read_position(GAME, changed(position(), path, value))
    assert refused.value.field == field


def test_beaten_cards_are_weaker_than_those_that_beat_them() -> None:
    position = taking()
    position["beaten"], position["table"] = position["table"], position["beaten"]
    with pytest.raises(InvalidPosition, match="weaker"):
        read_position(GAME, position)


def test_cards_on_the_table_are_of_one_value() -> None:
    position = following()
    position["table"].append(position["draw_pile"].pop())
    with pytest.raises(InvalidPosition, match="one value"):
        read_position(GAME, position)


def test_nobody_without_cards_is_left_unnamed() -> None:
    position = ordered()
    position["discard_pile"], position["hands"][1] = position["hands"][1], []
    with pytest.raises(InvalidPosition) as refused:
        read_position(GAME, position)
    assert refused.value.field == "hands[1]"


def test_front_cards_are_for_a_duel() -> None:
    position = ordered()
    position["front"][0].append(position["draw_pile"].pop())
    with pytest.raises(InvalidPosition) as refused:
        read_position(GAME, position)
    assert refused.value.field == "front[0]"


def test_ten_points_end_the_game() -> None:
    position = advanced() | {"round_number": 4, "points": [10, 4, 4]}
    position["last_round"]["round_number"] = 3
    with pytest.raises(InvalidPosition) as refused:
        read_position(GAME, position)
    assert refused.value.field == "points"


def test_a_position_reads_like_the_table() -> None:
    assert keeping() | {"draw_pile": []} == {
        "options": {
            "mode": "basic",
            "advanced_winner": "all_at_target",
            "two_player_mode": "standard",
            "first_leader": 0,
        },
        "phase": "keep",
        "round_number": 1,
        "leader": 0,
        "turn": 1,
        "hands": [[1] * 7, [1, *[2] * 7], [2, 2, *[3] * 6]],
        "known": [[], [], []],
        "front": [[], [], []],
        "draw_pile": [],
        "penguins": [2, 2, 2],
        "points": [0, 0, 0],
        "discard_pile": [],
        "table": [1],
        "owner": 0,
        "beaten": [],
        "drawn": 3,
        "passes": 1,
        "finished": [],
        "last_round": None,
    }
    assert read_position(GAME, keeping()).phase is Phase.KEEP
