"""What holds for every test."""

from __future__ import annotations

from hypothesis import settings

# How long an example takes is the machine's business; a test that hangs has pytest's own limit.
settings.register_profile("untimed", parent=settings.default, deadline=None)
settings.load_profile("untimed")
