"""The turns of Nana Toridori, clause by clause; RULES.md has them in words."""

from __future__ import annotations

from functools import cache
from typing import cast

from msgspec.structs import replace

from engine.core.model import Fact, Prompt, Step
from engine.core.rng import Rng
from engine.games.nana_toridori import combinations, rounds
from engine.games.nana_toridori.state import (
    BeatenDiscarded,
    BeatenTaken,
    Cards,
    Discard,
    DiscardFront,
    Drawn,
    DrawnDiscarded,
    DrawnKept,
    Event,
    FrontDiscarded,
    FrontKept,
    Keep,
    KeepFront,
    Move,
    Pass,
    Passed,
    Phase,
    Play,
    Played,
    State,
    Take,
    TrickEnded,
    WentOut,
)

_PASS = Pass()
_DISCARD = Discard()


def prompts(state: State) -> tuple[Prompt, ...]:
    """One question at a time, to the seat on turn (4.1); whoever must play is asked to lead."""
    if state.turn is None:
        return ()
    kind = "lead" if state.phase is Phase.PLAY and not state.table else state.phase.name.lower()
    return (Prompt(state.turn, kind),)


def legal_moves(state: State, seat: int) -> tuple[Move, ...]:
    """Every answer to the question that the seat is asked: from left to right, then what needs no place."""
    if seat != state.turn:
        return ()
    hand = state.hands[seat]
    match state.phase:
        case Phase.PLAY:
            plays = combinations.plays(hand, state.front[seat], state.table)
            return (*plays, _PASS) if state.table else tuple(plays)
        case Phase.TAKE:
            return _takes(len(hand))
        case Phase.KEEP:
            return _keeps(len(hand))
        case _:
            return _front_moves(len(state.front[seat]), len(hand))


@cache
def _takes(size: int) -> tuple[Move, ...]:
    """A block may go before any card of the hand or after the last one (4.5)."""
    return (*map(Take, range(size + 1)), _DISCARD)


@cache
def _keeps(size: int) -> tuple[Move, ...]:
    """So may a drawn card (5.2)."""
    return (*map(Keep, range(size + 1)), _DISCARD)


@cache
def _front_moves(front: int, size: int) -> tuple[Move, ...]:
    """And so may each front card (10.4)."""
    kept = [KeepFront(index, position) for index in range(front) for position in range(size + 1)]
    return (*kept, *map(DiscardFront, range(front)))


def apply(state: State, seat: int, move: Move, rng: Rng) -> Step[State, Event]:
    """The state and the events after a legal move."""
    match move:
        case Play():
            return _play(state, seat, move, rng)
        case Pass():
            return _pass(state, seat, rng)
        case Take(position=position):
            return _take(state, seat, position)
        case Keep(position=position):
            return _keep(state, seat, position)
        case Discard():
            return _discard_beaten(state, seat) if state.phase is Phase.TAKE else _discard_drawn(state, seat)
        case KeepFront(index=index, position=position):
            return _keep_front(state, seat, index, position)
        case DiscardFront(index=index):
            return _discard_front(state, seat, index)


def _play(state: State, seat: int, move: Play, rng: Rng) -> Step[State, Event]:
    """The cards leave the hand, the gap closes, and they become the table combination (4.4)."""
    hand = state.hands[seat]
    value = hand[move.start]
    left = hand[: move.start] + hand[move.start + move.count :]
    cards = (value,) * (move.count + len(move.front))
    after = replace(
        state,
        hands=_with(state.hands, seat, left),
        known=_with(state.known, seat, _less(state.known[seat], value, move.count)),
        front=_front_without(state, seat, move.front) if move.front else state.front,
        beaten=state.table,
        table=cards,
        owner=seat,
        passes=0,
    )
    # Where in the hand the cards were is nobody else's business (11.1).
    played = _own(seat, Played(cards, move.front, None), Played(cards, move.front, move.start))
    if not left:
        return _go_out(after, seat, played, rng)
    if after.beaten:
        return Step(replace(after, phase=Phase.TAKE), (played,))
    return Step(replace(after, turn=_next_holder(after.hands, seat)), (played,))


def _go_out(state: State, seat: int, played: Fact[Event], rng: Rng) -> Step[State, Event]:
    """Nothing is taken; the round goes on while two players hold cards (7.1, 7.2)."""
    finished = (*state.finished, seat)
    after = replace(state, discard_pile=state.discard_pile + state.beaten, beaten=(), finished=finished)
    facts: tuple[Fact[Event], ...] = (played, Fact(seat, WentOut(len(finished))))
    if state.beaten:
        facts = (played, Fact(seat, BeatenDiscarded(state.beaten)), facts[-1])
    following = _next_holder(after.hands, seat)
    if len(finished) == len(state.hands) - 1:
        return rounds.end_round(after, following, facts, rng)
    return Step(replace(after, phase=Phase.PLAY, turn=following), facts)


def _take(state: State, seat: int, position: int) -> Step[State, Event]:
    """All the beaten cards, as one block (4.5); from now on everybody knows that they are there (11.3)."""
    cards = state.beaten
    after = _gain(state, seat, cards, position, shown=True)
    fact = _own(seat, BeatenTaken(cards, None), BeatenTaken(cards, position))
    return Step(replace(after, phase=Phase.PLAY, beaten=(), turn=_next_holder(after.hands, seat)), (fact,))


