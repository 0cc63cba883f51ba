"""The verifier in TypeScript (``clients/verify-ts``) passes the vectors, and deals as the rules do.

Needs node 20 and npm; where they are missing these tests are skipped, and the vectors are Python's alone.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.core import AnyGame, to_json, write_position
from service.export import FORMAT, state_digest
from service.fairness import SECRET_BYTES, Draws, commitment
from tests.contract.cases import Case, cases, options_of
from tests.golden import FOLDER

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "clients" / "verify-ts"
OLDEST_NODE = 20
SEEDS = 3


@pytest.fixture(scope="session")
def verifier() -> Path:
    """The folder of the verifier, built; worker processes of one test run wait for the first of them."""
    _need_node()
    (ROOT / "build").mkdir(exist_ok=True)
    with (ROOT / "build" / "verify-ts.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        wanted = hashlib.sha256((CLIENT / "package-lock.json").read_bytes()).hexdigest()
        stamp = CLIENT / "node_modules" / ".installed"
        if not stamp.exists() or stamp.read_text() != wanted:
            _run("npm", "ci", "--no-audit", "--no-fund")
            stamp.write_text(wanted)
        shutil.rmtree(CLIENT / "dist", ignore_errors=True)
        _run("npm", "run", "--silent", "build")
    return CLIENT


def _need_node() -> None:
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("node and npm are not installed")
    version = _run("node", "--version").strip()
    if int(version.removeprefix("v").partition(".")[0]) < OLDEST_NODE:
        pytest.skip(f"node {version} is older than {OLDEST_NODE}")


def _run(*command: str, **environment: str) -> str:
    done = subprocess.run(
        command, cwd=CLIENT, env={**os.environ, **environment}, capture_output=True, text=True, check=False, timeout=240
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_its_verdicts_are_those_of_the_vectors(verifier: Path, tmp_path: Path) -> None:
    records = tmp_path / "records"
    records.write_text("\n".join(json.dumps(record) for record in _records()))
    said = _run("node", "--test", "dist/test/", ROOKERY_RECORDS=str(records))
    vectors = json.loads((FOLDER.parent / "vectors.json").read_text(encoding="utf-8"))
    left_out = sum(case.get("needs") == "rules" for case in vectors)
    counts = dict(
        line[2:].split(" ", 1) for line in said.splitlines() if line.startswith("# ") and "Subtest" not in line
    )
    # Nothing but what needs the rules of the moves is left out.
    assert (counts["fail"], counts["skipped"]) == ("0", str(left_out))
    assert int(counts["pass"]) > len(vectors) - left_out


def _records() -> Iterator[dict[str, Any]]:
    """Games that were only dealt: every game, every number of seats, every option."""
    for case in cases():
        for number in range(SEEDS):
            yield _dealt(case.game, case, hashlib.sha256(f"{case} {number}".encode()).digest())


def _dealt(game: AnyGame, case: Case, seed: bytes) -> dict[str, Any]:
    draws, salt = Draws(), bytes(SECRET_BYTES)
    state = game.setup(options_of(case), case.seats, draws(seed, 0))
    position = write_position(game, state)
    return {
        "format": FORMAT,
        "game_type": game.game_type,
        "rules_version": game.rules_version,
        "options": to_json(game.options, state.options),
        "seats": [{}] * case.seats,
        "seed": seed.hex(),
        "salt": salt.hex(),
        "commitment": commitment(seed, salt),
        "dealt": True,
        "start": position,
        "moves": [],
        "draws": draws.told(),
        "states": [state_digest(game, state)],
        "position": position,
    }


def deep() -> str:
    """A record whose two positions are the same, and deeper than any comparison goes."""
    record = json.loads((FOLDER / "sevens-1.0.0-3-seats-whole.json").read_text(encoding="utf-8"))
    states = record["states"][:1]
    record |= {"dealt": False, "moves": [], "draws": [], "states": states, "start": "deep", "position": "deep"}
    return json.dumps(record).replace('"deep"', '{"a": ' * 20_000 + "1" + "}" * 20_000)


@pytest.mark.parametrize(
    ("content", "code", "words"),
    [
        (None, 2, "cannot be read"),
        ("{", 3, "is no record of a game: "),
        ("{}", 3, "is no record of a game: format: is missing"),
        ("[]", 3, "is no record of a game: the document: is no object"),
        pytest.param("[" * 100_000, 3, "is no record of a game: ", id="deep"),
        pytest.param(deep(), 3, "is no record of a game: ", id="deep inside"),
        ({"format": 2}, 2, "its format is 2, and only 1 is known here"),
        ({"game_type": "chess"}, 2, "chess 1.0.0 is not dealt here"),
        ({"seed": "00" * 32}, 1, "not fair: seed and salt are not those of the commitment"),
        ({}, 0, "fair as far as chance goes: 51 numbers drawn from the committed seed, the opening dealt again"),
    ],
)
def test_its_command_says_whether_a_game_was_fair(
    verifier: Path, tmp_path: Path, content: str | dict[str, Any] | None, code: int, words: str
) -> None:
    file = tmp_path / "game.json"
    if isinstance(content, dict):
        record = json.loads((FOLDER / "sevens-1.0.0-3-seats-whole.json").read_text(encoding="utf-8"))
        content = json.dumps({"export": record | content})
    if content is not None:
        file.write_text(content)
    done = subprocess.run(
        ["node", str(verifier / "dist/src/verify.js"), str(file)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, words in done.stdout + done.stderr) == (code, True), done.stdout + done.stderr
    if code == 0:
        assert "Not checked here: that the moves keep the rules" in done.stdout
