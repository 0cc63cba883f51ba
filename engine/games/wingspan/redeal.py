"""Permuting everything that a viewer cannot know (16)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from engine.core.rng import Rng
from engine.games.wingspan import frames, setup
from engine.games.wingspan.state import Keeping, Player, Row, State
from engine.games.wingspan.terms import Food


def redeal(state: State, seat: int | None, rng: Rng) -> State:
    """A state that the seat (None: a spectator) cannot tell from this one."""
    birds = _Dealer(_hidden_birds(state, seat), rng)
    bonus = _Dealer(_hidden_bonus(state, seat), rng)

    def swap_row(row: Row) -> Row:
        return tuple(replace(on, tucked=birds.swap(on.tucked)) if on.tucked else on for on in row)

    def swap_player(player: Player) -> Player:
        forest, grassland, wetland = map(swap_row, player.mat)
        hand, cards = birds.swap(player.hand), bonus.swap(player.bonus)
        return replace(player, hand=hand, bonus=cards, mat=(forest, grassland, wetland))

    dealt = replace(
        state,
        players=tuple(map(swap_player, state.players)),
        deck=birds.swap(state.deck),
        bonus_deck=bonus.swap(state.bonus_deck),
        bonus_discard=bonus.swap(state.bonus_discard),
        drafting=birds.swap(state.drafting),
        bonus_offer=bonus.swap(state.bonus_offer),
    )
    return replace(dealt, keeping=tuple(_keeping(dealt, other, seat, rng) for other in range(len(state.keeping))))


class _Dealer:
    """Deals the hidden cards anew, place by place.

    Which card a place gets depends on the order in which places are visited, and on nothing that lies there now.
    """

    def __init__(self, hidden: Iterable[int], rng: Rng) -> None:
        cards = sorted(hidden)
        self._hidden = frozenset(cards)
        self._left = iter(rng.shuffle(cards))

    def swap(self, cards: tuple[int, ...]) -> tuple[int, ...]:
        """The cards of a place, other ones for those that are hidden."""
        return tuple([next(self._left) if card in self._hidden else card for card in cards])


def _hidden_birds(state: State, seat: int | None) -> list[int]:
    """Deck, the hands of others, everything tucked but what a hunter has just shown, a draft that is not the seat's."""
    cards = [*state.deck]
    for other, player in enumerate(state.players):
        cards += () if other == seat else player.hand
        cards += (card for row in player.mat for on_mat in row for card in on_mat.tucked if card != state.revealed)
    return cards if _picks(state, seat) else [*cards, *state.drafting]


def _hidden_bonus(state: State, seat: int | None) -> list[int]:
    """Both piles, the cards of others until the end, an offer that is not the seat's."""
    cards = [*state.bonus_deck, *state.bonus_discard]
    if state.active is not None or state.keeping:
        cards += (card for other, player in enumerate(state.players) if other != seat for card in player.bonus)
    return cards if _picks(state, seat) else [*cards, *state.bonus_offer]


def _picks(state: State, seat: int | None) -> bool:
    """Whether the seat is looking at the cards set aside or on offer."""
    top = state.agenda[-1] if state.agenda else None
    return isinstance(top, frames.SetAside | frames.DraftPick | frames.KeepBonus) and top.seat == seat


def _keeping(state: State, other: int, seat: int | None, rng: Rng) -> Keeping:
    """Another seat at the same question may have decided on anything (3.5)."""
    keeping, player = state.keeping[other], state.players[other]
    if other == seat:
        return keeping
    done = setup.asked(state, other) != setup.KEEP_THING
    kept = setup.THINGS_KEPT if done else rng.below(setup.THINGS_KEPT)
    chosen = rng.shuffle(range(setup.BIRDS_DEALT + len(Food)))[:kept]
    return Keeping(
        birds=tuple(card for at, card in enumerate(player.hand) if at in chosen),
        foods=tuple(food for at, food in enumerate(Food, setup.BIRDS_DEALT) if at in chosen),
        bonus=None if keeping.bonus is None else rng.choice(player.bonus),
    )
