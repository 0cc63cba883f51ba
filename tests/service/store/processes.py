"""Processes as ``/proc`` shows them (Linux). Any of them may be gone at any moment."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.service.store.harness import until


def children_of(pid: int) -> Iterator[int]:
    """The processes that a process started; none if it is gone."""
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        yield from map(int, _read(task).split())


def parent_of(pid: int) -> int:
    """The process that a process belongs to. Raises OSError if there is no such process."""
    return int(_facts(Path(f"/proc/{pid}/stat").read_text())[1])


def command_of(pid: int) -> list[str]:
    """The words of its command line; none if it is gone."""
    return _read(Path(f"/proc/{pid}/cmdline")).split("\0")[:-1]


def alive(pid: int) -> bool:
    """Whether it runs: one that waits to be buried does not."""
    stat = _read(Path(f"/proc/{pid}/stat"))
    return bool(stat) and _facts(stat)[0] != "Z"


def gone(pid: int) -> None:
    """Wait for its end."""
    until(lambda: not alive(pid), f"process {pid} ends")


def _facts(stat: str) -> list[str]:
    """State, parent, and so on; the name before them, in brackets, may hold anything."""
    return stat.rpartition(")")[2].split()


def _read(file: Path) -> str:
    try:
        return file.read_text(errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return ""
