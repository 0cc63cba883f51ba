from __future__ import annotations

import json
from typing import Any

import httpx
import jsonschema  # type: ignore[import-untyped]
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from rookery.v1 import game_pb2, game_service_pb2, view_pb2
from service.errors import TABLE, Reason, Refusal
from service.http_rules import routes_of
from service.json_codec import write_json
from service.openapi import COMMENTS, document
from tests.tools.comments import collect, render

from .example_service import example
from .fakes import SERVICE, FakeHandler, app_of, client_of
from .random_messages import messages

DOCUMENT: dict[str, Any] = json.loads(document(routes_of(SERVICE)))


def schema_of(name: str) -> Draft202012Validator:
    """A validator of one component, with all the others to refer to."""
    return Draft202012Validator({"$ref": f"#/components/schemas/{name}", "components": DOCUMENT["components"]})


@pytest.mark.parametrize("service", [SERVICE, example()], ids=["games", "example"])
def test_the_document_is_valid_and_always_the_same(service: Any) -> None:
    once, again = document(routes_of(service)), document(routes_of(service))

    validate(json.loads(once))
    assert once == again


def test_every_route_is_in_it_under_a_name_of_its_own() -> None:
    operations = [operation for path in DOCUMENT["paths"].values() for operation in path.values()]
    ids = [operation["operationId"] for operation in operations]

    assert sorted(ids) == sorted(method.name[0].lower() + method.name[1:] for method in SERVICE.methods)
    assert all(operation["summary"] for operation in operations)
    assert DOCUMENT["info"]["version"]


def test_paths_name_their_ids() -> None:
    submit = DOCUMENT["paths"]["/v1/games/{game}:submitMove"]["post"]

    assert [p.get("name", p.get("$ref")) for p in submit["parameters"]] == [
        "game",
        "#/components/parameters/IdempotencyKey",
    ]
    assert submit["requestBody"]["required"] is True
    body = DOCUMENT["components"]["schemas"]["SubmitMoveRequest"]
    assert "name" not in body["properties"]
    assert body["required"] == ["decisionId"]
    assert "At most one of `move`, `offerId`." in body["description"]


def test_queries_and_conditions_are_told() -> None:
    view = DOCUMENT["paths"]["/v1/games/{game}/view"]["get"]
    names = [parameter.get("name", parameter.get("$ref")) for parameter in view["parameters"]]

    own = ["game", "seat", "spectator", "newerThan", "version", "wait", "parts"]
    assert names == [*own, "#/components/parameters/IfNoneMatch"]
    assert "304" in view["responses"]
    assert "ETag" in view["responses"]["200"]["headers"]


def test_streams_are_told_in_both_forms() -> None:
    watch = DOCUMENT["paths"]["/v1/games/{game}:watch"]["get"]
    names = [parameter.get("name", parameter.get("$ref")) for parameter in watch["parameters"]]
    content = watch["responses"]["200"]["content"]

    own = ["game", "seat", "spectator", "afterVersion", "clientId", "parts"]
    assert names == [*own, "#/components/parameters/LastEventId"]
    assert content["application/x-ndjson"] == {"schema": {"$ref": "#/components/schemas/WatchGameResponse"}}
    assert content["text/event-stream"]["schema"]["type"] == "string"
    assert watch["security"] == [{"bearer": []}, {"ticket": []}]
    updates = DOCUMENT["paths"]["/v1/updates:watch"]["get"]
    assert [parameter.get("name") for parameter in updates["parameters"]] == ["cursor", None]
    assert "security" not in updates


def test_every_status_of_the_table_is_told() -> None:
    statuses = {str(status.http) for status in TABLE.values()}

    for path in DOCUMENT["paths"].values():
        for operation in path.values():
            assert statuses < set(operation["responses"])
    responses = DOCUMENT["components"]["responses"]
    assert all(reason in responses[f"Error{status.http}"]["description"] for reason, status in TABLE.items())


def test_only_what_needs_no_credential_is_public() -> None:
    public = [
        op["operationId"] for path in DOCUMENT["paths"].values() for op in path.values() if op.get("security") == []
    ]

    assert sorted(public) == ["getGameType", "listGameTypes"]


def test_comments_of_the_protos_are_the_descriptions() -> None:
    schemas = DOCUMENT["components"]["schemas"]

    assert schemas["View"]["properties"]["etag"]["description"].startswith("Changes with the version")
    assert "`GAME_STATE_ACTIVE`: Somebody owes an answer." in schemas["GameState"]["description"]
    assert "buf:lint" not in json.dumps(DOCUMENT)


def test_the_committed_comments_are_those_of_the_protos() -> None:
    assert COMMENTS.read_text(encoding="utf-8") == render(collect()), "run: python -m tests.tools.comments"


relaxed = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None)
MESSAGES: list[tuple[str, Any]] = [
    ("View", view_pb2.View),
    ("Game", game_pb2.Game),
    ("CreateGameResponse", game_service_pb2.CreateGameResponse),
    ("SubmitMoveResponse", game_service_pb2.SubmitMoveResponse),
]


@given(st.sampled_from(MESSAGES).flatmap(lambda pair: st.tuples(st.just(pair[0]), messages(pair[1].DESCRIPTOR))))
@settings(relaxed, max_examples=150)
def test_whatever_is_answered_fits_its_schema(case: tuple[str, Any]) -> None:
    name, message = case

    schema_of(name).validate(json.loads(write_json(message)))


@given(messages(game_service_pb2.CreateGameRequest.DESCRIPTOR))
@settings(relaxed, max_examples=100)
def test_whatever_can_be_asked_fits_its_schema(message: Any) -> None:
    schema_of("CreateGameRequest").validate(json.loads(write_json(message)))


async def test_errors_fit_their_schema() -> None:
    async def act(*_: object) -> None:
        raise Refusal(Reason.ILLEGAL_MOVE, "no", clause="3.2", violations=(("move", "no"),), retry_after=1.5)

    async with client_of(app_of(FakeHandler(act))) as client:
        for answer in (await client.get("/v1/games/a/view"), await client.get("/v1/games/a/view?x=1")):
            schema_of("Error").validate(answer.json())
    with pytest.raises(jsonschema.ValidationError):
        schema_of("Error").validate({"error": {"code": 400, "message": "no", "status": "OK", "details": []}})


async def test_it_is_served_with_an_entity_tag(client: httpx.AsyncClient) -> None:
    answer = await client.get("/v1/openapi.json")

    assert answer.json() == json.loads(document(routes_of(SERVICE)))
    again = await client.get("/v1/openapi.json", headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
