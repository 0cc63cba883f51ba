"""Which words go with moves and events; the words themselves stand in ``texts``."""

from __future__ import annotations

from engine.core import Label
from engine.core.cards import card_name, card_text
from engine.games.euchre.events import (
    CardDiscarded,
    CardPlayed,
    DefendAnswered,
    Event,
    HandDealt,
    HandScored,
    MatchOver,
    PlayBegan,
    TrickWon,
    TrumpMade,
    UpcardTaken,
    UpcardTurnedDown,
)
from engine.games.euchre.state import (
    Call,
    Discard,
    HandSummary,
    Move,
    Name,
    NoDefend,
    OrderUp,
    Outcome,
    Pass,
    Play,
    Trump,
)

Args = tuple[tuple[str, str], ...]

_SHORT = {Trump.CLUBS: "C", Trump.DIAMONDS: "D", Trump.HEARTS: "H", Trump.SPADES: "S", Trump.NO_TRUMP: "NT"}


def notation(move: Move) -> str:
    """The move as a short text: ``pass``, ``up+alone``, ``call:NT``, ``name:H``, ``discard:9H``, ``play:BN``."""
    match move:
        case Pass():
            return "pass"
        case OrderUp(alone=alone):
            return "up" + "+alone" * alone
        case Call(trump=trump, alone=alone) | Name(trump=trump, alone=alone):
            return f"{move.__struct_config__.tag}:{_SHORT[trump]}" + "+alone" * alone
        case Discard(card=card) | Play(card=card):
            return f"{move.__struct_config__.tag}:{card_name(card)}"
        case NoDefend():
            return "nodefend"
        case _:
            return "defend"


def move_label(move: Move) -> Label:
    """What to write on the button."""
    key = f"offer.{move.__struct_config__.tag}"
    match move:
        case OrderUp(alone=alone):
            return Label(key + "_alone" * alone)
        case Call(trump=trump, alone=alone) | Name(trump=trump, alone=alone):
            return Label(key + "_alone" * alone, _trump(trump))
        case Discard(card=card) | Play(card=card):
            return Label(key, _card(card))
        case _:
            return Label(key)


def event_label(event: Event, seat: int | None) -> Label:
    """How to tell the event, done by ``seat``."""
    key = f"event.{event.__struct_config__.tag}"
    match event:
        case HandScored(hand=hand):
            return Label(f"{key}.{hand.outcome.name.lower()}", _hand(hand))
        case MatchOver(winning_team=team, scores_by_team=scores):
            return Label(key, (("team", f"$team.{team}"), _score(scores)))
        case PlayBegan(leader=leader):
            return Label(key, _seat(leader))
        case TrumpMade(alone=True) | DefendAnswered(alone=True):
            key += "_alone"
        case CardDiscarded(card=int()):
            key += "_own"
    return Label(key, (*_seat(seat), *_details(event)))


def _details(event: Event) -> Args:
    match event:
        case HandDealt(hand_number=number, upcard=upcard):
            return (("number", str(number)), *_card(upcard))
        case TrumpMade(trump=trump):
            return _trump(trump)
        case TrickWon(number=number):
            return (("number", str(number)),)
        case CardDiscarded(card=int(card)) | CardPlayed(card=card) | UpcardTaken(card=card):
            return _card(card)
        case UpcardTurnedDown(card=card):
            return _card(card)
        case _:
            return ()


def _hand(hand: HandSummary) -> Args:
    """Who scored what; nobody when the hand was passed out."""
    if hand.outcome is Outcome.PASSED_OUT:
        return (_score(hand.scores_by_team),)
    team = 0 if hand.points_by_team[0] else 1
    return (
        ("team", f"$team.{team}"),
        ("tricks", str(hand.tricks_by_team[team])),
        ("points", str(hand.points_by_team[team])),
        _score(hand.scores_by_team),
    )


def _seat(seat: int | None) -> Args:
    return () if seat is None else (("seat", str(seat)),)


def _card(card: int) -> Args:
    return (("card", card_text(card)),)


def _trump(trump: Trump) -> Args:
    return (("trump", f"$trump.{trump.name.lower()}"),)


def _score(scores: tuple[int, ...]) -> tuple[str, str]:
    return "score", ":".join(map(str, scores))
