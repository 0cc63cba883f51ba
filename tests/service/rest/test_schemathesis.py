"""Schemathesis against a running server: answers fit the OpenAPI document, and no input breaks anything."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.generation import GenerationMode

from service.http_rules import routes_of
from service.openapi import document
from service.rest_http import NDJSON
from tests.service.live import Live, body

from .fakes import SERVICE

EXAMPLES = 20
SECONDS = 20
PATHS: dict[str, dict[str, Any]] = json.loads(document(routes_of(SERVICE)))["paths"]
CASES = [
    pytest.param(path, verb, mode, id=f"{operation['operationId']}-{mode.value}")
    for path, verbs in PATHS.items()
    for verb, operation in verbs.items()
    # A stream has no end to wait for.
    if NDJSON not in operation["responses"]["200"]["content"]
    for mode in GenerationMode
    # Where nothing can be given, nothing can be wrong.
    if mode == GenerationMode.POSITIVE or operation["parameters"] or "requestBody" in operation
]

load_all_checks()
EXCLUDED = CHECKS.get_by_names(
    [
        # A request can have the form of the document and still be refused: no such game, not allowed by the rules.
        "positive_data_acceptance",
        # It takes our header off a request, but the call below puts it on again; "nobody" tests this.
        "ignored_auth",
    ]
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with Live(tmp_path_factory.mktemp("schemathesis")) as running:
        yield running


@pytest.fixture(scope="module")
def schema(server: Live) -> Any:
    return schemathesis.openapi.from_url(f"{server.http}/v1/openapi.json")


@pytest.mark.parametrize("credential", [True, False], ids=["key", "nobody"])
@pytest.mark.parametrize(("path", "verb", "mode"), CASES)
def test_answers_are_as_documented(
    server: Live, schema: Any, path: str, verb: str, mode: GenerationMode, credential: bool
) -> None:
    headers = {"authorization": f"Bearer {server.platform_key}"} if credential else {}
    known = {"game": _new_game(server)} if "{game}" in path else {}
    operation = schema[path][verb.upper()]

    @given(operation.as_strategy(mode, path_parameters=known or None))
    @settings(
        max_examples=EXAMPLES if credential else EXAMPLES // 4,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def run(case: Any) -> None:
        if "wait" in (case.query or {}):
            case.query.pop("wait")  # it would really wait
        answer = case.call_and_validate(headers=headers, excluded_checks=EXCLUDED, timeout=SECONDS)
        if known and not credential:
            assert answer.status_code == 401

    run()


def _new_game(server: Live) -> str:
    headers = {"authorization": f"Bearer {server.platform_key}"}
    answer = httpx.post(f"{server.http}/v1/games", json=body(4, "sevens"), headers=headers, timeout=SECONDS)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["game"]["name"]).removeprefix("games/")
