"""Tokens and headers that are none, or another's."""

from __future__ import annotations

from typing import Any

import jwt
import pytest
from google.protobuf.message import Message

from service.errors import Reason
from service.keys import add_platform
from tests.service.bad_input.refused import about_a_game, refused
from tests.service.bad_input.table import BadTable, seated
from tests.service.secrecy.inner import SIGNING, Inner


def sign(claims: dict[str, Any], secret: bytes = SIGNING.secret, **head: Any) -> str:
    """A token that only we could make, about what we would not say."""
    return jwt.encode(claims, secret, algorithm="HS256", headers={"typ": "rookery+jwt", "kid": SIGNING.kid, **head})


def held(token: str) -> dict[str, Any]:
    """The claims of a good token: wrong ones differ in one thing."""
    claims: dict[str, Any] = jwt.decode(token, SIGNING.secret, algorithms=["HS256"], options={"verify_exp": False})
    assert claims.keys() == {"ten", "game", "seat", "epoch", "exp"}
    return claims


async def test_tokens_that_are_none(table: BadTable) -> None:
    real = table.token
    head, middle, tail = real.split(".")
    claims = held(real)
    nested = "eyJhbGciOiJIUzI1NiIsInR5cCI6" + "W1tb" * 1900
    wrong = [
        *(
            "x",
            ".",
            "..",
            "...",
            "a.b.c",
            real[:-1],
            real + "A",
            f"{head}.{middle}.",
            f"{head}..{tail}",
            f".{middle}.{tail}",
        ),
        *(f"{head}.{middle[:-2]}AA.{tail}", real.swapcase(), "A" * 8191, "A" * 9000, "é", nested, f"{nested}.e30.e30"),
        sign(claims, b"another secret of another service."),
        sign(claims, kid="unknown"),
        sign(claims, kid="unknown\n"),
        sign({key: value for key, value in claims.items() if key != "exp"}),
        sign({key: value for key, value in claims.items() if key != "game"}),
        sign({**claims, "exp": "soon"}),
        sign({**claims, "exp": 10**400}),
        sign({**claims, "epoch": "one"}),
        sign({**claims, "seat": "first"}),
        sign({**claims, "seat": None}),
        jwt.encode(claims, None, algorithm="none", headers={"typ": "rookery+jwt", "kid": SIGNING.kid}),  # type: ignore[arg-type]
        *("rk_", "rk__", "rk_x_y", table.home.key[:-1], table.home.key + "x", table.home.key.upper(), "rk_" + "é" * 40),
    ]
    for token in wrong:
        for rpc, message in about_a_game(table.name)[:3]:
            assert await refused_token(table, rpc, message, token) is Reason.TOKEN_INVALID, token[:80]


async def refused_token(table: BadTable, rpc: str, message: Message, token: str) -> Reason:
    """As ``refused``; a header travels in latin-1."""
    return await refused(table, rpc, message, token.encode().decode("latin-1"))


@pytest.mark.parametrize("header", ["", "x", "Bearer", "Bearer ", "Basic eDp4", "Bearer  ", "bearer\tx", "\xff"])
async def test_a_header_that_holds_no_token(table: BadTable, header: str) -> None:
    reply = await table.home.http("GET", f"/v1/{table.name}", headers=(("authorization", header),))

    assert await table.refuses(reply) in (Reason.TOKEN_MISSING, Reason.TOKEN_INVALID)


async def test_tokens_of_others(home: Inner, table: BadTable) -> None:
    other = await seated(home, "pledge", 2)
    claims = held(table.token)
    for rpc, message in about_a_game(table.name)[:3]:
        assert await refused(table, rpc, message, other.token) is Reason.TOKEN_WRONG_GAME
        expired = sign({**claims, "seat": 0, "exp": 1_600_000_000})
        assert await refused(table, rpc, message, expired) is Reason.TOKEN_EXPIRED
        revoked = sign({**claims, "epoch": claims["epoch"] + 7})
        assert await refused(table, rpc, message, revoked) is Reason.TOKEN_REVOKED
        beyond = sign({**claims, "seat": 3})
        assert await refused(table, rpc, message, beyond) is Reason.TOKEN_REVOKED
        below = sign({**claims, "seat": -1})
        assert await refused(table, rpc, message, below) in (Reason.TOKEN_REVOKED, Reason.TOKEN_INVALID)
        elsewhere = sign({**claims, "ten": "another", "seat": 0})
        assert await refused(table, rpc, message, elsewhere) is Reason.GAME_NOT_FOUND
    keys, stranger = add_platform(home.keys, "another", ("games.create", "games.read", "games.act"))
    keys, weak = add_platform(keys, "test", ())
    home.credentials.replace(keys)
    for rpc, message in about_a_game(table.name):
        assert await refused(table, rpc, message, stranger) is Reason.GAME_NOT_FOUND, rpc
        assert await refused(table, rpc, message, weak) is Reason.SCOPE_MISSING, rpc
