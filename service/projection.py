"""Views, games and events for one viewer, built from nothing.

Everything here takes the viewer (a seat, or None for a spectator) and asks the game's ``view``, ``legal_moves`` and the
facts' ``seen_by`` for it; nothing else of a state is ever read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import lru_cache

import msgspec

from engine.core import AnyGame, Scene, decode_event
from engine.core import Label as EngineLabel
from service import clock
from service.records import Batch, Meta, SeatMeta, facts_seen
from service.resources import (
    Awaiting,
    BotLevel,
    Clock,
    Controller,
    Decision,
    Detail,
    Event,
    ForkedFrom,
    Game,
    GameOptions,
    Label,
    Move,
    Offer,
    OnTimeout,
    Part,
    PieceView,
    RevealPolicy,
    SceneView,
    Seat,
    SeatClock,
    View,
    Viewer,
    ZoneView,
)
from service.resources_types import Component, GameType, Messages, Option
from service.table import Table
from service.table_events import MESSAGES, table_events
from service.times import moment

DEFAULT_PARTS = frozenset({Part.DETAIL, Part.OFFERS})
_SHOWING = frozenset({Part.DETAIL, Part.SCENE})


@lru_cache(maxsize=50_000)
def label_of(game: AnyGame, label: EngineLabel) -> Label:
    """A label of the game with its English text. The same label gives the same object."""
    return Label(label.key, dict(label.args), _render(game.messages()["en"], label))


def _render(templates: dict[str, str], label: EngineLabel) -> str:
    args = {key: templates[text[1:]] if text.startswith("$") else text for key, text in label.args}
    return templates[label.key].format(**args)


@lru_cache(maxsize=50_000)
def offer_of(game: AnyGame, move: msgspec.Struct) -> Offer:
    """The offer of a move. The same move gives the same object, whoever may make it and when."""
    return Offer(
        game.notation(move),
        label_of(game, game.label(move)),
        game.refs(move),
        Move(Detail(game.game_type, move)),
    )


@lru_cache(maxsize=20_000)
def told_of(game: AnyGame, actor: int | None, event: bytes) -> tuple[Label, Detail]:
    """How a stored event is told, and the event itself. The same event gives the same objects, in whatever game."""
    decoded = decode_event(game, event)
    return label_of(game, game.event_label(decoded, actor)), Detail(game.game_type, decoded)


@lru_cache(maxsize=4096)
def seats_of(seats: tuple[SeatMeta, ...], *, platform: bool) -> tuple[Seat, ...]:
    """The seats; the platform's own ids only for platforms."""
    return tuple(
        Seat(
            i,
            seat.display_name,
            seat.external_id if platform else "",
            Controller(seat.controller),
            BotLevel(seat.bot_level),
        )
        for i, seat in enumerate(seats)
    )


def offers_of(table: Table, seat: int) -> tuple[Offer, ...]:
    """Every legal move of the seat, in the game's order."""
    return tuple(offer_of(table.game, move) for move in table.legal(seat))


def decision_of(table: Table, seat: int | None, *, offers: bool) -> Decision | None:
    """The open question of the viewer."""
    prompt = table.prompt(seat)
    if seat is None or prompt is None or table.past or seat in table.resigned:
        # Nothing is asked; or it was asked in the past and is long answered; or the clock alone answers.
        return None
    return Decision(
        table.live.decisions[seat],
        prompt.kind,
        label_of(table.game, table.game.prompt_label(prompt)),
        deadline=deadline_of(table, seat),
        offers=offers_of(table, seat) if offers else (),
        offers_truncated=not offers,
        timeout_offer_id=table.timeout_offer(seat) if offers else "",
    )


def awaiting_of(table: Table) -> tuple[Awaiting, ...]:
    """Who owes an answer, and until when: public."""
    return tuple(Awaiting(prompt.seat, prompt.kind, deadline_of(table, prompt.seat)) for prompt in table.prompts)


def deadline_of(table: Table, seat: int) -> datetime | None:
    """When the clock may act for a seat that is asked; None: never, or it was asked in the past."""
    at_us = None if table.past else clock.deadline_us(table, seat)
    return None if at_us is None else moment(at_us)


def clocks_of(table: Table) -> tuple[SeatClock, ...]:
    """What the seats have left of their time for the game, if it is counted."""
    counted = table.meta.clock
    if counted is None or counted.per_game_ms == clock.NO_LIMIT or table.past:
        return ()
    return tuple(SeatClock(i, timedelta(milliseconds=time.left_ms)) for i, time in enumerate(table.live.times))


def clock_of(meta: Meta) -> Clock | None:
    """The clock of a game."""
    if meta.clock is None:
        return None
    decision, game = (
        None if ms == clock.NO_LIMIT else timedelta(milliseconds=ms)
        for ms in (meta.clock.per_decision_ms, meta.clock.per_game_ms)
    )
    return Clock(decision, game, OnTimeout(meta.clock.on_timeout))


