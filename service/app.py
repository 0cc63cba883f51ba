"""The use cases of the API, one method per RPC, speaking in resources and refusals."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Callable

from engine.core import Registry, UnknownGame
from service import projection
from service.callers import Caller, Platform, Scope, check_epoch, need_game, need_platform
from service.change import change
from service.commitments import Commitments
from service.create import DAY, Create, CreateRules
from service.errors import Reason, Refusal, malformed
from service.events import Events
from service.export import export_of
from service.fairness import fairness_of
from service.fork import Fork
from service.history import History
from service.issue import Issuer, Signer
from service.look import Look
from service.meter import Meter
from service.names import base32, page_token, read_fairness, read_game, read_game_type, read_page_token, read_seat
from service.notices import notice_of_deletion
from service.plan import Entropy, Plan, Planner
from service.resources import (
    CreateGameRequest,
    CreateGameResponse,
    Game,
    GameState,
    GetGameRequest,
    GetViewRequest,
    ListGamesRequest,
    ListGamesResponse,
    SubmitMoveRequest,
    SubmitMoveResponse,
    View,
)
from service.resources_live import (
    AbortGameRequest,
    Commitment,
    CreateCommitmentRequest,
    DeleteGameRequest,
    DeleteGameResponse,
    ExportGameRequest,
    ExportGameResponse,
    Fairness,
    ForkGameRequest,
    ForkGameResponse,
    GetFairnessRequest,
    IssueTicketRequest,
    IssueTicketResponse,
    IssueTokensRequest,
    IssueTokensResponse,
    ListEventsRequest,
    ListEventsResponse,
    SetSeatControllerRequest,
    UndoMoveRequest,
    UndoMoveResponse,
    WatchGameRequest,
    WatchGameResponse,
    WatchUpdatesRequest,
    WatchUpdatesResponse,
)
from service.resources_types import GameType, GetGameTypeRequest, ListGameTypesRequest, ListGameTypesResponse
from service.seats import Seats
from service.store import GameKey, Listed, Memo, Store
from service.submit import Submit
from service.sweep import Sweeper
from service.table import Table, open_table
from service.tables import Tables, game_not_found
from service.trace import note
from service.undo import Undo
from service.updates import Updates
from service.waiting import Drain
from service.watch import Watch

TOKEN_TTL = 90 * DAY
PAGE = 50
LONGEST_PAGE = 1000


class App:
    """Everything that the API can do. The callers are authenticated; everything else is checked here.

    ``clock_us`` gives microseconds since 1970: the store's time, unless a test knows better.
    """

    def __init__(
        self,
        games: Registry,
        store: Store,
        signer: Signer,
        *,
        rules: CreateRules | None = None,
        token_ttl: float = TOKEN_TTL,
        clock_grace: float = 0.0,
        meter: Meter | None = None,
        clock_us: Callable[[], int] | None = None,
        entropy: Entropy = os.urandom,
    ) -> None:
        meter = meter or Meter()
        clock_us = clock_us or store.clocks.now_us
        self.draining = Drain()
        self._games = games
        self._store = store
        self._entropy = entropy
        self._tables = Tables(games, store)
        self._planner = Planner(clock_us, entropy, meter, store.clocks.outage)
        self._issuer = Issuer(
            store=store,
            tables=self._tables,
            planner=self._planner,
            signer=signer,
            entropy=entropy,
            clock_us=clock_us,
            ttl=token_ttl,
        )
        self._commitments = Commitments(store, entropy, clock_us)
        self._create = Create(
            games=games,
            store=store,
            tables=self._tables,
            planner=self._planner,
            issuer=self._issuer,
            commitments=self._commitments,
            rules=rules or CreateRules(),
            entropy=entropy,
            clock_us=clock_us,
        )
        self._submit = Submit(store, self._tables, self._planner, meter)
        self._seats = Seats(store, self._tables, self._planner, entropy)
        self._history = History(store)
        self._undo = Undo(store, self._tables, self._history, self._planner, meter)
        self._fork = Fork(
            store=store,
            tables=self._tables,
            history=self._history,
            create=self._create,
            issuer=self._issuer,
            entropy=entropy,
            clock_us=clock_us,
        )
        self._look = Look(store, self._tables, self._history, self.draining)
        self._events = Events(self._tables, self._history)
        self._updates = Updates(store, self.draining)
        self.sweeper = Sweeper(store, self._tables, self._planner, meter, int(clock_grace * 1000))
        self._watch = Watch(store, self._tables, self._history, self.draining)

    @property
    def streams(self) -> int:
        """How many games are being watched, each watcher counted."""
        return self._watch.places.streams

    async def list_game_types(self, caller: Caller | None, request: ListGameTypesRequest) -> ListGameTypesResponse:
        """Every game type, without catalogues and messages."""
        del caller, request
        games = (self._games.get(game_type) for game_type in self._games.game_types)
        return ListGameTypesResponse(
            tuple(
                projection.game_type_of(game, self._games.rules_versions(game.game_type), whole=False) for game in games
            )
        )

    async def get_game_type(self, caller: Caller | None, request: GetGameTypeRequest) -> GameType:
        """Everything static about one game type. Raises GAME_TYPE_NOT_FOUND."""
        del caller
        game_type = read_game_type(request.name)
        try:
            versions = self._games.rules_versions(game_type)
        except UnknownGame:
            raise Refusal(Reason.GAME_TYPE_NOT_FOUND, "there is no such game type") from None
        return projection.game_type_of(self._games.get(game_type), versions, whole=True)

    async def create_commitment(self, caller: Caller, request: CreateCommitmentRequest) -> Commitment:
        """Commit to the chance of a game to come."""
        del request
        return await self._commitments.create(need_platform(caller, Scope.CREATE))

    async def create_game(self, caller: Caller, request: CreateGameRequest) -> CreateGameResponse:
        """Deal a new game."""
        return await self._create(need_platform(caller, Scope.CREATE), request)

    async def get_game(self, caller: Caller, request: GetGameRequest) -> Game:
        """How a game stands from outside."""
        key = _key(caller, request.name)
        platform = isinstance(caller, Platform)
        if platform:
            need_platform(caller, Scope.READ)
        table = await self._tables.newest(key)
        check_epoch(caller, table.meta)
        note(version=table.version)
        return projection.game_of(table, platform=platform)

    async def list_games(self, caller: Caller, request: ListGamesRequest) -> ListGamesResponse:
        """The platform's games, newest first."""
        platform = need_platform(caller, Scope.READ)
        if not 0 <= request.page_size <= LONGEST_PAGE:
            raise malformed("page_size", f"must be from 0 to {LONGEST_PAGE}")
        size = request.page_size or PAGE
        filters = f"{platform.tenant}|{request.game_type}|{int(request.state)}"
        below = read_page_token(request.page_token, filters)
        rows = await self._store.page(platform.tenant, below, size)
        tables = (self._listed(platform.tenant, row) for row in rows)
        games = tuple(
            projection.game_of(table, platform=True)
            for table in tables
            if table is not None
            and request.game_type in ("", table.game.game_type)
            and request.state in (GameState.UNSPECIFIED, table.status)
        )
        following = page_token(rows[-1].rank, rows[-1].game, filters) if len(rows) == size else ""
        return ListGamesResponse(games, following)

    def _listed(self, tenant: str, row: Listed) -> Table | None:
        try:
            return open_table(self._games, GameKey(tenant, row.game), row.stored)
        except Refusal:
            # A game of a newer release must not hide the others; asked for by name, it says what is wrong.
            return None

    async def issue_tokens(self, caller: Caller, request: IssueTokensRequest) -> IssueTokensResponse:
        """Tokens for seats and spectators."""
        platform = need_platform(caller, Scope.CREATE)
        return await self._issuer.issue(_key(platform, request.name), request)

    async def get_view(self, caller: Caller, request: GetViewRequest) -> View:
        """What one viewer may know."""
        return await self._look(caller, _key(caller, request.name), request)

    async def submit_move(self, caller: Caller, request: SubmitMoveRequest) -> SubmitMoveResponse:
        """Answer a decision, once."""
        return await self._submit(caller, _key(caller, request.name), request)

    async def undo_move(self, caller: Caller, request: UndoMoveRequest) -> UndoMoveResponse:
        """Take a seat's last answers back."""
        return await self._undo(caller, _key(caller, request.name), request)

    async def list_events(self, caller: Caller, request: ListEventsRequest) -> ListEventsResponse:
        """What happened, page by page."""
        return await self._events(caller, _key(caller, request.name), request)

    def watch_game(self, caller: Caller, request: WatchGameRequest) -> AsyncGenerator[WatchGameResponse, None]:
        """Every commit as it happens."""
        return self._watch(caller, _key(caller, request.name), request)

    async def issue_ticket(self, caller: Caller, request: IssueTicketRequest) -> IssueTicketResponse:
        """A ticket that opens one stream."""
        return await self._issuer.ticket(caller, _key(caller, request.name), request)

    async def redeem(self, tenant: str, ticket: str) -> None:
        """Use a ticket up. Raises TOKEN_INVALID if it was used before."""
        await self._issuer.redeem(tenant, ticket)

    def watch_updates(self, caller: Caller, request: WatchUpdatesRequest) -> AsyncGenerator[WatchUpdatesResponse, None]:
        """Every commit of every game of the platform as it happens."""
        return self._updates(need_platform(caller, Scope.READ), request)

    async def export_game(self, caller: Caller, request: ExportGameRequest) -> ExportGameResponse:
        """The whole record of a game, secrets included."""
        platform = need_platform(caller, Scope.EXPORT)
        table = await self._tables.newest(_key(platform, request.name))
        return ExportGameResponse(await export_of(self._history, table))

    async def fork_game(self, caller: Caller, request: ForkGameRequest) -> ForkGameResponse:
        """A new game that begins where another one stood."""
        platform = need_platform(caller, Scope.CREATE)
        return await self._fork(platform, _key(platform, request.name), request)

    async def get_fairness(self, caller: Caller, request: GetFairnessRequest) -> Fairness:
        """What proves that the deal was fair, as far as it may be known."""
        key = _key(caller, read_fairness(request.name))
        if isinstance(caller, Platform):
            need_platform(caller, Scope.READ)
        table = await self._tables.newest(key)
        check_epoch(caller, table.meta)
        return fairness_of(table)

    async def set_seat_controller(self, caller: Caller, request: SetSeatControllerRequest) -> Game:
        """Let somebody else answer for a seat, or nobody any more."""
        name, seat = read_seat(request.name)
        return await self._seats(caller, _key(caller, name), seat, request)

    async def abort_game(self, caller: Caller, request: AbortGameRequest) -> Game:
        """Stop a game for good; an aborted one stays as it is."""
        platform = need_platform(caller, Scope.ACT)
        key = _key(platform, request.name)
        memo = Memo(f"abort:{base32(self._entropy(10), 16)}", b"")
        table, _ = await change(self._store, self._tables, key, lambda now: self._abortion(now, memo))
        note(version=table.version)
        return projection.game_of(table, platform=True)

    def _abortion(self, table: Table, memo: Memo) -> Plan | None:
        if table.status is GameState.FINISHED:
            raise Refusal(Reason.GAME_OVER, "the game is finished")
        if table.status is GameState.ABORTED:
            return None
        return self._planner.change(table, memo, status=GameState.ABORTED)

    async def delete_game(self, caller: Caller, request: DeleteGameRequest) -> DeleteGameResponse:
        """Forget a game with all its history."""
        platform = need_platform(caller, Scope.CREATE)
        key = _key(platform, request.name)
        async with self._tables.alone(key):
            self._tables.forget(key)
            if not await self._store.delete(key, notice_of_deletion(key.game)):
                raise game_not_found()
        return DeleteGameResponse()


def _key(caller: Caller, name: str) -> GameKey:
    """Where the named game lives, for this caller. Raises TOKEN_WRONG_GAME."""
    game = read_game(name)
    note(game=game)
    need_game(caller, game)
    return GameKey(caller.tenant, game)
