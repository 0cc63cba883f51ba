"""The table as zones and pieces, and what an offer is about."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

from engine.core.model import Label, Piece, Ref, Scene, Zone
from engine.games.wingspan import moves
from engine.games.wingspan.moves import Move
from engine.games.wingspan.terms import GIVES, Die, Food, Habitat
from engine.games.wingspan.view import BirdOnMat, FoodCounts, PlayerView, View

EGG = "egg"
CUBE = "cube"


# The components of food tokens, of dice by the face that they show, of the rows of a mat.
FOOD_ID = {food: food.name.lower() for food in Food}
DIE_ID = {die: f"die_{die.name.lower()}" for die in Die}
HABITAT_ID = {habitat: habitat.name.lower() for habitat in Habitat}


def scene(seen: View) -> Scene:
    """What is common, then each player's own, then what lies open to the viewer alone."""
    common = [
        Zone("tray", "tray", None, Label("zone.tray"), _face_up(slot.bird for slot in seen.tray if slot.bird)),
        Zone("deck", "deck", None, Label("zone.deck"), _face_down(seen.deck_size)),
        Zone("discard", "discard", None, Label("zone.discard"), _face_up(seen.discard)),
        Zone("feeder", "feeder", None, Label("zone.feeder"), _face_up(DIE_ID[die] for die in seen.feeder)),
        Zone("outside", "outside", None, Label("zone.outside"), _face_down(seen.dice_outside)),
        Zone("goals", "goals", None, Label("zone.goals"), _face_up(goal.goal for goal in seen.goals)),
        Zone("bonus_deck", "bonus_deck", None, Label("zone.bonus_deck"), _face_down(seen.bonus_deck_size)),
        Zone("playing", "playing", None, Label("zone.playing"), _face_up([seen.playing.bird] if seen.playing else [])),
        Zone("draft", "draft", None, Label("zone.draft"), _face_up(seen.draft) or _face_down(seen.set_aside)),
        Zone("bonus_offer", "bonus_offer", seen.seat, Label("zone.bonus_offer"), _face_up(seen.bonus_offer)),
    ]
    players = [zone for seat, player in enumerate(seen.players) for zone in _player(seen, seat, player)]
    return Scene((*common, *players))


def _player(seen: View, seat: int, player: PlayerView) -> list[Zone]:
    own = seat == seen.seat
    bonus = [card.bonus for card in (seen.bonus if own else player.bonus_shown)]
    hand = _face_up(seen.hand if own else ()) or _face_down(player.hand_size)
    return [
        Zone(f"hand/{seat}", "hand", seat, _whose("zone.hand", seat), hand),
        Zone(
            f"bonus/{seat}",
            "bonus",
            seat,
            _whose("zone.bonus", seat),
            _face_up(bonus) or _face_down(player.bonus_count),
        ),
        Zone(f"food/{seat}", "food", seat, _whose("zone.food", seat), _tokens(player.food)),
        Zone(f"cubes/{seat}", "cubes", seat, _whose("zone.cubes", seat), _many(CUBE, player.cubes)),
        *(
            Zone(
                f"{HABITAT_ID[row.habitat]}/{seat}",
                "row",
                seat,
                _whose("zone.row", seat, ("habitat", f"$habitat.{HABITAT_ID[row.habitat]}")),
                tuple([piece for bird in row.birds for piece in _bird(bird)]),
            )
            for row in player.rows
        ),
    ]


@cache
def _whose(key: str, seat: int, *more: tuple[str, str]) -> Label:
    return Label(key, (("seat", str(seat)), *more))


def _bird(bird: BirdOnMat) -> tuple[Piece, ...]:
    """The card, then its eggs, its cached food, the cards behind it."""
    return (Piece(bird.bird), *_many(EGG, bird.eggs), *_tokens(bird.cached), *_face_down(bird.tucked))


@lru_cache(maxsize=4096)
def _tokens(foods: FoodCounts) -> tuple[Piece, ...]:
    return tuple(piece for food in FOOD_ID.values() for piece in _many(food, getattr(foods, food)))


def _many(piece: str, count: int) -> tuple[Piece, ...]:
    return (Piece(piece, count),) if count else ()


def _face_up(pieces: Iterable[str]) -> tuple[Piece, ...]:
    return tuple([Piece(piece) for piece in pieces])


def _face_down(count: int) -> tuple[Piece, ...]:
    return _many("", count)


_ZONES: dict[type, str] = {
    moves.ResetFeeder: "feeder",
    moves.TakeDie: "feeder",
    moves.TakeAllDice: "feeder",
    moves.DrawDeck: "deck",
    moves.DrawTray: "tray",
    moves.DraftCard: "draft",
}


def refs(move: Move) -> tuple[Ref, ...]:
    """The pieces that the move is about, and the common zone that they lie in."""
    zone = _ZONES.get(type(move), "")
    pieces = _pieces(move)
    return tuple(Ref(piece, zone) for piece in pieces) if pieces else ((Ref(zone=zone),) if zone else ())


def _pieces(move: Move) -> tuple[str, ...]:
    match move:
        case moves.TakeDie(die=die):
            return (DIE_ID[die],)
        case moves.PayFood(foods=foods):
            return tuple(FOOD_ID[food] for food in dict.fromkeys(foods))
        case moves.ChooseHabitat(habitat=habitat):
            return (HABITAT_ID[habitat],)
        case moves.TakeAction() | moves.ChooseSeat():
            return ()
        case moves.KeepFood(food=food) | moves.SpendFood(food=food) | moves.GainFood(food=food):
            return (FOOD_ID[food],)
        case moves.TakeAllDice(food=food):
            return tuple(DIE_ID[die] for die in Die if food in GIVES[die])
        case moves.KeepBonus(bonus=bonus):
            return (bonus,)
    bird = getattr(move, "bird", None)
    return () if bird is None else (bird,)
