"""What holds on every table: oracles that know only the words of the rules, and games played to the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core import Rng, Step, play
from engine.games.nana_toridori import GAME
from engine.games.nana_toridori.state import (
    ADVANCED,
    ADVANCED_WINNERS,
    DUEL,
    Drawn,
    DrawnKept,
    Event,
    GameEnded,
    Keep,
    KeepFront,
    Move,
    Options,
    Pass,
    Phase,
    Play,
    RoundEnded,
    State,
    Take,
)
from tests.games.nana_toridori.follower import Follower, compared
from tests.games.nana_toridori.table import board, duel, offers, seen

# Clause 3.3 as a list: every combination there is, from the weakest to the strongest.
LADDER = [(value,) * number for number in range(1, 10) for value in range(1, 8)]

# Few values, so that runs are frequent; with two front cards no more than the nine equal cards that there are.
hands = st.lists(st.integers(1, 7) | st.integers(1, 2), min_size=1, max_size=7).map(tuple)
tables = st.sampled_from([(), *LADDER[:21]])


def text(cards: tuple[int, ...]) -> str:
    return "".join(map(str, cards))


def intervals(hand: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Clause 3.1: neighbours of one value, as start and count."""
    for start, end in combinations(range(len(hand) + 1), 2):
        if len(set(hand[start:end])) == 1:
            yield start, end - start


def beats(cards: tuple[int, ...], table: tuple[int, ...]) -> bool:
    return not table or LADDER.index(cards) > LADDER.index(table)


@given(hands, tables)
def test_the_offers_are_the_combinations_that_beat_the_table(hand: tuple[int, ...], table: tuple[int, ...]) -> None:
    state = board("7", text(hand), "7", table=text(table), turn=1)
    expected = [Play(start, count) for start, count in intervals(hand) if beats(hand[start : start + count], table)]
    assert offers(state) == expected + [Pass()] * bool(table)


@given(hands, st.lists(st.integers(1, 3), max_size=2), tables)
def test_in_a_duel_front_cards_of_the_value_may_join(
    hand: tuple[int, ...], front: list[int], table: tuple[int, ...]
) -> None:
    state = duel("7", text(hand), front=("", text(tuple(front))), table=text(table), turn=1)
    choices = [indices for number in range(3) for indices in combinations(range(len(front)), number)]
    expected = {
        Play(start, count, indices)
        for start, count in intervals(hand)
        for indices in choices
        if len({hand[start], *(front[index] for index in indices)}) == 1
        and beats((hand[start],) * (count + len(indices)), table)
    }
    offered = offers(state)
    assert len(offered) == len(set(offered))
    assert set(offered) - {Pass()} == expected
    assert (Pass() in offered) == bool(table)


class Turn(NamedTuple):
    """A move of a random game."""

    before: State
    seat: int
    move: Move
    step: Step[State, Event]

    @property
    def after(self) -> State:
        return self.step.state

    @property
    def deals(self) -> bool:
        """Whether a round ended, so that the hands are new or the game is over."""
        return any(isinstance(fact.public, RoundEnded) for fact in self.step.facts)


standard = st.builds(
    lambda mode, winner, seats, seed: GAME.setup(Options(mode, winner), seats, Rng(seed, 0)),
    st.sampled_from(["basic", ADVANCED]),
    st.sampled_from(ADVANCED_WINNERS),
    st.integers(2, 6),
    st.binary(min_size=1, max_size=8),
)
duels = st.builds(
    lambda seed: GAME.setup(Options(two_player_mode=DUEL), 2, Rng(seed, 0)), st.binary(min_size=1, max_size=8)
)


def played(state: State, seed: bytes) -> list[Turn]:
    """A game to its end, with random moves."""
    turns: list[Turn] = []
    while state.turn is not None:
        number = len(turns) + 1
        made = Rng(seed + b"/moves", number).choice(GAME.legal_moves(state, state.turn))
        step = play(GAME, state, state.turn, made, Rng(seed, number))
        turns.append(Turn(state, state.turn, made, step))
        state = step.state
    return turns


games = st.builds(played, standard | duels, st.binary(max_size=8))
brief = settings(max_examples=25, deadline=None)


def everything(state: State) -> Counter[int]:
    """The cards of all zones."""
    cards = Counter[int]()
    for zone in (*state.hands, *state.front, state.table, state.beaten, state.discard_pile, state.draw_pile):
        cards.update(zone)
    if state.drawn is not None:
        cards[state.drawn] += 1
    return cards


@brief
@given(games)
def test_the_63_cards_are_always_there(turns: list[Turn]) -> None:
    pack = Counter(dict.fromkeys(range(1, 8), 9))
    assert everything(turns[0].before) == pack
    for turn in turns:
        assert everything(turn.after) == pack


def without(hand: tuple[int, ...], start: int, count: int) -> tuple[int, ...]:
    return tuple(card for place, card in enumerate(hand) if not start <= place < start + count)


@brief
@given(games)
def test_hands_keep_their_order(turns: list[Turn]) -> None:
    for before, seat, made, step in turns:
        after = step.state
        if any(isinstance(fact.public, RoundEnded) for fact in step.facts):
            continue
        for other in range(len(before.hands)):
            if other != seat:
                assert after.hands[other] == before.hands[other]
        old, new = before.hands[seat], after.hands[seat]
        match made:
            case Play(start=start, count=count):
                assert new == without(old, start, count)
                assert len(new) == len(old) - count
            case Take(position=position):
                assert new[position : position + len(before.beaten)] == before.beaten
                assert without(new, position, len(before.beaten)) == old
            case Keep(position=position):
                assert new[position] == before.drawn
                assert without(new, position, 1) == old
            case KeepFront(index=index, position=position):
                assert new[position] == before.front[seat][index]
                assert without(new, position, 1) == old
            case _:
                assert new == old


