"""The runner of worked examples passes nothing over."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.vectors import Checks, Example, Kinds, alike, game_of, main, read_examples, run_example, run_file


def count(example: Example) -> Checks:
    cards = example.take("cards").split()
    return {
        "number": lambda _: len(cards),
        "cards": lambda expected: alike(expected, cards),
        "pair": lambda _: (1, 2),
    }


KINDS: Kinds = {"": count, "count": count}


def faults(**fields: object) -> tuple[str, ...]:
    return run_example(Example("one", fields), KINDS).faults


def test_an_example_that_holds_passes() -> None:
    assert faults(kind="count", cards="7C 6C", expect={"number": 2, "cards": ["6C", "7C"], "pair": [1, 2]}) == ()


def test_a_wrong_value_is_shown_with_the_right_one() -> None:
    assert faults(cards="7C", expect={"number": 2}) == ("number: expected 2, actual 1",)


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"kind": "score", "expect": {"number": 1}}, "nothing runs the kind 'score'"),
        ({"cards": "", "wind": "east", "expect": {"number": 0}}, "nothing reads the field 'wind'"),
        ({"cards": "", "expect": {"weather": "fine"}}, "nothing checks 'weather'"),
        ({"cards": "", "expect": {}}, "nothing is expected"),
        ({"cards": ""}, "raised KeyError: 'expect'"),
        ({"expect": {"number": 1}}, "raised KeyError: 'cards'"),
    ],
)
def test_what_cannot_be_run_has_failed(fields: dict[str, object], fault: str) -> None:
    assert faults(**fields) == (fault,)


def test_lists_without_order_hold_the_same_values_equally_often() -> None:
    assert alike(["a", "b"], ["b", "a"]) == ["a", "b"]
    assert alike(["a", "b"], ["b", "b"]) == ["b", "b"]


def test_a_fence_may_hold_several_examples_and_take_its_name_from_a_heading() -> None:
    several = '## First\n```json vector\n{"expect": 1}\n{"id": "X2"}\n```\n'
    long = '## Second\n```json\n{\n "a": 1\n}\n```\n'
    text = several + long + "```text\n{}\n```\n"
    assert [example.name for example in read_examples(text)] == ["First", "X2", "Second"]


@pytest.mark.parametrize("body", ["[1]", "{", "{} x"])
def test_a_fence_that_holds_something_else_is_no_example(body: str) -> None:
    with pytest.raises((TypeError, ValueError)):
        list(read_examples(f"```json\n{body}\n```\n"))


def test_the_game_is_told_by_the_name_of_the_file_or_its_folder() -> None:
    assert game_of(Path("rules/sevens.md")) == "sevens"
    assert game_of(Path("tests/games/euchre/examples.md")) == "euchre"


@pytest.mark.parametrize(
    ("name", "text"),
    [("sevens.md", "no example\n"), ("sevens.md", "```json\n{\n```\n"), ("chess.md", '```json\n{"id": "1"}\n```\n')],
)
def test_a_file_that_cannot_be_run_has_failed(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    assert [bool(verdict.faults) for verdict in run_file(path)] == [True]


def test_the_command_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "sevens.md"
    good = '{"id": "G", "kind": "deal_counts", "expect": {"4": [13, 13, 13, 13]}}'
    bad = '{"id": "B", "kind": "deal_counts", "expect": {"4": [52]}}'
    path.write_text(f"```json\n{good}\n```\n```json\n{bad}\n```\n")
    assert main([str(path)]) == 1
    assert capsys.readouterr().out == "FAILED B: 4: expected [52], actual [13, 13, 13, 13]\n1 passed, 1 failed\n"
    path.write_text(f"```json\n{good}\n```\n")
    assert main([str(path)]) == 0
    assert main([]) == 1
