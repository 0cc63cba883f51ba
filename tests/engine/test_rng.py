"""Chance: the documented algorithm, written a second time, gives the same numbers; they are spread evenly."""

from __future__ import annotations

import hashlib
import itertools
import struct
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core import Rng

SEED = bytes(range(16))

seeds = st.binary(max_size=40)
steps = st.integers(0, 2**32 - 1)


def words(seed: bytes, step: int) -> Iterator[int]:
    """The stream of ``rookery-rng-1`` as its documentation describes it."""
    for block in itertools.count():
        yield from struct.unpack(
            ">8I", hashlib.sha256(b"rookery-rng-1" + seed + struct.pack(">II", step, block)).digest()
        )


def below(stream: Iterator[int], n: int) -> int:
    return next(word for word in stream if word < 2**32 - 2**32 % n) % n


def shuffled(stream: Iterator[int], items: list[int]) -> list[int]:
    for i in reversed(range(1, len(items))):
        j = below(stream, i + 1)
        items[i], items[j] = items[j], items[i]
    return items


@pytest.mark.parametrize(
    ("seed", "step", "expected"),
    [
        (b"", 0, [0x7BEEDF24, 0xAECA21BE, 0x935D84A4, 0x03BEB1FA]),
        (
            SEED,
            0,
            [
                0x1BCDC14D,
                0x35BDC98E,
                0x896EBCB3,
                0xCC775585,
                0x548178AC,
                0xBB70A9E2,
                0x976A8A99,
                0xD7DB3114,
                0xE9410BF6,
            ],
        ),
        (SEED, 1, [0xFFBFE772, 0xAD62C7F4, 0xB8FE4589, 0xC39A6561]),
    ],
)
def test_the_known_words_of_a_stream(seed: bytes, step: int, expected: list[int]) -> None:
    rng = Rng(seed, step)
    assert [rng.below(2**32) for _ in expected] == expected


def test_a_known_shuffle() -> None:
    assert Rng(SEED, 0).shuffle(range(10)) == (9, 8, 2, 1, 6, 4, 5, 3, 0, 7)


@given(seeds, steps, st.lists(st.integers(1, 2**32), max_size=40))
def test_below_takes_words_as_documented(seed: bytes, step: int, limits: list[int]) -> None:
    rng, stream = Rng(seed, step), words(seed, step)
    assert [rng.below(n) for n in limits] == [below(stream, n) for n in limits]


def test_words_beyond_a_whole_multiple_are_thrown_away() -> None:
    # A quarter of all words is too large here, so that some surely are.
    rng, stream = Rng(SEED, 5), words(SEED, 5)
    n = 3 * 2**30
    assert [rng.below(n) for _ in range(100)] == [below(stream, n) for _ in range(100)]


@given(seeds, steps, st.lists(st.integers(), max_size=60))
def test_shuffle_swaps_as_documented(seed: bytes, step: int, items: list[int]) -> None:
    assert list(Rng(seed, step).shuffle(items)) == shuffled(words(seed, step), list(items))


@given(seeds, steps, st.lists(st.integers(), max_size=60))
def test_a_shuffle_keeps_the_items_and_leaves_the_given_ones_alone(seed: bytes, step: int, items: list[int]) -> None:
    given_items = list(items)
    assert Counter(Rng(seed, step).shuffle(given_items)) == Counter(items)
    assert given_items == items


def test_choice_is_one_of_the_items() -> None:
    assert {Rng(SEED, step).choice(("a", "b", "c")) for step in range(50)} == {"a", "b", "c"}


def test_every_number_is_equally_likely() -> None:
    rng = Rng(SEED, 9)
    counts = Counter(rng.below(6) for _ in range(60_000))
    # Chi square with five degrees of freedom stays below 20.5 in 999 of 1000 cases; the seed is fixed.
    assert sum((counts[face] - 10_000) ** 2 / 10_000 for face in range(6)) < 20.5


def test_every_order_is_equally_likely() -> None:
    rng = Rng(SEED, 10)
    counts = Counter(rng.shuffle("abc") for _ in range(12_000))
    assert len(counts) == 6
    assert sum((count - 2_000) ** 2 / 2_000 for count in counts.values()) < 20.5


@pytest.mark.parametrize("n", [0, -1, 2**32 + 1])
def test_below_refuses_what_it_cannot_do(n: int) -> None:
    with pytest.raises(ValueError, match="below"):
        Rng(SEED, 0).below(n)


def test_nothing_can_be_chosen_from_nothing() -> None:
    with pytest.raises(ValueError, match="below"):
        Rng(SEED, 0).choice(())


def test_used_tells_whether_anything_was_drawn() -> None:
    rng = Rng(SEED, 0)
    assert not rng.used
    rng.shuffle([1])  # one item has one order: nothing is drawn
    assert not rng.used
    rng.below(1)
    assert rng.used


def test_steps_do_not_depend_on_each_other() -> None:
    first = Rng(SEED, 1)
    first.shuffle(range(52))
    assert Rng(SEED, 2).below(1000) == Rng(SEED, 2).below(1000)
    assert Rng(SEED, 1).below(2**32) != Rng(SEED, 2).below(2**32)
