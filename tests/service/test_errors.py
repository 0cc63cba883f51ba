"""Every refusal is typed, the same on every transport; a bug inside says nothing but that it is one."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import grpc
import httpx
import pytest

from service.app import App
from service.errors import TABLE, Code, Reason, Refusal
from tests.service.client import WAYS, Client, Refused, transport_of, until_done
from tests.service.house import house
from tests.service.live import body
from tests.service.players import Table, refused
from tests.service.pledge import PledgeGame, State
from tests.service.store.harness import Server as StoreServer

# The table of the contract, row by row; some of it is for methods still to come.
CONTRACT = {
    ("INVALID_ARGUMENT", 400): "MALFORMED_REQUEST MALFORMED_MOVE UNKNOWN_FIELD INVALID_OPTIONS REQUEST_ID_REUSED",
    (
        "FAILED_PRECONDITION",
        400,
    ): "ILLEGAL_MOVE NOT_YOUR_DECISION SEAT_RESIGNED DECISION_ALREADY_ANSWERED GAME_OVER GAME_ABORTED"
    " UNDO_BLOCKED COMMITMENT_USED RULES_VERSION_UNSUPPORTED",
    ("ABORTED", 409): "DECISION_STALE VERSION_MISMATCH VERSION_AHEAD SUPERSEDED CURSOR_EXPIRED",
    ("NOT_FOUND", 404): "GAME_NOT_FOUND GAME_TYPE_NOT_FOUND COMMITMENT_NOT_FOUND",
    ("UNIMPLEMENTED", 404): "METHOD_NOT_FOUND",
    ("UNAUTHENTICATED", 401): "TOKEN_MISSING TOKEN_INVALID TOKEN_EXPIRED TOKEN_REVOKED",
    ("PERMISSION_DENIED", 403): "TOKEN_WRONG_GAME SEAT_FORBIDDEN SPECTATORS_OFF SCOPE_MISSING",
    ("RESOURCE_EXHAUSTED", 429): "RATE_LIMITED TOO_MANY_STREAMS PAYLOAD_TOO_LARGE",
    ("UNAVAILABLE", 503): "STORE_UNAVAILABLE STORE_CONTENTION DRAINING",
    ("INTERNAL", 500): "INTERNAL",
}
STATUS = {reason: status for status, reasons in CONTRACT.items() for reason in reasons.split()}
SECRET = "the bank holds 4711 and seat 2 pledged 3"


def test_the_table_is_the_contracts() -> None:
    assert TABLE.keys() == set(Reason)
    assert [reason for reason in Reason if reason.name != reason.value] == []
    for reason, (code, http) in TABLE.items():
        assert (code.name, http) == STATUS[reason.value]
    for code in Code:
        assert grpc.StatusCode[code.name].value[0] == code.value


REFUSALS = [
    *(Refusal(reason, f"text of {reason}") for reason in Reason),
    Refusal(Reason.DECISION_STALE, "metadata", metadata={"current_version": "7"}),
    Refusal(Reason.MALFORMED_MOVE, "fields", violations=(("move", "is none"), ("seat", "ä"))),
    Refusal(Reason.ILLEGAL_MOVE, "a clause", clause="3.2", subject="pledge"),
    Refusal(Reason.ILLEGAL_MOVE, "no clause", subject="pledge"),
    Refusal(Reason.STORE_CONTENTION, "wait a moment", retry_after=0.1),
    Refusal(Reason.DRAINING, "wait", retry_after=1),
    Refusal(Reason.INTERNAL, "Umlaute äöü, 日本語, a %, a\ttab"),
]


@pytest.mark.parametrize("way", WAYS)
async def test_every_refusal_on_every_transport(way: str, store_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Refusal] = []

    async def no(self: App, caller: object, request: object) -> None:
        raise asked[-1]

    monkeypatch.setattr(App, "get_game", no)
    async with house(store_url, [PledgeGame()], transport=transport_of(way)) as home, Client(way, home) as client:
        for refusal in REFUSALS:
            asked.append(refusal)
            told = await refused(client, "GetGame", home.key, name=f"games/{'a' * 26}")
            code, http = STATUS[refusal.reason]
            assert (told.code, told.http or http, told.reason) == (code, http, refusal.reason)
            assert told.message == refusal.message
            assert told.metadata == refusal.metadata
            assert told.fields == [field for field, _ in refusal.violations]
            kinds = sorted(detail["@type"].rpartition(".")[2] for detail in told.details)
            assert kinds == sorted(
                ["ErrorInfo"]
                + ["BadRequest"] * bool(refusal.violations)
                + ["PreconditionFailure"] * bool(refusal.subject)
                + ["RetryInfo"] * (refusal.retry_after is not None)
            )
        broken = await precondition(client, home.key, asked)
        assert broken == {"type": "RULE", "subject": "pledge#3.2", "description": "a clause"}


async def precondition(client: Client, key: str, asked: list[Refusal]) -> Any:
    asked.append(next(refusal for refusal in REFUSALS if refusal.clause))
    told = await refused(client, "GetGame", key, name=f"games/{'a' * 26}")
    (violation,) = (told.detail("PreconditionFailure") or {})["violations"]
    return violation


@pytest.mark.parametrize("way", WAYS)
async def test_an_offer_that_there_is_not_breaks_no_clause(way: str, store_url: str) -> None:
    """And still has the detail that every illegal move has."""
    async with house(store_url, [PledgeGame()], transport=transport_of(way)) as home, Client(way, home) as client:
        table = await Table.deal(client, home.key, "pledge", 3)
        seat = table.awaiting[0]
        decision = (await table.view(seat))["decision"]["decisionId"]
        answer = {"name": table.name, "decisionId": decision, "offerId": "nonsense"}
        told = await refused(client, "SubmitMove", table.tokens[seat], **answer)
        said = "answer: there is no such offer"
        assert (told.reason, told.message) == ("ILLEGAL_MOVE", said)
        broken = {"type": "OFFER", "subject": "pledge", "description": said}
        assert told.detail("PreconditionFailure") == {
            "@type": "type.googleapis.com/google.rpc.PreconditionFailure",
            "violations": [broken],
        }


@pytest.mark.parametrize("way", WAYS[1:])
async def test_a_method_that_there_is_not(way: str, store_url: str) -> None:
    async with house(store_url, [PledgeGame()], transport=way) as home, grpc.aio.insecure_channel(home.grpc) as channel:
        for path in ("/rookery.v1.GameService/CheatABit", "/rookery.v1.Nothing/GetGame", "/a/b"):
            with pytest.raises(grpc.aio.AioRpcError) as error:
                await channel.unary_unary(path, bytes, bytes)(b"")
            assert error.value.code() is grpc.StatusCode.UNIMPLEMENTED
            assert b"METHOD_NOT_FOUND" in dict(error.value.trailing_metadata() or ())["grpc-status-details-bin"]
            # A stream hears it before it says anything: so clients of reflection find the older version of it.
            stream = channel.stream_stream("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", bytes, bytes)()
            assert await stream.code() is grpc.StatusCode.UNIMPLEMENTED


async def test_a_path_that_there_is_not(store_url: str) -> None:
    async with house(store_url, [PledgeGame()]) as home, home.rest() as rest:
        for verb, path, code in (("GET", "nothing", 404), ("PUT", "games", 405), ("POST", "games/x:cheat", 404)):
            answer = await rest.request(verb, path)
            (info,) = answer.json()["error"]["details"]
            assert (answer.status_code, info["reason"]) == (code, "METHOD_NOT_FOUND")


# A bug inside


class OddError(Exception):
    """An error whose very text cannot be made."""

    def __str__(self) -> str:
        raise RuntimeError(SECRET)


BUGS: dict[str, Callable[[], BaseException]] = {
    "value": lambda: ValueError(SECRET),
    "key": lambda: KeyError(SECRET),
    "assertion": lambda: AssertionError(SECRET),
    "recursion": lambda: RecursionError(SECRET),
    "memory": lambda: MemoryError(SECRET),
    "stop": lambda: StopIteration(SECRET),
    "group": lambda: ExceptionGroup(SECRET, [ValueError(SECRET)]),
    "odd": OddError,
    "unicode": lambda: UnicodeDecodeError("utf-8", SECRET.encode(), 0, 1, SECRET),
    "timeout": lambda: TimeoutError(SECRET),
    "os": lambda: OSError(5, SECRET, SECRET),
}


class Buggy(PledgeGame):
    """Pledge that breaks where it is told to."""

    def __init__(self) -> None:
        self.breaks = ""
        self.bug = "value"

    def _maybe(self, where: str) -> None:
        if self.breaks == where:
            raise self._bug_of_today()

    def _bug_of_today(self) -> BaseException:
        return BUGS[self.bug]()

    def apply(self, state: State, seat: int, move: Any, rng: Any) -> Any:
        self._maybe("apply")
        step = super().apply(state, seat, move, rng)
        return (SECRET, step) if self.breaks == "step" else step

    def legal_moves(self, state: State, seat: int) -> Any:
        self._maybe("legal_moves")
        return super().legal_moves(state, seat)

    def view(self, state: State, seat: int | None) -> Any:
        self._maybe("view")
        shown = super().view(state, seat)
        # Encoding is where this one breaks.
        return (SECRET, shown) if self.breaks == "shown" else shown

    def setup(self, options: Any, seats: int, rng: Any) -> State:
        self._maybe("setup")
        return super().setup(options, seats, rng)


PLACES = {
    "setup": "CreateGame",
    "apply": "SubmitMove",
    "step": "SubmitMove",
    "legal_moves": "GetView",
    "view": "GetView",
    "shown": "GetView",
}


@pytest.mark.parametrize("way", WAYS)
async def test_a_bug_tells_nobody_what_it_saw(way: str, store_url: str, capfd: pytest.CaptureFixture[str]) -> None:
    game = Buggy()
    told: list[Refused] = []
    async with house(store_url, [game], transport=transport_of(way)) as home, Client(way, home) as client:
        table = await Table.deal(client, home.key, "pledge", 3)
        # Peeking has put a secret of the state into the memory of the service.
        await table.submit(0, (await table.view(0))["decision"]["decisionId"], "peek")
        decision = (await table.view(1))["decision"]["decisionId"]
        requests: dict[str, dict[str, Any]] = {
            "CreateGame": body(3, "pledge"),
            "GetView": {"name": table.name},
            "SubmitMove": {"name": table.name, "decisionId": decision, "offerId": "pledge:1"},
        }
        before = await client.call("GetView", table.tokens[1], name=table.name)
        for where, rpc in PLACES.items():
            # Another seat, whose legal moves are not known yet.
            seat = 2 if where == "legal_moves" else 1
            for game.bug in BUGS if where in ("apply", "view") else ("value",):
                game.breaks = where
                token = home.key if rpc == "CreateGame" else table.tokens[seat]
                told.append(await refused(client, rpc, token, **requests[rpc]))
                game.breaks = ""
        # Nothing happened, and nothing is stuck.
        assert await client.call("GetView", table.tokens[1], name=table.name) == before
        done = await client.call("SubmitMove", table.tokens[1], **requests["SubmitMove"])
        assert (done["committedVersion"], done["replayed"]) == (3, False)
    for no in told:
        assert (no.code, no.reason, no.http or 500) == ("INTERNAL", "INTERNAL", 500)
        assert len(no.details) == 1
    assert len({no.message for no in told}) == 1
    captured = capfd.readouterr()
    log = home.log.getvalue()
    for text in (*(no.whole for no in told), log, captured.out, captured.err):
        for word in ("4711", "pledged 3", "Traceback", "/service/", ".py"):
            assert word not in text, (word, text)
    lines = [json.loads(line) for line in log.splitlines() if '"reason":"INTERNAL"' in line]
    assert len(lines) == len(told)
    # The kind of bug and its place are for whoever has to mend it.
    assert all(line["level"] == "error" and " at " in line["bug"] for line in lines)
    assert any("Buggy.apply" in line["bug"] or "Buggy._maybe" in line["bug"] for line in lines)


# The store


@pytest.mark.parametrize("way", WAYS)
async def test_a_store_that_is_gone_is_said_to_be_and_comes_back(way: str) -> None:
    with StoreServer("--appendfsync", "always") as server:
        async with house(server.url, [PledgeGame()], transport=transport_of(way)) as home, Client(way, home) as client:
            table = await Table.deal(client, home.key, "pledge", 3)
            decision = (await table.view(0))["decision"]["decisionId"]
            mine = {"name": table.name, "decisionId": decision, "offerId": "pledge:1"}
            server.end()
            calls: tuple[tuple[str, str, dict[str, Any]], ...] = (
                ("CreateGame", home.key, body(3, "pledge")),
                ("GetGame", home.key, {"name": table.name}),
                ("ListGames", home.key, {}),
                ("GetView", table.tokens[0], {"name": table.name}),
                ("GetView", table.tokens[0], {"name": table.name, "newerThan": 1, "wait": "30s"}),
                ("SubmitMove", table.tokens[0], mine),
                ("IssueTokens", home.key, {"name": table.name, "seats": [0], "revoke": True}),
                ("AbortGame", home.key, {"name": table.name}),
                ("DeleteGame", home.key, {"name": table.name}),
            )
            answers = await asyncio.gather(*(refused(client, rpc, token, **request) for rpc, token, request in calls))
            for (rpc, *_), no in zip(calls, answers, strict=True):
                assert (no.code, no.reason, no.http or 503) == ("UNAVAILABLE", "STORE_UNAVAILABLE", 503), rpc
                assert float((no.detail("RetryInfo") or {})["retryDelay"].rstrip("s")) > 0
                assert str(server.socket) not in no.whole
            # What needs no store is answered.
            assert (await client.call("ListGameTypes", None))["gameTypes"]
            server.start()
            done = await until_done(client, "SubmitMove", table.tokens[0], **mine)
            assert (done["committedVersion"], done["replayed"]) == (2, False)


async def test_retry_after_in_http(store_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def no(self: App, caller: object, request: object) -> None:
        raise Refusal(Reason.STORE_CONTENTION, "soon", retry_after=0.1)

    monkeypatch.setattr(App, "get_game", no)
    async with house(store_url, [PledgeGame()]) as home, home.rest() as rest:
        answer: httpx.Response = await rest.get(f"games/{'a' * 26}")
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
