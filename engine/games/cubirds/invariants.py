"""What holds in every position that the rules can reach (10.1), and what in a position a viewer cannot tell."""

from __future__ import annotations

from itertools import groupby, pairwise

from msgspec.structs import replace

from engine.core.model import InvalidPosition
from engine.core.rng import Rng
from engine.games.cubirds.deal import HAND_SIZE, ROW_START, ROWS, SEAT_COUNTS
from engine.games.cubirds.scoring import reached_goal
from engine.games.cubirds.species import COPIES, SPECIES, counts_of, name_of
from engine.games.cubirds.state import Birds, Phase, State

# Numbers of rounds and seats travel in 32 bits; no game comes near.
ROUNDS = range(1, 2**31 - 1)


def check(state: State) -> None:
    """Raise InvalidPosition, naming the field, unless the rules can reach the position."""
    _check_seats(state)
    _check_rows(state)
    _check_order(state)
    _check_birds(state)
    if state.phase is Phase.OVER:
        _check_over(state)
    else:
        _check_phase(state)


def _check_seats(state: State) -> None:
    seats = len(state.hands)
    if seats not in SEAT_COUNTS:
        raise InvalidPosition("hands", "must be of 2 to 5 players (1.1)")
    if len(state.collections) != seats:
        raise InvalidPosition("collections", "must be as many as hands (1.3)")
    if state.options.first_dealer is not None and state.options.first_dealer not in range(seats):
        raise InvalidPosition("options.first_dealer", f"there is no seat {state.options.first_dealer}")
    if state.dealer not in range(seats):
        raise InvalidPosition("dealer", f"there is no seat {state.dealer}")
    if state.round not in ROUNDS:
        raise InvalidPosition("round", "must be 1 or more")
    if state.phase is Phase.OVER:
        if state.turn is not None:
            raise InvalidPosition("turn", "must be null when the game is over")
    elif state.turn not in range(seats):
        raise InvalidPosition("turn", "must be a seat of the game")


def _check_rows(state: State) -> None:
    if len(state.rows) != len(ROWS):
        raise InvalidPosition("rows", f"must be {len(ROWS)} (1.3)")
    for at, row in enumerate(state.rows):
        blocks = [bird for bird, _ in groupby(row)]
        if len(set(blocks)) != len(blocks):
            raise InvalidPosition(f"rows[{at}]", "must hold each species in one block (3.7)")
        # Two birds are left only where a refill found no bird; they are of the species laid there.
        if len(row) < ROW_START and not (len(row) == ROW_START - 1 and len(blocks) == 1):
            raise InvalidPosition(f"rows[{at}]", "has too few birds (2.2, 7.2)")


def _check_order(state: State) -> None:
    for field, birds in _places(state):
        ordered = field.startswith(("rows", "draw_pile"))
        if not ordered and any(later < earlier for earlier, later in pairwise(birds)):
            raise InvalidPosition(field, "must be in the order of the species (10.2)")
    for seat, collection in enumerate(state.collections):
        if not collection:
            raise InvalidPosition(f"collections[{seat}]", "has at least the first bird (2.4)")


def _places(state: State) -> list[tuple[str, Birds]]:
    """Every place by the path of its field."""
    return [
        *((f"rows[{at}]", row) for at, row in enumerate(state.rows)),
        *((f"hands[{seat}]", hand) for seat, hand in enumerate(state.hands)),
        *((f"collections[{seat}]", collection) for seat, collection in enumerate(state.collections)),
        ("draw_pile", state.draw_pile),
        ("discard_pile", state.discard_pile),
    ]


def _check_birds(state: State) -> None:
    places = _places(state)
    for field, birds in places:
        if any(bird not in SPECIES for bird in birds):
            raise InvalidPosition(field, "holds a bird of no species (1.2)")
    counts = counts_of(bird for _, birds in places for bird in birds)
    for species in SPECIES:
        if counts[species] != COPIES[species]:
            # Too few: one is missing from the pile. Too many: the last place that holds one.
            missing = counts[species] < COPIES[species]
            field = "draw_pile" if missing else next(at for at, birds in reversed(places) if species in birds)
            found = f"there are {counts[species]} of {name_of(species)}"
            raise InvalidPosition(field, f"{found} in all places, not {COPIES[species]} (1.2)")


def _check_phase(state: State) -> None:
    for seat, collection in enumerate(state.collections):
        if reached_goal(collection):
            raise InvalidPosition(f"collections[{seat}]", "has reached the goal, so the game is over (6.1)")
    for seat, hand in enumerate(state.hands):
        if not hand and not (state.phase is Phase.DRAW and seat == state.turn):
            raise InvalidPosition(f"hands[{seat}]", "is empty, so the round is over (6.3)")
    if state.phase is Phase.DRAW and not state.draw_pile and not state.discard_pile:
        raise InvalidPosition("phase", "there is no bird that could be drawn (4.3)")


def _check_over(state: State) -> None:
    reached = [seat for seat, collection in enumerate(state.collections) if reached_goal(collection)]
    if len(reached) > 1:
        raise InvalidPosition(f"collections[{reached[1]}]", "has reached the goal, too: one wins alone (6.1)")
    for seat, hand in enumerate(state.hands):
        if reached and not hand and seat not in reached:
            raise InvalidPosition(f"hands[{seat}]", "is empty, so the round was over before (6.3)")
        if not reached and hand:
            raise InvalidPosition(f"hands[{seat}]", "was discarded before the deal was impossible (6.3)")
    if not reached and len(state.draw_pile) + len(state.discard_pile) >= HAND_SIZE * len(state.hands):
        raise InvalidPosition("phase", "nobody has reached the goal, and a deal is possible (6.2)")


def redeal(state: State, seat: int | None, rng: Rng) -> State:
    """The hands that ``seat`` (None: a spectator) cannot see and both piles, shuffled; sizes stay (8.1, 8.4)."""
    hidden = [other for other in range(len(state.hands)) if other != seat]
    birds = [*state.draw_pile, *state.discard_pile, *(bird for other in hidden for bird in state.hands[other])]
    pool = rng.shuffle(sorted(birds))
    hands = list(state.hands)
    for other in hidden:
        size = len(hands[other])
        hands[other], pool = tuple(sorted(pool[:size])), pool[size:]
    size = len(state.draw_pile)
    return replace(state, hands=tuple(hands), draw_pile=pool[:size], discard_pile=tuple(sorted(pool[size:])))
