"""Leases on an embedded store: the server of a data folder runs as long as any process holds one.

``take`` joins the supervisor of the folder or starts it. A lease is a connection to the supervisor, so the kernel
gives it back however its process ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import hashlib
import os
import socket
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Final, Self
from urllib.parse import quote

from service import embedded_supervisor as supervisor

FSYNC: Final = ("always", "everysec", "no")
START_TIMEOUT: Final = 60.0
"""Seconds for the server to start and to load its data, or for one that is just ending to end."""
SOCKET_PATH_LIMIT: Final = 100
"""Bytes; the kernels allow 104 (macOS) and 108 (Linux), with a zero at the end."""
LOCK: Final = "lock"
_POLL: Final = 0.01
_RENEW_DELAY: Final = 1.0


class EmbeddedFailed(Exception):  # noqa: N818 - reads like the others: what is the case
    """The embedded store could not be started; the message says why, with the server's own last words."""


class Lease:
    """The right to use the store at ``url`` until ``close()``."""

    def __init__(self, start: _Start, sock: socket.socket) -> None:
        self._start = start
        self._sock: socket.socket | None = sock
        self._kept = False
        self.url = f"unix://{quote(str(start.runtime / supervisor.SERVER_SOCKET))}"

    def close(self) -> None:
        """Give the lease back. After the last one the server writes its data and ends, in the background."""
        sock, self._sock = self._sock, None
        if sock is None:
            return
        if self._kept:
            # ``keep`` still listens on it, so only its end may free the number of the socket.
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)
        else:
            sock.close()

    async def keep(self) -> None:
        """Start the supervisor again whenever it is lost (killed from outside), until cancelled or closed.

        Clients see a lost connection and come back to the same ``url``. Waits as long as that takes: an embedded
        store that cannot be started now may be startable later (a full disk).
        """
        self._kept = True
        try:
            while (sock := self._sock) is not None:
                await _ended(sock)
                if self._sock is not None:
                    await self._renew()
                # Only now: a socket that is replaced or given back is nobody's any more.
                if sock is not self._sock:
                    sock.close()
        finally:
            self._kept = False

    async def _renew(self) -> None:
        try:
            renewed = await asyncio.to_thread(self._start.take)
        except EmbeddedFailed:
            await asyncio.sleep(_RENEW_DELAY)
            return
        if self._sock is None:
            renewed.close()
        else:
            self._sock = renewed

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def take(binary: Path, data_dir: Path, *, fsync: str = "everysec", timeout: float = START_TIMEOUT) -> Lease:
    """Join the store of ``data_dir``, or start it with the server program ``binary``; ``EmbeddedFailed`` if neither.

    The folder is made when it is missing. ``fsync`` is the server's appendfsync; who starts the server decides it.
    Blocks for some hundredths of a second as a rule, at most ``timeout`` seconds.
    """
    if fsync not in FSYNC:
        raise EmbeddedFailed(f"fsync is one of {', '.join(FSYNC)}, not {fsync!r}")
    try:
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        data = data_dir.resolve(strict=True)
        runtime = _recorded(data) or _runtime_folder(data)
    except OSError as error:
        raise EmbeddedFailed(f"cannot use the data folder {data_dir}: {error.strerror}") from None
    start = _Start(binary, data, runtime, fsync, timeout)
    return Lease(start, start.take())


async def _ended(sock: socket.socket) -> None:
    """Return when the supervisor at the other end is gone."""
    loop = asyncio.get_running_loop()
    with contextlib.suppress(OSError):
        while await loop.sock_recv(sock, 64):
            pass


