"""CreateGame: check what is asked for, deal, store, and hand out the keys to the seats."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import msgspec

from engine.core import (
    AnyGame,
    InvalidOptions,
    InvalidPosition,
    Registry,
    Rng,
    UnknownGame,
    encode_state,
    from_json,
    read_position,
)
from service import projection
from service.callers import Platform
from service.clock import due_ms, first_times, read_clock
from service.errors import Reason, malformed
from service.issue import Issuer
from service.names import game_id, game_id_of_request, read_request_id, read_span, read_text
from service.notices import notice_of
from service.plan import Entropy, Planner
from service.records import Batch, Live, Meta, SeatMeta, encode
from service.resources import (
    BotLevel,
    Controller,
    CreateGameRequest,
    CreateGameResponse,
    GameOptions,
    GameState,
    NewSeat,
    RevealPolicy,
)
from service.resources_live import ForkGameRequest
from service.store import Created, GameKey, Stamp, Store, Stored
from service.table import Table, asks_bot, open_table
from service.tables import Tables
from service.trace import note

DAY = 86_400.0
SEED_BYTES = 32
_ANNOTATION_BYTES = 4096
_LONGEST_NAME = 100
_LONGEST_EXTERNAL_ID = 200


class CreateRules(msgspec.Struct, frozen=True):
    """What the server allows. ``keep`` is the default life of a game after its last commit, in seconds."""

    allow_seed: bool = False
    allow_position: bool = False
    keep: float = 30 * DAY


class Create:
    """The use case, with what it needs."""

    def __init__(
        self,
        *,
        games: Registry,
        store: Store,
        tables: Tables,
        planner: Planner,
        issuer: Issuer,
        rules: CreateRules,
        entropy: Entropy,
        clock_us: Callable[[], int],
    ) -> None:
        self._games = games
        self._store = store
        self._tables = tables
        self._planner = planner
        self._issuer = issuer
        self._rules = rules
        self._entropy = entropy
        self._clock_us = clock_us

    async def __call__(self, platform: Platform, request: CreateGameRequest) -> CreateGameResponse:
        """Deal a new game. Raises INVALID_OPTIONS, MALFORMED_REQUEST, REQUEST_ID_REUSED."""
        key = self.key(platform, request.request_id)
        game = self._game(request)
        meta, state = self._deal(game, request)
        table = await self.put(key, meta, game, state)
        # Tokens of the first epoch: a replay gives the very same ones, revoked or not.
        return CreateGameResponse(projection.game_of(table, platform=True), self._issuer.first_tokens(table))

    def key(self, platform: Platform, request_id: str) -> GameKey:
        """Where a new game lives: the same place at every repetition. Raises MALFORMED_REQUEST."""
        request_id = read_request_id(request_id)
        name = game_id_of_request(platform.tenant, request_id) if request_id else game_id(self._entropy(17))
        return GameKey(platform.tenant, name)

    async def put(self, key: GameKey, meta: Meta, game: AnyGame, state: msgspec.Struct) -> Table:
        """Store a game that begins in ``state``; or the one that the same request made before.

        Raises REQUEST_ID_REUSED.
        """
        table = self._table(key, meta, game, state)
        note(game=key.game, game_type=game.game_type, version=1)
        made = await self._store.create(
            table.key,
            stamp=table.stamp,
            meta=encode(meta),
            live=encode(table.live),
            batch=encode(Batch(meta.create_us)),
            rank=meta.create_us,
            ttl_ms=meta.keep_ms,
            notice=notice_of(table),
            due_ms=due_ms(table),
            bots=asks_bot(None, table),
        )
        if not isinstance(made, Created):
            return self.before(key, meta.request, made.stored)
        self._tables.keep(table)
        return table

    def before(self, key: GameKey, request: bytes, stored: Stored | None) -> Table:
        """The game that the same request, by its digest, made before. Raises REQUEST_ID_REUSED."""
        if stored is None:
            raise malformed("request_id", "made a game that was deleted", Reason.REQUEST_ID_REUSED)
        table = open_table(self._games, key, stored)
        if table.meta.request != request:
            raise malformed("request_id", "stands for another request", Reason.REQUEST_ID_REUSED)
        note(replayed=True, version=table.version)
        return table

    def _table(self, key: GameKey, meta: Meta, game: AnyGame, state: msgspec.Struct) -> Table:
        prompts = game.prompts(state)
        decisions = self._planner.first_decisions(prompts, len(meta.seats))
        status = GameState.ACTIVE if any(decisions) else GameState.FINISHED
        asked = frozenset(prompt.seat for prompt in prompts)
        times = first_times(meta.clock, asked, len(meta.seats), meta.create_us)
        live = Live(int(status), 0, meta.create_us, decisions, encode_state(game, state), times)
        return Table(key, Stamp(1, self._entropy(8)), meta, live, game, state)

    def _game(self, request: CreateGameRequest) -> AnyGame:
        try:
            return self._games.get(request.game_type, request.rules_version)
        except UnknownGame as error:
            raise malformed(error.field, "is not played here", Reason.INVALID_OPTIONS) from None

    def _deal(self, game: AnyGame, request: CreateGameRequest) -> tuple[Meta, msgspec.Struct]:
        seats = read_seats(game, request.seats)
        options = _read_options(game, request.options)
        seed = self._read_seed(request)
        state = self._first_state(game, options, len(seats), seed, request)
        return Meta(
            game_type=game.game_type,
            rules_version=game.rules_version,
            options=msgspec.msgpack.encode(_options_of(state)),
            seats=seats,
            seed=seed,
            salt=self._entropy(SEED_BYTES),
            create_us=self._clock_us(),
            keep_ms=int(read_span("keep", request.keep, 60, 366 * DAY, self._rules.keep) * 1000),
            request=digest_of(request),
            annotations=read_annotations(request.annotations),
            spectators_off=request.spectators_off,
            reveal_policy=int(request.reveal_policy or RevealPolicy.NEVER),
            positioned=request.position is not None,
            clock=read_clock(request.clock),
        ), state

    def _read_seed(self, request: CreateGameRequest) -> bytes:
        if request.seed is None:
            return self._entropy(SEED_BYTES)
        if not self._rules.allow_seed:
            raise malformed("seed", "is not allowed on this server", Reason.INVALID_OPTIONS)
        if len(request.seed) != SEED_BYTES:
            raise malformed("seed", f"must be {SEED_BYTES} bytes", Reason.INVALID_OPTIONS)
        return request.seed

    def _first_state(
        self, game: AnyGame, options: msgspec.Struct, seats: int, seed: bytes, request: CreateGameRequest
    ) -> msgspec.Struct:
        try:
            if request.position is None:
                state: msgspec.Struct = game.setup(options, seats, Rng(seed, 0))
            else:
                state = self._read_position(game, seats, request.position)
                if request.options is not None and _options_of(state) != options:
                    raise malformed("options", "differ from those of the position", Reason.INVALID_OPTIONS)
        except InvalidOptions as error:
            field = "seats" if error.field == "seats" else f"options.{game.game_type}.{error.field}"
            raise malformed(field, error.reason, Reason.INVALID_OPTIONS) from None
        return state

    def _read_position(self, game: AnyGame, seats: int, position: dict[str, Any]) -> msgspec.Struct:
        if not self._rules.allow_position:
            raise malformed("position", "is not allowed on this server", Reason.INVALID_OPTIONS)
        try:
            state: msgspec.Struct = read_position(game, position)
        except InvalidPosition as error:
            raise malformed(f"position.{error.field}", error.reason, Reason.INVALID_OPTIONS) from None
        if game.seats_of(state) != seats:
            raise malformed("seats", f"the position has {game.seats_of(state)}", Reason.INVALID_OPTIONS)
        return state


def read_seats(game: AnyGame, seats: tuple[NewSeat, ...]) -> tuple[SeatMeta, ...]:
    """The players of a new game. Raises INVALID_OPTIONS and MALFORMED_REQUEST."""
    if len(seats) not in game.seat_counts:
        counts = ", ".join(map(str, game.seat_counts))
        raise malformed("seats", f"{game.game_type} takes {counts} seats, not {len(seats)}", Reason.INVALID_OPTIONS)
    return tuple(_read_seat(f"seats[{i}]", seat) for i, seat in enumerate(seats))


def _read_seat(field: str, seat: NewSeat) -> SeatMeta:
    if seat.controller is Controller.RESIGNED:
        raise malformed(f"{field}.controller", "cannot have resigned before the game", Reason.INVALID_OPTIONS)
    return SeatMeta(
        read_text(f"{field}.display_name", seat.display_name, _LONGEST_NAME),
        read_text(f"{field}.external_id", seat.external_id, _LONGEST_EXTERNAL_ID),
        int(seat.controller or Controller.HUMAN),
        bot_level=int(seat.bot_level or (BotLevel.BASIC if seat.controller is Controller.BOT else 0)),
    )


def _read_options(game: AnyGame, options: GameOptions | None) -> msgspec.Struct:
    detail = options.detail if options is not None else None
    if detail is None:
        default: msgspec.Struct = game.options()
        return default
    if detail.arm == game.game_type:
        typed: msgspec.Struct = detail.value
        return typed
    if detail.arm != "plugin":
        raise malformed(f"options.{detail.arm}", f"is not {game.game_type}", Reason.INVALID_OPTIONS)
    try:
        plugin: msgspec.Struct = from_json(game.options, detail.value)
    except InvalidPosition as error:
        raise malformed(f"options.plugin.{error.field}", error.reason, Reason.INVALID_OPTIONS) from None
    return plugin


def read_annotations(annotations: dict[str, str]) -> dict[str, str]:
    """A platform's notes, in order. Raises MALFORMED_REQUEST."""
    size = sum(len(key.encode()) + len(text.encode()) for key, text in annotations.items())
    if size > _ANNOTATION_BYTES:
        raise malformed("annotations", f"are {size} bytes, more than {_ANNOTATION_BYTES}")
    return dict(sorted(annotations.items()))


def _options_of(state: Any) -> msgspec.Struct:
    """The options in force: the state's own, which a position may have brought along."""
    options: msgspec.Struct = state.options
    return options


def digest_of(request: CreateGameRequest | ForkGameRequest) -> bytes:
    """What the request asks for, whatever the order of its maps and the case of its id."""
    same = msgspec.structs.replace(request, request_id=request.request_id.lower())
    return hashlib.blake2b(msgspec.json.encode(same, order="sorted"), digest_size=16).digest()
