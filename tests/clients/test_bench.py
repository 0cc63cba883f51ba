"""`rookery bench`: how quickly a service answers, measured from outside."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.service.live import Live


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with Live(tmp_path_factory.mktemp("bench")) as running:
        yield running


def bench(*arguments: str) -> tuple[int, str]:
    """The exit code and what is said."""
    command = [sys.executable, "-m", "service.main", "bench", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout + done.stderr


def at(live: Live) -> tuple[str, ...]:
    return "--server", live.grpc, "--key-file", str(live.folder / "data" / "platform.key")


def test_calls_are_counted_and_no_game_is_left(live: Live) -> None:
    code, said = bench("euchre", "--tables", "2", "--seconds", "1", *at(live))

    assert code == 0, said
    head, _, *rows = said.splitlines()
    assert head.startswith("euchre, 4 seats, 2 tables at a time, ")
    calls = {row.split()[0]: int(row.split()[1]) for row in rows}
    assert list(calls) == ["CreateGame", "GetView", "SubmitMove"]
    assert calls["CreateGame"] >= 2
    # Every view is answered.
    assert calls["GetView"] == calls["SubmitMove"] > 10
    games = httpx.get(f"{live.http}/v1/games", headers={"authorization": f"Bearer {live.platform_key}"}).json()
    assert games["games"] == []


def test_a_service_of_its_own_is_gone_afterwards() -> None:
    code, said = bench("sevens", "--seats", "5", "--seconds", "0.5")

    assert code == 0, said
    assert said.startswith("sevens, 5 seats, 8 tables at a time, ")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("chess",), "there is no game 'chess'"),
        (("No such game",), "there is no game 'No such game'"),
        (("euchre", "--seats", "5"), "--seats: euchre takes 4, not 5"),
        (("euchre", "--tables", "0"), "--tables: must be from 1 to 256"),
        (("euchre", "--seconds", "inf"), "--seconds: must be from 0.1 to 600"),
    ],
)
def test_what_cannot_be_measured(live: Live, arguments: tuple[str, ...], words: str) -> None:
    assert bench(*arguments, *at(live)) == (2, f"rookery: {words}\n")


def test_a_key_that_is_no_good(live: Live, tmp_path: Path) -> None:
    (tmp_path / "key").write_text("rk_nobody")

    code, said = bench("euchre", "--server", live.grpc, "--key-file", str(tmp_path / "key"))

    assert code == 2
    assert re.fullmatch(rf"rookery: {live.grpc}: the credential is not valid\n", said)
