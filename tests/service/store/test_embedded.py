"""The store in the box: one server per data folder, as long as any process holds a lease, however processes die."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from service import embedded_lease, embedded_supervisor
from service.embedded import EmbeddedFailed, Lease, take
from service.embedded_lease import take_async
from service.redis_store import RedisStore
from service.store import Created, GameKey
from tests.service.store.harness import HOUR_MS, PATIENCE, at, children_of, now_us, server_binary, until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")

HOLDER = """
import sys
from pathlib import Path
from service.embedded import take
lease = take(Path(sys.argv[1]), Path(sys.argv[2]))
print(lease.url, flush=True)
sys.stdin.read()
lease.close()
"""


class Holder:
    """Another process that holds a lease until it is told to let go, or killed."""

    def __init__(self, data: Path) -> None:
        command = [sys.executable, "-c", HOLDER, str(server_binary()), str(data)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def url(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE)

    def __enter__(self) -> Holder:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.communicate(timeout=PATIENCE)


def hold(data: Path) -> Lease:
    return take(server_binary(), data, timeout=PATIENCE)


def say(lease: Lease | str, *words: str) -> str:
    """One command to the server, in plain words."""
    url = lease if isinstance(lease, str) else lease.url
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(PATIENCE)
        client.connect(url.removeprefix("unix://"))
        client.sendall(" ".join(words).encode() + b"\r\n")
        return client.recv(1 << 16).decode()


def server_pid(lease: Lease | str) -> int:
    return int(say(lease, "INFO", "server").partition("process_id:")[2].split()[0])


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def alive(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def gone(pid: int) -> None:
    until(lambda: not alive(pid), f"process {pid} ends")


@pytest.fixture
def data(tmp_path: Path) -> Iterator[Path]:
    """A data folder; whatever a failed test left running on it is ended, by the numbers in its own lock's folder."""
    folder = tmp_path / "data"
    yield folder
    until(lambda: not (folder / "lock").exists() or _unlocked(folder), "the supervisor ends")


def _unlocked(folder: Path, name: str = "lock") -> bool:
    with (folder / name).open("rb") as lock:
        return embedded_supervisor._try_lock(lock.fileno())


# -- starting and ending


def test_a_lease_starts_the_server_and_its_end_ends_it(data: Path) -> None:
    with hold(data) as lease:
        assert say(lease, "PING") == "+PONG\r\n"
        for name, value in {
            "port": "0",
            "appendonly": "yes",
            "appendfsync": "everysec",
            "maxmemory-policy": "noeviction",
        }.items():
            assert value in say(lease, "CONFIG", "GET", name).split()
        pid = server_pid(lease)
        path = Path(lease.url.removeprefix("unix://"))
        assert path.stat().st_mode & 0o077 == 0
        assert path.parent.stat().st_mode & 0o777 == 0o700
    gone(pid)
    until(lambda: not path.parent.exists(), "the runtime folder is removed")
    lease.close()


def test_a_second_lease_joins(data: Path) -> None:
    with hold(data) as first, hold(data) as second:
        assert first.url == second.url
        pid = server_pid(first)
        first.close()
        assert server_pid(second) == pid
    gone(pid)


def test_data_is_kept(data: Path) -> None:
    for turn in range(3):
        with hold(data) as lease:
            assert say(lease, "INCR", "turns") == f":{turn + 1}\r\n"


def test_other_folders_have_other_stores(tmp_path: Path) -> None:
    with hold(tmp_path / "a") as a, hold(tmp_path / "b") as b:
        say(a, "SET", "x", "1")
        assert a.url != b.url
        assert say(b, "EXISTS", "x") == ":0\r\n"


def test_two_names_of_one_folder_have_one_store(data: Path, tmp_path: Path) -> None:
    data.mkdir()
    (tmp_path / "alias").symlink_to(data)
    with hold(data) as a, hold(tmp_path / "alias") as b:
        assert a.url == b.url


def test_a_data_folder_with_a_long_path(tmp_path: Path) -> None:
    with hold(tmp_path / ("long " * 20) / ("x" * 200)) as lease:
        assert say(lease, "PING") == "+PONG\r\n"
        assert len(lease.url) < 110


async def test_the_whole_store_on_a_lease(data: Path, key: GameKey) -> None:
    lease = await take_async(server_binary(), data)
    store = await RedisStore.open(lease.url)
    made = await store.create(key, stamp=at(1), meta=b"", live=b"x", batch=b"", rank=now_us(), ttl_ms=HOUR_MS)
    assert made == Created()
    await store.close()
    lease.close()


# -- many processes


def test_8_processes_at_once_share_one_server(data: Path) -> None:
    with contextlib.ExitStack() as stack:
        holders = [stack.enter_context(Holder(data)) for _ in range(8)]
        urls = {holder.url() for holder in holders}
        (url,) = urls
        pid = server_pid(url)
        assert list(children_of(parent_of(pid))) == [pid]
    gone(pid)


