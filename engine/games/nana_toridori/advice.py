"""Why a move is refused, and what the clock plays for an absent player: both from what the seat itself knows."""

from __future__ import annotations

from engine.core.model import IllegalMove
from engine.games.nana_toridori import combinations, rounds
from engine.games.nana_toridori.state import (
    Discard,
    DiscardFront,
    Keep,
    KeepFront,
    Move,
    Pass,
    Phase,
    Play,
    State,
    Take,
)

# What each phase asks, and the clause that says so; the moves that answer it.
_ASKED: dict[Phase, tuple[str, str, tuple[type[Move], ...]]] = {
    Phase.PLAY: ("You are asked to play cards or to pass.", "4.1", (Play, Pass)),
    Phase.TAKE: ("You must first take or discard the beaten cards.", "4.5", (Take, Discard)),
    Phase.KEEP: ("You must keep or discard the card you have drawn.", "5.2", (Keep, Discard)),
    Phase.FRONT: ("You must keep or discard one of your front cards.", "10.4", (KeepFront, DiscardFront)),
}


def refusal(state: State, seat: int, move: Move) -> IllegalMove:
    """Why the seat on turn may not make the move."""
    text, clause, answers = _ASKED[state.phase]
    if not isinstance(move, answers):
        return IllegalMove(text, clause)
    match move:
        case Play():
            return _play_refusal(state, seat, move)
        case Pass():
            return IllegalMove("The table is empty: you lead and must play.", "4.3")
        case KeepFront(index=index) | DiscardFront(index=index) if not 0 <= index < len(state.front[seat]):
            return IllegalMove(f"You have {len(state.front[seat])} front cards, counted from 0.", "10.4")
        case _:
            return IllegalMove(f"A place in your hand is a number from 0 to {len(state.hands[seat])}.", clause)


def _play_refusal(state: State, seat: int, move: Play) -> IllegalMove:
    hand, front = state.hands[seat], state.front[seat]
    if move.count < 1:
        return IllegalMove("At least one card of the hand must be played.", "10.3" if move.front else "4.2")
    if move.start < 0 or move.start + move.count > len(hand):
        return IllegalMove(f"Your hand has {len(hand)} cards, counted from 0.", "4.2")
    cards = hand[move.start : move.start + move.count]
    if len(set(cards)) > 1:
        return IllegalMove(f"{_text(cards)}: the cards of a combination all have one value.", "3.1")
    if move.front:
        if not rounds.is_duel(state.options):
            return IllegalMove("There are front cards only in a duel.", "10.2")
        if list(move.front) != sorted(set(move.front)) or not 0 <= move.front[0] <= move.front[-1] < len(front):
            return IllegalMove(f"Name each of your {len(front)} front cards at most once, ascending from 0.", "10.3")
        cards += tuple(front[index] for index in move.front)
        if len(set(cards)) > 1:
            return IllegalMove(f"{_text(cards)}: a front card joins cards of its own value.", "10.3")
    return IllegalMove(f"{_text(cards)} does not beat {_text(state.table)}.", "3.3")


def _text(cards: tuple[int, ...]) -> str:
    return " ".join(map(str, cards))


def timeout_move(state: State, seat: int) -> Move:
    """As many cards of the hand as may be played, and no card into the hand (section 12)."""
    if state.phase is Phase.FRONT:
        return DiscardFront(0)
    if state.phase is not Phase.PLAY:
        return Discard()
    hand = state.hands[seat]
    plays = list(combinations.plays(hand, state.front[seat], state.table))
    if not plays:
        return Pass()
    return min(plays, key=lambda play: (-play.count, len(play.front), hand[play.start], play.start, play.front))
