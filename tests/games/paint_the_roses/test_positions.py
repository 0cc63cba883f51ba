"""Positions that the rules cannot reach are refused by the name of the wrong field."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from engine.core import InvalidPosition, read_position, write_position
from engine.games.paint_the_roses import GAME, box
from engine.games.paint_the_roses.cubes import candidates
from engine.games.paint_the_roses.state import Phase, State
from tests.games.paint_the_roses.games import states
from tests.games.paint_the_roses.table import whim_of

Change = Callable[[dict[str, Any]], object]

GAME_OF_THREE = states(3, b"positions", 90)


def first(condition: Callable[[State], bool]) -> State:
    return next(state for state in GAME_OF_THREE if condition(state))


CHOOSING = first(lambda state: state.phase is Phase.CHOOSE_LEVEL and state.players[0].whim is not None)
PLANTING = first(lambda state: state.phase is Phase.PLANT and len(state.plantings) == 3)
GUESSING = first(lambda state: state.phase is Phase.GUESS and len(state.plantings) == 3)
VOTING = next(
    state
    for state in states(3, b"positions", 0)
    if state.proposal is not None and box.pair_of(state.players[state.proposal.target].whim or 0) != state.proposal.pair
)
HALF_GUESSED = first(lambda state: state.phase is Phase.GUESS and any(p.whim is None for p in state.players))
REDRAWING = first(lambda state: state.phase is Phase.REDRAW)
OVER = GAME_OF_THREE[-1]
TWO = next(state for state in states(2, b"positions", 90) if state.phase is Phase.GUESS)


def put(*path: str | int, value: Any) -> Change:
    """Write a value at a path."""

    def change(document: Any) -> None:
        for step in path[:-1]:
            document = document[step]
        document[path[-1]] = value

    return change


def wrong_field(state: State, change: Change) -> str:
    document = write_position(GAME, state)
    change(document)
    with pytest.raises(InvalidPosition) as refused:
        read_position(GAME, document)
    return refused.value.field


def other_whim(document: dict[str, Any]) -> None:
    """Give seat 0 a card of the same level that the cubes of this turn speak against."""
    possible = candidates(GUESSING, 0)
    held = document["players"][0]
    deck = document["decks"]["EMH".index(held["whim"][0])]
    at = next(at for at, name in enumerate(deck) if box.pair_of(whim_of(name)) not in possible)
    held["whim"], deck[at] = deck[at], held["whim"]


def test_every_state_of_a_game_is_a_position() -> None:
    for state in GAME_OF_THREE:
        assert read_position(GAME, write_position(GAME, state)) == state


@pytest.mark.parametrize(
    ("state", "change", "field"),
    [
        (PLANTING, lambda d: d["players"].clear(), "players"),
        (PLANTING, put("phase", value="stopped"), "phase"),
        (PLANTING, put("phase", value="guess"), "active"),
        (PLANTING, put("phase", value="choose_level"), "phase"),
        (CHOOSING, put("phase", value="redraw"), "phase"),
        (PLANTING, put("active", value=1), "active"),
        (PLANTING, put("garden", 0, value=None), "garden"),
        (PLANTING, lambda d: d["garden"].pop(), "garden"),
        (PLANTING, put("greenhouse", 0, value=None), "greenhouse"),
        (GUESSING, lambda d: d["greenhouse"].append(d["bag"].pop()), "greenhouse"),
        (PLANTING, lambda d: d["bag"].pop(), "bag"),
        (PLANTING, put("bag", 0, value="black-heart"), "bag[0]"),
        (PLANTING, lambda d: d["decks"].pop(), "decks"),
        (PLANTING, lambda d: d["decks"][0].pop(), "decks"),
        (PLANTING, lambda d: d["decks"].reverse(), "decks[0]"),
        (PLANTING, lambda d: d["discards"].pop(), "discards"),
        (PLANTING, lambda d: d["discards"][2].append(d["decks"][2].pop()), "discards[2]"),
        (CHOOSING, put("players", 0, "serial", value=None), "players[0].serial"),
        (CHOOSING, put("players", 0, "serial", value=2), "revealed"),
        (CHOOSING, put("players", 1, "refuted", value=[{"a": "pink", "b": "red"}]), "players[1].refuted"),
        (CHOOSING, lambda d: d["players"].reverse(), "players"),
        (GUESSING, other_whim, "plantings[2].cubes[0].number"),
        (PLANTING, put("plantings", 1, "seat", value=2), "plantings[1].seat"),
        (PLANTING, put("plantings", 1, "space", value="A1"), "plantings[1].space"),
        (PLANTING, lambda d: d["plantings"][1]["cubes"].pop(), "plantings[1].cubes"),
        (PLANTING, put("plantings", 1, "cubes", 1, "number", value=7), "plantings[1].cubes[1].number"),
        (PLANTING, put("plantings", 1, "cubes", 1, "serial", value=99), "plantings[1].cubes[1].serial"),
        (PLANTING, put("gardeners", value=40), "gardeners"),
        (PLANTING, put("queen", value=-7), "queen"),
        (PLANTING, put("queen", value=40), "queen"),
        (PLANTING, put("clue_tokens", value=1), "clue_tokens"),
        (TWO, put("clue_tokens", value=2), "clue_tokens"),
        (PLANTING, put("rejections", value=1), "rejections"),
        (GUESSING, put("rejections", value=4), "rejections"),
        (TWO, put("rejections", value=1), "rejections"),
        (VOTING, put("proposal", "seat", value=3), "proposal.seat"),
        (VOTING, put("proposal", "target", value=VOTING.proposal.seat if VOTING.proposal else 0), "proposal.target"),
        (VOTING, put("proposal", "target", value=3), "proposal.target"),
        (VOTING, put("proposal", "accepted", value=[0, 1, 2]), "proposal.accepted"),
        (VOTING, put("rejections", value=3), "proposal"),
        (HALF_GUESSED, put("revealed", value=[]), "discards"),
        (HALF_GUESSED, put("revealed", -1, "turn", value=0), "revealed"),
        (HALF_GUESSED, put("revealed", -1, "seat", value=5), "revealed[0].seat"),
        (REDRAWING, put("phase", value="plant"), "active"),
        (OVER, put("phase", value="redraw"), "phase"),
        (OVER, put("phase", value="plant"), "phase"),
    ],
)
def test_the_wrong_field_is_named(state: State, change: Change, field: str) -> None:
    assert wrong_field(state, change).startswith(field)


def test_a_game_that_goes_on_is_not_over() -> None:
    assert wrong_field(GUESSING, put("phase", value="game_over")) == "phase"


def test_a_player_who_was_guessed_draws_at_the_end_of_the_turn() -> None:
    seat = next(seat for seat, player in enumerate(HALF_GUESSED.players) if player.whim is None)

    def draw_early(document: dict[str, Any]) -> None:
        serial = 1 + len(HALF_GUESSED.revealed) + sum(player.whim is not None for player in HALF_GUESSED.players)
        document["players"][seat] |= {"whim": document["decks"][2].pop(), "serial": serial}

    assert wrong_field(HALF_GUESSED, draw_early) == f"players[{seat}].whim"


def test_a_card_does_not_vanish_without_being_guessed() -> None:
    seat = next(seat for seat, player in enumerate(GUESSING.players) if player.whim is not None)

    def lose(document: dict[str, Any]) -> None:
        held = document["players"][seat]
        document["decks"]["EMH".index(held["whim"][0])].append(held["whim"])
        document["players"][seat] = {"whim": None, "serial": None, "refuted": []}

    assert wrong_field(GUESSING, lose) in {"revealed", f"players[{seat}].whim"}


@pytest.mark.parametrize(
    ("pairs", "reason"),
    [
        ([("pink", "club")], "level"),
        ([("pink", "red"), ("red", "pink")], "once"),
    ],
)
def test_refuted_pairs_are_of_the_level_and_different(pairs: list[tuple[str, str]], reason: str) -> None:
    level, seat = min((player.whim, seat) for seat, player in enumerate(GUESSING.players) if player.whim is not None)
    assert level <= 60, "an easy or medium card"
    document = write_position(GAME, GUESSING)
    document["players"][seat]["refuted"] = [{"a": a, "b": b} for a, b in pairs]
    with pytest.raises(InvalidPosition) as refused:
        read_position(GAME, document)
    assert refused.value.field == f"players[{seat}].refuted"
    assert reason in refused.value.reason


def test_the_pair_of_the_card_itself_is_not_refuted() -> None:
    own = write_position(GAME, GUESSING)["players"][0]["whim"].split("-")[1:3]
    change = put("players", 0, "refuted", value=[{"a": own[0], "b": own[1]}])
    assert wrong_field(GUESSING, change) == "players[0].refuted"


def test_only_one_easy_card_is_out() -> None:
    def draw_easy(document: dict[str, Any]) -> None:
        for seat, serial in ((0, 1), (1, 2)):
            held = document["players"][seat]
            if held["whim"] is not None:
                document["decks"]["EMH".index(held["whim"][0])].append(held["whim"])
            document["players"][seat] = {"whim": document["decks"][0].pop(0), "serial": serial, "refuted": []}

    assert wrong_field(CHOOSING, draw_easy) == "players"


def test_everybody_holds_a_card_when_a_tile_is_planted() -> None:
    # Without the card drawn last the serial numbers are still in order.
    seat = max(range(3), key=lambda seat: PLANTING.players[seat].serial or 0)

    def lose(document: dict[str, Any]) -> None:
        held = document["players"][seat]["whim"]
        document["decks"]["EMH".index(held[0])].append(held)
        document["players"][seat] = {"whim": None, "serial": None, "refuted": []}

    assert wrong_field(PLANTING, lose) == f"players[{seat}].whim"


def test_nobody_draws_while_all_hold_a_card() -> None:
    assert wrong_field(GUESSING, put("phase", value="redraw")) == "phase"


def test_nobody_guesses_when_all_cards_are_guessed() -> None:
    every = (state for number in range(50) for state in states(2, b"all%d" % number, 100))
    all_guessed = next(
        state for state in every if state.phase is Phase.REDRAW and all(player.whim is None for player in state.players)
    )
    assert wrong_field(all_guessed, put("phase", value="guess")) == "phase"


def test_a_queen_who_has_caught_the_gardeners_ends_the_game() -> None:
    """The Queen could have come as far in so many moves, but then the game would be over."""
    every = (state for number in range(200) for state in states(2, b"caught%d" % number, 0))
    reachable = next(
        state for state in every if state.phase is Phase.PLANT and -6 + 2 * len(state.plantings) >= state.gardeners
    )
    change = put("queen", value=reachable.gardeners)
    assert wrong_field(reachable, change) == "queen"
    with pytest.raises(InvalidPosition, match=r"\(9\.3\)"):
        read_position(GAME, write_position(GAME, replace(reachable, queen=reachable.gardeners)))


def test_a_proposal_is_one_that_could_be_made() -> None:
    proposal = VOTING.proposal
    assert proposal is not None
    target = VOTING.players[proposal.target]
    refuted = replace(target, refuted=(proposal.pair,))
    players = (*VOTING.players[: proposal.target], refuted, *VOTING.players[proposal.target + 1 :])
    assert target.whim is not None
    assert box.pair_of(target.whim) != proposal.pair, "a wrong proposal"
    with pytest.raises(InvalidPosition) as refused:
        GAME.check(replace(VOTING, players=players))
    assert refused.value.field == "proposal.pair"
