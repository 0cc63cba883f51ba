"""What a hand is worth, the next deal and the end of the match (RULES 9)."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core import Fact, Placement, Result, Rng, Share, Step
from engine.core.leaving import RESIGNED
from engine.games.euchre.deal import deal, hand_dealt
from engine.games.euchre.events import Event, HandScored, MatchOver
from engine.games.euchre.state import (
    HAND_SIZE,
    SEATS,
    HandSummary,
    Outcome,
    Phase,
    State,
    Tally,
    left_of,
    team_of,
    tricks_by_team,
)

_POINTS = {
    Outcome.PASSED_OUT: 0,
    Outcome.POINT: 1,
    Outcome.MARCH: 2,
    Outcome.LONE_MARCH: 4,
    Outcome.EUCHRE: 2,
    Outcome.LONE_EUCHRE: 4,
}
_EUCHRES = (Outcome.EUCHRE, Outcome.LONE_EUCHRE)
_TO_MAKE = 3


def outcome_of(maker_tricks: int, *, alone: bool, lone_defender: bool) -> Outcome:
    """How a played hand ended, by the makers' tricks (RULES 9.1)."""
    if maker_tricks < _TO_MAKE:
        return Outcome.LONE_EUCHRE if lone_defender else Outcome.EUCHRE
    if maker_tricks < HAND_SIZE:
        return Outcome.POINT
    return Outcome.LONE_MARCH if alone else Outcome.MARCH


def points_of(outcome: Outcome, maker_team: int) -> tuple[int, ...]:
    """Points by team (RULES 9.1)."""
    scoring_team = 1 - maker_team if outcome in _EUCHRES else maker_team
    points = _POINTS[outcome]
    return (points, 0) if scoring_team == 0 else (0, points)


def summarize(state: State) -> HandSummary:
    """The hand of ``state``, all tricks played or passed out, as everybody may remember it."""
    tricks = tricks_by_team(state.tricks)
    outcome = Outcome.PASSED_OUT
    points: tuple[int, ...] = (0, 0)
    if state.maker is not None:
        team = team_of(state.maker)
        outcome = outcome_of(tricks[team], alone=state.alone, lone_defender=state.lone_defender is not None)
        points = points_of(outcome, team)
    return HandSummary(
        hand_number=state.hand_number,
        dealer=state.dealer,
        upcard=state.upcard,
        outcome=outcome,
        trump=state.trump,
        maker=state.maker,
        alone=state.alone,
        lone_defender=state.lone_defender,
        tricks=state.tricks,
        tricks_by_team=tricks,
        points_by_team=points,
        scores_by_team=(state.scores[0] + points[0], state.scores[1] + points[1]),
    )


def _add(tally: Tally, outcome: Outcome, points: int) -> Tally:
    if not points:
        return tally
    field = outcome.name.lower()
    return replace(tally, **{field: getattr(tally, field) + points})


def finish_hand(state: State, facts: tuple[Fact[Event], ...], rng: Rng) -> Step[State, Event]:
    """Score the hand, then end the match or deal the next hand (RULES 9.1 to 9.3).

    The new hand is something that the acting seat could not foresee, so that such a step reveals.
    """
    hand = summarize(state)
    scores = hand.scores_by_team
    tallies = tuple(_add(t, hand.outcome, p) for t, p in zip(state.tallies, hand.points_by_team, strict=True))
    scored: Fact[Event] = Fact(None, HandScored(hand))
    if max(scores) >= state.options.target_score:
        over = replace(state, phase=Phase.MATCH_OVER, turn=None, scores=scores, tallies=tallies, last_hand=hand)
        return Step(over, (*facts, scored, Fact(None, MatchOver(winning_team(over), scores))))
    following = deal(state.options, state.hand_number + 1, left_of(state.dealer), rng, scores, tallies, hand)
    return Step(following, (*facts, scored, hand_dealt(following)), reveals=True)


def winning_team(state: State) -> int:
    """The team with the target score, when the match is over (RULES 9.3)."""
    return 0 if state.scores[0] > state.scores[1] else 1


def result(state: State) -> Result | None:
    """Both partners of the winning team are first, the others second (RULES 9.4)."""
    if state.phase is not Phase.MATCH_OVER:
        return None
    winner = winning_team(state)
    return Result(
        tuple(
            Placement(seat, 1 if team_of(seat) == winner else 2, state.scores[team_of(seat)], _breakdown(state, seat))
            for seat in SEATS
        ),
        "target_reached",
    )


def forfeit(state: State, lost: frozenset[int]) -> Result:
    """The team that somebody left is second (RULES 13.1); if both were left, nobody is ahead of anybody."""
    second = lost if len(lost) < len(SEATS) else frozenset()
    placements = (Placement(seat, 2 if seat in second else 1, state.scores[team_of(seat)]) for seat in SEATS)
    return Result(tuple(placements), RESIGNED)


def _breakdown(state: State, seat: int) -> tuple[Share, ...]:
    """The team's points by how they were won; what no hand explains was carried in by a start position."""
    tally, score = state.tallies[team_of(seat)], state.scores[team_of(seat)]
    shares = [(name, getattr(tally, name)) for name in tally.__struct_fields__]
    shares.append(("carried", score - sum(points for _, points in shares)))
    return tuple(Share(key, points) for key, points in shares if points)
