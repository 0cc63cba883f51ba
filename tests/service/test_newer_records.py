"""What a newer release wrote is refused and left alone: a field that is not known must not be lost by the next move."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
import redis.asyncio

from service.errors import Reason, Refusal
from service.records import Batch, Live, Meta, Notice, Secrets, decode, encode
from tests.service.clocks.rounds import SECOND, Rounds, rounds
from tests.service.players import Table, refused
from tests.service.store.harness import Server

NEWER: dict[str, Callable[[list[Any]], object]] = {
    "meta": lambda record: record.append("new"),
    "meta, a seat": lambda record: record[3][1].append("new"),
    "meta, the clock": lambda record: record[14].append("new"),
    "live": lambda record: record.append("new"),
    "live, a time": lambda record: record[5][0].append("new"),
}
WHOLE: dict[str, dict[str, Any]] = {
    "GetGame": {},
    "GetView": {"seat": 0},
    "SubmitMove": {"seat": 0, "decisionId": "a", "offerId": "pass"},
    "UndoMove": {"seat": 0, "toVersion": 1},
    "SetSeatController": {"controller": "CONTROLLER_BOT"},
    "IssueTokens": {"seats": [0], "revoke": True},
    "ForkGame": {"spectator": True},
    "GetFairness": {},
    "ExportGame": {},
    "ListEvents": {"seat": 0},
    "AbortGame": {},
}


@pytest.fixture(scope="module")
def own_url() -> Iterator[str]:
    """A store for these tests: a sweeper looks at every game that it finds."""
    with Server() as server:
        yield server.url


def by_a_newer_release(blob: bytes, change: Callable[[list[Any]], object]) -> bytes:
    """The record with what is not known here."""
    record = msgspec.msgpack.decode(blob[1:])
    change(record)
    return blob[:1] + msgspec.msgpack.encode(record)


def key_of(table: Table, part: str) -> str:
    game = table.name.removeprefix("games/")
    return f"rookery:test:{{{game[0]}}}:{game}:{part}"


async def no(made: Rounds, table: Table, rpc: str, more: dict[str, Any]) -> str:
    name = f"{table.name}/seats/0" if rpc == "SetSeatController" else table.name
    return (await refused(made.client, rpc, made.home.key, name=name, **more)).reason


@pytest.mark.parametrize("where", NEWER)
async def test_a_record_with_more_fields_is_refused_and_left_alone(where: str, own_url: str) -> None:
    async with rounds(own_url) as made, redis.asyncio.Redis.from_url(own_url) as admin:
        table = await made.deal("sevens", clock=SECOND)
        key, field = key_of(table, "game"), where.partition(",")[0]
        blob = await admin.hget(key, field)
        assert isinstance(blob, bytes)
        await admin.hset(key, mapping={field: by_a_newer_release(blob, NEWER[where]), "mark": b"by the newer one"})
        before = await admin.hgetall(key)
        for rpc, more in WHOLE.items():
            assert await no(made, table, rpc, more) == "RULES_VERSION_UNSUPPORTED", rpc
        await made.look()
        assert [why for _, why in made.told] == ["RULES_VERSION_UNSUPPORTED"]
        assert await admin.hgetall(key) == before
        # A release that knows it goes on.
        await admin.hset(key, field, blob)
        assert await table.move()


async def test_a_log_entry_with_more_fields_is_refused_where_it_is_needed(own_url: str) -> None:
    async with rounds(own_url) as made, redis.asyncio.Redis.from_url(own_url) as admin:
        table = await made.deal("sevens")
        assert await table.move()
        log = key_of(table, "log")
        entries: Any = await admin.xrange(log)
        first, second = (fields[b"b"] for _, fields in entries)
        # An entry cannot be changed, so the log is made anew.
        await admin.delete(log)
        await admin.xadd(log, {"b": first}, id="1-0")
        await admin.xadd(log, {"b": by_a_newer_release(second, lambda record: record.append("new"))}, id="2-0")
        for rpc, more in {
            "ListEvents": {"seat": 0},
            "GetView": {"seat": 0, "version": 2},
            "ExportGame": {},
        }.items():
            assert await no(made, table, rpc, more) == "RULES_VERSION_UNSUPPORTED", rpc


@pytest.mark.parametrize("record", [Live(1, 0, 0, (), b""), Batch(0), Secrets(b"", b"")])
def test_a_record_of_another_form_is_a_newer_one_and_other_bytes_are_none(record: Any) -> None:
    kind, whole = type(record), encode(record)
    assert decode(kind, whole) == record
    for newer in (by_a_newer_release(whole, lambda fields: fields.append(0)), b"\x02" + whole[1:]):
        with pytest.raises(Refusal) as refusal:
            decode(kind, newer)
        assert refusal.value.reason is Reason.RULES_VERSION_UNSUPPORTED
    for torn in (b"", whole[:-1], b"\x01nonsense", whole + b"\x00"):
        with pytest.raises(Refusal) as refusal:
            decode(kind, torn)
        assert refusal.value.reason is Reason.INTERNAL


def test_a_notice_is_only_read_so_it_may_say_more() -> None:
    notice = Notice("a" * 26, 2, 1)
    assert decode(Notice, by_a_newer_release(encode(notice), lambda fields: fields.append("new"))) == notice


def test_every_record_that_is_written_back_refuses_what_it_does_not_know() -> None:
    def parts(kind: Any) -> set[Any]:
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            return {kind}.union(*(parts(field.type) for field in msgspec.structs.fields(kind)))
        return set().union(*(parts(part) for part in getattr(kind, "__args__", ())))

    for kind in set().union(*map(parts, (Meta, Live, Batch, Secrets))):
        assert kind.__struct_config__.forbid_unknown_fields, kind
