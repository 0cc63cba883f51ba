"""What holds on every table: an oracle that knows only the words of the rules, and games played to the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core import Rng, play
from engine.core.cards import rank_of, suit_of
from engine.games.sevens import GAME, rules
from engine.games.sevens.state import Options, State

# Sevens lie on every table; of the rest anything may, in one copy or two.
decks = st.sampled_from(rules.DECKS)
rest = [card for card in rules.PACK if card not in rules.SEVENS]


@st.composite
def tables(draw: st.DrawFn) -> tuple[int, ...]:
    packs = draw(decks)
    copies = draw(st.lists(st.integers(0, packs), min_size=len(rest), max_size=len(rest)))
    return tuple(
        sorted([*rules.SEVENS * packs, *(card for card, n in zip(rest, copies, strict=True) for _ in range(n))])
    )


def between(card: int) -> list[int]:
    """The seven of the suit and the cards between it and ``card``."""
    same_suit = [other for other in rules.PACK if suit_of(other) == suit_of(card)]
    if rank_of(card) < 7:
        return [other for other in same_suit if rank_of(card) < rank_of(other) <= 7]
    return [other for other in same_suit if 7 <= rank_of(other) < rank_of(card)]


def may_be_laid(card: int, table: tuple[int, ...]) -> bool:
    """Clause 3.2, word by word."""
    return all(table.count(other) > table.count(card) for other in between(card))


@given(tables())
def test_the_open_cards_are_those_of_the_words(table: tuple[int, ...]) -> None:
    expected = {card for card in rest if may_be_laid(card, table)}
    assert rules.open_cards(table) == expected


def built(table: tuple[int, ...]) -> tuple[int, ...]:
    """As many of the cards as can be laid one after the other, beginning from the sevens alone."""
    laid = tuple(card for card in table if card in rules.SEVENS)
    left = Counter(table) - Counter(laid)
    while fitting := [card for card in left if left[card] and may_be_laid(card, laid)]:
        laid += (fitting[0],)
        left[fitting[0]] -= 1
    return tuple(sorted(laid))


@settings(max_examples=50)
@given(tables())
def test_what_a_run_connects_is_what_could_have_been_laid_card_by_card(table: tuple[int, ...]) -> None:
    connected = rules.connected(table)
    assert tuple(card for card in rules.PACK for _ in range(connected[card])) == built(table)


openings = st.builds(
    lambda limit, packs, seats, seed: GAME.setup(Options(limit, packs), seats, Rng(seed, 0)),
    st.sampled_from(rules.PASS_LIMITS),
    decks,
    st.sampled_from(rules.SEAT_COUNTS),
    st.binary(min_size=1, max_size=8),
)


def played(state: State, seed: bytes) -> Iterator[State]:
    """A game to its end, with random moves."""
    yield state
    for number in range(1, 10_000):
        if state.turn is None:
            return
        move = Rng(seed, number).choice(GAME.legal_moves(state, state.turn))
        state = play(GAME, state, state.turn, move, Rng(b"", number)).state
        yield state


games = st.builds(lambda opening, seed: list(played(opening, seed)), openings, st.binary(max_size=8))


@settings(max_examples=60, deadline=None)
@given(games)
def test_a_game_ends_within_as_many_turns_as_there_are_cards_and_passes(states: list[State]) -> None:
    opening, last = states[0], states[-1]
    cards = sum(map(len, opening.hands))
    assert len(states) - 1 <= cards + len(opening.hands) * (opening.options.pass_limit + 1)
    assert last.turn is None
    assert sorted(place for place in rules.places(last) if place) == list(range(1, len(last.hands) + 1))


@settings(max_examples=60, deadline=None)
@given(games)
def test_as_long_as_a_row_is_unfinished_somebody_holds_its_next_card(states: list[State]) -> None:
    for state in states:
        if state.turn is not None:
            assert any(rules.playable(state, seat) for seat in range(len(state.hands)))


@settings(max_examples=60, deadline=None)
@given(games)
def test_cards_only_go_from_hands_to_the_table_and_passes_only_become_fewer(states: list[State]) -> None:
    for before, now in pairwise(states):
        assert not Counter(before.table) - Counter(now.table)
        assert Counter(before.table) + hands(before) == Counter(now.table) + hands(now)
        assert all(old >= new for old, new in zip(before.passes, now.passes, strict=True))


def hands(state: State) -> Counter[int]:
    return Counter(card for hand in state.hands for card in hand)


@settings(max_examples=60, deadline=None)
@given(games, st.integers(0, 7), st.binary(max_size=8))
def test_a_redeal_keeps_sizes_and_the_viewer_s_own_hand(states: list[State], seat: int, seed: bytes) -> None:
    for state in states[:: max(1, len(states) // 5)]:
        viewer = seat % len(state.hands)
        other = GAME.redeal(state, viewer, Rng(seed, 0))
        GAME.check(other)
        assert other.hands[viewer] == state.hands[viewer]
        assert list(map(len, other.hands)) == list(map(len, state.hands))
