"""What holds in every position that the rules can reach (18)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.core.model import InvalidPosition
from engine.games.wingspan import scoring, setup
from engine.games.wingspan.frames import ChooseAction
from engine.games.wingspan.invariants_agenda import check_agenda
from engine.games.wingspan.rows import BIRD_IDS, BIRDS, BONUS_IDS, GOALS
from engine.games.wingspan.state import Foods, Keeping, MatBird, Player, State
from engine.games.wingspan.terms import (
    BLUE,
    COLUMNS,
    CUBES,
    DICE,
    GOAL_BOARDS,
    ROUNDS,
    Food,
    Habitat,
    Trigger,
)

# More than all turns of a game can bring.
MOST_HELD = 9_999

Places = Iterator[tuple[str, int]]


def check(state: State) -> None:
    """Raise InvalidPosition, naming the field, unless the rules can reach the position."""
    _check_shared(state)
    for seat, player in enumerate(state.players):
        _check_player(state, seat, player)
    _check_all_there(_bird_places(state), BIRD_IDS, "deck", "2.1")
    _check_all_there(_bonus_places(state), BONUS_IDS, "bonus_deck", "2.2")
    # The agenda first: whether the cube of the turn is spent already follows from it.
    check_agenda(state)
    if state.keeping:
        _check_setup(state)
    else:
        _check_course(state)


def require(holds: object, field: str, reason: str) -> None:
    """Raise InvalidPosition unless it holds."""
    if not holds:
        raise InvalidPosition(field, reason)


def _check_shared(state: State) -> None:
    require(state.options.goal_board in GOAL_BOARDS, "options.goal_board", "must be green or blue (1.3)")
    require(len(state.players) in setup.SEAT_COUNTS, "players", "must be 2 to 5 (1.1)")
    require(state.round in ROUNDS, "round", "must be from 1 to 4 (14.4)")
    require(1 <= len(state.feeder) <= DICE, "feeder", "must hold 1 to 5 dice (5.3)")
    require(list(state.feeder) == sorted(state.feeder), "feeder", "must be ascending")
    tiles = {GOALS[goal].tile for goal in state.goals}
    require(len(tiles) == len(state.goals), "goals", "must be of four different tiles (2.5)")
    require(list(state.gained) == sorted(set(state.gained)), "gained", "must be ascending, each food once")
    require(0 <= state.debt <= MOST_HELD, "debt", f"must be from 0 to {MOST_HELD} (11.14)")
    seats = range(len(state.players))
    require(state.first_player is None or state.first_player in seats, "first_player", "must be a seat or null")
    require(state.active is None or state.active in seats, "active", "must be a seat or null")


def _check_player(state: State, seat: int, player: Player) -> None:
    field = f"players[{seat}]"
    _check_tokens(f"{field}.food", player.food)
    most = scoring.MOST_ON_BLUE if state.options.goal_board == BLUE else scoring.PLACES[-1][0]
    require(all(0 <= won <= most for won in player.goal_points), f"{field}.goal_points", f"must be from 0 to {most}")
    for row, habitat in zip(player.mat, Habitat, strict=True):
        where = f"{field}.mat[{habitat - 1}]"
        require(len(row) <= COLUMNS, where, "has five columns (2.6)")
        for column, on_mat in enumerate(row):
            _check_bird(f"{where}[{column}]", on_mat, habitat)


def _check_bird(field: str, on_mat: MatBird, habitat: Habitat) -> None:
    card = BIRDS[on_mat.bird]
    require(habitat in card.habitats, f"{field}.bird", f"does not live in the {habitat.name.lower()} (6.2)")
    require(0 <= on_mat.eggs <= card.egg_limit, f"{field}.eggs", f"must be from 0 to {card.egg_limit} (2.1)")
    _check_tokens(f"{field}.cached", on_mat.cached)
    reacts = card.trigger is Trigger.ONCE_BETWEEN_TURNS
    require(reacts or not on_mat.reacted, f"{field}.reacted", "must be false: this bird never reacts (12.1)")


def _check_tokens(field: str, tokens: Foods) -> None:
    require(0 <= min(tokens) <= max(tokens) <= MOST_HELD, field, f"must be from 0 to {MOST_HELD}")


def _bird_places(state: State) -> Places:
    """Every bird card with the field that it stands in."""
    for name in ("deck", "discard", "tray", "drafting"):
        yield from ((name, card) for card in getattr(state, name) if card is not None)
    if state.playing is not None:
        yield "playing.bird", state.playing.bird
    for seat, player in enumerate(state.players):
        yield from ((f"players[{seat}].hand", card) for card in player.hand)
        for at, row in enumerate(player.mat):
            for column, on_mat in enumerate(row):
                yield f"players[{seat}].mat[{at}][{column}].bird", on_mat.bird
                yield from ((f"players[{seat}].mat[{at}][{column}].tucked", card) for card in on_mat.tucked)


def _bonus_places(state: State) -> Places:
    for name in ("bonus_deck", "bonus_discard", "bonus_offer"):
        yield from ((name, card) for card in getattr(state, name))
    for seat, player in enumerate(state.players):
        yield from ((f"players[{seat}].bonus", card) for card in player.bonus)


def _check_all_there(places: Places, names: tuple[str, ...], where: str, clause: str) -> None:
    seen: Counter[int] = Counter()
    for field, card in places:
        require(not seen[card], field, f"{names[card]} stands elsewhere as well ({clause})")
        seen[card] += 1
    for card, name in enumerate(names):
        require(seen[card], where, f"{name} is nowhere ({clause})")


def _check_setup(state: State) -> None:
    """Nobody has done anything but choose (3.3 to 3.5)."""
    seats = range(len(state.players))
    require(len(state.keeping) == len(seats), "keeping", "must be as many as players, or empty (3.5)")
    require(state.round == 1, "round", "must be 1 during the set-up")
    require(state.first_player is None, "first_player", "must be null: it is drawn at the end of the set-up (3.6)")
    require(state.active is None, "active", "must be null during the set-up")
    require(not state.discard and not state.bonus_discard, "discard", "must be empty during the set-up")
    for seat, (player, keeping) in enumerate(zip(state.players, state.keeping, strict=True)):
        _check_dealt(f"players[{seat}]", player)
        _check_kept(f"keeping[{seat}]", player, keeping)
    open_ = [seat for seat in seats if setup.asked(state, seat) is not None]
    require(open_, "keeping", "must leave somebody to be asked: the last answer ends the set-up (3.5)")


def _check_dealt(field: str, player: Player) -> None:
    require(len(player.hand) == setup.BIRDS_DEALT, f"{field}.hand", "must be the five cards dealt (3.2)")
    require(len(player.bonus) == setup.BONUS_DEALT, f"{field}.bonus", "must be the two cards dealt (3.2)")
    require(player.food == (1, 1, 1, 1, 1), f"{field}.food", "must be a token of each food (3.2)")
    require(player.mat == ((), (), ()), f"{field}.mat", "must be empty during the set-up")
    require(player.cubes == 0, f"{field}.cubes", "must be 0 during the set-up")
    require(player.goal_points == (), f"{field}.goal_points", "must be empty during the set-up")


def _check_kept(field: str, player: Player, keeping: Keeping) -> None:
    birds = tuple(card for card in player.hand if card in keeping.birds)
    require(keeping.birds == birds, f"{field}.birds", "must be cards of the hand, in its order (3.3)")
    foods = tuple(food for food in Food if food in keeping.foods)
    require(keeping.foods == foods, f"{field}.foods", "must be ascending, each food once (3.3)")
    kept = setup.things(keeping)
    require(kept <= setup.THINGS_KEPT, f"{field}.birds", "must be five things with the tokens (3.3)")
    if keeping.bonus is not None:
        require(kept == setup.THINGS_KEPT, f"{field}.bonus", "must be null: it is chosen after the other things (3.4)")
        require(keeping.bonus in player.bonus, f"{field}.bonus", "must be one of the cards dealt (3.4)")


def _check_course(state: State) -> None:
    """Rounds, cubes and goals fit together (13.3, 14)."""
    require(state.first_player is not None, "first_player", "must be a seat after the set-up (3.6)")
    over = state.active is None
    scored = len(ROUNDS) if over else state.round - 1
    for seat, player in enumerate(state.players):
        points = player.goal_points
        require(len(points) == scored, f"players[{seat}].goal_points", f"must be of {scored} rounds (14.1)")
        require(player.bonus, f"players[{seat}].bonus", "must be at least one card (3.4)")
    if over:
        require(state.round == ROUNDS[-1], "active", "must be a seat until round 4 is over (15.1)")
    for seat, player in enumerate(state.players):
        left = 0 if over else _cubes(state, seat)
        require(player.cubes == left, f"players[{seat}].cubes", f"must be {left} at this turn (13.3)")
    shown = state.revealed is None or any(
        card == state.revealed for field, card in _bird_places(state) if field == "discard" or field.endswith("tucked")
    )
    require(shown, "revealed", "must be a card that is discarded or tucked (11.23)")


def _cubes(state: State, seat: int) -> int:
    """What the seat has left: turns go round from the first player, and an action takes its cube at once."""
    assert state.active is not None  # noqa: S101 - asked only while the game goes on
    assert state.first_player is not None  # noqa: S101
    seats = len(state.players)
    turn, mine = ((other - state.first_player) % seats for other in (state.active, seat))
    spent = not any(isinstance(frame, ChooseAction) for frame in state.agenda)
    # As many had everybody when the first player began to go round.
    before = state.players[state.first_player].cubes + (turn > 0 or spent)
    fits = 1 <= before <= CUBES[state.round - 1]
    require(fits, f"players[{state.first_player}].cubes", "must fit the round and the turn (13.3, 14.4)")
    return before - (mine < turn or (mine == turn and spent))
