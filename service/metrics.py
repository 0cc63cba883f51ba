"""Prometheus: what ``/metrics`` tells. With several workers the figures of all of them are added up."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from service.meter import Meter
from service.resources import SubmitMoveResponse, View

_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
_ENGINE = (0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05)
_BYTES = (128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536)
MULTIPROCESS = "PROMETHEUS_MULTIPROC_DIR"


class Metrics(Meter):
    """The figures of this process."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        self.registry = own = registry or CollectorRegistry()
        self._calls = Histogram(
            "rookery_call_seconds", "Time to answer a call.", ("rpc", "via", "reason"), buckets=_SECONDS, registry=own
        )
        self._engine = Histogram(
            "rookery_engine_seconds", "Time in the rules per submission.", ("game",), buckets=_ENGINE, registry=own
        )
        self._views = Histogram(
            "rookery_view_bytes", "Size of answers with a view.", ("game",), buckets=_BYTES, registry=own
        )
        self._replays = Counter("rookery_replays", "Moves answered from memory.", ("game",), registry=own)
        self._stale = Counter("rookery_stale_decisions", "Answers to questions that are gone.", ("game",), registry=own)
        self._retries = Counter("rookery_commit_retries", "Commits that lost a race.", ("game",), registry=own)
        self._clock = Counter("rookery_clock_actions", "What the clock did.", ("action",), registry=own)
        self._store = Counter(
            "rookery_store_events", "Conflicts, errors, reconnects, script reloads.", ("event",), registry=own
        )
        self._streams = Gauge(
            "rookery_streams", "Open streams.", ("rpc", "via"), registry=own, multiprocess_mode="livesum"
        )
        self._bots = Gauge(
            "rookery_bots_queue", "Games that wait for bots.", registry=own, multiprocess_mode="livemostrecent"
        )
        self._children: dict[tuple[str | int, ...], Any] = {}

    def call(self, rpc: str, via: str, reason: str, seconds: float) -> None:
        """A call was answered."""
        key = (rpc, via, reason)
        child = self._children.get(key)
        if child is None:
            child = self._children[key] = self._calls.labels(*key)
        child.observe(seconds)

    def stream(self, rpc: str, via: str, change: int) -> None:
        """A stream begins (1) or ends (-1)."""
        self._streams.labels(rpc, via).inc(change)

    def bots_queue(self, length: int) -> None:
        """So many games wait for bots, in the whole store."""
        self._bots.set(length)

    def answer(self, response: object, size: int) -> None:
        """An answer of ``size`` bytes goes out."""
        if isinstance(response, SubmitMoveResponse):
            response = response.view
        if isinstance(response, View):
            self._child(self._views, response.game_type).observe(size)

    def replay(self, game_type: str) -> None:
        """A move was answered from memory."""
        self._replays.labels(game_type).inc()

    def stale(self, game_type: str) -> None:
        """A move answered a question that is gone."""
        self._stale.labels(game_type).inc()

    def retry(self, game_type: str) -> None:
        """A commit lost its race and is tried again."""
        self._retries.labels(game_type).inc()

    def engine(self, game_type: str, seconds: float) -> None:
        """The rules took that long for one submission."""
        self._child(self._engine, game_type).observe(seconds)

    def store_event(self, event: str, amount: float) -> None:
        """Something happened between us and the store."""
        self._store.labels(event).inc(amount)

    def clock(self, action: str) -> None:
        """The clock did something."""
        self._clock.labels(action).inc()

    def _child(self, histogram: Histogram, game_type: str) -> Any:
        key = (id(histogram), game_type)
        child = self._children.get(key)
        if child is None:
            child = self._children[key] = histogram.labels(game_type)
        return child

    def page(self) -> bytes:
        """The figures in Prometheus' text form."""
        if MULTIPROCESS in os.environ:
            together = CollectorRegistry()
            MultiProcessCollector(together)  # type: ignore[no-untyped-call]
            return generate_latest(together)
        return generate_latest(self.registry)


def forget(pid: int, folder: Path) -> None:
    """A worker is gone: what it counted stays, what it had open is open no more."""
    mark_process_dead(pid, str(folder))  # type: ignore[no-untyped-call]
