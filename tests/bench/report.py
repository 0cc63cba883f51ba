"""Plain tables, and the same as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec


class Table(msgspec.Struct):
    """A title, column headings, and rows of cells that are text already; ``notes`` stand below."""

    title: str
    columns: Sequence[str]
    rows: list[list[str]]
    notes: Sequence[str] = ()

    def __str__(self) -> str:
        """Right-aligned, but for the first column."""
        lines = [list(self.columns), *self.rows]
        widths = [max(len(line[i]) for line in lines) for i in range(len(self.columns))]
        text = [
            "  ".join(
                [line[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(line[1:], widths[1:], strict=True))]
            )
            for line in lines
        ]
        return "\n".join([self.title, *(f"  {line.rstrip()}" for line in text), *(f"  {note}" for note in self.notes)])


class Section(msgspec.Struct):
    """What a section found: tables for people, figures for programs."""

    tables: list[Table]
    figures: Any
