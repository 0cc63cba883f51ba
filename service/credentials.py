"""Credentials in and out: API keys, signed seat and spectator tokens, platform JWTs.

A token is a JWT (HS256) of type ``rookery+jwt``: claims ``ten`` (tenant), ``game``, ``seat`` (absent: spectator),
``epoch`` and ``exp``. A ticket is one of type ``rookery-ticket+jwt`` with ``jti`` (its name) and ``until`` (when the
credential behind it expires; absent: never). Nothing here ever puts a credential into a message.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import jwt

from service.callers import ALL_SCOPES, NEVER, Caller, Platform, SeatHolder, Spectator
from service.errors import Reason, Refusal
from service.keys import PREFIX, Keys

TYPE = "rookery+jwt"
TICKET_TYPE = "rookery-ticket+jwt"
# What a platform's own issuer may sign with; never a shared secret.
JWKS_ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA"]
_REMEMBERED = 10_000
_LONGEST = 8_192
# A platform's JWT proves itself again after so many seconds, so that a withdrawn key is not trusted for long.
TRUST_SECONDS = 300.0


class KeySource(Protocol):
    """Public keys of a platform's issuer."""

    async def key(self, kid: str) -> jwt.PyJWK | None:
        """The key of that id, or None."""
        ...


class JwksFile:
    """A JWKS read from a file at start."""

    def __init__(self, path: Path) -> None:
        self._keys = {key.key_id: key for key in jwt.PyJWKSet.from_json(path.read_text()).keys if key.key_id}

    async def key(self, kid: str) -> jwt.PyJWK | None:
        """The key of that id, or None."""
        return self._keys.get(kid)


