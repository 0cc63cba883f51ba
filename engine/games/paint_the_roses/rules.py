"""The questions of the game, their answers, what an answer does, and the result; RULES.md has the rules in words."""

from __future__ import annotations

from engine.core.model import InvalidOptions, Placement, Prompt, Result, Share, Step
from engine.core.rng import Rng
from engine.games.paint_the_roses import box, course, guessing, track
from engine.games.paint_the_roses.events import Event
from engine.games.paint_the_roses.state import (
    ChooseLevel,
    Move,
    Options,
    Phase,
    Plant,
    Proposal,
    Propose,
    State,
    Stop,
    UseClueToken,
    Vote,
    Withdraw,
)
from engine.games.paint_the_roses.symbols import Level

SEAT_COUNTS = (2, 3, 4, 5)

# Moves are made once and handed out again.
_CHOICES = {level: ChooseLevel(level) for level in Level}
_PLANTINGS = tuple(tuple(Plant(slot, space) for space in box.SPACES) for slot in range(course.GREENHOUSE_SLOTS))
_PROPOSALS = tuple(
    {level: tuple(Propose(target, pair) for pair in box.PAIRS_OF[level]) for level in Level}
    for target in range(SEAT_COUNTS[-1])
)
_VOTES = (Vote(accept=True), Vote(accept=False))
_STOP = Stop()
_CLUE_TOKEN = UseClueToken()
_WITHDRAW = (Withdraw(),)

# The kind of the question whether to take back the own proposal (8.4).
WITHDRAW = "withdraw"


def setup(options: Options, seats: int, rng: Rng) -> State:
    """Section 3. Raises InvalidOptions."""
    if seats not in SEAT_COUNTS:
        raise InvalidOptions("seats", f"{seats} players cannot play, only {SEAT_COUNTS[0]} to {SEAT_COUNTS[-1]}")
    return course.opening(options, seats, rng)


def prompts(state: State) -> tuple[Prompt, ...]:
    """The open questions. They follow from what everybody sees (13.4)."""
    match state.phase:
        case Phase.CHOOSE_LEVEL | Phase.REDRAW:
            return (Prompt(course.choosing(state), "choose_level"),)
        case Phase.PLANT:
            return (Prompt(state.active, "plant"),)
        case Phase.GUESS if state.proposal is not None:
            return _vote_prompts(state, state.proposal)
        case Phase.GUESS:
            return tuple(
                [Prompt(seat, kind) for seat in range(len(state.players)) if (kind := _guess_kind(state, seat))]
            )
        case Phase.GAME_OVER:
            return ()


def _vote_prompts(state: State, proposal: Proposal) -> tuple[Prompt, ...]:
    asked = guessing.waiting(state, proposal)
    return tuple(
        [
            Prompt(seat, "vote" if seat in asked else WITHDRAW)
            for seat in range(len(state.players))
            if seat in asked or seat == proposal.seat
        ]
    )


def _guess_kind(state: State, seat: int) -> str:
    """Which question a seat has while no proposal is open; empty if none."""
    if guessing.may_stop(state, seat):
        return "guess_or_stop"
    if guessing.may_use_clue_token(state, seat):
        return "guess_or_clue_token"
    return "guess" if guessing.targets(state, seat) else ""


def legal_moves(state: State, seat: int) -> tuple[Move, ...]:
    """Every answer of ``seat`` to its question, in a fixed order."""
    match state.phase:
        case Phase.CHOOSE_LEVEL | Phase.REDRAW:
            return tuple([_CHOICES[level] for level in course.levels(state)]) if seat == course.choosing(state) else ()
        case Phase.PLANT:
            return _plantings(state) if seat == state.active else ()
        case Phase.GUESS if state.proposal is not None:
            if seat == state.proposal.seat:
                return _WITHDRAW
            return _VOTES if seat in guessing.waiting(state, state.proposal) else ()
        case Phase.GUESS:
            return _guesses(state, seat)
        case Phase.GAME_OVER:
            return ()


# The spaces as bits, and the neighbours of each: a mask says at once whether any of them has a tile.
_BITS = tuple((space, 1 << space, sum(1 << neighbour for neighbour in box.NEIGHBOURS[space])) for space in box.SPACES)


def spaces(state: State) -> list[int]:
    """The empty spaces that have a neighbour with a tile, ascending (5.1, 5.2)."""
    taken = 0
    for (_, bit, _), tile in zip(_BITS, state.garden, strict=True):
        if tile is not None:
            taken |= bit
    return [space for space, bit, neighbours in _BITS if not taken & bit and taken & neighbours]


def _plantings(state: State) -> tuple[Move, ...]:
    free = spaces(state)
    slots = [moves for tile, moves in zip(state.greenhouse, _PLANTINGS, strict=True) if tile is not None]
    return tuple([moves[space - 1] for moves in slots for space in free])


def _guesses(state: State, seat: int) -> tuple[Move, ...]:
    """Pairs of the target's level that are not refuted (7.4, 7.5), then what only the active player may do."""
    moves: list[Move] = []
    for target in guessing.targets(state, seat):
        player = state.players[target]
        if player.whim is not None:
            proposals = _PROPOSALS[target][box.level_of(player.whim)]
            refuted = player.refuted
            moves += [move for move in proposals if move.pair not in refuted] if refuted else proposals
    if guessing.may_stop(state, seat):
        moves.append(_STOP)
    if guessing.may_use_clue_token(state, seat):
        moves.append(_CLUE_TOKEN)
    return tuple(moves)


def apply(state: State, seat: int, move: Move, rng: Rng) -> Step[State, Event]:
    """The state and the events after a legal move."""
    match move:
        case ChooseLevel():
            return course.choose_level(state, seat, move, rng)
        case Plant():
            return course.plant(state, seat, move)
        case Propose():
            return guessing.propose(state, seat, move)
        case Vote():
            return guessing.vote(state, seat, move)
        case Withdraw():
            return guessing.withdraw(state, seat)
        case Stop():
            return guessing.stop(state, seat)
        case UseClueToken():
            return guessing.use_clue_token(state, seat)


def won(state: State) -> bool | None:
    """Whether the team has won; None while the game goes on (9.3, 9.4)."""
    return not track.caught(state) if state.phase is Phase.GAME_OVER else None


def result(state: State) -> Result | None:
    """The same for everybody (section 12)."""
    outcome = won(state)
    if outcome is None:
        return None
    score = state.gardeners
    shares = (Share("gardeners", score),)
    placements = tuple(Placement(seat, 1, score, shares) for seat in range(len(state.players)))
    return Result(placements, "garden_full" if outcome else "queen_caught_gardeners")
