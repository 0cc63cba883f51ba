"""Everything that one viewer can ask the service, right and wrong, at one moment of a game."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, NamedTuple

from google.protobuf import json_format, struct_pb2
from google.protobuf.message import Message

from engine.core import AnyGame, Rng, play, to_json, union_of
from rookery.v1 import game_pb2, move_pb2, view_pb2
from rookery.v1 import game_service_pb2 as pb
from service.resources import Detail
from service.resources import Move as MoveValue
from service.wire import Codec, Wire
from tests.service.secrecy.worlds import Pair, all_moves

ALL_PARTS = (view_pb2.PART_DETAIL, view_pb2.PART_OFFERS, view_pb2.PART_SCENE, view_pb2.PART_EVENTS)
# Moves that are tried though they are not legal: most are like every other.
WRONG_MOVES = 6


class Ask(NamedTuple):
    """One thing to ask: over gRPC ``message`` to ``rpc``; over REST the same, unless ``http`` says otherwise."""

    label: str
    rpc: str
    message: Message
    http: tuple[str, str, bytes, tuple[tuple[str, str], ...]] | None = None


def typed(game: AnyGame, move: Any) -> Any:
    """The move as the typed message."""
    made: Any = _codec(game).encode(MoveValue(Detail(game.game_type, move)))
    return move_pb2.Move.FromString(made if isinstance(made, bytes) else made.SerializeToString())


@cache
def _codec(game: AnyGame) -> Codec:
    return Wire([game]).codec(MoveValue, move_pb2.Move)


def plugged(game: AnyGame, move: Any) -> Any:
    """The move in the arm for games of other distributions, which every game accepts."""
    made = move_pb2.Move()
    json_format.ParseDict({"plugin": to_json(union_of(game.moves), move)}, made)
    return made


def looks(name: str, viewer: int | None, version: int) -> list[Ask]:
    """What a viewer may look at, whole and in parts, now and since the beginning."""
    every = pb.GetViewRequest(name=name, parts=ALL_PARTS)
    asks = [
        Ask("view", "GetView", pb.GetViewRequest(name=name)),
        *(
            Ask(f"view, {view_pb2.Part.Name(part)}", "GetView", pb.GetViewRequest(name=name, parts=[part]))
            for part in ALL_PARTS
        ),
        Ask("view, all parts", "GetView", every),
        Ask("view, since 0", "GetView", pb.GetViewRequest(name=name, parts=ALL_PARTS, newer_than=0)),
        Ask("view, since now", "GetView", pb.GetViewRequest(name=name, parts=ALL_PARTS, newer_than=version)),
        Ask("view, too new", "GetView", pb.GetViewRequest(name=name, newer_than=version + 1)),
        Ask("game", "GetGame", pb.GetGameRequest(name=name)),
        Ask("view, head", "GetView", every, ("HEAD", f"/v1/{name}/view", b"", ())),
        Ask("view, any tag", "GetView", every, ("GET", f"/v1/{name}/view", b"", (("if-none-match", "*"),))),
    ]
    asks += lives(name, version)
    if viewer is not None:
        asks.append(Ask("view, named seat", "GetView", pb.GetViewRequest(name=name, seat=viewer)))
    return asks


def lives(name: str, version: int) -> list[Ask]:
    """What a viewer may hear and look up of a game that goes on: streams to their end, events, the past, the proof."""
    middle = (version + 1) // 2
    events = (("accept", "text/event-stream"),)
    return [
        Ask("watch", "WatchGame", pb.WatchGameRequest(name=name)),
        Ask("watch, all parts", "WatchGame", pb.WatchGameRequest(name=name, parts=ALL_PARTS)),
        Ask("watch, since 0", "WatchGame", pb.WatchGameRequest(name=name, after_version=0)),
        Ask("watch, since now", "WatchGame", pb.WatchGameRequest(name=name, after_version=version)),
        Ask("watch, too new", "WatchGame", pb.WatchGameRequest(name=name, after_version=version + 1)),
        Ask(
            "watch, as events",
            "WatchGame",
            pb.WatchGameRequest(name=name, after_version=0),
            ("GET", f"/v1/{name}:watch?afterVersion=0", b"", events),
        ),
        Ask("events", "ListEvents", pb.ListEventsRequest(name=name)),
        Ask("events, a page", "ListEvents", pb.ListEventsRequest(name=name, page_size=1, after_version=1)),
        *(
            Ask(f"past view {past}", "GetView", pb.GetViewRequest(name=name, version=past, parts=ALL_PARTS))
            for past in sorted({1, middle, version})
        ),
        Ask("past view, ahead", "GetView", pb.GetViewRequest(name=name, version=version + 1)),
        Ask("fairness", "GetFairness", pb.GetFairnessRequest(name=name)),
        Ask("ticket", "IssueTicket", pb.IssueTicketRequest(name=name)),
    ]


def forbidden(name: str, viewer: int | None, seats: int) -> list[Ask]:
    """What is another's right: somebody else's view, and what only platforms may do."""
    other = 0 if viewer is None else (viewer + 1) % seats
    return [
        Ask("view of another", "GetView", pb.GetViewRequest(name=name, seat=other)),
        Ask("view of nobody", "GetView", pb.GetViewRequest(name=name, seat=seats)),
        Ask("past view of another", "GetView", pb.GetViewRequest(name=name, seat=other, version=1)),
        Ask("watch of another", "WatchGame", pb.WatchGameRequest(name=name, seat=other)),
        Ask("events of another", "ListEvents", pb.ListEventsRequest(name=name, seat=other)),
        Ask("ticket of another", "IssueTicket", pb.IssueTicketRequest(name=name, seat=other)),
        Ask("export", "ExportGame", pb.ExportGameRequest(name=name)),
        Ask("fork", "ForkGame", pb.ForkGameRequest(name=name)),
        Ask("updates", "WatchUpdates", pb.WatchUpdatesRequest()),
        Ask("games", "ListGames", pb.ListGamesRequest()),
        Ask("tokens", "IssueTokens", pb.IssueTokensRequest(name=name, seats=[other])),
        *(
            Ask(label, "SetSeatController", pb.SetSeatControllerRequest(name=f"{name}/seats/{seat}", controller=who))
            for label, seat, who in (
                ("resignation of another", other, game_pb2.CONTROLLER_RESIGNED),
                ("resignation of nobody", seats, game_pb2.CONTROLLER_RESIGNED),
                ("a bot for another", other, game_pb2.CONTROLLER_BOT),
                ("a bot for oneself", viewer or 0, game_pb2.CONTROLLER_BOT),
                ("a controller of none", viewer or 0, game_pb2.CONTROLLER_UNSPECIFIED),
            )
        ),
        Ask("abort", "AbortGame", pb.AbortGameRequest(name=name)),
        Ask("delete", "DeleteGame", pb.DeleteGameRequest(name=name)),
        *([] if viewer is None else [Ask("as spectator", "GetView", pb.GetViewRequest(name=name, spectator=True))]),
        Ask(
            "move of another",
            "SubmitMove",
            pb.SubmitMoveRequest(name=name, seat=other, decision_id="a", offer_id="pass"),
        ),
        Ask("undo of another", "UndoMove", pb.UndoMoveRequest(name=name, seat=other, to_version=1)),
        Ask("unknown game", "GetView", pb.GetViewRequest(name=f"games/{'a' * 26}")),
        Ask("no name", "GetView", pb.GetViewRequest(name="games/x")),
        Ask(
            "unknown field",
            "GetView",
            pb.GetViewRequest(name=name, parts=[view_pb2.PART_UNSPECIFIED]),
            ("POST", f"/v1/{name}:submitMove", b'{"decisionId": "a", "hand": 1}', ()),
        ),
        Ask("no json", "GetView", pb.GetViewRequest(name=""), ("POST", f"/v1/{name}:submitMove", b"{", ())),
    ]


def wrong_moves(pair: Pair, legal: tuple[Any, ...]) -> tuple[Any, ...]:
    """Moves that are not the viewer's to make: first those that only one of the two worlds knows, then any others."""
    game, viewer = pair.game, pair.viewer
    telling: list[Any] = []
    for seat in pair.asked:
        if seat != viewer:
            here, there = (game.legal_moves(world, seat) for world in (pair.state, pair.other))
            telling += [move for move in (*here, *there) if (move in here) != (move in there)]
    rest = Rng(pair.name.encode(), 1).shuffle(all_moves(game))
    either = dict.fromkeys(move for move in (*telling[:WRONG_MOVES], *rest) if move not in legal)
    return tuple(either)[:WRONG_MOVES]


