"""Tokens that are garbage, and the JWTs of platforms; no credential ever shows anywhere."""

from __future__ import annotations

import asyncio
import base64
import hmac
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from service.credentials import TYPE, JwksFile, JwksUrl, KeySource
from tests.service.client import WAYS, Refused
from tests.service.desk import START, Desk, desk_at, shown
from tests.service.house import SIGNING
from tests.service.players import refused
from tests.service.store.harness import PATIENCE

EVERY_GAME_CALL = ("GetGame", "GetView", "SubmitMove", "IssueTokens", "AbortGame", "DeleteGame")
MORE: dict[str, dict[str, Any]] = {
    "GetView": {"seat": 0},
    "SubmitMove": {"seat": 0, "decisionId": "x", "offerId": "pledge:1"},
    "IssueTokens": {"seats": [0]},
}


@pytest.fixture(scope="module")
def rsa_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


@pytest.fixture(scope="module")
def ec_key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


def jwks(**keys: Any) -> str:
    """The set of the public halves, by key id."""
    documents = []
    for kid, key in keys.items():
        algorithm = jwt.algorithms.RSAAlgorithm if isinstance(key, rsa.RSAPrivateKey) else jwt.algorithms.ECAlgorithm
        document = json.loads(algorithm.to_jwk(key.public_key()))
        documents.append({**document, "kid": kid, "use": "sig"})
    return json.dumps({"keys": documents})


def claims(**more: Any) -> dict[str, Any]:
    given = {"iss": "https://issuer.example", "aud": "rookery", "tenant": "test", "scope": "games.read games.create"}
    return {**given, "sub": "somebody", "exp": START + 600, **more}


def signed(key: Any, algorithm: str, kid: str | None, **more: Any) -> str:
    return jwt.encode(claims(**more), key, algorithm=algorithm, headers={} if kid is None else {"kid": kid})


@pytest.fixture(params=WAYS)
async def federated(
    request: pytest.FixtureRequest, store_url: str, tmp_path: Path, rsa_key: Any, ec_key: Any
) -> AsyncIterator[Desk]:
    """A service that believes the JWTs of an issuer with two keys."""
    file = tmp_path / "jwks.json"
    file.write_text(jwks(r=rsa_key, e=ec_key))
    more = {"jwks": JwksFile(file), "issuer": "https://issuer.example", "audience": "rookery"}
    async with desk_at(store_url, request.param, **more) as made:
        yield made


def part(token: str, i: int, **changes: Any) -> str:
    """The token with something changed in its head (0) or its claims (1)."""
    parts = token.split(".")
    padded = parts[i] + "=" * (-len(parts[i]) % 4)
    changed = {**json.loads(base64.urlsafe_b64decode(padded)), **changes}
    parts[i] = base64.urlsafe_b64encode(json.dumps(changed).encode()).decode().rstrip("=")
    return ".".join(parts)


async def test_garbage_is_invalid_and_all_garbage_is_the_same(federated: Desk, rsa_key: Any, ec_key: Any) -> None:
    desk, good = federated, federated.table.tokens[0]
    head = {"typ": TYPE, "kid": SIGNING.kid}
    game = desk.name.removeprefix("games/")
    mine = {"ten": "test", "game": game, "seat": 0, "epoch": 0, "exp": START + 600}
    endless = {claim: value for claim, value in mine.items() if claim != "exp"}
    public = rsa_key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    encode = jwt.encode
    garbage = {
        "alg none": encode(mine, None, algorithm="none", headers=head),  # type: ignore[arg-type]
        "alg None": part(good, 0, alg="None").rpartition(".")[0] + ".",
        "no signature": good.rpartition(".")[0] + ".",
        "wrong secret": encode(mine, b"x" * 32, algorithm="HS256", headers=head),
        "empty secret": _hs256(mine, head, b""),
        "other kid": encode(mine, SIGNING.secret, algorithm="HS256", headers={**head, "kid": "other"}),
        "no kid": encode(mine, SIGNING.secret, algorithm="HS256", headers={"typ": TYPE}),
        "no type": encode(mine, SIGNING.secret, algorithm="HS256", headers={"kid": SIGNING.kid}),
        "another seat": part(good, 1, seat=1),
        "another game": part(good, 1, game="a" * 26),
        "later": part(good, 1, exp=START * 2),
        "no expiry": encode(endless, SIGNING.secret, algorithm="HS256", headers=head),
        "HS256 with the public key": _hs256(claims(), {"kid": "r"}, public),
        "HS256 with the public key as ours": _hs256(mine, {**head, "kid": "r"}, public),
        "our secret as an issuer": _hs256(claims(), {"kid": SIGNING.kid}, SIGNING.secret),
        "JWT of an unknown key": signed(rsa_key, "RS256", "x"),
        "JWT without a key id": signed(rsa_key, "RS256", None),
        "JWT of the other kind of key": signed(ec_key, "ES256", "r"),
        "JWT that names the other key": signed(rsa_key, "RS256", "e"),
        "a platform key with another end": desk.home.key[:-1] + ("A" if desk.home.key[-1] != "A" else "B"),
        "a platform key without an end": "_".join(desk.home.key.split("_")[:2]),
        "another key's id": f"rk_{'0' * 8}_{desk.home.key.split('_', 2)[2]}",
        "nothing of a key": "rk_",
        "dots": "..",
        "a word": "token",
        "long": "x" * 6000,
        "twice": f"{good} {good}",
    }
    told = {}
    for what, token in garbage.items():
        no = await refused(desk.client, "GetView", token, name=desk.name)
        assert (no.code, no.reason) == ("UNAUTHENTICATED", "TOKEN_INVALID"), what
        told[no.message] = what
    assert len(told) == 1
    assert (await desk.view(good))["viewer"] == {"seat": 0}


