"""The OpenAPI document of the REST side, from the routes that serve it."""

from __future__ import annotations

import msgspec

from service.http_rules import Route


def document(routes: tuple[Route, ...]) -> bytes:
    """The document as JSON; the same routes give the same bytes."""
    paths: dict[str, dict[str, object]] = {}
    for route in routes:
        paths.setdefault(route.template, {})[route.verb.lower()] = {"operationId": route.rpc}
    return msgspec.json.encode({"openapi": "3.1.0", "paths": paths})
