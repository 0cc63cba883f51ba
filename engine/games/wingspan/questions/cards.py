"""Questions about cards: drawing, discarding, tucking, drafting, bonus cards."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from engine.games.wingspan import effects, events, frames, moves
from engine.games.wingspan.moves import Move
from engine.games.wingspan.questions.base import (
    DISCARD_CARD,
    DRAFT_CARD,
    DRAW_DECK,
    DRAW_TRAY,
    TUCK_CARD,
    Demand,
    Question,
    asks,
)
from engine.games.wingspan.rows import BIRD_IDS, BIRD_OF, BONUS_IDS, BONUS_OF
from engine.games.wingspan.table import Board, Table, deck_to_be_had


def drawable(board: Board) -> list[Move]:
    """The tray cards by slot, then the deck (9.1)."""
    tray: list[Move] = [DRAW_TRAY[card] for card in board.tray if card is not None]
    return [*tray, DRAW_DECK] if deck_to_be_had(board) else tray


@asks(frames.DrawCards)
class DrawCards(Question[frames.DrawCards]):
    """One card at a time (9.1)."""

    kind = "draw_card"
    clause = "9.1"

    def offers(self, board: Board, frame: frames.DrawCards) -> Sequence[Move]:
        """Tray and deck."""
        del frame
        return drawable(board)

    def answer(self, table: Table, frame: frames.DrawCards, move: moves.DrawTray | moves.DrawDeck) -> None:
        """The first card may make discards due (11.14)."""
        if isinstance(move, moves.DrawTray):
            table.draw_tray(frame.seat, BIRD_OF[move.bird])
        else:
            table.draw_deck(frame.seat)
        if frame.owe:
            table.debt += frame.owe
            table.tell(frame.seat, events.DiscardOwed(table.debt))
        if frame.left > 1:
            table.push(replace(frame, left=frame.left - 1, begun=True, owe=0))


@asks(frames.SetAside)
class SetAside(Demand[frames.SetAside]):
    """A card for the draft (11.16)."""

    kind = "set_aside"

    def offers(self, board: Board, frame: frames.SetAside) -> Sequence[Move]:
        """Tray and deck."""
        del frame
        return drawable(board)

    def answer(self, table: Table, frame: frames.SetAside, move: moves.DrawTray | moves.DrawDeck) -> None:
        """What comes from the tray has been seen by all; what comes from the deck only the owner sees."""
        card = BIRD_OF[move.bird] if isinstance(move, moves.DrawTray) else table.take_top()
        if card is None:
            return
        if isinstance(move, moves.DrawTray):
            slot = table.tray.index(card)
            table.tray[slot] = None
            table.tell(frame.seat, events.CardSetAside(slot, move.bird))
        else:
            table.reveals = True
            table.tell_owner(frame.seat, events.CardSetAside(), events.CardSetAside(bird=BIRD_IDS[card]))
        table.drafting = (*table.drafting, card)
        if frame.left > 1:
            table.push(replace(frame, left=frame.left - 1))


@asks(frames.DraftPick)
class DraftPick(Demand[frames.DraftPick]):
    """A card of those set aside (11.16)."""

    kind = "draft_pick"

    def offers(self, board: Board, frame: frames.DraftPick) -> Sequence[Move]:
        """All that are left."""
        del frame
        return [DRAFT_CARD[card] for card in board.drafting]

    def answer(self, table: Table, frame: frames.DraftPick, move: moves.DraftCard) -> None:
        """Into the hand, unseen by those who pick later."""
        take_drafted(table, frame.seat, BIRD_OF[move.bird])


def take_drafted(table: Table, seat: int, card: int) -> None:
    """A card set aside goes into a hand (11.16)."""
    table.drafting = tuple(other for other in table.drafting if other != card)
    table.add_to_hand(seat, card)
    table.tell_owner(seat, events.CardDrafted(), events.CardDrafted(BIRD_IDS[card]))


@asks(frames.KeepBonus)
class KeepBonus(Demand[frames.KeepBonus]):
    """One of the new bonus cards (11.17)."""

    kind = "keep_bonus"
    answers_itself = True

    def offers(self, board: Board, frame: frames.KeepBonus) -> Sequence[Move]:
        """Only the new ones."""
        del frame
        return [moves.KeepBonus(BONUS_IDS[card]) for card in board.bonus_offer]

    def answer(self, table: Table, frame: frames.KeepBonus, move: moves.KeepBonus) -> None:
        """The others go face down to the discard pile."""
        kept = BONUS_OF[move.bonus]
        table.change(frame.seat, bonus=(*table.players[frame.seat].bonus, kept))
        table.bonus_discard += tuple(card for card in table.bonus_offer if card != kept)
        table.bonus_offer = ()
        table.tell_owner(frame.seat, events.BonusKept(), events.BonusKept(move.bonus))


@asks(frames.TuckCard)
class TuckCard(Question[frames.TuckCard]):
    """A hand card (11.18, 11.31)."""

    kind = "tuck_card"

    def offers(self, board: Board, frame: frames.TuckCard) -> Sequence[Move]:
        """Any."""
        return [TUCK_CARD[card] for card in board.players[frame.seat].hand]

    def answer(self, table: Table, frame: frames.TuckCard, move: moves.TuckCard) -> None:
        """Then the power goes on."""
        table.tuck_from_hand(frame.seat, frame.power, BIRD_OF[move.bird])
        effects.resolve(table, frame.seat, frame.power)


@asks(frames.DiscardOwed)
class DiscardOwed(Demand[frames.DiscardOwed]):
    """A discard that is due (13.1)."""

    kind = "discard_owed"
    clause = "13.1"

    def offers(self, board: Board, frame: frames.DiscardOwed) -> Sequence[Move]:
        """Any hand card."""
        return [DISCARD_CARD[card] for card in board.players[frame.seat].hand]

    def answer(self, table: Table, frame: frames.DiscardOwed, move: moves.DiscardCard) -> None:
        """Onto the discard pile."""
        table.discard_card(frame.seat, BIRD_OF[move.bird])
