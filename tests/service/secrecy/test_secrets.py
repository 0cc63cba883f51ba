"""What no answer holds at all: the seed, the salt, another seat's card in a refusal, another platform's notes."""

from __future__ import annotations

import base64
import json
import re
from functools import cache
from typing import Any

import pytest

from engine.core import AnyGame
from rookery.v1 import fairness_pb2
from rookery.v1 import game_service_pb2 as pb
from service.fairness import chance_seed
from tests.contract.cases import playout
from tests.service.secrecy.asks import answers, rest_of
from tests.service.secrecy.conftest import MakeTwins
from tests.service.secrecy.inner import Inner, inner
from tests.service.secrecy.twins import SEED
from tests.service.secrecy.worlds import cases_of, every_game, pair_at

GAMES = every_game()
IDS = [game.game_type for game in GAMES]


ENTROPY = b"what the first seat said"


@pytest.mark.parametrize("given", [None, SEED], ids=["own seed", "given seed"])
@pytest.mark.parametrize("game", GAMES, ids=IDS)
async def test_seed_and_salt_are_in_no_answer_to_anybody(store_url: str, game: AnyGame, given: bytes | None) -> None:
    async with inner(store_url, [game]) as home:
        home.chance.turn(f"seeds of {game.game_type} {given!r}")
        request = pb.CreateGameRequest(game_type=game.game_type, seats=[pb.NewSeat()] * game.seat_counts[0], seed=given)
        created = await home.rpc("CreateGame", request)
        made = pb.CreateGameResponse.FromString(created.body)
        told = [created.body, *await everything(home, made.game.name, [seat.token for seat in made.seat_tokens])]
        drawn = [secret for secret in home.chance.drawn if len(secret) == 32]
        told.append(home.log.encode())
    assert len(drawn) == (2 if given is None else 1)
    for secret in {*drawn, *([given] if given else [])}:
        assert not [answer for answer in told if holds(answer, secret)]


@pytest.mark.parametrize("game", GAMES, ids=IDS)
async def test_a_commitment_tells_nothing_before_nor_after_its_game_began(store_url: str, game: AnyGame) -> None:
    async with inner(store_url, [game]) as home:
        home.chance.turn(f"commitment of {game.game_type}")
        committed = await home.rpc("CreateCommitment", pb.CreateCommitmentRequest())
        seats = [pb.NewSeat(entropy=ENTROPY if seat == 0 else b"") for seat in range(game.seat_counts[0])]
        request = pb.CreateGameRequest(
            game_type=game.game_type, seats=seats, commitment=fairness_pb2.Commitment.FromString(committed.body).name
        )
        told = [committed.body, repr(committed.head).encode()]
        wrong = pb.CreateGameRequest(game_type=game.game_type, commitment=request.commitment)
        told.append((await home.rpc("CreateGame", wrong)).text.encode())
        created = await home.rpc("CreateGame", request)
        made = pb.CreateGameResponse.FromString(created.body)
        told += [created.body, *await everything(home, made.game.name, [seat.token for seat in made.seat_tokens])]
        seed, salt = (secret for secret in home.chance.drawn if len(secret) == 32)
        told.append(home.log.encode())
    assert any(ENTROPY.hex().encode() in answer for answer in told)
    for secret in (seed, salt, chance_seed(seed, ((0, ENTROPY),))):
        assert not [answer for answer in told if holds(answer, secret)]


def holds(answer: bytes, secret: bytes) -> bool:
    """Whether the secret stands in the answer, in whatever form."""
    forms = (secret, secret.hex().encode(), base64.b64encode(secret)[:-1], base64.urlsafe_b64encode(secret)[:-1])
    return any(form in answer for form in forms)


async def everything(home: Inner, name: str, seats: list[str]) -> list[bytes]:
    """All that platform, seats and spectator are told without a move."""
    issued = await home.rpc("IssueTokens", pb.IssueTokensRequest(name=name, spectator=True))
    spectator = pb.IssueTokensResponse.FromString(issued.body).spectator_token.token
    told = [issued.body]
    for token in (home.key, *seats, spectator):
        extra = "&seat=0" if token == home.key else ""
        for target in (
            f"/v1/{name}",
            "/v1/games",
            f"/v1/{name}/view?parts=PART_DETAIL&parts=PART_SCENE&parts=PART_EVENTS&parts=PART_OFFERS&newerThan=0{extra}",
        ):
            reply = await home.http("GET", target, token=token)
            told += [reply.body, repr(reply.head).encode()]
        for rpc, request in (
            ("GetGame", pb.GetGameRequest(name=name)),
            ("ListGames", pb.ListGamesRequest(page_size=1)),
            ("GetFairness", pb.GetFairnessRequest(name=name)),
            ("SubmitMove", pb.SubmitMoveRequest(name=name, decision_id="a", offer_id="a")),
        ):
            answer = await home.rpc(rpc, request, token)
            told += [answer.body, answer.text.encode(), repr(answer.head).encode()]
    return told


