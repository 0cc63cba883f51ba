"""The frame around the tricks: the deal, what a round brings, and the end of the game (sections 2, 7, 8, 9)."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from engine.core.leaving import RESIGNED, ranked
from engine.core.model import Fact, InvalidOptions, Placement, Result, Share, Step
from engine.core.rng import Rng
from engine.games.nana_toridori.state import (
    ADVANCED_WINNERS,
    BASIC,
    DUEL,
    HIGHEST,
    HIGHEST_ONLY,
    LOWEST,
    MODES,
    TWO_PLAYER_MODES,
    Cards,
    Event,
    FrontCards,
    GameEnded,
    Options,
    Phase,
    RoundDealt,
    RoundEnded,
    RoundSummary,
    State,
)

SEAT_COUNTS = (2, 3, 4, 5, 6)

VALUES = tuple(range(LOWEST, HIGHEST + 1))
COPIES = 9
PACK = tuple(value for value in VALUES for _ in range(COPIES))

HAND_SIZE = 8
DUEL_SEATS = 2
DUEL_HAND_SIZE = 11
DUEL_FRONT_SIZE = 2
PENGUINS = 2
TARGET = 10
FIRST_OUT, IN_BETWEEN, LAST = 4, 2, 0


def check_options(options: Options, seats: int) -> None:
    """Raise InvalidOptions unless so many players may play with these options (1.1, 1.6, 1.7)."""
    if seats not in SEAT_COUNTS:
        raise InvalidOptions("seats", f"{seats} players cannot play, only {SEAT_COUNTS[0]} to {SEAT_COUNTS[-1]}")
    _check_choice("mode", options.mode, MODES)
    _check_choice("advanced_winner", options.advanced_winner, ADVANCED_WINNERS)
    _check_choice("two_player_mode", options.two_player_mode, TWO_PLAYER_MODES)
    if is_duel(options) and seats != DUEL_SEATS:
        raise InvalidOptions("two_player_mode", "a duel is for two players")
    if is_duel(options) and options.mode != BASIC:
        raise InvalidOptions("two_player_mode", "a duel is played for penguins, in the basic game")
    if options.first_leader is not None and not 0 <= options.first_leader < seats:
        raise InvalidOptions("first_leader", f"must be a seat, 0 to {seats - 1}")


def _check_choice(field: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise InvalidOptions(field, f"must be {' or '.join(choices)}")


def is_duel(options: Options) -> bool:
    """Whether section 10 applies."""
    return options.two_player_mode == DUEL


def setup(options: Options, seats: int, rng: Rng) -> State:
    """The first round (2.2, 2.3). Raises InvalidOptions."""
    check_options(options, seats)
    leader = rng.below(seats) if options.first_leader is None else options.first_leader
    return deal(options, 1, leader, (PENGUINS,) * seats, (0,) * seats, None, rng)


def deal(
    options: Options,
    round_number: int,
    leader: int,
    penguins: tuple[int, ...],
    points: tuple[int, ...],
    last_round: RoundSummary | None,
    rng: Rng,
) -> State:
    """A new round: to each player one block of cards, clockwise from the leader on (2.2, 10.1)."""
    seats = len(penguins)
    duel = is_duel(options)
    hand_size, front_size = (DUEL_HAND_SIZE, DUEL_FRONT_SIZE) if duel else (HAND_SIZE, 0)
    pack = rng.shuffle(PACK)
    turns = [(seat - leader) % seats for seat in range(seats)]
    dealt = seats * hand_size
    laid = dealt + seats * front_size
    return State(
        options=options,
        phase=Phase.PLAY,
        round_number=round_number,
        leader=leader,
        turn=leader,
        hands=tuple(pack[turn * hand_size : (turn + 1) * hand_size] for turn in turns),
        known=((),) * seats,
        front=tuple(pack[dealt + turn * front_size : dealt + (turn + 1) * front_size] for turn in turns),
        draw_pile=pack[laid:],
        penguins=penguins,
        points=points,
        last_round=last_round,
    )


def end_round(state: State, loser: int, facts: tuple[Fact[Event], ...], rng: Rng) -> Step[State, Event]:
    """Count the round that ``loser`` has lost (8.1, 9.1), then end the game or deal again (8.2, 9.2)."""
    summary = RoundSummary(state.round_number, state.finished, loser, state.table)
    penguins, points = state.penguins, state.points
    if state.options.mode == BASIC:
        penguins = tuple(left - (seat == loser) for seat, left in enumerate(penguins))
    else:
        points = tuple(total + _points(state.finished, seat) for seat, total in enumerate(points))
    facts = (*facts, Fact(None, RoundEnded(summary, penguins, points)))
    if min(penguins) == 0 or max(points) >= TARGET:
        over = replace(
            state, phase=Phase.OVER, turn=None, passes=0, penguins=penguins, points=points, last_round=summary
        )
        return Step(over, (*facts, Fact(None, GameEnded(winners(over)))))
    following = deal(state.options, state.round_number + 1, loser, penguins, points, summary, rng)
    # The acting seat, too, sees a new hand.
    return Step(following, (*facts, _dealt(following)), reveals=True)


def _points(finished: tuple[int, ...], seat: int) -> int:
    if seat not in finished:
        return LAST
    return FIRST_OUT if seat == finished[0] else IN_BETWEEN


def _dealt(state: State) -> Fact[Event]:
    """Each seat sees its own hand, and everybody the front cards (11.1, 11.4)."""
    front = tuple(FrontCards(cards) for cards in state.front) if is_duel(state.options) else ()
    pile = len(state.draw_pile)

    def seen(hand: Cards) -> Event:
        return RoundDealt(state.round_number, state.leader, len(state.hands[0]), pile, hand, front)

    return Fact(None, seen(()), tuple((seat, seen(hand)) for seat, hand in enumerate(state.hands)))


def winners(state: State) -> tuple[int, ...]:
    """The seats that have won a finished game, ascending (8.2, 9.2)."""
    seats = range(len(state.hands))
    if state.options.mode == BASIC:
        return tuple(seat for seat in seats if state.penguins[seat])
    highest_only = state.options.advanced_winner == HIGHEST_ONLY
    enough = max(state.points) if highest_only else TARGET
    return tuple(seat for seat in seats if state.points[seat] >= enough)


def scores(state: State) -> tuple[int, ...]:
    """Penguins in the basic game, points in the advanced one (8.3, 9.3)."""
    return state.penguins if state.options.mode == BASIC else state.points


def forfeit(state: State, resigned: frozenset[int]) -> Result | None:
    """A basic game that somebody left: all others have won (13.1); None for the advanced one."""
    if state.options.mode != BASIC:
        return None
    return Result(ranked((Placement(seat, 1, score) for seat, score in enumerate(scores(state))), resigned), RESIGNED)


def result(state: State) -> Result | None:
    """Winners share the first rank; the others follow by points (8.3, 9.3)."""
    if state.phase is not Phase.OVER:
        return None
    won = winners(state)
    basic = state.options.mode == BASIC
    orders = [(seat in won, 0 if seat in won else score) for seat, score in enumerate(scores(state))]
    better = Counter(orders)
    placements = tuple(
        Placement(
            seat,
            1 + sum(number for order, number in better.items() if order > orders[seat]),
            score,
            (Share("penguins" if basic else "points", score),),
        )
        for seat, score in enumerate(scores(state))
    )
    return Result(placements, "penguins_gone" if basic else "target_reached")
