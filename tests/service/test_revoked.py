"""A token that was revoked in one process is worth nothing in another one, whose memory is older."""

from __future__ import annotations

import pytest

from tests.service.client import WAYS, fresh_id
from tests.service.desk import branch, desk_at
from tests.service.players import refused


@pytest.mark.parametrize("again", ["pledge:1", "pledge:2"], ids=["the same answer", "another answer"])
@pytest.mark.parametrize("with_request_id", [False, True])
async def test_repeating_an_answer_with_a_revoked_token(store_url: str, again: str, with_request_id: bool) -> None:
    way = WAYS[0]
    async with desk_at(store_url, way) as desk, branch(desk, store_url, way) as elsewhere:
        token = desk.table.tokens[0]
        seen = await elsewhere.call("GetView", token, name=desk.name)
        request = {"name": desk.name, "decisionId": seen["decision"]["decisionId"]}
        if with_request_id:
            request["requestId"] = fresh_id()
        await desk.client.call("SubmitMove", token, **request, offerId="pledge:1")
        await desk.issue(seats=[0], revoke=True)
        no = await refused(elsewhere, "SubmitMove", token, **request, offerId=again)
        assert (no.reason, no.metadata) == ("TOKEN_REVOKED", {})
