"""What the use cases count. The adapter with Prometheus is ``service/metrics.py``; this base counts nothing."""

from __future__ import annotations


class Meter:
    """Counters by what happened; every method returns at once."""

    def replay(self, game_type: str) -> None:
        """A move was answered from memory."""

    def stale(self, game_type: str) -> None:
        """A move answered a question that is gone."""

    def retry(self, game_type: str) -> None:
        """A commit lost its race and is tried again."""

    def engine(self, game_type: str, seconds: float) -> None:
        """The rules took that long for one submission."""

    def clock(self, action: str) -> None:
        """The clocks did something: see ``rookery_clock_actions_total`` in docs/operating.md."""
