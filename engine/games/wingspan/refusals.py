"""Why a move is not legal, told from what its seat knows, with the clause of RULES.md."""

from __future__ import annotations

from typing import get_args

from engine.core.model import IllegalMove
from engine.games.wingspan import costs, flow, frames, mats, moves, setup
from engine.games.wingspan.frames import Frame
from engine.games.wingspan.moves import Move
from engine.games.wingspan.powers import Effect
from engine.games.wingspan.questions import QUESTIONS
from engine.games.wingspan.rows import BIRD_OF, BIRDS
from engine.games.wingspan.state import Player, State
from engine.games.wingspan.terms import COLUMNS, Habitat


def refusal(state: State, seat: int, move: Move) -> IllegalMove:
    """The reason; the seat is asked something, and the move is no answer to it."""
    if state.keeping:
        return _at_setup(state, seat, move)
    frame = state.agenda[-1]
    if isinstance(move, moves.Decline | moves.Pass):
        return IllegalMove("there is no such way out of this question", "4.4")
    bird = getattr(move, "bird", None)
    if bird is not None and bird not in BIRD_OF:
        return IllegalMove("there is no such bird", "2.1")
    reason = _reason(state.players[seat], frame, move)
    if reason is not None:
        return reason
    if type(move) in [type(offer) for offer in flow.offers(state, frame)]:
        return IllegalMove("this is not among the answers to the question", _clause(frame))
    return IllegalMove("this does not answer the question", "4.5")


# Section 11 has the ops in the order in which they are declared.
_OP_CLAUSES = {effect: f"11.{number}" for number, effect in enumerate(get_args(Effect), 1)}
_TRADE_CLAUSES = {Habitat.FOREST: "7.2", Habitat.GRASSLAND: "8.2", Habitat.WETLAND: "9.2"}


def _clause(frame: Frame) -> str:
    """The clause that the question rests on: that of the power, of the trade, of the action."""
    power = getattr(frame, "power", None)
    if power is not None:
        return _OP_CLAUSES[type(BIRDS[power].effect)]
    return _TRADE_CLAUSES[frame.habitat] if isinstance(frame, frames.Trade) else QUESTIONS[type(frame)].clause


def _at_setup(state: State, seat: int, move: Move) -> IllegalMove:
    kind = setup.asked(state, seat)
    if kind == setup.KEEP_BONUS:
        return IllegalMove("one of the two bonus cards dealt is kept now", "3.4")
    if isinstance(move, moves.KeepBird | moves.KeepFood):
        return IllegalMove("it was not dealt, or it is kept already", "3.3")
    return IllegalMove("five of the cards and tokens dealt are kept first", "3.3")


def _reason(player: Player, frame: Frame, move: Move) -> IllegalMove | None:
    """What a player can do something about; None if the question alone decides."""
    match frame, move:
        case ((frames.ChooseAction() | frames.ExtraPlay()), moves.PlayBird(bird=bird)):
            return _play(player, BIRD_OF[bird])
        case frames.LayEggs(), moves.PlaceEgg(bird=bird):
            return _egg(player, BIRD_OF[bird])
        case ((frames.PayEggs() | frames.RemoveEgg() | frames.Trade()), moves.RemoveEgg(bird=bird)):
            if BIRD_OF[bird] not in mats.with_egg(player):
                return IllegalMove("there is no egg to be taken", _clause(frame))
        case ((frames.DiscardOwed() | frames.Trade()), moves.DiscardCard(bird=bird)):
            return _not_in_hand(player, frame, BIRD_OF[bird])
        case frames.TuckCard(), moves.TuckCard(bird=bird):
            return _not_in_hand(player, frame, BIRD_OF[bird])
        case frames.PayFood(), moves.PayFood():
            return IllegalMove("this does not pay the next part of the cost, neither more nor less", "6.4")
        case ((frames.TakeDice() | frames.TakeAllDice()), moves.ResetFeeder()):
            return IllegalMove("the dice in the birdfeeder do not all show the same face", "5.2")
    return None


def _not_in_hand(player: Player, frame: Frame, bird: int) -> IllegalMove | None:
    if bird in player.hand:
        return None
    return IllegalMove("this card is not in the hand", _clause(frame))


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
