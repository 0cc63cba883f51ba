"""What the image installs: the wheel has everything, and nothing of the source tree is needed."""

from __future__ import annotations

import importlib.metadata
import re
import subprocess
import zipfile
from pathlib import Path

from packaging.requirements import Requirement

from tests.deploy.dockerfile import ROOT


def tracked(*folders: str) -> set[str]:
    listed = subprocess.run(["git", "ls-files", "-z", *folders], cwd=ROOT, capture_output=True, check=True, timeout=20)
    return {name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()}


def test_the_wheel_holds_every_file_of_the_three_packages(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    wanted = {name.removeprefix("protos/") for name in tracked("clients", "engine", "service", "protos/rookery")}

    assert wanted - names == set()
    assert {
        "engine/games/euchre/RULES.md",
        "engine/py.typed",
        "rookery/py.typed",
        "rookery/v1/game_service.proto",
        "service/commit.lua",
        "service/openapi_comments.json",
        "service/py.typed",
    } <= names
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == {
        "clients",
        "engine",
        "rookery",
        "service",
    }


def test_it_runs_without_the_source_tree(installed: Path, tmp_path: Path) -> None:
    say = (
        "import engine, service, rookery.v1, rookery.euchre.v1.euchre_pb2 as e\n"
        "from engine.core import installed\n"
        "import service.server, sys\n"
        "print(*(m.__file__ for m in (engine, service, e)), *installed().game_types, sep='\\n')\n"
    )
    told = run(tmp_path, str(installed / "python"), "-c", say).splitlines()

    assert all(Path(file).is_relative_to(installed.parent.resolve()) for file in told[:3]), told
    assert {"euchre", "sevens"} <= set(told[3:])
    assert "serve until SIGTERM" in run(tmp_path, str(installed / "rookery"), "--help")


def test_the_lock_has_every_library_that_the_wheel_asks_for_as_it_is_installed_here() -> None:
    lines = (ROOT / "requirements.lock").read_text().splitlines()
    locked = {Requirement(line).name: Requirement(line) for line in lines if line}
    for text in importlib.metadata.requires("rookery") or []:
        asked = Requirement(text)
        if asked.marker is None or asked.marker.evaluate({"extra": "embedded"}):
            (exact,) = locked[asked.name].specifier
            assert asked.specifier.contains(exact.version), text
            assert importlib.metadata.version(asked.name) == exact.version, text


def test_nothing_comes_from_a_named_address() -> None:
    assert not re.search(r"https?://", (ROOT / "requirements.lock").read_text())


def run(folder: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
