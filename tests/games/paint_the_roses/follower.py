"""A client that looks once and then only listens: it moves cards, tiles and figures as the events say."""

from __future__ import annotations

from typing import Any

from engine.games.paint_the_roses import box
from engine.games.paint_the_roses.events import (
    ClueTokenUsed,
    DeckReshuffled,
    Event,
    FlowerGained,
    GameEnded,
    GardenersMoved,
    GreenhouseRefilled,
    GuessedRight,
    GuessedWrong,
    GuessProposed,
    ProposalClosed,
    QueenMoved,
    TilePlanted,
    TurnStarted,
    Voted,
    WhimCard,
    WhimDrawn,
)
from engine.games.paint_the_roses.symbols import Level
from engine.games.paint_the_roses.view import View


class Follower:
    """The table as one viewer remembers it. A card in a hand is what the viewer knows of it."""

    def __init__(self, view: View) -> None:
        self.viewer, self.seats = view.seat, len(view.players)
        self.garden = [plot.tile for plot in view.garden]
        self.cubes: dict[int, dict[int, int]] = {}
        self.greenhouse = [slot.tile for slot in view.greenhouse]
        self.bag = view.bag
        self.decks = {deck.level: [deck.cards, deck.discards] for deck in view.decks}
        self.gardeners, self.queen = view.gardeners, view.queen
        self.flowers, self.rabbit = view.flowers, view.rabbit
        self.clue_tokens = view.clue_tokens
        self.held: list[tuple[Level, int, WhimCard | None] | None] = [None] * self.seats
        self.refuted: list[list[Any]] = [[] for _ in range(self.seats)]
        self.proposal: list[Any] | None = None
        self.rejections = 0
        self.turn, self.active = view.turn, view.active
        self.plantings: list[Any] = []
        self.revealed: list[Any] = []
        self.won: bool | None = None

    def remembers(self) -> dict[str, Any]:
        """What can be compared with a view."""
        return {name: value for name, value in vars(self).items() if name not in ("viewer", "seats")}

    def hear(self, seat: int | None, event: Event) -> None:
        """Something happened, done by ``seat``."""
        if isinstance(event, GuessProposed | Voted | ProposalClosed | GuessedRight | GuessedWrong):
            self._hear_of_a_guess(seat, event)
        elif isinstance(event, GardenersMoved | FlowerGained | QueenMoved | ClueTokenUsed | GameEnded):
            self._hear_of_the_chase(event)
        else:
            self._hear_of_things(seat, event)

    def _hear_of_things(self, seat: int | None, event: Event) -> None:
        match event:
            case DeckReshuffled(level=level, cards=cards):
                assert self.decks[level] == [0, cards]
                self.decks[level] = [cards, 0]
            case WhimDrawn(level=level, serial=serial, whim=whim):
                assert seat is not None
                assert (whim is not None) == (seat == self.viewer)
                self.decks[level][0] -= 1
                self.held[seat], self.refuted[seat] = (level, serial, whim), []
            case TurnStarted(turn=turn):
                assert seat is not None
                self.turn, self.active = turn, seat
            case TilePlanted(slot=slot, space=space, tile=tile, numbers=numbers):
                assert (self.greenhouse[slot], self.garden[space - 1]) == (tile, None)
                self.greenhouse[slot], self.garden[space - 1] = None, tile
                self.cubes[space] = dict(enumerate(numbers))
                serials = [card[1] for card in self.held if card is not None]
                self.plantings.append((seat, tile, space, list(zip(serials, numbers, strict=True))))
            case GreenhouseRefilled(slot=slot, tile=tile):
                assert self.greenhouse[slot] is None
                self.greenhouse[slot] = tile
                self.bag -= 1

    def _hear_of_a_guess(self, seat: int | None, event: Event) -> None:
        match event:
            case GuessProposed(target=target, pair=pair):
                self.proposal = [seat, target, pair, []]
            case Voted(accept=True):
                assert self.proposal is not None
                self.proposal[3].append(seat)
            case ProposalClosed(rejections=rejections):
                self.proposal, self.rejections = None, rejections
            case GuessedRight(target=target, whim=whim):
                held = self.held[target]
                assert held is not None
                self.proposal, self.rejections = None, 0
                self.revealed.append((self.turn, target, held[1], whim))
                self.decks[whim.level][1] += 1
                self.held[target], self.refuted[target] = None, []
                for cubes in self.cubes.values():
                    cubes.pop(target, None)
            case GuessedWrong(target=target, pair=pair):
                self.refuted[target].append(pair)

    def _hear_of_the_chase(self, event: Event) -> None:
        match event:
            case GardenersMoved(start=start, end=end):
                assert self.gardeners == start
                self.gardeners = end
            case FlowerGained(flowers=flowers, rabbit=rabbit):
                self.flowers, self.rabbit = flowers, rabbit
            case QueenMoved(start=start, end=end):
                assert self.queen == start
                # The last thing of a guessing, however it ended.
                self.queen, self.proposal, self.rejections = end, None, 0
            case ClueTokenUsed():
                self.clue_tokens -= 1
            case GameEnded(won=won, whims=whims):
                self.won = won
                for shown in whims:
                    held = self.held[shown.seat]
                    assert held is not None
                    self.held[shown.seat] = (*held[:2], shown.whim)


def shown(view: View) -> dict[str, Any]:
    """The same as ``remembers``, from a view."""
    proposal = view.proposal
    return {
        "garden": [plot.tile for plot in view.garden],
        "cubes": {
            plot.space: {cube.seat: cube.number for cube in plot.cubes}
            for plot in view.garden
            if plot.tile is not None and box.START[plot.space - 1] is None
        },
        "greenhouse": [slot.tile for slot in view.greenhouse],
        "bag": view.bag,
        "decks": {deck.level: [deck.cards, deck.discards] for deck in view.decks},
        "gardeners": view.gardeners,
        "queen": view.queen,
        "flowers": view.flowers,
        "rabbit": view.rabbit,
        "clue_tokens": view.clue_tokens,
        "held": [
            None if player.level is None or player.serial is None else (player.level, player.serial, player.whim)
            for player in view.players
        ],
        "refuted": [list(player.refuted) for player in view.players],
        "proposal": None if proposal is None else [proposal.seat, proposal.target, proposal.pair, [*proposal.accepted]],
        "rejections": view.rejections,
        "turn": view.turn,
        "active": view.active,
        "plantings": [
            (of.seat, of.tile, of.space, [(cube.serial, cube.number) for cube in of.cubes]) for of in view.plantings
        ],
        "revealed": [(of.turn, of.seat, of.serial, of.whim) for of in view.revealed],
        "won": view.won,
    }
