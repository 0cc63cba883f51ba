"""What holds in every position that the rules can reach."""

from __future__ import annotations

from collections import Counter

from engine.core.model import InvalidPosition
from engine.games.paint_the_roses import box, course, guessing, rules, track
from engine.games.paint_the_roses.cubes import cube_number, replant
from engine.games.paint_the_roses.state import Phase, Proposal, State
from engine.games.paint_the_roses.symbols import Level

LAST_TURN = box.START.count(None)


def check(state: State) -> None:
    """Raise InvalidPosition, naming the field, unless the rules can reach the position."""
    if len(state.players) not in rules.SEAT_COUNTS:
        raise InvalidPosition("players", "must be 2 to 5 (1.1)")
    _check_plantings(state)
    _check_phase(state)
    _check_tiles(state)
    _check_cards(state)
    _check_serials(state)
    _check_players(state)
    _check_refuted(state)
    _check_cubes(state)
    _check_track(state)
    _check_guessing(state)


def _check_plantings(state: State) -> None:
    garden = box.START
    for turn, (before, planting) in enumerate(replant(state.plantings)):
        field = f"plantings[{turn}]"
        if planting.seat != turn % len(state.players):
            raise InvalidPosition(f"{field}.seat", f"must be {turn % len(state.players)} (10.3)")
        if before[planting.space - 1] is not None:
            raise InvalidPosition(f"{field}.space", "there was a tile already (5.1)")
        if all(before[neighbour - 1] is None for neighbour in box.NEIGHBOURS[planting.space]):
            raise InvalidPosition(f"{field}.space", "had no neighbour with a tile (5.2)")
        if len(planting.cubes) != len(state.players):
            raise InvalidPosition(f"{field}.cubes", "must be one for each player (6.1)")
        garden = (*before[: planting.space - 1], planting.tile, *before[planting.space :])
    if state.garden != garden:
        raise InvalidPosition("garden", "must hold the starting tiles and those planted (2.4, 5.1)")


def _check_phase(state: State) -> None:
    planted, seats = len(state.plantings), len(state.players)
    before = state.phase in (Phase.CHOOSE_LEVEL, Phase.PLANT)
    if state.phase is Phase.CHOOSE_LEVEL and planted:
        raise InvalidPosition("phase", "levels are chosen before the first turn (3.5)")
    if not before and not planted:
        raise InvalidPosition("phase", "a tile is planted first (1.4)")
    if planted == LAST_TURN and state.phase in (Phase.PLANT, Phase.REDRAW):
        raise InvalidPosition("phase", "nothing follows the last turn (10.3)")
    active = planted % seats if before else (planted - 1) % seats
    if state.active != active:
        raise InvalidPosition("active", f"must be {active} (10.3)")
    free = state.greenhouse.count(None)
    if len(state.greenhouse) != course.GREENHOUSE_SLOTS or free != (0 if before else 1):
        raise InvalidPosition("greenhouse", "must have 4 slots, one of them empty after the planting (3.1, 5.4)")


def _check_tiles(state: State) -> None:
    shown = (tile for tile in (*state.garden, *state.greenhouse) if tile is not None)
    found = Counter([*shown, *state.bag])
    expected = Counter(box.ALL_TILES)
    for tile in box.TILES:
        if found[tile] != expected[tile]:
            reason = f"there are {found[tile]} of {box.tile_name(tile)}, not {expected[tile]} (2.2)"
            raise InvalidPosition("bag", reason)


def _check_cards(state: State) -> None:
    for field, piles in (("decks", state.decks), ("discards", state.discards)):
        if len(piles) != len(Level):
            raise InvalidPosition(field, "must be three: easy, medium, hard (3.2)")
        for level, pile in zip(Level, piles, strict=True):
            if any(box.level_of(whim) is not level for whim in pile):
                raise InvalidPosition(f"{field}[{level - 1}]", f"must be {level.text} cards (4.3)")
    held = [player.whim for player in state.players if player.whim is not None]
    found = Counter(whim for piles in (state.decks, state.discards, (held,)) for pile in piles for whim in pile)
    for whim in box.WHIMS:
        if found[whim] != 1:
            raise InvalidPosition("decks", f"there are {found[whim]} of {box.whim_name(whim)}, not 1 (2.5)")
    for level, pile in zip(Level, state.discards, strict=True):
        turned_up = [card.whim for card in state.revealed if box.level_of(card.whim) is level]
        if list(pile) != turned_up[max(0, len(turned_up) - len(pile)) :]:
            raise InvalidPosition(f"discards[{level - 1}]", "must be the cards of the level guessed last (4.3)")
    if sum(box.level_of(whim) is Level.EASY for whim in held) > 1:
        raise InvalidPosition("players", "only one may hold an easy card (4.2)")


def _check_serials(state: State) -> None:
    """Every card drawn is either held or was guessed right (4.4)."""
    for seat, player in enumerate(state.players):
        if (player.serial is None) != (player.whim is None):
            raise InvalidPosition(f"players[{seat}].serial", "a card has one, and nothing else has (4.4)")
    serials = [player.serial for player in state.players if player.serial is not None]
    serials += [card.serial for card in state.revealed]
    if sorted(serials) != list(range(1, len(serials) + 1)):
        raise InvalidPosition("revealed", "cards are numbered 1, 2, 3 … in the order of drawing (4.4)")
    turns = [card.turn for card in state.revealed]
    if turns != sorted(turns) or (turns and not 1 <= turns[0] <= turns[-1] <= len(state.plantings)):
        raise InvalidPosition("revealed", "must be in the order of the turns (7.7)")
    for at, card in enumerate(state.revealed):
        if card.seat not in range(len(state.players)):
            raise InvalidPosition(f"revealed[{at}].seat", f"there is no seat {card.seat}")


