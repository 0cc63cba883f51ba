"""What may be taken back in every game: only what told nobody anything, and the mover learns nothing by asking."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core import AnyGame, Lasting, Rng, Step, lasting, play
from tests.contract.cases import Playout, Ply, cases, games, playout

PLIES = 10
DEALS = 6


def some(played: Playout) -> tuple[Ply, ...]:
    """Moves spread over the game."""
    return played.plies[:: max(1, len(played.plies) // PLIES)]


def why(played: Playout, ply: Ply, state: Any) -> Lasting | None:
    return lasting(played.case.game, state, ply.seat, ply.move, Rng(played.case.seed, ply.number))


def shown(game: AnyGame, step: Step[Any, Any], viewer: int | None) -> Any:
    events = [(fact.seat, event) for fact in step.facts if (event := fact.seen_by(viewer)) is not None]
    offers = () if viewer is None else game.legal_moves(step.state, viewer)
    return events, game.view(step.state, viewer), game.prompts(step.state), offers


def test_nobody_could_exclude_a_world_by_a_move_that_can_be_taken_back(played: Playout) -> None:
    game = played.case.game
    for ply in some(played):
        if why(played, ply, ply.state) is not None:
            continue
        assert not ply.chance
        for viewer in (None, *range(played.case.seats)):
            seen = shown(game, ply.step, viewer)
            if viewer == ply.seat or seen == shown(game, Step(ply.state), viewer):
                continue
            for number in range(DEALS):
                world = game.redeal(ply.state, viewer, Rng(played.case.seed + b"/undo", number))
                legal = game.legal_moves(world, ply.seat)
                first = [move for move in (ply.move,) if move in legal]
                made = (play(game, world, ply.seat, move, Rng(b"", 1)) for move in (*first, *legal))
                assert any(shown(game, step, viewer) == seen for step in made), f"ply {ply.number}, viewer {viewer}"


def test_to_ask_whether_it_can_be_taken_back_tells_the_mover_nothing(played: Playout) -> None:
    for ply in some(played):
        other = played.case.game.redeal(ply.state, ply.seat, Rng(played.case.seed + b"/undo", ply.number))
        assert why(played, ply, other) is why(played, ply, ply.state), f"ply {ply.number}"


TAKEN_BACK: dict[str, dict[str, bool | None]] = {
    "cubirds": {"NoFlock": True, "Lay": False, "Draw": False},
    "euchre": {"Pass": True, "OrderUp": True, "Discard": True},
    "nana_toridori": {"Keep": True, "Take": True},
    "paint_the_roses": {"Propose": True},
    "sevens": {"Pass": True},
    "wingspan": {"TakeAction": True, "PlaceEgg": True, "PlayBird": False, "DrawDeck": False, "TakeDie": None},
}


@pytest.mark.parametrize("game_type", [game.game_type for game in games() if game.game_type in TAKEN_BACK])
def test_moves_of_these_kinds(game_type: str) -> None:
    """True: some can be taken back; False: none; None: it depends on the dice that are left."""
    found: dict[str, set[bool]] = {}
    for case in [case for case in cases() if case.game.game_type == game_type and not case.options]:
        played = playout(case)
        for ply in played.plies[:: max(1, len(played.plies) // 60)]:
            found.setdefault(type(ply.move).__name__, set()).add(why(played, ply, ply.state) is None)
    for kind, can in TAKEN_BACK[game_type].items():
        assert found[kind] == {True, False} if can is None else can in found[kind], kind
        assert can is not False or found[kind] == {False}, kind
