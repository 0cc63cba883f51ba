"""Powers that tuck cards (11.18, 11.19)."""

from __future__ import annotations

from engine.games.wingspan import frames, powers
from engine.games.wingspan.effects.base import Op, handles
from engine.games.wingspan.table import Table, deck_to_be_had


@handles(powers.TuckFromHand)
class TuckFromHand(Op[powers.TuckFromHand]):
    """11.18."""

    def begin(self, table: Table, power: frames.Power, effect: powers.TuckFromHand) -> None:
        """Which card."""
        del effect
        table.push(frames.TuckCard(power.seat, power.bird))

    def resolve(self, table: Table, seat: int, bird: int, effect: powers.TuckFromHand) -> None:
        """What the tucked card brings."""
        match effect.then:
            case powers.DrawCards(count=count):
                table.push(frames.DrawCards(seat, count, bird))
            case powers.LaySelf(eggs=eggs):
                table.push(frames.LayEggs(seat, eggs, bird, only=bird))
            case powers.SupplyGainOneOf(foods=(food,)):
                table.gain(seat, food)
            case powers.SupplyGainOneOf(foods=foods):
                table.push(frames.GainFood(seat, bird, 1, foods))


@handles(powers.FoodForDeckTuck)
class FoodForDeckTuck(Op[powers.FoodForDeckTuck]):
    """11.19."""

    def usable(self, table: Table, seat: int, bird: int, effect: powers.FoodForDeckTuck) -> bool:
        """Only with exactly that food and a card to tuck."""
        del bird
        return bool(table.players[seat].food[effect.food - 1]) and deck_to_be_had(table)

    def resolve(self, table: Table, seat: int, bird: int, effect: powers.FoodForDeckTuck) -> None:
        """Pay, then tuck unseen."""
        table.spend(seat, (effect.food,))
        for _ in range(effect.tuck):
            table.tuck_top(seat, bird)
