"""The secrets of section 8 through gRPC and REST: two games that differ in one of them, byte for byte."""

from __future__ import annotations

from engine.games.cubirds import GAME
from engine.games.cubirds.state import Draw, Flock, NoDraw, NoFlock, Phase
from tests.games.apart import Act, nobody_can_tell
from tests.games.cubirds.table import full, table
from tests.games.cubirds.vectors import MOVES
from tests.service.secrecy.conftest import MakeTwins

LAY = MOVES["lay:P:3:left"]


async def test_whether_a_flock_is_possible(twins: MakeTwins) -> None:
    able, unable = (full(table(f"{hand} MM RR", phase=Phase.FLOCK)) for hand in ("FFFOOOW", "FOTDPMW"))
    assert [len(GAME.legal_moves(state, 0)) for state in (able, unable)] == [3, 1]
    await nobody_can_tell(twins, GAME, (able, unable), Act(0, NoFlock()), viewers=(None, 1, 2))


async def test_drawn_birds_and_what_they_make_possible(twins: MakeTwins) -> None:
    able, unable = (full(table("PFM MM RR", deck=deck)) for deck in ("FOWW", "OTWW"))
    await nobody_can_tell(
        twins, GAME, (able, unable), Act(0, LAY), Act(0, Draw()), Act(0, NoFlock()), viewers=(None, 1, 2)
    )


async def test_which_hands_are_thrown_away_and_dealt(twins: MakeTwins) -> None:
    """Seat 0 ends the round by its last birds; the hands of seats 1 and 2 differ, and what seat 0 is dealt does not."""
    deck = "DDDDDDDDPPPPPPPPMMMMMMMM"
    states = [full(table(f"FF {hands}", deck=deck, phase=Phase.FLOCK)) for hands in ("OOO WW", "WOW OO")]
    await nobody_can_tell(twins, GAME, states, Act(0, Flock(1)), viewers=(None, 0))


async def test_the_order_of_the_draw_pile(twins: MakeTwins) -> None:
    one, other = (full(table("PFM MM RR", deck=deck)) for deck in ("OTWWFD", "FDWWOT"))
    await nobody_can_tell(
        twins, GAME, (one, other), Act(0, LAY), Act(0, NoDraw()), Act(0, NoFlock()), viewers=(None, 0, 1, 2)
    )
