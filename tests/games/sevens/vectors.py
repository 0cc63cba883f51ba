"""How the worked examples of Sevens are set up: see ``tests.vectors``.

Kinds: ``setup`` (hands as dealt), ``state`` (a position, perhaps of fewer cards than the pack has, and moves),
``full_game`` (hands as dealt and every move), ``deal_counts`` (how many cards each seat is dealt).
"""

from __future__ import annotations

from typing import Any

from engine.core import IllegalMove, Rng, play
from engine.core.cards import card_name, card_of
from engine.games.sevens import GAME, rules
from engine.games.sevens.state import Move, Options, Pass, Play, State
from tests.vectors import Check, Checks, Example, Kinds, alike


def setup(example: Example) -> Checks:
    """The hands as dealt: what lies on the table and whose turn it is."""
    return _checks(_dealt(example))


def state(example: Example) -> Checks:
    """A position, and moves as ``[seat, move]``."""
    position = _position(example)
    for seat, text in example.take("moves", []):
        position = play(GAME, position, seat, read_move(text), Rng(b"", 1)).state
    return _checks(position)


def full_game(example: Example) -> Checks:
    """A whole game; its moves are ``seat:card``, a pass is ``seat:-``."""
    opening = position = _dealt(example)
    for text in example.take("moves_text").split():
        seat, card = text.split(":")
        move = Pass() if card == "-" else Play(card_of(card))
        position = play(GAME, position, int(seat), move, Rng(b"", 1)).state
    return _checks(position) | {"start": lambda _: opening.turn}


def deal_counts(example: Example) -> Checks:
    """The sizes of the hands as dealt, by number of players."""
    options = Options(decks=example.take("decks", 1))
    return {str(seats): _sizes(options, seats) for seats in GAME.seat_counts}


KINDS: Kinds = {"setup": setup, "state": state, "full_game": full_game, "deal_counts": deal_counts}


def read_cards(text: str) -> tuple[int, ...]:
    """``7C 7D`` as ascending cards."""
    return tuple(sorted(map(card_of, text.split())))


def read_move(text: str) -> Move:
    """``play:7D`` or ``pass``."""
    return Pass() if text == "pass" else Play(card_of(text.removeprefix("play:")))


def _sizes(options: Options, seats: int) -> Check:
    return lambda _: [len(hand) for hand in rules.deal(options, seats, Rng(b"sizes", 0))]


def _hands(example: Example) -> tuple[tuple[int, ...], ...]:
    hands: dict[str, str] = example.take("hands")
    return tuple(read_cards(hands[str(seat)]) for seat in range(len(hands)))


def _dealt(example: Example) -> State:
    options = Options(example.take("pass_limit", 3), example.take("decks", 1))
    return rules.opening(options, _hands(example))


def _position(example: Example) -> State:
    hands = _hands(example)
    options = Options(example.take("limit", 3), example.take("decks", 1))
    gone: list[tuple[str, int]] = example.take("out", [])
    return State(
        options=options,
        turn=example.take("turn"),
        hands=hands,
        table=read_cards(example.take("table")),
        passes=tuple(example.take("passes", [options.pass_limit] * len(hands))),
        finished=tuple(seat for how, seat in gone if how == "F"),
        out=tuple(seat for how, seat in gone if how == "B"),
    )


def _checks(position: State) -> dict[str, Any]:
    legal = [] if position.turn is None else [GAME.notation(m) for m in GAME.legal_moves(position, position.turn)]
    result = GAME.result(position)
    return {
        "turn": lambda _: position.turn,
        "table": lambda expected: " ".join(alike(expected.split(), map(card_name, position.table))),
        "hand_sizes": lambda _: [len(hand) for hand in position.hands],
        "passes": lambda _: position.passes,
        "legal": lambda expected: alike(expected, legal),
        "illegal": lambda expected: [text for text in expected if _is_refused(position, text)],
        "place": lambda _: rules.places(position),
        "over": lambda _: result is not None,
        "points": lambda _: [placement.score for placement in result.placements] if result else None,
        "finish_order": lambda _: position.finished,
        "bust_order": lambda _: position.out,
    }


def _is_refused(position: State, text: str) -> bool:
    assert position.turn is not None
    try:
        play(GAME, position, position.turn, read_move(text), Rng(b"", 1))
    except IllegalMove:
        return True
    return False
