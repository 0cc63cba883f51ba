"""Every answer that a seat can give. Birds, bonus cards are named by their catalogue ids, as in ``wingspan.proto``."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from engine.games.wingspan.terms import Action, Die, Food, Habitat


class KeepBird(msgspec.Struct, frozen=True, array_like=True, tag="keep_bird"):
    """Keep a bird that was dealt (3.3)."""

    bird: str


class KeepFood(msgspec.Struct, frozen=True, array_like=True, tag="keep_food"):
    """Keep a token that was dealt (3.3)."""

    food: Food


class KeepBonus(msgspec.Struct, frozen=True, array_like=True, tag="keep_bonus"):
    """Keep a bonus card (3.4, 11.17)."""

    bonus: str


class PlayBird(msgspec.Struct, frozen=True, array_like=True, tag="play_bird"):
    """Play a hand card (6.1)."""

    bird: str


class TakeAction(msgspec.Struct, frozen=True, array_like=True, tag="take_action"):
    """Gain food, lay eggs or draw cards (4.1)."""

    action: Action


class ChooseHabitat(msgspec.Struct, frozen=True, array_like=True, tag="choose_habitat"):
    """The row that a bird is played into or moves to (6.2, 11.25)."""

    habitat: Habitat


class RemoveEgg(msgspec.Struct, frozen=True, array_like=True, tag="remove_egg"):
    """Pay an egg of this bird (6.3, 9.2, 11.20, 11.21)."""

    bird: str


class PayFood(msgspec.Struct, frozen=True, array_like=True, tag="pay_food"):
    """Pay a symbol of a food cost, or all that are left as printed (6.4)."""

    foods: tuple[Food, ...]


class TakeDie(msgspec.Struct, frozen=True, array_like=True, tag="take_die"):
    """Take a die from the feeder as this food (5.1)."""

    die: Die
    food: Food


class ResetFeeder(msgspec.Struct, frozen=True, array_like=True, tag="reset_feeder"):
    """Roll all five dice anew (5.2)."""


class TakeAllDice(msgspec.Struct, frozen=True, array_like=True, tag="take_all_dice"):
    """Take every die that gives this food (11.6)."""

    food: Food


class CacheToken(msgspec.Struct, frozen=True, array_like=True, tag="cache_token"):
    """Put the token just gained onto the bird (11.5)."""


class KeepToken(msgspec.Struct, frozen=True, array_like=True, tag="keep_token"):
    """Leave the token just gained in personal food (11.5)."""


class DiscardCard(msgspec.Struct, frozen=True, array_like=True, tag="discard_card"):
    """Discard a hand card (7.2, 13.1)."""

    bird: str


class SpendFood(msgspec.Struct, frozen=True, array_like=True, tag="spend_food"):
    """Pay a token (8.2, 11.22)."""

    food: Food


class PlaceEgg(msgspec.Struct, frozen=True, array_like=True, tag="place_egg"):
    """Lay an egg on this bird (8.1)."""

    bird: str


class DrawTray(msgspec.Struct, frozen=True, array_like=True, tag="draw_tray"):
    """Take this card from the tray (9.1)."""

    bird: str


class DrawDeck(msgspec.Struct, frozen=True, array_like=True, tag="draw_deck"):
    """Take the top card of the deck (9.1)."""


class UsePower(msgspec.Struct, frozen=True, array_like=True, tag="use_power"):
    """Use the power of this bird (10.2)."""

    bird: str


class TuckCard(msgspec.Struct, frozen=True, array_like=True, tag="tuck_card"):
    """Tuck this hand card (11.18, 11.31)."""

    bird: str


class ChooseSeat(msgspec.Struct, frozen=True, array_like=True, tag="choose_seat"):
    """Who goes first (11.7, 11.8)."""

    seat: int


class DraftCard(msgspec.Struct, frozen=True, array_like=True, tag="draft_card"):
    """Take this card of those set aside (11.16)."""

    bird: str


class GainFood(msgspec.Struct, frozen=True, array_like=True, tag="gain_food"):
    """Take a token of this food from the supply (11.18, 11.20, 11.22)."""

    food: Food


class RepeatPower(msgspec.Struct, frozen=True, array_like=True, tag="repeat_power"):
    """Use the power of this bird once more (11.27)."""

    bird: str


class Decline(msgspec.Struct, frozen=True, array_like=True, tag="decline"):
    """Do not begin: nothing is paid, nothing happens (4.4)."""


class Pass(msgspec.Struct, frozen=True, array_like=True, tag="pass"):
    """Take no more of what was begun (4.4)."""


Move: TypeAlias = (
    KeepBird
    | KeepFood
    | KeepBonus
    | PlayBird
    | TakeAction
    | ChooseHabitat
    | RemoveEgg
    | PayFood
    | TakeDie
    | ResetFeeder
    | TakeAllDice
    | CacheToken
    | KeepToken
    | DiscardCard
    | SpendFood
    | PlaceEgg
    | DrawTray
    | DrawDeck
    | UsePower
    | TuckCard
    | ChooseSeat
    | DraftCard
    | GainFood
    | RepeatPower
    | Decline
    | Pass
)

DECLINE = Decline()
PASS = Pass()
