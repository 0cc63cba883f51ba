"""What holds in every game. The oracles know the words of the rules and nothing of the engine's tables."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core import Rng
from engine.games.paint_the_roses import GAME, box, track
from engine.games.paint_the_roses.cubes import candidates, cube_number
from engine.games.paint_the_roses.events import (
    GameEnded,
    GardenersMoved,
    GuessedRight,
    GuessedWrong,
    QueenMoved,
    TilePlanted,
    TurnStarted,
)
from engine.games.paint_the_roses.state import ChooseLevel, Phase, State
from engine.games.paint_the_roses.symbols import PAIRS, Level, Pair
from tests.games.paint_the_roses.follower import Follower, shown
from tests.games.paint_the_roses.games import Ply, opening, plies, states
from tests.games.paint_the_roses.table import pair_of, refuting, table, whim_of

COLOURS = ("pink", "red", "yellow", "purple")
SHAPES = ("club", "diamond", "heart", "spade")
ROWS = {"A": 4, "B": 5, "C": 6, "D": 5, "E": 4}

# Where the middle of each space is: half spaces to the right, whole rows down, every row centred.
MIDDLES = {f"{row}{at + 1}": (2 * at - size, y) for y, (row, size) in enumerate(ROWS.items()) for at in range(size)}

seeds = st.binary(min_size=4, max_size=4)
seat_counts = st.integers(2, 5)
skills = st.sampled_from((0, 50, 80, 95, 100))
games = st.tuples(seat_counts, seeds, skills)


def touch(one: str, other: str) -> bool:
    (x, y), (u, v) = MIDDLES[one], MIDDLES[other]
    return (abs(x - u), abs(y - v)) in {(2, 0), (1, 1)}


def counted(garden: dict[str, tuple[str, str]], space: str, tile: tuple[str, str], pair: tuple[str, str]) -> int:
    """Clauses 6.2 and 6.3: lay the whim on the new tile and each neighbour, both ways round."""
    neighbours = [other for where, other in garden.items() if touch(where, space)]
    ways = (pair, pair[::-1])
    return sum(1 for other in neighbours if any(half in tile and rest in other for half, rest in ways))


def words(tile: int) -> tuple[str, str]:
    colour, shape = box.tile_name(tile).split("-")
    return colour, shape


# The box.


def test_the_garden_is_the_drawing() -> None:
    assert set(box.SPACE_NAMES) == set(MIDDLES)
    for space in box.SPACES:
        touching = {box.space_name(other) for other in box.NEIGHBOURS[space]}
        assert touching == {other for other in MIDDLES if touch(box.space_name(space), other)}
    assert sum(map(len, box.NEIGHBOURS)) == 2 * 55


def test_the_starting_tiles_are_spread_evenly() -> None:
    start = {box.space_name(at): words(tile) for at, tile in enumerate(box.START, 1) if tile is not None}
    assert Counter(symbol for tile in start.values() for symbol in tile) == dict.fromkeys(COLOURS + SHAPES, 2)
    assert len(set(start.values())) == 8
    assert not any(touch(one, other) for one, other in combinations(start, 2))
    assert all(any(touch(space, other) for other in start) for space in set(MIDDLES) - set(start))
    numbers = [row.start.number for row in box.SPACE_ROWS if row.start is not None]
    assert sorted(numbers) == list(range(1, 9))


def test_there_are_two_of_each_tile() -> None:
    assert Counter(map(words, box.ALL_TILES)) == dict.fromkeys(product(COLOURS, SHAPES), 2)


def test_the_decks_have_the_cards_of_the_rules() -> None:
    colours = list(combinations_with_replacement(COLOURS, 2))
    shapes = list(combinations_with_replacement(SHAPES, 2))
    expected = {
        Level.EASY: (colours, (1, 2)),
        Level.MEDIUM: (colours + shapes, (2, 3)),
        Level.HARD: (colours + shapes + list(product(COLOURS, SHAPES)), (4, 5)),
    }
    assert len(box.WHIMS) == 132
    for level, (pairs, values) in expected.items():
        cards = Counter((box.pair_of(whim), box.value_of(whim)) for whim in box.DECKS[level])
        assert cards == dict.fromkeys(product([pair_of("/".join(pair)) for pair in pairs], values), 1)
        assert list(box.PAIRS_OF[level]) == [pair for pair in PAIRS if pair in {pair for pair, _ in cards}]
        for whim in box.DECKS[level]:
            a, b = box.pair_of(whim).a.text, box.pair_of(whim).b.text
            copy = 1 + values.index(box.value_of(whim))
            assert box.whim_name(whim) == f"{level.name[0]}-{a}-{b}-{copy}"


# Cubes.

tiles = st.sampled_from(box.TILES)


@given(st.lists(st.none() | tiles, min_size=24, max_size=24), st.sampled_from(box.SPACES), tiles)
def test_cube_numbers_are_those_of_a_count_by_hand(garden: list[int | None], space: int, tile: int) -> None:
    garden[space - 1] = None
    named = {box.space_name(at): words(other) for at, other in enumerate(garden, 1) if other is not None}
    for pair in PAIRS:
        expected = counted(named, box.space_name(space), words(tile), (pair.a.text, pair.b.text))
        assert cube_number(tuple(garden), space, tile, pair) == expected


@settings(max_examples=25, deadline=None)
@given(games)
def test_the_cubes_of_a_game_are_those_of_a_count_by_hand(game: tuple[int, bytes, int]) -> None:
    seats, seed, skill = game
    garden = {box.space_name(at): words(tile) for at, tile in enumerate(box.START, 1) if tile is not None}
    for ply in plies(opening(seats, seed), seed, skill):
        for planted in (fact.public for fact in ply.step.facts if isinstance(fact.public, TilePlanted)):
            space, tile = box.space_name(planted.space), words(planted.tile)
            held = [box.pair_of(player.whim) for player in ply.before.players if player.whim is not None]
            expected = [counted(garden, space, tile, (pair.a.text, pair.b.text)) for pair in held]
            assert list(planted.numbers) == expected
            assert len(expected) == seats
            garden[space] = tile


@settings(max_examples=25, deadline=None)
@given(games)
def test_deduction_never_excludes_the_truth(game: tuple[int, bytes, int]) -> None:
    for state in states(*game):
        for seat, player in enumerate(state.players):
            if player.whim is not None:
                assert box.pair_of(player.whim) in candidates(state, seat)


# Course.


@settings(max_examples=40, deadline=None)
@given(games)
def test_whoever_is_asked_has_an_answer_and_nobody_else_has(game: tuple[int, bytes, int]) -> None:
    for state in states(*game):
        asked = {prompt.seat for prompt in GAME.prompts(state)}
        assert bool(asked) == (state.phase is not Phase.GAME_OVER)
        for seat in range(-1, game[0] + 1):
            assert bool(GAME.legal_moves(state, seat)) == (seat in asked)


@settings(max_examples=40, deadline=None)
@given(games)
def test_a_game_has_at_most_16_plantings_and_one_in_each_turn(game: tuple[int, bytes, int]) -> None:
    seats, seed, skill = game
    turns: list[int] = []
    planted = 0
    for ply in plies(opening(seats, seed), seed, skill):
        for fact in ply.step.facts:
            if isinstance(fact.public, TurnStarted):
                turns.append(fact.public.turn)
                assert fact.seat == (fact.public.turn - 1) % seats
                assert planted == fact.public.turn - 1
            planted += isinstance(fact.public, TilePlanted)
    assert turns == list(range(1, planted + 1))
    assert 1 <= planted <= 16


@settings(max_examples=40, deadline=None)
@given(games)
def test_nothing_is_lost_of_the_box(game: tuple[int, bytes, int]) -> None:
    for state in states(*game):
        GAME.check(state)
        lying = [tile for tile in state.garden + state.greenhouse if tile is not None]
        assert Counter(map(words, [*lying, *state.bag])) == dict.fromkeys(product(COLOURS, SHAPES), 2)
        held = [player.whim for player in state.players if player.whim is not None]
        piles = [whim for pile in state.decks + state.discards for whim in pile]
        assert sorted(held + piles) == list(range(1, 133))
        assert sum(box.whim_name(whim).startswith("E-") for whim in held) <= 1


def walk(start: int, end: int) -> int:
    """Rabbit spaces passed on the way, step by step."""
    return sum(1 for at in range(start, end) if (at, at + 1) in {(9, 10), (19, 20), (29, 30), (39, 40)})


@settings(max_examples=40, deadline=None)
@given(games)
def test_the_chase_is_that_of_the_words(game: tuple[int, bytes, int]) -> None:
    """The track played again from what was guessed alone (2.7, 7.7, section 9)."""
    seats, seed, skill = game
    gardeners, queen, flowers = 0, -6, 1
    speed = 1
    last: Ply | None = None
    for ply in plies(opening(seats, seed), seed, skill):
        for event in (fact.public for fact in ply.step.facts):
            if isinstance(event, GuessedRight):
                flowers += walk(gardeners, gardeners + event.whim.value)
                gardeners += event.whim.value
            elif isinstance(event, GardenersMoved):
                assert event.end == gardeners
            elif isinstance(event, GuessedWrong):
                speed = 2
            elif isinstance(event, QueenMoved):
                assert (event.start, event.end) == (queen, queen + speed * flowers)
                queen, speed = event.end, 1
            elif isinstance(event, GameEnded):
                assert event.won == (queen < gardeners)
        state = ply.step.state
        assert (state.gardeners, state.queen) == (gardeners, queen)
        assert track.flowers(state.gardeners) == flowers <= 5
        assert (queen >= gardeners) <= (state.phase is Phase.GAME_OVER)
        last = ply
    assert last is not None
    result = GAME.result(last.step.state)
    assert result is not None
    assert {(placement.rank, placement.score) for placement in result.placements} == {(1, gardeners)}
    assert (result.reason == "garden_full") == (queen < gardeners)


def test_games_are_won_lost_reshuffled_and_played_by_captains() -> None:
    """The games above do get everywhere."""
    reasons, tags, captains = set(), set(), False
    # A deck runs out for five players with the first seed, who are always right.
    for seed, seats, skill in product((b"everywhere2", b"everywhere"), (2, 3, 4, 5), (0, 50, 90, 100)):
        last: State | None = None
        for ply in plies(opening(seats, seed), seed, skill):
            tags |= {fact.public.__struct_config__.tag for fact in ply.step.facts if fact.public is not None}
            captains |= ply.before.rejections == 3
            last = ply.step.state
        assert last is not None
        result = GAME.result(last)
        assert result is not None
        reasons.add(result.reason)
    assert reasons == {"garden_full", "queen_caught_gardeners"}
    assert tags == {of.__struct_config__.tag for of in GAME.events}
    assert captains


@settings(max_examples=25, deadline=None)
@given(games)
def test_the_events_are_enough_to_follow_the_table(game: tuple[int, bytes, int]) -> None:
    """A client that keeps its own table by the events has everything as its view has it."""
    seats, seed, skill = game
    viewers = (None, *range(seats))
    first = opening(seats, seed)
    clients = [Follower(GAME.view(first, viewer)) for viewer in viewers]
    for ply in plies(first, seed, skill):
        for viewer, client in zip(viewers, clients, strict=True):
            for fact in ply.step.facts:
                event = fact.seen_by(viewer)
                assert event is not None, "everybody sees that something happened"
                client.hear(fact.seat, event)
            assert client.remembers() == shown(GAME.view(ply.step.state, viewer))


# Secrets.


@settings(max_examples=15, deadline=None)
@given(games)
def test_what_a_viewer_cannot_know_changes_nothing_that_he_sees(game: tuple[int, bytes, int]) -> None:
    seats, seed, _ = game
    for number, state in enumerate(states(*game)):
        viewer = (None, *range(seats))[number % (seats + 1)]
        other = GAME.redeal(state, viewer, Rng(seed, number))
        GAME.check(other)
        assert GAME.view(other, viewer) == GAME.view(state, viewer)
        assert GAME.prompts(other) == GAME.prompts(state)
        # What may be chosen is public: every seat has the same offers, and the clock the same answer.
        for seat in {prompt.seat for prompt in GAME.prompts(state)}:
            assert GAME.legal_moves(other, seat) == GAME.legal_moves(state, seat)
            assert GAME.timeout_move(other, seat) == GAME.timeout_move(state, seat)


@settings(max_examples=15, deadline=None)
@given(seat_counts, seeds)
def test_views_differ_in_the_own_card_alone(seats: int, seed: bytes) -> None:
    for state in states(seats, seed, 80):
        public = GAME.view(state, None)
        assert public.seat is None
        for viewer in range(seats):
            view = GAME.view(state, viewer)
            differing = {name for name in view.__struct_fields__ if getattr(view, name) != getattr(public, name)}
            assert differing <= {"seat", "players"}
            others = [seat for seat in range(seats) if view.players[seat] != public.players[seat]]
            holds_secret = state.players[viewer].whim is not None and state.phase is not Phase.GAME_OVER
            assert others == ([viewer] if holds_secret else [])


@settings(max_examples=15, deadline=None)
@given(seat_counts, seeds)
def test_events_say_the_same_to_all_but_who_draws_a_card(seats: int, seed: bytes) -> None:
    for ply in plies(opening(seats, seed), seed, 80):
        private = [fact for fact in ply.step.facts if fact.private]
        assert [fact.seat for fact in private] == ([ply.seat] if isinstance(ply.move, ChooseLevel) else [])
        assert all(fact.public is not None for fact in ply.step.facts)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_redealing_reaches_every_card_that_agrees_with_the_cubes(seats: int) -> None:
    state = next(state for state in states(seats, b"reach", 60) if len(state.plantings) == 2)
    seen = set()
    for number in range(400):
        whim = GAME.redeal(state, 0, Rng(b"reach", number)).players[1].whim
        assert whim is not None
        seen.add(box.pair_of(whim))
    assert seen == set(candidates(state, 1))


def test_a_card_that_is_nearly_known_is_dealt_before_others_can_take_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The viewer, seat 4, holds the twin of the one card that seat 3 can have; seat 0 may have it or red/red."""
    held = {3: "H-purple-purple-1", 4: "H-purple-purple-2"}
    hard = [pair.text for pair in box.PAIRS_OF[Level.HARD]]
    state = refuting(table(5, whims=held), 3, *(pair for pair in hard if pair != "purple/purple"))
    state = refuting(state, 0, *(pair for pair in hard if pair not in ("pink/pink", "red/red", "purple/purple")))
    looked: list[int] = []
    pair_on = box.pair_of

    def look(whim: int) -> Pair:
        looked.append(whim)
        return pair_on(whim)

    monkeypatch.setattr(box, "pair_of", look)
    for number in range(20):
        assert GAME.redeal(state, 4, Rng(b"nearly", number)).players[3].whim == whim_of("H-purple-purple-1")
    # Four cards to deal from one deck: each card is looked at once for each of them.
    assert len(looked) <= 20 * 4 * len(box.DECKS[Level.HARD])
