"""How well seats stand in the middle of a game: what they have, and what they may expect."""

from __future__ import annotations

from engine.games.wingspan import frames, mats, scoring
from engine.games.wingspan.bot import card_worth, turns_left
from engine.games.wingspan.rows import BIRDS
from engine.games.wingspan.state import Player, State
from engine.games.wingspan.terms import Trigger

# Imagining stops after so many turns of each player: more worlds tell more than longer courses.
_TURNS_AHEAD = 1
# So many points ahead of the best of the others are a sure win.
_SURE = 60.0
# What is to come, in points, fitted to games that were played by the rule of thumb: for each turn left, more with
# birds in the grassland and powers to activate; for tokens, cards in hand, birds, eggs, and the goal as it stands.
_TURN, _GRASSLAND, _ACTIVATED = 1.9, 0.15, 0.08
_TOKEN, _TOKENS_USED = 0.9, 6
_HAND, _TURNS_BY_CARD = 0.26, 4
_BIRD = 1.2
_GOAL = 0.8
_EGG, _EGGS_USED, _LATE = 0.4, 6, 4


def settled(began: State, state: State) -> bool:
    """At the beginning of a turn, some turns later; or when a round or the game is over."""
    if state.keeping:
        return False
    if state.active is None or state.round != began.round:
        return True
    if not isinstance(state.agenda[-1], frames.ChooseAction):
        return False
    spent = _cubes(began) - _cubes(state)
    return not began.keeping and spent >= _TURNS_AHEAD * len(state.players)


def _cubes(state: State) -> int:
    return sum([player.cubes for player in state.players])


def standing(state: State) -> tuple[float, ...]:
    """By how many points each seat may come out ahead of the best of the others, or behind."""
    points = [_prospect(state, seat) for seat in range(len(state.players))]
    standings = []
    for seat, mine in enumerate(points):
        best = max(points[:seat] + points[seat + 1 :])
        standings.append(min(1.0, max(0.0, 0.5 + (mine - best) / (2 * _SURE))))
    return tuple(standings)


def _prospect(state: State, seat: int) -> float:
    player = state.players[seat]
    points = float(sum(scoring.shares(player).values()))
    turns = 0 if state.active is None and not state.keeping else turns_left(player, state.round)
    if not turns:
        return points + _goal(state, seat)
    return points + _goal(state, seat) + _to_come(player, turns)


def _goal(state: State, seat: int) -> float:
    """The goal of the round as it stands, unless it is scored already."""
    if len(state.players[seat].goal_points) >= state.round:
        return 0.0
    counts = scoring.goal_counts(state.players, state.goals[state.round - 1])
    return _GOAL * scoring.goal_points(state.options.goal_board, state.round, counts)[seat]


def _to_come(player: Player, turns: int) -> float:
    birds = list(mats.birds_of(player))
    active = sum([BIRDS[on.bird].trigger is Trigger.WHEN_ACTIVATED for on in birds])
    by_turn = _TURN + _GRASSLAND * len(player.mat[1]) + _ACTIVATED * active
    hand = sorted([max(0.0, card_worth(bird, turns)) for bird in player.hand], reverse=True)
    eggs = min(sum([on.eggs for on in birds]), _EGGS_USED) if turns > _LATE else 0
    return (
        turns * by_turn
        + _TOKEN * min(sum(player.food), _TOKENS_USED, turns)
        + _HAND * sum(hand[: 1 + turns // _TURNS_BY_CARD])
        + _BIRD * len(birds)
        + _EGG * eggs
    )
