"""Powers that bring food: from the supply or from the feeder (11.2 to 11.8)."""

from __future__ import annotations

from engine.games.wingspan import frames, powers
from engine.games.wingspan.effects.base import Op, clockwise, handles
from engine.games.wingspan.table import Table
from engine.games.wingspan.terms import Reward


@handles(powers.SupplyGain)
class SupplyGain(Op[powers.SupplyGain]):
    """11.2."""

    def resolve(self, table: Table, seat: int, bird: int, effect: powers.SupplyGain) -> None:
        """All tokens at once."""
        del bird
        table.gain(seat, effect.food, effect.count)


@handles(powers.EveryoneSupplyGain)
class EveryoneSupplyGain(Op[powers.EveryoneSupplyGain]):
    """11.3."""

    def resolve(self, table: Table, seat: int, bird: int, effect: powers.EveryoneSupplyGain) -> None:
        """Nobody else is asked."""
        del bird
        for other in clockwise(table, seat):
            table.gain(other, effect.food, effect.count)


@handles(powers.SupplyCache)
class SupplyCache(Op[powers.SupplyCache]):
    """11.4."""

    def resolve(self, table: Table, seat: int, bird: int, effect: powers.SupplyCache) -> None:
        """Straight onto the bird."""
        table.cache(seat, bird, effect.food, effect.count)


@handles(powers.FeederGain)
class FeederGain(Op[powers.FeederGain]):
    """11.5."""

    def begin(self, table: Table, power: frames.Power, effect: powers.FeederGain) -> None:
        """One die of these foods."""
        foods, may_cache = effect.foods, effect.may_cache
        table.push(frames.TakeDice(power.seat, 1, power.bird, begun=False, foods=foods, may_cache=may_cache))


@handles(powers.FeederGainAll)
class FeederGainAll(Op[powers.FeederGainAll]):
    """11.6."""

    def begin(self, table: Table, power: frames.Power, effect: powers.FeederGainAll) -> None:
        """All dice of this food."""
        table.push(frames.TakeAllDice(power.seat, power.bird, effect.food))


@handles(powers.EveryoneFeederDie)
class EveryoneFeederDie(Op[powers.EveryoneFeederDie]):
    """11.7."""

    def begin(self, table: Table, power: frames.Power, effect: powers.EveryoneFeederDie) -> None:
        """Who begins."""
        del effect
        table.push(frames.ChooseStart(power.seat, power.bird, tuple(clockwise(table, power.seat))))


@handles(powers.FewestBirdsReward)
class FewestBirdsReward(Op[powers.FewestBirdsReward]):
    """11.8."""

    def begin(self, table: Table, power: frames.Power, effect: powers.FewestBirdsReward) -> None:
        """For dice, who begins; for cards only whether to use it."""
        if effect.reward is Reward.FEEDER_DIE:
            table.push(frames.ChooseStart(power.seat, power.bird, tuple(_rewarded(table, power.seat, effect))))
        else:
            super().begin(table, power, effect)

    def resolve(self, table: Table, seat: int, bird: int, effect: powers.FewestBirdsReward) -> None:
        """A card for each of them, the owner first."""
        table.push(*(frames.DrawCards(other, 1, bird) for other in _rewarded(table, seat, effect)))


def _rewarded(table: Table, owner: int, effect: powers.FewestBirdsReward) -> list[int]:
    """Those with the fewest birds in the habitat, clockwise from the owner."""
    birds = [len(player.row(effect.habitat)) for player in table.players]
    return [seat for seat in clockwise(table, owner) if birds[seat] == min(birds)]