@brief
@given(games)
def test_a_table_only_grows_stronger_and_is_cleared_when_all_others_have_passed(turns: list[Turn]) -> None:
    passed: set[int] = set()
    for turn in turns:
        before, after = turn.before, turn.after
        if isinstance(turn.move, Play):
            passed = set()
            now = after.table if not turn.deals else (after.last_round.table if after.last_round else ())
            assert beats(now, before.table)
        elif isinstance(turn.move, Pass):
            passed.add(turn.seat)
            assert before.table
        if turn.deals:
            passed = set()
            continue
        holders = {seat for seat, hand in enumerate(after.hands) if hand}
        everybody = holders - {before.owner} <= passed
        cleared = bool(before.table) and not after.table
        waiting = after.phase in (Phase.KEEP, Phase.FRONT)
        assert cleared == (bool(before.table) and everybody and not waiting and not isinstance(turn.move, Play))
        assert after.passes == (0 if cleared else len(passed))
        if cleared:
            passed = set()


@brief
@given(games)
def test_a_game_has_as_many_rounds_as_it_may_and_the_right_winners(turns: list[Turn]) -> None:
    last = turns[-1].after
    seats = len(last.hands)
    ended = [fact.public for turn in turns for fact in turn.step.facts if isinstance(fact.public, RoundEnded)]
    losers = Counter(event.summary.loser for event in ended)
    final = turns[-1].step.facts[-1].public
    assert isinstance(final, GameEnded)
    result = GAME.result(last)
    assert result is not None
    assert final.winners == tuple(placement.seat for placement in result.placements if placement.rank == 1)
    if last.options.mode == ADVANCED:
        for before, after in pairwise([(0,) * seats, *(event.points for event in ended)]):
            gained = sorted(new - old for old, new in zip(before, after, strict=True))
            assert gained == sorted([4, 0, *[2] * (seats - 2)])
        assert all(max(event.points) < 10 for event in ended[:-1])
        assert 10 <= max(ended[-1].points) <= 12
        return
    assert 2 <= len(ended) <= seats + 1
    assert [seat for seat, lost in losers.items() if lost == 2] == [ended[-1].summary.loser]
    assert set(final.winners) == set(range(seats)) - {ended[-1].summary.loser}
    assert [2 - losers[seat] for seat in range(seats)] == list(last.penguins)


@brief
@given(games)
def test_the_loser_of_a_round_is_the_last_one_with_cards_and_leads(turns: list[Turn]) -> None:
    for turn in turns:
        if not turn.deals:
            continue
        (event,) = [fact.public for fact in turn.step.facts if isinstance(fact.public, RoundEnded)]
        left = {seat for seat, hand in enumerate(turn.before.hands) if hand}
        if isinstance(turn.move, Pass):
            assert event.summary.loser == turn.seat
            assert not turn.before.front[turn.seat]
        else:
            assert left - {turn.seat} == {event.summary.loser}
        assert turn.after.turn in (event.summary.loser, None)


@brief
@given(games)
def test_a_client_that_only_listens_knows_what_a_view_tells(turns: list[Turn]) -> None:
    opening = turns[0].before
    for viewer in (None, *range(len(opening.hands))):
        client = Follower(GAME.view(opening, viewer))
        for turn in turns:
            for fact in turn.step.facts:
                event = fact.seen_by(viewer)
                assert event is not None
                client.hear(event, fact.seat)
            assert client.remembers() == compared(GAME.view(turn.after, viewer))


@brief
@given(games)
def test_what_everybody_knows_of_a_hand_is_in_it(turns: list[Turn]) -> None:
    for turn in turns:
        for hand, known in zip(turn.after.hands, turn.after.known, strict=True):
            assert not Counter(known) - Counter(hand)


@brief
@given(games)
def test_nobody_learns_a_drawn_card_or_a_place_of_another_seat(turns: list[Turn]) -> None:
    for turn in turns:
        for viewer in (None, *range(len(turn.before.hands))):
            if viewer == turn.seat:
                continue
            for event in seen(turn.step, viewer):
                secret = {"start", "position"} & set(event.__struct_fields__)
                assert all(getattr(event, field) is None for field in secret)
                if isinstance(event, Drawn | DrawnKept):
                    assert event.card is None


@brief
@given(games, st.integers(0, 6))
def test_a_redeal_has_the_same_cards_and_moves_none_that_everybody_knows(turns: list[Turn], first: int) -> None:
    for number, turn in enumerate(turns[first::7]):
        for viewer in (None, *range(len(turn.after.hands))):
            redealt = GAME.redeal(turn.after, viewer, Rng(b"redeal", number))
            assert everything(redealt) == everything(turn.after)
            assert GAME.view(redealt, viewer) == GAME.view(turn.after, viewer)
            for hand, known in zip(redealt.hands, turn.after.known, strict=True):
                assert not Counter(known) - Counter(hand)


@settings(max_examples=10, deadline=None)
@given(standard | duels)
def test_the_clock_alone_brings_every_game_to_its_end(state: State) -> None:
    for number in range(1, 5_000):
        if state.turn is None:
            break
        state = play(GAME, state, state.turn, GAME.timeout_move(state, state.turn), Rng(b"clock", number)).state
    assert GAME.result(state) is not None
