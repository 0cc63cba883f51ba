"""How things are said: label keys and their arguments. The words themselves are in ``words``, one file per language."""

from __future__ import annotations

import string
from collections.abc import Iterable

from engine.core.model import Label
from engine.games.wingspan import events, moves, powers
from engine.games.wingspan.events import Event
from engine.games.wingspan.moves import Move
from engine.games.wingspan.powers import Effect
from engine.games.wingspan.rows import BIRD_OF, BIRDS, BONUS_CARDS, BONUS_OF
from engine.games.wingspan.terms import Die, Food, Habitat, Nest, Reward
from engine.games.wingspan.words import MESSAGES

Args = tuple[tuple[str, str], ...]

# Dice and tokens in any language.
ICONS = {Food.INVERTEBRATE: "🐛", Food.SEED: "🌾", Food.FISH: "🐟", Food.FRUIT: "🍒", Food.RODENT: "🐁"}
DIE_ICONS = {**{Die(food): icon for food, icon in ICONS.items()}, Die.INVERTEBRATE_OR_SEED: "🐛/🌾"}


def english(label: Label) -> str:
    """The label in English, with what its arguments name."""
    templates = MESSAGES["en"]
    args = {name: templates[value[1:]] if value.startswith("$") else value for name, value in label.args}
    return string.Formatter().vformat(templates[label.key], (), args)


def _food(food: Food) -> str:
    return f"$food.{food.name.lower()}"


def _habitat(habitat: Habitat) -> str:
    return f"$habitat.{habitat.name.lower()}"


def _nest(nest: Nest) -> str:
    return f"$nest.{nest.name.lower()}"


def _bird(bird: str) -> str:
    return BIRDS[BIRD_OF[bird]].name if bird in BIRD_OF else bird


def _birds(birds: Iterable[str]) -> str:
    return ", ".join(map(_bird, birds)) or "–"


def _bonus(bonus: str) -> str:
    return BONUS_CARDS[BONUS_OF[bonus]].name if bonus in BONUS_OF else bonus


def _bonuses(cards: Iterable[str]) -> str:
    return ", ".join(map(_bonus, cards)) or "–"


def _foods(foods: Iterable[Food]) -> str:
    return " ".join(ICONS[food] for food in foods) or "–"


def _dice(dice: Iterable[Die]) -> str:
    return " ".join(DIE_ICONS[die] for die in dice)


