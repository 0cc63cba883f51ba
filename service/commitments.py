"""Commitments that come before their games: the server fixes its part of the chance, then the others give theirs."""

from __future__ import annotations

from collections.abc import Callable

from service.callers import Platform
from service.errors import Reason, Refusal
from service.fairness import SECRET_BYTES, commitment
from service.names import commitment_id, read_commitment
from service.plan import Entropy
from service.records import Secrets, decode, encode
from service.resources_live import Commitment
from service.store import Store
from service.times import moment

KEPT_SECONDS = 86_400


class Commitments:
    """Seeds that wait for their games. One never leaves the store but into the game that is dealt from it."""

    def __init__(self, store: Store, entropy: Entropy, clock_us: Callable[[], int]) -> None:
        self._store = store
        self._entropy = entropy
        self._clock_us = clock_us

    async def create(self, platform: Platform) -> Commitment:
        """Draw seed and salt, and tell the commitment to them."""
        secrets = self.draw()
        made = commitment_id(self._entropy(17))
        expires = self._clock_us() + KEPT_SECONDS * 1_000_000
        await self._store.notes.keep(platform.tenant, _seed(made), encode(secrets), KEPT_SECONDS * 1000)
        return Commitment(
            name=f"commitments/{made}",
            commitment=commitment(secrets.seed, secrets.salt),
            expire_time=moment(expires),
        )

    def draw(self) -> Secrets:
        """A new seed with its salt."""
        return Secrets(self._entropy(SECRET_BYTES), self._entropy(SECRET_BYTES))

    async def secrets(self, tenant: str, name: str) -> Secrets | None:
        """Seed and salt of the commitment; None if there is none, any more. Raises MALFORMED_REQUEST."""
        found = await self._store.notes.kept(tenant, _seed(read_commitment(name)))
        return None if found is None else decode(Secrets, found)

    async def claim(self, tenant: str, name: str, claim: bytes) -> None:
        """Let the commitment be for this claim and for no other, for ever. Raises COMMITMENT_USED."""
        # Kept longer than the seed: once that is gone, no other claim can come.
        kept = await self._store.notes.keep(tenant, _claim(read_commitment(name)), claim, 2 * KEPT_SECONDS * 1000)
        if kept != claim:
            raise commitment_used()

    async def close(self, tenant: str, name: str) -> None:
        """Forget seed and salt: the game has them now."""
        await self._store.notes.drop(tenant, _seed(read_commitment(name)))

    async def why_not(self, tenant: str, name: str) -> Refusal:
        """Why a commitment has no seed any more: COMMITMENT_USED or COMMITMENT_NOT_FOUND."""
        if await self._store.notes.kept(tenant, _claim(read_commitment(name))) is not None:
            return commitment_used()
        return Refusal(Reason.COMMITMENT_NOT_FOUND, "there is no such commitment, or it has expired")


def commitment_used() -> Refusal:
    """The commitment was for another request, or its game is gone."""
    return Refusal(Reason.COMMITMENT_USED, "the commitment was used for another game, or its game is gone")


def _seed(made: str) -> str:
    return f"seed of {made}"


def _claim(made: str) -> str:
    return f"claim on {made}"
