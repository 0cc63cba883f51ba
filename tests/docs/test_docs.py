"""What the pages say is so: tables equal the code's, blocks print what stands under them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from engine.core import Game
from service.callers import ALL_SCOPES, Platform
from service.credentials import Credentials, JwksFile
from service.errors import TABLE
from service.keys import new_keys
from tests.docs.pages import DOCS, ROOT, blocks, run, section, table, texts
from tests.service.live import Live

POSITIONS = DOCS / "design" / "positions.md"
PAGES = sorted(DOCS.rglob("*.md"))


@pytest.mark.parametrize("name", ["client.md", "watching.md", "platform.md", "operating.md"])
def test_a_page_runs_as_printed(name: str, tmp_path: Path) -> None:
    with Live(tmp_path) as live:
        run(DOCS / name, live)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_json_block_is_json(page: Path) -> None:
    for block in blocks(page.read_text()):
        if block.language == "json":
            json.loads(block.text)
        if block.prints is not None and block.prints[0] == "json":
            json.loads(block.prints[1])


def test_the_table_of_errors_is_the_code_s() -> None:
    told = {reason: (grpc, http) for reason, grpc, http, _ in table(DOCS / "platform.md", "Errors")}

    assert told == {reason.value: (status.code.name, str(status.http)) for reason, status in TABLE.items()}


def test_the_scopes_are_the_code_s() -> None:
    assert {row[0].strip("`") for row in table(DOCS / "platform.md", "Keys, tenants, scopes")} == ALL_SCOPES


async def test_the_claims_of_the_page_make_a_platform(tmp_path: Path) -> None:
    (claims,) = (
        json.loads(b.text)
        for b in blocks((DOCS / "platform.md").read_text())
        if b.language == "json" and '"aud"' in b.text
    )
    private = ec.generate_private_key(ec.SECP256R1())
    public = {**jwt.algorithms.ECAlgorithm.to_jwk(private.public_key(), as_dict=True), "kid": "1", "alg": "ES256"}
    (tmp_path / "jwks.json").write_text(json.dumps({"keys": [public]}))
    credentials = Credentials(
        new_keys(), jwks=JwksFile(tmp_path / "jwks.json"), issuer=claims["iss"], audience=claims["aud"]
    )

    caller = await credentials.authenticate(f"Bearer {jwt.encode(claims, private, 'ES256', {'kid': '1'})}")

    assert isinstance(caller, Platform)
    assert (caller.tenant, sorted(caller.scopes)) == (claims["tenant"], claims["scope"].split())


@pytest.mark.parametrize("game_type", ["sevens", "euchre"])
def test_the_positions_of_the_page_are_possible(game_type: str, tmp_path: Path) -> None:
    documents = {d["game_type"]: d for d in map(json.loads, texts(POSITIONS.read_text(), "json"))}
    document = documents[game_type]
    file = tmp_path / f"{game_type}.json"

    file.write_text(json.dumps(document))
    assert rookery(file.parent, "position", "check", file.name) == (
        0,
        f"{file.name}: a possible position of {game_type}\n",
    )
    file.write_text(json.dumps(document["position"]))
    assert rookery(file.parent, "position", "check", file.name, "--game", game_type)[0] == 0
    document["position"]["hands"][0].pop()
    file.write_text(json.dumps(document))
    code, said = rookery(file.parent, "position", "check", file.name)
    assert (code, said.startswith(f"{file.name}: hands")) == (1, True), said


def rookery(folder: Path, *words: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "service.main", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout


def test_the_functions_of_a_game_are_the_contract_s() -> None:
    page = DOCS / "adding-a-game.md"
    below = f"{section(page, 'The functions of a game')}{section(page, 'Bots')}"
    told = {name for row in re.findall(r"^\| (`.*?) \|", below, re.MULTILINE) for name in re.findall(r"`(\w+)\(", row)}

    # What is made of two others is nothing to write.
    assert told == {name for name, value in vars(Game).items() if callable(value) and name[0] != "_"} - {"outcome"}


def test_the_modules_of_the_contract_test_are_all_explained() -> None:
    told = {row[0].strip("`") for row in table(DOCS / "adding-a-game.md", "What the contract test tells you")}

    assert told == {path.stem for path in (ROOT / "tests" / "contract").glob("test_*.py")}


def test_every_function_and_file_of_the_overview_is_there() -> None:
    page = DOCS / "design" / "overview.md"
    for _, function, file, _ in table(page, "A move, end to end"):
        source = (page.parent / re.findall(r"\(([^)]+)\)", file)[0]).resolve().read_text()
        owner, _, name = function.strip("`").rpartition(".")
        assert re.search(rf"^\s*(async )?def {name}\(", source, re.MULTILINE), function
        assert not owner or f"class {owner}" in source, function
    assert len(table(page, "A move, end to end")) == 6
