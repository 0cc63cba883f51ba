"""How to name moves and tell events of Nana Toridori; ``words`` has the templates. Places are told from 1 on."""

from __future__ import annotations

from engine.core.model import Label
from engine.games.nana_toridori.state import (
    BeatenDiscarded,
    BeatenTaken,
    Cards,
    Discard,
    DiscardFront,
    Drawn,
    DrawnDiscarded,
    DrawnKept,
    Event,
    FrontDiscarded,
    FrontKept,
    GameEnded,
    Keep,
    KeepFront,
    Move,
    Pass,
    Passed,
    Play,
    Played,
    RoundDealt,
    RoundEnded,
    Take,
    TrickEnded,
    WentOut,
)

Args = tuple[tuple[str, str], ...]


def notation(move: Move) -> str:
    """``play:1:2`` (start, count), ``play:1:2:+0,1`` (with front cards), ``take:3``, ``front:0:keep:3`` and so on."""
    match move:
        case Play(start=start, count=count, front=front):
            added = f":+{','.join(map(str, front))}" if front else ""
            return f"play:{start}:{count}{added}"
        case Take(position=position):
            return f"take:{position}"
        case Keep(position=position):
            return f"keep:{position}"
        case KeepFront(index=index, position=position):
            return f"front:{index}:keep:{position}"
        case DiscardFront(index=index):
            return f"front:{index}:discard"
        case Pass():
            return "pass"
        case Discard():
            return "discard"


def move_label(move: Move) -> Label:
    """What to write on the button."""
    match move:
        case Play(start=start, count=count, front=front):
            args: Args = (("count", str(count)), ("place", _place(start)))
            if front:
                return Label("offer.play_front", (*args, ("front", " ".join(map(_place, front)))))
            return Label("offer.play", args)
        case Take(position=position) | Keep(position=position):
            return Label(f"offer.{notation(move).split(':')[0]}", (("place", _place(position)),))
        case KeepFront(index=index, position=position):
            return Label("offer.keep_front", (("front", _place(index)), ("place", _place(position))))
        case DiscardFront(index=index):
            return Label("offer.discard_front", (("front", _place(index)),))
        case Pass() | Discard():
            return Label(f"offer.{notation(move)}")


def event_label(event: Event, seat: int | None) -> Label:
    """How to tell the event; what only its own seat sees has a text of its own."""
    key = f"event.{event.__struct_config__.tag}"
    who = ("seat", str(seat))
    match event:
        case Played(cards=cards) | BeatenTaken(cards=cards) | BeatenDiscarded(cards=cards):
            return Label(key, (who, ("cards", _cards(cards))))
        case Drawn(card=card) | DrawnKept(card=card):
            return Label(key, (who,)) if card is None else Label(f"{key}_own", (who, ("card", str(card))))
        case DrawnDiscarded(card=card) | FrontKept(card=card) | FrontDiscarded(card=card):
            return Label(key, (who, ("card", str(card))))
        case WentOut(place=place):
            return Label(key, (who, ("place", str(place))))
        case Passed():
            return Label(key, (who,))
        case TrickEnded() | RoundEnded() | RoundDealt() | GameEnded():
            return _frame_label(key, event)


def _frame_label(key: str, event: TrickEnded | RoundEnded | RoundDealt | GameEnded) -> Label:
    """What is nobody's own doing."""
    match event:
        case TrickEnded(cards=cards, leader=leader):
            return Label(key, (("cards", _cards(cards)), ("leader", str(leader))))
        case RoundEnded(summary=summary):
            # Points are counted in the advanced game only, and there the first round brings some.
            counted = "points" if any(event.points) else "penguins"
            totals = " ".join(map(str, event.points if any(event.points) else event.penguins))
            round_args = (("round", str(summary.round_number)), ("loser", str(summary.loser)))
            return Label(f"{key}_{counted}", (*round_args, (counted, totals)))
        case RoundDealt():
            return Label(key, (("round", str(event.round_number)), ("leader", str(event.leader))))
        case GameEnded(winners=winners):
            return Label(key, (("winners", ", ".join(map(str, winners))),))


def _place(index: int) -> str:
    return str(index + 1)


def _cards(cards: Cards) -> str:
    return " ".join(map(str, cards))
