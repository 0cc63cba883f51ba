"""What holds in every state that the rules can reach (RULES 12).

Whether every card played followed suit is not judged again: nothing that is known of the hands now depends on it.
"""

from __future__ import annotations

from msgspec.structs import replace

from engine.core import InvalidOptions, InvalidPosition
from engine.core.cards import JOKER, card_name, suit_of
from engine.games.euchre.bidding import first_leader
from engine.games.euchre.deal import check_options
from engine.games.euchre.pack import pack
from engine.games.euchre.scoring import summarize
from engine.games.euchre.state import (
    HAND_SIZE,
    SEATS,
    HandSummary,
    Phase,
    PlayedCard,
    State,
    Trump,
    UpcardState,
    first_defender,
    inactive_seats,
    left_of,
    next_active,
    partner_of,
    team_of,
)
from engine.games.euchre.tricks import trick_winner

_BIDDING = (Phase.BID1, Phase.BID2, Phase.BENNY)
_UPCARD_STATES = {
    Phase.BID1: (UpcardState.FACE_UP,),
    Phase.BID2: (UpcardState.TURNED_DOWN,),
    Phase.BENNY: (UpcardState.FACE_UP,),
    Phase.DISCARD: (UpcardState.TAKEN,),
}
# What a summary takes over from the state of the hand.
_HAND_FIELDS = ("hand_number", "dealer", "upcard", "trump", "maker", "alone", "lone_defender", "tricks")
# Hands can be passed out for ever; a position leaves room to go on counting.
_LAST_HAND_NUMBER = 1_000_000
_MADE = (UpcardState.TURNED_DOWN, UpcardState.TAKEN)


def check(state: State) -> None:
    """Raise InvalidPosition, naming the field, unless the state keeps every invariant."""
    _check_match(state)
    _check_upcard(state)
    _check_trump(state)
    _check_discard(state)
    _check_tricks(state)
    _check_cards(state)
    _check_turn(state)
    _check_last_hand(state)


def _require(holds: bool, field: str, reason: str) -> None:
    if not holds:
        raise InvalidPosition(field, reason)


def _check_match(state: State) -> None:
    """Options, dealer and scores (RULES 2, 9.2, 9.3)."""
    try:
        check_options(state.options)
    except InvalidOptions as error:
        raise InvalidPosition(f"options.{error.field}", error.reason) from error
    _require(1 <= state.hand_number <= _LAST_HAND_NUMBER, "hand_number", f"counts from 1, to {_LAST_HAND_NUMBER} here")
    _require(state.dealer in SEATS, "dealer", "must be a seat from 0 to 3")
    _require(len(state.scores) == 2 and min(state.scores) >= 0, "scores", "must be two numbers from 0 on")
    winners = sum(score >= state.options.target_score for score in state.scores)
    over = state.phase is Phase.MATCH_OVER
    _require(winners == over, "scores", "one team has the target score when the match is over, none before")
    _require(len(state.tallies) == 2, "tallies", "must be two, one per team")
    for team, tally in enumerate(state.tallies):
        points = [getattr(tally, field) for field in tally.__struct_fields__]
        field = f"tallies[{team}]"
        _require(min(points) >= 0 and sum(points) <= state.scores[team], field, "must not exceed the score")


def _check_upcard(state: State) -> None:
    """The upcard lies where the phase has it (RULES 4.2, 5.5, 6.1)."""
    _require(state.upcard in pack(benny=state.options.benny), "upcard", "is not in the pack")
    allowed = _UPCARD_STATES.get(state.phase, _MADE)
    _require(state.upcard_state in allowed, "upcard_state", f"cannot be so in phase {state.phase.name.lower()}")
    if state.upcard == JOKER:
        _require(state.phase not in (Phase.BID1, Phase.BID2), "phase", "nobody bids on the Benny")
        _require(state.upcard_state is not UpcardState.TURNED_DOWN, "upcard_state", "the Benny is not turned down")
    else:
        _require(state.phase is not Phase.BENNY, "phase", "is for the Benny as upcard only")


def _check_trump(state: State) -> None:
    """Who made what trump, and who plays alone (RULES 5, 7)."""
    if state.phase in _BIDDING:
        _require(state.trump is None, "trump", "nobody has made it yet")
        _require(state.maker is None, "maker", "nobody has made trump yet")
        _require(not state.alone, "alone", "nobody has made trump yet")
    else:
        _require(state.trump is not None, "trump", "has been made in this phase")
        _require(state.maker in SEATS, "maker", "must be a seat from 0 to 3")
        _check_made(state)
    _check_lone_defender(state)


