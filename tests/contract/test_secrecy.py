"""Secrets: whatever a viewer cannot know makes no difference to anything that it can obtain.

``redeal`` permutes what a viewer cannot know; the spectator, who knows least, comes first.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

import pytest

from engine.core import AnyGame, IllegalMove, Rng, Step, encode_move, encode_state, play
from tests.contract.cases import Playout, Ply


def _redealt(played: Playout, state: Any, seat: int | None, number: int) -> Any:
    return played.case.game.redeal(state, seat, Rng(played.case.seed + b"/redeal", number))


def _obtained(game: AnyGame, state: Any, seat: int | None) -> Any:
    """Everything that the viewer can ask for without making a move."""
    view = game.view(state, seat)
    mine = () if seat is None else game.legal_moves(state, seat)
    prompts = game.prompts(state)
    return (
        view,
        game.scene(view),
        prompts,
        [game.prompt_label(prompt) for prompt in prompts],
        [(game.notation(move), game.label(move), game.refs(move)) for move in mine],
        game.timeout_move(state, seat) if seat is not None and mine else None,
        game.result(state),
    )


def _seen(step: Step[Any, Any], seat: int | None) -> list[tuple[int | None, Any]]:
    return [(fact.seat, event) for fact in step.facts if (event := fact.seen_by(seat)) is not None]


def test_what_a_viewer_cannot_know_changes_nothing_for_it(played: Playout) -> None:
    game = played.case.game
    for number, state in enumerate(played.states):
        for seat in (None, *range(played.case.seats)):
            other = _redealt(played, state, seat, number)
            assert _obtained(game, other, seat) == _obtained(game, state, seat), f"ply {number}, viewer {seat}"


def test_a_redealt_state_keeps_every_invariant(played: Playout) -> None:
    for number, state in enumerate(played.states):
        viewer = number % (played.case.seats + 1) - 1
        played.case.game.check(_redealt(played, state, None if viewer < 0 else viewer, number))


def test_redealing_does_move_the_secrets_of_a_game_that_has_any(played: Playout) -> None:
    game = played.case.game
    if encode_move(game.view(played.opening, 0)) == encode_move(game.view(played.opening, None)):
        pytest.skip("everybody sees everything")
    assert any(
        encode_state(game, _redealt(played, state, None, number)) != encode_state(game, state)
        for number, state in enumerate(played.states)
    )


def test_the_events_of_a_move_tell_a_viewer_no_more_than_the_views_do(played: Playout) -> None:
    game = played.case.game
    for ply in played.plies:
        for seat in (None, *range(played.case.seats)):
            other = _replayed(played, ply, seat)
            if other is not None and game.view(other.state, seat) == game.view(ply.step.state, seat):
                assert _seen(other, seat) == _seen(ply.step, seat), f"ply {ply.number}, viewer {seat}"


def test_worlds_part_at_what_an_event_says_and_never_at_what_happens_or_is_asked(played: Playout) -> None:
    """Else the course of the game would tell a hand: by a question, say, that is left out where it has no answer."""
    game = played.case.game
    for ply in played.plies:
        for seat in (None, *range(played.case.seats)):
            other = _replayed(played, ply, seat) if seat != ply.seat else None
            if other is None:
                continue
            here, there = _seen(ply.step, seat), _seen(other, seat)
            parted = next(((a, b) for a, b in zip_longest(here, there) if a != b), None)
            if parted is None:
                # Of a step that only its maker sees, others see what the maker is asked next.
                hidden = None if here else ply.seat
                assert _asked(game, ply.step, hidden) == _asked(game, other, hidden), f"ply {ply.number}, viewer {seat}"
            else:
                one, two = (None if told is None else (told[0], _kind(told[1])) for told in parted)
                assert one == two, f"ply {ply.number}, viewer {seat}"


# Two events that say yes and no to a guess at a secret are there to tell it.
_ANSWERS = {"guessed_wrong": "guessed_right"}


def _kind(event: Any) -> str:
    tag = str(event.__struct_config__.tag)
    return _ANSWERS.get(tag, tag)


def _asked(game: AnyGame, step: Step[Any, Any], hidden: int | None) -> list[Any]:
    return [prompt for prompt in game.prompts(step.state) if prompt.seat != hidden]


def test_what_follows_from_a_move_is_known_to_its_maker_unless_something_is_revealed(played: Playout) -> None:
    game = played.case.game
    for ply in played.plies:
        if ply.step.reveals or ply.chance:
            continue
        other = _replayed(played, ply, ply.seat)
        assert other is not None, "a legal move depends on a secret"
        assert game.view(other.state, ply.seat) == game.view(ply.step.state, ply.seat), f"ply {ply.number}"
        assert _seen(other, ply.seat) == _seen(ply.step, ply.seat), f"ply {ply.number}"


def _replayed(played: Playout, ply: Ply, seat: int | None) -> Step[Any, Any] | None:
    """The same move after a redeal that ``seat`` cannot notice; None if the mover could not make it there."""
    game = played.case.game
    state = _redealt(played, ply.state, seat, ply.number)
    if ply.move not in game.legal_moves(state, ply.seat):
        return None
    return play(game, state, ply.seat, ply.move, Rng(played.case.seed, ply.number))


def test_a_refusal_tells_own_side_facts_only(played: Playout) -> None:
    game = played.case.game
    moves = list(dict.fromkeys(move for ply in played.plies for move in ply.legal))
    for ply in played.plies:
        move = moves[ply.number % len(moves)]
        if move in ply.legal:
            continue
        other = _redealt(played, ply.state, ply.seat, ply.number)
        assert _refusal(game, other, ply.seat, move) == _refusal(game, ply.state, ply.seat, move)


def _refusal(game: AnyGame, state: Any, seat: int, move: Any) -> tuple[str, str]:
    with pytest.raises(IllegalMove) as refused:
        play(game, state, seat, move, Rng(b"", 1))
    return refused.value.reason, refused.value.clause
