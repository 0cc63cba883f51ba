"""What clients can make a server remember: no more than a little each."""

from __future__ import annotations

import sys

import pytest

from service.callers import ALL_SCOPES
from service.credentials import Credentials
from service.errors import Refusal
from service.keys import add_platform, new_keys


def remembered(credentials: Credentials) -> int:
    return sum(sys.getsizeof(header) for header in credentials._known)


@pytest.mark.parametrize("blanks", [" " * 60_000, "\t" * 60_000])
async def test_blanks_around_a_good_token(blanks: str) -> None:
    """One guest with a good token could otherwise fill the memory with ever new ways to write it."""
    keys, key = add_platform(new_keys(), "test", tuple(sorted(ALL_SCOPES)))
    credentials = Credentials(keys)
    token = credentials.seat_token("test", "a" * 26, 0, 0, 2_000_000_000)
    for good in (key, token):
        await credentials.authenticate(f"Bearer {good}")
        for header in (f"Bearer {blanks}{good}", f"Bearer {good}{blanks}"):
            with pytest.raises(Refusal, match="not valid"):
                await credentials.authenticate(header)
    assert remembered(credentials) < 2000


async def test_tokens_that_are_not_good_are_not_remembered() -> None:
    credentials = Credentials(new_keys())
    for i in range(1000):
        with pytest.raises(Refusal):
            await credentials.authenticate(f"Bearer {i}")
    assert remembered(credentials) == 0
