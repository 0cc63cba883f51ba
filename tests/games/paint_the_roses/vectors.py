"""How the worked examples of Paint the Roses are set up: see ``tests.vectors``. Every number comes out of moves.

Kinds:

``cubes``     ``plant`` is a list of [tile, space], planted one after the other on START and ``garden``. Expected are
              cube numbers: ``pink/red`` on the tile planted last, ``A3 pink/red`` on the one on A3.
``track``     ``gardeners``, ``queen``, ``flowers`` and ``players``, then ``turns``: each a list of ``right N`` (a card
              of value N), ``wrong``, ``stop`` and ``clue``.
``position``  ``players``, ``phase``, ``active``, ``whims`` by seat, ``full`` (a full garden) and so on, then ``moves``
              as [seat, notation]. ``right:2`` and ``wrong:2`` stand for a whole guess about seat 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from engine.core import IllegalMove, NotAsked
from engine.games.paint_the_roses import GAME, box, track
from engine.games.paint_the_roses.state import Phase, State
from engine.games.paint_the_roses.symbols import PAIRS
from tests.games.paint_the_roses.table import agree, asked, move, offers, right, space_of, table, tile_of, wrong
from tests.vectors import Check, Checks, Example, Kinds, alike


def cubes(example: Example) -> Checks:
    """Each pair in both orders, on each tile planted, for a player who holds a card with that pair."""
    garden: dict[str, str] = example.take("garden", {})
    planted: list[tuple[str, str]] = example.take("plant")
    checks: dict[str, Check] = {}
    for pair in PAIRS:
        state = table(2, phase=Phase.PLANT, garden=garden, whims={0: f"H-{pair.a.text}-{pair.b.text}-1"})
        for tile, space in planted:
            # The tile wanted lies in slot 0, and seat 0 plants again.
            state = replace(state, phase=Phase.PLANT, greenhouse=(tile_of(tile), *state.greenhouse[1:]))
            state = move(state, 0, f"plant:0:{space}").state
        for prefix, space in [("", planted[-1][1]), *((f"{space} ", space) for _, space in planted)]:
            number = _cube(state, space, 0)
            checks[f"{prefix}{pair.a.text}/{pair.b.text}"] = _constant(number)
            checks[f"{prefix}{pair.b.text}/{pair.a.text}"] = _constant(number)
    return checks


def _cube(state: State, space: str, seat: int) -> int:
    plot = GAME.view(state, None).garden[space_of(space) - 1]
    return next(cube.number for cube in plot.cubes if cube.seat == seat)


def _constant(value: Any) -> Check:
    return lambda _: value


def track_kind(example: Example) -> Checks:
    """Turns on the track; the guesses are about seats 1, 2, 3 … in this order."""
    gardeners, turns = example.take("gardeners"), example.take("turns")
    if track.flowers(gardeners) != example.take("flowers"):
        raise ValueError(f"with the gardeners on {gardeners} the Queen has {track.flowers(gardeners)} flowers")
    whims = dict(_cards_for(turns))
    state = table(example.take("players"), gardeners=gardeners, queen=example.take("queen"), whims=whims)
    queens = []
    for turn in turns:
        if state.phase is Phase.PLANT:
            state = move(state, state.active, offers(state, state.active)[0]).state
        for number, action in enumerate(turn, 1):
            state = _act(state, action, (state.active + number) % len(state.players))
        queens.append(state.queen)
    return _checks(state) | {"queens": lambda _: queens}


def _cards_for(turns: list[list[str]]) -> Iterator[tuple[int, str]]:
    """For each right guess of the first turn a card of that value, each another one."""
    free = [(row.value, row.id) for row in box.WHIM_ROWS]
    for seat, action in enumerate(turns[0], 1):
        if action.startswith("right"):
            value = int(action.removeprefix("right "))
            card = next(card for card in free if card[0] == value)
            free.remove(card)
            yield seat, card[1]


def _act(state: State, action: str, target: int) -> State:
    if action.startswith("right"):
        return right(state, target)
    if action == "wrong":
        return wrong(state, target)
    return move(state, state.active, action).state


def position(example: Example) -> Checks:
    """A position and moves."""
    whims: dict[str, str] = example.take("whims", {})
    state = table(
        example.take("players"),
        phase=Phase[example.take("phase", "guess").upper()],
        active=example.take("active", 0),
        whims={int(seat): name for seat, name in whims.items()},
        full=bool(example.take("full", None)),
        gardeners=example.take("gardeners", 0),
        queen=example.take("queen", -6),
    )
    for seat, text in example.take("moves", []):
        state = _move(state, seat, text)
    return _checks(state)


def _move(state: State, seat: int, text: str) -> State:
    kind, _, target = text.partition(":")
    if kind == "right":
        return right(state, int(target))
    if kind == "wrong":
        return wrong(state, int(target))
    if kind == "agree":
        target, pair = target.split(":")
        return agree(state, int(target), pair)
    return move(state, seat, text).state


def _checks(state: State) -> dict[str, Check]:
    view = GAME.view(state, None)
    outcome = {None: None, True: "won", False: "lost"}[view.won]
    return {
        "gardeners": lambda _: view.gardeners,
        "gardeners_space": lambda _: view.gardeners_space,
        "queen": lambda _: view.queen,
        "queen_space": lambda _: view.queen_space,
        "flowers": lambda _: view.flowers,
        "gap": lambda _: view.gardeners - view.queen,
        "clue_tokens": lambda _: view.clue_tokens,
        "outcome": lambda _: outcome,
        "phase": lambda _: view.phase.name.lower(),
        "active": lambda _: view.active,
        "rejections": lambda _: view.rejections,
        "proposal": lambda _: None if view.proposal is None else [view.proposal.target, view.proposal.pair.text],
        "asked": lambda _: asked(state),
        "offers": lambda expected: {seat: alike(legal, offers(state, int(seat))) for seat, legal in expected.items()},
        "offered": lambda expected: [[seat, text] for seat, text in expected if text in offers(state, seat)],
        "refused": lambda expected: [[seat, text, _refusal(state, seat, text)] for seat, text, _ in expected],
        "refuted": lambda _: [[pair.text for pair in player.refuted] for player in view.players],
        "live_cubes": lambda _: [_live(state, seat) for seat in range(len(state.players))],
        "recorded_cubes": lambda _: len(view.plantings) * len(state.players),
    }


def _live(state: State, seat: int) -> list[str]:
    """The spaces where a cube about the card of ``seat`` lies."""
    plots = GAME.view(state, None).garden
    return [box.space_name(plot.space) for plot in plots if seat in {cube.seat for cube in plot.cubes}]


def _refusal(state: State, seat: int, text: str) -> str:
    """The clause that forbids the move."""
    try:
        move(state, seat, text)
    except IllegalMove as refused:
        return refused.clause
    except NotAsked:
        return "not asked"
    return "allowed"


KINDS: Kinds = {"cubes": cubes, "track": track_kind, "position": position}
