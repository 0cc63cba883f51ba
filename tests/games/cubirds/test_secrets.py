"""Who sees what: section 8 of RULES.md. The general promises are in ``tests/contract/test_secrecy.py``."""

from __future__ import annotations

import pytest

from engine.core import Rng, encode_move
from engine.games.cubirds import GAME
from engine.games.cubirds.state import FlockDeclined, Phase, State
from tests.games.cubirds.table import after, full, heap, step, table, told

VIEWERS = (None, 1, 2)


def public_bytes(state: State, viewer: int | None) -> bytes:
    """Everything that somebody who is not on turn can obtain."""
    view = GAME.view(state, viewer)
    offers = () if viewer is None else GAME.legal_moves(state, viewer)
    assert offers == ()
    asked = "".join(f"{prompt.seat} {prompt.kind} {GAME.prompt_label(prompt)}" for prompt in GAME.prompts(state))
    return encode_move(view) + encode_move(GAME.scene(view)) + asked.encode()


@pytest.mark.parametrize("viewer", VIEWERS)
def test_nobody_can_tell_whether_a_flock_is_possible(viewer: int | None) -> None:
    able = table("FFFOOOW MM RR", phase=Phase.FLOCK, deck="DWRM")
    unable = table("FOTDPMW MM RR", phase=Phase.FLOCK, deck="DWRM")
    assert len(GAME.legal_moves(able, 0)) == 3
    assert len(GAME.legal_moves(unable, 0)) == 1
    assert public_bytes(able, viewer) == public_bytes(unable, viewer)
    assert told(able, "flock:none", viewer) == told(unable, "flock:none", viewer) == [(0, FlockDeclined())]
    watching = 2 if viewer == 1 else viewer  # seat 1 is on turn then, and asked about its own hand
    assert public_bytes(after(able, "flock:none"), watching) == public_bytes(after(unable, "flock:none"), watching)


def test_the_question_comes_with_one_answer_as_with_many() -> None:
    """Skipping it for a hand without a flock would tell the others."""
    for hand in ("PFFW", "PFOW"):
        for moves in (("lay:P:3:left", "draw:no"), ("lay:P:3:left", "draw:yes"), ("lay:P:0:left",)):
            state = after(table(f"{hand} MM", deck="TDTD"), *moves)
            assert [(prompt.seat, prompt.kind) for prompt in GAME.prompts(state)] == [(0, "flock")]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_drawn_birds_show_their_number_only(viewer: int | None) -> None:
    one = step(table("PM MM RR", deck="FFWW", phase=Phase.DRAW), "draw:yes")
    other = step(table("PM MM RR", deck="OTWW", phase=Phase.DRAW), "draw:yes")
    assert public_bytes(one.state, viewer) == public_bytes(other.state, viewer)
    assert [fact.seen_by(viewer) for fact in one.facts] == [fact.seen_by(viewer) for fact in other.facts]


@pytest.mark.parametrize("viewer", [None, 0, 2])
def test_a_hand_thrown_away_at_the_end_of_a_round_is_not_shown(viewer: int | None) -> None:
    one, other = (
        step(table(f"FF {hand} WW", deck="D" * 8 + "P" * 8 + "M" * 8, phase=Phase.FLOCK), "flock:F")
        for hand in ("OOO", "TRW")
    )
    assert [fact.seen_by(viewer) for fact in one.facts] == [fact.seen_by(viewer) for fact in other.facts]
    assert GAME.view(one.state, viewer) == GAME.view(other.state, viewer)


def test_the_piles_show_their_sizes_only() -> None:
    view = GAME.view(table("PM MM", deck="FFO", discard="WW"), 0)
    assert (view.draw_pile_size, view.discard_pile_size) == (3, 2)
    zones = {zone.id: zone for zone in GAME.scene(view).zones}
    assert [(piece.piece, piece.count) for piece in zones["draw_pile"].pieces] == [("", 3)]
    assert [(piece.piece, piece.count) for piece in zones["discard_pile"].pieces] == [("", 2)]


def test_a_hand_is_shown_to_its_owner_alone_also_after_the_end() -> None:
    ended = after(table("OOOD MWR", collections="FTDPMR T", phase=Phase.FLOCK), "flock:O")
    assert GAME.view(ended, None).hand == ()
    assert GAME.view(ended, 0).hand == heap("D")
    assert GAME.view(ended, 1).hand == heap("MWR")
    assert [player.hand_size for player in GAME.view(ended, 0).players] == [1, 3]


def test_only_the_seat_and_the_hand_differ_between_viewers() -> None:
    state = full(table("OOOD MWR FT", deck="WW"))
    spectator = GAME.view(state, None)
    for seat in range(3):
        view = GAME.view(state, seat)
        differing = [name for name in view.__struct_fields__ if getattr(view, name) != getattr(spectator, name)]
        assert differing == ["seat", "hand"]


def test_a_redeal_moves_hands_and_both_piles_and_nothing_that_is_seen() -> None:
    state = full(table("OOOD MWR FT", discard="RRRRWWWW"))
    dealt = [GAME.redeal(state, 0, Rng(b"redeal", number)) for number in range(20)]
    for other in dealt:
        assert (other.hands[0], other.rows, other.collections) == (state.hands[0], state.rows, state.collections)
        assert [len(hand) for hand in other.hands] == [4, 3, 2]
        assert len(other.discard_pile) == 8
        GAME.check(other)
    assert len({other.hands[1] for other in dealt}) > 5
    assert len({other.discard_pile for other in dealt}) > 5
    assert len({other.draw_pile for other in dealt}) == 20
