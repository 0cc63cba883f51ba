"""What each verifier must say of exports, whole and forged; the same cases as those of ``clients/verify-ts``."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.core import Registry, Rng, UnknownGame
from service.verify import NoRecord, NotFair, OtherFormat, verify
from tests.golden import FOLDER, registered

HERE = FOLDER.parent


def _read(name: str) -> Any:
    return json.loads((HERE / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", _read("vectors.json"), ids=lambda case: case["name"])
def test_the_verdict_of_a_record(case: dict[str, Any]) -> None:
    record = case["document"] if "document" in case else _read(f"exports/{case['export']}")
    for change in case["change"]:
        _apply(record, *change)
    assert _verdict(record) == case["verdict"]


def _verdict(record: Any) -> str:
    try:
        verify(Registry(registered()), record)
    except NotFair:
        return "not fair"
    except NoRecord:
        return "no record"
    except (UnknownGame, OtherFormat):
        return "unknown"
    return "fair"


def _apply(record: Any, kind: str, path: str, *more: Any) -> None:
    holder, key = _place(record, path)
    if kind == "remove":
        del holder[key]
    elif kind == "swap":
        other, at = _place(record, *more)
        holder[key], other[at] = other[at], holder[key]
    elif kind == "add":
        holder[key] += more[0]
    elif kind == "flip":
        holder[key] = holder[key][:-1] + ("1" if holder[key].endswith("0") else "0")
    elif kind == "set" and isinstance(holder, list) and key == len(holder):
        holder.append(more[0])
    elif kind == "set":
        holder[key] = more[0]
    else:
        raise ValueError(kind)


def _place(record: Any, path: str) -> tuple[Any, Any]:
    """What holds the end of the path ``/moves/3/seat``, and the key there."""
    *way, last = [int(key) if key.isdigit() else key for key in path.split("/")[1:]]
    for key in way:
        record = record[key]
    return record, last


@pytest.mark.parametrize("case", _read("rng.json"), ids=lambda case: f"{case['seed'][:8]}-{case['step']}")
def test_the_generator_draws_as_recorded(case: dict[str, Any]) -> None:
    rng = Rng(bytes.fromhex(case["seed"]), case["step"])
    if "shuffle" in case:
        assert list(rng.shuffle(sorted(case["shuffle"]))) == case["shuffle"]
    else:
        assert [[n, rng.below(n)] for n, _ in case["below"]] == case["below"]
