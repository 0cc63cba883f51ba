"""Deal anew everything that a viewer cannot know, so that the table looks the same to it (RULES 10)."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core import Rng
from engine.core.cards import Card
from engine.games.euchre.pack import SUITS, arrange
from engine.games.euchre.state import SEATS, Cards, Phase, State, UpcardState

# A deal that fits is nearly always found at once.
_TRIES = 50


def redeal(state: State, seat: int | None, rng: Rng) -> State:
    """A state with the same view for ``seat`` (None: a spectator), in which all other cards are mixed.

    An upcard that was taken and not played stays with the dealer, in the hand or laid away: that much is known.
    Nobody gets a card of a suit that he has failed to follow: that too is known (RULES 8.4).
    """
    unknown = [s for s in SEATS if s != seat or (state.phase is Phase.BENNY and s == state.dealer)]
    piles = {f"hand/{s}": state.hands[s] for s in unknown} | {"kitty": state.kitty}
    if state.discard is not None and seat != state.dealer:
        piles["discard"] = (state.discard,)
    mixed = _mix(state, piles, _kept_upcard(state, seat), rng)
    hands = tuple(arrange(mixed.get(f"hand/{s}", state.hands[s]), state.trump or 0) for s in SEATS)
    laid_away = mixed.get("discard")
    return replace(state, hands=hands, kitty=mixed["kitty"], discard=laid_away[0] if laid_away else state.discard)


def _kept_upcard(state: State, seat: int | None) -> Card | None:
    """The upcard, if the viewer knows only that the dealer still has it somewhere."""
    if state.upcard_state is not UpcardState.TAKEN or seat == state.dealer:
        return None
    with_dealer = state.upcard in state.hands[state.dealer] or state.upcard == state.discard
    return state.upcard if with_dealer else None


def _voids(state: State) -> dict[str, set[int]]:
    """The effective suits that a hand cannot have any more, by its pile."""
    voids: dict[str, set[int]] = {}
    if state.trump is not None:
        suits = SUITS[state.trump]
        for cards in (*(trick.cards for trick in state.tricks), state.trick):
            led = suits[cards[0].card] if cards else 0
            for played in cards:
                if led and suits[played.card] != led:
                    voids.setdefault(f"hand/{played.seat}", set()).add(led)
    return voids


def _mix(state: State, piles: dict[str, Cards], kept: Card | None, rng: Rng) -> dict[str, Cards]:
    """The piles with their cards permuted; ``kept`` goes to a random place of the dealer's."""
    voids = _voids(state)
    for _ in range(_TRIES):
        mixed = _dealt(state, piles, kept, voids, rng)
        if mixed is not None:
            return mixed
    # A start position may hold what nobody could have kept.
    mixed = _dealt(state, piles, kept, {}, rng)
    if mixed is None:
        raise ValueError("without voids every card goes everywhere")
    return mixed


def _dealt(
    state: State, piles: dict[str, Cards], kept: Card | None, voids: dict[str, set[int]], rng: Rng
) -> dict[str, Cards] | None:
    """One way to deal, hands with most voids first; None if that leaves somebody without a card that he may have."""
    suits = SUITS[state.trump or 0]
    dealt: dict[str, list[Card]] = {name: [] for name in piles}
    # Sorted, so that nothing depends on where the cards really are.
    loose = list(rng.shuffle(sorted(card for cards in piles.values() for card in cards if card != kept)))
    if kept is not None:
        keepers = [name for name in (f"hand/{state.dealer}", "discard") if suits[kept] not in voids.get(name, ())]
        places = tuple(name for name in keepers for _ in piles.get(name, ()))
        if not places:
            return None
        dealt[rng.choice(places)].append(kept)
    for name in sorted(piles, key=lambda name: -len(voids.get(name, ()))):
        banned = voids.get(name, ())
        wanted = len(piles[name]) - len(dealt[name])
        got = [card for card in loose if suits[card] not in banned][:wanted] if banned else loose[:wanted]
        if len(got) < wanted:
            return None
        dealt[name] += got
        loose = [card for card in loose if card not in got]
    return {name: tuple(cards) for name, cards in dealt.items()}
