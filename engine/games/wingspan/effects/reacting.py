"""Powers that react to other players (11.28 to 11.32)."""

from __future__ import annotations

from engine.games.wingspan import frames, powers
from engine.games.wingspan.effects.base import Op, handles
from engine.games.wingspan.table import Table


@handles(powers.ReactLayNest)
class ReactLayNest(Op[powers.ReactLayNest]):
    """11.28."""

    def begin(self, table: Table, power: frames.Power, effect: powers.ReactLayNest) -> None:
        """Another bird with the nest."""
        egg = frames.LayEggs(power.seat, 1, power.bird, begun=False, nest=effect.nest, exclude=power.bird)
        table.push(egg)


@handles(powers.ReactFeederDie)
class ReactFeederDie(Op[powers.ReactFeederDie]):
    """11.29."""

    def begin(self, table: Table, power: frames.Power, effect: powers.ReactFeederDie) -> None:
        """Any die."""
        del effect
        table.push(frames.TakeDice(power.seat, 1, power.bird, begun=False))


@handles(powers.ReactSupplyGain)
class ReactSupplyGain(Op[powers.ReactSupplyGain]):
    """11.30."""

    def resolve(self, table: Table, seat: int, bird: int, effect: powers.ReactSupplyGain) -> None:
        """One token."""
        del bird
        table.gain(seat, effect.food)


@handles(powers.ReactTuckFromHand)
class ReactTuckFromHand(Op[powers.ReactTuckFromHand]):
    """11.31."""

    def begin(self, table: Table, power: frames.Power, effect: powers.ReactTuckFromHand) -> None:
        """Which card; there is nothing after that."""
        del effect
        table.push(frames.TuckCard(power.seat, power.bird))


@handles(powers.ReactSupplyCache)
class ReactSupplyCache(Op[powers.ReactSupplyCache]):
    """11.32."""

    def resolve(self, table: Table, seat: int, bird: int, effect: powers.ReactSupplyCache) -> None:
        """One token, however many were gained."""
        table.cache(seat, bird, effect.food)
