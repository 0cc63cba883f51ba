"""Whole games with moves chosen in many ways, against a reference game and the properties of the rules."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import groupby

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core import Rng, Step, play
from engine.games.cubirds import GAME
from engine.games.cubirds.species import PACK
from engine.games.cubirds.state import Event, Options, Phase, State
from tests.games.cubirds.client import Client
from tests.games.cubirds.reference import ORDER, Table
from tests.games.cubirds.table import after, full, heap, table
from tests.games.cubirds.vectors import MOVES, read_birds, write_birds

# No random game came near it; a guard, not a rule.
LONGEST = 3000

# Ways to play: how likely, of ten times, a flock or a draw is declined when it could be had.
HABITS = st.tuples(st.sampled_from([0, 3, 8, 10]), st.sampled_from([0, 5, 10]))
GAMES = st.tuples(st.integers(2, 5), st.binary(min_size=4, max_size=4), HABITS)
Setting = tuple[int, bytes, tuple[int, int]]

KINDS = "lay", "draw", "flock", "over"


def opening(setting: Setting) -> State:
    seats, seed, _ = setting
    return GAME.setup(Options(), seats, Rng(seed, 0))


def choice(setting: Setting, number: int, offers: list[str]) -> str:
    """An offer by the habits of the game."""
    _, seed, (no_flock, no_draw) = setting
    whim = Rng(seed + b"/whim", number)
    for decline, likely in (("flock:none", no_flock), ("draw:no", no_draw)):
        if decline in offers and whim.below(10) < likely:
            return decline
    willing = [offer for offer in offers if offer != "flock:none"]
    return whim.choice(tuple(willing or offers))


def shuffled(setting: Setting, number: int, birds: str) -> str:
    """What the chance of the move makes of a discard pile."""
    return write_birds(Rng(setting[1], number).shuffle(read_birds(birds)))


def laid_out(state: State) -> Table:
    """The same opening for the reference game."""
    assert state.turn is not None
    return Table(
        rows=list(map(write_birds, state.rows)),
        hands=list(map(write_birds, state.hands)),
        collections=list(map(write_birds, state.collections)),
        deck=write_birds(state.draw_pile),
        discard="",
        player=state.turn,
    )


def assert_same(state: State, there: Table) -> None:
    assert KINDS[state.phase - 1] == there.question
    assert state.turn == (None if there.question == "over" else there.player)
    assert (state.dealer, state.round) == (there.dealer, there.round)
    assert list(map(write_birds, state.rows)) == there.rows
    assert [Counter(write_birds(hand)) for hand in state.hands] == [+hand for hand in there.hands]
    assert [Counter(write_birds(birds)) for birds in state.collections] == there.collections
    assert write_birds(state.draw_pile) == "".join(there.deck)
    assert Counter(write_birds(state.discard_pile)) == +there.discard


@given(GAMES)
@settings(max_examples=60, deadline=None)
def test_a_game_goes_as_the_reference_game_does(setting: Setting) -> None:
    state = opening(setting)
    there = laid_out(state)
    for number in range(1, LONGEST):
        if state.turn is None:
            break
        offers = [GAME.notation(move) for move in GAME.legal_moves(state, state.turn)]
        assert set(offers) == there.answers()
        move = choice(setting, number, offers)
        state = play(GAME, state, state.turn, MOVES[move], Rng(setting[1], number)).state
        there.say(move, partial(shuffled, setting, number))
        assert_same(state, there)
    assert list(GAME.view(state, None).winners) == there.winners
    assert GAME.legal_moves(state, 0) == ()


@given(GAMES)
@settings(max_examples=60, deadline=None)
def test_every_move_keeps_what_the_rules_promise(setting: Setting) -> None:
    state = opening(setting)
    refill_failed = False
    for number in range(1, LONGEST):
        if state.turn is None:
            break
        legal = GAME.legal_moves(state, state.turn)
        assert legal
        move = MOVES[choice(setting, number, [GAME.notation(offer) for offer in legal])]
        step = play(GAME, state, state.turn, move, Rng(setting[1], number))
        assert_promises(state, step)
        refill_failed = refill_failed or not (step.state.draw_pile or step.state.discard_pile)
        # A row of one species is left only by a refill that found both piles empty.
        assert refill_failed or all(len(set(row)) > 1 for row in step.state.rows)
        state = step.state
    assert_ended_well(state)


def assert_promises(before: State, step: Step[State, Event]) -> None:
    state = step.state
    places = (*state.rows, *state.hands, *state.collections, state.draw_pile, state.discard_pile)
    assert sorted(bird for place in places for bird in place) == list(PACK)
    assert all(len(list(groupby(row))) == len(set(row)) for row in state.rows)
    for old, new in zip(before.collections, state.collections, strict=True):
        assert not Counter(old) - Counter(new)
    new_round = state.round > before.round
    if not new_round and state.phase is not Phase.OVER:
        others = [seat for seat in range(len(state.hands)) if seat != before.turn]
        assert [state.hands[seat] for seat in others] == [before.hands[seat] for seat in others]
    if new_round:
        assert state.turn == state.dealer == before.turn
        assert [len(hand) for hand in state.hands] == [8] * len(state.hands)
        assert state.phase is Phase.LAY
    GAME.check(state)


def assert_ended_well(state: State) -> None:
    result = GAME.result(state)
    assert result is not None, "the game does not end"
    winners = [placement.seat for placement in result.placements if placement.rank == 1]
    scores = [placement.score for placement in result.placements]
    assert scores == list(map(len, state.collections))
    if result.reason == "objective":
        assert len(winners) == 1
    else:
        assert winners == [seat for seat, score in enumerate(scores) if score == max(scores)]
        assert len(state.draw_pile) + len(state.discard_pile) < 8 * len(state.hands)


@given(GAMES)
@settings(max_examples=25, deadline=None)
def test_the_events_are_enough_to_follow_the_table(setting: Setting) -> None:
    """A client that keeps its own table by the events has everything as its view has it."""
    state = opening(setting)
    viewers = (None, *range(setting[0]))
    clients = [Client(GAME.view(state, viewer)) for viewer in viewers]
    for number in range(1, LONGEST):
        if state.turn is None:
            break
        offers = [GAME.notation(move) for move in GAME.legal_moves(state, state.turn)]
        move = MOVES[choice(setting, number, offers)]
        step = play(GAME, state, state.turn, move, Rng(setting[1], number))
        state = step.state
        for viewer, client in zip(viewers, clients, strict=True):
            for fact in step.facts:
                event = fact.seen_by(viewer)
                assert event is not None, "everybody sees that something happened"
                client.learn(fact.seat, event)
            client.assert_as_seen(GAME.view(state, viewer))


def blocks(kinds: list[str]) -> st.SearchStrategy[str]:
    """A row as the rules allow it: each of the species in one block."""
    counts = st.lists(st.integers(1, 3), min_size=len(kinds), max_size=len(kinds))
    return counts.map(lambda sizes: "".join(kind * size for kind, size in zip(kinds, sizes, strict=True)))


ROWS = st.lists(st.sampled_from(ORDER), min_size=2, unique=True).flatmap(blocks)


@given(ROWS, st.sampled_from(ORDER), st.integers(1, 4))
@settings(deadline=None)
def test_left_and_right_are_mirrors(row: str, bird: str, count: int) -> None:
    def lay(row: str, side: str) -> State:
        return after(
            table(f"{bird * count} {bird}", rows=f"{row} DMR TWO FRW", deck=f"{bird}OFRT"), f"lay:{bird}:0:{side}"
        )

    left, right = lay(row, "left"), lay(row[::-1], "right")
    assert left.rows[0] == right.rows[0][::-1]
    assert (left.hands, left.draw_pile, left.phase) == (right.hands, right.draw_pile, right.phase)


@given(st.text(ORDER, min_size=1, max_size=40), st.sampled_from(ORDER))
@settings(deadline=None)
def test_the_flock_question_is_open_for_every_hand(hand: str, other: str) -> None:
    state = table(f"{hand} {other}", phase=Phase.FLOCK)
    offers = {GAME.notation(move) for move in GAME.legal_moves(state, 0)}
    needed = {"F": 2, "O": 3, "T": 3, "D": 4, "P": 4, "M": 5, "W": 6, "R": 6}
    assert offers == {"flock:none", *(f"flock:{bird}" for bird in ORDER if hand.count(bird) >= needed[bird])}


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=25, deadline=None)
def test_a_redeal_can_be_played_on(seed: int) -> None:
    state = full(table("FFMWR RRDDO TTO", discard="WWWWMM"))
    other = GAME.redeal(state, 0, Rng(seed.to_bytes(4, "big"), 0))
    assert GAME.view(other, 0) == GAME.view(state, 0)
    assert after(other, "lay:F:0:left").rows == after(state, "lay:F:0:left").rows
    assert other.hands[0] == heap("FFMWR")
