"""Powers that move, play or use another bird, and no power at all (11.1, 11.25 to 11.27)."""

from __future__ import annotations

from engine.games.wingspan import frames, powers
from engine.games.wingspan.effects.base import Op, handles
from engine.games.wingspan.table import Table


@handles(powers.NoPower)
class NoPower(Op[powers.NoPower]):
    """11.1."""

    def begin(self, table: Table, power: frames.Power, effect: powers.NoPower) -> None:
        """Nothing is ever asked."""


@handles(powers.RelocateIfRightmost)
class RelocateIfRightmost(Op[powers.RelocateIfRightmost]):
    """11.25."""

    def begin(self, table: Table, power: frames.Power, effect: powers.RelocateIfRightmost) -> None:
        """Where to; only for the rightmost bird of its row."""
        del effect
        habitat, _, on_mat = table.stands(power.seat, power.bird)
        if table.players[power.seat].row(habitat)[-1] == on_mat:
            table.push(frames.Relocate(power.seat, power.bird))


@handles(powers.ExtraPlay)
class ExtraPlay(Op[powers.ExtraPlay]):
    """11.26."""

    def begin(self, table: Table, power: frames.Power, effect: powers.ExtraPlay) -> None:
        """Which card."""
        habitat = effect.habitat or table.stands(power.seat, power.bird)[0]
        table.push(frames.ExtraPlay(power.seat, power.bird, habitat))


@handles(powers.RepeatPower)
class RepeatPower(Op[powers.RepeatPower]):
    """11.27."""

    def begin(self, table: Table, power: frames.Power, effect: powers.RepeatPower) -> None:
        """Whose power; a bird repeats at most once in a chain."""
        del effect
        table.push(frames.RepeatPower(power.seat, power.bird, (*power.chain, power.bird)))
