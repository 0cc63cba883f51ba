"""The soak in short: see ``tests/soak``. The long one is ``make soak``."""

from __future__ import annotations

import secrets
from pathlib import Path

import pytest

from tests.soak.plan import Plan
from tests.soak.run import soak


@pytest.mark.timeout(290)
async def test_games_are_played_to_their_end_while_everything_is_killed_now_and_then(tmp_path: Path) -> None:
    plan = Plan(seconds=15, games=12, seed=secrets.token_hex(4))
    outcome = await soak(plan, tmp_path)
    assert outcome.problems == [], plan.command
    assert outcome.games.total() == plan.games
    assert outcome.killed.total() > 0
