"""A turn of CuBirds, clause by clause; RULES.md has them in words."""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from engine.core.model import Prompt, Step
from engine.core.rng import Rng
from engine.games.cubirds.deal import HAND_SIZE, ROWS, deal_round
from engine.games.cubirds.scoring import reached_goal, winners
from engine.games.cubirds.species import BIG_FLOCK, SMALL_FLOCK, SPECIES
from engine.games.cubirds.state import (
    Birds,
    BirdsDrawn,
    BirdsLaid,
    BirdsTaken,
    Draw,
    DrawDeclined,
    End,
    Event,
    Flock,
    FlockCompleted,
    FlockDeclined,
    GameEnded,
    Lay,
    Move,
    NoDraw,
    NoFlock,
    Phase,
    RoundBegan,
    RoundEnded,
    RowRefilled,
    Side,
    State,
)
from engine.games.cubirds.supply import Supply

T = TypeVar("T")

# The numbers of birds that may be drawn and that a flock sends home.
DRAWN = 2
SMALL_BANKED = 1
BIG_BANKED = 2

# Every lay of a species, by its number.
_LAYS: tuple[tuple[Move, ...], ...] = (
    (),
    *(tuple(Lay(species, row, side) for row in ROWS for side in Side) for species in SPECIES),
)
_DRAWS: tuple[Move, ...] = (Draw(), NoDraw())
_FLOCKS: tuple[Move, ...] = (NoFlock(), *map(Flock, SPECIES))
_KINDS = {Phase.LAY: "lay", Phase.DRAW: "draw", Phase.FLOCK: "flock"}


def prompts(state: State) -> tuple[Prompt, ...]:
    """The one open question, to the player on turn; the flock is asked about even if none is possible (5.3)."""
    return () if state.turn is None else (Prompt(state.turn, _KINDS[state.phase]),)


def legal_moves(state: State, seat: int) -> tuple[Move, ...]:
    """Every answer of the player on turn: species in their order, rows from the first, left before right."""
    if seat != state.turn:
        return ()
    if state.phase is Phase.DRAW:
        return _DRAWS
    hand = state.hands[seat]
    moves: list[Move] = []
    last = 0
    if state.phase is Phase.LAY:
        for bird in hand:
            if bird != last:
                moves += _LAYS[bird]
                last = bird
        return tuple(moves)
    for bird in hand:
        if bird != last:
            last = bird
            if hand.count(bird) >= SMALL_FLOCK[bird]:
                moves.append(_FLOCKS[bird])
    return (*moves, _FLOCKS[0])


def apply(state: State, seat: int, move: Move, rng: Rng) -> Step[State, Event]:
    """The state and the events after a legal move. It reveals something exactly if a new bird came up."""
    supply = Supply(state, rng)
    match move:
        case Lay():
            after = _lay(state, seat, move, supply)
        case Draw():
            after = _draw(state, seat, supply)
        case NoDraw():
            supply.tell(seat, DrawDeclined())
            after = _ask_for_flock(state, seat, supply)
        case Flock():
            after = _flock(state, seat, move.species, supply)
        case NoFlock():
            supply.tell(seat, FlockDeclined())
            after = _end_turn(state, seat, supply)
    after = replace(after, draw_pile=supply.draw_pile, discard_pile=supply.discard_pile)
    return Step(after, tuple(supply.facts), supply.used)


def enclosed(row: Birds, species: int, side: Side) -> Birds:
    """The birds between an end of the row and the nearest bird of the species; none if it is not there (3.2, 3.3)."""
    if species not in row:
        return ()
    if side is Side.LEFT:
        return row[: row.index(species)]
    return row[len(row) - row[::-1].index(species) :]


def _lay(state: State, seat: int, move: Lay, supply: Supply) -> State:
    """All birds of the species go to the row (3.1), the enclosed ones into the hand (3.2)."""
    species, side = move.species, move.side
    hand, row = state.hands[seat], state.rows[move.row]
    count, at = hand.count(species), hand.index(species)
    hand = hand[:at] + hand[at + count :]
    taken = enclosed(row, species, side)
    supply.tell(seat, BirdsLaid(species, count, move.row, side))
    closed = row[len(taken) :] if side is Side.LEFT else row[: len(row) - len(taken)]
    row = _put(closed, (species,) * count, side)
    if taken:
        supply.tell(seat, BirdsTaken(move.row, taken))
        hand = tuple(sorted(hand + taken))
        if row.count(species) == len(row):
            row = _refilled(row, seat, move, supply)
    after = replace(state, rows=_with(state.rows, move.row, row), hands=_with(state.hands, seat, hand))
    if taken or not supply.size:
        return _ask_for_flock(after, seat, supply)
    return replace(after, phase=Phase.DRAW)


