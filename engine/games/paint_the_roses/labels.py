"""The words of Paint the Roses in five languages; ``data/messages/`` has a file for each.

``{name}`` stands for an argument; seats are numbered from 0.
"""

from __future__ import annotations

from importlib.resources import files

import msgspec

from engine.core.model import Label
from engine.games.paint_the_roses import box
from engine.games.paint_the_roses.events import (
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
from engine.games.paint_the_roses.state import ChooseLevel, Move, Plant, Propose, Vote
from engine.games.paint_the_roses.symbols import Pair

Args = tuple[tuple[str, str], ...]

LOCALES = ("en", "zh-Hans", "zh-Hant", "ja", "es")


def _messages(locale: str) -> dict[str, str]:
    text = files(__package__).joinpath("data", "messages", f"{locale}.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, str])


MESSAGES = {locale: _messages(locale) for locale in LOCALES}


def space_args(space: int) -> Args:
    """``A1`` is the same in every language."""
    return (("space", box.space_name(space)),)


def pair_args(pair: Pair) -> Args:
    """The two symbols as message keys."""
    return (("a", f"$symbol.{pair.a.text}"), ("b", f"$symbol.{pair.b.text}"))


def _tile_args(tile: int) -> Args:
    row = box.TILE_ROWS[tile - 1]
    return (("colour", f"$symbol.{row.colour}"), ("shape", f"$symbol.{row.shape}"))


def _whim_args(whim: WhimCard) -> Args:
    return (*pair_args(whim.pair), ("value", str(whim.value)))


def notation(move: Move) -> str:
    """``level:easy``, ``plant:2:B4``, ``guess:1:pink/red``, ``yes``, ``no``, ``withdraw``, ``stop``, ``clue``."""
    match move:
        case ChooseLevel(level=level):
            return f"level:{level.text}"
        case Plant(slot=slot, space=space):
            return f"plant:{slot}:{box.space_name(space)}"
        case Propose(target=target, pair=pair):
            return f"guess:{target}:{pair.text}"
        case _:
            return _offer(move)


def _offer(move: Move) -> str:
    """The name of an answer without details."""
    if isinstance(move, Vote):
        return "yes" if move.accept else "no"
    tag = str(move.__struct_config__.tag)
    return "clue" if tag == "use_clue_token" else tag


def move_label(move: Move) -> Label:
    """What to write on the button."""
    match move:
        case ChooseLevel(level=level):
            return Label("offer.level", (("level", f"$level.{level.text}"),))
        case Plant(slot=slot, space=space):
            return Label("offer.plant", (("slot", str(slot)), *space_args(space)))
        case Propose(target=target, pair=pair):
            return Label("offer.guess", (("target", str(target)), *pair_args(pair)))
        case _:
            return Label(f"offer.{_offer(move)}")


def event_label(event: Event, seat: int | None) -> Label:
    """How to tell the event, done by ``seat``."""
    who = () if seat is None else (("seat", str(seat)),)
    return Label(f"event.{_event_key(event)}", (*who, *_details(event), *_positions(event)))


def _event_key(event: Event) -> str:
    """The tag, and which way it went where that makes another sentence."""
    tag = str(event.__struct_config__.tag)
    match event:
        case WhimDrawn(whim=WhimCard()):
            return f"{tag}.own"
        case Voted(accept=accept):
            return f"{tag}.{'yes' if accept else 'no'}"
        case GameEnded(won=won):
            return f"{tag}.{'won' if won else 'lost'}"
        case _:
            return tag


def _details(event: Event) -> Args:
    """Cards, tiles and pairs."""
    match event:
        case WhimDrawn(level=level, whim=whim):
            drawn = () if whim is None else _whim_args(whim)
            return (("level", f"$level.{level.text}"), *drawn)
        case DeckReshuffled(level=level):
            return (("level", f"$level.{level.text}"),)
        case TilePlanted(space=space, tile=tile, numbers=numbers):
            return (*space_args(space), *_tile_args(tile), ("numbers", " ".join(map(str, numbers))))
        case GreenhouseRefilled(slot=slot, tile=tile):
            return (("slot", str(slot)), *_tile_args(tile))
        case GuessProposed(target=target, pair=pair) | GuessedWrong(target=target, pair=pair):
            return (("target", str(target)), *pair_args(pair))
        case GuessedRight(target=target, whim=turned_up):
            return (("target", str(target)), *_whim_args(turned_up))
        case _:
            return ()


def _positions(event: Event) -> Args:
    """Numbers."""
    match event:
        case TurnStarted(turn=turn):
            return (("turn", str(turn)),)
        case ProposalClosed(rejections=rejections):
            return (("rejections", str(rejections)),)
        case GardenersMoved(start=start, end=end) | QueenMoved(start=start, end=end):
            return (("start", str(start)), ("end", str(end)))
        case FlowerGained(flowers=flowers):
            return (("flowers", str(flowers)),)
        case _:
            return ()
