"""Setting up, and the secret choice of what to keep (3)."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.model import InvalidOptions
from engine.core.rng import Rng
from engine.games.wingspan import events, moves, turns
from engine.games.wingspan.moves import Move
from engine.games.wingspan.rows import BIRD_IDS, BIRD_OF, BIRDS, BONUS_CARDS, BONUS_IDS, BONUS_OF, TILES
from engine.games.wingspan.state import Keeping, Options, Player, State
from engine.games.wingspan.table import Table
from engine.games.wingspan.terms import DICE, GOAL_BOARDS, ROUNDS, TRAY_SLOTS, Die, Food

SEAT_COUNTS = (2, 3, 4, 5)
BIRDS_DEALT = 5
BONUS_DEALT = 2
THINGS_KEPT = 5

KEEP_THING = "setup_keep"
KEEP_BONUS = "setup_bonus"

_KEEP_FOOD = {food: moves.KeepFood(food) for food in Food}


def opening(options: Options, seats: int, rng: Rng) -> State:
    """Everything dealt, everybody about to choose (3.1, 3.2). Raises InvalidOptions."""
    if seats not in SEAT_COUNTS:
        raise InvalidOptions("seats", f"{seats} players cannot play, only {SEAT_COUNTS[0]} to {SEAT_COUNTS[-1]}")
    if options.goal_board not in GOAL_BOARDS:
        raise InvalidOptions("goal_board", f"must be one of {', '.join(GOAL_BOARDS)}")
    deck = rng.shuffle(range(len(BIRDS)))
    feeder = tuple(sorted(Die(1 + rng.below(len(Die))) for _ in range(DICE)))
    first, second, third, fourth = (tile[rng.below(len(tile))] for tile in rng.shuffle(TILES)[: len(ROUNDS)])
    bonus = rng.shuffle(range(len(BONUS_CARDS)))
    dealt = len(TRAY_SLOTS)
    return State(
        options=options,
        players=tuple(
            Player(
                food=(1, 1, 1, 1, 1),
                hand=deck[dealt + BIRDS_DEALT * seat :][:BIRDS_DEALT],
                bonus=bonus[BONUS_DEALT * seat :][:BONUS_DEALT],
            )
            for seat in range(seats)
        ),
        deck=deck[dealt + BIRDS_DEALT * seats :],
        discard=(),
        tray=(deck[0], deck[1], deck[2]),
        bonus_deck=bonus[BONUS_DEALT * seats :],
        bonus_discard=(),
        feeder=feeder,
        goals=(first, second, third, fourth),
        keeping=(Keeping(),) * seats,
    )


def things(keeping: Keeping) -> int:
    """How many birds and tokens are kept so far (3.3)."""
    return len(keeping.birds) + len(keeping.foods)


def asked(state: State, seat: int) -> str | None:
    """Which question is open to the seat; the kind tells the others nothing but that (3.5)."""
    keeping = state.keeping[seat]
    if things(keeping) < THINGS_KEPT:
        return KEEP_THING
    return KEEP_BONUS if keeping.bonus is None else None


def offers(state: State, seat: int) -> tuple[Move, ...]:
    """The things not yet kept, one of which is kept next; after five of them the bonus cards (3.3, 3.4)."""
    kind, keeping, player = asked(state, seat), state.keeping[seat], state.players[seat]
    if kind == KEEP_BONUS:
        return tuple(moves.KeepBonus(BONUS_IDS[card]) for card in player.bonus)
    if kind is None:
        return ()
    birds = (moves.KeepBird(BIRD_IDS[card]) for card in player.hand if card not in keeping.birds)
    return (*birds, *(_KEEP_FOOD[food] for food in Food if food not in keeping.foods))


def answer(table: Table, seat: int, move: Move) -> None:
    """Keep one more thing; when the last seat is done everything is revealed at once (3.5, 3.6)."""
    keeping: Keeping = table.keeping[seat]
    match move:
        case moves.KeepBird(bird=bird):
            kept = {*keeping.birds, BIRD_OF[bird]}
            # As dealt, so that the order of choosing leaves no trace.
            keeping = replace(keeping, birds=tuple(card for card in table.players[seat].hand if card in kept))
            event = events.ThingKept(bird=bird)
        case moves.KeepFood(food=food):
            keeping = replace(keeping, foods=tuple(sorted({*keeping.foods, food})))
            event = events.ThingKept(food=food)
        case moves.KeepBonus(bonus=bonus):
            keeping = replace(keeping, bonus=BONUS_OF[bonus])
            event = events.ThingKept(bonus=bonus)
        case _:
            raise TypeError(f"{type(move).__name__} keeps nothing")
    table.tell_owner(seat, None, event)
    table.keeping = (*table.keeping[:seat], keeping, *table.keeping[seat + 1 :])
    if all(things(each) == THINGS_KEPT and each.bonus is not None for each in table.keeping):
        _reveal(table)


def _reveal(table: Table) -> None:
    """What is not kept is discarded; then the first player is drawn (3.5, 3.6)."""
    for seat, keeping in enumerate(table.keeping):
        player = table.players[seat]
        unkept = tuple(card for card in player.hand if card not in keeping.birds)
        table.discard += unkept
        table.bonus_discard += tuple(card for card in player.bonus if card != keeping.bonus)
        a, b, c, d, e = (int(food in keeping.foods) for food in Food)
        table.change(seat, food=(a, b, c, d, e), hand=keeping.birds, bonus=(keeping.bonus,))
        discarded = tuple(BIRD_IDS[card] for card in unkept)
        table.tell(seat, events.SetupRevealed(len(keeping.birds), keeping.foods, discarded))
    table.keeping = ()
    table.reveals = True
    first = table.rng.below(len(table.players))
    table.tell(first, events.FirstPlayerDrawn())
    turns.start_round(table, first)
