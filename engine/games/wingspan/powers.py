"""The powers of birds as data: one struct per op, decoded from the rows; what they do is in ``effects``.

The docstring of each names its clause of RULES.md, where the meaning stands in words.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from engine.games.wingspan.terms import Food, Habitat, Nest, Reward


class NoPower(msgspec.Struct, frozen=True, tag="none"):
    """Nothing (11.1)."""


class SupplyGain(msgspec.Struct, frozen=True, tag="supply_gain"):
    """Take tokens from the supply (11.2)."""

    food: Food
    count: int


class EveryoneSupplyGain(msgspec.Struct, frozen=True, tag="everyone_supply_gain"):
    """Everybody takes tokens from the supply (11.3)."""

    food: Food
    count: int


class SupplyCache(msgspec.Struct, frozen=True, tag="supply_cache"):
    """Cache tokens from the supply (11.4)."""

    food: Food
    count: int


class FeederGain(msgspec.Struct, frozen=True, tag="feeder_gain"):
    """Take a die of certain foods from the feeder (11.5)."""

    foods: tuple[Food, ...]
    may_cache: bool


class FeederGainAll(msgspec.Struct, frozen=True, tag="feeder_gain_all"):
    """Take all dice of a food from the feeder (11.6)."""

    food: Food


class EveryoneFeederDie(msgspec.Struct, frozen=True, tag="everyone_feeder_die"):
    """Everybody takes a die (11.7)."""


class FewestBirdsReward(msgspec.Struct, frozen=True, tag="fewest_birds_reward"):
    """Those with the fewest birds in a habitat get something (11.8)."""

    habitat: Habitat
    reward: Reward


class LaySelf(msgspec.Struct, frozen=True, tag="lay_self"):
    """Lay eggs on this bird (11.9)."""

    eggs: int


class LayAny(msgspec.Struct, frozen=True, tag="lay_any"):
    """Lay eggs on any bird (11.10)."""

    eggs: int


class LayEachNest(msgspec.Struct, frozen=True, tag="lay_each_nest"):
    """Lay an egg on each bird with a nest (11.11)."""

    nest: Nest


class EveryoneLay(msgspec.Struct, frozen=True, tag="everyone_lay"):
    """Everybody lays an egg on a bird with a nest, the owner two (11.12)."""

    nest: Nest


class DrawCards(msgspec.Struct, frozen=True, tag="draw_cards"):
    """Draw cards (11.13)."""

    count: int


class DrawThenOweDiscard(msgspec.Struct, frozen=True, tag="draw_then_owe_discard"):
    """Draw cards, discard some at the end of the turn (11.14)."""

    draw: int
    owe: int


class EveryoneDrawDeck(msgspec.Struct, frozen=True, tag="everyone_draw_deck"):
    """Everybody draws from the deck (11.15)."""


class DraftCards(msgspec.Struct, frozen=True, tag="draft_cards"):
    """Set cards aside, then everybody takes one (11.16)."""

    extra: int


class BonusDraw(msgspec.Struct, frozen=True, tag="bonus_draw"):
    """Draw bonus cards and keep one (11.17)."""

    draw: int


class SupplyGainOneOf(msgspec.Struct, frozen=True, tag="supply_gain_one_of"):
    """Take a token of one of some foods from the supply: what may follow a tuck (11.18)."""

    foods: tuple[Food, ...]


class TuckFromHand(msgspec.Struct, frozen=True, tag="tuck_from_hand"):
    """Tuck a hand card, then get something (11.18)."""

    then: DrawCards | LaySelf | SupplyGainOneOf


class FoodForDeckTuck(msgspec.Struct, frozen=True, tag="food_for_deck_tuck"):
    """Pay a token, tuck cards from the deck (11.19)."""

    food: Food
    tuck: int


class EggForFood(msgspec.Struct, frozen=True, tag="egg_for_food"):
    """Discard an egg of another bird, take tokens (11.20)."""

    gain_any_food: int


class EggForCards(msgspec.Struct, frozen=True, tag="egg_for_cards"):
    """Discard an egg, draw cards (11.21)."""

    draw: int


class SwapFood(msgspec.Struct, frozen=True, tag="swap_food"):
    """Exchange a token (11.22)."""


class HuntDeck(msgspec.Struct, frozen=True, tag="hunt_deck"):
    """Reveal a card, tuck it if it is small enough (11.23)."""

    wingspan_below_cm: int


class HuntDice(msgspec.Struct, frozen=True, tag="hunt_dice"):
    """Roll the dice outside the feeder (11.24)."""

    face: Food


class RelocateIfRightmost(msgspec.Struct, frozen=True, tag="relocate_if_rightmost"):
    """Move this bird to another habitat (11.25)."""


class ExtraPlay(msgspec.Struct, frozen=True, tag="extra_play"):
    """Play another bird into ``habitat`` (None: where this one stands) (11.26)."""

    habitat: Habitat | None = None


class RepeatPower(msgspec.Struct, frozen=True, tag="repeat_power"):
    """Use the power of another bird of this row (11.27)."""

    only_predators: bool


class ReactLayNest(msgspec.Struct, frozen=True, tag="react_lay_nest"):
    """When another player lays eggs: lay an egg on another bird with a nest (11.28)."""

    nest: Nest


class ReactFeederDie(msgspec.Struct, frozen=True, tag="react_feeder_die"):
    """When another player's hunt succeeds: take a die (11.29)."""


class ReactSupplyGain(msgspec.Struct, frozen=True, tag="react_supply_gain"):
    """When another player plays a bird into ``habitat``: take a token (11.30)."""

    habitat: Habitat
    food: Food


class ReactTuckFromHand(msgspec.Struct, frozen=True, tag="react_tuck_from_hand"):
    """When another player plays a bird into ``habitat``: tuck a hand card (11.31)."""

    habitat: Habitat


class ReactSupplyCache(msgspec.Struct, frozen=True, tag="react_supply_cache"):
    """When another player gains ``food`` with the action: cache a token of it (11.32)."""

    food: Food


Effect: TypeAlias = (
    NoPower
    | SupplyGain
    | EveryoneSupplyGain
    | SupplyCache
    | FeederGain
    | FeederGainAll
    | EveryoneFeederDie
    | FewestBirdsReward
    | LaySelf
    | LayAny
    | LayEachNest
    | EveryoneLay
    | DrawCards
    | DrawThenOweDiscard
    | EveryoneDrawDeck
    | DraftCards
    | BonusDraw
    | TuckFromHand
    | FoodForDeckTuck
    | EggForFood
    | EggForCards
    | SwapFood
    | HuntDeck
    | HuntDice
    | RelocateIfRightmost
    | ExtraPlay
    | RepeatPower
    | ReactLayNest
    | ReactFeederDie
    | ReactSupplyGain
    | ReactTuckFromHand
    | ReactSupplyCache
)
