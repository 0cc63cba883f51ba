"""The play of the cards (RULES 8)."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core import Fact, Rng, Step
from engine.core.cards import JOKER, Card
from engine.games.euchre.events import CardPlayed, Event, TrickWon
from engine.games.euchre.pack import POWERS, SUITS
from engine.games.euchre.scoring import finish_hand
from engine.games.euchre.state import (
    HAND_SIZE,
    SEATS,
    Cards,
    Move,
    Play,
    PlayedCard,
    State,
    Trick,
    Trump,
    inactive_seats,
    left_of,
    next_active,
    tricks_by_team,
)

# One struct per card, made once.
_PLAYS = tuple(Play(card) for card in range(JOKER + 1))


def led_suit(trick: tuple[PlayedCard, ...], trump: Trump) -> int:
    """The effective suit of the card led; 0 if it has none (RULES 3.4, 8.5)."""
    return SUITS[trump][trick[0].card]


def playable(hand: Cards, trick: tuple[PlayedCard, ...], trump: Trump) -> Cards:
    """The cards that follow the led suit, or else all of them (RULES 8.4)."""
    if not trick:
        return hand
    suits = SUITS[trump]
    led = suits[trick[0].card]
    # A Benny led in no trump has no suit, so nothing has to be followed; a held one follows no suit either.
    return (led and tuple([card for card in hand if suits[card] == led])) or hand


def trick_winner(trick: tuple[PlayedCard, ...], trump: Trump) -> int:
    """The seat with the Benny, else the highest trump, else the highest card of the led suit (RULES 8.6)."""
    powers = POWERS[trump][led_suit(trick, trump)]
    best, winner = -1, trick[0].seat
    for played in trick:
        if powers[played.card] > best:
            best, winner = powers[played.card], played.seat
    return winner


def trump_of(state: State) -> Trump:
    """What is trump, in a phase in which it has been made."""
    if state.trump is None:
        raise ValueError(f"no trump has been made in phase {state.phase.name}")
    return state.trump


def legal_play(state: State, seat: int) -> tuple[Move, ...]:
    """The cards that the seat may play (RULES 8.4)."""
    return tuple([_PLAYS[card] for card in playable(state.hands[seat], state.trick, trump_of(state))])


def apply_play(state: State, seat: int, move: Play, rng: Rng) -> Step[State, Event]:
    """The card lies on the table; the next active seat is on turn, or the trick is complete (RULES 8.7)."""
    hands = _without(state.hands, seat, move.card)
    trick = (*state.trick, PlayedCard(seat, move.card))
    played: Fact[Event] = Fact(seat, CardPlayed(move.card))
    inactive = inactive_seats(state)
    if len(trick) < len(SEATS) - len(inactive):
        turn = next_active(left_of(seat), inactive)
        return Step(replace(state, hands=hands, trick=trick, turn=turn), (played,))
    return _finish_trick(state, hands, trick, played, rng)


def _without(hands: tuple[Cards, ...], seat: int, card: Card) -> tuple[Cards, ...]:
    hand = hands[seat]
    at = hand.index(card)
    return (*hands[:seat], hand[:at] + hand[at + 1 :], *hands[seat + 1 :])


def _finish_trick(
    state: State, hands: tuple[Cards, ...], trick: tuple[PlayedCard, ...], played: Fact[Event], rng: Rng
) -> Step[State, Event]:
    """The winner leads the next trick; the fifth one ends the hand (RULES 8.7)."""
    winner = trick_winner(trick, trump_of(state))
    tricks = (*state.tricks, Trick(trick, winner))
    won: Fact[Event] = Fact(winner, TrickWon(len(tricks), tricks_by_team(tricks)))
    after = replace(state, hands=hands, trick=(), tricks=tricks, turn=winner)
    if len(tricks) < HAND_SIZE:
        return Step(after, (played, won))
    return finish_hand(after, (played, won), rng)
