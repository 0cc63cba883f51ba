"""How bots play: what a cube brings, and which small choices go with that, told from one player's own things.

A view and an imagined world both give a ``Player``, so the same rule serves for both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from engine.core.rng import Rng
from engine.games.wingspan import costs, mats, moves
from engine.games.wingspan.moves import Move
from engine.games.wingspan.rows import BIRD_OF, BIRDS, BONUS_CARDS, BONUS_OF
from engine.games.wingspan.state import MatBird, Player, State
from engine.games.wingspan.terms import CUBES, ROW_OF, Food, Habitat, Trigger
from engine.games.wingspan.view import View

# How often an imagined player does something else: one time in so many.
_WHIM = 10
# Birds that are kept at first; before any food.
_BIRDS_KEPT = 2
_FIRST = 10.0
# What a power brings each turn that may be used again and again, and one that is used once; what room for an egg does.
_ACTIVATED, _REACTS, _ONCE, _ROOM = 0.15, 0.1, 1.0, 0.2
# What a row's action brings besides, for each bird there with a power.
_BY_POWER = 0.5
# What a symbol of a food cost takes off a card in hand; how much of a card's worth is missed when it goes.
_BY_SYMBOL, _BY_CARD = 0.8, 0.25
# What a card drawn is worth, by the number in hand; with fewer turns left than that, nothing.
_BY_CARDS_IN_HAND, _TURNS_FOR_CARDS = (2.2, 1.6, 1.0, 0.7, 0.5, 0.3), 3
# A token that no card in hand asks for.
_SPARE_TOKEN = 0.5
# More turns left than that, and a token to spend is worth more than a point.
_EARLY = 10
_WAY_OUT = 0.3


def rule_of_thumb(seat: int, view: View, offers: tuple[Move, ...]) -> Move:
    """The action that brings most for its cube, and the small choices that go with it."""
    return _best(_own(view, seat), view.round, seat, offers)


def imagined_move(state: State, seat: int, offers: tuple[Move, ...], rng: Rng) -> Move:
    """Mostly what the rule says."""
    if len(offers) == 1 or rng.below(_WHIM) == 0:
        return rng.choice(offers)
    return _best(_imagined(state, seat), state.round, seat, offers)


def _own(view: View, seat: int) -> Player:
    """The things of the seat, as far as the rule asks for them: not what is tucked or cached."""
    shown = view.players[seat]
    food = shown.food
    forest, grassland, wetland = (tuple([MatBird(BIRD_OF[on.bird], on.eggs) for on in row.birds]) for row in shown.rows)
    kept = view.keeping
    return Player(
        food=(food.invertebrate, food.seed, food.fish, food.fruit, food.rodent),
        hand=tuple([BIRD_OF[bird] for bird in (view.hand if kept is None else kept.birds)]),
        bonus=(),
        mat=(forest, grassland, wetland),
        cubes=shown.cubes,
    )


def _imagined(state: State, seat: int) -> Player:
    player = state.players[seat]
    if not state.keeping:
        return player
    return Player(food=player.food, hand=state.keeping[seat].birds, bonus=())


def _best(player: Player, round_number: int, seat: int, offers: Sequence[Move]) -> Move:
    if len(offers) == 1:
        return offers[0]
    wanted = _Wants(player, round_number, seat)
    return max(offers, key=wanted.worth)


def turns_left(player: Player, round_number: int) -> int:
    """The cubes of the player in this round and in those to come."""
    return player.cubes + sum(CUBES[round_number:])


@cache
def bird_worth(bird: int, turns: int) -> float:
    """What a bird on the mat is worth with so many turns to come."""
    card = BIRDS[bird]
    worth = card.points + _ROOM * card.egg_limit
    match card.trigger:
        case Trigger.WHEN_ACTIVATED:
            return worth + _ACTIVATED * turns
        case Trigger.ONCE_BETWEEN_TURNS:
            return worth + _REACTS * turns
        case Trigger.WHEN_PLAYED:
            return worth + _ONCE
    return worth


@cache
def card_worth(bird: int, turns: int) -> float:
    """What a bird is worth in the hand: its food has to be found, and a turn to play it."""
    cost = BIRDS[bird].food_cost
    symbols = 1 if cost.alternatives else sum(cost.foods) + cost.wild
    return bird_worth(bird, turns) - _BY_SYMBOL * symbols


@cache
def _unseen(turns: int) -> float:
    return sum(card_worth(bird, turns) for bird in range(len(BIRDS))) / len(BIRDS)


class _Wants:
    """What a player likes at one moment: the worth of each kind of move, in points."""

    def __init__(self, player: Player, round_number: int, seat: int) -> None:
        self.player = player
        self.seat = seat
        self.turns = turns_left(player, round_number)

    def worth(self, move: Move) -> float:
        """More is better; what needs no thought is worth 1, the way out of a question is worth ``_WAY_OUT``."""
        of = _WORTH.get(type(move))
        return 1.0 if of is None else of(self, move)

    def play(self, move: moves.PlayBird) -> float:
        """The bird, without the eggs that it costs."""
        bird = BIRD_OF[move.bird]
        eggs = [mats.egg_cost(self.player, habitat) or 0 for habitat in costs.habitats_for(self.player, bird)]
        return bird_worth(bird, self.turns) - min(eggs, default=0)

    def action(self, move: moves.TakeAction) -> float:
        """What the row brings, and its powers."""
        habitat = ROW_OF[move.action]
        number = mats.gains(self.player, habitat)
        brought = _BY_POWER * sum([BIRDS[on.bird].trigger is Trigger.WHEN_ACTIVATED for on in self.player.row(habitat)])
        match habitat:
            case Habitat.FOREST:
                return brought + self._food(number)
            case Habitat.GRASSLAND:
                room = sum([BIRDS[on.bird].egg_limit - on.eggs for on in mats.birds_of(self.player)])
                return brought + min(room, number)
            case Habitat.WETLAND:
                return brought + self._cards(number)

    def _food(self, number: int) -> float:
        """A bird that waits for food, over the turns until it is played; or tokens to spare."""
        player, best = self.player, _SPARE_TOKEN * min(number, self.turns)
        for bird in player.hand:
            cost = BIRDS[bird].food_cost
            if costs.can_pay(player.food, cost.foods, cost.wild, alternatives=cost.alternatives):
                continue
            turns = 1 - (self._missing(bird) // -number)
            if turns <= self.turns:
                best = max(best, bird_worth(bird, self.turns) / turns)
        return best

    def _missing(self, bird: int) -> int:
        """The tokens still needed for the bird, at least one."""
        cost = BIRDS[bird].food_cost
        if cost.alternatives:
            return 1
        short = [max(0, shown - there) for shown, there in zip(cost.foods, self.player.food, strict=True)]
        return max(1, sum(short))

    def _cards(self, number: int) -> float:
        """A card is wanted while few are in hand and turns are left to play it."""
        if self.turns < _TURNS_FOR_CARDS:
            return 0.0
        return number * _BY_CARDS_IN_HAND[min(len(self.player.hand), len(_BY_CARDS_IN_HAND) - 1)]

    def keep_bird(self, move: moves.KeepBird) -> float:
        """At first so many birds, the best for their food."""
        if len(self.player.hand) >= _BIRDS_KEPT:
            return 0.0
        return _FIRST + card_worth(BIRD_OF[move.bird], self.turns)

    def card(self, move: moves.DrawTray | moves.DraftCard) -> float:
        """The card in hand."""
        return card_worth(BIRD_OF[move.bird], self.turns)

    def deck(self, move: moves.DrawDeck) -> float:
        """The average card."""
        del move
        return _unseen(self.turns)

    def give_card(self, move: moves.DiscardCard) -> float:
        """A poor card goes easily."""
        return 1.0 - _BY_CARD * card_worth(BIRD_OF[move.bird], self.turns)

    def tuck(self, move: moves.TuckCard) -> float:
        """As good as a point, and the power goes on."""
        return 2.0 - _BY_CARD * card_worth(BIRD_OF[move.bird], self.turns)

    def food(self, move: moves.GainFood | moves.TakeDie | moves.KeepFood) -> float:
        """What the hand asks for."""
        return 1.0 + self._need(move.food)

    def give_food(self, move: moves.SpendFood) -> float:
        """What the hand does not ask for."""
        return 1.0 - self._need(move.food)

    def pay(self, move: moves.PayFood) -> float:
        """Few tokens, and those that the hand does not ask for."""
        return 1.0 - len(move.foods) - _BY_CARD * sum([self._need(food) for food in move.foods])

    def _need(self, food: Food) -> float:
        """How much the hand asks for one more token of the food: most for the first bird that lacks it."""
        there = self.player.food[food - 1]
        short = sum([BIRDS[bird].food_cost.foods[food - 1] > there for bird in self.player.hand])
        return short / (short + 1)

    def remove_egg(self, move: moves.RemoveEgg) -> float:
        """An egg is a point: only if it must be; then from the bird that holds most."""
        eggs = next(on.eggs for on in mats.birds_of(self.player) if on.bird == BIRD_OF[move.bird])
        return eggs - _FIRST

    def habitat(self, move: moves.ChooseHabitat) -> float:
        """Where it costs fewest eggs."""
        return 1.0 - (mats.egg_cost(self.player, move.habitat) or 0)

    def keep_token(self, move: moves.KeepToken) -> float:
        """A cached token is a point; early in the game one to spend is worth more."""
        del move
        return 2.0 if self.turns > _EARLY else 0.0

    def seat_first(self, move: moves.ChooseSeat) -> float:
        """Oneself."""
        return float(move.seat == self.seat)

    def bonus(self, move: moves.KeepBonus) -> float:
        """By the birds that it may count."""
        condition = BONUS_CARDS[BONUS_OF[move.bonus]].condition
        birds = (*self.player.hand, *(on.bird for on in mats.birds_of(self.player)))
        return sum([condition.fits(BIRDS[bird]) for bird in birds])

    def way_out(self, move: moves.Decline | moves.Pass) -> float:
        """Seldom."""
        del move
        return _WAY_OUT


_WORTH: dict[type[Move], Callable[[_Wants, Any], float]] = {
    moves.PlayBird: _Wants.play,
    moves.TakeAction: _Wants.action,
    moves.KeepBird: _Wants.keep_bird,
    moves.DrawTray: _Wants.card,
    moves.DraftCard: _Wants.card,
    moves.DrawDeck: _Wants.deck,
    moves.DiscardCard: _Wants.give_card,
    moves.TuckCard: _Wants.tuck,
    moves.GainFood: _Wants.food,
    moves.TakeDie: _Wants.food,
    moves.KeepFood: _Wants.food,
    moves.SpendFood: _Wants.give_food,
    moves.PayFood: _Wants.pay,
    moves.RemoveEgg: _Wants.remove_egg,
    moves.ChooseHabitat: _Wants.habitat,
    moves.KeepToken: _Wants.keep_token,
    moves.ChooseSeat: _Wants.seat_first,
    moves.KeepBonus: _Wants.bonus,
    moves.Decline: _Wants.way_out,
    moves.Pass: _Wants.way_out,
}