def test_a_lease_during_the_shutdown_gets_a_new_server(data: Path) -> None:
    for turn in range(5):
        lease = hold(data)
        say(lease, "INCR", "turns")
        lease.close()
        with hold(data) as again:
            assert say(again, "GET", "turns") == f"${len(str(turn + 1))}\r\n{turn + 1}\r\n"


def test_leases_that_come_and_go_never_meet_two_servers(data: Path) -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(12):
            holder = stack.enter_context(Holder(data))
            assert say(holder.url(), "INCR", "turns").startswith(":")
            assert holder.process.stdin is not None
            holder.process.stdin.close()
            holder.process.stdin = None
    with hold(data) as lease:
        assert say(lease, "GET", "turns") == "$2\r\n12\r\n"


# -- sudden deaths


def test_sigkill_of_one_holder_changes_nothing(data: Path) -> None:
    with Holder(data) as one, Holder(data) as other:
        url = one.url()
        assert other.url() == url
        pid = server_pid(url)
        one.kill()
        assert server_pid(url) == pid
        hold(data).close()
        assert server_pid(url) == pid


def test_sigkill_of_the_last_holder_ends_the_server_with_its_data(data: Path) -> None:
    with Holder(data) as holder:
        url = holder.url()
        say(url, "SET", "kept", "yes")
        pid = server_pid(url)
        holder.kill()
        gone(pid)
    with hold(data) as lease:
        assert say(lease, "GET", "kept") == "$3\r\nyes\r\n"


def test_sigkill_of_the_supervisor_ends_the_server_and_a_new_one_takes_over(data: Path) -> None:
    with hold(data) as lease:
        say(lease, "SET", "kept", "yes")
        pid = server_pid(lease)
        os.kill(parent_of(pid), signal.SIGKILL)
        with hold(data) as again:
            assert say(again, "GET", "kept") == "$3\r\nyes\r\n"
            assert again.url == lease.url
            assert not alive(pid)
            assert server_pid(again) != pid


def test_no_second_server_starts_while_the_first_is_still_ending(data: Path) -> None:
    """The supervisor is dead, its server lives on (stopped here, as one that syncs a slow disk): its lock says so."""
    with hold(data) as lease:
        say(lease, "SET", "kept", "yes")
        pid = server_pid(lease)
        supervisor = parent_of(pid)
        os.kill(pid, signal.SIGSTOP)
        os.kill(supervisor, signal.SIGKILL)
        until(lambda: _unlocked(data), "the supervisor's lock is free")
        assert not _unlocked(data, "server.lock")
        os.kill(pid, signal.SIGCONT)
        with hold(data) as again:
            assert not alive(pid)
            assert say(again, "GET", "kept") == "$3\r\nyes\r\n"


async def test_a_kept_lease_survives_the_supervisor(data: Path, key: GameKey) -> None:
    lease = await take_async(server_binary(), data)
    keeper = asyncio.create_task(lease.keep())
    store = await RedisStore.open(lease.url)
    await store.create(key, stamp=at(1), meta=b"", live=b"x", batch=b"", rank=now_us(), ttl_ms=HOUR_MS)
    for _ in range(2):
        pid = server_pid(lease)
        os.kill(parent_of(pid), signal.SIGKILL)
        await asyncio.to_thread(gone, pid)
        await asyncio.to_thread(until, lambda: _answers(lease.url), "the server is back")
        stored = await store.load(key)
        assert stored is not None
        assert stored.live == b"x"
    await store.close()
    lease.close()
    await keeper


async def test_a_kept_lease_can_be_cancelled_first(data: Path) -> None:
    lease = await take_async(server_binary(), data)
    keeper = asyncio.create_task(lease.keep())
    await asyncio.sleep(0)
    keeper.cancel()
    with pytest.raises(asyncio.CancelledError):
        await keeper
    pid = server_pid(lease)
    lease.close()
    await asyncio.to_thread(gone, pid)


def _answers(url: str) -> bool:
    with contextlib.suppress(OSError):
        return say(url, "PING") == "+PONG\r\n"
    return False


async def test_sigkill_of_the_server_restarts_it(data: Path, key: GameKey) -> None:
    lease = await take_async(server_binary(), data, fsync="always")
    store = await RedisStore.open(lease.url)
    await store.create(key, stamp=at(1), meta=b"", live=b"x", batch=b"", rank=now_us(), ttl_ms=HOUR_MS)
    for _ in range(3):
        pid = server_pid(lease)
        supervisor = parent_of(pid)
        os.kill(pid, signal.SIGKILL)
        await asyncio.to_thread(gone, pid)
        await asyncio.to_thread(until, lambda: _answers(lease.url), "the server is back")
        assert parent_of(server_pid(lease)) == supervisor
        assert await store.load(key) is not None
    await store.close()
    lease.close()


