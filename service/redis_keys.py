"""The names of keys and channels. Braces choose the hash slot of a cluster: everything that one script touches has it.

========================================  =======================================================================
``rookery:<tenant>:{<s>}:<game>:game``    hash: ``v``, ``mark``, ``meta``, ``live``, ``birth``, ``errand`` (its entry in
                                          the bots' stream); a tombstone: ``gone``
``rookery:<tenant>:{<s>}:<game>:log``     stream: entry ``<version>-0``, field ``b`` is the batch
``rookery:<tenant>:{<s>}:<game>:memos``   hash: memo name -> 4-byte big-endian version, then the digest
``rookery:<tenant>:{<s>}:<game>:snaps``   stream: entry ``<version>-0``, field ``s`` is the live record then
``rookery:<tenant>:{<s>}:<game>:wake``    pub/sub channel: the new version, or ``gone``
``rookery:<tenant>:{<s>}:<game>:line:…``  counter of streams under one client id; pub/sub channel: its new value
``rookery:<tenant>:{<s>}:feed``           stream: one entry per commit, field ``n`` is the notice
``rookery:<tenant>:feed``                 pub/sub channel: there is something new in one of the feeds
``rookery:{<s>}:due``                     sorted set: ``<tenant>:<game>`` by when its clock must act, in milliseconds
``rookery:{<s>}:bots``                    stream: one entry per game whose bots owe an answer, field ``g`` names it
``rookery:sweeping``                      hash: ``last``, ``since``, ``from``: when somebody looked after the clocks
``rookery:bots``                          pub/sub channel: there is something new in one of the streams of the bots
``rookery:<tenant>:games``                sorted set: game by creation time in microseconds
``rookery:<tenant>:note:…``               string: a small value, for a while
========================================  =======================================================================

``<s>`` is the shard, the first character of the game's id: a feed must be written with the commit, so it lives in the
slot of its games. So do the clock's set and the bots' stream, which all tenants share.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Final

from service.store import GameKey

SHARDS: Final = "abcdefghijklmnopqrstuvwxyz234567"


class Keys:
    """The names of one game's keys."""

    __slots__ = ("all", "bots", "due", "feed", "game", "log", "memos", "snaps", "stem", "wake")

    def __init__(self, key: GameKey) -> None:
        tenant, game = key
        if "{" in tenant or "{" in game or "}" in game:
            # A foreign brace would tear a game's keys apart.
            raise ValueError("a tenant or game name must not contain braces")
        self.feed = feed(tenant, game[:1])
        self.stem = stem = f"rookery:{tenant}:{{{game[:1]}}}:{game}:"
        self.game = stem + "game"
        self.log = stem + "log"
        self.memos = stem + "memos"
        self.snaps = stem + "snaps"
        self.wake = stem + "wake"
        self.due = due(game[:1])
        self.bots = bots(game[:1])
        self.all = (self.game, self.log, self.memos, self.snaps, self.feed, self.due, self.bots)

    def line(self, name: str) -> str:
        """The counter of a name, and its channel."""
        return f"{self.stem}line:{_digest(name)}"


@lru_cache(maxsize=4096)
def keys_of(key: GameKey) -> Keys:
    """The names of one game's keys: whoever plays needs them again and again."""
    return Keys(key)


def feed(tenant: str, shard: str) -> str:
    """The feed of a shard."""
    return f"rookery:{tenant}:{{{shard}}}:feed"


def feed_channel(tenant: str) -> str:
    """The channel of all feeds of a tenant."""
    return f"rookery:{tenant}:feed"


BOTS_CHANNEL: Final = "rookery:bots"
"""The channel of all streams of the bots."""


SWEEPING: Final = "rookery:sweeping"
"""When somebody looked after the clocks, and when the last gap was."""


def due(shard: str) -> str:
    """What is due in a shard."""
    return f"rookery:{{{shard}}}:due"


def bots(shard: str) -> str:
    """What bots owe in a shard."""
    return f"rookery:{{{shard}}}:bots"


def member(key: GameKey) -> str:
    """The name of a game among those of all tenants: a tenant has no colon."""
    return f"{key.tenant}:{key.game}"


def game_of(name: bytes) -> GameKey:
    """The game of a ``member``."""
    tenant, _, game = name.decode().partition(":")
    return GameKey(tenant, game)


def index_of(tenant: str) -> str:
    """The index of a tenant's games."""
    return f"rookery:{tenant}:games"


def note(tenant: str, name: str) -> str:
    """A small value under a name."""
    return f"rookery:{tenant}:note:{_digest(name)}"


def _digest(name: str) -> str:
    """A name of the caller's as part of a key: short, and with no surprising characters."""
    return hashlib.blake2b(name.encode(), digest_size=12).hexdigest()
