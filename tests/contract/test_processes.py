"""The same game everywhere: in another process, with other hash seeds, at another time."""

from __future__ import annotations

import os
import random
import secrets
import subprocess
import sys
import time
from typing import NoReturn

import pytest

from tests.contract.digests import lines


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_another_process_plays_the_same_games(hash_seed: str) -> None:
    printed = subprocess.run(
        [sys.executable, "-m", "tests.contract.digests"],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        check=True,
        text=True,
    )
    assert printed.stdout.splitlines() == lines()


def test_neither_the_clock_nor_any_other_chance_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = lines()

    def refuse(*_: object) -> NoReturn:
        raise AssertionError("a game asked for the time or for chance of its own")

    with monkeypatch.context() as without:
        for module, name in (
            (time, "time"),
            (time, "time_ns"),
            (time, "monotonic"),
            (time, "perf_counter"),
            (random, "random"),
            (random, "shuffle"),
            (random, "choice"),
            (random, "randrange"),
            (os, "urandom"),
            (secrets, "token_bytes"),
        ):
            without.setattr(module, name, refuse)
        actual = lines()
    assert actual == expected
