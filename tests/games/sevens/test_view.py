"""What a viewer sees, and what it does not."""

from __future__ import annotations

import pytest

from engine.core import Label, Piece, Ref, Rng
from engine.core.cards import card_of
from engine.games.sevens import GAME
from engine.games.sevens.state import Options, Pass, Play, State
from engine.games.sevens.view import Status
from tests.games.sevens.table import after, board, move, offers
from tests.games.sevens.vectors import read_cards

ONE_SUIT_EACH = tuple(
    " ".join(rank + suit for rank in "A2345689TJQK") for suit in "CDHS"
)  # SV-01: whole suits, sevens laid, seat 2 begins


def test_the_seat_on_turn_sees_its_cards_and_moves_and_the_others_a_number() -> None:
    state = board(*ONE_SUIT_EACH, turn=2)
    assert GAME.view(state, 2).hand == read_cards(ONE_SUIT_EACH[2])
    assert offers(state) == ["play:6H", "play:8H", "pass"]
    for viewer in (0, 1, 3, None):
        seen = GAME.view(state, viewer)
        assert seen.players[2].hand_size == 12
        assert not set(seen.hand) & set(state.hands[2])
        assert viewer is None or GAME.legal_moves(state, viewer) == ()


def test_everybody_sees_the_cards_of_a_player_who_went_out() -> None:
    state = after(board("5D KS", "6D TC 9H", "8S 2C QD", passes=(0, 3, 3)), "pass")
    for viewer in (None, 0, 1, 2):
        seen = GAME.view(state, viewer)
        assert card_of("5D") in seen.rows[1].cards
        assert card_of("KS") in seen.rows[3].cards
        assert (seen.players[0].status, seen.players[0].place) == (Status.OUT, 3)


def test_swapping_cards_between_two_others_changes_nothing_for_a_player() -> None:
    one = board("6H 2C", "8H 9C", "6C 3D")
    other = board("6H 2C", "6C 9C", "8H 3D")
    for viewer in (0, None):
        assert GAME.view(one, viewer) == GAME.view(other, viewer)
    assert GAME.view(one, 1) != GAME.view(other, 1)


def test_a_row_tells_its_ends_its_islands_and_what_it_takes_next() -> None:
    row = GAME.view(board("2C", "3C", "", table="7C 7D 7H 7S 8S 6S TS AS", out=(2,)), None).rows[3]
    assert row.cards == read_cards("AS 6S 7S 8S TS")
    assert (row.lowest, row.highest) == (card_of("6S"), card_of("8S"))
    assert row.islands == read_cards("AS TS")
    assert row.open == read_cards("5S 9S")


def test_with_two_packs_a_copy_beyond_the_run_is_an_island() -> None:
    table = "7C 7C 7D 7D 7H 7H 7S 7S 6S 5S 5S"
    row = GAME.view(board("2C", "3C", "", table=table, options=Options(decks=2), out=(2,)), None).rows[3]
    assert row.islands == read_cards("5S")
    assert row.lowest == card_of("5S")
    assert row.open == read_cards("4S 6S 8S")


def test_a_full_row_takes_nothing() -> None:
    whole = " ".join(rank + "S" for rank in "A23456789TJQK")
    row = GAME.view(board("2C", "3C", "4C", table="7C 7D 7H " + whole), None).rows[3]
    assert (row.open, row.islands) == ((), ())
    assert (row.lowest, row.highest) == (card_of("AS"), card_of("KS"))


def finished_game() -> State:
    return after(board("6H", "8H 9H", "", finished=(2,)), "play:6H")


def test_at_the_end_the_last_hand_lies_open() -> None:
    players = GAME.view(finished_game(), None).players
    assert [player.status for player in players] == [Status.FINISHED, Status.LAST, Status.FINISHED]
    assert [player.place for player in players] == [2, 3, 1]
    assert players[1].shown == read_cards("8H 9H")


def test_before_the_end_no_hand_lies_open() -> None:
    state = GAME.setup(Options(), 4, Rng(b"", 0))
    assert all(player.shown == () for player in GAME.view(state, 0).players)


@pytest.mark.parametrize("viewer", [None, 0])
def test_the_scene_shows_own_cards_and_the_backs_of_others(viewer: int | None) -> None:
    zones = {zone.id: zone for zone in GAME.scene(GAME.view(board("6H 2C", "8H", "6C"), viewer)).zones}
    assert zones["row/D"].pieces == (Piece("7D"),)
    assert zones["hand/1"].pieces == (Piece(count=1),)
    assert zones["hand/0"].pieces == ((Piece("2C"), Piece("6H")) if viewer == 0 else (Piece(count=2),))
    assert zones["passes/2"].pieces == (Piece("pass", 3),)


def test_the_scene_of_a_finished_game_shows_the_last_hand() -> None:
    zones = {zone.id: zone for zone in GAME.scene(GAME.view(finished_game(), None)).zones}
    assert zones["hand/1"].pieces == (Piece("8H"), Piece("9H"))
    assert zones["hand/0"].pieces == ()


def test_moves_in_words_and_pieces() -> None:
    ten = Play(card_of("TS"))
    assert (GAME.notation(ten), GAME.notation(Pass())) == ("play:TS", "pass")
    assert (GAME.label(ten), GAME.label(Pass())) == (Label("offer.play", (("card", "10♠"),)), Label("offer.pass"))
    assert GAME.refs(ten) == (Ref(piece="TS"), Ref(zone="row/S"))
    assert GAME.refs(Pass()) == (Ref(piece="pass"),)


def test_events_in_words() -> None:
    step = move(board("6H", "8H 9H", "", finished=(2,)), "play:6H")
    said = [GAME.event_label(fact.public, fact.seat) for fact in step.facts if fact.public is not None]
    assert said == [
        Label("event.card_played", (("seat", "0"), ("card", "6♥"))),
        Label("event.finished", (("seat", "0"), ("place", "2"))),
        Label("event.game_ended", (("seat", "1"), ("place", "3"))),
    ]
