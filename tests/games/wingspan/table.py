"""Boards in a few lines, and sittings that play on them.

A bird on a mat is a text: its id, then ``eN`` eggs, ``tN`` tucked cards, ``c:FOOD=N`` cached tokens. Whatever is not
given is filled up with cards that the test does not name, so that nothing stands in two places.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, cast

from engine.core import NotAsked, Rng, play
from engine.core.model import Fact, IllegalMove
from engine.games.wingspan import GAME, setup
from engine.games.wingspan.events import Event
from engine.games.wingspan.frames import ChooseAction, EndTurn
from engine.games.wingspan.moves import Decline, Move, Pass, TakeAction
from engine.games.wingspan.rows import BIRD_IDS, BIRD_OF, BIRDS, BONUS_IDS, BONUS_OF
from engine.games.wingspan.state import Keeping, MatBird, Options, Player, State
from engine.games.wingspan.terms import CUBES, Action, Die, Food, Habitat

Given = dict[str, Any]
Foods = tuple[int, int, int, int, int]

EVERY_DIE = ("invertebrate", "seed", "fish", "fruit", "rodent")


class Chance(Rng):
    """Chance as told: what the dice show and how the deck comes out, in order; after that it is real chance."""

    def __init__(self, *outcomes: Iterable[str]) -> None:
        super().__init__(b"wingspan", 1)
        self._dice: list[int] = []
        self._decks: list[tuple[int, ...]] = []
        for outcome in map(tuple, outcomes):
            if outcome and outcome[0] in BIRD_OF:
                self._decks.append(tuple(BIRD_OF[bird] for bird in outcome))
            else:
                self._dice += [Die[face.upper()] - 1 for face in outcome]

    def below(self, n: int) -> int:
        """The next die."""
        self.used = True
        return self._dice.pop(0) if self._dice else super().below(n)

    def shuffle(self, items: Any) -> Any:
        """The next deck."""
        self.used = True
        return self._decks.pop(0) if self._decks else super().shuffle(items)

    @property
    def left(self) -> bool:
        """Whether an outcome was told that never came."""
        return bool(self._dice or self._decks)


def foods(counts: dict[str, int]) -> Foods:
    """Tokens by name as counts in the order of ``Food``."""
    return cast("Foods", tuple(counts.get(food.name.lower(), 0) for food in Food))


def named_foods(counts: Foods) -> dict[str, int]:
    """The other way round, without zeros."""
    return {food.name.lower(): count for food, count in zip(Food, counts, strict=True) if count}


class _Spare:
    """Birds that the test does not name, the same ones for the same test."""

    def __init__(self, named: Iterable[str]) -> None:
        taken = set(named)
        # Birds without a power first: fillers should not do anything.
        order = sorted((bird for bird in BIRD_IDS if bird not in taken), key=lambda b: BIRDS[BIRD_OF[b]].trigger)
        self._left = [BIRD_OF[bird] for bird in order]

    def take(self, count: int) -> tuple[int, ...]:
        taken, self._left = self._left[:count], self._left[count:]
        return tuple(taken)

    def all(self) -> tuple[int, ...]:
        return self.take(len(self._left))


def _named_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for item in value.values():
            yield from _named_in(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _named_in(item)
    elif isinstance(value, str) and value.split()[:1] and value.split()[0] in BIRD_OF:
        yield value.split()[0]


def _on_mat(text: str, spare: _Spare) -> MatBird:
    name, *held = text.split()
    eggs, tucked, cached = 0, 0, dict[str, int]()
    for part in held:
        if part.startswith("c:"):
            food, count = part[2:].split("=")
            cached[food] = int(count)
        elif part[0] == "e":
            eggs = int(part[1:])
        else:
            tucked = int(part[1:])
    return MatBird(BIRD_OF[name], eggs, foods(cached), spare.take(tucked))


def on_mat_text(on_mat: MatBird) -> str:
    """A bird on the mat as the text that makes it."""
    cached = [f"c:{food}={count}" for food, count in named_foods(on_mat.cached).items()]
    eggs = [f"e{on_mat.eggs}"] if on_mat.eggs else []
    tucked = [f"t{len(on_mat.tucked)}"] if on_mat.tucked else []
    return " ".join([BIRD_IDS[on_mat.bird], *eggs, *tucked, *cached])


def _player(given: Given, spare: _Spare) -> Player:
    rows = [tuple(_on_mat(text, spare) for text in given.get(habitat.name.lower(), [])) for habitat in Habitat]
    return Player(
        food=foods(given.get("food", {})),
        hand=tuple(BIRD_OF[bird] for bird in given.get("hand", [])),
        bonus=tuple(BONUS_OF[card] for card in given.get("bonus", [])),
        mat=cast("Any", tuple(rows)),
        cubes=given.get("cubes", CUBES[0]),
        goal_points=tuple(given.get("goal_points", ())),
    )


def _dice(names: Iterable[str]) -> tuple[Die, ...]:
    return tuple(sorted(Die[name.upper()] for name in names))


def board(**given: Any) -> State:
    """A position at the beginning of the turn of seat 0 (or of ``active``); see the fields read here."""
    spare = _Spare(_named_in(given))
    seats = [given.get("seats", {}).get(str(seat), {}) for seat in range(given.get("players", 2))]
    players = tuple(_player(seat, spare) for seat in seats)
    tray = [None if bird is None else BIRD_OF[bird] for bird in given["tray"]] if "tray" in given else spare.take(3)
    discard = tuple(BIRD_OF[bird] for bird in given.get("discard", []))
    top = tuple(BIRD_OF[bird] for bird in given.get("deck_exact", given.get("deck", [])))
    bonus = tuple(BONUS_OF[card] for card in given.get("bonus_deck", []))
    used = {*bonus, *(card for player in players for card in player.bonus)}
    rest = () if "bonus_exact" in given else tuple(card for card in range(len(BONUS_IDS)) if card not in used)
    active = given.get("active", given.get("first_player", 0))
    return State(
        options=Options(given.get("goal_board", "green")),
        players=players,
        deck=top if "deck_exact" in given else top + spare.all(),
        discard=discard,
        tray=cast("Any", tuple(tray)),
        bonus_deck=bonus + rest,
        bonus_discard=tuple(BONUS_OF[card] for card in given.get("bonus_discard", [])),
        feeder=_dice(given.get("feeder", EVERY_DIE)),
        goals=(0, 2, 4, 6),
        round=given.get("round", 1),
        first_player=given.get("first_player", 0),
        active=active,
        agenda=(EndTurn(active), ChooseAction(active)),
    )


def dealt(seat0: Given, players: int) -> State:
    """The set-up, with these cards for seat 0."""
    opening = setup.opening(Options(), players, Rng(b"dealt", 0))
    named = tuple(BIRD_OF[bird] for bird in seat0["birds"])
    bonus = tuple(BONUS_OF[card] for card in seat0["bonus"])
    spare = _Spare(seat0["birds"])
    others = [card for card in range(len(BONUS_IDS)) if card not in bonus]
    hands = [named, *(spare.take(5) for _ in range(players - 1))]
    cards = [bonus, *(tuple(others[2 * at : 2 * at + 2]) for at in range(players - 1))]
    return State(
        options=opening.options,
        players=tuple(Player((1, 1, 1, 1, 1), hand, pair) for hand, pair in zip(hands, cards, strict=True)),
        tray=cast("Any", spare.take(3)),
        deck=spare.all(),
        discard=(),
        bonus_deck=tuple(others[2 * (players - 1) :]),
        bonus_discard=(),
        feeder=opening.feeder,
        goals=opening.goals,
        keeping=(Keeping(),) * players,
    )


class Sitting:
    """A game being played; what was asked and what happened is remembered."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.asked: list[tuple[int, str, str | None]] = []
        self.facts: list[Fact[Event]] = []

    def offers(self, seat: int) -> list[str]:
        """What the seat can answer, as notations."""
        return [GAME.notation(move) for move in GAME.legal_moves(self.state, seat)]

    def move(self, seat: int, move: Move, chance: Rng | None = None) -> None:
        """Answer. Raises NotAsked or IllegalMove."""
        step = play(GAME, self.state, seat, move, chance or Chance())
        self._note()
        self.state = step.state
        self.facts += step.facts

    def _note(self) -> None:
        self.asked += [(q.seat, q.kind, q.power) for q in GAME.view(self.state, None).questions]

    def do(self, seat: int, notation: str, *outcomes: Iterable[str]) -> Sitting:
        """Answer by notation, with dice and decks that come out as told."""
        found = [move for move in GAME.legal_moves(self.state, seat) if GAME.notation(move) == notation]
        if not found:
            raise AssertionError(f"{notation} is not offered to seat {seat}, only {self.offers(seat)}")
        chance = Chance(*outcomes)
        self.move(seat, found[0], chance)
        assert not chance.left, "not everything told came out"
        return self

    def question(self) -> tuple[int, str, str | None]:
        """Who is asked what, about which bird."""
        (asked,) = GAME.view(self.state, None).questions
        return asked.seat, asked.kind, asked.power

    def skip(self) -> None:
        """Get out of the question. Raises IllegalMove if there is no way out."""
        (prompt,) = GAME.prompts(self.state)
        out = GAME.legal_moves(self.state, prompt.seat)[-1]
        if not isinstance(out, Decline | Pass):
            raise IllegalMove(f"{prompt.kind} of seat {prompt.seat} has no way out", "4.5")
        self.move(prompt.seat, out)

    def at_action(self) -> bool:
        """Whether a turn begins, or the game is over."""
        return not self.state.agenda or isinstance(self.state.agenda[-1], ChooseAction)

    def end_turn(self) -> Sitting:
        """Get out of every question up to the next turn."""
        while not self.at_action():
            self.skip()
        return self

    def idle_turn(self) -> None:
        """A turn in which nothing happens."""
        assert self.state.active is not None
        self.move(self.state.active, TakeAction(Action.DRAW_CARDS))
        self.end_turn()

    # What stands there.

    def row(self, seat: int, habitat: str) -> list[str]:
        """The birds of a row as texts."""
        return [on_mat_text(on_mat) for on_mat in self.state.players[seat].row(Habitat[habitat.upper()])]

    def food(self, seat: int) -> dict[str, int]:
        """The tokens of a seat."""
        return named_foods(self.state.players[seat].food)

    def hand(self, seat: int) -> list[str]:
        """The hand of a seat."""
        return [BIRD_IDS[card] for card in self.state.players[seat].hand]

    def discard(self) -> list[str]:
        """The discard pile, the top card last."""
        return [BIRD_IDS[card] for card in self.state.discard]

    def feeder(self) -> list[str]:
        """The dice inside."""
        return [die.name.lower() for die in self.state.feeder]


def refused(state: State, seat: int, move: Move) -> IllegalMove | NotAsked:
    """How the move is refused; fails if it is not."""
    try:
        play(GAME, state, seat, move, Chance())
    except (IllegalMove, NotAsked) as refusal:
        return refusal
    raise AssertionError(f"{GAME.notation(move)} was accepted")