def _numbers(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


# Moves.


def move_label(move: Move) -> Label:
    """What to write on the button."""
    tag = move.__struct_config__.tag
    match move:
        case moves.TakeAction(action=action):
            return Label(f"offer.{action.name.lower()}_action")
        case moves.PayFood(foods=foods):
            names = zip(("first", "second", "third"), map(_food, foods), strict=False)
            return Label(f"offer.pay_food.{len(foods)}", tuple(names))
        case moves.TakeDie(die=Die.INVERTEBRATE_OR_SEED, food=food):
            return Label("offer.take_double", (("food", _food(food)),))
        case moves.ChooseHabitat(habitat=habitat):
            return Label("offer.choose_habitat", (("habitat", _habitat(habitat)),))
        case moves.KeepBonus(bonus=bonus):
            return Label("offer.keep_bonus", (("bonus", _bonus(bonus)),))
        case moves.ChooseSeat(seat=seat):
            return Label("offer.choose_seat", (("seat", str(seat)),))
        case (
            moves.KeepFood(food=food)
            | moves.TakeDie(food=food)
            | moves.TakeAllDice(food=food)
            | moves.SpendFood(food=food)
            | moves.GainFood(food=food)
        ):
            return Label(f"offer.{tag}", (("food", _food(food)),))
    bird = getattr(move, "bird", None)
    return Label(f"offer.{tag}", () if bird is None else (("bird", _bird(bird)),))


def notation(move: Move) -> str:
    """The move as a short text: ``play_bird:…``, ``take_die:invertebrate_or_seed:seed``, ``pass``."""
    if isinstance(move, moves.TakeAction):
        return move.action.name.lower()
    return ":".join([str(move.__struct_config__.tag), *map(_word, _values(move))])


def _values(move: Move) -> list[object]:
    values = [getattr(move, name) for name in move.__struct_fields__]
    return list(values[0]) if isinstance(move, moves.PayFood) else values


def _word(value: object) -> str:
    return value.name.lower() if isinstance(value, Food | Die | Habitat) else str(value)


# Events.


def event_label(event: Event, seat: int | None) -> Label:
    """How to tell the event, done by ``seat`` (None: by nobody)."""
    variant, args = _told(event)
    who = () if seat is None else (("seat", str(seat)),)
    return Label(f"event.{event.__struct_config__.tag}{variant}", (*who, *args))


def _told(event: Event) -> tuple[str, Args]:
    """The variant of the template, and what goes into it."""
    for told in (_told_food, _told_cards, _told_hidden, _told_birds, _told_course):
        found = told(event)
        if found is not None:
            return found
    bird = getattr(event, "bird", None)
    return "", () if bird is None else (("bird", _bird(bird)),)


def _told_food(event: Event) -> tuple[str, Args] | None:
    match event:
        case events.DieTaken(food=food):
            return "", (("food", _food(food)),)
        case events.FeederRolled(dice=dice, by_choice=by_choice):
            return ".by_choice" if by_choice else "", (("dice", _dice(dice)),)
        case events.FoodGained(food=food, count=count):
            return "", (("food", _food(food)), ("count", str(count)))
        case events.TokenKept(bird=bird, food=food):
            return "", (("bird", _bird(bird)), ("food", _food(food)))
        case events.FoodSpent(foods=foods):
            return "", (("foods", _foods(foods)),)
        case events.FoodCached(bird=bird, food=food, count=count):
            return "", (("bird", _bird(bird)), ("food", _food(food)), ("count", str(count)))
    return None


def _told_cards(event: Event) -> tuple[str, Args] | None:
    match event:
        case events.CardTucked(under=under, from_hand=False):
            return ".deck", (("under", _bird(under)),)
        case events.CardTucked(under=under, bird=None):
            return ".hidden", (("under", _bird(under)),)
        case events.CardTucked(under=under, bird=str() as bird):
            return ".hand", (("under", _bird(under)), ("bird", _bird(bird)))
        case events.DeckShuffled(cards=cards) | events.BonusDeckShuffled(cards=cards):
            return "", (("cards", str(cards)),)
        case events.TrayCleared(birds=birds):
            return "", (("birds", _birds(birds)),)
        case events.DiscardOwed(count=count):
            return "", (("count", str(count)),)
    return None


def _told_hidden(event: Event) -> tuple[str, Args] | None:
    """What is told to the owner in full and to the others without the card."""
    match event:
        case events.CardDrawn(bird=None) | events.CardSetAside(bird=None) | events.CardDrafted(bird=None):
            return ".hidden", ()
        case events.CardDrawn(slot=slot, bird=str() as bird) | events.CardSetAside(slot=slot, bird=str() as bird):
            return ".deck" if slot is None else ".tray", (("bird", _bird(bird)),)
        case events.BonusKept(bonus=None):
            return ".hidden", ()
        case events.BonusKept(bonus=str() as bonus):
            return "", (("bonus", _bonus(bonus)),)
        case events.BonusDrawn(count=count, cards=()):
            return ".hidden", (("count", str(count)),)
        case events.BonusDrawn(count=count, cards=cards):
            return "", (("count", str(count)), ("cards", _bonuses(cards)))
    return None


def _told_birds(event: Event) -> tuple[str, Args] | None:
    match event:
        case events.Declined(bird=None):
            return ".trade", ()
        case events.HabitatChosen(bird=bird, habitat=habitat):
            return "", (("bird", _bird(bird)), ("habitat", _habitat(habitat)))
        case events.BirdPlayed(bird=bird, habitat=habitat, column=column):
            return "", (("bird", _bird(bird)), ("habitat", _habitat(habitat)), ("column", str(column)))
        case events.BirdMoved(bird=bird, from_habitat=origin, to_habitat=habitat, column=column):
            where = (("origin", _habitat(origin)), ("habitat", _habitat(habitat)), ("column", str(column)))
            return "", (("bird", _bird(bird)), *where)
        case events.CardRevealed(hunter=hunter, bird=bird, success=success):
            return ".success" if success else ".failure", (("hunter", _bird(hunter)), ("bird", _bird(bird)))
        case events.DiceRolled(hunter=hunter, dice=dice, success=success):
            return ".success" if success else ".failure", (("hunter", _bird(hunter)), ("dice", _dice(dice)))
        case events.PowerRepeated(bird=bird, target=target):
            return "", (("bird", _bird(bird)), ("target", _bird(target)))
    return None


def _told_course(event: Event) -> tuple[str, Args] | None:
    """Set-up, turns, rounds and the end."""
    match event:
        case events.ThingKept(bird=str() as bird):
            return ".bird", (("bird", _bird(bird)),)
        case events.ThingKept(food=Food() as food):
            return ".food", (("food", _food(food)),)
        case events.ThingKept(bonus=str() as bonus):
            return ".bonus", (("bonus", _bonus(bonus)),)
        case events.SetupRevealed(hand_size=cards, foods=foods):
            return "", (("cards", str(cards)), ("foods", _foods(foods)))
        case events.RoundStarted(round=number, first_player=first, cubes=cubes):
            return "", (("round", str(number)), ("first", str(first)), ("cubes", str(cubes)))
        case events.ActionTaken(action=action, cubes_left=cubes):
            return "", (("action", f"$action.{action.name.lower()}"), ("cubes", str(cubes)))
        case events.StartChosen(start=start):
            return "", (("start", str(start)),)
    return _told_end(event)


def _told_end(event: Event) -> tuple[str, Args] | None:
    match event:
        case events.GoalScored(round=number, counts=counts, points=points):
            return "", (("round", str(number)), ("counts", _numbers(counts)), ("points", _numbers(points)))
        case events.BonusRevealed(cards=cards):
            return "", (("cards", _bonuses(cards)),)
        case events.GameEnded(totals=totals):
            return "", (("totals", _numbers(totals)),)
    return None


# Cards.


def power_label(effect: Effect) -> Label:
    """What the power says."""
    variant, args = _said(effect)
    return Label(f"power.{effect.__struct_config__.tag}{variant}", args)


def _said(effect: Effect) -> tuple[str, Args]:
    match effect:
        case powers.FeederGain(foods=(food, other)):
            return ".either", (("food", _food(food)), ("other", _food(other)))
        case powers.FeederGain(foods=foods, may_cache=may_cache):
            return ".cache" if may_cache else "", (("food", _food(foods[0])),)
        case powers.FewestBirdsReward(habitat=habitat, reward=reward):
            return ".feeder_die" if reward is Reward.FEEDER_DIE else ".draw_card", (("habitat", _habitat(habitat)),)
        case powers.TuckFromHand(then=then):
            return _said_after_tuck(then)
        case powers.EggForFood(gain_any_food=count):
            return "", (("count", str(count)),)
        case powers.HuntDeck(wingspan_below_cm=cm):
            return "", (("cm", str(cm)),)
        case powers.HuntDice(face=food):
            return "", (("food", _food(food)),)
        case powers.ExtraPlay(habitat=None):
            return ".here", ()
        case powers.RepeatPower(only_predators=only_predators):
            return ".hunters" if only_predators else "", ()
    return "", tuple((name, _said_value(getattr(effect, name))) for name in effect.__struct_fields__)


def _said_after_tuck(then: powers.DrawCards | powers.LaySelf | powers.SupplyGainOneOf) -> tuple[str, Args]:
    match then:
        case powers.DrawCards(count=count):
            return ".draw_cards", (("count", str(count)),)
        case powers.LaySelf(eggs=eggs):
            return ".lay_self", (("eggs", str(eggs)),)
        case powers.SupplyGainOneOf(foods=(food, other)):
            return ".gain_either", (("food", _food(food)), ("other", _food(other)))
        case powers.SupplyGainOneOf(foods=foods):
            return ".gain", (("food", _food(foods[0])),)


def _said_value(value: Food | Habitat | Nest | int) -> str:
    match value:
        case Food():
            return _food(value)
        case Habitat():
            return _habitat(value)
        case Nest():
            return _nest(value)
    return str(value)
