"""The secrets of section 13 through gRPC and REST: two games that differ in one of them, byte for byte."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.games.paint_the_roses import GAME
from engine.games.paint_the_roses.state import Phase, State
from tests.games.apart import Act, nobody_can_tell
from tests.games.paint_the_roses.table import read_move, table
from tests.service.secrecy.conftest import MakeTwins

# What happens around the card of seat 2: proposals, each kind of vote, a captain, a wrong guess, another turn.
PLANTED = (0, "plant:0:A2")
REJECTED = ((1, "guess:2:pink/pink"), (3, "yes"), (0, "no"))
WITHDRAWN = ((3, "guess:2:pink/pink"), (3, "withdraw"))
WRONG = ((1, "guess:2:pink/pink"), (0, "yes"), (3, "yes"))


def acts(*moves: tuple[int, str]) -> list[Act]:
    return [Act(seat, read_move(text)) for seat, text in moves]


def holding(card: str) -> State:
    """Four players before their first tile, a pink heart; seat 2 holds the card."""
    return table(4, phase=Phase.PLANT, whims={2: card}, greenhouse=["pink-heart"])


@pytest.mark.parametrize("other", ["H-red-spade-2", "H-purple-purple-2"])
async def test_a_whim_and_the_guesses_about_it(twins: MakeTwins, other: str) -> None:
    """Neither card is on the pink heart or next to it, so that the cubes are the same."""
    worlds = holding("H-red-spade-1"), holding(other)
    await nobody_can_tell(twins, GAME, worlds, *acts(PLANTED, *REJECTED, *WRONG), viewers=(None, 0, 1, 3))


async def test_a_captain_learns_of_a_whim_by_the_guess_alone(twins: MakeTwins) -> None:
    worlds = holding("H-red-spade-1"), holding("H-red-spade-2")
    captain = acts(PLANTED, *REJECTED, *WITHDRAWN, *WITHDRAWN, (0, "guess:2:pink/pink"))
    await nobody_can_tell(twins, GAME, worlds, *captain, viewers=(0, 1))


async def test_the_target_sees_no_more_of_the_other_cards(twins: MakeTwins) -> None:
    """Seat 2 is the target, then a voter on the card of seat 0, whose value it cannot know."""
    worlds = [table(4, phase=Phase.PLANT, whims={0: f"H-pink-pink-{copy}"}) for copy in (1, 2)]
    proposed = (1, "guess:0:red/red")
    guesses = acts(PLANTED, *WITHDRAWN, proposed, (2, "no"), proposed, (3, "yes"), (2, "yes"))
    await nobody_can_tell(twins, GAME, worlds, *guesses, viewers=(1, 2))


async def test_the_card_drawn_for_a_guessed_one(twins: MakeTwins) -> None:
    one = holding("H-red-spade-1")
    other = replace(one, decks=tuple(deck[::-1] for deck in one.decks))
    guessed = ((1, "guess:2:red/spade"), (0, "yes"), (3, "yes"), (0, "stop"))
    await nobody_can_tell(
        twins,
        GAME,
        (one, other),
        *acts(PLANTED, *guessed, (2, "level:easy"), (1, "plant:0:C2")),
        viewers=(None, 0, 1, 3),
    )


async def test_with_two_players_nobody_votes(twins: MakeTwins) -> None:
    worlds = [table(2, phase=Phase.PLANT, whims={0: f"M-club-spade-{copy}"}) for copy in (1, 2)]
    await nobody_can_tell(
        twins, GAME, worlds, *acts(PLANTED, (1, "guess:0:red/red"), (1, "plant:0:B1"), (1, "clue")), viewers=(None, 1)
    )


async def test_the_order_of_bag_and_decks(twins: MakeTwins) -> None:
    """The tile drawn at the end of the turn is the same: it is seen."""
    one = holding("H-red-spade-1")
    other = replace(one, decks=tuple(deck[::-1] for deck in one.decks), bag=(one.bag[0], *one.bag[:0:-1]))
    await nobody_can_tell(twins, GAME, (one, other), *acts(PLANTED, *WRONG), viewers=(None, 0, 2))
