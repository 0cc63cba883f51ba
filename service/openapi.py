"""The OpenAPI 3.1 document of the REST side, from the same routes that serve it: the two cannot drift apart."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import msgspec
from google.protobuf.descriptor import Descriptor, FieldDescriptor

from service.calls import OPEN, TICKETS
from service.http_rules import Route
from service.json_writer import is_map
from service.openapi_errors import error_responses, error_schemas, references
from service.openapi_schemas import Schemas, is_required
from service.rest_http import EVENTS, NDJSON, TICKET

COMMENTS = Path(__file__).with_name("openapi_comments.json")
"""The comments of the proto files by full name, which descriptors in Python do not carry; made by ``make protos``."""

_DISTRIBUTION = "rookery"
_TEXT_FORMS = ("google.protobuf.Duration", "google.protobuf.Timestamp", "google.protobuf.FieldMask")
_TEMPLATE_VARIABLE = re.compile(r"\{([a-z0-9_.]+)(?:=([^{}]+))?\}")
_VERBS = frozenset({"GET", "PUT", "POST", "DELETE", "PATCH"})
"""Those that OpenAPI has a place for."""

_SEGMENT = {"type": "string", "pattern": "^[^/:?#%]+$"}


def document(routes: tuple[Route, ...]) -> bytes:
    """The document as JSON; the same routes and comments give the same bytes."""
    schemas = Schemas(_comments(), tuple(route.request for route in routes))
    paths: dict[str, dict[str, Any]] = {}
    for route in (route for route in routes if route.verb in _VERBS):
        path, parameters = _path(route, schemas)
        paths.setdefault(path, {})[route.verb.lower()] = _operation(route, parameters, schemas)
    services = {route.method.containing_service.full_name: route.method.containing_service.name for route in routes}
    return msgspec.json.encode(
        {
            "openapi": "3.1.0",
            "info": {
                "title": "Rookery",
                "version": metadata.version(_DISTRIBUTION),
                "description": "\n\n".join(filter(None, map(schemas.comment, services))),
                "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
            },
            "servers": [{"url": "/"}],
            "tags": [{"name": name} for name in services.values()],
            "security": [{"bearer": []}],
            "paths": paths,
            "components": {
                "schemas": dict(sorted({**schemas.components, **error_schemas()}.items())),
                "responses": error_responses(),
                "parameters": _HEADERS,
                "securitySchemes": {"bearer": _BEARER, "ticket": _TICKET},
            },
        }
    )


def _comments() -> dict[str, str]:
    found: dict[str, str] = json.loads(COMMENTS.read_text(encoding="utf-8"))
    return found


def _operation(route: Route, parameters: list[dict[str, Any]], schemas: Schemas) -> dict[str, Any]:
    summary, _, text = schemas.comment(route.method.full_name).partition("\n\n")
    operation: dict[str, Any] = {
        "operationId": _operation_id(route),
        "tags": [route.method.containing_service.name],
        "summary": summary or route.rpc,
        "parameters": parameters + _query(route, schemas) + _header_parameters(route),
        "responses": _responses(route, schemas),
    }
    if text:
        operation["description"] = text
    if route.body:
        operation["requestBody"] = _body(route, schemas)
    if route.rpc in OPEN:
        operation["security"] = []
    if route.rpc in TICKETS:
        operation["security"] = [{"bearer": []}, {"ticket": []}]
    return operation


def _operation_id(route: Route) -> str:
    number = str(route.binding + 1) if route.binding else ""
    return route.rpc[0].lower() + route.rpc[1:] + number


def _path(route: Route, schemas: Schemas) -> tuple[str, list[dict[str, Any]]]:
    """The template as OpenAPI writes it, and the parameters in it: ``{name=games/*}`` becomes ``games/{game}``."""
    flat = _TEMPLATE_VARIABLE.sub(lambda found: found[2] or found[0], route.template)
    segments: list[str] = []
    parameters: list[dict[str, Any]] = []
    for segment in flat.split("/"):
        core, colon, verb = segment.partition(":")
        if core.startswith("*"):
            collection = segments[-1]
            parameters.append(
                _parameter(collection.removesuffix("s"), "path", _SEGMENT, f"What follows {collection}/.")
            )
        elif core.startswith("{"):
            parameters.append(_bound_parameter(_field(route.request, core.strip("{}")), schemas))
        else:
            segments.append(segment)
            continue
        segments.append(f"{{{parameters[-1]['name']}}}{colon}{verb}")
    return "/".join(segments), parameters


def _bound_parameter(field: FieldDescriptor, schemas: Schemas) -> dict[str, Any]:
    """A parameter that is a whole segment of the path."""
    schema = _SEGMENT if field.type == FieldDescriptor.TYPE_STRING else schemas.field(field, described=False)
    return _parameter(field.json_name, "path", schema, schemas.comment(field.full_name))


def _query(route: Route, schemas: Schemas) -> list[dict[str, Any]]:
    """The request's fields that neither the path nor the body holds, those of its messages with dotted names."""
    if route.body == "*":
        return []
    taken = {variable.field for variable in route.variables} | {route.body}
    return list(_query_fields(route.request, "", "", taken, schemas))


def _query_fields(
    message: Descriptor, path: str, shown: str, taken: set[str], schemas: Schemas, above: tuple[Descriptor, ...] = ()
) -> Iterator[dict[str, Any]]:
    """Parameters of a message's fields. A message that holds itself is gone into once."""
    for field in message.fields:
        here, name = f"{path}{field.name}", f"{shown}{field.json_name}"
        held = field.message_type
        if here in taken or is_map(field):
            continue
        if held is None or held.full_name in _TEXT_FORMS:
            schema = schemas.field(field, described=False)
            text = schemas.comment(field.full_name)
            yield _parameter(name, "query", schema, text, required=is_required(field))
        elif not (field.is_repeated or held.full_name.startswith("google.protobuf.") or held in (*above, message)):
            yield from _query_fields(held, f"{here}.", f"{name}.", taken, schemas, (*above, message))


def _body(route: Route, schemas: Schemas) -> dict[str, Any]:
    bound = frozenset(variable.field for variable in route.variables)
    if route.body == "*":
        schema = schemas.message(route.request, without=bound)
        fields = [field for field in route.request.fields if field.name not in bound]
    else:
        fields = [route.request.fields_by_name[route.body]]
        schema = schemas.field(fields[0])
    return {"required": any(map(is_required, fields)), "content": {"application/json": {"schema": schema}}}


def _responses(route: Route, schemas: Schemas) -> dict[str, Any]:
    success: dict[str, Any] = {
        "description": schemas.comment(route.response.full_name) or route.response.name,
        "content": _content(route, schemas),
    }
    found: dict[str, Any] = {"200": success}
    if _has_tag(route):
        success["headers"] = {"ETag": {"schema": {"type": "string"}}}
        found["304"] = {"description": "Nothing has changed since the version that `If-None-Match` names."}
    return found | references()


def _content(route: Route, schemas: Schemas) -> dict[str, Any]:
    schema = schemas.message(route.response)
    if not route.streaming:
        return {"application/json": {"schema": schema}}
    events = {"type": "string", "description": "Events named after the arms of the message, with the arm as data."}
    return {NDJSON: {"schema": schema}, EVENTS: {"schema": events}}


def _has_tag(route: Route) -> bool:
    return route.verb == "GET" and "etag" in route.response.fields_by_name


def _header_parameters(route: Route) -> list[dict[str, Any]]:
    names = ["IfNoneMatch"] if _has_tag(route) else []
    names += ["IdempotencyKey"] if "request_id" in route.request.fields_by_name else []
    names += ["LastEventId"] if route.streaming else []
    return [{"$ref": f"#/components/parameters/{name}"} for name in names]


def _parameter(name: str, place: str, schema: dict[str, Any], text: str, *, required: bool = False) -> dict[str, Any]:
    found = {"name": name, "in": place, "required": required or place == "path", "schema": schema}
    return {**found, "description": text} if text else found


def _field(message: Descriptor, path: str) -> FieldDescriptor:
    *outer, last = path.split(".")
    for name in outer:
        held = message.fields_by_name[name].message_type
        assert held is not None  # noqa: S101 - for the type checker: the route was checked
        message = held
    return message.fields_by_name[last]


_BEARER = {
    "type": "http",
    "scheme": "bearer",
    "description": "A platform key, a seat token or a spectator token. It stands here and nowhere else.",
}

_TICKET = {
    "type": "apiKey",
    "in": "query",
    "name": TICKET,
    "description": "What IssueTicket gives: good for one stream, within a minute.",
}

_HEADERS: dict[str, Any] = {
    "LastEventId": {
        "name": "Last-Event-ID",
        "in": "header",
        "schema": {"type": "string"},
        "description": "The id of the last event that was heard: the stream goes on behind it.",
    },
    "IdempotencyKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "schema": {"type": "string", "format": "uuid"},
        "description": "The same as `requestId` in the body: the same request with the same key is done once.",
    },
    "IfNoneMatch": {
        "name": "If-None-Match",
        "in": "header",
        "schema": {"type": "string"},
        "description": "The `ETag` of an earlier answer: 304 if it would be the same again.",
    },
}
