"""What holds for the work that is pending: questions that can be asked, about birds that stand there."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.model import InvalidPosition
from engine.games.wingspan import flow, frames, mats
from engine.games.wingspan.frames import Frame
from engine.games.wingspan.invariants_powers import check_power
from engine.games.wingspan.questions import QUESTIONS
from engine.games.wingspan.rows import BIRD_IDS, BIRDS
from engine.games.wingspan.state import Playing, State
from engine.games.wingspan.terms import COLUMNS

# More than any power gives, and more than any turn has still to do.
MOST_LEFT = 10
MOST_FRAMES = 32
_LISTS = ("birds", "chain")


def check_agenda(state: State) -> None:
    """Raise InvalidPosition, naming the field, unless the agenda fits the position."""
    if state.keeping or state.active is None:
        _require(not state.agenda, "agenda", "must be empty: nobody has a turn")
    else:
        _check_turn(state)
    _check_cards(state)
    for at, frame in enumerate(state.agenda):
        _check_frame(state, f"agenda[{at}]", frame)
    if state.agenda:
        asking = state.agenda[-1]
        _require(flow.offers(state, asking), f"agenda[{len(state.agenda) - 1}]", "must be a question with an answer")


def _require(holds: object, field: str, reason: str) -> None:
    if not holds:
        raise InvalidPosition(field, reason)


def _check_turn(state: State) -> None:
    """The turn ends at the bottom, a question is asked at the top (4.5)."""
    _require(state.agenda, "agenda", "must not be empty: somebody has a turn")
    _require(len(state.agenda) <= MOST_FRAMES, "agenda", f"must not be longer than {MOST_FRAMES}")
    _require(state.agenda[0] == frames.EndTurn(state.active or 0), "agenda[0]", "must be the end of the turn (13)")
    top = len(state.agenda) - 1
    _require(type(state.agenda[top]) in QUESTIONS, f"agenda[{top}]", "must be a question (4.5)")
    begins = [isinstance(frame, frames.ChooseAction) for frame in state.agenda]
    if any(begins):
        _require(begins == [False, True], "agenda", "must be the action and the end of the turn only (4.1)")
    ends = sum(isinstance(frame, frames.EndTurn) for frame in state.agenda)
    _require(ends == 1, "agenda", "must end the turn once (13)")


def _check_cards(state: State) -> None:
    """Cards lie on the table only while they are chosen from."""
    playing = [frame for frame in state.agenda if isinstance(frame, frames.PlaceBird | frames.ChooseHabitat)]
    _require(len(playing) == (state.playing is not None), "playing", "must be set while a bird is being paid for (6.1)")
    if state.playing is not None:
        _require(playing[0].seat == state.active, "agenda", "must play a bird for the seat on turn (6.1)")
        settled = isinstance(playing[0], frames.PlaceBird)
        _require(settled == (state.playing.habitat is not None), "playing.habitat", "must be set once it is chosen")
        _check_place(state, state.playing)
    drafting = any(isinstance(frame, frames.DraftRest) for frame in state.agenda)
    _require(drafting or not state.drafting, "drafting", "must be empty: no draft is going on (11.16)")
    choosing = bool(state.agenda) and isinstance(state.agenda[-1], frames.KeepBonus)
    _require(choosing or not state.bonus_offer, "bonus_offer", "must be empty: nobody chooses from it (11.17)")


def _check_place(state: State, playing: Playing) -> None:
    """The bird can go where it is paid for (6.2)."""
    if playing.habitat is not None:
        row = state.players[state.active or 0].row(playing.habitat)
        fits = playing.habitat in BIRDS[playing.bird].habitats and len(row) < COLUMNS
        _require(fits, "playing.habitat", "must be a row with a free column in which the bird can live (6.2)")


def _check_frame(state: State, field: str, frame: Frame) -> None:
    seats = range(len(state.players))
    if isinstance(frame, frames.Reactions):
        standing = {on_mat.bird for player in state.players for on_mat in mats.birds_of(player)}
    else:
        _require(frame.seat in seats, f"{field}.seat", "must be a seat")
        standing = {on_mat.bird for on_mat in mats.birds_of(state.players[frame.seat])}
    for name, bird in _birds(frame):
        _require(bird in standing, f"{field}.{name}", f"{BIRD_IDS[bird]} does not stand on that mat")
    for name in _LISTS:
        birds = getattr(frame, name, ())
        _require(len(set(birds)) == len(birds), f"{field}.{name}", "must be each bird once (10.1, 11.27, 12.4)")
    check_power(state, field, frame)
    left = getattr(frame, "left", 1)
    _require(1 <= left <= MOST_LEFT, f"{field}.left", f"must be from 1 to {MOST_LEFT}")
    if isinstance(frame, frames.ChooseStart):
        _require(frame.seats and set(frame.seats) <= set(seats), f"{field}.seats", "must be seats")
    if isinstance(frame, frames.PayFood):
        costs = (*frame.foods, frame.wild)
        _require(min(costs) >= 0 and sum(costs), f"{field}.foods", "must be what is left of a cost (6.4)")


def _birds(frame: Frame) -> Iterator[tuple[str, int]]:
    """The birds of its seat that the frame names, by field; birds that are gone from the row are still on the mat."""
    for name in ("bird", "only", "exclude"):
        bird = getattr(frame, name, None)
        if bird is not None:
            yield name, bird
    for name in _LISTS:
        yield from ((name, bird) for bird in getattr(frame, name, ()))