def etag_of(table: Table, seat: int | None) -> str:
    """A tag that changes with the commit and the viewer, and with nothing else.

    The commit, not its number alone: a store that lost its last writes counts through the same numbers again.
    """
    text = f"{table.key.game}|{table.version}|{'s' if seat is None else seat}|"
    return f'W/"{hashlib.blake2b(text.encode() + table.stamp.mark, digest_size=10).hexdigest()}"'


def view_of(table: Table, seat: int | None, parts: frozenset[Part], events: tuple[Event, ...] = ()) -> View:
    """What the viewer may know now."""
    game = table.game
    shown = game.view(table.state, seat) if parts & _SHOWING else None
    return View(
        name=table.name,
        version=table.version,
        etag=etag_of(table, seat),
        game_type=game.game_type,
        rules_version=game.rules_version,
        state=table.status,
        viewer=Viewer(spectator=True) if seat is None else Viewer(seat=seat),
        seats=seats_of(table.meta.seats, platform=False),
        decision=decision_of(table, seat, offers=Part.OFFERS in parts),
        awaiting=awaiting_of(table),
        result=table.result,
        events=events,
        scene=_scene(game, game.scene(shown)) if Part.SCENE in parts else None,
        detail=Detail(game.game_type, shown) if Part.DETAIL in parts else None,
        clocks=clocks_of(table),
    )


def returned(table: Table, seat: int, parts: Iterable[Part], latest: Batch) -> View:
    """The view in the answer to a seat's own doing, with these parts of it; ``latest`` made the table's version."""
    wanted = frozenset(parts) or DEFAULT_PARTS
    events = events_of(table.game, table.version, latest, seat) if Part.EVENTS in wanted else ()
    return view_of(table, seat, wanted, events)


def events_of(game: AnyGame, version: int, batch: Batch, seat: int | None) -> tuple[Event, ...]:
    """What the viewer may know of one version's batch; ``index`` counts what this viewer sees.

    First what happened at the table, which is public, then what happened in the game.
    """
    time = moment(batch.time_us)
    table = table_events(version, time, batch)
    seen = enumerate(facts_seen(batch, seat), len(table))
    return table + tuple([Event(version, i, time, actor, *told_of(game, actor, blob)) for i, (actor, blob) in seen])


def game_of(table: Table, *, platform: bool) -> Game:
    """The game from outside."""
    meta, game = table.meta, table.game
    return Game(
        name=table.name,
        game_type=game.game_type,
        rules_version=game.rules_version,
        options=GameOptions(Detail(game.game_type, msgspec.msgpack.decode(meta.options, type=game.options))),
        state=table.status,
        version=table.version,
        seats=seats_of(meta.seats, platform=platform),
        create_time=moment(meta.create_us),
        update_time=moment(table.live.update_us),
        expire_time=moment(table.live.update_us + clock.life_ms(table, clock.due_ms(table)) * 1000),
        annotations=meta.annotations if platform else {},
        result=table.result,
        spectators_off=meta.spectators_off,
        awaiting=awaiting_of(table),
        reveal_policy=RevealPolicy(meta.reveal_policy),
        clock=clock_of(meta),
        forked_from=_forked_from(meta) if platform else None,
    )


def _forked_from(meta: Meta) -> ForkedFrom | None:
    return None if meta.forked is None else ForkedFrom(f"games/{meta.forked[0]}", meta.forked[1])


def game_type_of(game: AnyGame, versions: Iterable[str], *, whole: bool) -> GameType:
    """Everything static about the game; ``whole`` with catalogue and messages."""
    return GameType(
        name=f"gameTypes/{game.game_type}",
        title=label_of(game, EngineLabel("title")),
        seat_counts=game.seat_counts,
        options=tuple(
            Option(spec.name, label_of(game, spec.label), spec.default, spec.choices) for spec in game.option_specs()
        ),
        rules_versions=tuple(versions),
        catalogue=tuple(
            Component(item.id, item.kind, label_of(game, item.label), item.copies, item.attributes)
            for item in game.catalogue()
        )
        if whole
        else (),
        messages=_messages(game) if whole else {},
    )


def _messages(game: AnyGame) -> dict[str, Messages]:
    """The templates of the game and of the table in every language."""
    return {locale: Messages({**templates, **MESSAGES[locale]}) for locale, templates in game.messages().items()}


def _scene(game: AnyGame, scene: Scene) -> SceneView:
    return SceneView(
        tuple(
            ZoneView(
                zone.id,
                zone.kind,
                zone.seat,
                label_of(game, zone.label),
                tuple(PieceView(piece.piece, piece.count) for piece in zone.pieces),
            )
            for zone in scene.zones
        )
    )
