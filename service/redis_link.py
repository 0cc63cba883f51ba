"""One multiplexed connection: many concurrent commands share one socket, in order, and few system calls.

Commands of one turn of the event loop leave in one write. Answers come back in the order of the commands. When the
connection is lost, ``Link`` makes a new one by itself; what happens to the commands that were under way is said by the
exception, because only the caller knows whether a command may be repeated.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections import deque
from collections.abc import Callable
from typing import Any, Final, TypeAlias, cast

import hiredis

from service.redis_endpoint import Endpoint

Arg: TypeAlias = str | bytes | int
Reply: TypeAlias = Any

REPLY_TIMEOUT: Final = 5.0
"""Seconds without a single byte from a server that owes an answer, after which the connection counts as dead."""
IDLE_PING: Final = 15.0
"""Seconds of silence after which a PING keeps the connection (and what lies between) awake."""
PATIENCE: Final = 1.0
"""Seconds that a command waits for a connection before it is refused."""
FIRST_DELAY: Final = 0.02
LAST_DELAY: Final = 1.0
MAX_IN_FLIGHT: Final = 4096
WRITE_BUFFER: Final = 1 << 20

# The stub says "a tuple of one item"; the function takes any number.
_pack = cast("Callable[[tuple[Arg, ...]], bytes]", hiredis.pack_command)
_NOTHING: Final = object()


class Unreachable(Exception):  # noqa: N818 - named for what is the case
    """There was no connection within the patience: the command was never sent. The message names no secret."""


class Dropped(Exception):  # noqa: N818
    """The connection was lost while the answer was owed: whether the command was done is unknown."""


class Wire(asyncio.Protocol):
    """One connection, from greeting to loss. ``lost`` is done when it is over."""

    def __init__(self, on_message: Callable[[list[bytes]], None] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        self._reader = hiredis.Reader(notEnoughData=_NOTHING)
        self._transport: asyncio.Transport | None = None
        self._on_message = on_message
        self._outbox: list[bytes] = []
        self._owed: deque[asyncio.Future[Reply]] = deque()
        self._room = asyncio.Event()
        self._room.set()
        self._paused = False
        self._heard = self._loop.time()
        self._watch: asyncio.TimerHandle | None = None
        self.lost: asyncio.Future[None] = self._loop.create_future()
        self.on_lost: Callable[[], None] | None = None

    # -- what the link calls

    async def ask(self, *args: Arg) -> Reply:
        """Send one command and wait for its answer: a value, or a ``hiredis.ReplyError`` as a value."""
        while not self._room.is_set():
            await self._room.wait()
        return await self.post(*args)

    def post(self, *args: Arg) -> asyncio.Future[Reply]:
        """Put one command into the next write, whatever the pressure; the future gives its answer."""
        owed: asyncio.Future[Reply] = self._loop.create_future()
        if self._transport is None or self.lost.done():
            owed.set_exception(Dropped())
            return owed
        if not self._outbox:
            self._loop.call_soon(self._flush)
        self._outbox.append(_pack(args))
        if not self._owed:
            self._heard = self._loop.time()
        self._owed.append(owed)
        if len(self._owed) >= MAX_IN_FLIGHT:
            self._room.clear()
        return owed

    def tell(self, *args: Arg) -> None:
        """Send a command whose answer matters to nobody."""
        self.post(*args).add_done_callback(_overlook)

    def abort(self) -> None:
        """End the connection now; everything owed fails with ``Dropped``."""
        if self._transport is not None:
            self._transport.abort()

    # -- what the transport calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to write and to watch."""
        self._transport = cast("asyncio.Transport", transport)
        self._transport.set_write_buffer_limits(high=WRITE_BUFFER)
        self._watch = self._loop.call_later(REPLY_TIMEOUT / 4, self._look)

    def data_received(self, data: bytes) -> None:
        """Hand every complete answer to the command that waits for it."""
        self._heard = self._loop.time()
        reader = self._reader
        try:
            reader.feed(data)
            while (reply := reader.gets()) is not _NOTHING:
                self._take(reply)
        except hiredis.ProtocolError:
            # Not a Redis server, or the stream is out of step: nothing that follows could be trusted.
            self.abort()
            return
        self._make_room()

    def pause_writing(self) -> None:
        """Make new commands wait: the server does not read fast enough."""
        self._paused = True
        self._room.clear()

    def resume_writing(self) -> None:
        """Let them go on."""
        self._paused = False
        self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - the cause changes nothing
        """Fail everything owed with ``Dropped``, after the link knows that this connection is none any more."""
        if self._watch is not None:
            self._watch.cancel()
        if not self.lost.done():
            self.lost.set_result(None)
        if self.on_lost is not None:
            self.on_lost()
        self._outbox.clear()
        owed, self._owed = self._owed, deque()
        for future in owed:
            if not future.done():
                future.set_exception(Dropped())
        self._room.set()

    # -- inside

    def _flush(self) -> None:
        if self._transport is not None and self._outbox:
            self._transport.write(b"".join(self._outbox))
            self._outbox.clear()

    def _make_room(self) -> None:
        # Only at half the limit, so that whoever waits is not woken for a single free place.
        if not self._paused and not self._room.is_set() and len(self._owed) <= MAX_IN_FLIGHT // 2:
            self._room.set()

    def _take(self, reply: Reply) -> None:
        if type(reply) is hiredis.PushNotification and reply[0] not in {b"subscribe", b"unsubscribe"}:
            if reply[0] == b"message" and self._on_message is not None:
                self._on_message(reply)
            return
        # A confirmed (un)subscription is a push by form, but the one answer to its command by order.
        if not self._owed:
            raise hiredis.ProtocolError("an answer to no question")
        future = self._owed.popleft()
        if not future.done():
            future.set_result(reply)

    def _look(self) -> None:
        """Notice a dead peer: no bytes although an answer is owed, for too long."""
        silence = self._loop.time() - self._heard
        if self._owed and silence > REPLY_TIMEOUT:
            self.abort()
            return
        if not self._owed and silence > IDLE_PING:
            self.tell("PING")
        self._watch = self._loop.call_later(REPLY_TIMEOUT / 4, self._look)


