"""How things stand on a plain terminal: width of texts, wrapping, columns. Nothing here knows a game."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

WIDTH = 80
GAP = "   "


def width(text: str) -> int:
    """The cells that a text takes: two for a wide character, none for a combining one."""
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    return len(text) + wide - sum(unicodedata.combining(char) > 0 for char in text)


def padded(text: str, cells: int) -> str:
    """The text with blanks up to so many cells."""
    return text + " " * (cells - width(text))


def flow(items: Iterable[str], indent: str = "", hang: str | None = None) -> list[str]:
    """Items one after the other, as many in a line as fit; one that is too long is broken at its blanks.

    The first line is indented by ``indent``, the others by ``hang`` (by default as the first).
    """
    hang = indent if hang is None else hang
    lines: list[str] = []
    line = ""
    for item in items:
        longer = f"{line}{GAP}{item}" if line else indent + item
        if width(longer) <= WIDTH:
            line = longer
            continue
        if line:
            lines.append(line)
        *whole, line = _broken((hang if lines else indent) + item, hang + "  ")
        lines += whole
    return [*lines, line] if line else lines


def _broken(text: str, indent: str) -> list[str]:
    """The text in lines that fit, the later ones indented."""
    lines: list[str] = []
    while (cut := _fitting(text)) < len(text):
        blank = text.rfind(" ", len(indent) + 1, cut + 1)
        cut = blank if blank > 0 else cut
        lines.append(text[:cut].rstrip())
        text = indent + text[cut:].lstrip()
    return [*lines, text]


def _fitting(text: str) -> int:
    """How many characters of the text fit into a line."""
    cells = 0
    for i, char in enumerate(text):
        cells += width(char)
        if cells > WIDTH:
            return i
    return len(text)


def columns(items: Sequence[str]) -> list[str]:
    """Items in columns of one width, read downwards."""
    widest = max(map(width, items), default=0)
    count = max(1, (WIDTH + len(GAP)) // (widest + len(GAP)))
    height = -(-len(items) // count)
    rows = (items[row::height] for row in range(height))
    return [line for row in rows for line in _row(row, widest)]


def _row(row: Sequence[str], widest: int) -> list[str]:
    line = GAP.join(padded(item, widest) for item in row).rstrip()
    return _broken(line, "     ")


def rule(text: str) -> str:
    """A heading across the page."""
    return f"== {text} {'=' * max(2, WIDTH - width(text) - 4)}"
