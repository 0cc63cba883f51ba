"""What a viewer cannot know, dealt anew: everything that he sees stays as it is (section 13)."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.rng import Rng
from engine.games.paint_the_roses import box
from engine.games.paint_the_roses.cubes import candidates
from engine.games.paint_the_roses.state import Phase, State
from engine.games.paint_the_roses.symbols import Level


def redeal(state: State, seat: int | None, rng: Rng) -> State:
    """Other cards for the seats that ``seat`` (None: a spectator) cannot see, and other orders of decks and bag.

    The new cards agree with the levels, the cubes and the wrong guesses that everybody has seen.
    """
    hidden = _hidden(state, seat)
    piles: dict[Level, list[int]] = {}
    for level in Level:
        held = [whim for whim in hidden.values() if box.level_of(whim) is level]
        # Sorted, here and below, so that nothing depends on where cards and tiles really are.
        piles[level] = list(rng.shuffle(sorted((*state.decks[level - 1], *held))))
    choices = [(other, _choices(state, other, piles[box.level_of(whim)])) for other, whim in hidden.items()]
    # Whose card is nearly known comes first: whoever has many choices always finds one that is left.
    dealt = _deal(sorted(choices, key=lambda choice: len(choice[1])), frozenset())
    if dealt is None:
        raise ValueError("the cards that are held agree with the cubes, so there is a deal")
    players = tuple(replace(player, whim=dealt.get(other, player.whim)) for other, player in enumerate(state.players))
    left = {level: tuple(whim for whim in piles[level] if whim not in dealt.values()) for level in Level}
    decks = tuple(left[level] for level in Level)
    return replace(state, players=players, decks=decks, bag=rng.shuffle(sorted(state.bag)))


def _hidden(state: State, seat: int | None) -> dict[int, int]:
    """The cards that the viewer cannot see, by seat; at the end all lie open (13.5)."""
    if state.phase is Phase.GAME_OVER:
        return {}
    return {
        other: player.whim for other, player in enumerate(state.players) if other != seat and player.whim is not None
    }


def _choices(state: State, seat: int, pile: list[int]) -> list[int]:
    """The cards of the pile that ``seat`` may hold, in the order of the pile."""
    possible = candidates(state, seat)
    return [card for card in pile if box.pair_of(card) in possible]


def _deal(choices: list[tuple[int, list[int]]], taken: frozenset[int]) -> dict[int, int] | None:
    """To each seat the first of its choices that leaves the others one, no card twice; None if there is no way."""
    if not choices:
        return {}
    (seat, cards), *others = choices
    for card in cards:
        if card not in taken:
            rest = _deal(others, taken | {card})
            if rest is not None:
                return {seat: card, **rest}
    return None
