"""Section 16 of the rules: who sees what."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.core import Rng, play
from engine.games.wingspan import GAME
from engine.games.wingspan.rows import BIRD_OF, BONUS_OF
from engine.games.wingspan.state import Options, State
from engine.games.wingspan.terms import Habitat
from engine.games.wingspan.view import BonusStanding, MatRow
from tests.games.wingspan.table import Given, Sitting, board

HANDS: Given = {
    "0": {"hand": ["osprey", "willet"], "bonus": ["anatomist"], "food": {"fish": 2}},
    "1": {"hand": ["killdeer"], "bonus": ["falconer", "ecologist"], "forest": ["barred_owl e1 t2 c:fish=1"]},
}
OWN = {"seat", "hand", "bonus", "keeping", "draft", "bonus_offer"}


def fields(state: State, seat: int | None) -> dict[str, Any]:
    view = GAME.view(state, seat)
    return {name: getattr(view, name) for name in view.__struct_fields__}


def test_only_the_own_fields_differ_between_viewers() -> None:
    state = board(seats=HANDS)
    one, other, nobody = fields(state, 0), fields(state, 1), fields(state, None)
    assert {name for name in one if one[name] != other[name]} == {"seat", "hand", "bonus"}
    assert {name for name in one if one[name] != nobody[name]} == {"seat", "hand", "bonus"}
    assert all(one[name] == other[name] == nobody[name] for name in one.keys() - OWN)


def test_the_owner_sees_hand_and_bonus_cards_with_their_progress() -> None:
    seen = GAME.view(board(seats=HANDS), 1)
    assert seen.hand == ("killdeer",)
    # The owl hunts: one bird, two points; two habitats are empty.
    assert seen.bonus == (BonusStanding("falconer", 1, 2), BonusStanding("ecologist", 0, 0))


def test_everybody_sees_numbers_only() -> None:
    seen = GAME.view(board(seats=HANDS), None)
    assert seen.hand == ()
    assert seen.bonus == ()
    assert [player.hand_size for player in seen.players] == [2, 1]
    assert [player.bonus_count for player in seen.players] == [1, 2]
    assert all(player.bonus_shown == () for player in seen.players)


def test_a_mat_shows_what_it_holds_and_what_it_brings() -> None:
    row = GAME.view(board(seats=HANDS), None).players[1].rows[0]
    assert isinstance(row, MatRow)
    assert (row.habitat, row.gain, row.trade, row.egg_cost) == (Habitat.FOREST, 1, True, 1)
    (bird,) = row.birds
    assert (bird.bird, bird.eggs, bird.tucked, bird.cached.fish, bird.reacted) == ("barred_owl", 1, 2, 1, False)


def test_points_are_counted_as_far_as_all_know_them() -> None:
    points = GAME.view(board(seats=HANDS), 0).players[1].points
    assert (points.birds, points.eggs, points.cached, points.tucked, points.goals, points.bonus) == (
        3,
        1,
        1,
        2,
        0,
        None,
    )


def test_no_secret_stands_anywhere_in_the_bytes_of_a_view() -> None:
    state = board(seats=HANDS)
    seen = msgspec.json.encode(GAME.view(state, 0)).decode()
    hidden = [*HANDS["1"]["hand"], *HANDS["1"]["bonus"]]
    assert not [name for name in hidden if f'"{name}"' in seen]
    tucked = [card for on_mat in state.players[1].mat[0] for card in on_mat.tucked]
    names = {number: name for name, number in BIRD_OF.items()}
    assert not [names[card] for card in (*tucked, *state.deck) if f'"{names[card]}"' in seen]
    assert not [name for name, number in BONUS_OF.items() if number in state.bonus_deck and f'"{name}"' in seen]


def test_the_discard_pile_lies_open() -> None:
    assert GAME.view(board(discard=["osprey", "willet"]), None).discard == ("osprey", "willet")


def test_a_scene_shows_hidden_hands_face_down() -> None:
    zones = {zone.id: zone for zone in GAME.scene(GAME.view(board(seats=HANDS), 0)).zones}
    assert [piece.piece for piece in zones["hand/0"].pieces] == ["osprey", "willet"]
    assert [(piece.piece, piece.count) for piece in zones["hand/1"].pieces] == [("", 1)]
    assert [(p.piece, p.count) for p in zones["forest/1"].pieces] == [
        ("barred_owl", 1),
        ("egg", 1),
        ("fish", 1),
        ("", 2),
    ]


def test_a_redeal_moves_hidden_cards_and_nothing_else() -> None:
    state = board(seats=HANDS)
    other = GAME.redeal(state, 0, Rng(b"redeal", 0))
    assert other.players[0].hand == state.players[0].hand
    assert other.players[1].hand != state.players[1].hand
    assert sorted(other.deck + other.players[1].hand) != sorted(state.deck)
    assert (other.tray, other.discard, other.feeder, other.goals) == (
        state.tray,
        state.discard,
        state.feeder,
        state.goals,
    )


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_a_card_that_a_hunter_shows_stays_where_it_is_in_a_redeal(seat: int | None) -> None:
    table = (
        Sitting(board(seats={"0": {"forest": ["coopers_hawk"]}}, deck=["house_wren"])).do(0, "gain_food").do(0, "pass")
    )
    state = table.do(0, "use_power:coopers_hawk").state
    other = GAME.redeal(state, seat, Rng(b"redeal", 0))
    assert other.players[0].mat == state.players[0].mat
    assert other.revealed == state.revealed == BIRD_OF["house_wren"]


@pytest.mark.parametrize("seats", GAME.seat_counts)
def test_a_move_that_draws_or_rolls_reveals(seats: int) -> None:
    """Whatever the acting seat sees new comes with ``reveals``, so that a chain of moves stops there."""
    state, number = GAME.setup(Options(), seats, Rng(b"reveals", 0)), 0
    while prompts := GAME.prompts(state):
        number += 1
        whim = Rng(b"reveals/moves", number)
        seat = whim.choice(prompts).seat
        before = GAME.view(state, seat)
        step = play(GAME, state, seat, whim.choice(GAME.legal_moves(state, seat)), Rng(b"reveals", number))
        after = GAME.view(step.state, seat)
        known = {*before.hand, *before.discard, *before.draft, *(slot.bird for slot in before.tray)}
        new = {*after.hand, *(slot.bird for slot in after.tray), *after.draft} - known - {None}
        if before.keeping is None and (new or set(after.bonus_offer) - set(before.bonus_offer)):
            assert step.reveals, f"move {number}: {new}"
        state = step.state
