"""What every long-lived process of the service does: leave when it is told to, and keep the embedded store."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator

from structlog.typing import FilteringBoundLogger

from service.embedded_lease import Lease

# Set for a process that another one of ours holds by a pipe to its standard input.
HELD = "ROOKERY_HELD"
# Set for one of several servers on the same addresses.
WORKER = "ROOKERY_WORKER"
_RENEW_SECONDS = 2.0


@contextlib.asynccontextmanager
async def kept(lease: Lease | None, log: FilteringBoundLogger) -> AsyncIterator[None]:
    """Hold the lease on the embedded store, and start its supervisor again whenever that is lost."""
    if lease is None:
        yield
        return
    keeping = asyncio.create_task(_keep(lease, log))
    try:
        yield
    finally:
        keeping.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await keeping
        lease.close()


async def _keep(lease: Lease, log: FilteringBoundLogger) -> None:
    while True:
        try:
            await lease.keep()
        except Exception as error:
            log.warning("store_not_kept", error=type(error).__name__)
        await asyncio.sleep(_RENEW_SECONDS)


def stop_signals() -> asyncio.Event:
    """An event that the first SIGTERM or SIGINT sets; the second one ends the process."""
    stop = asyncio.Event()

    def asked() -> None:
        if stop.is_set():
            os._exit(1)
        stop.set()

    def orphaned() -> None:
        loop.remove_reader(0)
        stop.set()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, asked)
    if HELD in os.environ:
        # Whoever started this process holds the other end of this pipe: it closes when that is killed.
        loop.add_reader(0, orphaned)
    return stop
