"""The store in the box: one server per data folder, as long as any process holds a lease, however processes die."""

from __future__ import annotations

import asyncio
import contextlib
import os
import tempfile
from pathlib import Path

import pytest

from service import embedded_supervisor
from service.embedded import EmbeddedFailed, take
from service.redis_store import RedisStore
from service.store import Created, GameKey
from tests.service.store.harness import HOUR_MS, PATIENCE, at, now_us, server_binary, until
from tests.service.store.holders import Holder, hold, say, server_pid, unlocked
from tests.service.store.processes import children_of, gone, parent_of

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
    lease = await asyncio.to_thread(take, server_binary(), data)
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


# -- what cannot work is said


def test_a_server_that_does_not_start_says_why(data: Path) -> None:
    hold(data).close()
    until(lambda: unlocked(data), "the first supervisor ends")
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
        with pytest.raises(EmbeddedFailed, match="did not become ready"):
            take(server_binary(), data, timeout=0.1)
