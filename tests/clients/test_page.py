"""Lines of a plain terminal."""

from __future__ import annotations

import pytest

from clients.text.page import WIDTH, columns, flow, padded, rule, width


def test_wide_characters_take_two_cells() -> None:
    assert width("A♥") == 2
    assert width("席0") == 3
    assert width("e\u0301") == 1
    assert padded("席", 4) == "席  "


def test_items_flow_as_many_as_fit() -> None:
    assert flow(["one", "two"], "  ") == ["  one   two"]
    assert flow([]) == []
    lines = flow(["x" * 30] * 5, hang="  ")
    assert lines == [f"{'x' * 30}   {'x' * 30}", f"  {'x' * 30}   {'x' * 30}", f"  {'x' * 30}"]


@pytest.mark.parametrize("word", ["word", "席の", "x" * 100])
def test_what_is_too_long_is_broken_and_nothing_is_lost(word: str) -> None:
    text = " ".join([word] * 30)
    lines = flow([f"Hand: {text}", "Food: 3"], "  ")
    assert len(lines) > 1
    assert all(width(line) <= WIDTH for line in lines)
    assert all(line.startswith("  ") for line in lines)
    assert "".join("".join(lines).split()) == f"Hand: {text}Food: 3".replace(" ", "")


@pytest.mark.parametrize("count", [0, 1, 2, 5, 56, 57])
def test_columns_are_read_downwards(count: int) -> None:
    items = [f"{i:>3} {'a' * (i % 7)}席" for i in range(count)]
    lines = columns(items)
    assert all(width(line) <= WIDTH for line in lines)
    found = sorted(" ".join(lines).split(), key=len)
    assert sorted(found) == sorted(" ".join(items).split())
    if count == 57:
        assert lines[1].startswith(items[1])


def test_a_heading_spans_the_page() -> None:
    assert width(rule("Euchre")) == WIDTH
    assert width(rule("ゲーム終了")) == WIDTH
