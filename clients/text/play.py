"""One person's game against bots: make it, show it, ask, answer, until it is over. It speaks gRPC and knows no game."""

from __future__ import annotations

import sys
import time
import uuid
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TextIO

import grpc
from google.protobuf import duration_pb2, json_format, struct_pb2

from clients.text.table import Drawing
from clients.text.words import Words
from rookery.v1 import game_pb2, game_service_pb2, game_service_pb2_grpc, game_type_pb2, move_pb2, options_pb2, view_pb2

PARTS = (view_pb2.PART_OFFERS, view_pb2.PART_SCENE, view_pb2.PART_EVENTS)
LEVELS = {name.removeprefix("BOT_LEVEL_").lower(): number for name, number in game_pb2.BotLevel.items() if number}
UNDO = "u"
_WAIT_SECONDS = 25
_CALL_SECONDS = 40.0
_TRIES = 20
_PAUSE_SECONDS = 0.5


class CannotPlay(Exception):  # noqa: N818 - what is the case
    """The game cannot be played as ordered; the message says why."""


class Order(NamedTuple):
    """What to play: ``seats`` None is the smallest number that has more than one player, ``options`` (name, value)."""

    game_type: str
    seats: int | None = None
    seat: int = 0
    level: str = "basic"
    options: tuple[tuple[str, str], ...] = ()
    language: str = "en"


class Service:
    """The calls that a client makes, repeated while the service is away: every one may be."""

    def __init__(self, address: str, key: str) -> None:
        self._channel = grpc.insecure_channel(address)
        self._stub = game_service_pb2_grpc.GameServiceStub(self._channel)
        self._key = key

    def close(self) -> None:
        """Give the connection back."""
        self._channel.close()

    def call(self, rpc: str, request: Any, token: str = "") -> Any:
        """The answer. Raises grpc.RpcError, ``UNAVAILABLE`` only after some time."""
        method: Callable[..., Any] = getattr(self._stub, rpc)
        metadata = (("authorization", f"Bearer {token or self._key}"),)
        for _ in range(_TRIES - 1):
            try:
                return method(request, metadata=metadata, timeout=_CALL_SECONDS)
            except grpc.RpcError as error:
                if error.code() is not grpc.StatusCode.UNAVAILABLE:
                    raise
            time.sleep(_PAUSE_SECONDS)
        return method(request, metadata=metadata, timeout=_CALL_SECONDS)


def play(address: str, key: str, order: Order, inputs: TextIO = sys.stdin, outputs: TextIO = sys.stdout) -> None:
    """Play until the game is over or the person leaves. Raises CannotPlay."""
    service = Service(address, key)
    try:
        _Game(service, order, inputs, outputs).run()
    except grpc.RpcError as error:
        raise CannotPlay(f"{address}: {error.details() or error.code().name}") from None
    finally:
        service.close()


