"""What the server says when it cannot begin, and where it is when it can."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from service.settings import FLAGS, InvalidSetting, Settings, as_environment, check_keys, read_settings
from tests.service.live import TRANSPORTS, Live
from tests.service.store.harness import PATIENCE


def serve(*flags: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A server that cannot start: its exit code and what it says."""
    command = [sys.executable, "-m", "service.main", "serve"]
    defaults = ["--data-dir", str(folder / "data"), "--grpc-address", "127.0.0.1:0", "--http-address", "127.0.0.1:0"]
    clean = {key: value for key, value in os.environ.items() if not key.startswith("ROOKERY_")}
    return subprocess.run(
        [*command, *defaults, *flags],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env=clean,
        check=False,
    )


def complained(done: subprocess.CompletedProcess[str], *words: str) -> None:
    assert done.returncode == 2, done
    assert "Traceback" not in done.stderr
    last = done.stderr.strip().splitlines()[-1]
    for word in words:
        assert word in last


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("flag", ["--grpc-address", "--http-address"])
def test_an_address_in_use_is_named(flag: str, transport: str, workers: str, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        done = serve(flag, address, "--grpc-transport", transport, "--workers", workers, folder=tmp_path)
    complained(done, "cannot listen on", address)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_data_folder_that_cannot_be_used_is_named(workers: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = serve("--data-dir", str(tmp_path / "file" / "data"), "--workers", workers, folder=tmp_path)
    complained(done, str(tmp_path / "file"))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_data_folder_that_is_not_ours_to_write_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir(mode=0o500)
    complained(serve(folder=tmp_path), "data folder")


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--redis-url", "nonsense", "--keys-file", "{keys}"), ("--redis-url",)),
        (("--redis-url", "redis://127.0.0.1:1", "--keys-file", "{keys}"), ("cannot be reached",)),
        (("--keys-file", "{folder}/none.json"), ("none.json",)),
        (("--keys-file", "{folder}/broken"), ("broken",)),
        (("--jwks", "{folder}/none.json"), ("--jwks", "none.json")),
        (("--jwks", "{folder}/broken"), ("--jwks", "broken")),
        (("--ready-file", "{folder}/none/ready.json"), ("none",)),
    ],
)
def test_what_cannot_be_used_is_named(flags: tuple[str, ...], words: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "broken").write_text("{")
    keys = tmp_path / "keys.json"
    made = subprocess.run(
        [sys.executable, "-m", "service.main", "keys", "create", "--tenant", "t", "--keys-file", str(keys)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    done = serve(*(flag.format(keys=keys, folder=tmp_path) for flag in flags), folder=tmp_path)
    complained(done, *words)
    assert made.stdout.strip() not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("grpc_address", "50051"),
        ("http_address", "127.0.0.1:70000"),
        ("http_address", "127.0.0.1:http"),
        ("workers", "0"),
        ("workers", "two"),
        ("workers", "100000"),
        ("bot_workers", "-1"),
        ("bot_workers", "1.5"),
        ("bot_budget", "0"),
        ("bot_budget", "nan"),
        ("grace", "-1"),
        ("grace", "nan"),
        ("keep", "1"),
        ("keep", "inf"),
        ("token_ttl", "inf"),
        ("clock_grace", "-1"),
        ("max_body", "0"),
        ("grpc_transport", "http3"),
        ("store_fsync", "sometimes"),
        ("log_level", "loud"),
        ("log_format", "xml"),
        ("allow_seed", "perhaps"),
        ("redis_url", "redis://127.0.0.1:6379"),
    ],
)
def test_a_bad_setting_is_named(name: str, value: str) -> None:
    with pytest.raises(InvalidSetting, match=f"--{name.replace('_', '-')}"):
        check_keys(read_settings({}, {f"ROOKERY_{name.upper()}": value}))
    if name != "allow_seed":
        with pytest.raises(InvalidSetting, match=f"--{name.replace('_', '-')}"):
            check_keys(read_settings({name: value}, {}))


SAID = {
    "grpc_address": "127.0.0.1:1",
    "http_address": "[::1]:2",
    "data_dir": "/somewhere",
    "redis_url": "redis://localhost",
    "store_fsync": "always",
    "keys_file": "/keys.json",
    "workers": "3",
    "bot_workers": "4",
    "bot_budget": "0.2",
    "grpc_transport": "native",
    "ready_file": "/ready",
    "grace": "1.5",
    "keep": "61",
    "token_ttl": "62",
    "clock_grace": "63",
    "allow_seed": "true",
    "allow_position": "yes",
    "cors_origins": "https://example.org",
    "max_body": "2048",
    "jwks": "/jwks.json",
    "jwt_issuer": "me",
    "jwt_audience": "you",
    "log_level": "error",
    "log_format": "console",
}


def test_environment_variables_are_the_flags() -> None:
    assert SAID.keys() == FLAGS.keys()
    flags = read_settings(SAID, {})
    variables = read_settings({}, {f"ROOKERY_{name.upper()}": value for name, value in SAID.items()})

    assert flags == variables
    assert all(getattr(flags, name) != getattr(Settings(), name) for name in FLAGS)
    # What the workers are told is what was said.
    assert read_settings({}, as_environment(flags)) == flags
    # A flag goes before a variable.
    assert read_settings({"workers": "5"}, {"ROOKERY_WORKERS": "4"}).workers == 5


def test_port_0_and_the_ready_file(tmp_path: Path) -> None:
    live = Live(tmp_path)
    live.grpc, live.http = "127.0.0.1:0", "http://127.0.0.1:0"
    with live:
        ready = httpx.Response(200, content=(tmp_path / "ready.json").read_bytes()).json()
        assert ready.keys() == {"grpc", "http", "platform_key_file"}
        assert Path(ready["platform_key_file"]).read_text().strip() == live.platform_key
        ports = [int(ready[side].rpartition(":")[2]) for side in ("grpc", "http")]
        assert all(ports)
        for port in ports:
            socket.create_connection(("127.0.0.1", port), timeout=PATIENCE).close()
