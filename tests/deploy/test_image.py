"""No container engine is needed: what the image and the compose file would run is run here by hand."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from tests.deploy.dockerfile import ROOT, read_image
from tests.service.store.harness import Server, free_port

IMAGE = read_image()
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text())
SERVICES: dict[str, Any] = COMPOSE["services"]


def environment(installed: Path, **more: str) -> dict[str, str]:
    """What the image sets, with the installed program where the image has it, and nothing of ours."""
    assert IMAGE.environment["PATH"] == "/opt/rookery/bin:$PATH"
    own = {key: value for key, value in os.environ.items() if not key.startswith(("ROOKERY_", "PYTHON"))}
    return {**own, **IMAGE.environment, "PATH": f"{installed}:{os.environ['PATH']}", **more}


def entry(*command: str) -> list[str]:
    """The entry point without the init, which only passes signals on and reaps."""
    assert IMAGE.entrypoint[:2] == ("tini", "--")
    return [*IMAGE.entrypoint[2:], *command]


def store_options() -> list[str]:
    program: str
    options: list[str]
    program, *options = SERVICES["valkey"]["command"]
    assert program == "valkey-server"
    return options


def make_keys(installed: Path, folder: Path) -> None:
    """What the service ``keys`` of the compose file does."""
    service = SERVICES["keys"]
    (script,) = service["command"]
    command = [*service["entrypoint"], script.replace("/keys/", f"{folder}/")]
    keys = str(folder / "keys.json")
    assert service["environment"] == {"ROOKERY_KEYS_FILE": "/keys/keys.json"}
    variables = environment(installed, ROOKERY_KEYS_FILE=keys)
    subprocess.run(command, env=variables, check=True, timeout=30, capture_output=True)


def healthy(variables: dict[str, str]) -> bool:
    return subprocess.run(IMAGE.health, env=variables, timeout=20, check=False, capture_output=True).returncode == 0


def wait(variables: dict[str, str], process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + 60
    while not healthy(variables):
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < end, log.read_text()
        time.sleep(0.1)


def test_the_image_starts_on_a_given_store_becomes_healthy_and_stops(installed: Path, tmp_path: Path) -> None:
    with Server(*store_options(), tcp=True) as store:
        make_keys(installed, tmp_path)
        variables = environment(
            installed,
            ROOKERY_REDIS_URL=f"redis://127.0.0.1:{store.port}",
            ROOKERY_KEYS_FILE=str(tmp_path / "keys.json"),
            ROOKERY_HTTP_ADDRESS=f"127.0.0.1:{free_port()}",
            ROOKERY_GRPC_ADDRESS=f"127.0.0.1:{free_port()}",
            ROOKERY_DATA_DIR=str(tmp_path / "unused"),
        )
        assert not healthy(variables)
        log = tmp_path / "log"
        with log.open("wb") as said:
            process = subprocess.Popen(entry(*IMAGE.command), env=variables, cwd=tmp_path, stdout=said, stderr=said)
        try:
            wait(variables, process, log)
            game = create(variables["ROOKERY_HTTP_ADDRESS"], (tmp_path / "platform.key").read_text().strip())
            assert game["version"] == 1
            process.send_signal(signal.SIGTERM)
            assert process.wait(30) == 0
        finally:
            process.kill()
            process.wait(10)
        assert not (tmp_path / "unused").exists()
    events = [json.loads(line)["event"] for line in log.read_text().splitlines() if line.startswith("{")]
    # The sweeper and the worker of the bots begin beside the calls: how far they have come by now is chance.
    beside = {"clocks_resumed", "bots_ready", "bots_stopped"}
    assert [event for event in events if event not in beside] == ["ready", "call", "draining", "stopped"]


def create(address: str, key: str) -> dict[str, Any]:
    made = httpx.post(
        f"http://{address}/v1/games",
        headers={"authorization": f"Bearer {key}"},
        json={"gameType": "sevens", "seats": [{}, {}, {}]},
        timeout=20,
    )
    assert made.status_code == 200, made.text
    game: dict[str, Any] = made.json()["game"]
    return game


def test_keys_are_made_once(installed: Path, tmp_path: Path) -> None:
    make_keys(installed, tmp_path)
    first = (tmp_path / "keys.json").read_bytes(), (tmp_path / "platform.key").read_bytes()
    make_keys(installed, tmp_path)

    assert ((tmp_path / "keys.json").read_bytes(), (tmp_path / "platform.key").read_bytes()) == first
    assert first[1].startswith(b"rk_")
    assert {path.stat().st_mode & 0o077 for path in (tmp_path / "keys.json", tmp_path / "platform.key")} == {0}


def test_the_image_is_not_root_and_the_health_check_asks_for_readiness() -> None:
    assert IMAGE.user.split(":")[0] not in ("", "0", "root")
    assert "/readyz" in IMAGE.health[-1]


@pytest.mark.parametrize("name", ["rookery-1", "rookery-2"])
def test_compose_gives_the_replicas_one_store_and_one_set_of_keys(name: str) -> None:
    service = SERVICES[name]
    assert service["environment"]["ROOKERY_REDIS_URL"] == "redis://valkey:6379"
    assert service["environment"]["ROOKERY_KEYS_FILE"] == SERVICES["keys"]["environment"]["ROOKERY_KEYS_FILE"]
    assert service["volumes"] == SERVICES["keys"]["volumes"]
    assert service["image"] == SERVICES["keys"]["image"]
    assert service["depends_on"]["keys"]["condition"] == "service_completed_successfully"
    assert int(service["stop_grace_period"].removesuffix("s")) > 10 + 5


def test_the_build_context_holds_what_the_dockerfile_copies() -> None:
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    for line in (ROOT / "Dockerfile").read_text().splitlines():
        if line.startswith("COPY ") and "--from" not in line:
            assert set(line.split()[1:-1]) <= kept, line
