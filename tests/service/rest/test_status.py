from __future__ import annotations

import pytest
from google.protobuf import json_format

from service.errors import Reason, Refusal
from service.status import retry_after_seconds, to_status


def details(refusal: Refusal) -> dict[str, dict[str, object]]:
    found = json_format.MessageToDict(to_status(refusal))["details"]
    return {detail.pop("@type").rsplit(".", 1)[1]: detail for detail in found}


@pytest.mark.parametrize("reason", list(Reason))
def test_every_reason_is_one_error_info(reason: Reason) -> None:
    refusal = Refusal(reason, "no", metadata={"current_version": "7"})
    status = to_status(refusal)

    assert status.code == refusal.status.code
    assert status.message == "no"
    expected = {"reason": reason.value, "domain": "rookery", "metadata": {"current_version": "7"}}
    assert details(refusal) == {"ErrorInfo": expected}


def test_violations_become_a_bad_request() -> None:
    refusal = Refusal(Reason.INVALID_OPTIONS, "no", violations=(("seats", "too few"), ("options", "no such arm")))

    assert details(refusal)["BadRequest"] == {
        "fieldViolations": [
            {"field": "seats", "description": "too few"},
            {"field": "options", "description": "no such arm"},
        ]
    }


@pytest.mark.parametrize(("clause", "kind", "subject"), [("3.2", "RULE", "sevens#3.2"), ("", "OFFER", "sevens")])
def test_what_was_not_right_becomes_a_precondition_failure(clause: str, kind: str, subject: str) -> None:
    refusal = Refusal(Reason.ILLEGAL_MOVE, "the six is not on the table", clause=clause, subject="sevens")

    violation = {"type": kind, "subject": subject, "description": "the six is not on the table"}
    assert details(refusal)["PreconditionFailure"] == {"violations": [violation]}


@pytest.mark.parametrize(
    ("seconds", "delay", "header"), [(0.25, "0.250s", 1), (2.0, "2s", 2), (2.1, "2.100s", 3), (-1.0, "0s", 1)]
)
def test_a_retry_is_told_in_detail_and_in_whole_seconds(seconds: float, delay: str, header: int) -> None:
    refusal = Refusal(Reason.STORE_CONTENTION, "busy", retry_after=seconds)

    assert details(refusal)["RetryInfo"] == {"retryDelay": delay}
    assert retry_after_seconds(refusal) == header


def test_without_a_retry_there_is_no_delay() -> None:
    assert retry_after_seconds(Refusal(Reason.GAME_OVER, "over")) is None
