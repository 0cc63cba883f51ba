"""Which servers the store accepts: new enough for the scripts, and never evicting a game on its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import hiredis

from service.redis_link import Link

OLDEST_REDIS: Final = (7, 0)
OLDEST_VALKEY: Final = (7, 2)
POLICY: Final = "noeviction"


class StoreUnfit(Exception):  # noqa: N818 - the server is unfit; nothing broke
    """The server answers but must not be used. The message says what to change, for the person who runs it."""


async def require_fit(link: Link) -> None:
    """Return when the server is fit, raise ``StoreUnfit`` when it is not; the link's errors pass through."""
    try:
        server = _facts(await link.ask("INFO", "server"))
    except hiredis.ReplyError as error:
        raise StoreUnfit(f"the store does not permit INFO, so its version is unknown ({_code(error)})") from None
    _require_version(server)
    if server.get("redis_mode", "standalone") == "cluster":
        raise StoreUnfit("the store runs in cluster mode; Rookery needs the address of one primary")
    policy = await _policy(link)
    if policy != POLICY:
        raise StoreUnfit(
            f"the store's maxmemory-policy is {policy or 'unknown'}, so games could vanish when memory runs short; "
            f"set it to {POLICY}"
        )


def _require_version(server: Mapping[str, str]) -> None:
    # Valkey also claims a redis_version, for clients that ask nothing else; its own number decides.
    name, oldest, text = "Valkey", OLDEST_VALKEY, server.get("valkey_version")
    if text is None:
        name, oldest, text = "Redis", OLDEST_REDIS, server.get("redis_version", "")
    if version_of(text) < oldest:
        needed = ".".join(map(str, oldest))
        raise StoreUnfit(f"the store is {name} {text or 'of unknown version'}; Rookery needs {name} {needed} or newer")


async def _policy(link: Link) -> str:
    """The eviction policy, by CONFIG where that is permitted, else from INFO (managed services hide CONFIG)."""
    try:
        answer = await link.ask("CONFIG", "GET", "maxmemory-policy")
        if isinstance(answer, dict) and answer:
            return str(next(iter(answer.values())), "utf-8")
    except hiredis.ReplyError:
        pass
    try:
        return _facts(await link.ask("INFO", "memory")).get("maxmemory_policy", "")
    except hiredis.ReplyError:
        return ""


def version_of(text: str) -> tuple[int, int]:
    """Major and minor number of a version text; (0, 0) when it is none."""
    parts = text.split(".")
    if len(parts) < 2 or not (parts[0].isdecimal() and parts[1].isdecimal()):
        return (0, 0)
    return int(parts[0]), int(parts[1])


def _facts(info: object) -> dict[str, str]:
    text = info.decode("utf-8", "replace") if isinstance(info, bytes) else ""
    return dict(line.split(":", 1) for line in text.splitlines() if ":" in line and not line.startswith("#"))


def _code(error: hiredis.ReplyError) -> str:
    return str(error).partition(" ")[0]
