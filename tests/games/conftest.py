"""Fixtures for the secrets that a game's own tests look at through the service."""

from __future__ import annotations

from tests.service.conftest import store_url as store_url
from tests.service.secrecy.conftest import twins as twins
