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
from service.clock import due_ms, first_times, life_ms, read_clock
from service.commitments import Commitments, commitment_used
from service.errors import Reason, Refusal, malformed, request_id_reused
from service.fairness import MOST_ENTROPY_BYTES, PLATFORM, SECRET_BYTES, Contributions, chance_seed
from service.issue import Issuer
from service.names import (
    game_id,
    game_id_of_commitment,
    game_id_of_request,
    read_commitment,
    read_request_id,
    read_span,
    read_text,
)
from service.notices import notice_of
from service.plan import Entropy, Planner
from service.records import Batch, Live, Meta, SeatMeta, Secrets, encode
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
from service.table import Table, asks_bot, open_table, pressing
from service.tables import Tables
from service.trace import note

DAY = 86_400.0
_ANNOTATION_BYTES = 4096
_LONGEST_NAME = 100
_LONGEST_EXTERNAL_ID = 200


Taken = Callable[[str], Refusal]
"""What to say of a name that stands for another game already, and why."""


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
        commitments: Commitments,
        rules: CreateRules,
        entropy: Entropy,
        clock_us: Callable[[], int],
    ) -> None:
        self._games = games
        self._store = store
        self._tables = tables
        self._planner = planner
        self._issuer = issuer
        self._commitments = commitments
        self._rules = rules
        self._entropy = entropy
        self._clock_us = clock_us

    async def __call__(self, platform: Platform, request: CreateGameRequest) -> CreateGameResponse:
        """Deal a new game.

        Raises INVALID_OPTIONS, MALFORMED_REQUEST, REQUEST_ID_REUSED, COMMITMENT_NOT_FOUND, COMMITMENT_USED.
        """
        key = self._place(platform, request)
        game = self._game(request)
        secrets = await self._secrets(platform.tenant, request)
        table = await (self._again(key, request) if secrets is None else self._dealt(key, game, request, secrets))
        # Tokens of the first epoch: a replay gives the very same ones, revoked or not.
        return CreateGameResponse(projection.game_of(table, platform=True), self._issuer.first_tokens(table))

    def key(self, platform: Platform, request_id: str) -> GameKey:
        """Where a new game lives: the same place at every repetition. Raises MALFORMED_REQUEST."""
        request_id = read_request_id(request_id)
        name = game_id_of_request(platform.tenant, request_id) if request_id else game_id(self._entropy(17))
        return GameKey(platform.tenant, name)

    def _place(self, platform: Platform, request: CreateGameRequest) -> GameKey:
        """The same, also where a commitment is all by which the request is known again."""
        commitment = read_commitment(request.commitment) if request.commitment else ""
        if commitment and not request.request_id:
            return GameKey(platform.tenant, game_id_of_commitment(platform.tenant, commitment))
        return self.key(platform, request.request_id)

    async def _secrets(self, tenant: str, request: CreateGameRequest) -> Secrets | None:
        """Seed and salt of the game; None if its commitment has them no more."""
        if request.commitment:
            if request.seed is not None:
                raise malformed("commitment", "must not stand beside seed", Reason.INVALID_OPTIONS)
            return await self._commitments.secrets(tenant, request.commitment)
        if request.seed is not None:
            return Secrets(self._read_seed(request.seed), self._entropy(SECRET_BYTES))
        return self._commitments.draw()

    async def _again(self, key: GameKey, request: CreateGameRequest) -> Table:
        """The game that the commitment has made. Raises COMMITMENT_NOT_FOUND, COMMITMENT_USED, REQUEST_ID_REUSED."""
        stored = await self._store.load(key)
        if stored is None:
            raise await self._commitments.why_not(key.tenant, request.commitment)
        return self.before(key, digest_of(request), stored, _taken(request))

    async def _dealt(self, key: GameKey, game: AnyGame, request: CreateGameRequest, secrets: Secrets) -> Table:
        """The game, dealt and stored, or the one that the same request made before."""
        meta, state = self._deal(game, request, secrets)
        if request.commitment:
            await self._commitments.claim(key.tenant, request.commitment, key.game.encode() + meta.request)
        table = await self.put(key, meta, game, state, _taken(request))
        if request.commitment:
            await self._commitments.close(key.tenant, request.commitment)
        return table

    async def put(
        self, key: GameKey, meta: Meta, game: AnyGame, state: msgspec.Struct, taken: Taken = request_id_reused
    ) -> Table:
        """Store a game that begins in ``state``; or the one that the same request made before. Raises ``taken``."""
        table = self._table(key, meta, game, state)
        note(game=key.game, game_type=game.game_type, version=1)
        due = due_ms(table)
        made = await self._store.create(
            table.key,
            stamp=table.stamp,
            meta=encode(meta),
            live=encode(table.live),
            batch=encode(Batch(meta.create_us)),
            rank=meta.create_us,
            ttl_ms=life_ms(table, due),
            notice=notice_of(table),
            due_ms=due,
            bots=bool(asks_bot(None, table)),
        )
        if not isinstance(made, Created):
            return self.before(key, meta.request, made.stored, taken)
        self._tables.keep(table)
        return table

    def before(self, key: GameKey, request: bytes, stored: Stored | None, taken: Taken = request_id_reused) -> Table:
        """The game that the same request, by its digest, made before. Raises ``taken`` if it was another one."""
        if stored is None:
            raise taken("made a game that was deleted")
        table = open_table(self._games, key, stored)
        if table.meta.request != request:
            raise taken("stands for another request")
        note(replayed=True, version=table.version)
        return table

    def _table(self, key: GameKey, meta: Meta, game: AnyGame, state: msgspec.Struct) -> Table:
        prompts = game.prompts(state)
        decisions = self._planner.first_decisions(prompts, len(meta.seats))
        status = GameState.ACTIVE if any(decisions) else GameState.FINISHED
        times = first_times(meta.clock, pressing(game, prompts), len(meta.seats), meta.create_us)
        live = Live(int(status), 0, meta.create_us, decisions, encode_state(game, state), times)
        return Table(key, Stamp(1, self._entropy(8)), meta, live, game, state)

    def _game(self, request: CreateGameRequest) -> AnyGame:
        try:
            return self._games.get(request.game_type, request.rules_version)
        except UnknownGame as error:
            raise malformed(error.field, "is not played here", Reason.INVALID_OPTIONS) from None

    def _deal(self, game: AnyGame, request: CreateGameRequest, secrets: Secrets) -> tuple[Meta, msgspec.Struct]:
        seats = read_seats(game, request.seats)
        options = _read_options(game, request.options)
        entropy = read_entropy(request.entropy, request.seats)
        state = self._first_state(game, options, len(seats), chance_seed(secrets.seed, entropy), request)
        return Meta(
            game_type=game.game_type,
            rules_version=game.rules_version,
            options=msgspec.msgpack.encode(_options_of(state)),
            seats=seats,
            seed=secrets.seed,
            salt=secrets.salt,
            create_us=self._clock_us(),
            keep_ms=int(read_span("keep", request.keep, 60, 366 * DAY, self._rules.keep) * 1000),
            request=digest_of(request),
            annotations=read_annotations(request.annotations),
            spectators_off=request.spectators_off,
            reveal_policy=int(request.reveal_policy or RevealPolicy.NEVER),
            positioned=request.position is not None,
            clock=read_clock(request.clock),
            entropy=entropy,
        ), state

    def _read_seed(self, seed: bytes) -> bytes:
        if not self._rules.allow_seed:
            raise malformed("seed", "is not allowed on this server", Reason.INVALID_OPTIONS)
        if len(seed) != SECRET_BYTES:
            raise malformed("seed", f"must be {SECRET_BYTES} bytes", Reason.INVALID_OPTIONS)
        return seed

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
        typed: msgspec.Struct | None = detail.reading(game.options)
        if typed is None:
            field = f"options.{detail.arm}"
            raise malformed(field, f"are not those of rules {game.rules_version}", Reason.INVALID_OPTIONS)
        return typed
    if detail.arm != "plugin":
        raise malformed(f"options.{detail.arm}", f"is not {game.game_type}", Reason.INVALID_OPTIONS)
    try:
        plugin: msgspec.Struct = from_json(game.options, detail.value)
    except InvalidPosition as error:
        raise malformed(f"options.plugin.{error.field}", error.reason, Reason.INVALID_OPTIONS) from None
    return plugin


