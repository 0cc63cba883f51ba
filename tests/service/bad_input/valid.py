"""Valid requests of every kind, as messages: what the fuzzers start from."""

from __future__ import annotations

from typing import Any, NamedTuple

from google.protobuf import duration_pb2, json_format
from google.protobuf.message import Message

from engine.core import AnyGame, Rng, write_position
from rookery.v1 import clock_pb2, game_pb2, move_pb2, options_pb2, view_pb2
from rookery.v1 import game_service_pb2 as pb
from tests.service.bad_input.table import BadTable
from tests.service.secrecy.asks import ALL_PARTS, Ask, plugged

UUID = "123e4567-e89b-42d3-a456-426614174000"


class Valid(NamedTuple):
    """A request that would be answered, unless it says what another one has said."""

    rpc: str
    message: Message

    @property
    def platform(self) -> bool:
        """Whether only a platform may ask for it."""
        return self.rpc in (
            "CreateCommitment",
            "CreateGame",
            "ListGames",
            "IssueTokens",
            "ForkGame",
            "SetSeatController",
        )

    def ask(self) -> Ask:
        """The same, for both ways to ask."""
        return Ask(self.rpc, self.rpc, self.message)


def opening(game: AnyGame) -> pb.CreateGameRequest:
    """A new game with everything said that can be said."""
    seats = game.seat_counts[0]
    state: Any = game.setup(game.options(), seats, Rng(b"valid", 0))
    request = pb.CreateGameRequest(
        game_type=game.game_type,
        rules_version=game.rules_version,
        seats=[
            pb.NewSeat(display_name="Ada", external_id="1", controller=game_pb2.CONTROLLER_HUMAN, entropy=b"\x00\xff")
            for _ in range(seats)
        ],
        seed=b"s" * 32,
        annotations={"table": "4"},
        keep=duration_pb2.Duration(seconds=3600, nanos=5),
        clock=clock_pb2.Clock(
            per_decision=duration_pb2.Duration(seconds=3600),
            per_game=duration_pb2.Duration(seconds=7200, nanos=5),
            on_timeout=clock_pb2.ON_TIMEOUT_RESIGN,
        ),
        entropy=b"e" * 64,
    )
    json_format.ParseDict(write_position(game, state), request.position)
    return request


def options(game: AnyGame) -> options_pb2.GameOptions:
    """Options in the arm for games of other distributions."""
    made = options_pb2.GameOptions()
    specs = {spec.name: spec.default for spec in game.option_specs() if spec.default is not None}
    json_format.ParseDict({"plugin": specs}, made)
    return made


def requests(table: BadTable, game: AnyGame) -> list[Valid]:
    """One of each kind. SubmitMove only says what would be legal, and nothing is aborted or deleted."""
    name = table.name
    move = table.moves[0]
    plain = pb.CreateGameRequest(game_type=game.game_type, seats=[pb.NewSeat()] * game.seat_counts[0])
    plain.options.CopyFrom(options(game))
    legal: Any = game.legal_moves(game.setup(game.options(), game.seat_counts[0], Rng(b"valid", 0)), 0)
    chain = [pb.Answer(move=move), pb.Answer(offer_id=table.view.decision.offers[-1].offer_id)]
    requests = [
        Valid("CreateGame", opening(game)),
        Valid("CreateGame", plain),
        Valid("CreateCommitment", pb.CreateCommitmentRequest()),
        Valid(
            "ListGames", pb.ListGamesRequest(page_size=1, game_type=game.game_type, state=game_pb2.GAME_STATE_ACTIVE)
        ),
        Valid("IssueTokens", pb.IssueTokensRequest(name=name, seats=[0], spectator=True)),
        Valid(
            "SetSeatController",
            pb.SetSeatControllerRequest(name=f"{name}/seats/0", controller=game_pb2.CONTROLLER_HUMAN, request_id=UUID),
        ),
        Valid("GetGame", pb.GetGameRequest(name=name)),
        Valid("GetView", pb.GetViewRequest(name=name, newer_than=0, parts=ALL_PARTS)),
        Valid("SubmitMove", table.submit(move=move, validate_only=True, expected_version=1)),
        Valid("SubmitMove", table.submit(offer_id="x", request_id=UUID, return_parts=[view_pb2.PART_SCENE])),
        Valid("SubmitMove", table.submit(moves=chain, validate_only=True)),
        Valid("UndoMove", pb.UndoMoveRequest(name=name, to_version=1, request_id=UUID, return_parts=ALL_PARTS)),
        Valid("ForkGame", pb.ForkGameRequest(name=name, version=1, seat=0, annotations={"a": "1"})),
        Valid("GetGameType", pb.GetGameTypeRequest(name=f"gameTypes/{game.game_type}")),
    ]
    if legal:
        answer = table.submit(move=plugged(game, legal[0]), validate_only=True)
        requests.append(Valid("SubmitMove", answer))
    return requests


def other_arms(game: AnyGame) -> list[move_pb2.Move]:
    """Moves of every other game, and empty ones of each."""
    made = []
    for field in move_pb2.Move.DESCRIPTOR.oneofs_by_name["detail"].fields:
        if field.name != game.game_type:
            move = move_pb2.Move()
            getattr(move, field.name).SetInParent()
            made.append(move)
    return made
