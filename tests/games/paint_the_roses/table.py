"""Positions of Paint the Roses in a line: cards, tiles and spaces by their names, moves as their notation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from msgspec.structs import replace

from engine.core import IllegalMove, Rng, Step, play
from engine.games.paint_the_roses import GAME, box
from engine.games.paint_the_roses.events import Event
from engine.games.paint_the_roses.state import (
    ChooseLevel,
    Move,
    Options,
    Phase,
    Plant,
    Player,
    Propose,
    State,
    Stop,
    UseClueToken,
    Vote,
    Withdraw,
)
from engine.games.paint_the_roses.symbols import Level, Pair, Symbol

# What players hold unless a test says otherwise, by seat.
WHIMS = ("H-pink-pink-1", "H-red-red-1", "H-yellow-yellow-1", "H-purple-purple-1", "H-club-club-1")


def whim_of(name: str) -> int:
    """``H-pink-pink-1``."""
    return box.WHIM_NAMES.index(name) + 1


def tile_of(name: str) -> int:
    """``pink-heart``."""
    return box.TILE_NAMES.index(name) + 1


def space_of(name: str) -> int:
    """``A1``."""
    return box.SPACE_NAMES.index(name) + 1


def pair_of(text: str) -> Pair:
    """``pink/red``."""
    a, b = text.split("/")
    return Pair(Symbol[a.upper()], Symbol[b.upper()])


def table(
    players: int = 3,
    *,
    phase: Phase = Phase.GUESS,
    active: int = 0,
    whims: Mapping[int, str] | None = None,
    garden: Mapping[str, str] | None = None,
    greenhouse: Sequence[str] = (),
    full: bool = False,
    gardeners: int = 0,
    queen: int = -6,
) -> State:
    """A position without a past: START, the tiles named, everybody holding a card unless levels are still chosen."""
    held = {} if phase is Phase.CHOOSE_LEVEL else {seat: whim_of(name) for seat, name in enumerate(WHIMS[:players])}
    held |= {seat: whim_of(name) for seat, name in (whims or {}).items()}
    planted = list(box.START)
    for space, tile in (garden or {}).items():
        planted[space_of(space) - 1] = tile_of(tile)
    rest = list(box.ALL_TILES)
    for known in [tile for tile in planted if tile is not None] + [tile_of(name) for name in greenhouse]:
        rest.remove(known)
    if full:
        planted = [rest.pop() if tile is None else tile for tile in planted]
    slots = [tile_of(greenhouse[slot]) if slot < len(greenhouse) else rest.pop() for slot in range(4)]
    between = phase in (Phase.CHOOSE_LEVEL, Phase.PLANT)
    return State(
        options=Options(),
        phase=phase,
        active=active,
        players=tuple(Player(held[seat], seat + 1) if seat in held else Player() for seat in range(players)),
        garden=tuple(planted),
        greenhouse=tuple(slots) if between else (None, *slots[1:]),
        bag=tuple(rest),
        decks=tuple(tuple(whim for whim in box.DECKS[level] if whim not in held.values()) for level in Level),
        discards=((), (), ()),
        gardeners=gardeners,
        queen=queen,
        clue_tokens=int(players == 2),
    )


def refuting(state: State, seat: int, *pairs: str) -> State:
    """The state with wrong guesses about the card of ``seat``."""
    player = replace(state.players[seat], refuted=tuple(map(pair_of, pairs)))
    return replace(state, players=(*state.players[:seat], player, *state.players[seat + 1 :]))


_PLAIN: dict[str, Move] = {
    "yes": Vote(accept=True),
    "no": Vote(accept=False),
    "withdraw": Withdraw(),
    "stop": Stop(),
    "clue": UseClueToken(),
}


def read_move(text: str) -> Move:
    """The move of a notation."""
    if text in _PLAIN:
        return _PLAIN[text]
    kind, *details = text.split(":")
    if kind == "level":
        return ChooseLevel(Level[details[0].upper()])
    if kind == "plant":
        return Plant(int(details[0]), space_of(details[1]))
    assert kind == "guess"
    return Propose(int(details[0]), pair_of(details[1]))


def move(state: State, seat: int, text: str) -> Step[State, Event]:
    """``seat`` makes the move."""
    return play(GAME, state, seat, read_move(text), Rng(b"table", 1))


def after(state: State, *moves: tuple[int, str]) -> State:
    """The state after moves of seats."""
    for seat, text in moves:
        state = move(state, seat, text).state
    return state


def told(step: Step[State, Event], seat: int | None = None) -> list[Event]:
    """What ``seat`` (None: a spectator) learns of a move."""
    return [event for fact in step.facts if (event := fact.seen_by(seat)) is not None]


def asked(state: State) -> list[tuple[int, str]]:
    """Who is asked what."""
    return [(prompt.seat, prompt.kind) for prompt in GAME.prompts(state)]


def offers(state: State, seat: int) -> list[str]:
    """What ``seat`` may do."""
    return [GAME.notation(legal) for legal in GAME.legal_moves(state, seat)]


def agree(state: State, target: int, pair: str) -> State:
    """The first player who may proposes the guess and all others say yes."""
    guess = f"guess:{target}:{pair_of(pair).text}"
    proposer = next(seat for seat in range(len(state.players)) if guess in offers(state, seat))
    state = move(state, proposer, guess).state
    while state.proposal is not None:
        voter = next(seat for seat, kind in asked(state) if kind == "vote")
        state = move(state, voter, "yes").state
    return state


def right(state: State, target: int) -> State:
    """The team guesses the card of ``target`` right."""
    whim = state.players[target].whim
    assert whim is not None
    return agree(state, target, box.pair_of(whim).text)


def wrong(state: State, target: int) -> State:
    """The team guesses the card of ``target`` wrong, with the first pair that is."""
    player = state.players[target]
    assert player.whim is not None
    pairs = box.PAIRS_OF[box.level_of(player.whim)]
    pair = next(pair for pair in pairs if pair != box.pair_of(player.whim) and pair not in player.refuted)
    return agree(state, target, pair.text)


def clause(state: State, seat: int, text: str) -> str:
    """The clause by which the move is refused."""
    with pytest.raises(IllegalMove) as refused:
        move(state, seat, text)
    return refused.value.clause


def opening(seats: int = 3) -> State:
    """The state after the set-up."""
    return GAME.setup(Options(), seats, Rng(b"opening", 0))