def _check_made(state: State) -> None:
    suit = suit_of(state.upcard)
    if state.upcard == JOKER:
        _require(state.trump is not Trump.NO_TRUMP, "trump", "must be a suit when the Benny is turned up")
        _require(state.maker == state.dealer, "maker", "is the dealer when the Benny is turned up")
    elif state.upcard_state is UpcardState.TAKEN:
        _require(state.trump == suit, "trump", "is the suit of the upcard that was taken")
        canadian = state.options.canadian_loner and state.maker == partner_of(state.dealer)
        _require(state.alone or not canadian, "alone", "the dealer's partner can only have ordered up alone")
    else:
        allowed = state.trump is not Trump.NO_TRUMP or state.options.no_trump_call
        _require(allowed, "trump", "no trump is not called at this table")
        _require(state.trump != suit, "trump", "cannot be the suit that was turned down")


def _check_lone_defender(state: State) -> None:
    if state.lone_defender is None:
        return
    played = state.options.lone_defender and state.phase in (Phase.PLAY, Phase.MATCH_OVER)
    _require(played, "lone_defender", "nobody can have become one yet")
    _require(state.lone_defender in SEATS, "lone_defender", "must be a seat from 0 to 3")
    against = state.maker is not None and team_of(state.lone_defender) != team_of(state.maker)
    _require(against, "lone_defender", "must be a defender")


def _check_discard(state: State) -> None:
    """The dealer lays a card away exactly if he took the upcard, and has the upcard or has played it (RULES 6)."""
    taken = state.upcard_state is UpcardState.TAKEN
    laid_away = taken and state.phase is not Phase.DISCARD
    _require((state.discard is not None) == laid_away, "discard", "is one card if the upcard was taken, else none")
    if taken:
        _require(len(state.hands) == len(SEATS), "hands", "must be four")
        played = [p.card for p in _played(state) if p.seat == state.dealer]
        has = state.upcard in (*state.hands[state.dealer], *played, state.discard)
        _require(has, "upcard", "the dealer took it, so it must be his")


def _played(state: State) -> tuple[PlayedCard, ...]:
    return (*(played for trick in state.tricks for played in trick.cards), *state.trick)


def _check_tricks(state: State) -> None:
    """Everybody in turn, the winner leads, five tricks end the hand (RULES 8)."""
    playing = state.phase in (Phase.PLAY, Phase.MATCH_OVER)
    _require(playing or not state.tricks, "tricks", "there are none in this phase")
    _require(playing or not state.trick, "trick", "there is none in this phase")
    if not playing or state.trump is None:
        return
    full = state.phase is Phase.MATCH_OVER
    _require((len(state.tricks) == HAND_SIZE) == full, "tricks", "are five when the hand is over, fewer before")
    _require(len(state.tricks) <= HAND_SIZE, "tricks", "are five at most")
    leader, size = first_leader(state), len(SEATS) - len(inactive_seats(state))
    for at, trick in enumerate(state.tricks):
        _require(len(trick.cards) == size, f"tricks[{at}].cards", f"must be {size}")
        _check_order(trick.cards, leader, state, f"tricks[{at}].cards")
        winner = trick_winner(trick.cards, state.trump)
        _require(trick.winner == winner, f"tricks[{at}].winner", f"must be seat {winner}")
        leader = winner
    _require(len(state.trick) < size and not (full and state.trick), "trick", "must be unfinished")
    _check_order(state.trick, leader, state, "trick")


def _check_order(cards: tuple[PlayedCard, ...], leader: int, state: State, field: str) -> None:
    inactive, seat, known = inactive_seats(state), leader, pack(benny=state.options.benny)
    for at, played in enumerate(cards):
        _require(played.seat == seat, f"{field}[{at}].seat", f"must be seat {seat}")
        _require(played.card in known, f"{field}[{at}].card", "is not in the pack")
        seat = next_active(left_of(seat), inactive)


def _check_cards(state: State) -> None:
    """Every card of the pack is in one place, and the hands have their sizes (RULES 3.1, 4.1)."""
    _require(len(state.hands) == len(SEATS), "hands", "must be four")
    counts = [sum(played.seat == seat for played in _played(state)) for seat in SEATS]
    for seat, hand in enumerate(state.hands):
        size = HAND_SIZE - counts[seat] + (state.phase is Phase.DISCARD and seat == state.dealer)
        _require(len(hand) == size, f"hands[{seat}]", f"must be {size} cards")
    size = 3 + state.options.benny
    _require(len(state.kitty) == size, "kitty", f"must be {size} cards")
    _check_once(state)


