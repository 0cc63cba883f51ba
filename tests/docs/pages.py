"""The pages under ``docs``: their blocks and tables, and how a page is run as printed.

A ``text`` or ``json`` block right under a ``bash`` or ``python`` block is what that prints; ``…`` stands for anything.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from tests.service.live import Live

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
README = ROOT / "README.md"
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_PROGRAMS = {"bash": ("bash", "-euo", "pipefail", "-c"), "python": (sys.executable, "-c")}
_MARK = "-- end of block --"
ANYTHING = "…"


class Block(NamedTuple):
    """A fenced block; ``prints`` is what the block right under it shows."""

    language: str
    text: str
    prints: tuple[str, str] | None = None


def section(page: Path, title: str) -> str:
    """What stands under a heading, up to the next one that is not below it."""
    hashes, rest = re.split(rf"^(##+) {re.escape(title)}$", page.read_text(), maxsplit=1, flags=re.MULTILINE)[1:]
    return re.split(rf"^##{{1,{len(hashes) - 1}}} ", rest, maxsplit=1, flags=re.MULTILINE)[0]


def blocks(text: str) -> list[Block]:
    """Every block of a page or a section, in order; those that show what another one prints are with that one."""
    found: list[Block] = []
    end = -1
    for match in _BLOCK.finditer(text):
        language, body = match.groups()
        follows = end >= 0 and not text[end : match.start()].strip() and language in ("text", "json")
        if follows and found[-1].language in ("bash", "python"):
            found[-1] = found[-1]._replace(prints=(language, body))
        else:
            found.append(Block(language, body))
        end = match.end()
    return found


def texts(text: str, language: str) -> list[str]:
    """The blocks of a language that stand alone."""
    return [block.text for block in blocks(text) if block.language == language]


def table(page: Path, title: str) -> list[list[str]]:
    """The cells of the first table in a section, without its head."""
    first = re.search(r"(?:^\|.*\n)+", section(page, title), re.MULTILINE)
    assert first is not None, title
    lines = first[0].splitlines()
    split = (re.split(r"(?<!\\)\|", line.strip().strip("|")) for line in lines[2:])
    return [[cell.strip().replace("\\|", "|") for cell in cells] for cells in split]


def run(page: Path, live: Live) -> None:
    """Run the ``bash`` blocks of the page as one session, then the ``python`` blocks, and compare what they print."""
    found = blocks(page.read_text())
    shell = [block for block in found if block.language == "bash"]
    script = f"\necho '{_MARK}'\n".join(block.text for block in shell)
    _compare(shell, said(live, "bash", script).split(f"{_MARK}\n"))
    for block in found:
        if block.language == "python":
            _compare([block], [said(live, "python", block.text)])


def said(live: Live, language: str, text: str) -> str:
    """Run a text of a page in the server's folder, at the server's addresses; its standard output."""
    text = text.replace("http://127.0.0.1:8080", live.http).replace("127.0.0.1:50051", live.grpc)
    # The pages' `rookery` and `python3` are ours: a shim that looks for a Python each time would cost most of the run.
    path = [str(Path(sys.executable).parent), os.environ["PATH"]]
    if shutil.which("grpcurl") is None:
        path.insert(0, str(_stand_in_for_grpcurl(live.folder / "bin")))
    done = subprocess.run(
        [*_PROGRAMS[language], text],
        cwd=live.folder,
        env={**os.environ, "PATH": os.pathsep.join(path)},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def _stand_in_for_grpcurl(folder: Path) -> Path:
    """The folder, with a program called ``grpcurl``."""
    folder.mkdir(exist_ok=True)
    program = folder / "grpcurl"
    program.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m tests.tools.grpcurl "$@"\n')
    program.chmod(0o755)
    return folder


def _compare(shown: list[Block], said: list[str]) -> None:
    assert len(shown) == len(said), said
    for block, text in zip(shown, said, strict=True):
        if block.prints is None:
            continue
        language, wanted = block.prints
        if language == "json":
            assert fits(json.loads(wanted), json.loads(text)), f"{block.text}\nprints\n{text}"
        else:
            pattern = re.escape(wanted.strip()).replace(ANYTHING, ".*?")
            assert re.fullmatch(pattern, text.strip(), re.DOTALL), f"{block.text}\nprints\n{text}"


def fits(shown: Any, real: Any) -> bool:
    """Whether a shown value fits the real one: objects may leave fields out, a list may end with ``…``."""
    if isinstance(shown, str) and isinstance(real, str):
        return re.fullmatch(re.escape(shown).replace(ANYTHING, ".*"), real, re.DOTALL) is not None
    if shown == ANYTHING:
        return True
    if isinstance(shown, dict) and isinstance(real, dict):
        return all(key in real and fits(value, real[key]) for key, value in shown.items())
    if isinstance(shown, list) and isinstance(real, list):
        if shown[-1:] == [ANYTHING]:
            shown, real = shown[:-1], real[: len(shown) - 1]
        return len(shown) == len(real) and all(map(fits, shown, real))
    return type(shown) is type(real) and bool(shown == real)