def _check_players(state: State) -> None:
    without = course.without_card(state)
    if state.phase is Phase.PLANT and without:
        raise InvalidPosition(f"players[{without[0]}].whim", "everybody holds a card (4.1)")
    if state.phase in (Phase.CHOOSE_LEVEL, Phase.REDRAW) and not without:
        raise InvalidPosition("phase", "everybody holds a card already (3.5, 10.1)")
    if state.phase is Phase.GUESS and len(without) == len(state.players):
        raise InvalidPosition("phase", "every card was guessed (7.10)")
    if state.phase is Phase.CHOOSE_LEVEL and without != list(range(without[0], len(state.players))):
        raise InvalidPosition("players", "draw in the order of the seats (3.5)")
    this_turn = {card.seat for card in state.revealed if card.turn == len(state.plantings)}
    for seat, player in enumerate(state.players):
        field = f"players[{seat}].whim"
        if player.whim is None and state.phase is not Phase.CHOOSE_LEVEL and seat not in this_turn:
            raise InvalidPosition(field, "was not guessed in this turn (4.1)")
        if player.whim is not None and state.phase is Phase.GUESS and seat in this_turn:
            raise InvalidPosition(field, "is drawn at the end of the turn (7.3)")


def _check_refuted(state: State) -> None:
    for seat, player in enumerate(state.players):
        field = f"players[{seat}].refuted"
        if player.whim is None:
            if player.refuted:
                raise InvalidPosition(field, "there is no card (7.5)")
            continue
        pairs = box.PAIRS_OF[box.level_of(player.whim)]
        if len(set(player.refuted)) != len(player.refuted) or not set(player.refuted).issubset(pairs):
            raise InvalidPosition(field, "must be pairs of the card's level, each once (7.4, 7.5)")
        if box.pair_of(player.whim) in player.refuted:
            raise InvalidPosition(field, "holds the pair of the card itself (7.8)")


def _check_cubes(state: State) -> None:
    whims = {card.serial: (card.seat, card.whim) for card in state.revealed}
    whims |= {
        player.serial: (seat, player.whim)
        for seat, player in enumerate(state.players)
        if player.serial is not None and player.whim is not None
    }
    for turn, (garden, planting) in enumerate(replant(state.plantings)):
        for seat, cube in enumerate(planting.cubes):
            field = f"plantings[{turn}].cubes[{seat}]"
            owner, whim = whims.get(cube.serial, (None, None))
            if owner != seat or whim is None:
                raise InvalidPosition(f"{field}.serial", f"is no card of seat {seat} (6.5)")
            number = cube_number(garden, planting.space, planting.tile, box.pair_of(whim))
            if cube.number != number:
                raise InvalidPosition(f"{field}.number", f"must be {number} (6.2)")


def _check_track(state: State) -> None:
    gardeners = box.TRACK.gardeners_start + sum(box.value_of(card.whim) for card in state.revealed)
    if state.gardeners != gardeners:
        raise InvalidPosition("gardeners", f"must be {gardeners}, the values of the cards guessed (7.7)")
    over = state.phase is Phase.GAME_OVER
    moves = len(state.plantings) - (state.phase is Phase.GUESS) if state.plantings else 0
    least = box.TRACK.queen_start + moves * box.TRACK.flowers_start
    most = box.TRACK.queen_start + moves * track.DOUBLE * track.flowers(gardeners)
    if not least <= state.queen <= most:
        raise InvalidPosition("queen", f"must be from {least} to {most} after {moves} moves (9.1)")
    if track.caught(state) and not over:
        raise InvalidPosition("queen", "has caught the gardeners, so the game is over (9.3)")
    if over and not track.caught(state) and None in state.garden:
        raise InvalidPosition("phase", "the game is not over: nobody is caught, the garden is not full (9.3, 9.4)")
    tokens = (0, 1) if len(state.players) == rules.SEAT_COUNTS[0] else (0,)
    if state.clue_tokens not in tokens:
        raise InvalidPosition("clue_tokens", f"must be {' or '.join(map(str, tokens))} (3.4)")


def _check_guessing(state: State) -> None:
    most = guessing.REJECTIONS_BEFORE_CAPTAIN
    if len(state.players) == rules.SEAT_COUNTS[0] or state.phase is not Phase.GUESS:
        most = 0  # nobody votes (8.3), or nothing was proposed
    if not 0 <= state.rejections <= most:
        raise InvalidPosition("rejections", f"must be from 0 to {most} (8.3, 8.5)")
    if state.proposal is not None:
        _check_proposal(state, state.proposal)


def _check_proposal(state: State, proposal: Proposal) -> None:
    seats = range(len(state.players))
    if state.phase is not Phase.GUESS or len(seats) == rules.SEAT_COUNTS[0] or guessing.has_captain(state):
        raise InvalidPosition("proposal", "cannot be open now (8.1, 8.3, 8.5)")
    if proposal.seat not in seats:
        raise InvalidPosition("proposal.seat", f"there is no seat {proposal.seat}")
    target = state.players[proposal.target] if proposal.target in seats else None
    if target is None or target.whim is None or proposal.target == proposal.seat:
        raise InvalidPosition("proposal.target", "must be another player with a secret card (7.2, 7.3)")
    pairs = box.PAIRS_OF[box.level_of(target.whim)]
    if proposal.pair not in pairs or proposal.pair in target.refuted:
        raise InvalidPosition("proposal.pair", "must be one of the level and not guessed wrong before (7.4, 7.5)")
    voters = guessing.voters(state, proposal)
    accepted = proposal.accepted
    if len(set(accepted)) != len(accepted) or not set(accepted) < set(voters):
        raise InvalidPosition("proposal.accepted", f"must be some, not all, of {voters}, each once (8.2)")
