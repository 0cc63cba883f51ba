"""What holds in every position that the rules can reach, and what in a position nobody but one viewer can tell."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from engine.core.model import InvalidOptions, InvalidPosition
from engine.core.rng import Rng
from engine.games.nana_toridori import combinations, rounds, rules
from engine.games.nana_toridori.state import BASIC, Cards, Phase, State

# In a redeal, two known cards of one value are parted one time in so many.
_PARTED = 4


def check(state: State) -> None:
    """Raise InvalidPosition, naming the field, unless the rules can reach the position."""
    _check_options(state)
    _check_cards(state)
    _check_known(state)
    _check_finished(state)
    _check_table(state)
    _check_turn(state)
    _check_pending(state)
    _check_rounds(state)
    _check_score(state)


def _require(met: bool, field: str, reason: str) -> None:
    if not met:
        raise InvalidPosition(field, reason)


def _check_options(state: State) -> None:
    seats = len(state.hands)
    _require(seats in rounds.SEAT_COUNTS, "hands", "must be of 2 to 6 players (1.1)")
    try:
        rounds.check_options(state.options, seats)
    except InvalidOptions as error:
        raise InvalidPosition(f"options.{error.field}", error.reason) from None
    for field in ("known", "front", "penguins", "points"):
        _require(len(getattr(state, field)) == seats, field, f"must be {seats}, as many as hands")


def _zones(state: State) -> list[tuple[str, Cards]]:
    """Every place where cards lie."""
    return [
        *((f"hands[{seat}]", hand) for seat, hand in enumerate(state.hands)),
        *((f"front[{seat}]", front) for seat, front in enumerate(state.front)),
        ("table", state.table),
        ("beaten", state.beaten),
        ("drawn", () if state.drawn is None else (state.drawn,)),
        ("discard_pile", state.discard_pile),
        ("draw_pile", state.draw_pile),
    ]


def _check_cards(state: State) -> None:
    """Nine cards of each value in all zones together (1.2)."""
    found = Counter[int]()
    for field, cards in _zones(state):
        found.update(cards)
        _require(set(cards) <= set(rounds.VALUES), field, "holds a card that is none of 1 to 7 (1.2)")
        for value in rounds.VALUES:
            _require(found[value] <= rounds.COPIES, field, f"makes {found[value]} cards of value {value}, not 9 (1.2)")
    for value in rounds.VALUES:
        number = found[value]
        _require(number == rounds.COPIES, "draw_pile", f"there are {number} cards of value {value}, not 9 (1.2)")
    duel = rounds.is_duel(state.options)
    most = rounds.DUEL_FRONT_SIZE if duel else 0
    for seat, front in enumerate(state.front):
        _require(len(front) <= most, f"front[{seat}]", f"may be {most} cards at most (10.2)")
    dealt = len(state.hands) * (rounds.DUEL_HAND_SIZE + most if duel else rounds.HAND_SIZE)
    pile = len(rounds.PACK) - dealt
    _require(len(state.draw_pile) <= pile, "draw_pile", f"was {pile} cards at the deal (2.2, 10.1)")
    _require(not duel or len(state.draw_pile) == pile, "draw_pile", "nobody draws in a duel (10.4)")


def _check_known(state: State) -> None:
    for seat, known in enumerate(state.known):
        field = f"known[{seat}]"
        _require(list(known) == sorted(known), field, "must be ascending")
        _require(not Counter(known) - Counter(state.hands[seat]), field, "must be cards of the hand (11.3)")


def _check_finished(state: State) -> None:
    for at, seat in enumerate(state.finished):
        _require(0 <= seat < len(state.hands), f"finished[{at}]", f"there is no seat {seat}")
        _require(seat not in state.finished[:at], f"finished[{at}]", f"seat {seat} is out already")
        _require(not state.hands[seat], f"hands[{seat}]", f"seat {seat} went out with an empty hand (7.1)")
    for seat, hand in enumerate(state.hands):
        _require(
            bool(hand) or seat in state.finished, f"hands[{seat}]", f"seat {seat} is not out and has no card (7.1)"
        )
    left = len(state.hands) - len(state.finished)
    _require(left > 0, "finished", "somebody must be left over (7.2)")
    _require(left > 1 or state.phase is Phase.OVER, "finished", "the round is over: one player is left (7.2)")


def _check_table(state: State) -> None:
    _require(
        (state.owner is None) == (not state.table), "owner", "must be a seat if and only if cards are on the table"
    )
    _require(len(set(state.table)) <= 1, "table", "must be cards of one value (3.1)")
    _require(len(set(state.beaten)) <= 1, "beaten", "must be cards of one value (3.1)")
    if state.owner is not None:
        _require(0 <= state.owner < len(state.hands), "owner", f"there is no seat {state.owner}")
    weaker = not state.beaten or combinations.strength(state.beaten) < combinations.strength(state.table)
    _require(weaker, "beaten", "must be weaker than the table combination (3.3)")


def _check_turn(state: State) -> None:
    seats = len(state.hands)
    _require(0 <= state.leader < seats, "leader", f"there is no seat {state.leader}")
    if state.phase is Phase.OVER:
        _require(state.turn is None, "turn", "must be null when the game is over")
        _require(state.passes == 0, "passes", "must be 0 when the game is over")
        return
    _require(state.turn is not None and 0 <= state.turn < seats, "turn", "must be a seat while the game goes on")
    _require(state.turn not in state.finished, "turn", "must be a seat that holds cards (4.1)")
    if state.owner is None:
        _require(state.passes == 0, "passes", "must be 0: nobody passes on an empty table (4.3)")
        _require(state.phase is Phase.PLAY, "phase", "must be play: the table is empty")
        return
    if state.phase is Phase.TAKE:
        _require(state.passes == 0, "passes", "must be 0 right after a play (4.4)")
        _require(state.turn == state.owner, "turn", "must be the owner of the table, who has just played (4.5)")
        return
    needed = rules.passes_needed(state)
    # In play the seat on turn has not passed yet, otherwise it is the one that has just passed.
    passed = state.passes + (state.phase is Phase.PLAY)
    _require(1 <= passed <= needed, "passes", f"must fit {needed} players who have to beat the table (6.1)")
    order = [(state.owner + step) % seats for step in range(1, seats)]
    others = [seat for seat in order if seat not in state.finished]
    _require(state.turn == others[passed - 1], "turn", f"must be {others[passed - 1]} after so many passes (4.1)")


def _check_pending(state: State) -> None:
    take, keep = state.phase is Phase.TAKE, state.phase is Phase.KEEP
    _require(bool(state.beaten) == take, "beaten", "are there in the phase take, and only then (4.5)")
    _require((state.drawn is not None) == keep, "drawn", "is there in the phase keep, and only then (5.2)")
    if state.phase is Phase.FRONT:
        asked = state.turn is not None and bool(state.front[state.turn])
        _require(asked, "phase", "front is for a player with front cards (10.4)")
    _require(not keep or not rounds.is_duel(state.options), "phase", "nobody draws in a duel (10.4)")


def _check_rounds(state: State) -> None:
    last = state.last_round
    over = state.phase is Phase.OVER
    played = state.round_number if over else state.round_number - 1
    _require(state.round_number >= 1, "round_number", "must be 1 or more")
    if last is None:
        _require(played == 0, "last_round", "is missing: a round has been played")
        first = state.options.first_leader
        _require(first in (None, state.leader), "leader", f"must be {first}, as the options say (1.7)")
        return
    _require(last.round_number == played, "last_round.round_number", f"must be {played}")
    seats = range(len(state.hands))
    _require(last.loser in seats, "last_round.loser", f"there is no seat {last.loser}")
    others = sorted(set(seats) - {last.loser})
    conceded = rounds.is_duel(state.options) and not last.finished
    _require(conceded or sorted(last.finished) == others, "last_round.finished", "must be all but the loser (7.2)")
    one_value = len(set(last.table)) == 1 and set(last.table) <= set(rounds.VALUES)
    _require(one_value and len(last.table) <= rounds.COPIES, "last_round.table", "must be a combination (3.1)")
    if over:
        _require(state.table == last.table, "table", "must be that of the last round")
        _require(state.finished == last.finished, "finished", "must be those of the last round")
    else:
        _require(state.leader == last.loser, "leader", "must be the loser of the last round (2.3)")


def _check_score(state: State) -> None:
    over = state.phase is Phase.OVER
    played = state.round_number if over else state.round_number - 1
    basic = state.options.mode == BASIC
    for seat, left in enumerate(state.penguins):
        _require(0 <= left <= rounds.PENGUINS, f"penguins[{seat}]", "must be 0 to 2 (8.1)")
        lost = over and state.last_round is not None and state.last_round.loser == seat
        _require(
            (left == 0) == (basic and lost), f"penguins[{seat}]", "are gone when the game is lost, not before (8.2)"
        )
    lost_penguins = rounds.PENGUINS * len(state.hands) - sum(state.penguins)
    _require(lost_penguins == (played if basic else 0), "penguins", "one is lost in each round of the basic game (8.1)")
    best = rounds.TARGET + rounds.IN_BETWEEN
    for seat, total in enumerate(state.points):
        _require(total in range(0, best + 1, 2), f"points[{seat}]", "must be an even number, 0 to 12 (9.1)")
    per_round = rounds.FIRST_OUT + rounds.IN_BETWEEN * (len(state.hands) - 2)
    earned = 0 if basic else per_round * played
    _require(sum(state.points) == earned, "points", f"must be {earned} together (9.1)")
    _require(basic or (max(state.points) >= rounds.TARGET) == over, "points", "10 end the game, and only they do (9.2)")


def redeal(state: State, seat: int | None, rng: Rng) -> State:
    """The same table as ``seat`` (None: a spectator) knows it, with everything else dealt anew (section 11).

    What everybody knows to be in a hand stays there (11.3), at places that nobody else knows (11.1).
    """
    hidden = [other for other in range(len(state.hands)) if other != seat]
    drawn = None if state.turn == seat else state.drawn
    pool = list(state.draw_pile if drawn is None else (drawn, *state.draw_pile))
    for other in hidden:
        pool += _unknown(state.hands[other], state.known[other])
    pool = list(rng.shuffle(sorted(pool)))
    hands = list(state.hands)
    for other in hidden:
        known = state.known[other]
        unknown = len(hands[other]) - len(known)
        hands[other] = _arranged(pool[:unknown], known, rng)
        del pool[:unknown]
    if drawn is not None:
        state = replace(state, drawn=pool.pop())
    return replace(state, hands=tuple(hands), draw_pile=tuple(pool))


def _unknown(hand: Cards, known: Cards) -> list[int]:
    left = list(hand)
    for card in known:
        left.remove(card)
    return left


def _arranged(unknown: list[int], known: Cards, rng: Rng) -> Cards:
    """A hand of these cards, the known ones anywhere in it."""
    if not known:
        return tuple(unknown)
    blocks: list[Cards] = [(card,) for card in unknown]
    for value in sorted(set(known)):
        for size in _parted(known.count(value), rng):
            blocks.insert(rng.below(len(blocks) + 1), (value,) * size)
    return tuple(card for block in blocks for card in block)


def _parted(count: int, rng: Rng) -> list[int]:
    """How known cards of one value lie: mostly together, as they were taken."""
    sizes = [1]
    for _ in range(count - 1):
        if rng.below(_PARTED) == 0:
            sizes.append(1)
        else:
            sizes[-1] += 1
    return sizes
