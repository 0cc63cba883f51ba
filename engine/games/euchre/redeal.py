"""Deal anew everything that a viewer cannot know, so that the table looks the same to it (RULES 10)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from engine.core import Rng
from engine.core.cards import Card
from engine.games.euchre.pack import arrange
from engine.games.euchre.state import SEATS, Cards, Phase, State, UpcardState


def redeal(state: State, seat: int | None, rng: Rng) -> State:
    """A state with the same view for ``seat`` (None: a spectator), in which all other cards are mixed.

    An upcard that was taken and not played stays with the dealer, in the hand or laid away: that much is known.
    What somebody failed to follow is no knowledge of where cards are, so it binds nothing here.
    """
    unknown = [s for s in SEATS if s != seat or (state.phase is Phase.BENNY and s == state.dealer)]
    piles = {f"hand/{s}": state.hands[s] for s in unknown} | {"kitty": state.kitty}
    if state.discard is not None and seat != state.dealer:
        piles["discard"] = (state.discard,)
    mixed = _mix(piles, _kept_upcard(state, seat), (f"hand/{state.dealer}", "discard"), rng)
    hands = tuple(arrange(mixed.get(f"hand/{s}", state.hands[s]), state.trump or 0) for s in SEATS)
    laid_away = mixed.get("discard")
    return replace(state, hands=hands, kitty=mixed["kitty"], discard=laid_away[0] if laid_away else state.discard)


def _kept_upcard(state: State, seat: int | None) -> Card | None:
    """The upcard, if the viewer knows only that the dealer still has it somewhere."""
    if state.upcard_state is not UpcardState.TAKEN or seat == state.dealer:
        return None
    with_dealer = state.upcard in state.hands[state.dealer] or state.upcard == state.discard
    return state.upcard if with_dealer else None


def _mix(piles: dict[str, Cards], kept: Card | None, keepers: Sequence[str], rng: Rng) -> dict[str, Cards]:
    """The piles with their cards permuted; ``kept`` goes to a random place of the ``keepers``."""
    places = [name for name, cards in piles.items() for _ in cards]
    # Sorted, so that nothing depends on where the cards really are.
    loose = list(rng.shuffle(sorted(card for cards in piles.values() for card in cards if card != kept)))
    if kept is not None:
        loose.insert(rng.choice(tuple(i for i, name in enumerate(places) if name in keepers)), kept)
    dealt: dict[str, list[Card]] = {name: [] for name in piles}
    for name, card in zip(places, loose, strict=True):
        dealt[name].append(card)
    return {name: tuple(cards) for name, cards in dealt.items()}
