"""What a viewer may know of a game of Paint the Roses (section 13)."""

from __future__ import annotations

import msgspec

from engine.games.paint_the_roses import box, guessing, rules, track
from engine.games.paint_the_roses.box import Space, Tile
from engine.games.paint_the_roses.events import WhimCard, card
from engine.games.paint_the_roses.state import Phase, Planting, State, turn_of
from engine.games.paint_the_roses.symbols import Level, Pair


class LiveCube(msgspec.Struct, frozen=True, array_like=True):
    """A cube in the garden: whose card it is about, and its number."""

    seat: int
    number: int


class Plot(msgspec.Struct, frozen=True, array_like=True):
    """A space of the garden; ``cubes`` are the live ones, by seat (6.5)."""

    space: Space
    tile: Tile | None
    cubes: tuple[LiveCube, ...]


class Slot(msgspec.Struct, frozen=True, array_like=True):
    """A slot of the greenhouse; empty from the planting to the end of the turn (5.4)."""

    tile: Tile | None


class Deck(msgspec.Struct, frozen=True, array_like=True):
    """How many cards of a level lie face down and how many are discarded."""

    level: Level
    cards: int
    discards: int


class Player(msgspec.Struct, frozen=True, array_like=True):
    """A player as the viewer sees him; ``whim`` is set for the viewer himself, and for all when the game is over."""

    level: Level | None
    serial: int | None
    whim: WhimCard | None
    refuted: tuple[Pair, ...]


class OpenProposal(msgspec.Struct, frozen=True, array_like=True):
    """The proposal being voted on; ``waiting`` are the voters who have not voted yet."""

    seat: int
    target: int
    pair: Pair
    accepted: tuple[int, ...]
    waiting: tuple[int, ...]


class RevealedWhim(msgspec.Struct, frozen=True, array_like=True):
    """A card guessed right, and in which turn."""

    turn: int
    seat: int
    serial: int
    whim: WhimCard


class View(msgspec.Struct, frozen=True, array_like=True):
    """The table as ``seat`` (None: a spectator) sees it. Only ``seat`` and the whims of ``players`` differ."""

    seat: int | None
    phase: Phase
    active: int
    turn: int
    garden: tuple[Plot, ...]
    greenhouse: tuple[Slot, ...]
    bag: int
    decks: tuple[Deck, ...]
    gardeners: int
    gardeners_space: int
    queen: int
    queen_space: int
    flowers: int
    rabbit: int | None
    clue_tokens: int
    players: tuple[Player, ...]
    proposal: OpenProposal | None
    rejections: int
    captains_only: bool
    plantings: tuple[Planting, ...]
    revealed: tuple[RevealedWhim, ...]
    won: bool | None


def view(state: State, seat: int | None) -> View:
    """Built from nothing: everything is public except the cards held, of which the viewer sees the own one."""
    return View(
        seat=seat,
        phase=state.phase,
        active=state.active,
        turn=turn_of(state),
        garden=_garden(state),
        greenhouse=tuple([Slot(tile) for tile in state.greenhouse]),
        bag=len(state.bag),
        decks=tuple([Deck(level, len(state.decks[level - 1]), len(state.discards[level - 1])) for level in Level]),
        gardeners=state.gardeners,
        gardeners_space=track.printed(state.gardeners),
        queen=state.queen,
        queen_space=track.printed(state.queen),
        flowers=track.flowers(state.gardeners),
        rabbit=track.rabbit(state.gardeners),
        clue_tokens=state.clue_tokens,
        players=tuple([_player(state, other, seat) for other in range(len(state.players))]),
        proposal=_proposal(state),
        rejections=state.rejections,
        captains_only=guessing.has_captain(state),
        plantings=state.plantings,
        revealed=tuple([RevealedWhim(of.turn, of.seat, of.serial, card(of.whim)) for of in state.revealed]),
        won=rules.won(state),
    )


def _garden(state: State) -> tuple[Plot, ...]:
    cubes = {planting.space: _live(state, planting) for planting in state.plantings}
    return tuple([Plot(space, tile, cubes.get(space, ())) for space, tile in enumerate(state.garden, 1)])


def _live(state: State, planting: Planting) -> tuple[LiveCube, ...]:
    """The cubes about cards still held (6.5)."""
    return tuple(
        [
            LiveCube(seat, cube.number)
            for seat, (cube, player) in enumerate(zip(planting.cubes, state.players, strict=True))
            if cube.serial == player.serial
        ]
    )


def _player(state: State, seat: int, viewer: int | None) -> Player:
    player = state.players[seat]
    if player.whim is None:
        return Player(None, None, None, ())
    open_to_viewer = seat == viewer or state.phase is Phase.GAME_OVER
    return Player(
        level=box.level_of(player.whim),
        serial=player.serial,
        whim=card(player.whim) if open_to_viewer else None,
        refuted=player.refuted,
    )


def _proposal(state: State) -> OpenProposal | None:
    proposal = state.proposal
    if proposal is None:
        return None
    waiting = tuple(guessing.waiting(state, proposal))
    return OpenProposal(proposal.seat, proposal.target, proposal.pair, proposal.accepted, waiting)