def _refilled(row: Birds, seat: int, move: Lay, supply: Supply) -> Birds:
    """The row of one species with new birds at the end of the lay, if there are any (3.4, 3.5, 7.2)."""
    birds = supply.take_through_other(move.species)
    if birds:
        supply.tell(seat, RowRefilled(move.row, move.side, birds))
    return _put(row, birds, move.side)


def _put(row: Birds, birds: Birds, side: Side) -> Birds:
    """The row with the birds at one end, the first of them innermost."""
    return birds[::-1] + row if side is Side.LEFT else row + birds


def _draw(state: State, seat: int, supply: Supply) -> State:
    """Two birds into the hand, or as many as there are (4.1)."""
    birds = tuple(sorted(supply.take(DRAWN)))
    supply.tell_owner(seat, BirdsDrawn(len(birds)), seat, BirdsDrawn(len(birds), birds))
    hand = tuple(sorted(state.hands[seat] + birds))
    return _ask_for_flock(replace(state, hands=_with(state.hands, seat, hand)), seat, supply)


def _ask_for_flock(state: State, seat: int, supply: Supply) -> State:
    """Always, whether or not one is possible; only an empty hand goes without saying (5.3)."""
    if not state.hands[seat]:
        return _end_turn(state, seat, supply)
    return replace(state, phase=Phase.FLOCK)


def banked(species: int, count: int) -> int:
    """How many of ``count`` birds, at least a small flock, go into the collection (5.2)."""
    return BIG_BANKED if count >= BIG_FLOCK[species] else SMALL_BANKED


def _flock(state: State, seat: int, species: int, supply: Supply) -> State:
    """All birds of the species leave the hand: one or two are collected, the others discarded (5.2)."""
    hand = state.hands[seat]
    count, at = hand.count(species), hand.index(species)
    kept = banked(species, count)
    supply.tell(seat, FlockCompleted(species, count, kept, count - kept))
    supply.discard((species,) * (count - kept))
    collection = tuple(sorted(state.collections[seat] + (species,) * kept))
    after = replace(
        state,
        hands=_with(state.hands, seat, hand[:at] + hand[at + count :]),
        collections=_with(state.collections, seat, collection),
    )
    return _end_turn(after, seat, supply)


def _end_turn(state: State, seat: int, supply: Supply) -> State:
    """The goal first, then the empty hand, otherwise the next player (5.5)."""
    if reached_goal(state.collections[seat]):
        return _end_game(state, End.OBJECTIVE, supply)
    if not state.hands[seat]:
        return _end_round(state, seat, supply)
    return replace(state, phase=Phase.LAY, turn=(seat + 1) % len(state.hands))


def _end_round(state: State, seat: int, supply: Supply) -> State:
    """The others discard their hands (6.3); then a new round, if there are birds enough (6.2, 6.4)."""
    seats = len(state.hands)
    supply.tell(seat, RoundEnded(state.round, tuple(map(len, state.hands))))
    supply.discard(tuple(bird for hand in state.hands for bird in hand))
    if supply.size < HAND_SIZE * seats:
        return _end_game(replace(state, hands=((),) * seats), End.DEAL_IMPOSSIBLE, supply)
    supply.tell(seat, RoundBegan(state.round + 1))
    hands = deal_round(supply, seat, seats)
    return replace(state, phase=Phase.LAY, turn=seat, dealer=seat, round=state.round + 1, hands=hands)


def _end_game(state: State, end: End, supply: Supply) -> State:
    """Nothing is asked any more."""
    supply.tell(None, GameEnded(end, winners(state.collections), tuple(map(len, state.collections))))
    return replace(state, phase=Phase.OVER, turn=None)


def _with(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    return (*items[:at], item, *items[at + 1 :])
