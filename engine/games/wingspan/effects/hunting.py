"""Powers that hunt (11.23, 11.24)."""

from __future__ import annotations

from engine.games.wingspan import events, powers, reactions
from engine.games.wingspan.effects.base import Op, handles
from engine.games.wingspan.rows import BIRD_IDS, BIRDS
from engine.games.wingspan.table import Table, deck_to_be_had
from engine.games.wingspan.terms import DICE, Die


@handles(powers.HuntDeck)
class HuntDeck(Op[powers.HuntDeck]):
    """11.23."""

    def usable(self, table: Table, seat: int, bird: int, effect: powers.HuntDeck) -> bool:
        """Only if the deck has a card."""
        del seat, bird, effect
        return deck_to_be_had(table)

    def resolve(self, table: Table, seat: int, bird: int, effect: powers.HuntDeck) -> None:
        """Show the top card to all; it is tucked or discarded."""
        card = table.take_top()
        if card is None:
            return
        caught = BIRDS[card].wingspan_cm < effect.wingspan_below_cm
        table.reveals = True
        table.revealed = card
        table.tell(seat, events.CardRevealed(BIRD_IDS[bird], BIRD_IDS[card], caught))
        if caught:
            table.tuck(seat, bird, card)
            reactions.to_hunt(table)
        else:
            table.discard = (*table.discard, card)


@handles(powers.HuntDice)
class HuntDice(Op[powers.HuntDice]):
    """11.24."""

    def usable(self, table: Table, seat: int, bird: int, effect: powers.HuntDice) -> bool:
        """Only if a die is outside."""
        del seat, bird, effect
        return len(table.feeder) < DICE

    def resolve(self, table: Table, seat: int, bird: int, effect: powers.HuntDice) -> None:
        """Roll the dice outside once; at most one token."""
        dice = table.roll(DICE - len(table.feeder))
        caught = Die(effect.face) in dice
        table.tell(seat, events.DiceRolled(BIRD_IDS[bird], dice, caught))
        if caught:
            table.cache(seat, bird, effect.face)
            reactions.to_hunt(table)
