"""What happens to moves shows in the figures."""

from __future__ import annotations

from typing import Any

from tests.service.desk import branch, desk_at
from tests.service.house import House
from tests.service.players import refused


def figure(home: House, name: str) -> float:
    """A figure of the test's game."""
    rows = (row.rpartition(" ")[::2] for row in home.metrics.page().decode().splitlines())
    return sum(float(value) for series, value in rows if series == f'{name}{{game="pledge"}}')


async def test_moves_are_counted_by_what_becomes_of_them(store_url: str) -> None:
    async with desk_at(store_url, "rest") as desk, branch(desk, store_url, "rest") as elsewhere:
        home, tokens = desk.home, desk.table.tokens
        answers: list[dict[str, Any]] = []
        for token in tokens:
            decision = (await desk.view(token))["decision"]["decisionId"]
            answers.append({"name": desk.name, "decisionId": decision, "offerId": "pledge:1"})
        assert figure(home, "rookery_view_bytes_count") == 3
        assert figure(home, "rookery_view_bytes_sum") > 300

        await desk.client.call("SubmitMove", tokens[0], **answers[0])
        assert figure(home, "rookery_engine_seconds_count") == 1
        assert figure(home, "rookery_view_bytes_count") == 4
        await desk.client.call("SubmitMove", tokens[0], **answers[0])
        assert figure(home, "rookery_replays_total") == 1

        # What this process remembers is older than that, so its first try is lost.
        await elsewhere.call("SubmitMove", tokens[1], **answers[1])
        assert figure(home, "rookery_commit_retries_total") == 0
        await desk.client.call("SubmitMove", tokens[2], **answers[2])
        assert figure(home, "rookery_commit_retries_total") == 1

        # Nor does it know of the round after the next: what looks stale in its memory is not.
        for token in tokens:
            decision = (await elsewhere.call("GetView", token, name=desk.name))["decision"]["decisionId"]
            await elsewhere.call("SubmitMove", token, name=desk.name, decisionId=decision, offerId="pledge:1")
        decision = (await elsewhere.call("GetView", tokens[0], name=desk.name))["decision"]["decisionId"]
        await desk.client.call("SubmitMove", tokens[0], name=desk.name, decisionId=decision, offerId="pledge:1")
        assert figure(home, "rookery_stale_decisions_total") == 0
        gone = await refused(desk.client, "SubmitMove", tokens[1], **answers[1] | {"decisionId": "another"})
        assert gone.reason == "DECISION_STALE"
        assert figure(home, "rookery_stale_decisions_total") == 1
