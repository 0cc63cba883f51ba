"""Two services that live through the same ids and times, and the comparison of all that a viewer gets from them."""

from __future__ import annotations

import base64
import json
import uuid
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Any, NamedTuple, Protocol

from google.protobuf import json_format
from google.protobuf.message import Message

from engine.core import Rng, play, write_position
from rookery.v1 import clock_pb2, view_pb2
from rookery.v1 import game_service_pb2 as pb
from tests.service.secrecy.asks import Ask, answers, forbidden, looks, rest_of, typed
from tests.service.secrecy.inner import Chance, Clock, Headers, Reply
from tests.service.secrecy.worlds import Pair, common_moves

SEED = bytes(range(101, 133))


class Leak(AssertionError):  # noqa: N818 - what it is
    """A viewer can tell two worlds apart that it may not tell apart."""


class Home(Protocol):
    """A service that can be turned back: ``Inner``, or one behind sockets."""

    chance: Chance
    clock: Clock
    key: str

    async def rpc(self, name: str, request: Message | bytes, token: str | None = None) -> Reply:
        """Ask over gRPC."""
        ...

    async def http(
        self, verb: str, target: str, body: bytes = b"", token: str | None = None, headers: Headers = ()
    ) -> Reply:
        """Ask over HTTP."""
        ...

    @property
    def log(self) -> str:
        """Everything logged."""
        ...


Way = Callable[[Home, Ask, str], Awaitable[Reply]]
"""How to ask: a service, what, and with which token."""


class Played(NamedTuple):
    """What comes of a move: both worlds, whether the viewer is told a difference, and whether its own move may."""

    state: Any
    other: Any
    tells: bool
    may_tell: bool


async def by_rpc(home: Home, ask: Ask, token: str) -> Reply:
    """Through the gRPC adapter."""
    return await home.rpc(ask.rpc, ask.message, token)


async def by_http(home: Home, ask: Ask, token: str) -> Reply:
    """Through the REST adapter."""
    verb, target, body, headers = rest_of(ask)
    return await home.http(verb, target, body, token, headers)


class Twins(NamedTuple):
    """The two services; ``ways`` are all the ways to ask them, each of which must keep every secret.

    ``prefix`` keeps the ids apart from those of other twins on the same store.
    """

    homes: tuple[Home, Home]
    ways: tuple[Way, ...] = (by_rpc, by_http)
    prefix: str = ""

    async def deal(self, pair: Pair, clock: clock_pb2.Clock | None = None) -> Table:
        """The pair as two games with the same ids, times, seeds and tokens; with a clock, if one is given."""
        created, issued = [], []
        for home, world in zip(self.homes, (pair.state, pair.other), strict=True):
            home.chance.turn(self.prefix + pair.name)
            home.clock.turn()
            request = pb.CreateGameRequest(
                game_type=pair.game.game_type, seats=[pb.NewSeat() for _ in range(pair.seats)], seed=SEED, clock=clock
            )
            json_format.ParseDict(write_position(pair.game, world), request.position)
            created.append(await home.rpc("CreateGame", request, home.key))
            name = pb.CreateGameResponse.FromString(created[0].body).game.name
            issued.append(await home.rpc("IssueTokens", pb.IssueTokensRequest(name=name, spectator=True), home.key))
        compare(pair, "creation", created[0], created[1])
        compare(pair, "spectator's token", issued[0], issued[1])
        made = pb.CreateGameResponse.FromString(created[0].body)
        spectator = pb.IssueTokensResponse.FromString(issued[0].body).spectator_token.token
        tokens: dict[int | None, str] = {seat.seat: seat.token for seat in made.seat_tokens}
        tokens[None] = spectator
        return Table(self, pair, made.game.name, tokens)


