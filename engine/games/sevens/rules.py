"""The rules of Sevens, clause by clause; RULES.md has them in words."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TypeVar

from msgspec.structs import replace

from engine.core.cards import card_text, rank_of
from engine.core.leaving import RESIGNED, ranked
from engine.core.model import Fact, IllegalMove, InvalidOptions, Placement, Result, Share, Step
from engine.core.rng import Rng
from engine.games.sevens.state import (
    CardPlayed,
    Event,
    Finished,
    GameEnded,
    Move,
    Options,
    Pass,
    Passed,
    Play,
    State,
    WentOut,
)

T = TypeVar("T")

SEAT_COUNTS = (3, 4, 5, 6, 7, 8)
PASS_LIMITS = (0, 1, 2, 3, 4, 5)
DECKS = (1, 2)

PACK = tuple(range(1, 53))
SEVEN = 7
SEVENS = tuple(card for card in PACK if rank_of(card) == SEVEN)
SEVEN_OF_DIAMONDS = SEVENS[1]

# From each seven downward to the ace and upward to the king: the cards in the order in which they must be laid.
WAYS = tuple((seven, way) for seven in SEVENS for way in (range(seven - 1, seven - 7, -1), range(seven + 1, seven + 7)))

_PLAYS = tuple(Play(card) for card in range(53))
_PASS = Pass()


def deal(options: Options, seats: int, rng: Rng) -> tuple[tuple[int, ...], ...]:
    """The hands as dealt, one card at a time from seat 0 on (2.1). Raises InvalidOptions."""
    if seats not in SEAT_COUNTS:
        raise InvalidOptions("seats", f"{seats} players cannot play, only {SEAT_COUNTS[0]} to {SEAT_COUNTS[-1]}")
    if options.pass_limit not in PASS_LIMITS:
        raise InvalidOptions("pass_limit", f"must be from {PASS_LIMITS[0]} to {PASS_LIMITS[-1]}")
    if options.decks not in DECKS:
        raise InvalidOptions("decks", f"must be {DECKS[0]} or {DECKS[-1]}")
    pack = rng.shuffle(PACK * options.decks)
    return tuple(pack[seat::seats] for seat in range(seats))


def opening(options: Options, dealt: Sequence[Iterable[int]]) -> State:
    """The state before the first turn: all sevens on the table (2.2), the turn left of the seven of diamonds (2.3)."""
    hands = [tuple(sorted(hand)) for hand in dealt]
    starter = next(seat for seat, hand in enumerate(hands) if SEVEN_OF_DIAMONDS in hand)
    return State(
        options=options,
        turn=(starter + 1) % len(hands),
        hands=tuple(tuple(card for card in hand if rank_of(card) != SEVEN) for hand in hands),
        table=tuple(sorted(card for hand in hands for card in hand if rank_of(card) == SEVEN)),
        passes=(options.pass_limit,) * len(hands),
    )


def copies(cards: Iterable[int]) -> list[int]:
    """How often each card is among ``cards``, by card number."""
    counts = [0] * 53
    for card in cards:
        counts[card] += 1
    return counts


# A question asks for them more than once: what may be played, what the clock would play, what a bot thinks of it.
@lru_cache(maxsize=4096)
def open_cards(table: tuple[int, ...]) -> frozenset[int]:
    """The cards that may be laid next, whoever holds them (3.2)."""
    counts = copies(table)
    found = set()
    for seven, way in WAYS:
        chains = counts[seven]
        for card in way:
            lying = counts[card]
            # ``chains`` copies of everything nearer to the seven lie there: room for that many copies of this card.
            if lying < chains:
                found.add(card)
                chains = lying
                if not chains:
                    break
    return frozenset(found)


def connected(table: Iterable[int]) -> list[int]:
    """How many copies of each card a run connects with its seven, by card number; the others are islands (3.3)."""
    counts = copies(table)
    for seven, way in WAYS:
        chains = counts[seven]
        for card in way:
            chains = counts[card] = min(chains, counts[card])
    return counts


def playable(state: State, seat: int) -> list[int]:
    """The cards of the hand that may be laid, ascending, equal ones once."""
    return sorted(open_cards(state.table).intersection(state.hands[seat]))


def legal_moves(state: State, seat: int) -> tuple[Move, ...]:
    """Playable cards in ascending order, then the pass if it is allowed (4.2, 4.3)."""
    if seat != state.turn:
        return ()
    cards = playable(state, seat)
    if cards and not state.passes[seat]:
        return tuple([_PLAYS[card] for card in cards])
    return (*[_PLAYS[card] for card in cards], _PASS)


def refusal(state: State, seat: int, move: Move) -> IllegalMove:
    """Why the seat on turn may not make the move: from its hand, its passes and the table alone."""
    if isinstance(move, Pass):
        return IllegalMove("You have no pass left and can lay a card.", "4.3")
    if move.card not in state.hands[seat]:
        return IllegalMove("You do not hold this card.", "4.2")
    return IllegalMove(f"{card_text(move.card)} is not connected with the seven of its suit yet.", "3.2")


def apply(state: State, seat: int, move: Move) -> Step[State, Event]:
    """The state and the events after a legal move."""
    if isinstance(move, Play):
        return _lay(state, seat, move.card)
    if state.passes[seat]:
        return _use_pass(state, seat)
    return _go_out(state, seat)


def _lay(state: State, seat: int, card: int) -> Step[State, Event]:
    """A card goes to the table (4.2); whoever laid the last one takes the best free place (5.1)."""
    hand = state.hands[seat]
    at = hand.index(card)
    left = hand[:at] + hand[at + 1 :]
    table = list(state.table)
    insort(table, card)
    hands = _with(state.hands, seat, left)
    played = Fact[Event](seat, CardPlayed(card))
    if left:
        return _hand_on(replace(state, hands=hands, table=tuple(table)), seat, played)
    finished = (*state.finished, seat)
    after = replace(state, hands=hands, table=tuple(table), finished=finished)
    return _hand_on(after, seat, played, Fact(seat, Finished(len(finished))))


def _use_pass(state: State, seat: int) -> Step[State, Event]:
    """One pass less (4.4)."""
    left = state.passes[seat] - 1
    return _hand_on(replace(state, passes=_with(state.passes, seat, left)), seat, Fact(seat, Passed(left)))


def _go_out(state: State, seat: int) -> Step[State, Event]:
    """The whole hand goes to the table, the worst free place is taken (5.2)."""
    hand = state.hands[seat]
    place = len(state.hands) - len(state.out)
    after = replace(
        state,
        hands=_with(state.hands, seat, ()),
        table=tuple(sorted(state.table + hand)),
        out=(*state.out, seat),
    )
    return _hand_on(after, seat, Fact(seat, WentOut(hand, place)))


def _hand_on(state: State, seat: int, *facts: Fact[Event]) -> Step[State, Event]:
    """The turn goes from ``seat`` to the next player still playing (4.5), or the game ends (6.1)."""
    seats = len(state.hands)
    gone = state.finished + state.out
    following = (seat + 1) % seats
    while following in gone:
        following = (following + 1) % seats
    if len(gone) < seats - 1:
        return Step(replace(state, turn=following), facts)
    ended = GameEnded(following, state.hands[following], len(state.finished) + 1)
    return Step(replace(state, turn=None), (*facts, Fact(None, ended)))


def _with(items: tuple[T, ...], seat: int, item: T) -> tuple[T, ...]:
    return (*items[:seat], item, *items[seat + 1 :])


def places(state: State) -> tuple[int | None, ...]:
    """The place of each seat, None while it is open: finishers from the top, out players from the bottom (6.2)."""
    seats = len(state.hands)
    taken = {seat: place for place, seat in enumerate(state.finished, 1)}
    taken |= {seat: seats - before for before, seat in enumerate(state.out)}
    if state.turn is None:
        last = next(seat for seat in range(seats) if seat not in taken)
        taken[last] = len(state.finished) + 1
    return tuple(taken.get(seat) for seat in range(seats))


def result(state: State) -> Result | None:
    """Place p of n is worth n + 1 - p points (6.3)."""
    if state.turn is not None:
        return None
    placements = []
    for seat, place in enumerate(places(state)):
        if place is not None:
            points = len(state.hands) + 1 - place
            placements.append(Placement(seat, place, points, (Share("place", points),)))
    return Result(tuple(placements), "one_player_left")


def forfeit(state: State, resigned: frozenset[int]) -> Result | None:
    """Whoever is left over takes the best free place (8.2); None while two players have cards to play."""
    seats = len(state.hands)
    playing = set(range(seats)).difference(state.finished, state.out, resigned)
    if len(playing) > 1:
        return None
    taken = places(state)
    ranks = [len(state.finished) + 1 if seat in playing else place or seats for seat, place in enumerate(taken)]
    scores = [seats + 1 - rank if seat in playing or taken[seat] else 0 for seat, rank in enumerate(ranks)]
    placements = (Placement(seat, rank, score) for seat, (rank, score) in enumerate(zip(ranks, scores, strict=True)))
    return Result(ranked(placements, resigned), RESIGNED)


def timeout_move(state: State, seat: int) -> Move:
    """The playable card farthest from its seven, which opens least for the others; the pass if there is none (4.6)."""
    cards = playable(state, seat)
    if not cards:
        return _PASS
    return _PLAYS[max(cards, key=lambda card: (abs(rank_of(card) - SEVEN), -card))]
