"""`rookery play`: a person in a terminal against bots, by the public protocol alone."""

from __future__ import annotations

import contextlib
import os
import pty
import random
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from clients.text.page import WIDTH, width
from clients.text.words import LANGUAGES
from engine.core import installed
from service.resources import BotLevel
from tests.docs.pages import README, section, texts
from tests.service.live import Live
from tests.service.store.harness import PATIENCE, until

GAMES = installed().game_types
# More lines than any game asks for; the rest is never read.
LINES = 4000
TIMEOUT = 120.0
PLAY = (sys.executable, "-m", "service.main", "play")


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with Live(tmp_path_factory.mktemp("play"), "--bot-budget", "0.01", bot_workers=1) as running:
        yield running


def at(live: Live) -> tuple[str, ...]:
    """Where to play."""
    return "--server", live.grpc, "--key-file", str(live.folder / "data" / "platform.key")


def played(*arguments: str, said: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """A whole run with everything typed in advance."""
    return subprocess.run(
        [*PLAY, *arguments],
        input=said,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=TIMEOUT,
        env={**os.environ, "PYTHONUTF8": "1", **environment},
        check=False,
    )


def numbers(seed: str) -> str:
    """Mostly numbers of offers, and now and then something else."""
    rng = random.Random(seed)
    said = ("u", "1", "1", "2", "3", "4", "5", "0", "-1", "t", "?", "", " ", "queen", "1 2", "²", "\x1b[A", "{0}", "席")
    return "999\n" + "".join(f"{rng.choice(said)}\n" for _ in range(LINES))


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_played_to_its_end(live: Live, game: str) -> None:
    done = played(game, *at(live), said=numbers(game))

    assert (done.returncode, done.stderr) == (0, "")
    assert "The game is over." in done.stdout
    assert re.search(r"^1\. (You|Bot \d) \(seat \d\): -?\d+", done.stdout, re.MULTILINE)
    assert "There is no offer 999." in done.stdout
    assert "Traceback" not in done.stdout
    assert "\x1b" not in done.stdout
    prompt = "Number, ? for help, q to leave > "
    assert all(width(line.removeprefix(prompt)) <= WIDTH for line in done.stdout.split("\n"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_every_language(live: Live, language: str) -> None:
    done = played("sevens", *at(live), "--lang", language, said="1\n" * LINES)

    title = installed().get("sevens").messages()[language]["title"]
    over = {"en": "over", "es": "terminado", "ja": "終了", "zh-Hans": "结束", "zh-Hant": "結束"}[language]
    assert (done.returncode, done.stderr) == (0, "")
    assert title in done.stdout
    assert over in done.stdout


def test_the_levels_and_the_languages_are_the_protocol_s(live: Live) -> None:
    for level in ("random", "strong"):
        done = played("sevens", *at(live), "--level", level, "--seats", "4", "--seat", "2", said="1\n" * LINES)
        assert done.returncode == 0
        assert "You (seat 2)" in done.stdout
    assert set(LANGUAGES) == set(installed().get("sevens").messages())
    assert {level.name.lower() for level in BotLevel if level} == {"random", "basic", "strong"}


def test_options_are_said_by_name(live: Live) -> None:
    done = played("sevens", *at(live), "--option", "pass_limit=0", "--option", "decks=2", "--seats", "4", said="q\n")
    assert done.returncode == 0
    # Two packs of 52, and nobody has a pass.
    assert re.search(r"2[2-5] face down", done.stdout)
    assert "Pass ×" not in done.stdout


def test_an_offer_by_its_name_and_leaving(live: Live) -> None:
    done = played("euchre", *at(live), "--option", "first_dealer=3", said="?\npass\nq\n")
    assert done.returncode == 0
    assert "Pass [pass]" in done.stdout
    assert "Seat 0 passes." in done.stdout
    assert done.stdout.endswith("You leave the table.\n")


def test_taking_an_answer_back(tmp_path: Path) -> None:
    """Where no bot acts meanwhile: first there is nothing to take back, then one answer, then nothing again."""
    with Live(tmp_path, bot_workers=0) as quiet:
        done = played("wingspan", *at(quiet), said="u\n1\nu\nu\nq\n")
    assert (done.returncode, done.stderr) == (0, "")
    late = "It is too late to take that back."
    parts = re.split(r"You keep |Seat 0 takes its last answers back", done.stdout)
    assert [part.count(late) for part in parts] == [1, 0, 1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("chess",), ("there is no game 'chess'", "euchre", "wingspan")),
        (("../games",), ("there is no game '../games'",)),
        (("euchre", "--seats", "3"), ("--seats: euchre takes 4, not 3",)),
        (("euchre", "--seats", "0"), ("--seats: euchre takes 4, not 0",)),
        (("euchre", "--seat", "4"), ("--seat: must be from 0 to 3",)),
        (("euchre", "--seat", "-1"), ("--seat: must be from 0 to 3",)),
        (("euchre", "--option", "jokers=1"), ("--option: there is no 'jokers'", "target_score")),
        (("euchre", "--option", "target_score=6"), ("target_score must be one of 5, 7, 10, 11, 15, not '6'",)),
        (("euchre", "--option", "benny"), ("benny must be one of false, true, not ''",)),
        (("paint_the_roses", "--option", "x=1"), ("there is no 'x', but none at all",)),
    ],
)
def test_what_cannot_be_played_is_said(live: Live, arguments: tuple[str, ...], words: tuple[str, ...]) -> None:
    done = played(*arguments, *at(live))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert all(word in done.stderr for word in ("rookery: ", *words))


def test_a_server_that_cannot_be_used_is_said(live: Live, tmp_path: Path) -> None:
    wrong = tmp_path / "key"
    wrong.write_text("rk_dev_wrong")
    for arguments in (("--server", live.grpc), ("--server", live.grpc, "--key-file", str(wrong))):
        done = played("euchre", *arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("rookery: ")
        assert "wrong" not in done.stderr


def test_a_key_without_its_server_is_not_ignored(tmp_path: Path) -> None:
    done = played("euchre", "--key-file", str(tmp_path / "key"))
    assert (done.returncode, done.stdout) == (2, "")
    assert "--server" in done.stderr


def test_a_terminal_that_knows_ascii_only(live: Live) -> None:
    plain = {"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    done = played("euchre", *at(live), "--option", "first_dealer=3", said="1\nq\n", **plain)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"Upcard: (9|10|[JQKA])\?", done.stdout)


def test_nobody_reads_what_it_says(live: Live) -> None:
    with subprocess.Popen([*PLAY, "euchre", *at(live)], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.close()
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(b"1\n" * LINES)
            process.stdin.close()
        assert process.wait(TIMEOUT) == 0


# A service of one's own


def of_own(folder: str) -> list[int]:
    """The processes whose command line names the folder."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if folder.encode() in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
    return found


class Terminal:
    """A run of the command at a pseudo-terminal."""

    def __init__(self, *arguments: str, folder: Path) -> None:
        self._master, slave = pty.openpty()
        environment = {**os.environ, "TMPDIR": str(folder), "PYTHONUTF8": "1"}
        self.process = subprocess.Popen(
            [*PLAY, *arguments], stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True
        )
        os.close(slave)
        self.seen = ""

    def read(self, wanted: str) -> None:
        """Read until the text has come."""
        deadline = time.monotonic() + PATIENCE
        while wanted not in self.seen:
            assert time.monotonic() < deadline, self.seen
            if select.select([self._master], [], [], 0.1)[0]:
                try:
                    self.seen += os.read(self._master, 4096).decode(errors="replace")
                except OSError:
                    break
        assert wanted in self.seen, self.seen

    def type(self, text: str) -> None:
        """What the person types; what was shown before is not looked at again."""
        self.seen = ""
        os.write(self._master, text.encode())

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._master)


@pytest.fixture
def folder() -> Iterator[Path]:
    # A short name: sockets live in it.
    with tempfile.TemporaryDirectory(prefix="rk-") as made:
        yield Path(made)


@pytest.mark.parametrize("way", ["q", "end", "interrupt", "kill"])
@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_it_brings_its_own_service_along_and_takes_it_away(folder: Path, way: str) -> None:
    terminal = Terminal("euchre", "--option", "first_dealer=3", folder=folder)
    try:
        terminal.read("> ")
        assert "Shall the upcard's suit be trump?" in terminal.seen
        assert of_own(str(folder))
        terminal.type("1\r")
        terminal.read("Seat 1 ")
        terminal.read("> ")
        if way in ("kill", "interrupt"):
            terminal.process.send_signal(signal.SIGKILL if way == "kill" else signal.SIGINT)
        else:
            terminal.type({"q": "q\r", "end": "\x04"}[way])
        terminal.process.wait(PATIENCE)
        assert terminal.process.returncode == {"q": 0, "end": 0, "interrupt": 130, "kill": -signal.SIGKILL}[way]
        until(lambda: not of_own(str(folder)), "every process is gone")
        if way != "kill":
            assert not list(folder.glob("rookery-play-*"))
    finally:
        terminal.close()


def test_the_picture_in_the_readme_is_what_it_looks_like(live: Live) -> None:
    (picture,) = texts(section(README, "Play in the terminal"), "text")
    done = played("euchre", *at(live), "--option", "first_dealer=3", said="1\nq\n")

    def without_cards(shown: str) -> list[str]:
        # What is typed is not echoed in a pipe, and bots decide as they like, and when they like.
        shown = "".join(shown.replace("> 1\n", "> ").partition("Seat 0 passes.")[:2])
        return [re.sub(r"(?:10|[2-9JQKA])[♣♦♥♠]", "CARD", line) for line in shown.strip().splitlines()]

    assert without_cards(picture) == without_cards(done.stdout)