class Table:
    """The pair as it is being played."""

    def __init__(self, twins: Twins, pair: Pair, name: str, tokens: dict[int | None, str]) -> None:
        self.twins = twins
        self.pair = pair
        self.name = name
        self.tokens = tokens
        self.ply = 0
        self.undone = 0
        # Whether the worlds look different by now.
        self.told = False
        self.compared = 0
        self.refused = 0

    @property
    def version(self) -> int:
        """Every move makes one, and every undo."""
        return self.ply + self.undone + 1

    async def ask(self, ask: Ask, token: str) -> tuple[Reply, Reply]:
        """Ask both services in every way; fail unless each gives the same answer in both worlds."""
        for way in self.twins.ways:
            here, there = [await way(home, ask, token) for home in self.twins.homes]
            compare(self.pair, ask.label, here, there, self.secrets)
            self.compared += 1
            self.refused += not here.ok
        return here, there

    @property
    def secrets(self) -> Iterator[bytes]:
        """Seed and salt: no answer to anybody holds them."""
        yield SEED
        yield from (drawn for drawn in self.twins.homes[0].chance.drawn if len(drawn) == 32)

    async def probe(self) -> None:
        """Ask everything that the viewer can ask without changing anything. Raises Leak."""
        pair, token = self.pair, self.tokens[self.pair.viewer]
        await self.look()
        for ask in forbidden(self.name, pair.viewer, pair.seats):
            await self.ask(ask, token)
        legal = () if pair.viewer is None else pair.game.legal_moves(pair.state, pair.viewer)
        decision = (await self.views(pair.viewer))[0].decision.decision_id or "a" * 16
        for ask in answers(pair, self.name, decision, self.version, legal):
            await self.ask(ask, token)

    async def look(self) -> None:
        """Ask for everything that the viewer may look at. Raises Leak."""
        for ask in looks(self.name, self.pair.viewer, self.version):
            await self.ask(ask, self.tokens[self.pair.viewer])

    async def views(self, seat: int | None) -> list[view_pb2.View]:
        """The seat's views in both worlds. Both are always asked the same: their clocks go by what they are asked."""
        request = pb.GetViewRequest(name=self.name)
        replies = [await home.rpc("GetView", request, self.tokens[seat]) for home in self.twins.homes]
        return [view_pb2.View.FromString(reply.body) for reply in replies]

    async def go_on(self, moves: int, *, own: bool | None = None) -> int:
        """Play on by the same moves while the rules tell the viewer no difference; how many that were. Raises Leak.

        ``own``: by the viewer's, or by those of others, only.
        """
        for done in range(moves):
            step = None if self.told else self._next(own=own)
            if step is None:
                return done
            self.told = not await self._move(*step)
            if self.told:
                return done
            await self.look()
        return moves

    async def take_back(self, *, own: bool) -> bool:
        """Make a move, of the viewer's own or another's, and take it back; whether both worlds let it. Raises Leak."""
        before, step = self.pair, None if self.told else self._next(own=own)
        if step is None or self._played(*step).tells:
            return False
        await self._move(*step)
        way, seat = self.twins.ways[self.ply % len(self.twins.ways)], step[0]
        ask = Ask("undo", "UndoMove", pb.UndoMoveRequest(name=self.name, to_version=self.version - 1))
        replies = [await way(home, ask, self.tokens[seat]) for home in self.twins.homes]
        if seat == self.pair.viewer:
            compare(self.pair, "own undo", replies[0], replies[1], self.secrets)
        if not all(reply.ok for reply in replies):
            return False
        self.undone += 1
        self.pair = before
        # Done already, by whomever: what is answered to the viewer must not tell what it was.
        await self.ask(Ask("undo again", "UndoMove", ask.message), self.tokens[self.pair.viewer])
        await self.look()
        return True

    def _next(self, *, own: bool | None = None) -> tuple[int, Any] | None:
        """A move that is legal in both worlds, and tells no difference if there is such a one; whose, may be said."""
        pair = self.pair
        asked = [seat for seat in pair.asked if own is None or own == (seat == pair.viewer)]
        options = [(seat, move) for seat in asked for move in common_moves(pair.game, pair.state, pair.other, seat)]
        options = list(Rng(pair.name.encode(), self.ply).shuffle(options))
        # Other seats first: their moves are what a viewer must learn nothing from.
        options.sort(key=lambda option: option[0] == pair.viewer)
        quiet = (option for option in options[:30] if not self._played(*option).tells)
        return next(quiet, options[0] if options else None)

    def _played(self, seat: int, move: Any) -> Played:
        """What the rules make of the move in both worlds."""
        game, viewer = self.pair.game, self.pair.viewer
        chances = Rng(SEED, self.ply + 1), Rng(SEED, self.ply + 1)
        here = play(game, self.pair.state, seat, move, chances[0])
        there = play(game, self.pair.other, seat, move, chances[1])
        return Played(
            here.state,
            there.state,
            game.view(here.state, viewer) != game.view(there.state, viewer),
            here.reveals or there.reveals or chances[0].used or chances[1].used,
        )

    async def _move(self, seat: int, move: Any) -> bool:
        """Make the move in both worlds. Raises Leak; False if the rules show a difference from now on."""
        pair = self.pair
        played = self._played(seat, move)
        way = self.twins.ways[self.ply % len(self.twins.ways)]
        replies, requests = [], []
        for home, view in zip(self.twins.homes, await self.views(seat), strict=True):
            request = pb.SubmitMoveRequest(
                name=self.name,
                decision_id=view.decision.decision_id,
                move=typed(pair.game, move),
                request_id=str(uuid.UUID(int=self.ply)),
            )
            requests.append(request)
            replies.append(await way(home, Ask("move", "SubmitMove", request), self.tokens[seat]))
        assert all(reply.ok for reply in replies), replies
        self.ply += 1
        if seat == pair.viewer and not played.tells:
            compare(pair, f"own {pair.game.notation(move)}", replies[0], replies[1], self.secrets)
        elif seat == pair.viewer and not played.may_tell:
            raise Leak(f"{pair.name}: {pair.game.notation(move)} reveals something and does not say so")
        self.pair = pair._replace(state=played.state, other=played.other)
        if not played.tells:
            assert requests[0] == requests[1], "a decision id tells the worlds apart"
            await self._say_again(seat, requests[0])
        return not played.tells

    async def _say_again(self, seat: int, said: pb.SubmitMoveRequest) -> None:
        """What was answered by ``seat`` is answered again, otherwise, and under the viewer's name. Raises Leak."""
        named = pb.SubmitMoveRequest(name=self.name, decision_id=said.decision_id, move=said.move)
        otherwise = pb.SubmitMoveRequest(name=self.name, decision_id=said.decision_id, offer_id="nonsense")
        reused = pb.SubmitMoveRequest(name=self.name, decision_id="a", offer_id="nonsense", request_id=said.request_id)
        would = pb.SubmitMoveRequest(name=self.name, decision_id=said.decision_id, move=said.move, validate_only=True)
        for label, request in (
            ("again", said),
            ("again", named),
            ("again", would),
            ("otherwise", otherwise),
            ("reused", reused),
        ):
            await self.ask(Ask(f"{label}, seat {seat}", "SubmitMove", request), self.tokens[self.pair.viewer])


def compare(pair: Pair, label: str, here: Reply, there: Reply, secrets: Iterable[bytes] = ()) -> None:
    """Fail unless both answers are the same to the byte, and hold no seed. Raises Leak."""
    if here != there:
        raise Leak(f"{pair.name}: {label}\n{here}\n{there}")
    whole = here.body + here.text.encode() + repr(here.head).encode()
    for secret in secrets:
        for form in (secret, secret.hex().encode(), base64.b64encode(secret), base64.urlsafe_b64encode(secret)):
            if form.rstrip(b"=") in whole:
                raise Leak(f"{pair.name}: {label} holds the seed or the salt")


def lines(log: str) -> list[dict[str, Any]]:
    """The log without what is the clock's, and without the id that each line gets by chance."""
    made = [json.loads(line) for line in log.splitlines()]
    return [
        {key: value for key, value in line.items() if key not in ("ms", "timestamp", "request_id")} for line in made
    ]
