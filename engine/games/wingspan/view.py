"""What a viewer may know, built from nothing (16). Field names are those of ``wingspan.proto``."""

from __future__ import annotations

import msgspec

from engine.games.wingspan import flow, frames, mats, scoring, setup
from engine.games.wingspan.questions import QUESTIONS
from engine.games.wingspan.rows import BIRD_IDS, BONUS_CARDS, BONUS_IDS, GOAL_IDS
from engine.games.wingspan.state import MatBird, Options, Player, State
from engine.games.wingspan.terms import DICE, ROUNDS, Die, Food, Habitat


class FoodCounts(msgspec.Struct, frozen=True, array_like=True):
    """Tokens by food."""

    invertebrate: int
    seed: int
    fish: int
    fruit: int
    rodent: int


_NOTHING = FoodCounts(0, 0, 0, 0, 0)


class BirdOnMat(msgspec.Struct, frozen=True, array_like=True):
    """A bird with what it holds."""

    bird: str
    eggs: int
    cached: FoodCounts
    tucked: int
    reacted: bool


class MatRow(msgspec.Struct, frozen=True, array_like=True):
    """A habitat: its birds, what the next bird costs and what the action brings (2.6)."""

    habitat: Habitat
    birds: tuple[BirdOnMat, ...]
    gain: int
    trade: bool
    egg_cost: int | None = None


class BonusStanding(msgspec.Struct, frozen=True, array_like=True):
    """A bonus card, what it counts now and what that is worth."""

    bonus: str
    count: int
    points: int


class Points(msgspec.Struct, frozen=True, array_like=True):
    """Points by category, as far as the viewer may know them; ``bonus`` is absent until the cards are shown."""

    birds: int
    goals: int
    eggs: int
    cached: int
    tucked: int
    bonus: int | None = None


class PlayerView(msgspec.Struct, frozen=True, array_like=True):
    """A player as everybody sees him."""

    food: FoodCounts
    hand_size: int
    bonus_count: int
    cubes: int
    rows: tuple[MatRow, ...]
    goal_points: tuple[int, ...]
    points: Points
    bonus_shown: tuple[BonusStanding, ...]


class GoalStanding(msgspec.Struct, frozen=True, array_like=True):
    """The goal of a round: what it counts now and what that would bring, or what it brought."""

    round: int
    goal: str
    scored: bool
    counts: tuple[int, ...]
    points: tuple[int, ...]


class TraySlot(msgspec.Struct, frozen=True, array_like=True):
    """A slot of the tray."""

    bird: str | None = None


class Question(msgspec.Struct, frozen=True, array_like=True):
    """A question that is open; ``power`` is the bird whose power it belongs to, ``left`` how often it still comes."""

    seat: int
    kind: str
    power: str | None = None
    left: int | None = None


class BirdInPlay(msgspec.Struct, frozen=True, array_like=True):
    """A bird whose costs are being paid."""

    bird: str
    habitat: Habitat | None = None


class Kept(msgspec.Struct, frozen=True, array_like=True):
    """What the viewer has decided to keep so far."""

    birds: tuple[str, ...]
    foods: tuple[Food, ...]
    bonus: str | None = None


class View(msgspec.Struct, frozen=True, array_like=True):
    """The table as one viewer sees it."""

    seat: int | None
    options: Options
    round: int
    first_player: int | None
    active: int | None
    players: tuple[PlayerView, ...]
    tray: tuple[TraySlot, ...]
    feeder: tuple[Die, ...]
    dice_outside: int
    deck_size: int
    discard: tuple[str, ...]
    bonus_deck_size: int
    bonus_discard_size: int
    goals: tuple[GoalStanding, ...]
    questions: tuple[Question, ...]
    discards_due: int
    playing: BirdInPlay | None
    revealed: str | None
    set_aside: int
    # The viewer's own.
    hand: tuple[str, ...]
    bonus: tuple[BonusStanding, ...]
    keeping: Kept | None
    draft: tuple[str, ...]
    bonus_offer: tuple[str, ...]


