"""Pending work of a turn, as data: see ``engine.core.agenda``.

An *ask* frame waits for an answer of ``seat``; what it offers is in ``questions``. ``power`` is the bird whose power
the question belongs to, None for the action itself; ``begun`` says that the owner has started with it: from then on the
way out of the question is a pass, before it is to decline. An *auto* frame resolves at once.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from engine.games.wingspan.rows import Bird
from engine.games.wingspan.terms import ANY_FOOD, Action, Food, Habitat, Nest


class ChooseAction(msgspec.Struct, frozen=True, array_like=True, tag="choose_action"):
    """Ask: what to spend a cube on (4.1)."""

    seat: int


class ChooseHabitat(msgspec.Struct, frozen=True, array_like=True, tag="choose_habitat"):
    """Ask: where the bird goes that is being played (6.2)."""

    seat: int


class PayEggs(msgspec.Struct, frozen=True, array_like=True, tag="pay_eggs"):
    """Ask: which bird pays the next of so many eggs (6.3)."""

    seat: int
    left: int


class PayFood(msgspec.Struct, frozen=True, array_like=True, tag="pay_food"):
    """Ask: how to pay the next symbol of what is left of the cost (6.4)."""

    seat: int
    foods: tuple[int, int, int, int, int]
    wild: int
    alternatives: bool


class PlaceBird(msgspec.Struct, frozen=True, array_like=True, tag="place_bird"):
    """Auto: the bird is paid for and goes to its row (6.6)."""

    seat: int


class TakeDice(msgspec.Struct, frozen=True, array_like=True, tag="take_dice"):
    """Ask: the next of so many dice, restricted to some foods (5.1)."""

    seat: int
    left: int
    power: Bird | None = None
    begun: bool = True
    foods: tuple[Food, ...] = ANY_FOOD
    may_cache: bool = False


class TakeAllDice(msgspec.Struct, frozen=True, array_like=True, tag="take_all_dice"):
    """Ask: all dice of a food, or a reset before that (11.6)."""

    seat: int
    power: Bird
    food: Food
    begun: bool = False


class CacheToken(msgspec.Struct, frozen=True, array_like=True, tag="cache_token"):
    """Ask: whether the token just gained is cached on the bird (11.5)."""

    seat: int
    power: Bird
    food: Food


class Trade(msgspec.Struct, frozen=True, array_like=True, tag="trade"):
    """Ask: what is given for one more of the action's benefit (7.2, 8.2, 9.2)."""

    seat: int
    habitat: Habitat


class LayEggs(msgspec.Struct, frozen=True, array_like=True, tag="lay_eggs"):
    """Ask: where the next of so many eggs goes; on birds with a nest, on one bird only, or not on one bird (8.1)."""

    seat: int
    left: int
    power: Bird | None = None
    begun: bool = True
    nest: Nest | None = None
    only: Bird | None = None
    exclude: Bird | None = None
    owner_extra: bool = False


class DrawCards(msgspec.Struct, frozen=True, array_like=True, tag="draw_cards"):
    """Ask: where the next of so many cards comes from; the first one makes so many discards due (9.1, 11.14)."""

    seat: int
    left: int
    power: Bird | None = None
    begun: bool = True
    owe: int = 0


class UsePower(msgspec.Struct, frozen=True, array_like=True, tag="use_power"):
    """Ask: whether to use a power that begins without any other choice (10.2)."""

    seat: int
    power: Bird


class TuckCard(msgspec.Struct, frozen=True, array_like=True, tag="tuck_card"):
    """Ask: which hand card to tuck (11.18, 11.31)."""

    seat: int
    power: Bird


class ChooseStart(msgspec.Struct, frozen=True, array_like=True, tag="choose_start"):
    """Ask: which of ``seats`` takes the first die (11.7, 11.8)."""

    seat: int
    power: Bird
    seats: tuple[int, ...]


class SetAside(msgspec.Struct, frozen=True, array_like=True, tag="set_aside"):
    """Ask: where the next of so many cards for the draft comes from (11.16)."""

    seat: int
    power: Bird
    left: int