class Link:
    """A connection that comes back. Make it inside a running event loop, ``start()`` it, and ``close()`` it.

    ``on_up`` is called with each new connection before any command can use it, ``on_down`` when one is lost,
    ``on_message`` with each pub/sub message (``[b"message", channel, payload]``).
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        name: str = "rookery",
        on_up: Callable[[Wire], None] | None = None,
        on_down: Callable[[], None] | None = None,
        on_message: Callable[[list[bytes]], None] | None = None,
    ) -> None:
        self.endpoint = endpoint
        self._name = name
        self._on_up = on_up
        self._on_down = on_down
        self._on_message = on_message
        self._wire: Wire | None = None
        self._up = asyncio.Event()
        self._why = "not connected yet"
        self._keeper: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to connect, in the background."""
        if self._keeper is None:
            self._keeper = asyncio.get_running_loop().create_task(self._keep(), name=f"{self._name} link")

    async def close(self) -> None:
        """End the connection and the reconnecting; later commands are ``Unreachable``."""
        keeper, self._keeper = self._keeper, None
        if keeper is not None:
            keeper.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await keeper
        self._why = "closed"

    async def wire(self, patience: float = PATIENCE) -> Wire:
        """The living connection, waited for at most ``patience`` seconds; else ``Unreachable``."""
        wire = self._wire
        if wire is not None:
            return wire
        if self._keeper is None:
            raise Unreachable(self._why)
        try:
            async with asyncio.timeout(patience):
                while self._wire is None:
                    await self._up.wait()
        except TimeoutError:
            raise Unreachable(self._why) from None
        return self._wire

    async def ask(self, *args: Arg) -> Reply:
        """Send one command; its answer, or ``hiredis.ReplyError``, ``Unreachable`` or ``Dropped`` raised."""
        wire = self._wire
        if wire is None:
            wire = await self.wire()
        reply = await wire.ask(*args)
        if isinstance(reply, hiredis.ReplyError):
            raise reply
        return reply

    def drop(self) -> None:
        """Give the present connection up: the next one may find another server behind the same name."""
        if self._wire is not None:
            self._wire.abort()

    async def _keep(self) -> None:
        delay = 0.0
        while True:
            wire = await self._connect()
            if wire is None:
                # Full jitter, so that many processes do not come back in step.
                delay = min(LAST_DELAY, max(FIRST_DELAY, delay * 2))
                await asyncio.sleep(delay * random.uniform(0.5, 1.0))  # noqa: S311 - no secret
                continue
            delay = 0.0
            try:
                await self._serve(wire)
            finally:
                wire.abort()

    async def _serve(self, wire: Wire) -> None:
        """Lend the connection out until it is lost."""
        if wire.lost.done():
            return
        wire.on_lost = self._withdraw
        self._wire = wire
        if self._on_up is not None:
            self._on_up(wire)
        self._up.set()
        try:
            await asyncio.shield(wire.lost)
        finally:
            self._withdraw()

    def _withdraw(self) -> None:
        """Take the connection back, in the very moment of its loss: a repeated command must not meet it again."""
        if self._wire is not None:
            self._wire = None
            self._up.clear()
            self._why = "the connection was lost"
            if self._on_down is not None:
                self._on_down()

    async def _connect(self) -> Wire | None:
        """One attempt, greeting included; None when it failed, and ``_why`` then says why."""
        made: list[Wire] = []

        def factory() -> Wire:
            made.append(Wire(self._on_message))
            return made[-1]

        try:
            wire = await self.endpoint.connect(factory)
        except BaseException as error:
            for late in made:
                # uvloop closes a connection that came too late without a word to its protocol.
                late.connection_lost(None)
            if not isinstance(error, OSError):
                raise
            self._why = f"cannot connect ({error.strerror or type(error).__name__})"
            return None
        refused = "the server did not finish the greeting"
        try:
            refused = await self._greet(wire)
        except (Dropped, TimeoutError):
            pass
        finally:
            if refused:
                self._why = refused
                wire.abort()
        return None if refused else wire

    async def _greet(self, wire: Wire) -> str:
        """Authenticate and choose the database; what the server refused, or the empty string."""
        async with asyncio.timeout(REPLY_TIMEOUT):
            lines = self.endpoint.greeting(self._name)
            answers = await asyncio.gather(*(wire.post(*line) for line in lines))
        for answer in answers:
            if isinstance(answer, hiredis.ReplyError):
                # Only the error's code: its text may repeat what we sent, and we sent the password.
                return f"the server refused the greeting ({str(answer).partition(' ')[0]})"
        return ""


def _overlook(future: asyncio.Future[Reply]) -> None:
    """Fetch an outcome that nobody waits for, so that asyncio does not report it as forgotten."""
    if not future.cancelled():
        future.exception()