def view(state: State, seat: int | None) -> View:
    """What the seat (None: a spectator) may know."""
    own = None if seat is None else state.players[seat]
    asked = questions(state)
    return View(
        seat=seat,
        options=state.options,
        round=state.round,
        first_player=state.first_player,
        active=state.active,
        players=tuple(_player(player, over=_over(state)) for player in state.players),
        tray=tuple(TraySlot(None if card is None else BIRD_IDS[card]) for card in state.tray),
        feeder=state.feeder,
        dice_outside=DICE - len(state.feeder),
        deck_size=len(state.deck),
        discard=_birds(state.discard),
        bonus_deck_size=len(state.bonus_deck),
        bonus_discard_size=len(state.bonus_discard),
        goals=tuple(_goal(state, number) for number in ROUNDS),
        questions=asked,
        discards_due=state.debt,
        playing=None if state.playing is None else BirdInPlay(BIRD_IDS[state.playing.bird], state.playing.habitat),
        revealed=None if state.revealed is None else BIRD_IDS[state.revealed],
        set_aside=len(state.drafting),
        hand=() if own is None else _birds(own.hand),
        bonus=() if own is None else _bonus(own),
        keeping=None if seat is None or not state.keeping else _kept(state, seat),
        draft=_birds(state.drafting) if _asks(state, seat, frames.SetAside, frames.DraftPick) else (),
        bonus_offer=_bonus_ids(state.bonus_offer) if _asks(state, seat, frames.KeepBonus) else (),
    )


def _over(state: State) -> bool:
    return not state.keeping and state.active is None


def _asks(state: State, seat: int | None, *kinds: type) -> bool:
    """Whether the viewer is the one whom such a question is put to: then the cards of it lie open to it (16.4)."""
    asking = flow.asking(state)
    return asking is not None and isinstance(asking, kinds) and asking.seat == seat


def _birds(cards: tuple[int, ...]) -> tuple[str, ...]:
    return tuple([BIRD_IDS[card] for card in cards])


def _bonus_ids(cards: tuple[int, ...]) -> tuple[str, ...]:
    return tuple([BONUS_IDS[card] for card in cards])


def questions(state: State) -> tuple[Question, ...]:
    """The open questions, by seat; nothing in them depends on what is hidden (16.3)."""
    if state.keeping:
        kinds = [setup.asked(state, seat) for seat in range(len(state.players))]
        return tuple(Question(seat, kind) for seat, kind in enumerate(kinds) if kind is not None)
    asking = flow.asking(state)
    if asking is None:
        return ()
    power: int | None = getattr(asking, "power", None)
    bird = None if power is None else BIRD_IDS[power]
    return (Question(asking.seat, QUESTIONS[type(asking)].kind, bird, getattr(asking, "left", None)),)


def _player(player: Player, *, over: bool) -> PlayerView:
    known = scoring.open_shares(player)
    return PlayerView(
        food=FoodCounts(*player.food),
        hand_size=len(player.hand),
        bonus_count=len(player.bonus),
        cubes=player.cubes,
        rows=tuple([_row(player, habitat) for habitat in Habitat]),
        goal_points=player.goal_points,
        points=Points(**known, bonus=scoring.bonus_points(player) if over else None),
        bonus_shown=_bonus(player) if over else (),
    )


def _row(player: Player, habitat: Habitat) -> MatRow:
    return MatRow(
        habitat,
        tuple([_bird(on_mat) for on_mat in player.row(habitat)]),
        mats.gains(player, habitat),
        mats.trades(player, habitat),
        mats.egg_cost(player, habitat),
    )


def _bird(on_mat: MatBird) -> BirdOnMat:
    cached = FoodCounts(*on_mat.cached) if any(on_mat.cached) else _NOTHING
    return BirdOnMat(BIRD_IDS[on_mat.bird], on_mat.eggs, cached, len(on_mat.tucked), on_mat.reacted)


def _bonus(player: Player) -> tuple[BonusStanding, ...]:
    counted = [(card, scoring.bonus_count(player, card)) for card in player.bonus]
    return tuple(BonusStanding(BONUS_IDS[card], count, BONUS_CARDS[card].worth(count)) for card, count in counted)


def _goal(state: State, number: int) -> GoalStanding:
    goal = state.goals[number - 1]
    won = tuple(player.goal_points[number - 1] for player in state.players if len(player.goal_points) >= number)
    if won:
        return GoalStanding(number, GOAL_IDS[goal], scored=True, counts=(), points=won)
    counts = scoring.goal_counts(state.players, goal)
    points = scoring.goal_points(state.options.goal_board, number, counts)
    return GoalStanding(number, GOAL_IDS[goal], scored=False, counts=counts, points=points)


def _kept(state: State, seat: int) -> Kept:
    keeping = state.keeping[seat]
    bonus = None if keeping.bonus is None else BONUS_IDS[keeping.bonus]
    return Kept(_birds(keeping.birds), keeping.foods, bonus)
