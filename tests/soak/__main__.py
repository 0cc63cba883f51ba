"""``python -m tests.soak [--seconds N] [--games N] [--seed TEXT]``: play, kill, and check that nothing was lost."""

from __future__ import annotations

import argparse
import asyncio
import secrets
import sys
import tempfile
import traceback
from pathlib import Path

from tests.soak.plan import Plan
from tests.soak.run import soak


def main(arguments: list[str]) -> int:
    """Say what happened; 1 if anything was wrong, and then how to run the same again."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description="Play many games while servers die.")
    parser.add_argument("--seconds", type=float, default=300, help="how long things are killed (default: 300)")
    parser.add_argument("--games", type=int, default=200, help="how many games are played (default: 200)")
    parser.add_argument("--seed", default=secrets.token_hex(4), help="of everything that is random; default: a new one")
    said = parser.parse_args(arguments)
    plan = Plan(said.seconds, said.games, said.seed)
    _say(plan.command)
    try:
        with tempfile.TemporaryDirectory(prefix="rk-") as folder:
            outcome = asyncio.run(soak(plan, Path(folder)))
    except Exception:
        _say(f"{traceback.format_exc()}\nfailed; again with: {plan.command}")
        return 1
    _say(outcome.summary)
    if outcome.problems:
        _say("\n".join([*outcome.problems, f"failed; again with: {plan.command}"]))
    return 1 if outcome.problems else 0


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
