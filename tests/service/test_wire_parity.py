"""Structs and messages say the same, in both directions and in every field; what differs is found at the start."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

import msgspec
import pytest
from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor
from google.protobuf.message_factory import GetMessageClass
from msgspec import inspect as mi

from engine.core import AnyGame, from_json, named, union_of
from rookery.v1 import event_pb2, game_pb2, game_service_pb2, label_pb2, move_pb2, options_pb2, view_pb2
from service import resources
from service.answers import typed_move
from service.dispatch import struct_of
from service.errors import Refusal
from service.resources import Detail
from service.wire import Malformed, Wire, WireMismatch
from tests.contract.cases import cases, games, playout
from tests.service.one_arm import one_answer
from tests.service.pledge import GAME as PLEDGE
from tests.service.pledge import Peek, Pledge
from tests.service.test_wire import same

ROUNDS = 40
SERVICE = game_service_pb2.DESCRIPTOR.services_by_name["GameService"]
ARMS: dict[str, tuple[type[msgspec.Struct], Any]] = {
    "GameOptions": (resources.GameOptions, options_pb2.GameOptions),
    "Move": (resources.Move, move_pb2.Move),
    "View": (resources.View, view_pb2.View),
    "Event": (resources.Event, event_pb2.Event),
}
NUMBERS = (0, 1, -1, 2, 3, 127, 128, 4095, 4096, 2**31 - 1, -(2**31))
TEXTS = ("", "a", "Ä", "日本語", '"\\\n', "x" * 300)


def arm_types(game: AnyGame) -> dict[str, Any]:
    return {
        "GameOptions": game.options,
        "Move": union_of(game.moves),
        "View": game.views,
        "Event": union_of(game.events),
    }


class Maker:
    """Makes values of any type at random. ``game`` is the one whose details are made."""

    def __init__(self, game: AnyGame, seed: str) -> None:
        self._game = game
        self._rng = random.Random(seed)

    def __call__(self, of: Any, around: str = "") -> Any:
        if isinstance(of, mi.Metadata):
            return self(of.type, around)
        if isinstance(of, mi.UnionType):
            return self(self._rng.choice(of.types), around)
        if isinstance(of, mi.StructType):
            return self._struct(of, around)
        if isinstance(of, (mi.VarTupleType, mi.ListType)):
            return tuple(self(of.item_type, around) for _ in range(self._rng.randrange(4)))
        if isinstance(of, mi.TupleType):
            return tuple(self(item, around) for item in of.item_types)
        if isinstance(of, mi.DictType):
            return {text: self(of.value_type, around) for text in self._rng.sample(TEXTS, self._rng.randrange(3))}
        return self._plain(of)

    def _plain(self, of: Any) -> Any:
        rng = self._rng
        if isinstance(of, mi.IntType):
            low = of.ge if of.ge is not None else -(2**31)
            high = of.lt if of.lt is not None else 2**31
            return rng.choice([number for number in NUMBERS if low <= number < high] or [low])
        if isinstance(of, mi.EnumType):
            return rng.choice(list(of.cls))
        if isinstance(of, mi.DateTimeType):
            return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=rng.randrange(-(10**15), 4 * 10**15))
        if isinstance(of, mi.TimeDeltaType):
            return timedelta(microseconds=rng.randrange(-(10**12), 10**12))
        makers: dict[type, Any] = {
            mi.BoolType: lambda: rng.random() < 0.5,
            mi.StrType: lambda: rng.choice(TEXTS),
            mi.BytesType: lambda: rng.choice((b"", b"\x00\xff" * 70)),
            mi.NoneType: lambda: None,
            mi.AnyType: lambda: rng.choice([None, True, 7, -0.5, "x", [1, "y"], {"k": [None]}]),
        }
        return makers[type(of)]()

    def _struct(self, of: mi.StructType, around: str) -> Any:
        if of.cls is Detail:
            return Detail(self._game.game_type, self(mi.type_info(arm_types(self._game)[around]), around))
        name = of.cls.__name__
        return of.cls(**{field.name: self(field.type, name if name in ARMS else around) for field in of.fields})


def fields_set(message: Any, found: set[str]) -> None:
    """The full names of all fields that are set in a message, all the way down."""
    for field, value in message.ListFields():
        found.add(field.full_name)
        if field.message_type is None:
            continue
        if field.message_type.GetOptions().map_entry:
            if field.message_type.fields_by_name["value"].message_type is not None:
                for item in value.values():
                    fields_set(item, found)
        elif field.is_repeated:
            for item in value:
                fields_set(item, found)
        else:
            fields_set(value, found)


def fields_there(descriptor: Descriptor, seen: set[str], skip: frozenset[str] = frozenset()) -> Iterator[str]:
    """The full names of all fields that a message may have set, all the way down; without other games' arms."""
    if descriptor.full_name in seen or descriptor.full_name.startswith("google.protobuf."):
        return
    seen.add(descriptor.full_name)
    for field in descriptor.fields:
        if field.name in skip and field.containing_oneof is not None and field.containing_oneof.name == "detail":
            continue
        yield field.full_name
        inner = field.message_type
        if inner is not None and inner.GetOptions().map_entry:
            inner = inner.fields_by_name["value"].message_type
        if inner is not None:
            yield from fields_there(inner, seen, skip)