def _hs256(payload: dict[str, Any], head: dict[str, Any], secret: bytes) -> str:
    """By hand: the library refuses to sign with a public key."""
    texts = (json.dumps({"alg": "HS256", "typ": "JWT", **head}), json.dumps(payload))
    start = b".".join(base64.urlsafe_b64encode(text.encode()).rstrip(b"=") for text in texts)
    signature = base64.urlsafe_b64encode(hmac.digest(secret, start, "sha256")).rstrip(b"=")
    return (start + b"." + signature).decode()


# JWTs of platforms


async def test_jwts_of_both_kinds_of_key(federated: Desk, rsa_key: Any, ec_key: Any) -> None:
    for token in (signed(rsa_key, "RS256", "r"), signed(ec_key, "ES256", "e")):
        game = await federated.client.call("GetGame", token, name=federated.name)
        assert game["name"] == federated.name
        # games.act is not in its scope.
        assert await federated.reason("AbortGame", token) == "SCOPE_MISSING"
        federated.clock.seconds += 599
        assert (await federated.client.call("GetGame", token, name=federated.name))["version"] == 1
        federated.clock.seconds += 1
        assert await federated.reason("GetGame", token) == "TOKEN_EXPIRED"
        federated.clock.seconds -= 600


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"iss": "https://another.example"}, "TOKEN_INVALID"),
        ({"iss": None}, "TOKEN_INVALID"),
        ({"aud": "another"}, "TOKEN_INVALID"),
        ({"aud": None}, "TOKEN_INVALID"),
        ({"tenant": None}, "TOKEN_INVALID"),
        ({"tenant": "Test"}, "TOKEN_INVALID"),
        ({"tenant": "a{b}"}, "TOKEN_INVALID"),
        ({"tenant": 7}, "TOKEN_INVALID"),
        ({"exp": None}, "TOKEN_INVALID"),
        ({"exp": "soon"}, "TOKEN_INVALID"),
        ({"exp": START - 1}, "TOKEN_EXPIRED"),
        ({"scope": None}, "SCOPE_MISSING"),
        ({"scope": "admin games.*"}, "SCOPE_MISSING"),
        ({"scope": ["games.read"]}, "SCOPE_MISSING"),
        ({"tenant": "another"}, "GAME_NOT_FOUND"),
    ],
)
async def test_what_is_wrong_with_a_jwt(federated: Desk, rsa_key: Any, changed: dict[str, Any], reason: str) -> None:
    whole = {key: value for key, value in claims(**changed).items() if value is not None}
    payload = json.dumps(whole).encode()
    token = jwt.api_jws.encode(payload, rsa_key, algorithm="RS256", headers={"kid": "r", "typ": "JWT"})
    assert await federated.reason("GetGame", token) == reason


class Issuer:
    """A tiny issuer on loopback. ``keys`` is what it publishes; it can be asked to keep everybody waiting."""

    def __init__(self, keys: str) -> None:
        self.keys = keys
        self.asked = 0
        self.go_on = asyncio.Event()
        self.go_on.set()
        self.status = "200 OK"
        self.url = ""

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        self.asked += 1
        await self.go_on.wait()
        text = self.keys.encode()
        writer.write(
            f"HTTP/1.1 {self.status}\r\ncontent-length: {len(text)}\r\nconnection: close\r\n\r\n".encode() + text
        )
        writer.close()

    @asynccontextmanager
    async def serve(self) -> AsyncIterator[Issuer]:
        async with await asyncio.start_server(self._answer, "127.0.0.1", 0) as server:
            self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/jwks.json"
            yield self


