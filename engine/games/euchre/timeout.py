"""What the clock plays for an absent seat: cautious, and from the seat's own knowledge alone (RULES 11)."""

from __future__ import annotations

from engine.core.cards import Card
from engine.games.euchre.bidding import PASS
from engine.games.euchre.pack import HEIGHTS, SUITS
from engine.games.euchre.rules import legal_moves
from engine.games.euchre.state import Call, Cards, Discard, Move, NoDefend, Phase, Play, State, Trump


def timeout_move(state: State, seat: int) -> Move:
    """Pass, but not so that a hand ends by it; never go alone, keep the high cards."""
    legal = legal_moves(state, seat)
    # Where all are absent, hands that nobody plays would be dealt for ever.
    if state.phase is Phase.BID2 and seat == state.dealer:
        return _longest_suit(state.hands[seat], legal)
    if PASS in legal:
        return PASS
    if state.phase is Phase.DEFEND:
        return NoDefend()
    # With the Benny turned up this is clubs: the dealer has not seen a card of his.
    return min(legal, key=lambda move: _cost(move, state.trump))


def _cost(move: Move, trump: Trump | None) -> tuple[int, Card]:
    """How much a card is missed; trumps rank above all others."""
    if isinstance(move, Discard | Play) and trump is not None:
        return HEIGHTS[trump][move.card], move.card
    return 0, 0


def _longest_suit(hand: Cards, legal: tuple[Move, ...]) -> Move:
    """The suit with most trumps in hand, the highest ones among equals."""

    def strength(call: Call) -> tuple[int, int]:
        trumps = [card for card in hand if SUITS[call.trump][card] == call.trump]
        return len(trumps), sum(HEIGHTS[call.trump][card] for card in trumps)

    return max((m for m in legal if isinstance(m, Call) and not m.alone and m.trump != Trump.NO_TRUMP), key=strength)