class _Game:
    """The game as it is being played."""

    def __init__(self, service: Service, order: Order, inputs: TextIO, outputs: TextIO) -> None:
        self._service = service
        self._inputs = inputs
        self._outputs = outputs
        game_type = _game_type(service, order.game_type)
        self._words = Words(order.language, game_type)
        self._drawing = Drawing(self._words, self._words.label(game_type.title), order.seat)
        made = self._create(order, game_type)
        self._name = made.game.name
        self._token = next(seat.token for seat in made.seat_tokens if seat.seat == order.seat)
        self._told = 0
        # The versions before each of the person's answers, the newest last: where to go back to.
        self._before: list[int] = []
        self._waiting = False

    def _create(self, order: Order, game_type: game_type_pb2.GameType) -> Any:
        counts = tuple(game_type.seat_counts)
        fewest = next((count for count in counts if count > 1), counts[0])
        count = fewest if order.seats is None else order.seats
        if count not in counts:
            raise CannotPlay(f"--seats: {order.game_type} takes {', '.join(map(str, counts))}, not {count}")
        if not 0 <= order.seat < count:
            raise CannotPlay(f"--seat: must be from 0 to {count - 1}")
        level = LEVELS[order.level]
        seats = [
            game_service_pb2.NewSeat(
                display_name=self._words.own("bot", number=i),
                controller=game_pb2.CONTROLLER_BOT,
                bot_level=level,
            )
            for i in range(count)
        ]
        seats[order.seat] = game_service_pb2.NewSeat(display_name=self._words.own("you"))
        options = _options(game_type, order.options)
        request = game_service_pb2.CreateGameRequest(
            game_type=order.game_type, seats=seats, options=options, request_id=str(uuid.uuid4())
        )
        return self._service.call("CreateGame", request)

    def run(self) -> None:
        """Show and ask until the end."""
        view = self._look()
        while view.state == game_pb2.GAME_STATE_ACTIVE:
            if not view.HasField("decision"):
                self._wait(view)
                view = self._look(wait=True)
                continue
            self._waiting = False
            self._say([*self._drawing.table(view), "", *self._drawing.question(view.decision)])
            typed = self._ask(view)
            if typed is None:
                self._say(["", self._words.own("left")])
                return
            if typed == UNDO:
                self._undo()
            else:
                self._answer(view.decision, typed)
            view = self._look()
        self._say([*self._drawing.table(view), "", *self._drawing.result(view)])

    def _look(self, *, wait: bool = False) -> view_pb2.View:
        """The view now, or as soon as it changes; what happened since the last look is told."""
        request = game_service_pb2.GetViewRequest(name=self._name, parts=PARTS, newer_than=self._told)
        if wait:
            request.wait.CopyFrom(duration_pb2.Duration(seconds=_WAIT_SECONDS))
        view: view_pb2.View = self._service.call("GetView", request, self._token)
        if view.version > self._told:
            self._told = view.version
            self._say(self._drawing.events(view.events))
        return view

    def _wait(self, view: view_pb2.View) -> None:
        """Say once whom one waits for."""
        if not self._waiting:
            self._waiting = True
            self._say(self._drawing.waiting(view))

    def _ask(self, view: view_pb2.View) -> str | None:
        """The offer that the person chooses, or UNDO; None to leave."""
        offers = view.decision.offers
        while True:
            self._outputs.write(self._words.own("choose"))
            self._outputs.flush()
            said = self._inputs.readline()
            typed = said.strip()
            if not said or typed == "q":
                return None
            if typed.isdecimal() and 0 < int(typed) <= len(offers):
                return offers[int(typed) - 1].offer_id
            if typed == UNDO or any(offer.offer_id == typed for offer in offers):
                return typed
            self._say(self._reply(view, typed))

    def _reply(self, view: view_pb2.View, typed: str) -> Iterable[str]:
        """What to say to something that is no offer."""
        if typed == "t":
            return [*self._drawing.table(view), "", *self._drawing.question(view.decision)]
        if typed == "?":
            return [*self._words.own("help").splitlines(), *self._drawing.names(view.decision)]
        shown = "".join(char for char in typed[:40] if char.isprintable())
        return [self._words.own("no_such", said=shown)] if shown else self._drawing.question(view.decision)

    def _answer(self, decision: move_pb2.Decision, offer: str) -> None:
        request = game_service_pb2.SubmitMoveRequest(name=self._name, decision_id=decision.decision_id, offer_id=offer)
        # Refused when the question went away while the person thought: another one comes, or the end.
        done = self._try("SubmitMove", request, "moved_on")
        if done is not None:
            self._before.append(done.committed_version - 1)

    def _undo(self) -> None:
        """Take the last answer back, and the next time the one before."""
        if not self._before:
            self._say([self._words.own("too_late")])
            return
        request = game_service_pb2.UndoMoveRequest(name=self._name, to_version=self._before.pop())
        self._try("UndoMove", request, "too_late")

    def _try(self, rpc: str, request: Any, word: str) -> Any:
        """The answer; None if the game refuses, which the word says. Raises grpc.RpcError for everything else."""
        try:
            return self._service.call(rpc, request, self._token)
        except grpc.RpcError as error:
            if error.code() not in (grpc.StatusCode.ABORTED, grpc.StatusCode.FAILED_PRECONDITION):
                raise
            self._say([self._words.own(word)])
            return None

    def _say(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._outputs.write(f"{line}\n")
        self._outputs.flush()


def _game_type(service: Service, name: str) -> game_type_pb2.GameType:
    try:
        found: game_type_pb2.GameType = service.call(
            "GetGameType", game_service_pb2.GetGameTypeRequest(name=f"gameTypes/{name}")
        )
    except grpc.RpcError as error:
        if error.code() not in (grpc.StatusCode.NOT_FOUND, grpc.StatusCode.INVALID_ARGUMENT):
            raise
        every = service.call("ListGameTypes", game_service_pb2.ListGameTypesRequest()).game_types
        names = ", ".join(known.name.removeprefix("gameTypes/") for known in every)
        raise CannotPlay(f"there is no game {name!r}, but {names}") from None
    return found


def _options(game_type: game_type_pb2.GameType, said: Iterable[tuple[str, str]]) -> options_pb2.GameOptions:
    """The options by name, in the arm that every game takes. Raises CannotPlay for what is none, or no value of it."""
    known: Mapping[str, game_type_pb2.Option] = {option.name: option for option in game_type.options}
    chosen: dict[str, Any] = {}
    for name, value in said:
        if name not in known:
            raise CannotPlay(f"--option: there is no {name!r}, but {', '.join(known) or 'none at all'}")
        choices = {_shown(choice): json_format.MessageToDict(choice) for choice in known[name].choices}
        if value not in choices:
            raise CannotPlay(f"--option: {name} must be one of {', '.join(choices)}, not {value!r}")
        chosen[name] = choices[value]
    options = options_pb2.GameOptions()
    if chosen:
        json_format.ParseDict(chosen, options.plugin)
    return options


def _shown(choice: struct_pb2.Value) -> str:
    """A value as one types it."""
    match choice.WhichOneof("kind"):
        case "bool_value":
            return "true" if choice.bool_value else "false"
        case "number_value":
            return f"{choice.number_value:g}"
        case _:
            return choice.string_value