class JwksUrl:
    """A JWKS behind a URL.

    Read again when it is ``fresh`` seconds old, so that a key that was taken out ends, and when an unknown key id
    comes; but not more often than every ``pause`` seconds, since anybody can send an unknown id.
    """

    def __init__(
        self,
        url: str,
        pause: float = 10.0,
        fresh: float = TRUST_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = jwt.PyJWKClient(url, cache_jwk_set=False, timeout=5)
        self._keys: dict[str, jwt.PyJWK] = {}
        self._pause = pause
        self._fresh = fresh
        self._clock = clock
        self._tried_at = self._read_at = float("-inf")
        self._lock = asyncio.Lock()

    async def key(self, kid: str) -> jwt.PyJWK | None:
        """The key of that id, or None. While the issuer does not answer, its last keys stay."""
        # Without the lock: whoever is known does not wait while an unknown id is looked up.
        if not self._known(kid):
            async with self._lock:
                if not self._known(kid) and self._clock() - self._tried_at > self._pause:
                    await self._read()
        return self._keys.get(kid)

    def _known(self, kid: str) -> bool:
        return kid in self._keys and self._clock() - self._read_at < self._fresh

    async def _read(self) -> None:
        self._tried_at = self._clock()
        try:
            keys = await asyncio.to_thread(self._client.get_signing_keys)
        except Exception:
            # Whatever an issuer answers, or does not, is no fault of ours.
            return
        self._keys = {key.key_id: key for key in keys if key.key_id}
        self._read_at = self._clock()


class _Known(NamedTuple):
    """A credential that was verified: whose it is, and until when that is believed."""

    caller: Caller
    until: float = NEVER


class Ticket(NamedTuple):
    """A ticket that was verified: whose stream it opens, and the name under which it is used up."""

    caller: Caller
    name: str


class Credentials:
    """Makes callers of authorization headers, and tokens of seats.

    ``clock`` gives seconds since 1970. ``issuer`` and ``audience`` are demanded of platform JWTs when given.
    """

    def __init__(
        self,
        keys: Keys,
        *,
        jwks: KeySource | None = None,
        issuer: str | None = None,
        audience: str | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._keys = keys
        self._secrets = {key.kid: key.secret for key in keys.signing}
        self._jwks = jwks
        self._issuer = issuer
        self._audience = audience
        self._clock = clock
        self._known: OrderedDict[str, _Known] = OrderedDict()

    def replace(self, keys: Keys) -> None:
        """Use other keys from now on; what was accepted before must prove itself again."""
        self._keys = keys
        self._secrets = {key.kid: key.secret for key in keys.signing}
        self._known.clear()

    async def authenticate(self, header: str | None) -> Caller:
        """The caller of an ``authorization`` header. Raises TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED."""
        if not header:
            raise Refusal(Reason.TOKEN_MISSING, "an authorization header with a bearer token is needed")
        known = self._known.get(header)
        if known is None or self._clock() >= known.until:
            self._known.pop(header, None)
            known = await self._verify(header)
            self._known[header] = known
            if len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        self.check(known.caller)
        return known.caller

    def check(self, caller: Caller) -> None:
        """Return unless the caller's credential has expired: TOKEN_EXPIRED."""
        if self._clock() >= caller.expires:
            raise Refusal(Reason.TOKEN_EXPIRED, "the token has expired")

    def read_ticket(self, ticket: str) -> Ticket:
        """What a ticket says, if it is good; whether it was used is for the store to say.

        Raises TOKEN_INVALID and TOKEN_EXPIRED.
        """
        try:
            head = jwt.get_unverified_header(ticket) if len(ticket) <= _LONGEST else {}
            if head.get("typ") != TICKET_TYPE:
                raise _invalid()
            claims = self._claims(ticket, head, "jti")
            expires, until = float(claims["exp"]), float(claims.get("until", NEVER))
            caller, name = _seat_or_spectator(claims, until), str(claims["jti"])
        except (jwt.PyJWTError, KeyError, TypeError, ValueError, OverflowError):
            raise _invalid() from None
        if self._clock() >= expires:
            raise Refusal(Reason.TOKEN_EXPIRED, "the ticket has expired")
        return Ticket(caller, name)

    async def _verify(self, header: str) -> _Known:
        scheme, _, token = header.partition(" ")
        token = token.strip()
        # The whole header, because it is remembered whole: blanks around a token would fill the memory.
        if scheme.lower() != "bearer" or not token or len(header) > _LONGEST:
            raise _invalid()
        if token.startswith(f"{PREFIX}_"):
            platform = self._keys.platform(token)
            if platform is None:
                raise _invalid()
            return _Known(platform)
        try:
            head = jwt.get_unverified_header(token)
            if head.get("typ") == TYPE:
                claims = self._claims(token, head)
                return _Known(_seat_or_spectator(claims, float(claims["exp"])))
            return await self._platform(token, head)
        except (jwt.PyJWTError, KeyError, TypeError, ValueError, OverflowError):
            raise _invalid() from None

    def _claims(self, token: str, head: dict[str, Any], *more: str) -> dict[str, Any]:
        """The claims of a token of ours."""
        secret = self._secrets[head["kid"]]
        # The clock is ours, so that tests can move it; expiry is checked at every use.
        options: Any = {"require": ["exp", "ten", "game", "epoch", *more], "verify_exp": False}
        claims: dict[str, Any] = jwt.decode(token, secret, algorithms=["HS256"], options=options)
        return claims

    async def _platform(self, token: str, head: dict[str, Any]) -> _Known:
        key = await self._jwks.key(str(head["kid"])) if self._jwks is not None else None
        if key is None:
            raise _invalid()
        claims = jwt.decode(
            token,
            key.key,
            algorithms=JWKS_ALGORITHMS,
            issuer=self._issuer,
            audience=self._audience,
            options={"require": ["exp", "tenant"], "verify_aud": self._audience is not None, "verify_exp": False},
        )
        tenant = claims["tenant"]
        if not isinstance(tenant, str) or not valid_tenant(tenant):
            raise _invalid()
        scopes = frozenset(str(claims.get("scope", "")).split()) & ALL_SCOPES
        platform = Platform(tenant, scopes, f"jwt:{claims.get('sub', '')}"[:100], int(claims["exp"]))
        return _Known(platform, self._clock() + TRUST_SECONDS)

    def seat_token(self, tenant: str, game: str, seat: int, epoch: int, expires: int) -> str:
        """A seat's token. The same arguments give the same token, so a replay can give it again."""
        return self._sign({"ten": tenant, "game": game, "seat": seat, "epoch": epoch, "exp": expires})

    def spectator_token(self, tenant: str, game: str, epoch: int, expires: int) -> str:
        """A spectator's token."""
        return self._sign({"ten": tenant, "game": game, "epoch": epoch, "exp": expires})

    def ticket(self, caller: SeatHolder | Spectator, expires: int, name: str) -> str:
        """A ticket for one stream of the caller's, who is who until ``caller.expires``."""
        claims: dict[str, Any] = {"ten": caller.tenant, "game": caller.game, "epoch": caller.epoch}
        claims |= {"exp": expires, "jti": name}
        if isinstance(caller, SeatHolder):
            claims["seat"] = caller.seat
        if caller.expires != NEVER:
            claims["until"] = caller.expires
        return self._sign(claims, TICKET_TYPE)

    def _sign(self, claims: dict[str, Any], kind: str = TYPE) -> str:
        key = self._keys.signing[0]
        return jwt.encode(claims, key.secret, algorithm="HS256", headers={"typ": kind, "kid": key.kid})


def _seat_or_spectator(claims: dict[str, Any], expires: float) -> SeatHolder | Spectator:
    tenant, game, epoch = claims["ten"], claims["game"], int(claims["epoch"])
    if "seat" in claims:
        return SeatHolder(tenant, game, int(claims["seat"]), epoch, expires)
    return Spectator(tenant, game, epoch, expires)


def valid_tenant(tenant: str) -> bool:
    """Whether this may be a tenant's name: 1 to 40 of ``[a-z0-9-]``; it becomes part of store keys."""
    return (
        0 < len(tenant) <= 40 and all(c.isdigit() or c == "-" or "a" <= c <= "z" for c in tenant) and tenant.isascii()
    )


def _invalid() -> Refusal:
    return Refusal(Reason.TOKEN_INVALID, "the credential is not valid")
