"""Short ways to lay a table: hands as text, moves as ``seat:move``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core import IllegalMove, Rng, Step, play
from engine.core.cards import JOKER, card_name, card_of
from engine.games.euchre import GAME
from engine.games.euchre.events import Event
from engine.games.euchre.pack import pack
from engine.games.euchre.state import (
    SEATS,
    Call,
    Cards,
    Defend,
    Discard,
    Move,
    Name,
    NoDefend,
    Options,
    OrderUp,
    Pass,
    Phase,
    Play,
    PlayedCard,
    State,
    Trick,
    Trump,
    UpcardState,
    left_of,
)
from engine.games.euchre.view import View

TRUMPS = {"C": Trump.CLUBS, "D": Trump.DIAMONDS, "H": Trump.HEARTS, "S": Trump.SPADES, "NT": Trump.NO_TRUMP}

# The hands that most scenarios use, by seat; the upcard is the nine of hearts, the Benny or what a scenario says.
HANDS = ("AS KS TC 9C QD", "JD AH TH KC QC", "JH KH QH AD TD", "AC JC QS TS 9S")


def cards(text: str) -> Cards:
    """``9H BN``, in the order given."""
    return tuple(map(card_of, text.split()))


def names(held: Cards) -> str:
    """The cards as text."""
    return " ".join(map(card_name, held))


def read_move(text: str) -> Move:
    """A move in the notation of the rules."""
    plain, alone = text.removesuffix("+alone"), text.endswith("+alone")
    kind, _, of = plain.partition(":")
    match kind:
        case "call":
            return Call(TRUMPS[of], alone)
        case "name":
            return Name(TRUMPS[of], alone)
        case "discard":
            return Discard(card_of(of))
        case "play":
            return Play(card_of(of))
        case "up":
            return OrderUp(alone)
    bare: dict[str, Move] = {"pass": Pass(), "defend": Defend(), "nodefend": NoDefend()}
    return bare[kind]


def dealt(
    hands: tuple[str, ...] = HANDS,
    upcard: str = "9H",
    dealer: int = 0,
    scores: tuple[int, ...] = (0, 0),
    **options: Any,
) -> State:
    """A hand as dealt; what nobody got is the kitty."""
    variants = Options(**options)
    held = tuple(map(cards, hands))
    turned = card_of(upcard)
    gone = {turned, *(card for hand in held for card in hand)}
    kitty = tuple(card for card in pack(benny=variants.benny) if card not in gone)
    blind = turned == JOKER
    return State(
        options=variants,
        phase=Phase.BENNY if blind else Phase.BID1,
        hand_number=1,
        dealer=dealer,
        turn=dealer if blind else left_of(dealer),
        hands=held,
        upcard=turned,
        upcard_state=UpcardState.FACE_UP,
        kitty=kitty[: 3 + variants.benny],
        scores=scores,
    )


def in_play(
    hands: tuple[str, ...],
    trump: str,
    maker: int,
    leader: int = 1,
    trick: tuple[tuple[int, str], ...] = (),
    won: tuple[int, ...] = (),
    options: Mapping[str, Any] | None = None,
    **fields: Any,
) -> State:
    """A table in the middle of the play, perhaps with fewer cards than the pack has; ``won`` are winning seats."""
    lying = tuple(PlayedCard(seat, card_of(card)) for seat, card in trick)
    asleep = {(maker + 2) % 4} if fields.get("alone") else set()
    if fields.get("lone_defender") is not None:
        asleep.add((fields["lone_defender"] + 2) % 4)
    turn = left_of(lying[-1].seat) if lying else leader
    while turn in asleep:
        turn = left_of(turn)
    given: dict[str, Any] = {"dealer": 0, "upcard": card_of("9S"), "kitty": ()} | fields
    return State(
        **given,
        options=Options(**(options or {})),
        phase=Phase.PLAY,
        hand_number=1,
        turn=turn,
        hands=tuple(map(cards, hands)),
        upcard_state=UpcardState.TURNED_DOWN,
        trump=TRUMPS[trump],
        maker=maker,
        trick=lying,
        tricks=tuple(Trick((), winner) for winner in won),
    )


def move(state: State, text: str, seed: bytes = b"table") -> Step[State, Event]:
    """Make a move written ``seat:move``."""
    seat, _, what = text.partition(":")
    return play(GAME, state, int(seat), read_move(what), Rng(seed, 1))


def moves(state: State, text: str) -> State:
    """Make moves written ``seat:move``, separated by blanks."""
    for one in text.split():
        state = move(state, one).state
    return state


def offers(state: State) -> list[str]:
    """What the seat on turn may do, in notation."""
    return [] if state.turn is None else [GAME.notation(one) for one in GAME.legal_moves(state, state.turn)]


def refused(state: State, text: str) -> str | None:
    """The clause for which the seat on turn may not do it; None if it may."""
    assert state.turn is not None
    try:
        play(GAME, state, state.turn, read_move(text), Rng(b"", 1))
    except IllegalMove as refusal:
        return refusal.clause
    return None


def views(state: State) -> tuple[View, ...]:
    """The views of the four seats, then the spectator's."""
    return (*(GAME.view(state, seat) for seat in SEATS), GAME.view(state, None))
