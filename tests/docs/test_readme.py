"""The walks of the README, run as printed: only the addresses and the folder are this test's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, README, ROOT, said, section, texts
from tests.service.live import TRANSPORTS, Live


@pytest.fixture(params=TRANSPORTS)
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Live]:
    with Live(tmp_path, transport=request.param) as live:
        yield live


def walked(live: Live, title: str, language: str) -> str:
    """What the blocks of a section print, run one after the other."""
    return said(live, language, "\n".join(texts(section(README, title), language)))


def test_curl(tmp_path: Path) -> None:
    with Live(tmp_path) as server:
        lines = walked(server, "Play with curl", "bash").splitlines()

    assert lines[1:3] == ["2 False", "2 True"]
    assert "'placements'" in lines[-1]


def test_grpcurl(server: Live) -> None:
    assert walked(server, "Play with grpcurl", "bash").strip() == "2"


def test_python(server: Live) -> None:
    assert 'reason: "' in walked(server, "Play with ten lines of Python", "python")


def links(page: Path) -> list[Path]:
    """The files and folders here that a page leads to."""
    targets = re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text())
    return [(page.parent / target).resolve() for target in targets if not target.startswith(("http://", "https://"))]


def test_every_link_leads_somewhere_and_every_page_is_linked() -> None:
    pages = [README, ROOT / "CONTRIBUTING.md", *DOCS.rglob("*.md")]
    for page in pages:
        for target in links(page):
            assert target.exists(), f"{page}: {target}"
    assert {target for page in pages for target in links(page)} >= set(pages) - {README}