def others(game: AnyGame) -> frozenset[str]:
    arms = {field.name for field in move_pb2.Move.DESCRIPTOR.oneofs_by_name["detail"].fields}
    return frozenset(arms - {game.game_type})


@pytest.mark.parametrize("game", games(), ids=lambda game: game.game_type)
def test_every_message_both_ways_and_every_field(game: AnyGame) -> None:
    """Made-up values of every request, response and detail; not one field of their messages is left out."""
    wire = Wire(games())
    make = Maker(game, game.game_type)
    tops = [of for method in SERVICE.methods for of in (method.input_type, method.output_type)]
    found: set[str] = set()

    def both(struct: Any, message: Any, value: Any) -> None:
        codec = wire.codec(struct, message)
        parsed = same(codec, message, value)
        assert codec.decode(parsed, "") == value
        # Through JSON too: that is how REST says it.
        told = json_format.MessageToJson(parsed)
        assert codec.decode(json_format.Parse(told, message()), "") == value
        fields_set(parsed, found)

    for descriptor in tops:
        struct, message = struct_of(descriptor.name), GetMessageClass(descriptor)
        for _ in range(ROUNDS):
            value = make(mi.type_info(struct), descriptor.name if descriptor.name in ARMS else "")
            both(struct, message, one_answer(value))
    # Each kind of move and event a few times for itself: among all kinds a rare one may not come up.
    kinds = {"GameOptions": (game.options,), "Move": game.moves, "View": (game.views,), "Event": game.events}
    for name, (struct, message) in ARMS.items():
        around = _view(game, None) if name == "View" else _event(game, None) if name == "Event" else struct()
        for of in kinds[name]:
            for _ in range(ROUNDS // 2):
                detail = Detail(game.game_type, make(mi.type_info(of)))
                both(struct, message, msgspec.structs.replace(around, detail=detail))
    seen: set[str] = set()
    there = {name for top in tops for name in fields_there(top, seen, others(game))}
    assert there - found == set()
    assert any(name.startswith(f"rookery.{game.game_type}.") for name in there)


@pytest.mark.parametrize("game", games(), ids=lambda game: game.game_type)
def test_what_happens_in_random_games_both_ways(game: AnyGame) -> None:
    """Views, moves and events as the rules make them, of every number of seats and every option."""
    wire = Wire(games())
    codecs = {name: (wire.codec(*pair), pair[1]) for name, pair in ARMS.items()}

    def both(name: str, value: Any) -> None:
        codec, message = codecs[name]
        assert codec.decode(same(codec, message, value), "") == value

    for case in (case for case in cases() if case.game is game):
        played = playout(case)
        both("GameOptions", resources.GameOptions(Detail(game.game_type, played.opening.options)))
        for ply in played.plies[:: max(1, len(played.plies) // 12)]:
            for move in {*ply.legal[:40], ply.move}:
                both("Move", resources.Move(Detail(game.game_type, move)))
            for fact in ply.step.facts:
                for event in (fact.public, *(private for _, private in fact.private)):
                    if event is not None:
                        both("Event", _event(game, event))
            for seat in (*range(case.seats), None):
                both("View", _view(game, game.view(ply.step.state, seat)))


def _event(game: AnyGame, event: Any) -> resources.Event:
    time = datetime(2026, 1, 1, tzinfo=UTC)
    return resources.Event(2, 0, time, None, resources.Label("k", {}, "t"), Detail(game.game_type, event))


def _view(game: AnyGame, view: Any) -> resources.View:
    return resources.View(
        name="n",
        version=1,
        etag="e",
        game_type=game.game_type,
        rules_version="1",
        state=resources.GameState.ACTIVE,
        viewer=resources.Viewer(spectator=True),
        seats=(),
        decision=None,
        awaiting=(),
        result=None,
        detail=Detail(game.game_type, view),
    )


# Games of other distributions


def test_a_plugin_travels_as_json_both_ways() -> None:
    wire = Wire([*games(), PLEDGE])
    make = Maker(PLEDGE, "plugin")
    for name, (struct, message) in ARMS.items():
        codec, of = wire.codec(struct, message), arm_types(PLEDGE)[name]
        for _ in range(ROUNDS):
            value = one_answer(make(mi.type_info(struct), name))
            if value.detail is None:
                continue
            parsed = message.FromString(codec.encode(value))
            assert parsed.WhichOneof("detail") == "plugin"
            back = codec.decode(parsed, "")
            assert back.detail.arm == "plugin"
            assert from_json(of, back.detail.value) == value.detail.value


class _Table:
    """As much of a table as a typed move needs."""

    game = PLEDGE


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({}, "move.plugin.type"),
        ({"type": "promise"}, "move.plugin.type"),
        ({"type": "pledge"}, "move.plugin.coins"),
        ({"type": "pledge", "coins": 2.5}, "move.plugin.coins"),
        ({"type": "pledge", "coins": "2"}, "move.plugin.coins"),
        ({"type": "pledge", "coins": True}, "move.plugin.coins"),
        ({"type": "pledge", "coins": None}, "move.plugin.coins"),
        ({"type": "pledge", "coins": 2, "more": 1}, "move.plugin.more"),
    ],
)
def test_a_plugin_move_that_is_none(said: dict[str, Any], field: str) -> None:
    codec = Wire([PLEDGE]).codec(resources.Move, move_pb2.Move)
    decoded = codec.decode(json_format.ParseDict({"plugin": said}, move_pb2.Move()), "")
    with pytest.raises(Refusal) as refused:
        typed_move(_Table(), decoded, "move")  # type: ignore[arg-type]
    assert refused.value.violations[0][0] == field


def test_a_plugin_move() -> None:
    codec = Wire([PLEDGE]).codec(resources.Move, move_pb2.Move)
    for said, move in (({"type": "pledge", "coins": 2}, Pledge(2)), ({"type": "peek"}, Peek())):
        decoded = codec.decode(json_format.ParseDict({"plugin": said}, move_pb2.Move()), "")
        assert typed_move(_Table(), decoded, "move") == move  # type: ignore[arg-type]


def test_a_game_that_is_not_played_here_is_refused() -> None:
    codec = Wire([PLEDGE]).codec(resources.Move, move_pb2.Move)
    message = move_pb2.Move()
    message.sevens.SetInParent()
    with pytest.raises(Malformed) as refused:
        codec.decode(message, "move")
    assert refused.value.field == "move.sevens"


# What differs


def label(**types: Any) -> type[msgspec.Struct]:
    """A struct for ``rookery.v1.Label``, with fields of other types (None: left out)."""
    fields = {"key": str, "args": dict[str, str], "text": str, **types}
    return msgspec.defstruct("Label", [(name, of) for name, of in fields.items() if of is not None], frozen=True)


def test_the_right_struct_is_accepted() -> None:
    assert (
        Wire([]).codec(label(), label_pb2.Label).encode(label()("k", {}, "t"))
        == label_pb2.Label(key="k", text="t").SerializeToString()
    )


@pytest.mark.parametrize(
    "types",
    [
        {"text": None},
        {"more": str},
        {"key": int},
        {"key": bytes},
        {"key": tuple[str, ...]},
        {"key": bool},
        {"args": str},
        {"args": dict[str, int]},
        {"args": tuple[str, ...]},
    ],
)
def test_a_struct_that_differs_is_found_at_the_start(types: dict[str, Any]) -> None:
    with pytest.raises(WireMismatch):
        Wire([]).codec(label(**types), label_pb2.Label)


class Doctored:
    """A game with one of its types changed; everything else is the game's own."""

    def __init__(self, game: AnyGame, **changed: Any) -> None:
        self._game = game
        self._changed = changed

    def __getattr__(self, name: str) -> Any:
        return self._changed[name] if name in self._changed else getattr(self._game, name)


def without(of: type[msgspec.Struct], field: str) -> type[msgspec.Struct]:
    """The struct without a field."""
    kept = [(known.name, known.type) for known in msgspec.structs.fields(of) if known.name != field]
    return msgspec.defstruct(of.__name__, kept, frozen=True, tag=of.__struct_config__.tag)


def with_more(of: type[msgspec.Struct]) -> type[msgspec.Struct]:
    """The struct with a field more."""
    kept = [(known.name, known.type) for known in msgspec.structs.fields(of)]
    return msgspec.defstruct(of.__name__, [*kept, ("more", int)], frozen=True, tag=of.__struct_config__.tag)


def retagged(of: type[msgspec.Struct]) -> type[msgspec.Struct]:
    """The struct under another name."""
    kept = [(known.name, known.type) for known in msgspec.structs.fields(of)]
    return msgspec.defstruct(of.__name__, kept, frozen=True, tag="another")


@pytest.mark.parametrize("game", games(), ids=lambda game: game.game_type)
def test_a_game_that_differs_from_its_messages_is_found_at_the_start(game: AnyGame) -> None:
    """Each field of each type of each game, taken out; a field, a kind of move and of event too many."""
    doctored: list[tuple[str, AnyGame]] = []
    for name, attribute in (("GameOptions", "options"), ("View", "views")):
        of = getattr(game, attribute)
        doctored += [(name, Doctored(game, **{attribute: without(of, field)})) for field in of.__struct_fields__]  # type: ignore[misc]
        doctored.append((name, Doctored(game, **{attribute: with_more(of)})))  # type: ignore[arg-type]
    for name, attribute in (("Move", "moves"), ("Event", "events")):
        kinds = getattr(game, attribute)
        for i, of in enumerate(kinds):
            rest = (*kinds[:i], *kinds[i + 1 :])
            changed = [with_more(of), retagged(of), *(without(of, field) for field in of.__struct_fields__)]
            doctored += [(name, Doctored(game, **{attribute: (*rest, other)})) for other in changed]  # type: ignore[misc]
            if rest:
                doctored.append((name, Doctored(game, **{attribute: rest})))  # type: ignore[arg-type]
    assert len(doctored) > 10
    for name, other in doctored:
        with pytest.raises(WireMismatch):
            Wire([other]).codec(*ARMS[name])


def test_a_number_that_is_outside_its_names_is_malformed() -> None:
    """A card that there is not, a seat's enum that nobody knows: named, not passed on to the rules."""
    fields = [("key", str), ("points", Annotated[int, named(("a", "b"), 1)])]
    lettered = msgspec.defstruct("Share", fields, frozen=True)
    message = GetMessageClass(game_pb2.DESCRIPTOR.message_types_by_name["Share"])
    codec = Wire([]).codec(lettered, message)
    assert codec.decode(message(points=2), "") == lettered("", 2)
    for points in (0, 3, -1):
        with pytest.raises(Malformed) as refused:
            codec.decode(message(points=points), "line")
        assert refused.value.field == "line.points"
    reader = Wire([]).codec(resources.ListGamesRequest, game_service_pb2.ListGamesRequest)
    with pytest.raises(Malformed, match="state"):
        reader.decode(game_service_pb2.ListGamesRequest(state=77), "")  # type: ignore[arg-type]
