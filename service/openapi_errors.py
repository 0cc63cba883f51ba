"""The error answers of the OpenAPI document, from the one table of refusals."""

from __future__ import annotations

from typing import Any

from service.errors import TABLE, Code
from service.status import DOMAIN

_OF_HTTP = {
    405: "The path does not know the method (METHOD_NOT_FOUND).",
    408: "The body did not come in time (MALFORMED_REQUEST).",
    415: "The body is not `application/json` in UTF-8 (MALFORMED_REQUEST).",
}
_TYPE = "type.googleapis.com/google.rpc."
_TEXT = {"type": "string"}


def error_responses() -> dict[str, Any]:
    """``components.responses``: one per HTTP status, with the reasons that it can have."""
    reasons: dict[int, list[str]] = {}
    for reason, status in TABLE.items():
        reasons.setdefault(status.http, []).append(reason.value)
    texts = {http: f"Refused: {', '.join(names)}." for http, names in reasons.items()} | _OF_HTTP
    responses = {f"Error{http}": _response(text, _headers(http)) for http, text in sorted(texts.items())}
    return responses | {"Error": _response("Any other refusal.", {})}


def references() -> dict[str, Any]:
    """What every operation can answer beside its success."""
    statuses = sorted({status.http for status in TABLE.values()} | set(_OF_HTTP))
    found = {str(http): {"$ref": f"#/components/responses/Error{http}"} for http in statuses}
    return found | {"default": {"$ref": "#/components/responses/Error"}}


def error_schemas() -> dict[str, Any]:
    """``components.schemas`` of the error body (AIP-193)."""
    error = _object(
        {
            "code": {"type": "integer", "description": "The HTTP status."},
            "message": {**_TEXT, "description": "For people; programs read the reason."},
            "status": {**_TEXT, "enum": [code.name for code in Code], "description": "The gRPC status."},
            "details": {
                "type": "array",
                "items": {"anyOf": [{"$ref": f"#/components/schemas/{name}"} for name in _details()]},
                "description": "Exactly one ErrorInfo, and whatever else there is to say.",
            },
        }
    )
    return {"Error": _object({"error": error}), **_details()}


def _details() -> dict[str, Any]:
    violation = {"field": _TEXT, "description": _TEXT}
    precondition = {"type": _TEXT, "subject": _TEXT, "description": _TEXT}
    reason = {**_TEXT, "description": f"One of {', '.join(TABLE)}. More may come."}
    return {
        "ErrorInfo": _detail(
            "ErrorInfo",
            {
                "reason": reason,
                "domain": {**_TEXT, "const": DOMAIN},
                "metadata": {"type": "object", "additionalProperties": _TEXT},
            },
            ["reason", "domain"],
        ),
        "BadRequest": _detail("BadRequest", {"fieldViolations": _list(violation)}, ["fieldViolations"]),
        "PreconditionFailure": _detail("PreconditionFailure", {"violations": _list(precondition)}, ["violations"]),
        "RetryInfo": _detail("RetryInfo", {"retryDelay": {**_TEXT, "pattern": r"^[0-9.]+s$"}}, ["retryDelay"]),
    }


def _detail(name: str, properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    kind = {**_TEXT, "const": f"{_TYPE}{name}"}
    return {"type": "object", "properties": {"@type": kind, **properties}, "required": ["@type", *required]}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _list(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "object", "properties": properties}}


def _headers(http: int) -> dict[str, Any]:
    if http == 401:
        return {"WWW-Authenticate": {"schema": _TEXT, "description": "`Bearer`."}}
    if http == 405:
        return {"Allow": {"schema": _TEXT, "description": "The methods that the path knows."}}
    if http in (429, 503):
        return {"Retry-After": {"schema": {"type": "integer", "minimum": 1}, "description": "Seconds."}}
    return {}


def _response(text: str, headers: dict[str, Any]) -> dict[str, Any]:
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    return {"description": text, **({"headers": headers} if headers else {}), "content": content}
