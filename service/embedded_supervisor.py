"""The small process that owns an embedded store: it starts the server, restarts it, and ends it with the last lease.

Run as a file, ``python -I -S embedded_supervisor.py LOCK_FD DATA RUNTIME BINARY FSYNC``, by ``service.embedded_lease``.
It imports only the standard library, and little of that: every process of the service waits for it.

Two locks keep two servers from ever writing to one data folder, however processes die. ``lock`` (inherited) is held
by the supervisor; ``server.lock`` is inherited by the server too, so it is free only when the last server is gone.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import selectors
import signal
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, cast

LEASE_SOCKET: Final = "lease.sock"
SERVER_SOCKET: Final = "s.sock"
SERVER_LOG: Final = "server.log"
SERVER_LOCK: Final = "server.lock"

FIRST_LEASE: Final = 10.0
"""Seconds that a supervisor waits for its first lease: who started it may have died."""
STOP_PATIENCE: Final = 60.0
"""Seconds that a server gets to write its data after SIGTERM."""
PROBE: Final = 0.003
LOOK: Final = 0.1
"""Seconds between looks at a server that is not our child."""
FIRST_DELAY: Final = 0.05
LAST_DELAY: Final = 2.0
STEADY: Final = 10.0
"""Seconds after which a started server counts as healthy, so that the next restart is quick again."""
ADOPT_AFTER: Final = 2.0 if sys.platform == "linux" else 0.0
"""Seconds before a server left over by a killed supervisor is adopted. On Linux the kernel ends it with its parent."""
LOG_LIMIT: Final = 1 << 20
TAIL: Final = 2000
_PR_SET_PDEATHSIG: Final = 1


class Supervisor:
    """One server, and the leases that keep it alive."""

    def __init__(self, data: Path, runtime: Path, binary: str, fsync: str) -> None:
        self._data = data
        self._binary = binary
        self._fsync = fsync
        self._lease_path = runtime / LEASE_SOCKET
        self._server_path = runtime / SERVER_SOCKET
        self._runtime = runtime
        self._server_lock = os.open(data / SERVER_LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        self._selector = selectors.DefaultSelector()
        self._leases: set[socket.socket] = set()
        self._had_lease = False
        self._born = time.monotonic()
        self._pid = 0
        self._adopted = False
        self._ready = False
        self._ever_ready = False
        self._started = self._born
        self._next_start = self._born
        self._failures = 0
        self._log_start = 0
        self._stopping = False
        self._failure = b""
        self._listener = self._listen()
        self._prctl = _load_prctl()

    def _listen(self) -> socket.socket:
        # We hold the lock, so whatever lies there belongs to nobody alive.
        self._lease_path.unlink(missing_ok=True)
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(os.fspath(self._lease_path))
        listener.listen(128)
        listener.settimeout(0)
        return listener

    def run(self) -> int:
        """Serve until the last lease is gone or a signal says so; the exit status."""
        waker = _watch_signals(self._signalled)
        self._selector.register(waker, selectors.EVENT_READ)
        self._selector.register(self._listener, selectors.EVENT_READ)
        while not (self._stopping or self._unused()):
            for key, _ in self._selector.select(self._pause()):
                if key.fileobj is self._listener:
                    self._accept()
                elif key.fileobj is waker:
                    waker.recv(4096)
                elif isinstance(key.fileobj, socket.socket):
                    self._hear(key.fileobj)
            self._reap()
        self._stop()
        return 1 if self._failure else 0

    def _signalled(self, number: int, frame: object) -> None:  # noqa: ARG002 - the shape of a handler
        self._stopping = True

    def _unused(self) -> bool:
        if self._leases:
            return False
        return self._had_lease or time.monotonic() - self._born >= FIRST_LEASE

    def _pause(self) -> float | None:
        """How long to sleep when nothing happens; None when there is nothing to look at."""
        pause = None if self._failure else self._tend()
        if self._had_lease:
            return pause
        first_lease = max(0.0, self._born + FIRST_LEASE - time.monotonic())
        return first_lease if pause is None else min(pause, first_lease)

    # -- leases

    def _accept(self) -> None:
        try:
            lease, _ = self._listener.accept()
        except OSError:
            return
        lease.settimeout(0)
        self._had_lease = True
        self._leases.add(lease)
        self._selector.register(lease, selectors.EVENT_READ)
        if self._ready:
            _tell(lease, b"ready\n")
        elif self._failure:
            self._tell_failure(lease)

    def _tell_failure(self, lease: socket.socket) -> None:
        _tell(lease, self._failure)
        self._drop(lease)

    def _drop(self, lease: socket.socket) -> None:
        self._selector.unregister(lease)
        self._leases.discard(lease)
        lease.close()

    def _hear(self, lease: socket.socket) -> None:
        """A lease says nothing; all it does is end, however its process ended."""
        try:
            alive = bool(lease.recv(64))
        except BlockingIOError:
            alive = True
        except OSError:
            alive = False
        if not alive:
            self._drop(lease)

    # -- the server

    def _tend(self) -> float | None:
        """Bring the server one step nearer to ready; seconds until the next look, None when there is no need."""
        now = time.monotonic()
        if self._adopted:
            if _try_lock(self._server_lock):
                self._adopted = self._ready = False
            return LOOK
        if self._pid:
            if not self._ready and self._answers():
                self._become_ready()
            return None if self._ready else PROBE
        if now < self._next_start:
            return self._next_start - now
        if _try_lock(self._server_lock):
            self._start()
            return PROBE
        if now - self._born >= ADOPT_AFTER and self._answers():
            self._adopted = True
            self._become_ready()
        return PROBE * 10

    def _become_ready(self) -> None:
        self._ready = self._ever_ready = True
        for lease in self._leases:
            _tell(lease, b"ready\n")

    def _answers(self) -> bool:
        return self._say(b"PING\r\n").startswith(b"+PONG")

    def _say(self, command: bytes) -> bytes:
        try:
            with socket.socket(socket.AF_UNIX) as client:
                client.settimeout(0.2)
                client.connect(os.fspath(self._server_path))
                client.sendall(command)
                return client.recv(64)
        except OSError:
            return b""

    def _start(self) -> None:
        self._started = time.monotonic()
        self._log_start = os.fstat(2).st_size
        parent = os.getpid()
        self._pid = os.fork()
        if self._pid:
            return
        try:
            self._become_server(parent)
        except OSError as error:
            os.write(2, f"cannot run {self._binary}: {error.strerror}\n".encode())
        finally:
            # Nothing of the supervisor may run on in the child.
            os._exit(127)

    def _become_server(self, parent: int) -> None:
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGCHLD, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)
        if self._prctl is not None:
            # SIGTERM and not SIGKILL: the server writes and syncs its log before it goes.
            self._prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
            if os.getppid() != parent:
                return
        os.set_inheritable(self._server_lock, True)  # noqa: FBT003
        os.execv(self._binary, self._command())  # noqa: S606 - the path was checked by who started us

    def _command(self) -> list[str]:
        options = {
            "port": "0",
            "unixsocket": os.fspath(self._server_path),
            "unixsocketperm": "700",
            "dir": os.fspath(self._data),
            "daemonize": "no",
            "supervised": "no",
            "logfile": "",
            "save": "",
            "appendonly": "yes",
            "appendfsync": self._fsync,
            "maxmemory-policy": "noeviction",
        }
        words = [word for name, value in options.items() for word in (f"--{name}", value)]
        return [self._binary, *words]

    def _reap(self) -> None:
        """Notice the end of our server. When its very first start failed, no restart would mend that."""
        if not self._pid or os.waitpid(self._pid, os.WNOHANG)[0] == 0:
            return
        now = time.monotonic()
        self._pid = 0
        self._ready = False
        self._failures = 0 if now - self._started > STEADY else self._failures + 1
        self._next_start = now + min(LAST_DELAY, FIRST_DELAY * 2**self._failures)
        if not self._ever_ready:
            # Who started us may still be on the way: the failure is kept for the first lease.
            self._failure = b"failed " + self._log_tail()
            for lease in tuple(self._leases):
                self._tell_failure(lease)

    def _log_tail(self) -> bytes:
        return os.pread(2, TAIL, max(self._log_start, os.fstat(2).st_size - TAIL))

    # -- the end

    def _stop(self) -> None:
        """End the server with its data on disk. New leases cannot get in any more: they wait for the lock."""
        self._lease_path.unlink(missing_ok=True)
        self._listener.close()
        if self._pid:
            os.kill(self._pid, signal.SIGTERM)
            if not _within(STOP_PATIENCE, lambda: os.waitpid(self._pid, os.WNOHANG)[0] != 0):
                os.kill(self._pid, signal.SIGKILL)
                os.waitpid(self._pid, 0)
        elif self._adopted:
            # Not by its number: that of a process that is not our child may belong to another one by now.
            self._say(b"SHUTDOWN\r\n")
            _within(STOP_PATIENCE, lambda: _try_lock(self._server_lock))
        self._server_path.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            self._runtime.rmdir()


def _load_prctl() -> Callable[[int, int], int] | None:
    """``prctl``, loaded before the fork because a forked child should import nothing; None where there is none."""
    if sys.platform != "linux":
        return None
    import ctypes

    return cast("Callable[[int, int], int]", ctypes.CDLL(None).prctl)


def _watch_signals(stop: Callable[[int, object], None]) -> socket.socket:
    """Turn signals into bytes on a socket, so that one ``select`` waits for everything."""
    waker, writer = socket.socketpair()
    waker.settimeout(0)
    writer.settimeout(0)
    signal.set_wakeup_fd(writer.detach(), warn_on_full_buffer=False)
    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
    return waker


def _tell(lease: socket.socket, text: bytes) -> None:
    # A lease that cannot be told has ended; that will be heard.
    with contextlib.suppress(OSError):
        lease.send(text)


def _try_lock(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _within(seconds: float, check: Callable[[], bool]) -> bool:
    end = time.monotonic() + seconds
    while not check():
        if time.monotonic() > end:
            return False
        time.sleep(PROBE)
    return True


def _open_log(data: Path) -> int:
    """The server's log, begun anew when it has grown long; one older log is kept."""
    path = data / SERVER_LOG
    with contextlib.suppress(FileNotFoundError):
        if path.stat().st_size > LOG_LIMIT:
            path.replace(f"{path}.old")
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)


def main(arguments: list[str]) -> int:
    """Set everything up, then go on in the background: status 0 means that leases may connect."""
    lock, data, runtime, binary, fsync = arguments
    os.umask(0o077)
    os.set_inheritable(int(lock), False)  # noqa: FBT003 - the server must not hold it
    log = _open_log(Path(data))
    supervisor = Supervisor(Path(data), Path(runtime), binary, fsync)
    # Where the sockets are, for processes whose environment names another temporary folder.
    os.ftruncate(int(lock), 0)
    os.pwrite(int(lock), os.fsencode(runtime), 0)
    if os.fork():
        # The starter waits for this process, so that no process has a child to reap later.
        return 0
    for standard in (1, 2):
        os.dup2(log, standard)
    os.chdir("/")
    return supervisor.run()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