class _Start:
    """Everything that is needed to take a lease, once or again."""

    def __init__(self, binary: Path, data: Path, runtime: Path, fsync: str, timeout: float) -> None:
        self.binary = binary
        self.data = data
        self.runtime = runtime
        self.fsync = fsync
        self.timeout = timeout

    def take(self) -> socket.socket:
        """Join, or start and join; again and again while another supervisor is just starting or ending."""
        end = time.monotonic() + self.timeout
        while True:
            sock = self._join(end)
            if sock is not None:
                return sock
            if time.monotonic() > end:
                raise EmbeddedFailed(
                    f"the store in {self.data} did not become ready within {self.timeout:g} seconds; "
                    f"see {self.data / supervisor.SERVER_LOG}"
                )
            with self._lock() as lock:
                if lock is None:
                    # Held by a supervisor that does not take leases yet, or not any more.
                    time.sleep(_POLL)
                    self.runtime = _recorded(self.data) or self.runtime
                else:
                    self._launch(lock)

    def _join(self, end: float) -> socket.socket | None:
        """A connection to a supervisor whose server is ready; None when there is no supervisor, or it just ends."""
        sock = socket.socket(socket.AF_UNIX)
        try:
            sock.settimeout(max(0.1, end - time.monotonic()))
            sock.connect(os.fspath(self.runtime / supervisor.LEASE_SOCKET))
            word = sock.recv(4096)
            if word.startswith(b"ready"):
                sock.settimeout(0)
                return sock
            if word:
                while more := sock.recv(4096):
                    word += more
                raise EmbeddedFailed(_failure(self.binary, word.removeprefix(b"failed ")))
        except OSError:
            pass
        sock.close()
        return None

    @contextlib.contextmanager
    def _lock(self) -> Iterator[int | None]:
        """The folder's lock for as long as the block runs, None when somebody else has it."""
        try:
            handle = os.open(self.data / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise EmbeddedFailed(f"cannot write to the data folder {self.data}: {error.strerror}") from None
        try:
            yield handle if self._try_lock(handle) else None
        finally:
            # Not unlocked: the supervisor inherited the very same lock.
            os.close(handle)

    def _try_lock(self, handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:
            # Some network file systems have no locks, and an append-only file is not for them either.
            raise EmbeddedFailed(f"cannot lock the data folder {self.data}: {error.strerror}") from None
        return True

    def _launch(self, lock: int) -> None:
        """Start the supervisor, which keeps the lock that it inherits."""
        try:
            _make_private(self.runtime.parent)
            _make_private(self.runtime)
        except OSError as error:
            raise EmbeddedFailed(f"cannot use {self.runtime} for sockets: {error.strerror}") from None
        words = (lock, self.data, self.runtime, self.binary, self.fsync)
        command = [sys.executable, "-I", "-S", supervisor.__file__, *map(str, words)]
        done = subprocess.run(  # noqa: S603 - our own file, with paths as arguments
            command,
            pass_fds=(lock,),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
            check=False,
        )
        if done.returncode:
            raise EmbeddedFailed(_failure(self.binary, done.stderr))


def _failure(binary: Path, words: bytes) -> str:
    text = words.decode("utf-8", "replace").strip()
    return f"the embedded store ({binary}) did not start:\n{text or '(it said nothing)'}"


def _recorded(data: Path) -> Path | None:
    """The folder of sockets that the present or last supervisor chose, if it is still there and ours."""
    try:
        text = (data / LOCK).read_bytes()
        folder = Path(os.fsdecode(text))
        return folder if text and _is_private(folder) else None
    except (OSError, ValueError):
        return None


def _runtime_folder(data: Path) -> Path:
    """A short folder for the sockets of one data folder, since a unix socket's path has little room.

    The temporary folder comes first: a session's runtime folder vanishes at logout, under servers that stay.
    """
    facts = data.stat()
    what = f"{data}\0{facts.st_dev}\0{facts.st_ino}".encode("utf-8", "surrogateescape")
    name = hashlib.sha256(what).hexdigest()[:12]
    for base in (tempfile.gettempdir(), os.environ.get("XDG_RUNTIME_DIR"), "/tmp"):  # noqa: S108 - made private
        if not base:
            continue
        folder = Path(base) / f"rookery-{os.geteuid()}" / name
        if len(os.fsencode(folder / supervisor.LEASE_SOCKET)) > SOCKET_PATH_LIMIT:
            continue
        with contextlib.suppress(OSError):
            _make_private(folder.parent)
            return folder
    raise EmbeddedFailed("no temporary folder is usable for sockets: too long a path, or it belongs to somebody else")


def _make_private(folder: Path) -> None:
    """Make a folder that only we can enter; OSError when one of somebody else stands in its place."""
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    if not _is_private(folder):
        raise PermissionError(0, "it belongs to somebody else, or others may enter it")


def _is_private(folder: Path) -> bool:
    facts = folder.lstat()
    return stat.S_ISDIR(facts.st_mode) and facts.st_uid == os.geteuid() and not facts.st_mode & 0o077