@pytest.mark.parametrize("game", GAMES, ids=IDS)
async def test_a_refusal_names_no_piece_but_those_of_the_request_and_of_the_own_side(
    twins: MakeTwins, game: AnyGame
) -> None:
    """Beside the comparison of worlds: what a refusal quotes is in the request or in the own view."""
    seats = game.seat_counts[-1] if game.seat_counts[-1] < 20 else game.seat_counts[0]
    case = cases_of(game, seats)[0]
    played = playout(case)
    named = names_of(game)
    async with twins([game]) as made:
        for number in range(1, len(played.plies), max(1, len(played.plies) // 6)):
            ply = played.plies[number]
            pair = pair_at(case, ply.state, ply.seat, f"{case}, quoting, ply {number}")
            if pair is None:
                continue
            table = await made.deal(pair)
            home, token = made.homes[0], table.tokens[ply.seat]
            decision = (await table.views(ply.seat))[0].decision.decision_id
            parts = "parts=PART_DETAIL&parts=PART_SCENE&parts=PART_OFFERS&parts=PART_EVENTS"
            seen = mentioned(named, (await home.http("GET", f"/v1/{table.name}/view?{parts}", token=token)).body)
            for ask in answers(pair, table.name, decision, 1, ply.legal):
                verb, target, body, headers = rest_of(ask)
                reply = await home.http(verb, target, body, token, headers)
                if not reply.ok:
                    own = seen | mentioned(named, body) | mentioned(named, ask.label.encode())
                    assert mentioned(named, error_text(reply.body)) <= own, (ask.label, reply.body)


def names_of(game: AnyGame) -> dict[str, str]:
    """Every way to write a piece of the catalogue, with the piece."""
    words = game.messages()["en"]
    found: dict[str, str] = {}
    for item in game.catalogue():
        args = {key: words[text[1:]] if text.startswith("$") else text for key, text in item.label.args}
        for name in (item.id, words[item.label.key].format(**args)):
            found[name] = item.id
    return found


def mentioned(names: dict[str, str], text: bytes) -> set[str]:
    """The pieces that the text names, as whole words."""
    plain = json.dumps(json.loads(text), ensure_ascii=False) if text[:1] == b"{" else text.decode()
    return {names[name] for name in _any_of(tuple(names)).findall(plain)}


@cache
def _any_of(names: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted(names, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)" if names else r"(?!)")


def error_text(body: bytes) -> bytes:
    """The words of a refusal, without the parts that name types and reasons."""
    error: Any = json.loads(body)["error"]
    descriptions = [
        violation["description"] for detail in error["details"] for violation in detail.get("violations", ())
    ]
    return "\n".join([error["message"], *descriptions]).encode()


async def test_what_a_platform_notes_is_told_to_no_player(store_url: str) -> None:
    (game,) = [game for game in GAMES if game.game_type == "pledge"]
    async with inner(store_url, [game]) as home:
        home.chance.turn("notes")
        seats = [pb.NewSeat(display_name="Ada", external_id=f"account-{i}-of-us") for i in range(2)]
        request = pb.CreateGameRequest(game_type="pledge", seats=seats, annotations={"table": "a-note-of-ours"})
        made = pb.CreateGameResponse.FromString((await home.rpc("CreateGame", request)).body)
        name, tokens = made.game.name, [seat.token for seat in made.seat_tokens]
        to_platform = await home.http("GET", f"/v1/{name}")
        to_seats = [
            (await home.http("GET", target, token=token)).body
            for token in tokens
            for target in (f"/v1/{name}", f"/v1/{name}/view")
        ]
    assert b"a-note-of-ours" in to_platform.body
    assert b"account-1-of-us" in to_platform.body
    assert not [body for body in to_seats if b"a-note" in body or b"account" in body]
