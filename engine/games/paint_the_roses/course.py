"""The course of a game: drawing cards, planting, the end of a turn, the end of the game (sections 3 to 6, 9, 10)."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.model import Fact, Step
from engine.core.rng import Rng
from engine.games.paint_the_roses import box, track
from engine.games.paint_the_roses.cubes import cube_number, with_tile
from engine.games.paint_the_roses.events import (
    DeckReshuffled,
    Event,
    GameEnded,
    GreenhouseRefilled,
    ShownWhim,
    TilePlanted,
    TurnStarted,
    WhimDrawn,
    card,
)
from engine.games.paint_the_roses.state import (
    ChooseLevel,
    Cube,
    Options,
    Phase,
    Plant,
    Planting,
    Player,
    State,
    turn_of,
)
from engine.games.paint_the_roses.symbols import Level
from engine.games.paint_the_roses.track import Facts

GREENHOUSE_SLOTS = 4


def opening(options: Options, seats: int, rng: Rng) -> State:
    """Tiles and cards shuffled, nobody holding a card yet (section 3)."""
    bag = rng.shuffle(box.OTHER_TILES)
    return State(
        options=options,
        phase=Phase.CHOOSE_LEVEL,
        active=0,
        players=(Player(),) * seats,
        garden=box.START,
        greenhouse=bag[:GREENHOUSE_SLOTS],
        bag=bag[GREENHOUSE_SLOTS:],
        decks=tuple(rng.shuffle(box.DECKS[level]) for level in Level),
        discards=((),) * len(Level),
        gardeners=box.TRACK.gardeners_start,
        queen=box.TRACK.queen_start,
        clue_tokens=1 if seats == 2 else 0,
    )


def clockwise(state: State) -> tuple[int, ...]:
    """All seats, from the active one on."""
    seats = len(state.players)
    return tuple((state.active + step) % seats for step in range(seats))


def without_card(state: State) -> list[int]:
    """The seats that hold no card, clockwise from the active one."""
    return [seat for seat in clockwise(state) if state.players[seat].whim is None]


def choosing(state: State) -> int:
    """Who is to choose a level, while levels are chosen: one seat at a time (3.5, 10.1)."""
    return without_card(state)[0]


def easy_is_held(state: State) -> bool:
    """Whether the one easy card that may be out is out (4.2)."""
    held = (player.whim for player in state.players)
    return any(whim is not None and box.level_of(whim) is Level.EASY for whim in held)


def has_cards(state: State, level: Level) -> bool:
    """Whether a card of the level can be drawn (4.3)."""
    return bool(state.decks[level - 1] or state.discards[level - 1])


def levels(state: State) -> tuple[Level, ...]:
    """The levels that may be chosen now (4.1 to 4.3)."""
    barred = easy_is_held(state)
    return tuple(level for level in Level if has_cards(state, level) and not (barred and level is Level.EASY))


def choose_level(state: State, seat: int, move: ChooseLevel, rng: Rng) -> Step[State, Event]:
    """The top card of the deck, and a new turn when everybody has a card (3.5, 10.1)."""
    state, reshuffled = _fill_deck(state, move.level, rng)
    at = move.level - 1
    whim, *rest = state.decks[at]
    serial = 1 + len(state.revealed) + sum(player.whim is not None for player in state.players)
    state = replace(
        state,
        decks=(*state.decks[:at], tuple(rest), *state.decks[at + 1 :]),
        players=with_player(state, seat, Player(whim, serial)),
    )
    # Only the holder learns what it shows (13.1).
    drawn = Fact[Event](seat, WhimDrawn(move.level, serial), ((seat, WhimDrawn(move.level, serial, card(whim))),))
    facts = (*reshuffled, drawn)
    if without_card(state):
        return Step(state, facts, reveals=True)
    if state.phase is Phase.CHOOSE_LEVEL:
        state, started = _start_turn(state)
    else:
        state, started = _next_turn(state)
    return Step(state, (*facts, *started), reveals=True)


def _fill_deck(state: State, level: Level, rng: Rng) -> tuple[State, Facts]:
    """The discards become the deck if it is empty (4.3)."""
    at = level - 1
    if state.decks[at]:
        return state, ()
    deck = rng.shuffle(state.discards[at])
    state = replace(
        state,
        decks=(*state.decks[:at], deck, *state.decks[at + 1 :]),
        discards=(*state.discards[:at], (), *state.discards[at + 1 :]),
    )
    return state, (Fact(None, DeckReshuffled(level, len(deck))),)


def plant(state: State, seat: int, move: Plant) -> Step[State, Event]:
    """The tile goes to its space, everybody gets a cube (5.1, 6.1)."""
    tile = state.greenhouse[move.slot]
    if tile is None:
        raise ValueError(f"slot {move.slot} is empty")
    cubes = []
    for player in state.players:
        if player.whim is None or player.serial is None:
            raise ValueError("everybody holds a card when a tile is planted (4.1)")
        number = cube_number(state.garden, move.space, tile, box.pair_of(player.whim))
        cubes.append(Cube(player.serial, number))
    planting = Planting(seat, tile, move.space, tuple(cubes))
    after = replace(
        state,
        phase=Phase.GUESS,
        garden=with_tile(state.garden, move.space, tile),
        greenhouse=(*state.greenhouse[: move.slot], None, *state.greenhouse[move.slot + 1 :]),
        plantings=(*state.plantings, planting),
        rejections=0,
    )
    planted = TilePlanted(move.slot, move.space, tile, tuple([cube.number for cube in cubes]))
    return Step(after, (Fact(seat, planted),), reveals=True)


def end_guessing(state: State, speed: int) -> tuple[State, Facts]:
    """The Queen moves; then the game is lost, won, or goes on (9.1 to 9.4, 10.1)."""
    state, moved = track.move_queen(replace(state, proposal=None, rejections=0), speed)
    if track.caught(state) or None not in state.garden:
        following, facts = _end_game(state)
    elif without_card(state):
        following, facts = replace(state, phase=Phase.REDRAW), ()
    else:
        following, facts = _next_turn(state)
    return following, (*moved, *facts)


def _end_game(state: State) -> tuple[State, Facts]:
    """All cards lie open (13.5)."""
    secret = tuple(
        ShownWhim(seat, card(player.whim)) for seat, player in enumerate(state.players) if player.whim is not None
    )
    ended = GameEnded(not track.caught(state), secret)
    return replace(state, phase=Phase.GAME_OVER), (Fact(None, ended),)


def _next_turn(state: State) -> tuple[State, Facts]:
    """The greenhouse is filled up, the next seat is active (10.2, 10.3)."""
    slot = state.greenhouse.index(None)
    tile = state.bag[0]
    state = replace(
        state,
        greenhouse=(*state.greenhouse[:slot], tile, *state.greenhouse[slot + 1 :]),
        bag=state.bag[1:],
        active=(state.active + 1) % len(state.players),
    )
    state, started = _start_turn(state)
    return state, (Fact(None, GreenhouseRefilled(slot, tile)), *started)


def _start_turn(state: State) -> tuple[State, Facts]:
    state = replace(state, phase=Phase.PLANT)
    return state, (Fact(state.active, TurnStarted(turn_of(state))),)


def with_player(state: State, seat: int, player: Player) -> tuple[Player, ...]:
    """The players with the one at ``seat`` replaced."""
    return (*state.players[:seat], player, *state.players[seat + 1 :])
