"""Turns and rounds (4, 7 to 10, 13, 14)."""

from __future__ import annotations

from msgspec.structs import replace

from engine.games.wingspan import events, frames, mats, plays, scoring
from engine.games.wingspan.frames import DrawCards, LayEggs, TakeDice
from engine.games.wingspan.rows import BIRD_IDS, BIRDS, BONUS_CARDS, BONUS_IDS, GOAL_IDS
from engine.games.wingspan.table import Table
from engine.games.wingspan.terms import CUBES, ROUNDS, ROW_OF, Action, Habitat, Trigger


def start_round(table: Table, first_player: int) -> None:
    """Cubes for everybody, the first turn (14.4)."""
    table.first_player = first_player
    cubes = CUBES[table.round - 1]
    for seat in range(len(table.players)):
        table.change(seat, cubes=cubes)
    table.tell(None, events.RoundStarted(table.round, first_player, cubes))
    start_turn(table, first_player)


def start_turn(table: Table, seat: int) -> None:
    """The seat's birds may react again; then it chooses its action (4.1, 12.2)."""
    table.active = seat
    table.gained = ()
    for on_mat in mats.birds_of(table.players[seat]):
        if on_mat.reacted:
            table.change_bird(seat, on_mat.bird, reacted=False)
    table.tell(seat, events.TurnStarted())
    table.push(frames.ChooseAction(seat), frames.EndTurn(seat))


def play_bird(table: Table, seat: int, bird: int) -> None:
    """The action of playing a bird (6)."""
    _spend_cube(table, seat, Action.PLAY_BIRD)
    plays.choose(table, seat, bird, None)


def take_action(table: Table, seat: int, action: Action) -> None:
    """The action of a row: benefit, trade, reactions, powers from right to left (4.3)."""
    _spend_cube(table, seat, action)
    player, habitat = table.players[seat], ROW_OF[action]
    active = [on.bird for on in reversed(player.row(habitat)) if BIRDS[on.bird].trigger is Trigger.WHEN_ACTIVATED]
    table.push(frames.Activation(seat, habitat, tuple(active)))
    if action is not Action.DRAW_CARDS:
        table.push(frames.AfterBenefit(seat, action))
    if mats.trades(player, habitat):
        table.push(frames.Trade(seat, habitat))
    table.push(benefit(seat, habitat, mats.gains(player, habitat)))


def benefit(seat: int, habitat: Habitat, count: int) -> TakeDice | LayEggs | DrawCards:
    """So many dice, eggs or cards (7.1, 8.1, 9.1)."""
    if habitat is Habitat.FOREST:
        return TakeDice(seat, count)
    return LayEggs(seat, count) if habitat is Habitat.GRASSLAND else DrawCards(seat, count)


def _spend_cube(table: Table, seat: int, action: Action) -> None:
    table.revealed = None
    cubes = table.players[seat].cubes - 1
    table.change(seat, cubes=cubes)
    table.tell(seat, events.ActionTaken(action, cubes))


def activate(table: Table, frame: frames.Activation) -> None:
    """The next power of the row, unless its bird has left the row (10.1, 10.3)."""
    if not frame.birds:
        return
    bird = frame.birds[0]
    table.push(replace(frame, birds=frame.birds[1:]))
    if any(on_mat.bird == bird for on_mat in table.players[frame.seat].row(frame.habitat)):
        table.push(frames.Power(frame.seat, bird))


def end_turn(table: Table, frame: frames.EndTurn) -> None:
    """Discards that are due, then the tray, then the next seat (13)."""
    if table.debt and table.players[frame.seat].hand:
        table.debt -= 1
        table.push(frames.DiscardOwed(frame.seat), frame)
        return
    table.debt = 0
    table.fill_tray()
    following = (frame.seat + 1) % len(table.players)
    if table.players[following].cubes:
        start_turn(table, following)
    else:
        _end_round(table)


def _end_round(table: Table) -> None:
    """Score the goal; then a new tray and a new round, or the end (14, 15.1)."""
    _score_goal(table)
    if table.round == ROUNDS[-1]:
        _end_game(table)
        return
    cleared = tuple(card for card in table.tray if card is not None)
    table.discard += cleared
    table.tray = [None] * len(table.tray)
    table.tell(None, events.TrayCleared(tuple(BIRD_IDS[card] for card in cleared)))
    table.fill_tray()
    table.round += 1
    assert table.first_player is not None  # noqa: S101 - drawn before the first round
    start_round(table, (table.first_player + 1) % len(table.players))


def _score_goal(table: Table) -> None:
    """Frozen from now on (14.1)."""
    goal = table.goals[table.round - 1]
    counts = scoring.goal_counts(table.players, goal)
    points = scoring.goal_points(table.options.goal_board, table.round, counts)
    for seat, won in enumerate(points):
        table.change(seat, goal_points=(*table.players[seat].goal_points, won))
    table.tell(None, events.GoalScored(table.round, GOAL_IDS[goal], counts, points))


def _end_game(table: Table) -> None:
    """Bonus cards are shown, everything is counted (15)."""
    table.active = None
    table.reveals = True
    for seat, player in enumerate(table.players):
        worth = tuple(BONUS_CARDS[card].worth(scoring.bonus_count(player, card)) for card in player.bonus)
        table.tell(seat, events.BonusRevealed(tuple(BONUS_IDS[card] for card in player.bonus), worth))
    totals = tuple(sum(scoring.shares(player).values()) for player in table.players)
    table.tell(None, events.GameEnded(totals))