def read_entropy(platform: bytes, seats: tuple[NewSeat, ...]) -> Contributions:
    """What was given to the chance: by the platform, then by the seats. Raises MALFORMED_REQUEST."""
    fields = {PLATFORM: "entropy"} | {seat: f"seats[{seat}].entropy" for seat in range(len(seats))}
    given = (platform, *(seat.entropy for seat in seats))
    for field, entropy in zip(fields.values(), given, strict=True):
        if len(entropy) > MOST_ENTROPY_BYTES:
            raise malformed(field, f"is longer than {MOST_ENTROPY_BYTES} bytes")
    return tuple((who, entropy) for who, entropy in zip(fields, given, strict=True) if entropy)


def _taken(request: CreateGameRequest) -> Taken:
    """The refusal of a request whose name is taken: its request id, or, without one, its commitment."""
    return request_id_reused if request.request_id or not request.commitment else lambda _: commitment_used()


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
    """What the request asks for, whatever the order of its maps and the case of its id.

    Only what differs from the defaults counts, so that a release with more fields, or with newer rules, knows a request
    again that an older one has answered.
    """
    same = msgspec.structs.replace(request, request_id=request.request_id.lower())
    chosen = None
    if isinstance(same, CreateGameRequest):
        chosen = _chosen(same.options)
        same = msgspec.structs.replace(same, options=None)
    said = msgspec.json.encode((same, chosen), order="sorted")
    return hashlib.blake2b(said, digest_size=16).digest()


def _chosen(options: GameOptions | None) -> dict[str, Any]:
    """The options that are not as by default, by name."""
    value = None if options is None or options.detail is None else options.detail.value
    if isinstance(value, msgspec.Struct):
        fields = msgspec.structs.fields(value)
        return {each.name: own for each in fields if (own := getattr(value, each.name)) != each.default}
    return value or {}
