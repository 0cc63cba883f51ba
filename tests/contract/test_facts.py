"""The record of facts of a game: its types, its options, its catalogue, its numbered rules."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from msgspec import inspect as mi

from engine.core import AnyGame, InvalidOptions, InvalidPosition, Rng, from_json
from tests.contract.cases import cases, clauses, games


def test_some_game_is_registered() -> None:
    assert games()


def test_the_record_of_facts_is_complete(game: AnyGame) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9_]*", game.game_type)
    assert re.fullmatch(r"\d+\.\d+\.\d+", game.rules_version)
    assert 1 <= game.state_schema <= 255
    assert game.seat_counts
    assert list(game.seat_counts) == sorted(set(game.seat_counts))


def test_the_rules_are_numbered(game: AnyGame) -> None:
    assert clauses(game)


def test_everything_is_frozen_all_the_way_down(game: AnyGame) -> None:
    for of in (game.options, game.state, game.views, *game.moves, *game.events):
        _assert_frozen(mi.type_info(of), of.__name__, set())


def _assert_frozen(info: mi.Type, path: str, seen: set[Any]) -> None:
    """Tuples, scalars, enums and frozen structs of them: nothing that can be changed in place."""
    if isinstance(info, mi.Metadata):
        _assert_frozen(info.type, path, seen)
    elif isinstance(info, mi.StructType):
        if info.cls in seen:
            return
        seen.add(info.cls)
        config = info.cls.__struct_config__
        assert config.frozen, path
        assert config.array_like, path
        for field in info.fields:
            _assert_frozen(field.type, f"{path}.{field.name}", seen)
    elif isinstance(info, mi.UnionType):
        for of in info.types:
            _assert_frozen(of, path, seen)
    elif isinstance(info, mi.TupleType):
        for of in info.item_types:
            _assert_frozen(of, path, seen)
    elif isinstance(info, mi.VarTupleType):
        _assert_frozen(info.item_type, path, seen)
    else:
        assert isinstance(info, mi.IntType | mi.StrType | mi.BoolType | mi.NoneType | mi.EnumType), f"{path}: {info}"


def test_moves_and_events_are_told_apart_by_their_tags(game: AnyGame) -> None:
    for types in (game.moves, game.events):
        tags = [of.__struct_config__.tag for of in types]
        assert len(set(tags)) == len(tags)
        assert all(re.fullmatch(r"[a-z][a-z0-9_]*", str(tag)) for tag in tags)


def test_every_option_is_described_with_its_default(game: AnyGame) -> None:
    defaults = game.options()
    assert [spec.name for spec in game.option_specs()] == [field.name for field in msgspec.structs.fields(game.options)]
    for spec in game.option_specs():
        assert getattr(defaults, spec.name) == spec.default
        assert spec.default is None or spec.default in spec.choices
        assert len(set(spec.choices)) == len(spec.choices) > 1


def test_every_choice_of_an_option_can_be_played(game: AnyGame) -> None:
    played = {option for case in cases() if case.game is game for option in case.options}
    for spec in game.option_specs():
        assert {(spec.name, choice) for choice in spec.choices if choice != spec.default} <= played


def test_a_wrong_number_of_seats_is_refused(game: AnyGame) -> None:
    for seats in (0, game.seat_counts[0] - 1, game.seat_counts[-1] + 1):
        with pytest.raises(InvalidOptions) as refused:
            game.setup(game.options(), seats, Rng(b"", 0))
        assert refused.value.field == "seats"


def test_a_value_beyond_the_choices_is_refused_by_the_name_of_the_option(game: AnyGame) -> None:
    for spec in game.option_specs():
        numbers = [choice for choice in spec.choices if isinstance(choice, int) and not isinstance(choice, bool)]
        for value in {min(numbers) - 1, max(numbers) + 1} if numbers else ():
            assert _field_refused(game, {spec.name: value}) == spec.name


def _field_refused(game: AnyGame, options: dict[str, Any]) -> str | None:
    try:
        game.setup(from_json(game.options, options), game.seat_counts[0], Rng(b"", 0))
    except (InvalidOptions, InvalidPosition) as refused:
        return refused.field
    return None


def test_the_catalogue_names_every_component_once(game: AnyGame) -> None:
    ids = [component.id for component in game.catalogue()]
    assert "" not in ids
    assert len(set(ids)) == len(ids)
    for component in game.catalogue():
        assert component.kind
        assert component.copies >= 1
        assert msgspec.json.decode(msgspec.json.encode(component.attributes)) == component.attributes
