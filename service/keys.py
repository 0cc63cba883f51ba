"""The keys file: what signs seat tokens, and which platform keys there are (their hashes, never the keys).

One JSON file, mode 600, shared by every process that serves the same games.
"""

from __future__ import annotations

import fcntl
import hashlib
import hmac
import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from service.callers import ALL_SCOPES, Platform

PREFIX = "rk"
DEV_TENANT = "dev"


class SigningKey(msgspec.Struct, frozen=True):
    """A secret that signs tokens; the first one of the file signs, all of them verify."""

    kid: str
    secret: bytes
    created: str


class PlatformKey(msgspec.Struct, frozen=True):
    """A platform's API key as it is kept: the SHA-256 of the whole key, in hex."""

    id: str
    tenant: str
    scopes: tuple[str, ...]
    sha256: str
    created: str


class Keys(msgspec.Struct, frozen=True):
    """The contents of the file."""

    signing: tuple[SigningKey, ...]
    platforms: tuple[PlatformKey, ...] = ()

    def platform(self, key: str) -> Platform | None:
        """The platform of an API key, or None. Takes the same time for every wrong key of a known id."""
        parts = key.split("_", 2)
        digest = hashlib.sha256(key.encode()).hexdigest()
        for known in self.platforms:
            if len(parts) == 3 and known.id == parts[1] and hmac.compare_digest(known.sha256, digest):
                return Platform(known.tenant, frozenset(known.scopes), known.id)
        return None


def new_keys() -> Keys:
    """A file with one signing key and no platform."""
    return Keys((SigningKey(secrets.token_hex(4), secrets.token_bytes(32), _today()),))


def add_platform(keys: Keys, tenant: str, scopes: tuple[str, ...]) -> tuple[Keys, str]:
    """The keys with one more platform key, and that key, which is not kept anywhere."""
    key_id = secrets.token_hex(4)
    key = f"{PREFIX}_{key_id}_{secrets.token_urlsafe(24)}"
    known = PlatformKey(key_id, tenant, scopes, hashlib.sha256(key.encode()).hexdigest(), _today())
    return msgspec.structs.replace(keys, platforms=(*keys.platforms, known)), key


def remove_platform(keys: Keys, key_id: str) -> Keys:
    """The keys without that one. Raises KeyError if there is none."""
    rest = tuple(known for known in keys.platforms if known.id != key_id)
    if len(rest) == len(keys.platforms):
        raise KeyError(key_id)
    return msgspec.structs.replace(keys, platforms=rest)


def rotate_signing(keys: Keys) -> Keys:
    """The keys with a new signing key in front; the one before still verifies."""
    fresh = new_keys().signing
    return msgspec.structs.replace(keys, signing=(*fresh, *keys.signing[:1]))


class KeysUnreadable(Exception):  # noqa: N818 - says what is the matter
    """The keys file cannot be read as one."""


def read_keys(path: Path) -> Keys:
    """The keys of the file. Raises FileNotFoundError and KeysUnreadable."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Keys)
    except msgspec.MsgspecError as error:
        raise KeysUnreadable(f"{path} is no keys file: {error}") from None


def write_keys(path: Path, keys: Keys) -> None:
    """Replace the file in one step, readable by its owner alone."""
    write_private(path, msgspec.json.format(msgspec.json.encode(keys), indent=2) + b"\n")


def write_private(path: Path, content: bytes) -> None:
    """Replace a file in one step, readable by its owner alone (mkstemp makes mode 600)."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock beside ``path`` against other processes that want to change the file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with (path.parent / f".{path.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def development_keys(data_dir: Path) -> tuple[Keys, Path, bool]:
    """The keys beside the embedded data, made at the first start.

    Gives the keys, the file with the development platform key in clear, and whether it was made just now.
    """
    keys_file, key_file = data_dir / "keys.json", data_dir / "platform.key"
    with locked(keys_file):
        keys = read_keys(keys_file) if keys_file.exists() else new_keys()
        if key_file.exists() and keys.platform(key_file.read_text().strip()) is not None:
            return keys, key_file, False
        keys, key = add_platform(keys, DEV_TENANT, tuple(sorted(ALL_SCOPES)))
        write_keys(keys_file, keys)
        write_private(key_file, f"{key}\n".encode())
    return keys, key_file, True


def _today() -> str:
    return datetime.now(UTC).date().isoformat()
