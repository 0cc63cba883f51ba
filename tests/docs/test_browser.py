"""The script for browsers of ``docs/watching.md``, run as printed by node with an event source of its own."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.docs.pages import DOCS, blocks
from tests.service.live import Live, body

# What a browser has and node 20 has not. Clock and network are the test's: there are no pauses, and as many calls as
# `offline` says fail before the first one comes through.
BROWSER = """
const [game, token, version, offline] = process.argv.slice(2);
let failures = Number(offline);
const setTimeout = (then) => setImmediate(then);
const fetch = (...asked) => (failures-- > 0 ? Promise.reject(new TypeError("offline")) : globalThis.fetch(...asked));

class EventSource {
  #heard = {};
  #ends = new AbortController();
  constructor(address) {
    this.#read(address).catch(() => 0).then(() => this.#ends.signal.aborted || this.#heard.error({}));
  }
  addEventListener(kind, then) { this.#heard[kind] = then; }
  close() { this.#ends.abort(); }
  async #read(address) {
    const answer = await fetch(address, {headers: {Accept: "text/event-stream"}, signal: this.#ends.signal});
    for (const event of (answer.ok ? await answer.text() : "").split("\\n\\n").filter(Boolean)) {
      const told = Object.fromEntries(event.split("\\n").map((line) => line.split(/: (.*)/s)));
      this.#heard[told.event]({data: told.data, lastEventId: told.id});
    }
  }
}

const show = (kind, said) => console.log(JSON.stringify([kind, said]));
watch(game, token, show, version ? Number(version) : undefined);
"""


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    with Live(tmp_path_factory.mktemp("browser")) as running:
        yield running


class Page:
    """A finished game, and the script of the page."""

    def __init__(self, live: Live) -> None:
        self._live = live
        made = self.post("/v1/games", body(4, "euchre"))
        self._name = made["game"]["name"]
        self._token = made["seatTokens"][1]["token"]
        self.post(f"/v1/{self._name}/seats/0:setController", {"controller": "CONTROLLER_RESIGNED"})

    def post(self, path: str, said: Any) -> Any:
        headers = {"authorization": f"Bearer {self._live.platform_key}"}
        answer = httpx.post(self._live.http + path, json=said, headers=headers)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def revoke(self) -> None:
        self.post(f"/v1/{self._name}:issueTokens", {"seats": [1], "revoke": True})

    def watch(self, folder: Path, version: str = "", offline: int = 0) -> list[Any]:
        """What the script shows until it stops by itself."""
        (script,) = (
            block.text for block in blocks((DOCS / "watching.md").read_text()) if block.language == "javascript"
        )
        (folder / "page.mjs").write_text(script + BROWSER)
        command = ["node", "page.mjs", f"{self._live.http}/v1/{self._name}", self._token, version, str(offline)]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=20, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize(
    ("version", "offline", "kinds"),
    [
        ("", 0, ["snapshot", "ended"]),
        ("1", 0, ["change", "ended"]),
        ("2", 0, ["ended"]),
        # The store has lost its last writes, of which a browser cannot read.
        ("99", 0, ["snapshot", "ended"]),
        # In a tunnel.
        ("1", 3, ["change", "ended"]),
    ],
)
def test_the_page_hears_of_the_end(live: Live, tmp_path: Path, version: str, offline: int, kinds: list[str]) -> None:
    assert [kind for kind, _ in Page(live).watch(tmp_path, version, offline)] == kinds


def test_the_page_gives_up_with_a_token_that_is_no_good(live: Live, tmp_path: Path) -> None:
    page = Page(live)
    page.revoke()

    ((kind, error),) = page.watch(tmp_path)

    assert (kind, error["details"][0]["reason"]) == ("refused", "TOKEN_REVOKED")
