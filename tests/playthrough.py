"""Playthroughs: whole games as text that people can read, kept and compared so that no rule changes unnoticed.

Record one: ``python -m tests.playthrough GAME --seats N --seed S --option NAME=VALUE > FILE`` with a FILE in
``tests/games/GAME/playthroughs/``. The moves are chosen at random by the seed; ``replay`` makes the same ones again.

For each move the text has the offers, the events and what changed in the views: under ``all`` what is the same for
everybody, else by viewer.
"""

from __future__ import annotations

import argparse
import json
import re
import string
import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from engine.core import AnyGame, Label, Registry, Result, Rng, Step, from_json, installed, play, to_json, union_of

SPECTATOR = "spectator"

_COMMAND = re.compile(r"^# Recorded by: python -m tests\.playthrough (.*)$", re.MULTILINE)
_MOVE = re.compile(r"^move: (\d+) (\S+)$", re.MULTILINE)

# Which offer is taken, as seat and notation: given the number of the move and the offers by seat.
Choose = Callable[[int, dict[int, list[str]]], tuple[int, str]]


class Setting(NamedTuple):
    """What is played."""

    game_type: str
    seats: int
    seed: str
    options: dict[str, Any]

    @property
    def command(self) -> str:
        """The arguments that record it again."""
        options = [f"--option {name}={json.dumps(value)}" for name, value in self.options.items()]
        return " ".join([self.game_type, f"--seats {self.seats}", f"--seed {self.seed}", *options])


def read_setting(arguments: list[str]) -> Setting:
    """The setting of a command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.playthrough", description="Record a game as text.")
    parser.add_argument("game", help="the game type")
    parser.add_argument("--seats", type=int, required=True)
    parser.add_argument("--seed", required=True)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=JSON", help="may be repeated")
    given = parser.parse_args(arguments)
    options = dict(option.split("=", 1) for option in given.option)
    return Setting(given.game, given.seats, given.seed, {name: json.loads(value) for name, value in options.items()})


def setting_of(text: str) -> Setting:
    """The setting of a recorded text. Raises ValueError if the text does not tell it."""
    found = _COMMAND.search(text)
    if found is None:
        raise ValueError("no line says how this was recorded")
    return read_setting(found[1].split())


def record(setting: Setting, games: Registry) -> str:
    """The text of a game with random moves."""

    def choose(number: int, offers: dict[int, list[str]]) -> tuple[int, str]:
        whim = Rng(f"{setting.seed}/moves".encode(), number)
        seat = whim.choice(tuple(offers))
        return seat, whim.choice(tuple(offers[seat]))

    return "".join(line + "\n" for line in _lines(setting, games, choose))


def replay(text: str, games: Registry) -> str:
    """The text that the recorded moves give now; it breaks off at a move that is not among the offers any more."""
    moves = [(int(seat), notation) for seat, notation in _MOVE.findall(text)]

    def choose(number: int, offers: dict[int, list[str]]) -> tuple[int, str]:
        return moves[number - 1] if number <= len(moves) else (min(offers), "")

    return "".join(line + "\n" for line in _lines(setting_of(text), games, choose))


def _lines(setting: Setting, games: Registry, choose: Choose) -> Iterator[str]:
    game = games.get(setting.game_type)
    seed = setting.seed.encode()
    state = game.setup(from_json(game.options, setting.options), setting.seats, Rng(seed, 0))
    yield f"# {_english(game, Label('title'))}, rules version {game.rules_version}."
    yield f"# Recorded by: python -m tests.playthrough {setting.command}"
    yield "\n== version 1: set-up"
    yield from _whole_views(game, state, setting.seats)
    number = 0
    while prompts := game.prompts(state):
        number += 1
        yield f"\n== version {number + 1}: move {number}"
        offers = {p.seat: {game.notation(m): m for m in game.legal_moves(state, p.seat)} for p in prompts}
        for prompt in prompts:
            yield f"asked: {prompt.seat} {prompt.kind}: {' '.join(offers[prompt.seat])}"
        seat, notation = choose(number, {seat: list(named) for seat, named in offers.items()})
        yield f"move: {seat} {notation}"
        if notation not in offers.get(seat, {}):
            yield "not among the offers"
            return
        step = play(game, state, seat, offers[seat][notation], Rng(seed, number))
        yield from _events(game, step, setting.seats)
        yield from _changes(game, state, step.state, setting.seats)
        state = step.state
    yield "\n== the end"
    yield from _whole_views(game, state, setting.seats)
    result = game.result(state)
    if result is not None:
        yield from (f"result: {path}: {value}" for path, value in _flat(to_json(Result, result)))


def _whole_views(game: AnyGame, state: Any, seats: int) -> Iterator[str]:
    """The spectator's view, then whatever differs from it in the view of each seat."""
    public = _view_lines(game, state, None)
    yield from (f"view {SPECTATOR}: {path}: {value}" for path, value in public.items())
    for seat in range(seats):
        own = _view_lines(game, state, seat)
        yield from (f"view {seat}: {path}: {value}" for path, value in own.items() if public.get(path) != value)