class Moments:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("way", WAYS)
async def test_jwks_behind_a_url_and_its_rotation(way: str, store_url: str, rsa_key: Any, ec_key: Any) -> None:
    moments = Moments()
    async with Issuer(jwks(r=rsa_key)).serve() as issuer:
        source = JwksUrl(issuer.url, pause=10, fresh=300, clock=moments)
        async with desk_at(store_url, way, jwks=source) as desk:

            async def answer(token: str) -> str:
                # Each JWT is another one, so that none is answered from memory.
                try:
                    await desk.client.call("GetGame", token, name=desk.name)
                except Refused as no:
                    return no.reason
                return "OK"

            def old(i: int) -> str:
                return signed(rsa_key, "RS256", "r", jti=str(i))

            def new(i: int) -> str:
                return signed(ec_key, "ES256", "e", jti=str(i))

            assert [await answer(old(i)) for i in range(3)] == ["OK"] * 3
            assert issuer.asked == 1
            # A key id that it does not know makes it ask again, but not for everybody who comes along.
            assert [await answer(new(i)) for i in range(5)] == ["TOKEN_INVALID"] * 5
            assert issuer.asked == 1
            issuer.keys = jwks(r=rsa_key, e=ec_key)
            moments.now += 11
            assert [await answer(new(i)) for i in range(5)] == ["OK"] * 5
            assert issuer.asked == 2
            # The old key is taken out; when the set is old it is read again, and whoever it let in is out too.
            issuer.keys = jwks(e=ec_key)
            assert await answer(old(9)) == "OK"
            moments.now += 301
            desk.clock.seconds += 301
            assert await answer(old(9)) == "TOKEN_INVALID"
            assert await answer(new(9)) == "OK"
            # An issuer that is away, or talks nonsense, locks nobody out who was in.
            for issuer.status, issuer.keys in (
                ("500 Oops", "{}"),
                ("200 OK", "nonsense"),
                ("200 OK", '{"keys": [{}]}'),
            ):
                moments.now += 301
                assert await answer(new(10)) == "OK"
                assert await answer(old(10)) == "TOKEN_INVALID"


async def test_who_is_known_does_not_wait_for_whom_nobody_knows(rsa_key: Any) -> None:
    moments = Moments()
    async with Issuer(jwks(r=rsa_key)).serve() as issuer:
        source = JwksUrl(issuer.url, clock=moments)
        assert await source.key("r") is not None
        moments.now += 11
        issuer.go_on.clear()
        stranger = asyncio.create_task(source.key("x"))
        async with asyncio.timeout(PATIENCE):
            while issuer.asked < 2:  # noqa: ASYNC110 - the issuer has no event
                await asyncio.sleep(0.001)
            assert await source.key("r") is not None
        assert not stranger.done()
        issuer.go_on.set()
        assert await stranger is None


@pytest.mark.parametrize("way", WAYS)
async def test_no_credential_shows_anywhere(way: str, store_url: str, rsa_key: Any, tmp_path: Path) -> None:
    spoken: list[str] = []
    file = tmp_path / "jwks.json"
    file.write_text(jwks(r=rsa_key))
    source: KeySource = JwksFile(file)
    async with desk_at(store_url, way, jwks=source) as desk:
        home, name = desk.home, desk.name
        gone = (await desk.issue(seats=[1], ttl="60s"))["seatTokens"][0]["token"]
        revoked = desk.table.tokens[2]
        await desk.issue(seats=[2], revoke=True)
        desk.clock.seconds += 61
        wrong = home.key[:-2] + "zz"
        # Signed by nobody: what it claims must not show either.
        forged = signed(
            rsa.generate_private_key(public_exponent=65537, key_size=2048), "RS256", "r", iss="nobody at all"
        )
        platform_jwt = signed(rsa_key, "RS256", "r")
        secrets = [home.key, wrong, gone, revoked, forged, platform_jwt, desk.watcher, *desk.table.tokens]
        for secret in secrets:
            for rpc in (*EVERY_GAME_CALL[:3], "ListGames"):
                named = {} if rpc == "ListGames" else {"name": name}
                # A careless client puts it where it does not belong.
                for request in ({**named, **MORE.get(rpc, {})}, {**named, "pageToken": secret}, {"name": secret}):
                    try:
                        answer = await desk.client.call(rpc, secret, **request)
                        spoken.append(json.dumps(answer))
                    except Refused as no:
                        spoken.append(no.whole)
                    except Exception as error:  # the client's own: the request cannot be written
                        assert "ParseError" in type(error).__name__ or "Unanswered" in type(error).__name__  # noqa: PT017
    spoken.append(home.log.getvalue())
    assert '"rpc":"GetView"' in spoken[-1]
    for secret in secrets:
        for text in spoken:
            assert not shown(secret, text), text
