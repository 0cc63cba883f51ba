"""What bots make of Sevens: open for the own hand, keep shut for the others."""

from __future__ import annotations

from engine.core import Budget, Level, Rng, decide, sight_of
from engine.games.sevens import GAME
from engine.games.sevens.state import State
from tests.games.sevens.table import SEVENS, board


def basic(state: State) -> str:
    """What ``basic`` plays for the seat on turn."""
    return _chosen(Level.BASIC, state)


def imagined(state: State) -> str:
    """What the seat on turn plays in an imagined world."""
    assert state.turn is not None
    moves = GAME.legal_moves(state, state.turn)
    return GAME.notation(GAME.imagined_move(state, state.turn, moves, Rng(b"", 1)))


def _chosen(level: Level, state: State) -> str:
    assert state.turn is not None
    return GAME.notation(decide(level, sight_of(GAME, state, state.turn), Rng(b"", 1), Budget(400)))


def test_it_opens_the_way_for_its_own_cards() -> None:
    assert basic(board("6C 6D 5D 4D", "5C 4C", "8H 9H")) == "play:6D"


def test_of_cards_that_open_nothing_for_it_it_lays_the_one_that_helps_the_others_least() -> None:
    # Behind the queen there is only the king, behind the six there are five cards.
    table = f"{SEVENS} 8C 9C TC JC"
    assert basic(board("QC 6D", "KC 5D 4D", "8H 9H 8S", table=table)) == "play:QC"


def test_a_beginner_does_not_pass_while_he_can_play() -> None:
    assert basic(board("6C KS", "5C 4C", "8H 9H")) == "play:6C"


def test_in_an_imagined_world_a_seat_passes_rather_than_help_the_others() -> None:
    assert imagined(board("6C KS", "5C 4C", "8H 9H")) == "pass"
    assert imagined(board("6C 5C 4C", "3C", "8H 9H")) == "play:6C"
    assert imagined(board("6C KS", "5C 4C", "8H 9H", passes=(0, 3, 3))) == "play:6C"


def test_strong_lays_the_card_that_ends_the_game() -> None:
    # The pass gives the others their way through the hearts.
    state = board("8S", "8H 9H", "TH 3C", table=f"{SEVENS} 6C 5C 4C")
    assert _chosen(Level.STRONG, state) == "play:8S"
