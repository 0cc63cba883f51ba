"""Powers that draw cards (11.13 to 11.17)."""

from __future__ import annotations

from engine.games.wingspan import events, frames, powers
from engine.games.wingspan.effects.base import Op, clockwise, handles
from engine.games.wingspan.rows import BONUS_IDS
from engine.games.wingspan.table import Table, card_to_be_had, deck_to_be_had


@handles(powers.DrawCards)
class DrawCards(Op[powers.DrawCards]):
    """11.13."""

    def begin(self, table: Table, power: frames.Power, effect: powers.DrawCards) -> None:
        """One card after the other."""
        table.push(frames.DrawCards(power.seat, effect.count, power.bird, begun=False))


@handles(powers.DrawThenOweDiscard)
class DrawThenOweDiscard(Op[powers.DrawThenOweDiscard]):
    """11.14."""

    def begin(self, table: Table, power: frames.Power, effect: powers.DrawThenOweDiscard) -> None:
        """The first card makes the discards due."""
        table.push(frames.DrawCards(power.seat, effect.draw, power.bird, begun=False, owe=effect.owe))


@handles(powers.EveryoneDrawDeck)
class EveryoneDrawDeck(Op[powers.EveryoneDrawDeck]):
    """11.15."""

    def usable(self, table: Table, seat: int, bird: int, effect: powers.EveryoneDrawDeck) -> bool:
        """Only if the deck has a card."""
        del seat, bird, effect
        return deck_to_be_had(table)

    def resolve(self, table: Table, seat: int, bird: int, effect: powers.EveryoneDrawDeck) -> None:
        """The top card for each, the owner first."""
        del bird, effect
        for other in clockwise(table, seat):
            table.draw_deck(other)


@handles(powers.DraftCards)
class DraftCards(Op[powers.DraftCards]):
    """11.16."""

    def usable(self, table: Table, seat: int, bird: int, effect: powers.DraftCards) -> bool:
        """Only if a card can be had."""
        del seat, bird, effect
        return card_to_be_had(table)

    def resolve(self, table: Table, seat: int, bird: int, effect: powers.DraftCards) -> None:
        """Cards for everybody and some more, a pick each, the rest for the owner."""
        seats = clockwise(table, seat)
        picks = (frames.DraftPick(other, bird) for other in seats)
        table.push(frames.SetAside(seat, bird, len(seats) + effect.extra), *picks, frames.DraftRest(seat))


@handles(powers.BonusDraw)
class BonusDraw(Op[powers.BonusDraw]):
    """11.17."""

    def usable(self, table: Table, seat: int, bird: int, effect: powers.BonusDraw) -> bool:
        """Only if there is a bonus card."""
        del seat, bird, effect
        return bool(table.bonus_deck or table.bonus_discard)

    def resolve(self, table: Table, seat: int, bird: int, effect: powers.BonusDraw) -> None:
        """Look at the cards and choose; a single one is kept."""
        cards: list[int] = []
        while len(cards) < effect.draw and (card := _next_bonus(table)) is not None:
            cards.append(card)
        names = tuple(BONUS_IDS[card] for card in cards)
        table.reveals = True
        table.tell_owner(seat, events.BonusDrawn(len(cards)), events.BonusDrawn(len(cards), names))
        table.bonus_offer = tuple(cards)
        table.push(frames.KeepBonus(seat, bird))


def _next_bonus(table: Table) -> int | None:
    if not table.bonus_deck and table.bonus_discard:
        table.bonus_deck, table.bonus_discard = table.rng.shuffle(table.bonus_discard), ()
        table.tell(None, events.BonusDeckShuffled(len(table.bonus_deck)))
    if not table.bonus_deck:
        return None
    card, table.bonus_deck = table.bonus_deck[0], table.bonus_deck[1:]
    return card
