"""The secrets of section 11 through gRPC and REST: two games that differ in one of them, byte for byte."""

from __future__ import annotations

from collections import Counter
from typing import Any

from msgspec.structs import replace

from engine.games.nana_toridori import GAME, rounds
from engine.games.nana_toridori.state import State
from tests.games.apart import Act, nobody_can_tell
from tests.games.nana_toridori.table import board, duel
from tests.games.nana_toridori.vectors import read_move
from tests.service.secrecy.conftest import MakeTwins


def whole(state: State, pile: int) -> State:
    """The same with all 63 cards: the missing ones fill up the draw pile to so many, the others are discarded."""
    lying = Counter(card for hand in (*state.hands, *state.front, state.table, state.draw_pile) for card in hand)
    missing = tuple(sorted((Counter(rounds.PACK) - lying).elements()))
    more = pile - len(state.draw_pile)
    return replace(state, draw_pile=state.draw_pile + missing[:more], discard_pile=missing[more:])


def three(hand: str, deck: str, **fields: Any) -> State:
    """Seat 1 is to beat two 7, with this hand."""
    return whole(board("23", hand, "456", table="77", deck=deck, **fields), 20)


def act(seat: int, text: str, there: str = "") -> Act:
    return Act(seat, read_move(text), read_move(there) if there else None)


async def test_a_drawn_card_that_is_kept(twins: MakeTwins) -> None:
    worlds = three("441", "4613"), three("441", "6413")
    await nobody_can_tell(twins, GAME, worlds, act(1, "pass"), act(1, "keep 1"), act(2, "pass"), viewers=(None, 0))
    await nobody_can_tell(twins, GAME, worlds, act(1, "pass"), act(1, "keep 1"), viewers=(None, 0, 2))


async def test_where_a_drawn_card_is_kept(twins: MakeTwins) -> None:
    """The two hands differ from the start, so that not even the place given in the move is the same."""
    worlds = three("441", "4613"), three("144", "4613")
    await nobody_can_tell(
        twins, GAME, worlds, act(1, "pass"), act(1, "keep 0", "keep 3"), act(2, "pass"), viewers=(None, 0, 2)
    )


async def test_from_where_cards_are_played_and_to_where_they_go(twins: MakeTwins) -> None:
    worlds = three("15552", ""), three("25551", "")
    acts = act(1, "play 1 3"), act(1, "take 0", "take 2"), act(2, "pass")
    await nobody_can_tell(twins, GAME, worlds, *acts, viewers=(None, 0))
    worlds = three("55512", ""), three("12555", "")
    acts = act(1, "play 0 3", "play 2 3"), act(1, "take 2", "take 1"), act(2, "pass")
    await nobody_can_tell(twins, GAME, worlds, *acts, viewers=(None, 0))


async def test_how_many_answers_a_hand_has(twins: MakeTwins) -> None:
    able, unable = three("555222", ""), three("525252", "")
    assert [len(GAME.legal_moves(state, 1)) for state in (able, unable)] == [3, 1]
    await nobody_can_tell(twins, GAME, (able, unable), act(1, "pass"), viewers=(None, 0, 2))


async def test_where_a_front_card_goes(twins: MakeTwins) -> None:
    def one(hand: str) -> State:
        return whole(duel("23", hand, table="77", deck=""), 37)

    await nobody_can_tell(
        twins,
        GAME,
        (one("541"), one("145")),
        act(1, "pass"),
        act(1, "front 0 keep 1", "front 0 keep 3"),
        viewers=(None, 0),
    )
