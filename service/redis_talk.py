"""Asking the store: scripts by their digest, one repetition after a lost connection, and errors as refusals."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from importlib import resources
from typing import Final, NamedTuple, TypeAlias

import hiredis

from service.errors import Reason, Refusal
from service.redis_link import Arg, Dropped, Link, Reply, Unreachable

Observe: TypeAlias = Callable[[str, float], None]
"""Called with the name of something that happened and how often: see ``Counted``."""

READ_TRIES: Final = 2
SCRIPT_TRIES: Final = 3
RETRY_AFTER: Final = 1.0
"""Seconds that a refused caller is told to wait."""


class Counted:
    """The names that ``Observe`` hears."""

    CONFLICT: Final = "conflict"
    RECONNECT: Final = "reconnect"
    ERROR: Final = "error"
    SCRIPT_RELOAD: Final = "script_reload"
    SETTLED: Final = "settled"
    """A write whose first answer was lost, and whose outcome is known now."""


_UNAVAILABLE: Final = {
    "BUSY": "the store is busy with a script that runs too long",
    "CLUSTERDOWN": "the store's cluster is down",
    "LOADING": "the store is loading its data",
    "MASTERDOWN": "the store has lost its primary",
    "MISCONF": "the store cannot write to its disk",
    "MOVED": "the store is a cluster that moved the game to another node",
    "NOAUTH": "the store asks for a password",
    "NOPERM": "the store does not permit the service a command that it needs",
    "NOREPLICAS": "the store has too few replicas to accept a write",
    "OOM": "the store is out of memory",
    "READONLY": "the store is a read-only replica",
    "WRONGPASS": "the store does not accept the service's password",
}
# Behind the same name another server may be the right one by now.
_LOOK_ELSEWHERE: Final = frozenset({"MASTERDOWN", "READONLY"})


class Script(NamedTuple):
    """A Lua script of this package and the digest under which the store knows it."""

    source: str
    digest: str

    @classmethod
    def named(cls, name: str) -> Script:
        """Read ``<name>.lua`` from beside this module."""
        source = resources.files("service").joinpath(f"{name}.lua").read_text("utf-8")
        return cls(source, hashlib.sha1(source.encode(), usedforsecurity=False).hexdigest())


class Talk:
    """The link with manners. Every method raises ``Refusal`` instead of the link's own errors."""

    def __init__(self, link: Link, observe: Observe) -> None:
        self._link = link
        self._observe = observe

    async def ask(self, *args: Arg) -> Reply:
        """One command that may be repeated: a read, or a write that changes nothing the second time."""
        for _ in range(READ_TRIES):
            try:
                return await self._link.ask(*args)
            except Dropped:
                continue
            except Unreachable as error:
                raise self._unreachable(error) from None
            except hiredis.ReplyError as error:
                raise self._refusal(error) from None
        raise self._dropped()

    async def run(self, script: Script, keys: tuple[str, ...], *args: Arg) -> tuple[Reply, bool]:
        """Run a script that may be repeated; its answer, and whether an earlier answer to it was lost."""
        lost = False
        for _ in range(SCRIPT_TRIES):
            try:
                answer = await self._evaluate(script, keys, args)
            except Dropped:
                lost = True
                continue
            except Unreachable as error:
                raise self._unreachable(error) from None
            except hiredis.ReplyError as error:
                raise self._refusal(error) from None
            if lost:
                self._observe(Counted.SETTLED, 1)
            return answer, lost
        raise self._dropped()

    async def load(self, script: Script) -> None:
        """Teach the store the script."""
        await self.ask("SCRIPT", "LOAD", script.source)

    async def require(self, script: Script) -> None:
        """Make sure that the store still knows the script."""
        if await self.ask("SCRIPT", "EXISTS", script.digest) != [1]:
            self._observe(Counted.SCRIPT_RELOAD, 1)
            await self.load(script)

    async def _evaluate(self, script: Script, keys: tuple[str, ...], args: tuple[Arg, ...]) -> Reply:
        command = ("EVALSHA", script.digest, len(keys), *keys, *args)
        try:
            return await self._link.ask(*command)
        except hiredis.ReplyError as error:
            if _code(error) != "NOSCRIPT":
                raise
        # The store was restarted or flushed its scripts, so nothing ran. EVAL runs and loads in one atomic step,
        # which a flush cannot come between; LOAD before it keeps the script out of the reach of EVAL's eviction.
        self._observe(Counted.SCRIPT_RELOAD, 1)
        await self._link.ask("SCRIPT", "LOAD", script.source)
        return await self._link.ask("EVAL", script.source, *command[2:])

    def _unreachable(self, error: Unreachable) -> Refusal:
        self._observe(Counted.ERROR, 1)
        return unavailable(f"the store cannot be reached: {error}")

    def _dropped(self) -> Refusal:
        self._observe(Counted.ERROR, 1)
        return unavailable("the connection to the store was lost while it owed an answer")

    def _refusal(self, error: hiredis.ReplyError) -> Refusal:
        """Say what the store's error means. Its text is not passed on: it may quote keys and values."""
        self._observe(Counted.ERROR, 1)
        code = _code(error)
        if code in _LOOK_ELSEWHERE:
            self._link.drop()
        if code in _UNAVAILABLE:
            return unavailable(_UNAVAILABLE[code])
        if str(error).startswith("ERR max number of clients"):
            return unavailable("the store has too many clients")
        return Refusal(Reason.INTERNAL, f"the store answered with an error that is not expected ({code})")


def unavailable(message: str) -> Refusal:
    """The refusal of every method of the store while it cannot do its work."""
    return Refusal(Reason.STORE_UNAVAILABLE, message, retry_after=RETRY_AFTER)


def _code(error: hiredis.ReplyError) -> str:
    return str(error).partition(" ")[0]
