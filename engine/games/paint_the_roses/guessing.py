"""Guessing: who may propose what, voting, and what a guess brings (sections 7, 8 and 11)."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.model import Fact, Step
from engine.games.paint_the_roses import box, course, track
from engine.games.paint_the_roses.events import (
    ClueTokenUsed,
    Event,
    GuessedRight,
    GuessedWrong,
    GuessProposed,
    ProposalClosed,
    ProposalWithdrawn,
    Stopped,
    Voted,
    card,
)
from engine.games.paint_the_roses.state import Phase, Player, Proposal, Propose, Revealed, State, Vote, turn_of
from engine.games.paint_the_roses.track import DOUBLE, SINGLE, Facts

REJECTIONS_BEFORE_CAPTAIN = 3


def guessed_this_turn(state: State) -> bool:
    """Whether a guess of this turn was right; a wrong one would have ended the guessing (7.7, 7.8)."""
    return any(player.whim is None for player in state.players)


def has_captain(state: State) -> bool:
    """Whether only captains may propose (8.5)."""
    return state.rejections >= REJECTIONS_BEFORE_CAPTAIN


def captain_for(state: State, target: int) -> int:
    """The captain for guesses about ``target`` (8.5)."""
    return (state.active + 1) % len(state.players) if target == state.active else state.active


def targets(state: State, seat: int) -> list[int]:
    """Whose cards ``seat`` may propose to guess, ascending (7.2, 7.3, 8.5)."""
    secret = [target for target, player in enumerate(state.players) if player.whim is not None and target != seat]
    if has_captain(state):
        return [target for target in secret if captain_for(state, target) == seat]
    return secret if 0 <= seat < len(state.players) else []


def voters(state: State, proposal: Proposal) -> list[int]:
    """Who votes on a proposal, ascending (8.2)."""
    return [seat for seat in range(len(state.players)) if seat not in (proposal.seat, proposal.target)]


def waiting(state: State, proposal: Proposal) -> list[int]:
    """The voters who have not voted yet, ascending."""
    return [seat for seat in voters(state, proposal) if seat not in proposal.accepted]


def may_stop(state: State, seat: int) -> bool:
    """7.9."""
    return seat == state.active and guessed_this_turn(state)


def may_use_clue_token(state: State, seat: int) -> bool:
    """11.1."""
    return seat == state.active and state.clue_tokens > 0 and not guessed_this_turn(state)


def propose(state: State, seat: int, move: Propose) -> Step[State, Event]:
    """The proposal is put to the vote, or made at once if nobody votes (8.1, 8.3, 8.5)."""
    proposal = Proposal(seat, move.target, move.pair)
    proposed = Fact[Event](seat, GuessProposed(move.target, move.pair))
    if has_captain(state) or not voters(state, proposal):
        after, facts = _guess(state, proposal)
        return Step(after, (proposed, *facts), reveals=True)
    return Step(replace(state, proposal=proposal), (proposed,))


def vote(state: State, seat: int, move: Vote) -> Step[State, Event]:
    """The first no closes the proposal, the last yes makes the guess (8.2)."""
    proposal = _open(state)
    voted = Fact[Event](seat, Voted(move.accept))
    if not move.accept:
        after, facts = _close(state)
        return Step(after, (voted, *facts))
    agreed = replace(proposal, accepted=(*proposal.accepted, seat))
    if waiting(state, agreed):
        return Step(replace(state, proposal=agreed), (voted,))
    after, facts = _guess(state, agreed)
    return Step(after, (voted, *facts), reveals=True)


def withdraw(state: State, seat: int) -> Step[State, Event]:
    """Counts as a rejection (8.4)."""
    after, facts = _close(state)
    return Step(after, (Fact(seat, ProposalWithdrawn()), *facts))


def stop(state: State, seat: int) -> Step[State, Event]:
    """The Queen moves at single speed (7.9)."""
    after, facts = course.end_guessing(state, SINGLE)
    # New cards come before new tiles (10.1), so that only the end of the game shows something.
    return Step(after, (Fact(seat, Stopped()), *facts), reveals=after.phase is Phase.GAME_OVER)


def use_clue_token(state: State, seat: int) -> Step[State, Event]:
    """The Queen moves at single speed, the gardeners stay (11.1). A new tile or the open cards are seen after it."""
    after, facts = course.end_guessing(replace(state, clue_tokens=state.clue_tokens - 1), SINGLE)
    return Step(after, (Fact(seat, ClueTokenUsed()), *facts), reveals=True)


def _open(state: State) -> Proposal:
    if state.proposal is None:
        raise ValueError("no proposal is open")
    return state.proposal


def _close(state: State) -> tuple[State, Facts]:
    rejections = state.rejections + 1
    return replace(state, proposal=None, rejections=rejections), (Fact(None, ProposalClosed(rejections)),)


def _guess(state: State, proposal: Proposal) -> tuple[State, Facts]:
    """The team has agreed; whether the pair is that of the card decides (7.7, 7.8)."""
    whim = state.players[proposal.target].whim
    if whim is None:
        raise ValueError(f"seat {proposal.target} holds no card")
    if box.pair_of(whim) == proposal.pair:
        return _right(state, proposal, whim)
    target = state.players[proposal.target]
    wronged = replace(target, refuted=(*target.refuted, proposal.pair))
    state = replace(state, players=course.with_player(state, proposal.target, wronged))
    after, facts = course.end_guessing(state, DOUBLE)
    return after, (Fact(proposal.seat, GuessedWrong(proposal.target, proposal.pair)), *facts)


def _right(state: State, proposal: Proposal, whim: int) -> tuple[State, Facts]:
    """The card is turned up and discarded, the gardeners move; with no card left to guess that is all (7.7, 7.10)."""
    at = box.level_of(whim) - 1
    serial = state.players[proposal.target].serial
    if serial is None:
        raise ValueError("a card has a serial number (4.4)")
    state = replace(
        state,
        players=course.with_player(state, proposal.target, Player()),
        discards=(*state.discards[:at], (*state.discards[at], whim), *state.discards[at + 1 :]),
        revealed=(*state.revealed, Revealed(turn_of(state), proposal.target, serial, whim)),
        proposal=None,
        rejections=0,
    )
    turned_up = Fact[Event](proposal.seat, GuessedRight(proposal.target, card(whim)))
    state, moved = track.move_gardeners(state, box.value_of(whim))
    if any(player.whim is not None for player in state.players):
        return state, (turned_up, *moved)
    after, facts = course.end_guessing(state, SINGLE)
    return after, (turned_up, *moved, *facts)
