"""The bytes that go out are protobuf: google's parser reads them, loses nothing, and would not write them longer."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

import msgspec
import pytest
from google.protobuf import json_format
from google.protobuf.descriptor import FieldDescriptor
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core import AnyGame, Rng, installed, play
from engine.core.model import Placement, Result
from rookery.v1 import game_pb2, game_service_pb2, game_type_pb2, label_pb2, view_pb2
from service import projection, resources, resources_types
from service.dispatch import KEPT
from service.records import Batch, Live, Meta, SeatMeta, store_facts
from service.resources import Detail, Part
from service.store import GameKey, Stamp
from service.table import Table
from service.wire import Codec, Wire
from tests.service.pledge import GAME as PLEDGE

REGISTRY = installed()
PARTS = frozenset({Part.DETAIL, Part.OFFERS, Part.SCENE, Part.EVENTS})
# A busy machine is no failure.
unhurried = settings(deadline=None)
int32 = st.integers(-(2**31), 2**31 - 1)


@cache
def wire(*more: AnyGame) -> Wire:
    return Wire((*(REGISTRY.get(game_type) for game_type in REGISTRY.game_types), *more), KEPT)


def same(codec: Codec, message: Any, value: Any) -> Any:
    """The message that google's parser makes of the value's bytes, if it is the one that is built field by field."""
    blob = codec.encode(value)
    parsed, built = message.FromString(blob), message()
    fill(built, value)
    assert parsed == built
    assert len(blob) == built.ByteSize()
    return parsed


def fill(message: Any, value: Any) -> None:
    """Set every field of a message by the names of the struct."""
    message.SetInParent()
    fields = message.DESCRIPTOR.fields_by_name
    tag = value.__struct_config__.tag
    if tag in fields and set(fields) != set(value.__struct_fields__):
        fill(getattr(message, tag), value)
        return
    for name in value.__struct_fields__:
        item = getattr(value, name)
        if isinstance(item, Detail):
            fill(getattr(message, item.arm), item.value)
        elif item is not None:
            put(message, fields[name], item)


def put(message: Any, field: FieldDescriptor, item: Any) -> None:
    held, of = getattr(message, field.name), field.message_type
    if of is not None and of.GetOptions().map_entry:
        put_map(held, item)
    elif of is None and isinstance(item, tuple):
        held.extend(item)
    elif isinstance(item, tuple):
        for value in item:
            put_message(held.add(), value)
    elif of is None:
        setattr(message, field.name, item)
    else:
        put_message(held, item)


def put_message(held: Any, item: Any) -> None:
    if isinstance(item, msgspec.Struct):
        fill(held, item)
    elif isinstance(item, datetime):
        held.FromDatetime(item)
    elif isinstance(item, timedelta):
        held.FromTimedelta(item)
    else:
        json_format.ParseDict(item, held)


def put_map(held: Any, items: dict[str, Any]) -> None:
    for key, value in items.items():
        if isinstance(value, msgspec.Struct):
            fill(held[key], value)
        else:
            held[key] = value


def tables(game: AnyGame, seed: str) -> Iterator[tuple[Table, Batch]]:
    """A game at random, as tables with the batch that led there."""
    chance = random.Random(seed)
    seats = game.seat_counts[0]
    meta = Meta(
        game.game_type,
        game.rules_version,
        b"\x90",
        tuple(SeatMeta(f"Ä{i}", "x", 1) for i in range(seats)),
        b"",
        b"",
        0,
        1,
        b"",
    )
    state, ply, batch = game.setup(game.options(), seats, Rng(b"wire", 0)), 0, Batch(0)
    while True:
        prompts = game.prompts(state)
        asked = {prompt.seat for prompt in prompts}
        decisions = tuple(f"decision{seat}" if seat in asked else "" for seat in range(seats))
        live = Live(1 if prompts else 2, ply, 1_700_000_000_123_456 + ply, decisions, b"")
        yield Table(GameKey("t", "g" * 26), Stamp(ply + 1, b""), meta, live, game, state), batch
        if not prompts:
            return
        ply += 1
        seat = prompts[0].seat
        step = play(game, state, seat, chance.choice(game.legal_moves(state, seat)), Rng(b"wire", ply))
        state, batch = step.state, Batch(live.update_us, seat, (), store_facts(step.facts))


@pytest.mark.parametrize("game_type", REGISTRY.game_types)
def test_every_view_of_a_game_is_what_the_library_would_write(game_type: str) -> None:
    game = REGISTRY.get(game_type)
    codec = wire().codec(resources.View, view_pb2.View)
    for table, batch in tables(game, game_type):
        for seat in (*range(len(table.meta.seats)), None):
            events = projection.events_of(game, table.version, batch, seat)
            view = projection.view_of(table, seat, PARTS, events)
            same(codec, view_pb2.View, view)


@pytest.mark.parametrize("game_type", REGISTRY.game_types)
def test_the_static_part_and_the_outside_of_a_game_are_what_the_library_would_write(game_type: str) -> None:
    game = REGISTRY.get(game_type)
    made = projection.game_type_of(game, ("1",), whole=True)
    same(wire().codec(resources_types.GameType, game_type_pb2.GameType), game_type_pb2.GameType, made)


def test_a_game_without_a_message_of_its_own_travels_as_plain_json() -> None:
    codec = wire(PLEDGE).codec(resources.View, view_pb2.View)
    table, _ = next(tables(PLEDGE, "pledge"))
    view = projection.view_of(table, 0, PARTS)
    message = view_pb2.View.FromString(codec.encode(view))
    assert message.WhichOneof("detail") == "plugin"
    assert [offer.move.WhichOneof("detail") for offer in message.decision.offers] == ["plugin"] * len(table.legal(0))


@unhurried
@given(st.lists(int32, max_size=4), st.lists(st.text(max_size=200), max_size=3))
def test_numbers_and_texts_of_any_size(numbers: list[int], texts: list[str]) -> None:
    codec = wire().codec(resources.View, view_pb2.View)
    view = resources.View(
        name="".join(texts),
        version=numbers[0] if numbers else 0,
        etag="",
        game_type=texts[0] if texts else "",
        rules_version="",
        state=resources.GameState.UNSPECIFIED,
        viewer=resources.Viewer(seat=0),
        seats=(),
        decision=None,
        awaiting=(),
        result=Result(tuple(Placement(seat=i, rank=n, score=n) for i, n in enumerate(numbers)), "".join(texts)),
    )
    same(codec, view_pb2.View, view)


@unhurried
@given(st.dictionaries(st.text(max_size=20), st.text(max_size=300), max_size=4), st.datetimes())
def test_maps_and_times(annotations: dict[str, str], time: datetime) -> None:
    table, _ = next(tables(REGISTRY.get("sevens"), "outside"))
    game = projection.game_of(table, platform=True)
    game = msgspec.structs.replace(game, annotations=annotations, create_time=time.replace(tzinfo=UTC))
    same(wire().codec(resources.Game, game_pb2.Game), game_pb2.Game, game)


@unhurried
@given(st.dictionaries(st.text(max_size=5), st.text(max_size=5), min_size=2, max_size=5))
def test_equal_maps_give_equal_bytes(items: dict[str, str]) -> None:
    codec = wire().codec(resources.Label, label_pb2.Label)
    backwards = dict(reversed(items.items()))
    assert codec.encode(resources.Label("k", items, "t")) == codec.encode(resources.Label("k", backwards, "t"))


@pytest.mark.parametrize("span", [timedelta(0), timedelta(seconds=-1.5), timedelta(days=3, microseconds=1)])
def test_spans(span: timedelta) -> None:
    codec = wire().codec(resources.GetViewRequest, game_service_pb2.GetViewRequest)
    same(codec, game_service_pb2.GetViewRequest, resources.GetViewRequest("games/x", wait=span, newer_than=0))
