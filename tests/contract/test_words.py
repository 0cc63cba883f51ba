"""Words: whatever is said to people can be said in every language, and names pieces and zones that exist."""

from __future__ import annotations

import string
from functools import cache

from engine.core import AnyGame, Label, Scene
from tests.contract.cases import LOCALES, Playout, Ply


@cache
def placeholders(template: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in string.Formatter().parse(template) if name is not None)


def assert_sayable(game: AnyGame, label: Label) -> None:
    """The label has a template in every locale, and arguments for everything in it."""
    args = dict(label.args)
    assert len(args) == len(label.args)
    for locale in LOCALES:
        templates = game.messages()[locale]
        assert label.key in templates, f"{locale} has no {label.key!r}"
        assert placeholders(templates[label.key]) <= args.keys(), f"{locale}, {label.key}"
        for value in args.values():
            assert not value.startswith("$") or value[1:] in templates, f"{locale} has no {value!r}"


def test_every_locale_has_the_same_keys_and_the_same_placeholders(game: AnyGame) -> None:
    assert set(game.messages()) == set(LOCALES)
    english = game.messages()["en"]
    assert "title" in english
    for locale in LOCALES:
        templates = game.messages()[locale]
        assert templates.keys() == english.keys()
        for key, template in templates.items():
            assert template.strip(), f"{locale}, {key}"
            assert placeholders(template) == placeholders(english[key]), f"{locale}, {key}"


def test_options_and_components_can_be_named(game: AnyGame) -> None:
    for label in [spec.label for spec in game.option_specs()] + [part.label for part in game.catalogue()]:
        assert_sayable(game, label)


def test_prompts_offers_and_events_can_be_told(played: Playout) -> None:
    game = played.case.game
    labels = set()
    for ply in played.plies:
        labels |= {game.prompt_label(prompt) for prompt in game.prompts(ply.state)}
        labels |= {game.label(move) for move in ply.legal}
        for fact in ply.step.facts:
            events = [fact.seen_by(seat) for seat in (None, *range(played.case.seats))]
            labels |= {game.event_label(event, fact.seat) for event in events if event is not None}
    for label in labels:
        assert_sayable(game, label)


def test_offers_that_differ_are_told_apart_by_their_labels(played: Playout) -> None:
    game = played.case.game
    for ply in played.plies:
        assert len({game.label(move) for move in ply.legal}) == len(ply.legal)


def test_the_result_can_be_told(played: Playout) -> None:
    result = played.case.game.result(played.states[-1])
    assert result is not None
    assert_sayable(played.case.game, Label(f"reason.{result.reason}"))
    for placement in result.placements:
        for share in placement.breakdown:
            assert_sayable(played.case.game, Label(f"share.{share.key}"))


def test_a_scene_is_made_of_components_in_zones_that_can_be_named(played: Playout) -> None:
    game = played.case.game
    known = {"", *(component.id for component in game.catalogue())}
    labels = set()
    for number, state in enumerate(played.states):
        seat = number % (played.case.seats + 1)
        zones = game.scene(game.view(state, seat if seat < played.case.seats else None)).zones
        assert zones
        assert len({zone.id for zone in zones}) == len(zones)
        labels |= {zone.label for zone in zones}
        assert all(zone.seat in (None, *range(played.case.seats)) for zone in zones)
        pieces = [piece for zone in zones for piece in zone.pieces]
        assert {piece.piece for piece in pieces} <= known
        assert all(piece.count > 0 for piece in pieces)
    for label in labels:
        assert_sayable(game, label)


def _scene_of(game: AnyGame, ply: Ply) -> Scene:
    return game.scene(game.view(ply.state, ply.seat))


def test_an_offer_is_about_components_and_zones_of_the_scene(played: Playout) -> None:
    game = played.case.game
    known = {"", *(component.id for component in game.catalogue())}
    for ply in played.plies:
        zones = {"", *(zone.id for zone in _scene_of(game, ply).zones)}
        for ref in (ref for move in ply.legal for ref in game.refs(move)):
            assert ref.piece in known
            assert ref.zone in zones
            assert ref.piece or ref.zone


def test_a_piece_of_an_offer_lies_where_the_offer_says(played: Playout) -> None:
    """So that a click on it can mean the offer. What is taken together may lie there in part."""
    game = played.case.game
    for ply in played.plies:
        zones = {zone.id: {piece.piece for piece in zone.pieces} for zone in _scene_of(game, ply).zones}
        for move in ply.legal:
            named: dict[str, set[str]] = {}
            for ref in game.refs(move):
                if ref.zone and ref.piece:
                    named.setdefault(ref.zone, set()).add(ref.piece)
            for zone, pieces in named.items():
                assert pieces & zones[zone], (game.notation(move), zone)
