"""The embedded store when processes around it die suddenly."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from service import embedded_lease, embedded_supervisor
from service.embedded_lease import take
from service.redis_store import RedisStore
from service.store import GameKey
from tests.service.store.harness import HOUR_MS, PATIENCE, at, now_us, server_binary, until
from tests.service.store.holders import Holder, hold, say, server_pid, unlocked
from tests.service.store.processes import alive, gone, parent_of

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
        until(lambda: unlocked(data), "the supervisor's lock is free")
        assert not unlocked(data, "server.lock")
        os.kill(pid, signal.SIGCONT)
        with hold(data) as again:
            assert not alive(pid)
            assert say(again, "GET", "kept") == "$3\r\nyes\r\n"


async def test_a_kept_lease_survives_the_supervisor(data: Path, key: GameKey) -> None:
    lease = await asyncio.to_thread(take, server_binary(), data)
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
    lease = await asyncio.to_thread(take, server_binary(), data)
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
    lease = await asyncio.to_thread(take, server_binary(), data, fsync="always")
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
    until(lambda: unlocked(data), "the supervisor ends")
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
