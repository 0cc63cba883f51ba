"""Why a move is not legal, told from what its seat knows, with the clause of RULES.md."""

from __future__ import annotations

from engine.core.model import IllegalMove
from engine.games.wingspan import costs, flow, mats, moves, setup
from engine.games.wingspan.frames import Frame
from engine.games.wingspan.moves import Move
from engine.games.wingspan.questions import QUESTIONS
from engine.games.wingspan.rows import BIRD_OF, BIRDS
from engine.games.wingspan.state import Player, State
from engine.games.wingspan.terms import COLUMNS


def refusal(state: State, seat: int, move: Move) -> IllegalMove:
    """The reason; the seat is asked something, and the move is no answer to it."""
    if state.keeping:
        return _at_setup(state, seat, move)
    frame = state.agenda[-1]
    question = QUESTIONS[type(frame)]
    asked = [type(offer) for offer in flow.offers(state, frame)]
    if isinstance(move, moves.Decline | moves.Pass):
        return IllegalMove("there is no such way out of this question", "4.4")
    bird = getattr(move, "bird", None)
    if bird is not None and bird not in BIRD_OF:
        return IllegalMove(f"there is no bird {bird}", "2.1")
    if isinstance(move, moves.ResetFeeder):
        return IllegalMove("the dice in the birdfeeder do not all show the same face", "5.2")
    return _in_turn(state.players[seat], frame, move) or IllegalMove(
        "the question is not about this" if type(move) in asked else "this does not answer the question",
        question.clause if type(move) in asked else "4.5",
    )


def _at_setup(state: State, seat: int, move: Move) -> IllegalMove:
    kind = setup.asked(state, seat)
    if kind == setup.KEEP_BONUS:
        return IllegalMove("one of the two bonus cards dealt is kept now", "3.4")
    if isinstance(move, moves.KeepBird | moves.KeepFood):
        return IllegalMove("it was not dealt, or it is kept already", "3.3")
    return IllegalMove("five of the cards and tokens dealt are kept first", "3.3")


def _in_turn(player: Player, frame: Frame, move: Move) -> IllegalMove | None:
    """The reasons that a player can do something about."""
    match move:
        case moves.PlayBird(bird=bird):
            return _play(player, BIRD_OF[bird])
        case moves.PlaceEgg(bird=bird):
            return _egg(player, BIRD_OF[bird])
        case moves.RemoveEgg(bird=bird) if BIRD_OF[bird] not in mats.with_egg(player):
            return IllegalMove("no bird of this player with an egg", QUESTIONS[type(frame)].clause)
        case moves.DiscardCard(bird=bird) | moves.TuckCard(bird=bird) if BIRD_OF[bird] not in player.hand:
            return IllegalMove("this card is not in the hand", QUESTIONS[type(frame)].clause)
        case moves.PayFood():
            return IllegalMove("this does not pay the next part of the cost, neither more nor less", "6.4")
    return None


def _play(player: Player, bird: int) -> IllegalMove:
    card = BIRDS[bird]
    if bird not in player.hand:
        return IllegalMove(f"{card.name} is not in the hand", "6.1")
    if all(len(player.row(habitat)) == COLUMNS for habitat in card.habitats):
        return IllegalMove(f"there is no free column for {card.name}", "6.2")
    cost = card.food_cost
    if not costs.can_pay(player.food, cost.foods, cost.wild, alternatives=cost.alternatives):
        return IllegalMove(f"the food does not pay for {card.name}", "6.4")
    if not costs.habitats_for(player, bird):
        return IllegalMove(f"there are not enough eggs to pay for {card.name}", "6.3")
    return IllegalMove(f"{card.name} cannot be played here now", "6.1")


def _egg(player: Player, bird: int) -> IllegalMove | None:
    found = [on_mat for on_mat in mats.birds_of(player) if on_mat.bird == bird]
    if not found:
        return IllegalMove(f"{BIRDS[bird].name} does not stand on this mat", "8.1")
    if found[0].eggs >= BIRDS[bird].egg_limit:
        return IllegalMove(f"{BIRDS[bird].name} holds no more than {BIRDS[bird].egg_limit} eggs", "2.1")
    return None
