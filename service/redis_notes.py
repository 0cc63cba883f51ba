"""Small values under names, each one a key that expires by itself."""

from __future__ import annotations

from service import store
from service.redis_keys import note
from service.redis_talk import Talk


class Notes(store.Notes):
    """``service.store.Notes``. Every call may be repeated when its answer was lost."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk

    async def keep(self, tenant: str, name: str, value: bytes, ttl_ms: int) -> bytes:
        """Keep the value for so long unless something is kept there; what is kept."""
        found = await self._talk.ask("SET", note(tenant, name), value, "NX", "GET", "PX", ttl_ms)
        return value if found is None else bytes(found)

    async def kept(self, tenant: str, name: str) -> bytes | None:
        """What is kept there, None if nothing is."""
        found = await self._talk.ask("GET", note(tenant, name))
        return None if found is None else bytes(found)

    async def drop(self, tenant: str, name: str) -> None:
        """Keep nothing there any more."""
        await self._talk.ask("DEL", note(tenant, name))
