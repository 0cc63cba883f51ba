"""Positions: what the rules cannot reach is refused by the name of the field. RULES 12."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from engine.core import InvalidPosition, Rng, read_position, write_position
from engine.core.cards import card_of
from engine.games.euchre import GAME
from engine.games.euchre.state import Options, Phase, PlayedCard, State, Tally, Trick, Trump, UpcardState
from tests.games.euchre.table import dealt, moves, offers

BID1 = dealt()
BID2 = moves(dealt(), "1:pass 2:pass 3:pass 0:pass")
BLIND = dealt(upcard="BN", benny=True)
DISCARDING = moves(dealt(), "1:up")
DEFENDING = moves(dealt(lone_defender=True), "1:up 0:discard:QD")
PLAYING = moves(dealt(), "1:up 0:discard:QD 1:play:JD 2:play:JH 3:play:9S 0:play:9H 2:play:KH")
CALLED = moves(BID2, "1:call:S")
ONE_TRICK = moves(CALLED, "1:play:KC 2:play:AD 3:play:AC 0:play:9C")
CANADIAN = moves(dealt(canadian_loner=True), "1:pass 2:up+alone 0:discard:QD")


TWO = PlayedCard(0, card_of("2H"))


def played_out(state: State) -> State:
    """To the end of the match, always the last offer, so that hands are not passed out for ever."""
    while state.turn is not None:
        state = moves(state, f"{state.turn}:{offers(state)[-1]}")
    return state


OVER = played_out(dealt(scores=(9, 9)))
SECOND = moves(dealt(stick_the_dealer=False), " ".join(f"{seat}:pass" for seat in (1, 2, 3, 0) * 2))


@pytest.mark.parametrize(
    "state", [BID1, BID2, BLIND, DISCARDING, DEFENDING, PLAYING, CALLED, CANADIAN, OVER, SECOND, played_out(BID1)]
)
def test_what_the_rules_reach_is_accepted(state: State) -> None:
    GAME.check(state)
    assert read_position(GAME, write_position(GAME, state)) == state


def swap(state: State, seat: int, card: str) -> State:
    """Put the card in place of the first one in the hand of ``seat``."""
    hands = list(state.hands)
    hands[seat] = (card_of(card), *hands[seat][1:])
    return replace(state, hands=tuple(hands))


def trick(state: State, **fields: Any) -> State:
    """Change the first finished trick."""
    return replace(state, tricks=(replace(state.tricks[0], **fields), *state.tricks[1:]))


WRONG: list[tuple[str, State]] = [
    ("options.target_score", replace(BID1, options=Options(target_score=9))),
    ("options.first_dealer", replace(BID1, options=Options(first_dealer=4))),
    ("hand_number", replace(BID1, hand_number=0)),
    ("dealer", replace(BID1, dealer=4)),
    ("scores", replace(BID1, scores=(0, 10))),
    ("scores", replace(BID1, scores=(0, -1))),
    ("scores", replace(BID1, scores=(0,))),
    ("scores", replace(OVER, scores=(9, 9))),
    ("tallies", replace(BID1, tallies=(Tally(),))),
    ("tallies[1]", replace(BID1, scores=(0, 1), tallies=(Tally(), Tally(point=2)))),
    ("upcard", replace(BID1, upcard=card_of("8H"))),
    ("upcard_state", replace(BID1, upcard_state=UpcardState.TURNED_DOWN)),
    ("upcard_state", replace(PLAYING, upcard_state=UpcardState.FACE_UP)),
    ("phase", replace(BLIND, phase=Phase.BID1, turn=1)),
    ("phase", replace(BID1, phase=Phase.BENNY, turn=0)),
    ("trump", replace(BID1, trump=Trump.HEARTS)),
    ("maker", replace(BID1, maker=1)),
    ("alone", replace(BID1, alone=True)),
    ("trump", replace(PLAYING, trump=None)),
    ("maker", replace(PLAYING, maker=None)),
    ("maker", replace(PLAYING, maker=7)),
    ("trump", replace(DISCARDING, trump=Trump.SPADES)),
    ("trump", replace(CALLED, trump=Trump.HEARTS)),
    ("trump", replace(CALLED, trump=Trump.NO_TRUMP)),
    ("maker", replace(moves(BLIND, "0:name:S"), maker=1)),
    ("trump", replace(moves(BLIND, "0:name:S"), trump=Trump.NO_TRUMP)),
    ("alone", replace(CANADIAN, alone=False)),
    ("lone_defender", replace(PLAYING, lone_defender=2)),
    ("lone_defender", replace(DEFENDING, lone_defender=2)),
    ("lone_defender", replace(moves(DEFENDING, "2:defend"), lone_defender=1)),
    ("lone_defender", replace(moves(DEFENDING, "2:defend"), lone_defender=5)),
    ("discard", replace(BID1, discard=card_of("9S"))),
    ("discard", replace(PLAYING, discard=None)),
    ("upcard", replace(PLAYING, upcard=card_of("AH"))),
    ("tricks", replace(BID1, tricks=PLAYING.tricks)),
    ("trick", replace(BID1, trick=PLAYING.trick)),
    ("tricks", replace(PLAYING, tricks=PLAYING.tricks * 6)),
    ("tricks[0].cards", trick(PLAYING, cards=PLAYING.tricks[0].cards[1:])),
    ("tricks[0].cards[0].seat", trick(PLAYING, cards=PLAYING.tricks[0].cards[::-1])),
    ("tricks[0].cards[3].card", trick(ONE_TRICK, cards=(*ONE_TRICK.tricks[0].cards[:3], TWO))),
    ("tricks[0].winner", trick(PLAYING, winner=1)),
    ("trick[0].seat", replace(PLAYING, trick=(PlayedCard(3, PLAYING.trick[0].card),))),
    ("hands", replace(BID1, hands=BID1.hands[:3])),
    ("hands[2]", replace(BID1, hands=(*BID1.hands[:2], (), BID1.hands[3]))),
    ("hands[1]", swap(BID1, 1, "AS")),
    ("hands[3]", swap(BID1, 3, "8H")),
    ("upcard", swap(BID1, 1, "9H")),
    ("kitty", replace(BID1, kitty=())),
    ("turn", replace(BID1, turn=4)),
    ("turn", replace(BID1, turn=None)),
    ("turn", replace(BLIND, turn=1)),
    ("turn", replace(DEFENDING, turn=1)),
    ("turn", replace(PLAYING, turn=2)),
    ("turn", replace(OVER, turn=0)),
    ("phase", replace(DEFENDING, options=Options())),
    ("last_hand", replace(OVER, last_hand=None)),
    ("last_hand.hand_number", replace(SECOND, hand_number=7)),
    ("last_hand.dealer", replace(SECOND, dealer=3, turn=0)),
    ("last_hand", replace(SECOND, scores=(1, 0))),
]


@pytest.mark.parametrize(("field", "state"), WRONG, ids=[f"{i}-{field}" for i, (field, _) in enumerate(WRONG)])
def test_the_wrong_field_is_named(field: str, state: State) -> None:
    with pytest.raises(InvalidPosition) as refusal:
        GAME.check(state)
    assert refusal.value.field == field


def test_an_untrue_summary_is_refused() -> None:
    assert OVER.last_hand is not None
    for change in ({"tricks_by_team": (5, 0)}, {"points_by_team": (4, 4)}, {"points_by_team": ()}, {"maker": None}):
        with pytest.raises(InvalidPosition) as refusal:
            GAME.check(replace(OVER, last_hand=replace(OVER.last_hand, **change)))
        assert refusal.value.field.startswith("last_hand")


def _last(state: State, **fields: Any) -> State:
    """Change the summary of the last hand."""
    assert state.last_hand is not None
    return replace(state, last_hand=replace(state.last_hand, **fields))


def _tricks(state: State, change: Callable[[Trick], Trick]) -> tuple[Trick, ...]:
    """The tricks of the last hand, the first one changed."""
    assert state.last_hand is not None
    first, *others = state.last_hand.tricks
    return (change(first), *others)


def _second_played() -> State:
    """A second hand, after one that was played; nobody orders up, so the upcard was turned down."""
    state = moves(CALLED, "")
    while state.hand_number == 1:
        state = moves(state, f"{state.turn}:{offers(state)[0]}")
    return state


NEXT = _second_played()
UNPLAYED: list[tuple[str, State]] = [
    ("last_hand.dealer", _last(SECOND, dealer=-(2**31))),
    ("last_hand.dealer", _last(NEXT, dealer=-4)),
    ("last_hand.upcard", _last(NEXT, upcard=card_of("8H"))),
    ("last_hand.maker", replace(SECOND, options=Options())),
    ("last_hand.maker", _last(SECOND, alone=True)),
    ("last_hand.maker", _last(NEXT, maker=1001)),
    ("last_hand.maker", _last(SECOND, trump=Trump.SPADES)),
    ("last_hand.lone_defender", _last(NEXT, lone_defender=2**31 - 1)),
    ("last_hand.tricks[0].winner", _last(NEXT, tricks=_tricks(NEXT, lambda t: replace(t, winner=t.winner + 2)))),
    (
        "last_hand.tricks[0].cards[0].seat",
        _last(NEXT, tricks=_tricks(NEXT, lambda t: replace(t, cards=(replace(t.cards[0], seat=1000), *t.cards[1:])))),
    ),
    ("last_hand.tricks", _last(NEXT, upcard=card_of("AD"))),
    ("hand_number", replace(BID1, hand_number=2**31 - 1)),
]


@pytest.mark.parametrize(("field", "state"), UNPLAYED, ids=[f"{i}-{field}" for i, (field, _) in enumerate(UNPLAYED)])
def test_a_last_hand_that_cannot_have_been_played_is_refused(field: str, state: State) -> None:
    GAME.check(NEXT)
    with pytest.raises(InvalidPosition) as refusal:
        GAME.check(state)
    assert refusal.value.field == field


def test_a_position_may_leave_out_what_has_a_default() -> None:
    document = write_position(GAME, BID1)
    for field in ("scores", "tallies", "discard", "trump", "maker", "alone", "lone_defender", "trick", "tricks"):
        del document[field]
    assert read_position(GAME, document) == BID1


@pytest.mark.parametrize("state", [BID1, BID2, BLIND, DISCARDING, DEFENDING, PLAYING, OVER, SECOND])
def test_whatever_is_changed_the_answer_is_a_refusal_or_a_state_that_can_be_played(state: State) -> None:
    """Values are swapped for others of their kind; nothing but InvalidPosition may come of it."""
    chance = random.Random(7)
    for _ in range(400):
        document = write_position(GAME, state)
        mutate(document, chance)
        try:
            read = read_position(GAME, document)
        except InvalidPosition:
            continue
        for viewer in (None, 0, 1, 2, 3):
            GAME.scene(GAME.view(GAME.redeal(read, viewer, Rng(b"mutation", 0)), viewer))
        played_out(read)


def mutate(document: dict[str, Any], chance: random.Random) -> None:
    """Change one value somewhere in the document."""
    changes: dict[type, Callable[[Any], Any]] = {
        bool: lambda value: not value,
        int: lambda value: value + chance.choice((-1, 1, 40)),
        str: lambda _: chance.choice(("AC", "9H", "hearts", "no_trump", "play", "taken", "turned_down")),
        list: lambda value: chance.choice((value[1:], value[::-1], value * 2)),
        type(None): lambda _: chance.choice((0, 1, "9S", "clubs")),
    }
    holder: Any = document
    while True:
        key = chance.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
        value = holder[key]
        if isinstance(value, dict) or (isinstance(value, list) and value and chance.random() < 0.7):
            holder = value
            continue
        holder[key] = changes[type(value)](value)
        return


def test_a_position_can_start_in_the_middle_of_the_play() -> None:
    document = write_position(GAME, PLAYING)
    document["scores"] = [9, 8]
    state = read_position(GAME, document)
    assert (state.turn, state.scores, state.tricks[0]) == (3, (9, 8), Trick(PLAYING.tricks[0].cards, 2))
