from __future__ import annotations

import pytest
from google.api.http_pb2 import HttpRule  # type: ignore[import-untyped]

from service import http_rules
from service.errors import Refusal
from service.http_rules import RouteTable, routes_of

from .example_service import example
from .fakes import SERVICE

GAMES = RouteTable(routes_of(SERVICE))
EXAMPLE = RouteTable(routes_of(example()))


def found(table: RouteTable, verb: str, path: str) -> tuple[str, dict[str, str]] | None:
    match = table.find(verb, path)
    return None if match is None else (match.route.rpc, match.fields)


def test_every_method_with_an_annotation_has_its_route() -> None:
    assert {route.rpc for route in GAMES.routes} == {method.name for method in SERVICE.methods}


@pytest.mark.parametrize(
    ("verb", "path", "expected"),
    [
        ("GET", "/v1/games", ("ListGames", {})),
        ("POST", "/v1/games", ("CreateGame", {})),
        ("POST", "/v1/commitments", ("CreateCommitment", {})),
        ("GET", "/v1/commitments", None),
        ("GET", "/v1/games/abc", ("GetGame", {"name": "games/abc"})),
        ("HEAD", "/v1/games/abc", ("GetGame", {"name": "games/abc"})),
        ("DELETE", "/v1/games/abc", ("DeleteGame", {"name": "games/abc"})),
        ("GET", "/v1/games/abc/view", ("GetView", {"name": "games/abc"})),
        ("POST", "/v1/games/abc:submitMove", ("SubmitMove", {"name": "games/abc"})),
        ("GET", "/v1/gameTypes/nana_toridori", ("GetGameType", {"name": "gameTypes/nana_toridori"})),
        ("GET", "/v1/games/a%20b", ("GetGame", {"name": "games/a b"})),
        ("GET", "/v1/games/a%3Ab", ("GetGame", {"name": "games/a:b"})),
        # An escaped slash stays escaped where the variable has slashes of its own.
        ("GET", "/v1/games/a%2Fview", ("GetGame", {"name": "games/a%2Fview"})),
        ("GET", "/v1/games/abc:submitMove", None),
        ("GET", "/v1/games/abc:nonsense", None),
        ("POST", "/v1/games/abc%3AsubmitMove", None),
        ("GET", "/v1/games/", None),
        ("GET", "/v1/games/abc/", None),
        ("GET", "/v1/Games", None),
        ("GET", "/v1/games/abc/view/more", None),
        ("GET", "//v1/games", None),
    ],
)
def test_paths(verb: str, path: str, expected: tuple[str, dict[str, str]] | None) -> None:
    assert found(GAMES, verb, path) == expected


@pytest.mark.parametrize(
    ("verb", "path", "expected"),
    [
        ("GET", "/v1/games/a", ("Plain", {"name": "games/a"})),
        ("POST", "/v1/old/a/b/c", ("Plain", {"name": "a/b/c"})),
        ("PURGE", "/v1/games/a", ("Plain", {"name": "games/a"})),
        ("POST", "/v1/games/a:verb", ("Verb", {"name": "games/a"})),
        ("POST", "/v1/games/a/seats/3:setController", ("Seat", {"name": "games/a", "seat": "3"})),
        ("GET", "/v1/games/a/inner/x%2Fy", ("Nested", {"inner.text": "x/y"})),
        ("GET", "/v1/games/a:watch", ("Watch", {"name": "games/a"})),
    ],
)
def test_rules_of_every_kind(verb: str, path: str, expected: tuple[str, dict[str, str]]) -> None:
    assert found(EXAMPLE, verb, path) == expected


def test_routes_know_their_body_their_binding_and_whether_they_stream() -> None:
    facts = [(r.rpc, r.verb, r.body, r.binding, r.streaming) for r in routes_of(example())]

    assert facts == [
        ("Plain", "GET", "", 0, False),
        ("Plain", "POST", "*", 1, False),
        ("Plain", "PURGE", "", 2, False),
        ("Verb", "POST", "inner", 0, False),
        ("Seat", "POST", "*", 0, False),
        ("Nested", "GET", "", 0, False),
        ("Watch", "GET", "", 0, True),
    ]


def test_the_methods_of_a_path() -> None:
    assert GAMES.allowed("/v1/games/abc") == ("DELETE", "GET", "HEAD")
    assert GAMES.allowed("/v1/games/abc:submitMove") == ("POST",)
    assert GAMES.allowed("/v1/nothing") == ()


def test_a_path_that_is_no_utf8_is_refused() -> None:
    with pytest.raises(Refusal, match="name: is not UTF-8"):
        GAMES.find("GET", "/v1/games/%ff")


@pytest.mark.parametrize(
    "rule",
    [
        HttpRule(get="v1/games"),
        HttpRule(get="/v1/{name"),
        HttpRule(get="/v1/{no_such_field}"),
        HttpRule(get="/v1/{texts}"),
        HttpRule(get="/v1/{name.deeper}"),
        HttpRule(post="/v1/games", body="no_such_field"),
        HttpRule(get="/v1/games", response_body="text"),
        HttpRule(body="*"),
    ],
)
def test_a_rule_that_makes_no_sense_stops_the_start(rule: object) -> None:
    with pytest.raises(ValueError, match=r"is no|needs a pattern"):
        http_rules._route(example().methods_by_name["Hidden"], rule, 0)
