"""What the clock plays for an absent seat, from what the seat itself knows (17)."""

from __future__ import annotations

from engine.games.wingspan import flow, frames, mats, moves, setup
from engine.games.wingspan.moves import Move
from engine.games.wingspan.powers import EggForCards, EggForFood, FoodForDeckTuck, SwapFood
from engine.games.wingspan.rows import BIRD_OF, BIRDS
from engine.games.wingspan.state import Player, State
from engine.games.wingspan.terms import Action, Food

# Fewer tokens than this, and food is gained before anything else that a row gives.
ENOUGH_FOOD = 3
FOODS_KEPT = 3
# More than anything else is disliked; more than the way out is.
LAST = 1000
NEVER = LAST + 1
# Powers that cost an egg or a token.
PAID = (FoodForDeckTuck, EggForFood, EggForCards, SwapFood)


def timeout_move(state: State, seat: int) -> Move:
    """The offer that it likes best, among equal ones the first; it never pays for what it need not (17.2)."""
    if state.keeping:
        return _keep(state, seat)
    frame = state.agenda[-1]
    offers = flow.offers(state, frame)
    if isinstance(frame, frames.Trade | frames.RemoveEgg | frames.SpendFood):
        return offers[-1]
    return min(offers, key=lambda move: _dislike(state.players[seat], move))


def _keep(state: State, seat: int) -> Move:
    """The three foods asked for most by the birds dealt, then the birds worth most (17.1)."""
    offers = setup.offers(state, seat)
    asked = [sum(BIRDS[card].food_cost.foods[food - 1] for card in state.players[seat].hand) for food in Food]
    foods = [move for move in offers if isinstance(move, moves.KeepFood)]
    if len(state.keeping[seat].foods) < FOODS_KEPT and foods:
        return max(foods, key=lambda move: asked[move.food - 1])
    birds = [move for move in offers if isinstance(move, moves.KeepBird)]
    return max(birds, key=lambda move: _worth(move.bird)) if birds else offers[0]


def _worth(bird: str) -> int:
    return BIRDS[BIRD_OF[bird]].points


def _dislike(player: Player, move: Move) -> int:
    """Smaller is better (17.2)."""
    match move:
        case moves.PlayBird(bird=bird) | moves.DrawTray(bird=bird) | moves.DraftCard(bird=bird):
            return -_worth(bird)
        case moves.TakeAction(action=action):
            return _need(player).index(action) + 1
        case moves.DiscardCard(bird=bird) | moves.TuckCard(bird=bird):
            return _worth(bird)
        case moves.GainFood(food=food) | moves.TakeDie(food=food):
            return player.food[food - 1]
        case moves.UsePower(bird=bird) | moves.RepeatPower(bird=bird) if isinstance(BIRDS[BIRD_OF[bird]].effect, PAID):
            return NEVER
        case moves.ResetFeeder() | moves.Decline() | moves.Pass():
            return LAST
    return 0


def _need(player: Player) -> list[Action]:
    """The rows in the order in which they are needed."""
    order = [Action.LAY_EGGS, Action.GAIN_FOOD, Action.DRAW_CARDS]
    if not mats.with_room(player):
        order = [Action.GAIN_FOOD, Action.DRAW_CARDS, Action.LAY_EGGS]
    if sum(player.food) < ENOUGH_FOOD:
        order.sort(key=lambda action: action is not Action.GAIN_FOOD)
    if not player.hand:
        order.sort(key=lambda action: action is not Action.DRAW_CARDS)
    return order
