"""Powers that lay eggs (11.9 to 11.12)."""

from __future__ import annotations

from engine.games.wingspan import frames, mats, powers
from engine.games.wingspan.effects.base import Op, clockwise, handles
from engine.games.wingspan.rows import BIRDS
from engine.games.wingspan.table import Table


def room(table: Table, seat: int, bird: int) -> int:
    """How many more eggs the bird can hold."""
    return BIRDS[bird].egg_limit - table.stands(seat, bird)[2].eggs


@handles(powers.LaySelf)
class LaySelf(Op[powers.LaySelf]):
    """11.9."""

    def usable(self, table: Table, seat: int, bird: int, effect: powers.LaySelf) -> bool:
        """Only while the bird has room."""
        del effect
        return room(table, seat, bird) > 0

    def resolve(self, table: Table, seat: int, bird: int, effect: powers.LaySelf) -> None:
        """As many as have room."""
        for _ in range(min(effect.eggs, room(table, seat, bird))):
            table.lay(seat, bird)


@handles(powers.LayAny)
class LayAny(Op[powers.LayAny]):
    """11.10."""

    def begin(self, table: Table, power: frames.Power, effect: powers.LayAny) -> None:
        """Any bird of the owner."""
        table.push(frames.LayEggs(power.seat, effect.eggs, power.bird, begun=False))


@handles(powers.LayEachNest)
class LayEachNest(Op[powers.LayEachNest]):
    """11.11."""

    def usable(self, table: Table, seat: int, bird: int, effect: powers.LayEachNest) -> bool:
        """Only if a bird with the nest has room."""
        del bird
        return bool(mats.with_room(table.players[seat], effect.nest))

    def resolve(self, table: Table, seat: int, bird: int, effect: powers.LayEachNest) -> None:
        """One egg on each of them."""
        del bird
        for matching in mats.with_room(table.players[seat], effect.nest):
            table.lay(seat, matching)


@handles(powers.EveryoneLay)
class EveryoneLay(Op[powers.EveryoneLay]):
    """11.12."""

    def usable(self, table: Table, seat: int, bird: int, effect: powers.EveryoneLay) -> bool:
        """Only if anybody has a bird with the nest and room."""
        del seat, bird
        return any(mats.with_room(player, effect.nest) for player in table.players)

    def resolve(self, table: Table, seat: int, bird: int, effect: powers.EveryoneLay) -> None:
        """The owner first; whoever has no such bird is passed over."""
        table.push(
            *(
                frames.LayEggs(other, 1, bird, nest=effect.nest, owner_extra=other == seat)
                for other in clockwise(table, seat)
            )
        )
