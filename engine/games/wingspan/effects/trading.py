"""Powers that give one thing for another (11.20 to 11.22)."""

from __future__ import annotations

from engine.games.wingspan import frames, powers
from engine.games.wingspan.effects.base import Op, handles
from engine.games.wingspan.table import Table, card_to_be_had


@handles(powers.EggForFood)
class EggForFood(Op[powers.EggForFood]):
    """11.20."""

    def begin(self, table: Table, power: frames.Power, effect: powers.EggForFood) -> None:
        """An egg of another bird."""
        del effect
        table.push(frames.RemoveEgg(power.seat, power.bird, exclude=power.bird))

    def resolve(self, table: Table, seat: int, bird: int, effect: powers.EggForFood) -> None:
        """Tokens of any food."""
        table.push(frames.GainFood(seat, bird, effect.gain_any_food))


@handles(powers.EggForCards)
class EggForCards(Op[powers.EggForCards]):
    """11.21."""

    def begin(self, table: Table, power: frames.Power, effect: powers.EggForCards) -> None:
        """An egg of any bird, if there is a card to be drawn for it."""
        del effect
        if card_to_be_had(table):
            table.push(frames.RemoveEgg(power.seat, power.bird))

    def resolve(self, table: Table, seat: int, bird: int, effect: powers.EggForCards) -> None:
        """One card after the other."""
        table.push(frames.DrawCards(seat, effect.draw, bird))


@handles(powers.SwapFood)
class SwapFood(Op[powers.SwapFood]):
    """11.22."""

    def begin(self, table: Table, power: frames.Power, effect: powers.SwapFood) -> None:
        """Which token is given."""
        del effect
        table.push(frames.SpendFood(power.seat, power.bird))
