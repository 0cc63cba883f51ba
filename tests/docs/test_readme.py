"""The walks of the README, run as printed: only the addresses and the folder are this test's."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.live import TRANSPORTS, Live

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def blocks(section: str, language: str) -> list[str]:
    """The fenced blocks of a language in a section of the README."""
    text = README.split(f"\n## {section}\n", 1)[1].split("\n## ", 1)[0]
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


@pytest.fixture(params=TRANSPORTS)
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Live]:
    with Live(tmp_path, transport=request.param) as live:
        yield live


def run(live: Live, command: list[str], text: str) -> str:
    """Run a walk in the server's folder; its standard output."""
    text = text.replace("http://127.0.0.1:8080", live.http).replace("127.0.0.1:50051", live.grpc)
    tools = live.folder / "bin"
    tools.mkdir()
    if shutil.which("grpcurl") is None:
        (tools / "grpcurl").write_text(
            f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m tests.tools.grpcurl "$@"\n'
        )
        (tools / "grpcurl").chmod(0o755)
    environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}
    done = subprocess.run(
        [*command, text], cwd=live.folder, env=environment, capture_output=True, text=True, timeout=240, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_curl(tmp_path: Path) -> None:
    with Live(tmp_path) as server:
        said = run(server, ["bash", "-euo", "pipefail", "-c"], "\n".join(blocks("Play with curl", "bash"))).splitlines()

    assert said[1:3] == ["2 False", "2 True"]
    assert "'placements'" in said[-1]


def test_grpcurl(server: Live) -> None:
    assert (
        run(server, ["bash", "-euo", "pipefail", "-c"], "\n".join(blocks("Play with grpcurl", "bash"))).strip() == "2"
    )


def test_python(server: Live) -> None:
    (walk,) = blocks("Play with ten lines of Python", "python")

    assert 'reason: "' in run(server, [sys.executable, "-c"], walk)


def test_every_link_leads_somewhere() -> None:
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
            if not target.startswith(("http://", "https://")):
                assert (page.parent / target).exists(), f"{page}: {target}"
