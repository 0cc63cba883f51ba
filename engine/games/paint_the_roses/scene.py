"""The table as zones and pieces, the catalogue of pieces, and which of them a move is about."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.model import Component, Label, Piece, Ref, Scene, Zone
from engine.games.paint_the_roses import box, rules
from engine.games.paint_the_roses.box import TRACK
from engine.games.paint_the_roses.events import WhimCard
from engine.games.paint_the_roses.labels import pair_args, space_args
from engine.games.paint_the_roses.state import ChooseLevel, Move, Plant, Propose
from engine.games.paint_the_roses.symbols import Level, Symbol
from engine.games.paint_the_roses.view import Deck, Player, Plot, View

GARDENERS = "gardeners"
QUEEN = "queen"
RABBIT = "rabbit"
FLOWER = "flower"
CLUE_TOKEN = "clue-token"  # noqa: S105 - a token to play with
FIGURES = (GARDENERS, QUEEN, RABBIT)
MOST_NEIGHBOURS = max(map(len, box.NEIGHBOURS))

_WHIM_BY_CARD = {
    WhimCard(box.level_of(whim), box.pair_of(whim), box.value_of(whim)): box.whim_name(whim) for whim in box.WHIMS
}


def back(level: Level) -> str:
    """The piece id of a face-down card: its back shows the level (13.1)."""
    return f"back-{level.text}"


def cube(seat: int, number: int) -> str:
    """The piece id of a cube."""
    return f"cube-{seat}-{number}"


def scene(seen: View) -> Scene:
    """The garden, the greenhouse, the cards of each player, the decks, the track."""
    return Scene((*_garden(seen), *_supplies(seen), *_whims(seen), *_track(seen)))


def _garden(seen: View) -> Iterator[Zone]:
    for plot in seen.garden:
        label = Label("zone.garden", space_args(plot.space))
        yield Zone(_garden_id(plot.space), "garden", None, label, _on_plot(plot))


def _on_plot(plot: Plot) -> tuple[Piece, ...]:
    if plot.tile is None:
        return ()
    return (Piece(box.tile_name(plot.tile)), *(Piece(cube(on.seat, on.number)) for on in plot.cubes))


def _supplies(seen: View) -> Iterator[Zone]:
    for at, slot in enumerate(seen.greenhouse):
        pieces = () if slot.tile is None else (Piece(box.tile_name(slot.tile)),)
        yield Zone(f"greenhouse/{at}", "greenhouse", None, Label("zone.greenhouse", (("slot", str(at)),)), pieces)
    yield Zone("bag", "bag", None, Label("zone.bag"), _some("", seen.bag))
    for deck in seen.decks:
        level = (("level", f"$level.{deck.level.text}"),)
        label = Label("zone.deck", level)
        yield Zone(f"deck/{deck.level.text}", "deck", None, label, _some(back(deck.level), deck.cards))
        label = Label("zone.discards", level)
        yield Zone(f"discards/{deck.level.text}", "discards", None, label, _discards(seen, deck))
    yield Zone("clue", "clue", None, Label("zone.clue"), _some(CLUE_TOKEN, seen.clue_tokens))


def _discards(seen: View, deck: Deck) -> tuple[Piece, ...]:
    """The cards of the level that were turned up last: a reshuffle takes all the earlier ones (4.3)."""
    turned_up = [of.whim for of in seen.revealed if of.whim.level is deck.level]
    return tuple(Piece(_WHIM_BY_CARD[whim]) for whim in turned_up[len(turned_up) - deck.discards :])


def _whims(seen: View) -> Iterator[Zone]:
    for seat, player in enumerate(seen.players):
        yield Zone(_whim_id(seat), "whim", seat, Label("zone.whim", (("seat", str(seat)),)), _held(player))


def _held(player: Player) -> tuple[Piece, ...]:
    if player.whim is not None:
        return (Piece(_WHIM_BY_CARD[player.whim]),)
    return () if player.level is None else (Piece(back(player.level)),)


def _track(seen: View) -> Iterator[Zone]:
    """One zone for each figure; the label says where it stands."""
    stands = {GARDENERS: seen.gardeners, QUEEN: seen.queen, RABBIT: seen.rabbit}
    for figure in FIGURES:
        position = stands[figure]
        if position is not None:
            label = Label(f"zone.{figure}", (("position", str(position)), ("space", str(position % TRACK.spaces))))
            yield Zone(f"track/{figure}", "track", None, label, (Piece(figure),))
    yield Zone("flowers", "flowers", None, Label("zone.flowers"), _some(FLOWER, seen.flowers))


def _some(piece: str, count: int) -> tuple[Piece, ...]:
    return (Piece(piece, count),) if count else ()


def _garden_id(space: int) -> str:
    return f"garden/{box.space_name(space)}"


def _whim_id(seat: int) -> str:
    return f"whim/{seat}"


def refs(move: Move) -> tuple[Ref, ...]:
    """The deck drawn from; the slot and the space; the card guessed and the symbols named."""
    match move:
        case ChooseLevel(level=level):
            return (Ref(piece=back(level), zone=f"deck/{level.text}"),)
        case Plant(slot=slot, space=space):
            return (Ref(zone=f"greenhouse/{slot}"), Ref(zone=_garden_id(space)))
        case Propose(target=target, pair=pair):
            return (Ref(zone=_whim_id(target)), Ref(piece=pair.a.text), Ref(piece=pair.b.text))
        case _:
            return ()


def catalogue() -> tuple[Component, ...]:
    """Symbols, spaces, tiles, whim cards and their backs, cubes, figures and tokens."""
    return (*_symbols(), *_spaces(), *_tiles(), *_whim_cards(), *_cubes(), *_tokens())


def _symbols() -> Iterator[Component]:
    for symbol in Symbol:
        yield Component(symbol.text, "symbol", Label(f"symbol.{symbol.text}"))


def _spaces() -> Iterator[Component]:
    for space, row in zip(box.SPACES, box.SPACE_ROWS, strict=True):
        attributes = {
            "q": row.q,
            "r": row.r,
            "neighbours": [box.space_name(neighbour) for neighbour in box.NEIGHBOURS[space]],
        }
        if row.start is not None:
            attributes |= {"starting_number": row.start.number, "starting_tile": row.start.tile}
        yield Component(row.id, "space", Label("zone.garden", space_args(space)), 1, attributes)


def _tiles() -> Iterator[Component]:
    for row in box.TILE_ROWS:
        label = Label("tile", (("colour", f"$symbol.{row.colour}"), ("shape", f"$symbol.{row.shape}")))
        yield Component(row.id, "tile", label, row.copies, {"colour": row.colour, "shape": row.shape})


def _whim_cards() -> Iterator[Component]:
    for level in Level:
        count = len(box.DECKS[level])
        yield Component(back(level), "back", Label(f"back.{level.text}"), count, {"level": level.text})
    for whim, row in zip(box.WHIMS, box.WHIM_ROWS, strict=True):
        pair = box.pair_of(whim)
        label = Label("whim", (*pair_args(pair), ("value", str(row.value))))
        attributes = {"level": row.level, "halves": [pair.a.text, pair.b.text], "value": row.value}
        yield Component(row.id, "whim", label, 1, attributes)


def _cubes() -> Iterator[Component]:
    for seat in range(rules.SEAT_COUNTS[-1]):
        for number in range(MOST_NEIGHBOURS + 1):
            label = Label("cube", (("seat", str(seat)), ("number", str(number))))
            # A player can get one with each tile that is planted.
            copies = box.START.count(None)
            yield Component(cube(seat, number), "cube", label, copies, {"seat": seat, "number": number})


def _tokens() -> Iterator[Component]:
    for figure in FIGURES:
        yield Component(figure, "figure", Label(f"piece.{figure}"))
    yield Component(FLOWER, "token", Label("piece.flower"), TRACK.flowers_start + len(TRACK.rabbits))
    yield Component(CLUE_TOKEN, "token", Label("piece.clue_token"))
