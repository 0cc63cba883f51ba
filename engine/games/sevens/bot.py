"""How bots play Sevens: open the way for the own cards, keep shut what helps the others only."""

from __future__ import annotations

from collections.abc import Container

from engine.games.sevens import rules
from engine.games.sevens.state import Move, Play, State
from engine.games.sevens.view import View

# Of a card: those behind it, from the next one to the ace or king.
_BEHIND: dict[int, tuple[int, ...]] = {
    card: tuple(way[at + 1 :]) for _, way in rules.WAYS for at, card in enumerate(way)
}
# What an own card behind is worth, and what opening the way for a card of another costs; what a pass is
# worth beside them.
_OWN = 2
_FOREIGN = 1
_PASSING = 0


def rule_of_thumb(view: View, moves: tuple[Move, ...]) -> Move:
    """The card that opens most for the own hand and least for the others; a beginner passes only if he must."""
    plays = tuple(move for move in moves if isinstance(move, Play))
    lying = frozenset(card for row in view.rows for card in row.cards)
    return _best(plays or moves, view.hand, lying)


def imagined_move(state: State, seat: int, moves: tuple[Move, ...]) -> Move:
    """The best card, or a pass while every card helps the others more."""
    return _best(moves, state.hands[seat], state.table)


def _best(moves: tuple[Move, ...], hand: tuple[int, ...], lying: Container[int]) -> Move:
    """The move of most merit."""
    return max(moves, key=lambda move: _merit(move.card, hand, lying) if isinstance(move, Play) else _PASSING)


def _merit(card: int, hand: tuple[int, ...], lying: Container[int]) -> int:
    """How much laying the card helps: own cards need it, and the next ones of others become playable."""
    behind = _BEHIND[card]
    own = sum([other in hand for other in behind])
    foreign = 0
    for other in behind:
        if other in hand:
            break
        foreign += other not in lying
    return _OWN * own - _FOREIGN * foreign