def _changes(game: AnyGame, before: Any, after: Any, seats: int) -> Iterator[str]:
    changes: dict[str, list[str]] = {}
    for viewer in (None, *range(seats)):
        was, now = _view_lines(game, before, viewer), _view_lines(game, after, viewer)
        changes[_name(viewer)] = [
            f"{path}: {was.get(path, '')} → {now.get(path, '')}"
            for path in dict.fromkeys([*was, *now])
            if was.get(path) != now.get(path)
        ]
    yield from _by_viewer("view", changes)


def _events(game: AnyGame, step: Step[Any, Any], seats: int) -> Iterator[str]:
    seen: dict[str, list[str]] = {}
    for viewer in (None, *range(seats)):
        events = [(fact.seat, event) for fact in step.facts if (event := fact.seen_by(viewer)) is not None]
        seen[_name(viewer)] = [_event(game, seat, event) for seat, event in events]
    yield from _by_viewer("event", seen)


def _event(game: AnyGame, seat: int | None, event: Any) -> str:
    said = " ".join(f"{path}={value}" for path, value in _flat(to_json(union_of(game.events), event)))
    return f"{'game' if seat is None else seat} {said} | {_english(game, game.event_label(event, seat))}"


def _by_viewer(what: str, lines: dict[str, list[str]]) -> Iterator[str]:
    """Lines that every viewer has once as ``all``, in the spectator's order; then the others by viewer."""
    shared = [line for line in lines[SPECTATOR] if all(line in own for own in lines.values())]
    yield from (f"{what} all: {line}" for line in shared)
    for viewer, own in lines.items():
        yield from (f"{what} {viewer}: {line}" for line in own if line not in shared)


def _name(viewer: int | None) -> str:
    return SPECTATOR if viewer is None else str(viewer)


def _view_lines(game: AnyGame, state: Any, seat: int | None) -> dict[str, str]:
    return dict(_flat(to_json(game.views, game.view(state, seat))))


def _flat(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """One pair for each scalar or list of scalars, under its path."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _flat(item, f"{path}.{key}" if path else key)
    elif isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        for at, item in enumerate(value):
            yield from _flat(item, f"{path}[{at}]")
    elif isinstance(value, list):
        yield path, ",".join(map(str, value)) or "()"
    else:
        yield path, "-" if value is None else str(value)


def _english(game: AnyGame, label: Label) -> str:
    templates = game.messages()["en"]
    args = {name: templates[value[1:]] if value.startswith("$") else value for name, value in label.args}
    return string.Formatter().vformat(templates[label.key], (), args)


if __name__ == "__main__":
    sys.stdout.write(record(read_setting(sys.argv[1:]), installed()))