def test_sigterm_of_the_supervisor_ends_the_server_cleanly(data: Path) -> None:
    with hold(data) as lease:
        say(lease, "SET", "kept", "yes")
        pid = server_pid(lease)
        supervisor = parent_of(pid)
        os.kill(supervisor, signal.SIGTERM)
        gone(supervisor)
        assert not alive(pid)
        assert "ready to exit" in (data / "server.log").read_text()
    with hold(data) as lease:
        assert say(lease, "GET", "kept") == "$3\r\nyes\r\n"


def test_a_starter_that_dies_before_its_lease_leaves_nothing(data: Path) -> None:
    """The supervisor runs, but who started it never comes: it waits a while, and goes."""
    start = start_of(data)
    code = (
        "import sys; from service import embedded_supervisor as s; s.FIRST_LEASE = 0.3; sys.exit(s.main(sys.argv[1:]))"
    )
    with start._lock() as lock:
        assert lock is not None
        words = map(str, (lock, data, start.runtime, start.binary, start.fsync))
        subprocess.run([sys.executable, "-c", code, *words], pass_fds=(lock,), check=True)
    until(lambda: _unlocked(data), "the supervisor ends")
    assert not start.runtime.exists()


def start_of(data: Path) -> embedded_lease._Start:
    """What a starter prepares before it launches anything."""
    data.mkdir()
    runtime = embedded_lease._runtime_folder(data)
    embedded_lease._make_private(runtime)
    return embedded_lease._Start(server_binary(), data, runtime, "no", PATIENCE)


def leave_server(data: Path) -> subprocess.Popen[bytes]:
    """A server that holds the lock of servers, as one whose supervisor was killed where no kernel ends it too."""
    runtime = start_of(data).runtime
    (data / "lock").write_bytes(os.fsencode(runtime))
    with (data / "server.lock").open("wb") as lock:
        assert embedded_supervisor._try_lock(lock.fileno())
        options = f"--port 0 --unixsocket {runtime / 's.sock'} --dir {data} --appendonly yes".split()
        return subprocess.Popen([str(server_binary()), *options], pass_fds=(lock.fileno(),), stdout=subprocess.DEVNULL)


def test_a_server_left_by_a_killed_supervisor_is_adopted(data: Path) -> None:
    with leave_server(data) as leftover:
        try:
            with hold(data) as lease:
                assert server_pid(lease) == leftover.pid
                assert say(lease, "SET", "kept", "yes") == "+OK\r\n"
                leftover.kill()
                leftover.wait(PATIENCE)
                until(lambda: _answers(lease.url), "a server of the supervisor's own")
                assert say(lease, "GET", "kept") == "$3\r\nyes\r\n"
        finally:
            leftover.kill()


def test_an_adopted_server_ends_with_the_last_lease(data: Path) -> None:
    with leave_server(data) as leftover:
        try:
            hold(data).close()
            assert leftover.wait(PATIENCE) == 0
        finally:
            leftover.kill()


# -- what cannot work is said


def test_a_server_that_does_not_start_says_why(data: Path) -> None:
    hold(data).close()
    until(lambda: _unlocked(data), "the first supervisor ends")
    (manifest,) = (data / "appendonlydir").glob("*.manifest")
    manifest.write_text("nonsense")
    with pytest.raises(EmbeddedFailed, match="AOF manifest"):
        hold(data)


def test_a_program_that_is_no_server(data: Path, tmp_path: Path) -> None:
    program = tmp_path / "not-a-server"
    program.write_text("#!/bin/sh\necho I am a teapot >&2\nexit 3\n")
    program.chmod(0o700)
    with pytest.raises(EmbeddedFailed, match="I am a teapot"):
        take(program, data, timeout=PATIENCE)
    with pytest.raises(EmbeddedFailed, match=r"cannot run .*No such file"):
        take(tmp_path / "missing", data, timeout=PATIENCE)


def test_a_data_folder_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    for path, words in ((tmp_path / "file", "File exists"), (tmp_path / "file" / "below", "Not a directory")):
        with pytest.raises(EmbeddedFailed, match=words):
            hold(path)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_data_folder_without_permission(data: Path) -> None:
    data.mkdir(mode=0o500)
    with pytest.raises(EmbeddedFailed, match="Permission denied"):
        hold(data)


def test_a_folder_of_sockets_that_others_can_enter_is_not_used(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    open_to_all = tmp_path / f"rookery-{os.geteuid()}"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    with hold(data) as lease:
        assert str(open_to_all) not in lease.url


def test_an_fsync_that_is_none(data: Path) -> None:
    with pytest.raises(EmbeddedFailed, match="always, everysec, no"):
        take(server_binary(), data, fsync="sometimes")


def test_a_supervisor_that_never_answers(data: Path) -> None:
    data.mkdir()
    with (data / "lock").open("wb") as lock:
        assert embedded_supervisor._try_lock(lock.fileno())
        began = time.monotonic()
        with pytest.raises(EmbeddedFailed, match="did not become ready"):
            take(server_binary(), data, timeout=0.1)
        assert time.monotonic() - began < PATIENCE
