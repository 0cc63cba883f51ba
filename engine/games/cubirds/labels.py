"""Offers and events in words; ``texts`` has them in five languages."""

from __future__ import annotations

from engine.core.model import Label
from engine.games.cubirds.species import code_of, codes_of, name_of
from engine.games.cubirds.state import (
    BirdsDealt,
    BirdsDrawn,
    BirdsLaid,
    BirdsTaken,
    DiscardReshuffled,
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
    RoundBegan,
    RoundEnded,
    RowRefilled,
    Side,
)

Args = tuple[tuple[str, str], ...]


def notation(move: Move) -> str:
    """``lay:P:0:left``, ``draw:yes``, ``draw:no``, ``flock:P``, ``flock:none``."""
    match move:
        case Lay(species=species, row=row, side=side):
            return f"lay:{code_of(species)}:{row}:{side.name.lower()}"
        case Draw():
            return "draw:yes"
        case NoDraw():
            return "draw:no"
        case Flock(species=species):
            return f"flock:{code_of(species)}"
        case NoFlock():
            return "flock:none"


def move_label(move: Move) -> Label:
    """What to write on the button."""
    match move:
        case Lay(species=species, row=row, side=side):
            return Label("offer.lay", (_bird(species), ("row", str(row)), _side(side)))
        case Flock(species=species):
            return Label("offer.flock", (_bird(species),))
        case Draw() | NoDraw() | NoFlock():
            return Label(f"offer.{move.__struct_config__.tag}")


def event_label(event: Event, seat: int | None) -> Label:
    """How to tell the event. Birds that the reader sees are told by their letters, others by their number."""
    key = f"event.{event.__struct_config__.tag}"
    who = () if seat is None else (("seat", str(seat)),)
    if isinstance(event, BirdsDrawn | BirdsDealt) and event.birds:
        return Label(f"{key}.shown", (*who, *_details(event), ("birds", codes_of(event.birds))))
    return Label(key, (*who, *_details(event)))


def _details(event: Event) -> Args:
    if isinstance(event, BirdsLaid | BirdsTaken | RowRefilled | BirdsDrawn | BirdsDealt):
        return _birds_moved(event)
    match event:
        case FlockCompleted(species=species, revealed=revealed, banked=banked, discarded=discarded):
            counts = {"revealed": revealed, "banked": banked, "discarded": discarded}
            return (_bird(species), *((name, str(count)) for name, count in counts.items()))
        case RoundEnded(round=number) | RoundBegan(round=number):
            return (("round", str(number)),)
        case DiscardReshuffled(count=count):
            return (("count", str(count)),)
        case GameEnded(end=end, winners=winners):
            return (("reason", f"$reason.{reason_of(end)}"), ("winners", ", ".join(map(str, winners))))
        case DrawDeclined() | FlockDeclined():
            return ()


def _birds_moved(event: BirdsLaid | BirdsTaken | RowRefilled | BirdsDrawn | BirdsDealt) -> Args:
    match event:
        case BirdsLaid(species=species, count=count, row=row, side=side):
            return (_bird(species), ("count", str(count)), ("row", str(row)), _side(side))
        case BirdsTaken(row=row, birds=birds):
            return (("row", str(row)), ("birds", codes_of(birds)))
        case RowRefilled(row=row, side=side, birds=birds):
            return (("row", str(row)), _side(side), ("birds", codes_of(birds)))
        case BirdsDrawn(count=count):
            return (("count", str(count)),)
        case BirdsDealt(player=player, count=count):
            return (("player", str(player)), ("count", str(count)))


def reason_of(end: End) -> str:
    """The key of the reason in a result."""
    return end.name.lower()


def _bird(species: int) -> tuple[str, str]:
    return ("bird", f"$bird.{name_of(species)}")


def _side(side: Side) -> tuple[str, str]:
    return ("side", f"$side.{side.name.lower()}")