def _check_once(state: State) -> None:
    places = [(f"hands[{seat}]", hand) for seat, hand in enumerate(state.hands)]
    places += [("kitty", state.kitty), ("tricks", tuple(played.card for played in _played(state)))]
    if state.discard is not None:
        places.append(("discard", (state.discard,)))
    if state.upcard_state is not UpcardState.TAKEN:
        places.append(("upcard", (state.upcard,)))
    known, seen = pack(benny=state.options.benny), set()
    for field, cards in places:
        for card in cards:
            _require(card in known, field, "holds a card that is not in the pack")
            _require(card not in seen, field, f"holds {card_name(card)}, which is somewhere else too")
            seen.add(card)


def _check_turn(state: State) -> None:
    """Who is asked follows from the phase (RULES 5 to 8)."""
    if state.phase is Phase.MATCH_OVER:
        _require(state.turn is None, "turn", "nobody is asked when the match is over")
        return
    asked = _may_be_asked(state)
    _require(state.turn in asked, "turn", f"must be {' or '.join(f'seat {seat}' for seat in asked)}")


def _may_be_asked(state: State) -> tuple[int, ...]:
    if state.phase in (Phase.BENNY, Phase.DISCARD):
        return (state.dealer,)
    if state.phase is Phase.DEFEND:
        _require(state.options.lone_defender, "phase", "nobody defends alone at this table")
        return (first_defender(state), partner_of(first_defender(state)))
    if state.phase is not Phase.PLAY:
        return SEATS
    if state.trick:
        return (next_active(left_of(state.trick[-1].seat), inactive_seats(state)),)
    return (state.tricks[-1].winner if state.tricks else first_leader(state),)


def _check_last_hand(state: State) -> None:
    """The summary that clients show is true to itself and to the match; a start position may have none."""
    hand = state.last_hand
    over = state.phase is Phase.MATCH_OVER
    if hand is None:
        _require(not over, "last_hand", "must tell how the match ended")
        return
    _require(len(hand.points_by_team) == 2, "last_hand.points_by_team", "must be two numbers")
    before = (state.scores[0] - hand.points_by_team[0], state.scores[1] - hand.points_by_team[1])
    _require(0 <= min(before) <= max(before) < state.options.target_score, "last_hand.points_by_team", "do not fit")
    of_hand = {field: getattr(hand, field) for field in _HAND_FIELDS}
    _check_hand_over(hand, replace(state, phase=Phase.MATCH_OVER, trick=(), **of_hand))
    _require(hand == summarize(replace(state, scores=before, **of_hand)), "last_hand", "contradicts itself or scores")
    if over:
        true = all(getattr(state, field) == value for field, value in of_hand.items())
        _require(true, "last_hand", "must sum up the hand on the table")
    else:
        _require(hand.hand_number == state.hand_number - 1, "last_hand.hand_number", "must be the one before")
        _require(left_of(hand.dealer) == state.dealer, "last_hand.dealer", "must be the seat before the dealer")


def _check_hand_over(hand: HandSummary, played: State) -> None:
    """The hand that is summed up can have been played; ``played`` is the state with that hand in it (RULES 4 to 8)."""
    _require(hand.dealer in SEATS, "last_hand.dealer", "must be a seat from 0 to 3")
    _require(hand.upcard in pack(benny=played.options.benny), "last_hand.upcard", "is not in the pack")
    if hand.maker is None and hand.trump is None:
        made = hand.alone or hand.tricks or hand.lone_defender is not None
        _require(not made, "last_hand.maker", "must be a seat if trump was made")
        stuck = played.options.stick_the_dealer or hand.upcard == JOKER
        _require(not stuck, "last_hand.maker", "must be a seat: at this table somebody makes trump")
        return
    taken = hand.upcard == JOKER or hand.trump == suit_of(hand.upcard)
    played = replace(played, upcard_state=UpcardState.TAKEN if taken else UpcardState.TURNED_DOWN)
    try:
        _check_trump(played)
        _check_tricks(played)
    except InvalidPosition as wrong:
        raise InvalidPosition(f"last_hand.{wrong.field}", wrong.reason) from wrong
    by_card = {shown.card: shown.seat for shown in _played(played)}
    _require(len(by_card) == len(_played(played)), "last_hand.tricks", "holds a card twice")
    owner = by_card.get(hand.upcard, hand.dealer if taken else None)
    _require(owner == (hand.dealer if taken else None), "last_hand.tricks", "holds the upcard in another hand")