def telling_next(pair: Pair, move: Any) -> list[Any]:
    """Answers that only one of the worlds has to what the viewer is asked after its move: a chain would try them."""
    game, viewer = pair.game, pair.viewer
    assert viewer is not None
    ends = [play(game, world, viewer, move, Rng(b"next", 1)).state for world in (pair.state, pair.other)]
    here, there = (game.legal_moves(end, viewer) for end in ends)
    return [following for following in (*here, *there) if (following in here) != (following in there)][:2]


def answers(pair: Pair, name: str, decision: str, version: int, legal: tuple[Any, ...]) -> list[Ask]:
    """Every kind of answer that must not go through, and which legal ones would."""
    game, asks = pair.game, []

    def ask(label: str, **answer: Any) -> None:
        asks.append(Ask(label, "SubmitMove", pb.SubmitMoveRequest(name=name, **{"decision_id": decision, **answer})))

    for i, move in enumerate(wrong_moves(pair, legal)):
        ask(f"wrong {game.notation(move)}", move=(typed, plugged)[i % 2](game, move))
        if i < 3:
            ask(f"wrong offer {game.notation(move)}", offer_id=game.notation(move))
            ask(f"would {game.notation(move)} do", move=typed(game, move), validate_only=True)
    for move in legal[:: max(1, len(legal) // 3)][:3]:
        offer = pb.Answer(offer_id=game.notation(move))
        again = [pb.Answer(offer_id=game.notation(other)) for other in (*legal[:2], *telling_next(pair, move))]
        ask(f"would {game.notation(move)} do", move=typed(game, move), validate_only=True)
        ask(f"stale {game.notation(move)}", move=typed(game, move), decision_id="a" * 16)
        ask(f"late {game.notation(move)}", move=typed(game, move), expected_version=version - 1)
        ask(f"early {game.notation(move)}", move=typed(game, move), expected_version=version + 1)
        ask(f"{game.notation(move)}, then nonsense", moves=[offer, pb.Answer(offer_id="nonsense")])
        for next_one in again:
            ask(f"would {game.notation(move)}, {next_one.offer_id} do", moves=[offer, next_one], validate_only=True)
    asks += [
        Ask(f"undo to {to}", "UndoMove", pb.UndoMoveRequest(name=name, to_version=to))
        for to in (version, version + 1, 0)
    ]
    ask("no such offer", offer_id="nonsense")
    ask("nothing")
    ask("no decision", decision_id="", offer_id="nonsense")
    ask("bad request id", request_id="x", offer_id="nonsense")
    ask("empty plugin", move=move_pb2.Move(plugin=struct_pb2.Struct()))
    return asks


def rest_of(ask: Ask) -> tuple[str, str, bytes, tuple[tuple[str, str], ...]]:
    """The request over REST: verb, target, body, headers."""
    if ask.http is not None:
        return ask.http
    value = json_format.MessageToDict(ask.message)
    name = value.pop("name", "")
    verb, target = {
        "GetView": ("GET", f"/v1/{name}/view"),
        "GetGame": ("GET", f"/v1/{name}"),
        "GetGameType": ("GET", f"/v1/{name}"),
        "ListGameTypes": ("GET", "/v1/gameTypes"),
        "ListGames": ("GET", "/v1/games"),
        "SubmitMove": ("POST", f"/v1/{name}:submitMove"),
        "UndoMove": ("POST", f"/v1/{name}:undoMove"),
        "ForkGame": ("POST", f"/v1/{name}:fork"),
        "WatchGame": ("GET", f"/v1/{name}:watch"),
        "WatchUpdates": ("GET", "/v1/updates:watch"),
        "ListEvents": ("GET", f"/v1/{name}/events"),
        "GetFairness": ("GET", f"/v1/{name}/fairness"),
        "ExportGame": ("GET", f"/v1/{name}:export"),
        "IssueTicket": ("POST", f"/v1/{name}:issueTicket"),
        "IssueTokens": ("POST", f"/v1/{name}:issueTokens"),
        "SetSeatController": ("POST", f"/v1/{name}:setController"),
        "AbortGame": ("POST", f"/v1/{name}:abort"),
        "DeleteGame": ("DELETE", f"/v1/{name}"),
        "CreateGame": ("POST", "/v1/games"),
        "CreateCommitment": ("POST", "/v1/commitments"),
    }[ask.rpc]
    if verb != "GET":
        return verb, target, json.dumps(value).encode() if verb == "POST" else b"", ()
    pairs = [
        f"{key}={json.dumps(item) if isinstance(item, bool) else item}"
        for key, items in value.items()
        for item in (items if isinstance(items, list) else [items])
    ]
    return verb, target + ("?" + "&".join(pairs) if pairs else ""), b"", ()
