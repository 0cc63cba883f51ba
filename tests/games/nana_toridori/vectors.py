"""How the worked examples of Nana Toridori are set up: see ``tests.vectors``.

There is one kind, a position (perhaps of fewer cards than the pack has) and moves of whoever is on turn. Moves are
written as offer ids with a space for each colon. The last move is refused if the example says ``illegal``; then the
position before it is checked.
"""

from __future__ import annotations

from typing import Any

from engine.core import IllegalMove, Rng, play
from engine.games.nana_toridori import GAME, rounds
from engine.games.nana_toridori.state import (
    ALL_AT_TARGET,
    BASIC,
    STANDARD,
    Discard,
    DiscardFront,
    Keep,
    KeepFront,
    Move,
    Options,
    Pass,
    Phase,
    Play,
    RoundSummary,
    State,
    Take,
)
from tests.vectors import Checks, Example, Kinds, alike


def position_and_moves(example: Example) -> Checks:
    """A position, moves of whoever is on turn, and what holds afterwards."""
    at = read_state(example.take("state"))
    moves = example.take("moves")
    refused = False
    for number, text in enumerate(moves, 1):
        assert at.turn is not None
        try:
            at = play(GAME, at, at.turn, read_move(text), Rng(b"vectors", number)).state
        except IllegalMove:
            assert number == len(moves), f"{text} is refused"
            refused = True
    return _checks(at) | {"illegal": lambda _: refused}


KINDS: Kinds = {"": position_and_moves}


def read_state(fields: dict[str, Any]) -> State:
    """A position in the short form of the examples: what is not mentioned is as at the start of a game."""
    seats = fields.pop("players")
    options = Options(
        mode=fields.pop("mode", BASIC),
        advanced_winner=fields.pop("advanced_winner", ALL_AT_TARGET),
        two_player_mode=fields.pop("two_player_mode", STANDARD),
    )
    penguins = tuple(fields.pop("penguins", [rounds.PENGUINS] * seats))
    points = tuple(fields.pop("points", [0] * seats))
    state = State(
        options=options,
        phase=Phase[fields.pop("phase", "play").upper()],
        round_number=1,
        leader=0,
        turn=fields.pop("turn"),
        hands=tuple(map(tuple, fields.pop("hands"))),
        known=((),) * seats,
        front=tuple(map(tuple, fields.pop("front", [()] * seats))),
        draw_pile=tuple(fields.pop("deck")),
        penguins=penguins,
        points=points,
        discard_pile=tuple(fields.pop("discard", ())),
        table=tuple(fields.pop("table", ())),
        owner=fields.pop("owner", None),
        passes=fields.pop("passes", 0),
        finished=tuple(fields.pop("finished", ())),
    )
    assert not fields, f"nothing reads {sorted(fields)}"
    assert len(state.hands) == seats
    return state


def read_move(text: str) -> Move:
    """``play 1 2 +0``, ``pass``, ``take 3``, ``keep 0``, ``discard``, ``front 0 keep 1``, ``front 0 discard``."""
    match text.split():
        case ["play", start, count]:
            return Play(int(start), int(count))
        case ["play", start, count, front]:
            return Play(int(start), int(count), tuple(map(int, front.removeprefix("+").split(","))))
        case ["pass"]:
            return Pass()
        case ["take", position]:
            return Take(int(position))
        case ["keep", position]:
            return Keep(int(position))
        case ["discard"]:
            return Discard()
        case ["front", index, "keep", position]:
            return KeepFront(int(index), int(position))
        case ["front", index, "discard"]:
            return DiscardFront(int(index))
    raise ValueError(f"{text} is no move")


def _checks(at: State) -> dict[str, Any]:
    legal = [] if at.turn is None else [GAME.notation(move).replace(":", " ") for move in GAME.legal_moves(at, at.turn)]
    result = GAME.result(at)
    ranks = [placement.rank for placement in result.placements] if result else []
    last = at.last_round or RoundSummary(0, (), -1, ())
    return {
        "hands": lambda _: at.hands,
        "front": lambda _: at.front,
        "table": lambda _: at.table,
        "owner": lambda _: at.owner,
        "beaten": lambda _: at.beaten,
        "drawn": lambda _: at.drawn,
        # The rules give an order to hands and to the draw pile, none to the discard pile.
        "discard": lambda expected: alike(expected, at.discard_pile),
        "turn": lambda _: at.turn,
        "phase": lambda _: at.phase.name.lower(),
        "passes": lambda _: at.passes,
        "finished": lambda _: at.finished,
        "penguins": lambda _: at.penguins,
        "points": lambda _: at.points,
        "round": lambda _: at.round_number,
        "round_loser": lambda _: last.loser,
        "hand_sizes": lambda _: [len(hand) for hand in at.hands],
        "deck_count": lambda _: len(at.draw_pile),
        "discard_count": lambda _: len(at.discard_pile),
        "legal": lambda expected: alike(expected, legal),
        "legal_count": lambda _: len(legal),
        "legal_has": lambda expected: [text for text in expected if text in legal],
        "winners": lambda _: [seat for seat, rank in enumerate(ranks) if rank == 1],
        "losers": lambda _: [seat for seat, rank in enumerate(ranks) if rank != 1],
    }
