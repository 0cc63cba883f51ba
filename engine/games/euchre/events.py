"""What happens at the table, as events; tags and fields equal those of ``rookery.euchre.v1``.

The doer of each event stands beside it, in ``Fact.seat``.
"""

from __future__ import annotations

import msgspec

from engine.core.cards import Card
from engine.games.euchre.state import Cards, HandSummary, Trump


class HandDealt(msgspec.Struct, frozen=True, array_like=True, tag="hand_dealt"):
    """Five cards to each seat and one face up; ``hand`` is the viewer's own, empty if it must not be seen."""

    hand_number: int
    dealer: int
    upcard: Card
    kitty_size: int
    hand: Cards = ()


class Passed(msgspec.Struct, frozen=True, array_like=True, tag="passed"):
    """The seat passed in bidding round 1 or 2."""

    round: int


class UpcardTurnedDown(msgspec.Struct, frozen=True, array_like=True, tag="upcard_turned_down"):
    """Everybody passed in the first round."""

    card: Card


class TrumpMade(msgspec.Struct, frozen=True, array_like=True, tag="trump_made"):
    """The seat made trump."""

    trump: Trump
    alone: bool
    round: int


class UpcardTaken(msgspec.Struct, frozen=True, array_like=True, tag="upcard_taken"):
    """The dealer took the upcard; ``hand`` are the six cards, for the dealer only."""

    card: Card
    hand: Cards = ()


class CardDiscarded(msgspec.Struct, frozen=True, array_like=True, tag="card_discarded"):
    """The dealer laid a card away; ``card`` is for the dealer only."""

    card: Card | None = None


class DefendAnswered(msgspec.Struct, frozen=True, array_like=True, tag="defend_answered"):
    """A defender answered whether he defends alone."""

    alone: bool


class PlayBegan(msgspec.Struct, frozen=True, array_like=True, tag="play_began"):
    """The first trick is about to be led."""

    leader: int
    inactive: tuple[int, ...]


class CardPlayed(msgspec.Struct, frozen=True, array_like=True, tag="card_played"):
    """The seat played a card."""

    card: Card


class TrickWon(msgspec.Struct, frozen=True, array_like=True, tag="trick_won"):
    """The seat won the trick."""

    number: int
    tricks_by_team: tuple[int, ...]


class HandScored(msgspec.Struct, frozen=True, array_like=True, tag="hand_scored"):
    """A hand is finished."""

    hand: HandSummary


class MatchOver(msgspec.Struct, frozen=True, array_like=True, tag="match_over"):
    """A team has reached the target score."""

    winning_team: int
    scores_by_team: tuple[int, ...]


Event = (
    HandDealt
    | Passed
    | UpcardTurnedDown
    | TrumpMade
    | UpcardTaken
    | CardDiscarded
    | DefendAnswered
    | PlayBegan
    | CardPlayed
    | TrickWon
    | HandScored
    | MatchOver
)
EVENTS = (
    HandDealt,
    Passed,
    UpcardTurnedDown,
    TrumpMade,
    UpcardTaken,
    CardDiscarded,
    DefendAnswered,
    PlayBegan,
    CardPlayed,
    TrickWon,
    HandScored,
    MatchOver,
)
