"""What holds for the work that belongs to the power of a bird: it is the bird's power that asks so, and its owner."""

from __future__ import annotations

from engine.core.model import InvalidPosition
from engine.games.wingspan import frames, mats, powers
from engine.games.wingspan.frames import Frame
from engine.games.wingspan.rows import BIRD_IDS, BIRDS
from engine.games.wingspan.state import State
from engine.games.wingspan.terms import Trigger

# What the powers ask their owner (11), beside whether to use them at all.
_ASKS: dict[type, tuple[type, ...]] = {
    powers.FeederGain: (frames.TakeDice, frames.CacheToken),
    powers.FeederGainAll: (frames.TakeAllDice,),
    powers.EveryoneFeederDie: (frames.ChooseStart,),
    powers.FewestBirdsReward: (frames.ChooseStart,),
    powers.LayAny: (frames.LayEggs,),
    powers.DrawCards: (frames.DrawCards,),
    powers.DrawThenOweDiscard: (frames.DrawCards,),
    powers.DraftCards: (frames.SetAside,),
    powers.BonusDraw: (frames.KeepBonus,),
    powers.TuckFromHand: (frames.TuckCard, frames.DrawCards, frames.LayEggs, frames.GainFood),
    powers.EggForFood: (frames.RemoveEgg, frames.GainFood),
    powers.EggForCards: (frames.RemoveEgg, frames.DrawCards),
    powers.SwapFood: (frames.SpendFood, frames.GainFood),
    powers.RelocateIfRightmost: (frames.Relocate,),
    powers.ExtraPlay: (frames.ExtraPlay,),
    powers.RepeatPower: (frames.RepeatPower,),
    powers.ReactLayNest: (frames.LayEggs,),
    powers.ReactFeederDie: (frames.TakeDice,),
    powers.ReactTuckFromHand: (frames.TuckCard,),
}
# What they ask everybody whom they reach.
_ASKS_ALL: dict[type, tuple[type, ...]] = {
    powers.EveryoneFeederDie: (frames.TakeDice,),
    powers.FewestBirdsReward: (frames.TakeDice, frames.DrawCards),
    powers.EveryoneLay: (frames.LayEggs,),
    powers.DraftCards: (frames.DraftPick,),
}


def check_power(state: State, field: str, frame: Frame) -> None:
    """Raise InvalidPosition, naming the field, unless the frame can have come of a bird's power or of the action."""
    if isinstance(frame, frames.Reactions):
        for reacting in frame.birds:
            _check_owner(state, f"{field}.birds", reacting)
        return
    asking: int | None = getattr(frame, "power", None)
    bird = frame.bird if isinstance(frame, frames.Power) else asking
    if bird is None:
        _require(frame.seat == state.active, f"{field}.seat", "must be the seat on turn (4)")
        for activated in getattr(frame, "birds", ()):
            brown = BIRDS[activated].trigger is Trigger.WHEN_ACTIVATED
            _require(brown, f"{field}.birds", f"{BIRD_IDS[activated]} is not activated by an action (10.1)")
        return
    owner = _check_owner(state, f"{field}.{'bird' if asking is None else 'power'}", bird)
    if asking is None:
        _require(frame.seat == owner, f"{field}.seat", "must be the seat of the bird (10.1)")
    else:
        _check_question(state, field, frame, bird, owner)


def _check_owner(state: State, field: str, bird: int) -> int:
    """The seat on whose mat the bird stands; birds of others only react (12)."""
    owner = owner_of(state, bird)
    if owner is None:
        raise InvalidPosition(field, f"{BIRD_IDS[bird]} stands on no mat")
    reacts = BIRDS[bird].trigger is Trigger.ONCE_BETWEEN_TURNS
    _require(reacts == (owner != state.active), field, f"the power of {BIRD_IDS[bird]} is not for this turn (10, 12)")
    return owner


def owner_of(state: State, bird: int) -> int | None:
    """The seat on whose mat the bird stands; None if it is on none."""
    for seat, player in enumerate(state.players):
        if any(on_mat.bird == bird for on_mat in mats.birds_of(player)):
            return seat
    return None


def _check_question(state: State, field: str, frame: Frame, bird: int, owner: int) -> None:
    """The power asks so, and this seat (11)."""
    effect, name = BIRDS[bird].effect, BIRD_IDS[bird]
    to_all = _ASKS_ALL.get(type(effect), ())
    known = (frames.UsePower, *_ASKS.get(type(effect), ()), *to_all)
    _require(isinstance(frame, known), f"{field}.power", f"{name} never asks this (11)")
    reached = frame.seat == owner or isinstance(frame, to_all)  # type: ignore[union-attr] # Reactions has no power
    _require(reached, f"{field}.seat", f"must be the seat of {name} (11)")
    match frame:
        case frames.DrawCards(owe=owe):
            due = effect.owe if isinstance(effect, powers.DrawThenOweDiscard) else 0
            _require(owe in (0, due), f"{field}.owe", f"must be 0 or {due} (11.14)")
        case frames.ChooseStart(seats=seats):
            _require(len(set(seats)) == len(seats), f"{field}.seats", "must be each seat once (11.7)")
        case frames.CacheToken(seat=seat, food=food):
            _require(state.players[seat].food[food - 1], f"{field}.food", "must be a token just gained (11.5)")
        case frames.Relocate():
            rows = state.players[owner].mat
            last = any(row and row[-1].bird == bird for row in rows)
            _require(last, f"{field}.power", f"{name} must be the rightmost bird of its row (11.25)")


def _require(holds: object, field: str, reason: str) -> None:
    if not holds:
        raise InvalidPosition(field, reason)
