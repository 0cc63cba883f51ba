"""What happened. Who did it is the seat of the fact that carries the event; where a card is hidden it is left out.

Birds and bonus cards are named by their catalogue ids.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from engine.games.wingspan.terms import Action, Die, Food, Habitat


class ThingKept(msgspec.Struct, frozen=True, array_like=True, tag="thing_kept"):
    """The seat keeps one of the things dealt: exactly one field is set. Only the seat itself learns of it (3.5)."""

    bird: str | None = None
    food: Food | None = None
    bonus: str | None = None


class SetupRevealed(msgspec.Struct, frozen=True, array_like=True, tag="setup_revealed"):
    """What the seat kept and gave up, once everybody has chosen (3.5)."""

    hand_size: int
    foods: tuple[Food, ...]
    discarded: tuple[str, ...]


class FirstPlayerDrawn(msgspec.Struct, frozen=True, array_like=True, tag="first_player_drawn"):
    """The seat has the first turn of the game (3.6)."""


class RoundStarted(msgspec.Struct, frozen=True, array_like=True, tag="round_started"):
    """A round begins (14.4)."""

    round: int
    first_player: int
    cubes: int


class TurnStarted(msgspec.Struct, frozen=True, array_like=True, tag="turn_started"):
    """The turn of the seat begins; its birds may react again (12.2)."""


class ActionTaken(msgspec.Struct, frozen=True, array_like=True, tag="action_taken"):
    """A cube was spent (4.2)."""

    action: Action
    cubes_left: int


class Declined(msgspec.Struct, frozen=True, array_like=True, tag="declined"):
    """The seat did not use the power of ``bird``, or, without one, the trade (4.4)."""

    bird: str | None = None


class Passed(msgspec.Struct, frozen=True, array_like=True, tag="passed"):
    """The seat takes no more (4.4)."""


class PowerUsed(msgspec.Struct, frozen=True, array_like=True, tag="power_used"):
    """The power of the bird begins (10.2)."""

    bird: str


class DieTaken(msgspec.Struct, frozen=True, array_like=True, tag="die_taken"):
    """A die left the feeder, a token of the food went to the seat (5.1)."""

    die: Die
    food: Food


class FeederRolled(msgspec.Struct, frozen=True, array_like=True, tag="feeder_rolled"):
    """All five dice were rolled into the feeder: because the seat wanted it (5.2) or because it was empty (5.3)."""

    dice: tuple[Die, ...]
    by_choice: bool


class FoodGained(msgspec.Struct, frozen=True, array_like=True, tag="food_gained"):
    """Tokens went from the supply to the seat (5.5)."""

    food: Food
    count: int


class FoodSpent(msgspec.Struct, frozen=True, array_like=True, tag="food_spent"):
    """Tokens went from the seat to the supply."""

    foods: tuple[Food, ...]


class FoodCached(msgspec.Struct, frozen=True, array_like=True, tag="food_cached"):
    """Tokens went onto the bird, from the supply or from the seat's own food (2.3)."""

    bird: str
    food: Food
    count: int
    from_supply: bool


class TokenKept(msgspec.Struct, frozen=True, array_like=True, tag="token_kept"):
    """The token just gained stays in personal food instead of being cached on the bird (11.5)."""

    bird: str
    food: Food


class EggLaid(msgspec.Struct, frozen=True, array_like=True, tag="egg_laid"):
    """An egg went onto the bird."""

    bird: str


class EggRemoved(msgspec.Struct, frozen=True, array_like=True, tag="egg_removed"):
    """An egg left the bird."""

    bird: str


class CardDrawn(msgspec.Struct, frozen=True, array_like=True, tag="card_drawn"):
    """A card went to the hand: from a tray slot, or from the deck if there is no ``slot``.

    ``bird`` is left out for those who do not see the card.
    """

    slot: int | None = None
    bird: str | None = None


class CardDiscarded(msgspec.Struct, frozen=True, array_like=True, tag="card_discarded"):
    """A hand card went to the discard pile, face up."""

    bird: str


class CardTucked(msgspec.Struct, frozen=True, array_like=True, tag="card_tucked"):
    """A card went face down behind ``under``; ``bird`` is set for those who know it (11.18)."""

    under: str
    from_hand: bool
    bird: str | None = None


class DeckShuffled(msgspec.Struct, frozen=True, array_like=True, tag="deck_shuffled"):
    """The discard pile became the new deck (9.3)."""

    cards: int


class TrayFilled(msgspec.Struct, frozen=True, array_like=True, tag="tray_filled"):
    """A card of the deck was turned up into an empty slot (13.2)."""

    slot: int
    bird: str