def _discard_beaten(state: State, seat: int) -> Step[State, Event]:
    after = replace(
        state,
        phase=Phase.PLAY,
        beaten=(),
        discard_pile=state.discard_pile + state.beaten,
        turn=_next_holder(state.hands, seat),
    )
    return Step(after, (Fact(seat, BeatenDiscarded(state.beaten)),))


def _pass(state: State, seat: int, rng: Rng) -> Step[State, Event]:
    """A pass costs a front card in a duel (10.4, 10.5); otherwise it draws a card, if there is one (5.1, 5.3)."""
    after = replace(state, passes=state.passes + 1)
    passed: Fact[Event] = Fact(seat, Passed(after.passes))
    if rounds.is_duel(state.options):
        if state.front[seat]:
            return Step(replace(after, phase=Phase.FRONT), (passed,))
        return rounds.end_round(after, seat, (passed,), rng)
    if not state.draw_pile:
        return _hand_on(after, seat, passed)
    card, pile = state.draw_pile[0], state.draw_pile[1:]
    drawn = _own(seat, Drawn(None, len(pile)), Drawn(card, len(pile)))
    return Step(replace(after, phase=Phase.KEEP, drawn=card, draw_pile=pile), (passed, drawn), reveals=True)


def _keep(state: State, seat: int, position: int) -> Step[State, Event]:
    """The drawn card goes into the hand, face down for everybody else (5.2, 11.2)."""
    card = cast("int", state.drawn)  # there is one in this phase
    after = replace(_gain(state, seat, (card,), position, shown=False), drawn=None)
    return _hand_on(after, seat, _own(seat, DrawnKept(None, None), DrawnKept(card, position)))


def _discard_drawn(state: State, seat: int) -> Step[State, Event]:
    card = cast("int", state.drawn)  # there is one in this phase
    after = replace(state, drawn=None, discard_pile=(*state.discard_pile, card))
    return _hand_on(after, seat, Fact(seat, DrawnDiscarded(card)))


def _keep_front(state: State, seat: int, index: int, position: int) -> Step[State, Event]:
    """A front card goes into the hand; it lay face up, so everybody knows it (10.4, 11.3)."""
    card = state.front[seat][index]
    gained = _gain(state, seat, (card,), position, shown=True)
    after = replace(gained, front=_front_without(state, seat, (index,)))
    return _hand_on(after, seat, _own(seat, FrontKept(index, card, None), FrontKept(index, card, position)))


def _discard_front(state: State, seat: int, index: int) -> Step[State, Event]:
    card = state.front[seat][index]
    front = _front_without(state, seat, (index,))
    after = replace(state, front=front, discard_pile=(*state.discard_pile, card))
    return _hand_on(after, seat, Fact(seat, FrontDiscarded(index, card)))


def _hand_on(state: State, seat: int, fact: Fact[Event]) -> Step[State, Event]:
    """After a pass: the next player, or the end of the trick when all others have passed (4.1, 6.1 to 6.3)."""
    if state.passes < passes_needed(state):
        return Step(replace(state, phase=Phase.PLAY, turn=_next_holder(state.hands, seat)), (fact,))
    owner = cast("int", state.owner)  # there is one: nobody passes on an empty table (4.3)
    leader = owner if state.hands[owner] else _next_holder(state.hands, owner)
    after = replace(
        state,
        phase=Phase.PLAY,
        turn=leader,
        discard_pile=state.discard_pile + state.table,
        table=(),
        owner=None,
        passes=0,
    )
    return Step(after, (fact, Fact(None, TrickEnded(state.table, owner, leader))))


def passes_needed(state: State) -> int:
    """How many passes end the trick: every player with cards but the owner of the table combination (6.1)."""
    holders = len(state.hands) - len(state.finished)
    return holders if state.owner in state.finished else holders - 1


def _next_holder(hands: tuple[Cards, ...], seat: int) -> int:
    """The next seat clockwise that holds cards (4.1)."""
    seats = len(hands)
    following = (seat + 1) % seats
    while not hands[following]:
        following = (following + 1) % seats
    return following


def _gain(state: State, seat: int, cards: Cards, position: int, *, shown: bool) -> State:
    """The cards go into the hand as one block before the card at ``position``; all else keeps its order (2.1)."""
    hand = state.hands[seat]
    hands = _with(state.hands, seat, hand[:position] + cards + hand[position:])
    if not shown:
        return replace(state, hands=hands)
    return replace(state, hands=hands, known=_with(state.known, seat, tuple(sorted(state.known[seat] + cards))))


def _less(known: Cards, value: int, count: int) -> Cards:
    """What is known to be left of a hand after ``count`` cards of a value were played: perhaps these very ones."""
    if value not in known:
        return known
    at = known.index(value)
    return known[:at] + known[at + min(count, known.count(value)) :]


def _front_without(state: State, seat: int, indices: tuple[int, ...]) -> tuple[Cards, ...]:
    left = tuple(card for index, card in enumerate(state.front[seat]) if index not in indices)
    return _with(state.front, seat, left)


def _own(seat: int, public: Event, private: Event) -> Fact[Event]:
    """What ``seat`` did, as everybody sees it and as it sees it itself."""
    return Fact(seat, public, ((seat, private),))


def _with(items: tuple[Cards, ...], seat: int, item: Cards) -> tuple[Cards, ...]:
    return (*items[:seat], item, *items[seat + 1 :])
