"""What holds in every match, whatever is played: compared with the rulebook written a second time (``oracle``)."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core import Rng, encode_move, play
from engine.core.cards import card_name
from engine.games.euchre import GAME
from engine.games.euchre.events import CardPlayed, HandScored, PlayBegan, TrickWon, TrumpMade
from engine.games.euchre.pack import pack
from engine.games.euchre.state import (
    SEATS,
    TARGET_SCORES,
    HandSummary,
    Options,
    Outcome,
    Phase,
    Play,
    State,
    UpcardState,
    left_of,
)
from tests.games.euchre import oracle
from tests.games.euchre.table import TRUMPS, views

SHORT = {trump: short for short, trump in TRUMPS.items()}
VIEWERS = (*SEATS, None)

OPTIONS = st.builds(
    Options,
    stick_the_dealer=st.booleans(),
    no_trump_call=st.booleans(),
    loner_starts_last=st.booleans(),
    canadian_loner=st.booleans(),
    lone_defender=st.booleans(),
    benny=st.booleans(),
    target_score=st.sampled_from(TARGET_SCORES),
    first_dealer=st.none() | st.sampled_from(SEATS),
)
SEEDS = st.binary(min_size=1, max_size=8)


def match(options: Options, seed: bytes) -> Iterator[tuple[State, str, State, list[object]]]:
    """A match at random: state, move, following state, what everybody was told. Bids are passed half of the time."""
    state = GAME.setup(options, 4, Rng(seed, 0))
    number = 0
    while state.turn is not None:
        number += 1
        whim = Rng(seed + b"moves", number)
        legal = GAME.legal_moves(state, state.turn)
        chosen = legal[0] if whim.below(2) else whim.choice(legal)
        step = play(GAME, state, state.turn, chosen, Rng(seed, number))
        yield state, GAME.notation(chosen), step.state, [fact.public for fact in step.facts]
        state = step.state


def places(state: State) -> list[int]:
    """Every card of the hand, wherever it is."""
    lying = [played.card for trick in state.tricks for played in trick.cards] + [p.card for p in state.trick]
    held = [card for hand in state.hands for card in hand]
    upcard = [] if state.upcard_state is UpcardState.TAKEN else [state.upcard]
    return [*held, *state.kitty, *lying, *upcard, *([] if state.discard is None else [state.discard])]


@given(OPTIONS, SEEDS)
@settings(max_examples=40, deadline=None)
def test_every_card_is_in_exactly_one_place(options: Options, seed: bytes) -> None:
    for _, _, state, _ in match(options, seed):
        assert sorted(places(state)) == list(pack(benny=options.benny))
        GAME.check(state)


@given(OPTIONS, SEEDS)
@settings(max_examples=40, deadline=None)
def test_playable_cards_are_those_of_the_rulebook(options: Options, seed: bytes) -> None:
    for state, _, _, _ in match(options, seed):
        if state.phase is not Phase.PLAY or state.turn is None or state.trump is None:
            continue
        led = card_name(state.trick[0].card) if state.trick else None
        hand = [card_name(card) for card in state.hands[state.turn]]
        offered = {card_name(move.card) for move in GAME.legal_moves(state, state.turn) if isinstance(move, Play)}
        assert offered == oracle.may_play(hand, led, SHORT[state.trump])


@given(OPTIONS, SEEDS)
@settings(max_examples=40, deadline=None)
def test_tricks_hands_and_matches_are_won_as_the_rulebook_says(options: Options, seed: bytes) -> None:
    scores = [0, 0]
    for _, _, state, told in match(options, seed):
        for event in told:
            if isinstance(event, HandScored):
                assert_scored(event.hand)
                scores = [score + points for score, points in zip(scores, event.hand.points_by_team, strict=True)]
                assert tuple(scores) == event.hand.scores_by_team == state.scores
    assert max(scores) >= options.target_score > min(scores)
    result = GAME.result(state)
    assert result is not None
    assert {p.seat for p in result.placements if p.rank == 1} == ({0, 2} if scores[0] > scores[1] else {1, 3})


def assert_scored(hand: HandSummary) -> None:
    """The finished hand, trick by trick."""
    if hand.outcome is Outcome.PASSED_OUT:
        assert (hand.trump, hand.maker, hand.tricks, hand.points_by_team) == (None, None, (), (0, 0))
        return
    assert hand.trump is not None
    assert hand.maker is not None
    trump, team = SHORT[hand.trump], hand.maker % 2
    sleeping = oracle.sits_out(hand.maker, alone=hand.alone, lone_defender=hand.lone_defender)
    wins = [0, 0]
    for trick in hand.tricks:
        lying = [(played.seat, card_name(played.card)) for played in trick.cards]
        assert {seat for seat, _ in lying} == set(SEATS) - sleeping
        assert trick.winner == oracle.takes(lying, trump)
        wins[trick.winner % 2] += 1
    assert sum(wins) == 5
    makers, defenders = oracle.scores(wins[team], alone=hand.alone, lone_defender=hand.lone_defender is not None)
    assert (hand.points_by_team[team], hand.points_by_team[1 - team]) == (makers, defenders)


@given(OPTIONS, SEEDS)
@settings(max_examples=40, deadline=None)
def test_the_right_seat_leads_and_the_others_follow_clockwise(options: Options, seed: bytes) -> None:
    for before, _, state, told in match(options, seed):
        for event in told:
            if isinstance(event, PlayBegan):
                assert (state.turn, before.maker or state.maker) == (event.leader, state.maker)
                assert event.leader == expected_leader(state, set(event.inactive))
            if isinstance(event, TrickWon) and state.hand_number == before.hand_number:
                assert state.turn == state.tricks[-1].winner or state.turn is None


def expected_leader(state: State, sleeping: set[int]) -> int:
    """The first seat that plays, from the left of the dealer, or of a loner who starts last."""
    assert state.maker is not None
    assert sleeping == oracle.sits_out(state.maker, alone=state.alone, lone_defender=state.lone_defender)
    start = state.maker if state.alone and state.options.loner_starts_last else state.dealer
    return next(seat for seat in ((start + i) % 4 for i in (1, 2, 3, 4)) if seat not in sleeping)


@given(OPTIONS, SEEDS)
@settings(max_examples=25, deadline=None)
def test_what_a_viewer_cannot_know_changes_nothing_for_it(options: Options, seed: bytes) -> None:
    for number, (state, _, _, _) in enumerate(match(options, seed)):
        for viewer in VIEWERS:
            other = GAME.redeal(state, viewer, Rng(seed + b"redeal", number))
            GAME.check(other)
            assert encode_move(GAME.view(other, viewer)) == encode_move(GAME.view(state, viewer))
            if viewer is not None:
                assert GAME.legal_moves(other, viewer) == GAME.legal_moves(state, viewer)


@given(OPTIONS, SEEDS)
@settings(max_examples=25, deadline=None)
def test_events_are_enough_to_follow_the_game(options: Options, seed: bytes) -> None:
    """Hand sizes, trump and cards played follow from what everybody is told."""
    for before, move, state, told in match(options, seed):
        played = [event.card for event in told if isinstance(event, CardPlayed)]
        assert [f"play:{card_name(card)}" for card in played] == ([move] if move.startswith("play") else [])
        for event in told:
            if isinstance(event, TrumpMade):
                assert (state.trump, state.alone, state.maker) == (event.trump, event.alone, before.turn)
        assert all(view.hand_sizes == views(state)[4].hand_sizes for view in views(state))


@given(OPTIONS, SEEDS)
@settings(max_examples=25, deadline=None)
def test_the_deal_moves_on_after_every_hand(options: Options, seed: bytes) -> None:
    for before, _, state, _ in match(options, seed):
        if state.hand_number != before.hand_number:
            assert state.hand_number == before.hand_number + 1
            assert state.dealer == left_of(before.dealer)