class DraftPick(msgspec.Struct, frozen=True, array_like=True, tag="draft_pick"):
    """Ask: which of the cards set aside to take (11.16)."""

    seat: int
    power: Bird


class DraftRest(msgspec.Struct, frozen=True, array_like=True, tag="draft_rest"):
    """Auto: what is left of the cards set aside goes to the seat (11.16)."""

    seat: int


class KeepBonus(msgspec.Struct, frozen=True, array_like=True, tag="keep_bonus"):
    """Ask: which of the new bonus cards to keep (11.17)."""

    seat: int
    power: Bird


class RemoveEgg(msgspec.Struct, frozen=True, array_like=True, tag="remove_egg"):
    """Ask: which bird loses the egg that a power costs (11.20, 11.21)."""

    seat: int
    power: Bird
    exclude: Bird | None = None


class GainFood(msgspec.Struct, frozen=True, array_like=True, tag="gain_food"):
    """Ask: which of ``foods`` the next of so many tokens is (11.18, 11.20, 11.22)."""

    seat: int
    power: Bird
    left: int
    foods: tuple[Food, ...] = ANY_FOOD


class SpendFood(msgspec.Struct, frozen=True, array_like=True, tag="spend_food"):
    """Ask: which token is given for another (11.22)."""

    seat: int
    power: Bird


class Relocate(msgspec.Struct, frozen=True, array_like=True, tag="relocate"):
    """Ask: where the bird moves (11.25)."""

    seat: int
    power: Bird


class RepeatPower(msgspec.Struct, frozen=True, array_like=True, tag="repeat_power"):
    """Ask: whose power is repeated; not one of ``chain``, which repeat already (11.27)."""

    seat: int
    power: Bird
    chain: tuple[Bird, ...]


class ExtraPlay(msgspec.Struct, frozen=True, array_like=True, tag="extra_play"):
    """Ask: which hand card is played into the habitat as well (11.26)."""

    seat: int
    power: Bird
    habitat: Habitat


class DiscardOwed(msgspec.Struct, frozen=True, array_like=True, tag="discard_owed"):
    """Ask: which hand card pays a discard that is due (13.1)."""

    seat: int


class Power(msgspec.Struct, frozen=True, array_like=True, tag="power"):
    """Auto: the power of the bird, if it can be used; ``chain`` are the birds that repeat it (10.2)."""

    seat: int
    bird: Bird
    chain: tuple[Bird, ...] = ()


class Activation(msgspec.Struct, frozen=True, array_like=True, tag="activation"):
    """Auto: the powers of these birds of a row, one after the other (10.1)."""

    seat: int
    habitat: Habitat
    birds: tuple[Bird, ...]


class AfterBenefit(msgspec.Struct, frozen=True, array_like=True, tag="after_benefit"):
    """Auto: others may react to the action, whose benefit and trade are done (12.3)."""

    seat: int
    action: Action


class Reactions(msgspec.Struct, frozen=True, array_like=True, tag="reactions"):
    """Auto: the powers of these birds, one after the other, as far as they may react (12.4)."""

    birds: tuple[Bird, ...]


class EndTurn(msgspec.Struct, frozen=True, array_like=True, tag="end_turn"):
    """Auto: discards due, tray, next seat (13.1)."""

    seat: int


Auto: TypeAlias = PlaceBird | DraftRest | Power | Activation | AfterBenefit | Reactions | EndTurn
Ask: TypeAlias = (
    ChooseAction
    | ChooseHabitat
    | PayEggs
    | PayFood
    | TakeDice
    | TakeAllDice
    | CacheToken
    | Trade
    | LayEggs
    | DrawCards
    | UsePower
    | TuckCard
    | ChooseStart
    | SetAside
    | DraftPick
    | KeepBonus
    | RemoveEgg
    | GainFood
    | SpendFood
    | Relocate
    | RepeatPower
    | ExtraPlay
    | DiscardOwed
)
Frame: TypeAlias = Auto | Ask
