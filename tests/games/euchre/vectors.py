"""How the worked examples of Euchre are set up: see ``tests.vectors`` and ``examples.md``.

Kinds: ``deal`` (a fresh deal and moves), ``play`` (a table in the middle of the play, perhaps of fewer cards than the
pack has), ``score`` (a finished hand by its tricks).
"""

from __future__ import annotations

from typing import Any

from engine.core import Rng
from engine.core.cards import card_of
from engine.games.euchre import GAME
from engine.games.euchre.events import Event, HandScored
from engine.games.euchre.scoring import finish_hand
from engine.games.euchre.state import (
    SEATS,
    HandSummary,
    Outcome,
    State,
    Trump,
    inactive_seats,
    team_of,
    tricks_by_team,
)
from tests.games.euchre.table import TRUMPS, dealt, in_play, move, offers, refused
from tests.vectors import Checks, Example, Kinds, alike


def deal(example: Example) -> Checks:
    """A fresh deal, and moves as ``[seat, move]`` or as text."""
    state = dealt(
        _hands(example),
        example.take("upcard"),
        example.take("dealer"),
        tuple(example.take("scores", (0, 0))),
        **example.take("options", {}),
    )
    return _after(state, example)


def play(example: Example) -> Checks:
    """Inside the play: the unfinished trick, or who leads."""
    wins: list[int] = example.take("tricks", [0, 0])
    state = in_play(
        _hands(example),
        example.take("trump"),
        example.take("maker"),
        leader=example.take("leader", None),
        trick=tuple((seat, card) for seat, card in example.take("trick", [])),
        won=(0,) * wins[0] + (1,) * wins[1],
        options=example.take("options", {}),
        dealer=example.take("dealer"),
        alone=example.take("alone", default=False),
        lone_defender=example.take("lone_defender", None),
    )
    return _after(state, example)


def score(example: Example) -> Checks:
    """A finished hand, by the tricks that the makers' team won."""
    team, tricks = example.take("maker_team"), example.take("maker_tricks")
    state = in_play(
        ("", "", "", ""),
        "H",
        team,
        won=(team,) * tricks + (1 - team,) * (5 - tricks),
        options={"target_score": example.take("target", 10)},
        alone=example.take("alone"),
        lone_defender=1 - team if example.take("lone_defender") else None,
        scores=tuple(example.take("scores")),
    )
    step = finish_hand(state, (), Rng(b"vectors", 1))
    return _checks(step.state, [fact.public for fact in step.facts])


KINDS: Kinds = {"deal": deal, "play": play, "score": score}


def _hands(example: Example) -> tuple[str, ...]:
    hands: dict[str, str] = example.take("hands")
    return tuple(hands[str(seat)] for seat in SEATS)


def _after(state: State, example: Example) -> Checks:
    """Make the moves, then look at the table and at what was told to everybody."""
    listed = [f"{seat}:{text}" for seat, text in example.take("moves", [])]
    told: list[Event | None] = []
    for text in listed + example.take("moves_text", "").split():
        step = move(state, text)
        state = step.state
        told += [fact.public for fact in step.facts]
    return _checks(state, told)


def _checks(state: State, told: list[Event | None]) -> dict[str, Any]:
    """After a finished hand everything about it is told from its summary: the next one is dealt already."""
    scored = [event.hand for event in told if isinstance(event, HandScored)]
    finished = bool(scored)
    about: State | HandSummary = scored[-1] if scored else state
    tricks = about.tricks
    result = GAME.result(state)
    held = [set(hand) for hand in state.hands]
    return {
        "phase": lambda _: "hand_over" if finished else state.phase.name.lower(),
        "turn": lambda _: state.turn,
        "trump": lambda _: _short(about.trump),
        "maker": lambda _: about.maker,
        "alone": lambda _: about.alone,
        "lone_defender_seat": lambda _: about.lone_defender,
        "legal": lambda expected: alike(expected, offers(state)),
        "illegal": lambda expected: [text for text in expected if refused(state, text)],
        "inactive": lambda _: inactive_seats(state),
        "hand_sizes": lambda _: [len(hand) for hand in state.hands],
        "has": lambda expected: {seat: card for seat, card in expected.items() if card_of(card) in held[int(seat)]},
        "has_not": lambda expected: {s: card for s, card in expected.items() if card_of(card) not in held[int(s)]},
        "tricks": lambda _: tricks_by_team(tricks),
        "trick_winners": lambda _: [trick.winner for trick in tricks],
        "last_trick_winner": lambda _: tricks[-1].winner,
        "points": lambda _: scored[-1].points_by_team,
        "passed_out": lambda _: scored[-1].outcome is Outcome.PASSED_OUT,
        "scores": lambda _: state.scores,
        "next_dealer": lambda _: state.dealer,
        "match_winner": lambda _: (
            None if result is None else min(team_of(p.seat) for p in result.placements if p.rank == 1)
        ),
    }


def _short(trump: Trump | None) -> str | None:
    return None if trump is None else {of: short for short, of in TRUMPS.items()}[trump]
