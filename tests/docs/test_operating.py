"""``docs/operating.md`` against the code: settings, metrics, log fields, messages, the store's rights."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from service.keys import add_platform, new_keys, write_keys
from service.metrics import Metrics
from service.redis_talk import Counted
from service.settings import FLAGS, Settings
from tests.docs.pages import ANYTHING, DOCS, ROOT, run, table
from tests.service.live import Live
from tests.service.store.harness import Server

PAGE = DOCS / "operating.md"


def shown(default: object) -> str:
    if default in ("", None):
        return "–"
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    return f"`{int(default) if isinstance(default, float) and default.is_integer() else default}`"


def test_the_settings_are_the_code_s() -> None:
    choices = {name: f" ({', '.join(flag.choices)})" if flag.choices else "" for name, flag in FLAGS.items()}

    assert table(PAGE, "Settings") == [
        [f"`--{name.replace('_', '-')}`", shown(getattr(Settings(), name)), flag.help + choices[name]]
        for name, flag in FLAGS.items()
    ]


def test_the_metrics_are_the_code_s() -> None:
    told = {row[0].strip("`"): sorted(re.findall(r"`(\w+)`", row[1])) for row in table(PAGE, "Metrics")}
    metrics = Metrics()
    families = {found.name: found for found in metrics.registry.collect()}
    own = {
        f"{found._name}{'_total' if families[found._name].type == 'counter' else ''}": sorted(found._labelnames)
        for found in vars(metrics).values()
        if hasattr(found, "_labelnames")
    }

    assert told == own
    events = {value for name, value in vars(Counted).items() if name.isupper()}
    (row,) = (row for row in table(PAGE, "Metrics") if "store_events" in row[0])
    assert set(re.findall(r"`(\w+)`", row[2])) == events


def test_every_message_is_said_somewhere() -> None:
    source = "\n".join(path.read_text() for path in (ROOT / "service").glob("*.py"))
    # A message may be written over several lines.
    source = re.sub(r'"\s*\n\s*f?"', "", source)
    for message, _ in table(PAGE, "Troubleshooting"):
        for part in message.replace("`", "").split(ANYTHING):
            assert part.strip(" ;:()") in source, f"{message}: {part}"


@pytest.fixture
def shared(tmp_path: Path) -> Any:
    """A store of one's own whose user has the rights of the page, and a server on it."""
    rights = re.findall(r"`(~rookery:\S* [^`]+)`", PAGE.read_text())
    assert len(rights) == 1
    keys, key = add_platform(new_keys(), "dev", ("games.create", "games.read", "games.act"))
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "platform.key").write_text(key)
    write_keys(tmp_path / "keys.json", keys)
    with Server(tcp=True) as store:
        store.admin().execute_command("ACL", "SETUSER", "rookery", "on", ">secret", *rights[0].split())
        store.admin().execute_command("ACL", "SETUSER", "default", "off")
        url = f"redis://rookery:secret@127.0.0.1:{store.port}"
        with Live(tmp_path, "--redis-url", url, "--keys-file", str(tmp_path / "keys.json")) as live:
            yield live


def test_the_rights_of_the_page_are_enough_and_the_log_has_the_fields_of_the_page(shared: Live) -> None:
    run(DOCS / "client.md", shared)
    shared.stop()

    told = {name for row in table(PAGE, "Logs") for name in re.findall(r"`(\w+)`", row[0])}
    lines = [json.loads(line) for line in shared.log.read_text().splitlines() if line.startswith("{")]
    calls = [line for line in lines if line["event"] == "call"]
    assert len(calls) > 10
    assert {field for line in calls for field in line} <= told
    events = set(re.findall(r"`([\w.]+)`", table(PAGE, "Logs")[0][1]))
    assert {line["event"] for line in lines} <= events
    assert not re.search(r"rk_|eyJ|secret|CARD_|Bearer", shared.log.read_text())


def test_every_event_of_the_log_is_on_the_page() -> None:
    source = "\n".join(path.read_text() for path in (ROOT / "service").glob("*.py"))
    events = set(re.findall(r"""\blog\.(?:debug|info|warning|error|exception)\(\s*"([\w.]+)\"""", source))

    assert events | {"call", "library"} == set(re.findall(r"`([\w.]+)`", table(PAGE, "Logs")[0][1]))
