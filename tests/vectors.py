"""Worked examples from Markdown files, run against the engine: ``python -m tests.vectors FILE.md …``.

The game is chosen by the file's name (``sevens.md``), or by its folder's if the file is called ``examples.md``. The
examples stand in fences that begin with ```` ```json ````, one JSON object or several in a row each. A line is printed
for each example that fails, then ``N passed, N failed``; the exit code is 1 if anything failed.

**What a game adds**: one module, ``tests/games/<game>/vectors.py``, with a table of functions by the examples'
``kind`` (an example without a kind looks for ``""``)::

    KINDS: Kinds = {"state": state, ...}

    def state(example: Example) -> Checks:
        position = ...example.take("hands")...        # set the board, make the moves
        return {
            "turn": lambda _: position.turn,          # a check answers the actual value
            "legal": lambda expected: alike(expected, legal),
        }

A function *takes* every field that it understands and answers one check for every key of ``expect`` that it
understands. A check is given the expected value and answers the actual one, in the same form; the runner compares.
``alike`` is for lists without an order. A check like ``illegal`` answers those of the expected moves that are refused.

Nothing is skipped: a field that nobody took, a key of ``expect`` without a check, a kind, a game or a file without
examples, and anything that raises counts as failed.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

Check = Callable[[Any], Any]
Checks = Mapping[str, Check]

_FENCE = re.compile(r"^(?P<ticks>`{3,})json\b[^\n]*\n(?P<body>.*?)^(?P=ticks)\s*$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#+\s+(.*)$", re.MULTILINE)
_REQUIRED = object()


class Example:
    """One worked example. What is taken from it is remembered, so that nothing in it is overlooked."""

    def __init__(self, name: str, fields: dict[str, Any]) -> None:
        self.name = name
        self._fields = fields
        self._taken: set[str] = {"id", "kind", "expect"}

    @property
    def kind(self) -> str:
        """Which function of the game's module runs it."""
        return str(self._fields.get("kind", ""))

    @property
    def expect(self) -> dict[str, Any]:
        """The expected values, by key. Raises KeyError if nothing is expected."""
        return dict(self._fields["expect"])

    @property
    def left(self) -> list[str]:
        """The fields that nobody took, sorted."""
        return sorted(self._fields.keys() - self._taken)

    def take(self, key: str, default: Any = _REQUIRED) -> Any:
        """The field ``key``. Raises KeyError if it is missing and has no default."""
        self._taken.add(key)
        if default is _REQUIRED:
            return self._fields[key]
        return self._fields.get(key, default)


Kinds = Mapping[str, Callable[[Example], Checks]]


class Verdict(NamedTuple):
    """How an example went; ``faults`` is empty if it passed."""

    name: str
    faults: tuple[str, ...] = ()


def alike(expected: Iterable[Any], actual: Iterable[Any]) -> list[Any]:
    """``actual``, put in the order of ``expected`` when both hold the same values equally often."""
    wanted, found = list(expected), list(actual)
    return wanted if Counter(wanted) == Counter(found) else found


def run_file(path: Path) -> list[Verdict]:
    """Run every example of the file."""
    try:
        kinds = kinds_of(game_of(path))
        examples = list(read_examples(path.read_text(encoding="utf-8")))
    except (LookupError, OSError, TypeError, ValueError) as error:
        return [Verdict(path.name, (str(error),))]
    if not examples:
        return [Verdict(path.name, ("no example in it",))]
    return [run_example(example, kinds) for example in examples]


def game_of(path: Path) -> str:
    """The game type that a file of examples is about."""
    return path.resolve().parent.name if path.stem == "examples" else path.stem


def kinds_of(game_type: str) -> Kinds:
    """The functions of the game's module, by kind. Raises LookupError if there is no such module."""
    name = f"tests.games.{game_type}.vectors"
    if find_spec(f"tests.games.{game_type}") is None or find_spec(name) is None:
        raise LookupError(f"there is no module {name}")
    kinds: Kinds = import_module(name).KINDS
    return kinds


def read_examples(text: str) -> Iterator[Example]:
    """The examples of a Markdown text, in order. Raises ValueError or TypeError if a fence holds
    anything but JSON objects."""
    for fence in _FENCE.finditer(text):
        headings = _HEADING.findall(text, 0, fence.start())
        for fields in _objects(fence["body"]):
            yield Example(str(fields.get("id", headings[-1] if headings else "?")), fields)


def _objects(body: str) -> Iterator[dict[str, Any]]:
    decoder = json.JSONDecoder()
    while body := body.lstrip():
        value, end = decoder.raw_decode(body)
        if not isinstance(value, dict):
            raise TypeError(f"an example must be an object: {body[:60]}")
        yield value
        body = body[end:]


def run_example(example: Example, kinds: Kinds) -> Verdict:
    """Run one example."""
    if example.kind not in kinds:
        return Verdict(example.name, (f"nothing runs the kind {example.kind!r}",))
    try:
        return Verdict(example.name, tuple(_faults(example, kinds[example.kind])))
    except Exception as error:  # whatever stops an example is a failure of that example alone
        return Verdict(example.name, (f"raised {type(error).__name__}: {error}",))


def _faults(example: Example, run: Callable[[Example], Checks]) -> Iterator[str]:
    checks = run(example)
    for field in example.left:
        yield f"nothing reads the field {field!r}"
    if not example.expect:
        yield "nothing is expected"
    for key, expected in example.expect.items():
        if key not in checks:
            yield f"nothing checks {key!r}"
            continue
        # Through JSON, so that tuples and whole-number keys compare as the example writes them.
        actual = json.loads(json.dumps(checks[key](expected)))
        if actual != expected:
            yield f"{key}: expected {json.dumps(expected)}, actual {json.dumps(actual)}"


def main(arguments: list[str]) -> int:
    """Run the files, print what failed and the count."""
    verdicts = [verdict for argument in arguments for verdict in run_file(Path(argument))]
    failed = [verdict for verdict in verdicts if verdict.faults]
    for verdict in failed:
        sys.stdout.write(f"FAILED {verdict.name}: {'; '.join(verdict.faults)}\n")
    sys.stdout.write(f"{len(verdicts) - len(failed)} passed, {len(failed)} failed\n")
    return 1 if failed or not arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