class TrayCleared(msgspec.Struct, frozen=True, array_like=True, tag="tray_cleared"):
    """All tray cards went to the discard pile, in this order (14.4)."""

    birds: tuple[str, ...]


class CardSetAside(msgspec.Struct, frozen=True, array_like=True, tag="card_set_aside"):
    """A card was set aside for the draft, from a tray slot or from the deck (11.16)."""

    slot: int | None = None
    bird: str | None = None


class CardDrafted(msgspec.Struct, frozen=True, array_like=True, tag="card_drafted"):
    """A card that was set aside went to the hand (11.16)."""

    bird: str | None = None


class BonusDrawn(msgspec.Struct, frozen=True, array_like=True, tag="bonus_drawn"):
    """The seat looks at new bonus cards; only the seat itself learns which (11.17)."""

    count: int
    cards: tuple[str, ...] = ()


class BonusKept(msgspec.Struct, frozen=True, array_like=True, tag="bonus_kept"):
    """The seat keeps one of them, the others went face down to the discard pile (11.17)."""

    bonus: str | None = None


class BonusDeckShuffled(msgspec.Struct, frozen=True, array_like=True, tag="bonus_deck_shuffled"):
    """The discarded bonus cards became the new deck (11.17)."""

    cards: int


class BirdChosen(msgspec.Struct, frozen=True, array_like=True, tag="bird_chosen"):
    """A hand card is going to be played: its costs are paid next (6.1)."""

    bird: str


class HabitatChosen(msgspec.Struct, frozen=True, array_like=True, tag="habitat_chosen"):
    """The row that the chosen bird is going to (6.2)."""

    bird: str
    habitat: Habitat


class BirdPlayed(msgspec.Struct, frozen=True, array_like=True, tag="bird_played"):
    """The bird stands on the mat, in this column from 1 (6.2)."""

    bird: str
    habitat: Habitat
    column: int


class BirdMoved(msgspec.Struct, frozen=True, array_like=True, tag="bird_moved"):
    """The bird went to another row with all that it holds (11.25)."""

    bird: str
    from_habitat: Habitat
    to_habitat: Habitat
    column: int


class CardRevealed(msgspec.Struct, frozen=True, array_like=True, tag="card_revealed"):
    """A hunting bird showed the top card: success if it is small enough, else it is discarded (11.23)."""

    hunter: str
    bird: str
    success: bool


class DiceRolled(msgspec.Struct, frozen=True, array_like=True, tag="dice_rolled"):
    """A hunting bird rolled the dice outside the feeder (11.24)."""

    hunter: str
    dice: tuple[Die, ...]
    success: bool


class StartChosen(msgspec.Struct, frozen=True, array_like=True, tag="start_chosen"):
    """The seat named who goes first (11.7, 11.8)."""

    start: int


class PowerRepeated(msgspec.Struct, frozen=True, array_like=True, tag="power_repeated"):
    """``bird`` uses the power of ``target`` (11.27)."""

    bird: str
    target: str


class DiscardOwed(msgspec.Struct, frozen=True, array_like=True, tag="discard_owed"):
    """The seat owes so many more discards at the end of the turn (11.14)."""

    count: int


class GoalScored(msgspec.Struct, frozen=True, array_like=True, tag="goal_scored"):
    """The goal of the round was scored; counts and points are by seat (14.1)."""

    round: int
    goal: str
    counts: tuple[int, ...]
    points: tuple[int, ...]


class BonusRevealed(msgspec.Struct, frozen=True, array_like=True, tag="bonus_revealed"):
    """The bonus cards of the seat and what each is worth (15.3)."""

    cards: tuple[str, ...]
    points: tuple[int, ...]


class GameEnded(msgspec.Struct, frozen=True, array_like=True, tag="game_ended"):
    """The last goal is scored: the game is over; totals are by seat (15.1)."""

    totals: tuple[int, ...]


Event: TypeAlias = (
    ThingKept
    | SetupRevealed
    | FirstPlayerDrawn
    | RoundStarted
    | TurnStarted
    | ActionTaken
    | Declined
    | Passed
    | PowerUsed
    | DieTaken
    | FeederRolled
    | FoodGained
    | FoodSpent
    | FoodCached
    | TokenKept
    | EggLaid
    | EggRemoved
    | CardDrawn
    | CardDiscarded
    | CardTucked
    | DeckShuffled
    | TrayFilled
    | TrayCleared
    | CardSetAside
    | CardDrafted
    | BonusDrawn
    | BonusKept
    | BonusDeckShuffled
    | BirdChosen
    | HabitatChosen
    | BirdPlayed
    | BirdMoved
    | CardRevealed
    | DiceRolled
    | StartChosen
    | PowerRepeated
    | DiscardOwed
    | GoalScored
    | BonusRevealed
    | GameEnded
)
